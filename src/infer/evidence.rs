//! What pieces of evidence amount to.

use super::Declaration;
use super::constraint::{Ask, Strength};
use crate::ty::Type;
use serde_json::Value;
use std::collections::HashSet;

/// What an occurrence asks of its parameter: behind `IN` it stands for one item of a list.
pub(super) fn whole(ask: &Ask, list: bool) -> Ask {
    let ty = if list { Type::List(Box::new(ask.ty.clone())) } else { ask.ty.clone() };
    Ask { ty, strength: ask.strength }
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
pub(super) fn beside_literal(ty: &Type, literal: &Type) -> Option<Type> {
    match (ty, literal) {
        (ty, Type::Double) if ty.is_integer() => Some(Type::Double),
        (ty, literal) if ty.is_numeric() && literal.is_numeric() => Some(ty.clone()),
        // A text constant is read as what it stands beside.
        (ty, Type::Text) if ty.is_temporal() || matches!(ty, Type::Uuid | Type::Json) => Some(ty.clone()),
        (Type::List(ty), Type::List(literal)) => Some(Type::List(Box::new(beside_literal(ty, literal)?))),
        (ty, literal) => ty.join(literal),
    }
}

/// Whether a default with a point makes a double of what would be a whole number: in arithmetic, where a literal with a
/// point would do the same.
pub(super) fn is_widened(found: &Type, default: &Type, places: &[usize], arithmetic: &HashSet<usize>) -> bool {
    *default == Type::Double && found.is_integer() && places.iter().all(|at| arithmetic.contains(at))
}

/// Where no use speaks: the type of the default, else of the allowed values, where all of those agree.
pub(super) fn weak_evidence(declaration: &Declaration) -> Option<Type> {
    if let Some(default) = declaration.default_type.as_ref().filter(|_| declaration.config.fixed.is_none()) {
        return Some(default.clone());
    }
    let config = &declaration.config;
    let values: Vec<&Value> = match (config.fixed.as_ref().or(config.default.as_ref()), declaration.allowed_values()) {
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
