//! One type per name: evidence of all occurrences, what is declared, and as the weakest word the default.

use super::collect::Collected;
use super::constraint::{Ask, Strength};
use super::evidence::{beside_literal, decide, is_widened, weak_evidence, whole};
use super::solve::by_name;
use super::{Declaration, TypedParameter, likely};
use crate::diagnostic::{Diagnostics, codes};
use crate::source::{Span, Spanned};
use crate::syntax::link::LinkedQuery;
use crate::syntax::{ParsedQuery, Placeholder};
use crate::ty::Type;

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
        if let Some(ty) = of_parameter(declaration, &asks, &places, (solved, linked), beside_wrong, sink) {
            let units = units.filter(|_| ty == Type::Text);
            let is_share = ty.is_numeric() && is_any(&|at| solved.shares.contains(at));
            let is_position = ty.is_numeric() && is_any(&|at| solved.positions.contains(at));
            let is_format = ty == Type::Text && is_any(&|at| solved.formats.contains(at));
            let set_by = beside(&ty, &places, (linked, solved), ParsedQuery::column_beside);
            let computed_with = beside(&ty, &places, (linked, solved), ParsedQuery::column_computed_with);
            let declaration = declaration.clone();
            typed.push(TypedParameter {
                declaration,
                ty,
                counts_rows,
                is_share,
                is_position,
                is_format,
                units,
                labels: Vec::new(),
                set_by,
                computed_with,
            });
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
    (solved, linked): (&Collected, &LinkedQuery<'_>),
    beside_wrong: bool,
    sink: &mut Diagnostics,
) -> Option<Type> {
    if let Some(declared) = &declaration.ty {
        for placed in asks {
            if !accepts(&declared.value, &placed.ask) {
                // Declaring what this place asks for helps only where the others take it as well.
                // With other choices, other places ask.
                let fits = linked.choices.is_empty() && asks.iter().all(|other| accepts(&placed.ask.ty, &other.ask));
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
                let likely = likely::types(&declaration.name, solved, &linked.occurrences, places);
                let (place, edit) = (declaration.first_use, declaration.type_edit);
                let joined = added_texts(places, linked);
                sink.push(match joined.is_empty() {
                    true => codes::cannot_infer_type(place, edit, &declaration.name, &likely),
                    false => codes::added_texts(place, &declaration.name, joined),
                });
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

/// The column beside one of these places that asks for that type there.
fn beside(
    ty: &Type,
    places: &[usize],
    (linked, solved): (&LinkedQuery<'_>, &Collected),
    column: impl Fn(&ParsedQuery, &Placeholder) -> Option<Span>,
) -> Option<Span> {
    places.iter().find_map(|at| {
        let (one, cell) = (linked.occurrences.get(*at)?, solved.constraints.cells.get(*at)?);
        let is_asked = cell.asks.iter().any(|ask| ask.strength == Strength::Use && whole(ask, one.list).ty == *ty);
        let mut queries = linked.parts.iter().map(|part| part.query).filter(|query| query.file == one.span.file);
        queries.find_map(|query| column(query, one)).filter(|_| is_asked)
    })
}

/// The signs that add texts to a parameter at these places.
fn added_texts(places: &[usize], linked: &LinkedQuery<'_>) -> Vec<Span> {
    let occurrences = places.iter().filter_map(|at| linked.occurrences.get(*at));
    let added = occurrences.flat_map(|one| {
        let mut queries = linked.parts.iter().map(|part| part.query).filter(|query| query.file == one.span.file);
        queries.next().map(|query| query.added_texts(one)).unwrap_or_default()
    });
    added.collect()
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
