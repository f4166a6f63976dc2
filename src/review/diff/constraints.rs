//! What values a parameter accepts beside those of its type: more, fewer or others.

use super::types::Relation;
use super::{Found, is_same_value, plain_value};
use crate::review::change::Kind;
use crate::tool::{Constraints, Parameter};
use crate::ty::Type;
use crate::ty::coerce::Coercion;
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::HashSet;

/// Compares what two parameters accept.
pub(super) fn compare(before: &Parameter, after: &Parameter, found: &mut Found<'_>) {
    let name = after.name.as_str();
    let (old, new) = (&before.constraints, &after.constraints);
    allowed_values(name, old, new, found);
    // Every constraint is one of these: who adds one is told here that it is compared nowhere.
    let Constraints {
        allowed_values: _,
        any_unit: _,
        minimum: _,
        maximum: _,
        exclusive_minimum: _,
        exclusive_maximum: _,
        multiple_of: _,
        format: _,
        min_length: _,
        max_length: _,
        pattern: _,
        min_items: _,
        max_items: _,
    } = new;
    let ty = compared_as(item(&before.ty), item(&after.ty));
    push(bounds(old, new, &ty, End::Lower), name, found);
    push(bounds(old, new, &ty, End::Upper), name, found);
    push(multiples(old, new), name, found);
    for (words, old, new, end) in [
        ("characters", old.min_length, new.min_length, End::Lower),
        ("characters", old.max_length, new.max_length, End::Upper),
        ("items", old.min_items, new.min_items, End::Lower),
        ("items", old.max_items, new.max_items, End::Upper),
    ] {
        push(counts(words, old, new, end), name, found);
    }
    let format = |of: &Constraints| of.format.map(|format| format.words().to_owned());
    push(opaque(format(old), format(new)), name, found);
    let pattern = |of: &Constraints| of.pattern.as_ref().map(|pattern| format!("a text that matches {pattern}"));
    push(opaque(pattern(old), pattern(new)), name, found);
}

/// How one constraint has changed, and in what words.
struct Changed {
    relation: Relation,
    before: Option<String>,
    after: Option<String>,
}

fn push(changed: Option<Changed>, name: &str, found: &mut Found<'_>) {
    let Some(Changed { relation, before, after }) = changed else { return };
    let kind = match relation {
        Relation::Same => Kind::SpellingChanged,
        Relation::Narrower => Kind::BoundTightened,
        Relation::Wider => Kind::BoundLoosened,
        Relation::Other => Kind::BoundChanged,
    };
    found.push(kind, Some(name), (before.or_else(|| Some("any".into())), after.or_else(|| Some("any".into()))));
}

fn item(ty: &Type) -> &Type {
    match ty {
        Type::List(item) => item,
        ty => ty,
    }
}

/// The type that bounds of both can be compared as.
fn compared_as(before: &Type, after: &Type) -> Type {
    let ty = before.join(after).unwrap_or_else(|| after.clone());
    // A bound counts in the digits that are published, not in those that a real keeps.
    if ty == Type::Real { Type::Double } else { ty }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Lower,
    Upper,
}

/// The bound that holds at one end, whether it is itself left out, and in what words.
struct Bound<'a> {
    value: &'a Value,
    is_exclusive: bool,
    words: String,
}

/// The tighter of the two bounds that an end may have.
fn bound<'a>(of: &'a Constraints, ty: &Type, end: End) -> Option<Bound<'a>> {
    let (inclusive, exclusive, [at, beyond]) = match end {
        End::Lower => (&of.minimum, &of.exclusive_minimum, ["at least", "more than"]),
        End::Upper => (&of.maximum, &of.exclusive_maximum, ["at most", "less than"]),
    };
    let one = |value: &'a Option<Value>, is_exclusive, words| {
        let value = value.as_ref()?;
        Some(Bound { value, is_exclusive, words: format!("{words} {}", plain_value(value)) })
    };
    match (one(inclusive, false, at), one(exclusive, true, beyond)) {
        (Some(at), Some(beyond)) => match tightness(&beyond, &at, ty, end) {
            Some(Ordering::Less) => Some(at),
            _ => Some(beyond),
        },
        (at, beyond) => at.or(beyond),
    }
}

/// Which of two bounds leaves fewer values: `Greater` where the first does.
fn tightness(one: &Bound<'_>, other: &Bound<'_>, ty: &Type, end: End) -> Option<Ordering> {
    let order = |one: &Value, other: &Value| ty.compare(one, other, &Coercion::default());
    if ty.is_integer()
        && let (Some(one), Some(other)) = (first_whole(one, end), first_whole(other, end))
    {
        return Some(if end == End::Lower { one.cmp(&other) } else { other.cmp(&one) });
    }
    let order = order(one.value, other.value)?;
    let order = if end == End::Lower { order } else { order.reverse() };
    Some(order.then(one.is_exclusive.cmp(&other.is_exclusive)))
}

/// The outermost integer that a bound lets through: more than 0 is at least 1.
fn first_whole(bound: &Bound<'_>, end: End) -> Option<i128> {
    let step = match (bound.is_exclusive, end) {
        (false, _) => 0,
        (true, End::Lower) => 1,
        (true, End::Upper) => -1,
    };
    Some(i128::from(bound.value.as_i64()?) + step)
}

fn bounds(before: &Constraints, after: &Constraints, ty: &Type, end: End) -> Option<Changed> {
    let written = |of: &Constraints| match end {
        End::Lower => (of.minimum.clone(), of.exclusive_minimum.clone()),
        End::Upper => (of.maximum.clone(), of.exclusive_maximum.clone()),
    };
    if written(before) == written(after) {
        return None;
    }
    let (old, new) = (bound(before, ty, end), bound(after, ty, end));
    let relation = match (&old, &new) {
        (None, None) => Relation::Same,
        (None, Some(_)) => Relation::Narrower,
        (Some(_), None) => Relation::Wider,
        (Some(old), Some(new)) => match tightness(new, old, ty, end) {
            Some(Ordering::Equal) => Relation::Same,
            Some(Ordering::Greater) => Relation::Narrower,
            Some(Ordering::Less) => Relation::Wider,
            None => Relation::Other,
        },
    };
    Some(Changed { relation, before: old.map(|bound| bound.words), after: new.map(|bound| bound.words) })
}

fn counts(what: &str, before: Option<u64>, after: Option<u64>, end: End) -> Option<Changed> {
    if before == after {
        return None;
    }
    let (words, none) = match end {
        End::Lower => ("at least", 0),
        End::Upper => ("at most", u64::MAX),
    };
    let (old, new) = (before.unwrap_or(none), after.unwrap_or(none));
    let order = if end == End::Lower { new.cmp(&old) } else { old.cmp(&new) };
    let relation = match order {
        Ordering::Equal => Relation::Same,
        Ordering::Greater => Relation::Narrower,
        Ordering::Less => Relation::Wider,
    };
    let words = |count: Option<u64>| count.map(|count| format!("{words} {count} {what}"));
    Some(Changed { relation, before: words(before), after: words(after) })
}

/// Every multiple of 10 is one of 5.
fn multiples(before: &Constraints, after: &Constraints) -> Option<Changed> {
    let (old, new) = (&before.multiple_of, &after.multiple_of);
    if old == new {
        return None;
    }
    let is_within = |new: &serde_json::Number, old: &serde_json::Number| match (new.as_i64(), old.as_i64()) {
        (Some(new), Some(old)) => new.checked_rem(old) == Some(0),
        // Of fractions only what is surely so: both shifted to whole numbers.
        _ => shifted(new, old).is_some_and(|(new, old)| new.checked_rem(old) == Some(0)),
    };
    let relation = match (old, new) {
        (None, _) => Relation::Narrower,
        (_, None) => Relation::Wider,
        (Some(old), Some(new)) => Relation::of(is_within(new, old), is_within(old, new)),
    };
    let words = |step: &Option<serde_json::Number>| step.as_ref().map(|step| format!("a multiple of {step}"));
    Some(Changed { relation, before: words(old), after: words(new) })
}

/// Two decimal numbers as whole numbers of the same unit.
fn shifted(one: &serde_json::Number, other: &serde_json::Number) -> Option<(i128, i128)> {
    let (one, other) = (one.to_string(), other.to_string());
    let digits = |text: &str| text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let most = digits(&one).max(digits(&other));
    let whole = |text: &str| {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        format!("{whole}{fraction:0<most$}").parse::<i128>().ok()
    };
    Some((whole(&one)?, whole(&other)?))
}

/// A constraint that is there or not; of two, nobody can tell which leaves more.
fn opaque(before: Option<String>, after: Option<String>) -> Option<Changed> {
    if before == after {
        return None;
    }
    let relation = match (&before, &after) {
        (None, _) => Relation::Narrower,
        (_, None) => Relation::Wider,
        _ => Relation::Other,
    };
    Some(Changed { relation, before, after })
}

fn allowed_values(name: &str, before: &Constraints, after: &Constraints, found: &mut Found<'_>) {
    let (old, new) = (&before.allowed_values, &after.allowed_values);
    if old == new && before.any_unit == after.any_unit {
        return;
    }
    let is_within = |one: &[Value], other: &[Value]| {
        let known: HashSet<&Value> = other.iter().collect();
        one.iter().all(|value| known.contains(value) || other.iter().any(|known| is_same_value(value, known)))
    };
    let relation = match (old, new) {
        (None, None) => Relation::Same,
        (None, Some(_)) => Relation::Narrower,
        (Some(_), None) => Relation::Wider,
        (Some(old), Some(new)) => Relation::of(is_within(new, old), is_within(old, new)),
    };
    let kind = match relation {
        Relation::Same => Kind::SpellingChanged,
        Relation::Narrower => Kind::AllowedValuesNarrowed,
        Relation::Wider => Kind::AllowedValuesWidened,
        Relation::Other => Kind::AllowedValuesChanged,
    };
    let only = |values: &Option<Vec<Value>>, others: &Option<Vec<Value>>| {
        let Some(values) = values else { return "any".to_owned() };
        // Of long lists what differs.
        let of_long = values.len() > MAX_LISTED && others.is_some() && relation != Relation::Same;
        let others = others.as_deref().filter(|_| of_long).unwrap_or_default();
        let others: HashSet<&Value> = others.iter().collect();
        let shown: Vec<String> = values.iter().filter(|value| !others.contains(value)).map(plain_value).collect();
        let more = shown.len().saturating_sub(MAX_LISTED);
        let mut text = shown.into_iter().take(MAX_LISTED).collect::<Vec<_>>().join(", ");
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        match (of_long, text.as_str()) {
            (true, "") => format!("{} values", values.len()),
            (true, _) => format!("{text}, of {} values", values.len()),
            _ => text,
        }
    };
    found.push(kind, Some(name), (Some(only(old, new)), Some(only(new, old))));
}

/// The most values that are shown.
const MAX_LISTED: usize = 8;
