//! One type per name: evidence of all occurrences, what is declared, and as the weakest word the default.

use super::evidence::Evidence;
use super::{Declaration, TypedParameter};
use crate::diagnostic::{Diagnostics, codes};
use crate::source::Spanned;
use crate::syntax::link::LinkedQuery;
use crate::ty::Type;
use serde_json::Value;

/// Gives every parameter its type; `None` where any has none or two (all are reported).
pub(super) fn unify(
    linked: &LinkedQuery<'_>,
    declarations: Vec<Declaration>,
    evidence: &Evidence,
    sink: &mut Diagnostics,
) -> Option<Vec<TypedParameter>> {
    let errors = sink.errors();
    let mut typed = Vec::with_capacity(declarations.len());
    for declaration in declarations {
        let uses: Vec<Spanned<Type>> = linked
            .occurrences
            .iter()
            .enumerate()
            .filter(|(_, occurrence)| occurrence.name.value == declaration.name)
            .filter_map(|(at, occurrence)| {
                let ty = evidence.types.get(&at)?.clone();
                let ty = if occurrence.list { Type::List(Box::new(ty)) } else { ty };
                Some(Spanned::new(ty, occurrence.span))
            })
            .collect();
        let counts_rows = linked
            .occurrences
            .iter()
            .enumerate()
            .any(|(at, occurrence)| occurrence.name.value == declaration.name && evidence.row_counts.contains(&at));
        let in_arithmetic = linked
            .occurrences
            .iter()
            .enumerate()
            .any(|(at, occurrence)| occurrence.name.value == declaration.name && evidence.arithmetic.contains(&at));
        let guess = if in_arithmetic { "bigint" } else { "text" };
        if let Some(ty) = decide(&declaration, &uses, guess, sink) {
            typed.push(TypedParameter { declaration, ty, counts_rows });
        }
    }
    (sink.errors() == errors).then_some(typed)
}

fn decide(declaration: &Declaration, uses: &[Spanned<Type>], guess: &str, sink: &mut Diagnostics) -> Option<Type> {
    if let Some(declared) = &declaration.ty {
        for used in uses {
            if !accepts(&declared.value, &used.value) {
                sink.push(codes::declared_type_conflicts(&declaration.name, declared, used));
                return None;
            }
        }
        return Some(declared.value.clone());
    }
    let Some((first, rest)) = uses.split_first() else {
        let weak = weak_evidence(declaration);
        if weak.is_none() {
            sink.push(codes::cannot_infer_type(declaration.first_use, declaration.type_edit, &declaration.name, guess));
        }
        return weak;
    };
    let mut joined = first.value.clone();
    for used in rest {
        match joined.join(&used.value) {
            Some(ty) => joined = ty,
            None => {
                // Name the first occurrence that this one cannot live with.
                let other = uses.iter().find(|one| one.value.join(&used.value).is_none()).unwrap_or(first);
                sink.push(codes::conflicting_types(&declaration.name, other, used));
                return None;
            }
        }
    }
    Some(joined)
}

/// Whether a declared type can be used where a place asks for another: they join, or one is a special form of text.
fn accepts(declared: &Type, used: &Type) -> bool {
    match (declared, used) {
        // A day is compared with points in time as the first moment of it.
        (Type::Date, Type::Timestamp(_) | Type::Timestamptz(_))
        | (Type::Timestamp(_) | Type::Timestamptz(_), Type::Date) => true,
        (Type::Timestamp(_), Type::Timestamptz(_)) | (Type::Timestamptz(_), Type::Timestamp(_)) => true,
        _ => declared.join(used).is_some(),
    }
}

/// Where no use speaks: the type of the default, else of the allowed values, where all of those agree.
pub(super) fn weak_evidence(declaration: &Declaration) -> Option<Type> {
    if let Some(default) = &declaration.default_type {
        return Some(default.clone());
    }
    let config = &declaration.config;
    let values: Vec<&Value> = match (&config.default, &config.allowed_values) {
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
