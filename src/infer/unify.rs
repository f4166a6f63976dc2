//! One type per name: evidence of all occurrences, what is declared, and as the weakest word the default.

use super::collect::Collected;
use super::constraint::{Ask, Constraint, Strength, Term};
use super::signature::Choice;
use super::solve::{by_name, is_widened, whole};
use super::{Declaration, TypedParameter};
use crate::diagnostic::{Diagnostics, codes};
use crate::source::{Span, Spanned};
use crate::syntax::Placeholder;
use crate::syntax::link::LinkedQuery;
use crate::ty::Type;
use arrow::datatypes::DataType;
use serde_json::Value;

/// Gives every parameter its type; `None` where any has none or two (all are reported).
pub(super) fn unify(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    solved: &Collected,
    sink: &mut Diagnostics,
) -> Option<Vec<TypedParameter>> {
    let errors = sink.errors();
    let mut typed = Vec::with_capacity(declarations.len());
    let mut untyped = false;
    for (declaration, places) in by_name(&linked.occurrences, declarations) {
        let asks: Vec<Placed> = places
            .iter()
            .filter_map(|at| Some((linked.occurrences.get(*at)?, solved.constraints.cells.get(*at)?)))
            .flat_map(|(one, cell)| cell.asks.iter().map(|ask| Placed { ask: whole(ask, one.list), span: one.span }))
            .collect();
        let is_any = |of: &dyn Fn(&usize) -> bool| places.iter().any(of);
        let counts_rows = is_any(&|at| solved.row_counts.contains(at));
        let units = places.iter().filter_map(|at| solved.units.get(at).copied()).reduce(|one, other| {
            // What both take: the shorter list is part of the longer one.
            if one.len() < other.len() { one } else { other }
        });
        // What stands beside a name that means nothing has no type either; that name is reported.
        let beside_wrong = is_any(&|at| solved.beside_wrong.contains(at));
        untyped |= beside_wrong;
        if let Some(ty) = of_parameter(declaration, &asks, &places, (solved, &linked.occurrences), beside_wrong, sink) {
            let units = units.filter(|_| ty == Type::Text);
            typed.push(TypedParameter { declaration: declaration.clone(), ty, counts_rows, units });
        }
    }
    (sink.errors() == errors && (!untyped || typed.len() == declarations.len())).then_some(typed)
}

/// Evidence with its place.
struct Placed {
    ask: Ask,
    span: Span,
}

impl Placed {
    fn spanned(&self) -> Spanned<Type> {
        Spanned::new(self.ask.ty.clone(), self.span)
    }
}

fn of_parameter(
    declaration: &Declaration,
    asks: &[Placed],
    places: &[usize],
    (solved, occurrences): (&Collected, &[&Placeholder]),
    beside_wrong: bool,
    sink: &mut Diagnostics,
) -> Option<Type> {
    if let Some(declared) = &declaration.ty {
        for placed in asks {
            if !accepts(&declared.value, &placed.ask) {
                // Declaring what this place asks for helps only where the others take it as well.
                let fits = asks.iter().all(|other| accepts(&placed.ask.ty, &other.ask));
                sink.push(codes::declared_type_conflicts(&declaration.name, declared, &placed.spanned(), fits));
                return None;
            }
        }
        return Some(declared.value.clone());
    }
    let plain: Vec<&Ask> = asks.iter().map(|placed| &placed.ask).collect();
    let strongest = plain.iter().map(|ask| ask.strength).max();
    match decide(&plain) {
        Ok(Some(ty))
            if weak_evidence(declaration).is_some_and(|weak| is_widened(&ty, &weak, places, &solved.arithmetic)) =>
        {
            Some(Type::Double)
        }
        // A guess is weaker than what the author says of the values.
        Ok(Some(ty)) if strongest > Some(Strength::Guess) => Some(ty),
        Ok(ty) => {
            let ty = weak_evidence(declaration).or(ty);
            if ty.is_none() && !beside_wrong {
                let guess = guess(solved, occurrences, places);
                let (place, edit) = (declaration.first_use, declaration.type_edit);
                sink.push(codes::cannot_infer_type(place, edit, &declaration.name, guess));
            }
            ty
        }
        Err((one, other)) => {
            if let (Some(one), Some(other)) = (asks.get(one), asks.get(other)) {
                sink.push(codes::conflicting_types(&declaration.name, &one.spanned(), &other.spanned()));
            }
            None
        }
    }
}

/// A type that would do at a place which does not tell one, for the edit.
fn guess(solved: &Collected, occurrences: &[&Placeholder], places: &[usize]) -> &'static str {
    let is_one = |term: &Term| matches!(term, Term::Open(cell) if places.contains(cell));
    let is_interval = |term: &Term| matches!(term.ground(), Some(DataType::Interval(_)));
    if places.iter().any(|at| occurrences.get(*at).is_some_and(|one| one.list)) {
        return "text[]";
    }
    if places.iter().any(|at| solved.series.contains(at)) {
        return "timestamp";
    }
    for constraint in &solved.constraints.list {
        match constraint {
            Constraint::Element { list, .. } if is_one(list) => return "text[]",
            Constraint::Arithmetic { left, right, .. } if is_one(left) || is_one(right) => {
                return if is_interval(left) || is_interval(right) { "timestamp" } else { "bigint" };
            }
            Constraint::Call { callee, arguments, .. } => {
                let known: Vec<Option<DataType>> =
                    arguments.iter().map(|argument| argument.term.ground().cloned()).collect();
                let at = arguments.iter().position(|argument| is_one(&argument.term));
                if let Some(Choice::Several(types)) = at.map(|at| callee.choice(&known, at, None))
                    && types.iter().all(|ty| matches!(ty, Type::List(_)))
                {
                    return "text[]";
                }
            }
            _ => {}
        }
    }
    if places.iter().any(|at| solved.arithmetic.contains(at)) { "bigint" } else { "text" }
}

/// The type that evidence amounts to: what the strongest pieces have in common. Two that do not go together are an error,
/// by their positions.
pub(super) fn decide(asks: &[&Ask]) -> Result<Option<Type>, (usize, usize)> {
    let Some(strongest) = asks.iter().map(|ask| ask.strength).max() else { return Ok(None) };
    let of = |strength: Strength| asks.iter().enumerate().filter(move |(_, ask)| ask.strength == strength);
    let mut joined: Option<(usize, Type)> = None;
    for (at, ask) in of(strongest) {
        joined = Some(match joined {
            None => (at, ask.ty.clone()),
            Some((first, ty)) => match ty.join(&ask.ty) {
                Some(ty) => (first, ty),
                // Anything that can be cast, or that would do as well, does not contradict.
                None if strongest < Strength::Literal => (first, ty),
                None => {
                    let other = of(strongest).find(|(_, one)| one.ty.join(&ask.ty).is_none());
                    return Err((other.map_or(first, |(other, _)| other), at));
                }
            },
        });
    }
    let Some((first, mut ty)) = joined else { return Ok(None) };
    if strongest == Strength::Use {
        for (at, literal) in of(Strength::Literal) {
            match beside_literal(&ty, &literal.ty) {
                Some(both) => ty = both,
                None => return Err((first.min(at), first.max(at))),
            }
        }
    }
    Ok(Some(ty))
}

/// The type of something that is used as `ty` and stands beside a constant as well.
fn beside_literal(ty: &Type, literal: &Type) -> Option<Type> {
    match (ty, literal) {
        (ty, Type::Double) if ty.is_integer() => Some(Type::Double),
        (ty, literal) if ty.is_numeric() && literal.is_numeric() => Some(ty.clone()),
        // A text constant is read as what it stands beside.
        (ty, Type::Text) if ty.is_temporal() || matches!(ty, Type::Uuid | Type::Json) => Some(ty.clone()),
        (Type::List(ty), Type::List(literal)) => Some(Type::List(Box::new(beside_literal(ty, literal)?))),
        (ty, literal) => ty.join(literal),
    }
}

/// Whether a declared type can be used where a place asks for another: they join, or one is a special form of text.
fn accepts(declared: &Type, ask: &Ask) -> bool {
    match (declared, &ask.ty) {
        _ if ask.strength < Strength::Literal => true,
        // A day is compared with points in time as the first moment of it.
        (Type::Date, Type::Timestamp(_) | Type::Timestamptz(_))
        | (Type::Timestamp(_) | Type::Timestamptz(_), Type::Date) => true,
        (Type::Timestamp(_), Type::Timestamptz(_)) | (Type::Timestamptz(_), Type::Timestamp(_)) => true,
        (declared, used) if ask.strength == Strength::Literal => beside_literal(declared, used).is_some(),
        (declared, used) => declared.join(used).is_some(),
    }
}

/// Where no use speaks: the type of the default, else of the allowed values, where all of those agree.
pub(super) fn weak_evidence(declaration: &Declaration) -> Option<Type> {
    if let Some(default) = &declaration.default_type {
        return Some(default.clone());
    }
    let config = &declaration.config;
    let values: Vec<&Value> = match (&config.default, declaration.allowed_values()) {
        (_, Some(_)) if declaration.allowed_type.is_some() => return declaration.allowed_type.clone(),
        (Some(default), _) => vec![default],
        (None, Some(allowed)) => allowed.iter().collect(),
        (None, None) => return None,
    };
    let types: Option<Vec<Type>> = values.into_iter().map(json_type).collect();
    types?.into_iter().map(Some).reduce(|a, b| a?.join(&b?)).flatten()
}

fn json_type(value: &Value) -> Option<Type> {
    match value {
        Value::Bool(_) => Some(Type::Boolean),
        Value::Number(number) if number.is_f64() => Some(Type::Double),
        Value::Number(_) => Some(Type::Bigint),
        Value::String(_) => Some(Type::Text),
        Value::Array(items) => {
            let types: Option<Vec<Type>> = items.iter().map(json_type).collect();
            let item = types?.into_iter().map(Some).reduce(|a, b| a?.join(&b?)).flatten()?;
            Some(Type::List(Box::new(item)))
        }
        Value::Null | Value::Object(_) => None,
    }
}
