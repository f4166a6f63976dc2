//! What is expected of one argument: a value that the tool would take, or a condition that such a value can meet.

use super::Checker;
use crate::diagnostic::{Diagnostics, codes};
use crate::evals::expectation::{Expectation, Published, compare};
use crate::name::shown_name;
use crate::project::ExpectedArgument;
use crate::source::Span;
use crate::tool::Constraints;
use crate::ty::Type;
use crate::ty::coerce::{Coercion, Strictness, shortened};
use regex::Regex;
use serde_json::{Map, Value};
use std::cmp::Ordering;

/// Reads what is expected of one argument.
pub(super) struct Reader<'r> {
    pub(super) checker: &'r Checker<'r>,
    /// `arguments`, the tool and the parameter.
    pub(super) path: [&'r str; 3],
    pub(super) parameter: &'r Published,
    pub(super) coercion: Coercion,
}

impl Reader<'_> {
    /// Whether a mapping is a condition: a value it can be where the tool takes objects.
    pub(super) fn is_condition(&self, mapping: &Map<String, Value>) -> bool {
        let takes_objects = matches!(self.parameter.ty, None | Some(Type::Struct(_) | Type::Json));
        let is_key = |key: &String| ExpectedArgument::KEYS.contains(&key.as_str());
        !takes_objects || !mapping.is_empty() && mapping.keys().all(is_key)
    }

    fn place(&self, below: &[&str]) -> Span {
        let path: Vec<&str> = self.path.iter().chain(below).copied().collect();
        self.checker.value(&path)
    }

    pub(super) fn literal(&self, value: &Value, sink: &mut Diagnostics) -> Option<Expectation> {
        if !value.is_null() {
            return self.check(value, Whole::Value, &[], sink).then(|| Expectation::Is(value.clone()));
        }
        if self.parameter.required {
            sink.push(codes::invalid_value(self.place(&[]), "a value, as the parameter is required", "nothing"));
            return None;
        }
        Some(Expectation::Absent)
    }

    pub(super) fn condition(&self, condition: &Map<String, Value>, sink: &mut Diagnostics) -> Option<Expectation> {
        let keys = ExpectedArgument::KEYS;
        let mut unknown = condition.keys().filter(|key| !keys.contains(&key.as_str())).peekable();
        if unknown.peek().is_some() {
            let known = keys.map(str::to_owned);
            for key in unknown {
                let path: Vec<&str> = self.path.iter().copied().chain([key.as_str()]).collect();
                sink.push(codes::unknown_key(self.checker.key(&path), key, &known, &|known| {
                    condition.contains_key(known)
                }));
            }
            return None;
        }
        let get = |key: &str| condition.get(key);
        match (get("one_of"), get("matches"), get("min"), get("max")) {
            (Some(Value::Array(values)), None, None, None) => {
                let fits = |(at, value): (usize, &Value)| {
                    self.check(value, Whole::Item, &["one_of", at.to_string().as_str()], sink)
                };
                // Every one is looked at, and told.
                let all_fit = values.iter().enumerate().map(fits).filter(|fits| !fits).count() == 0;
                all_fit.then(|| Expectation::OneOf(values.clone()))
            }
            (None, Some(Value::String(pattern)), None, None) => self.pattern(pattern, sink),
            (None, None, min, max) if min.is_some() || max.is_some() => self.bounds(min, max, sink),
            _ => {
                let expected = "a value, or one condition: `one_of`, `matches`, or `min` and `max`";
                let found = if condition.is_empty() { "an empty mapping" } else { "several" };
                sink.push(codes::invalid_value(self.place(&[]), expected, found));
                None
            }
        }
    }

    fn pattern(&self, pattern: &str, sink: &mut Diagnostics) -> Option<Expectation> {
        let place = self.place(&["matches"]);
        match Regex::new(pattern) {
            Err(error) => {
                // Its first line repeats the pattern.
                let why = error.to_string();
                let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
                let invalid =
                    codes::invalid_value(place, "a regular expression", &format!("`{}`", shown_name(pattern)));
                sink.push(invalid.note(why));
                None
            }
            Ok(regex) => {
                let allowed = self.parameter.constraints.allowed_values.as_deref();
                let fits = |value: &Value| value.as_str().is_none_or(|text| regex.is_match(text));
                if let Some(allowed) = allowed.filter(|allowed| !allowed.iter().any(fits)) {
                    let expected = "a pattern that matches an allowed value";
                    let invalid = codes::invalid_value(place, expected, &format!("`{}`", shown_name(pattern)));
                    sink.push(invalid.note(listed(allowed)));
                    return None;
                }
                Some(Expectation::Matches(regex))
            }
        }
    }

    fn bounds(&self, min: Option<&Value>, max: Option<&Value>, sink: &mut Diagnostics) -> Option<Expectation> {
        let ty = item(self.parameter.ty.as_ref());
        for (key, bound) in [("min", min), ("max", max)] {
            let Some(bound) = bound else { continue };
            if compare(ty, bound, bound, &self.coercion).is_none() {
                let expected = ty.map_or_else(|| "a number or a text".to_owned(), Type::expectation);
                sink.push(codes::invalid_value(self.place(&[key]), &expected, &shortened(bound)));
                return None;
            }
        }
        // The smallest that is expected and the largest that there can be, and the other way round.
        let constraints = &self.parameter.constraints;
        let pairs = [
            ("min", min, max, "at most the `max`"),
            ("min", min, constraints.maximum.as_ref(), "at most what the tool takes"),
        ];
        let most = max.into_iter().flat_map(|max| constraints.minimum.as_ref().map(|least| (least, max)));
        let above = pairs.into_iter().filter_map(|(key, low, high, words)| Some((key, low?, high?, words)));
        let below = most.map(|(least, max)| ("max", least, max, "at least what the tool takes"));
        for (key, low, high, words) in above.chain(below) {
            if compare(ty, low, high, &self.coercion) == Some(Ordering::Greater) {
                let (bound, other) = if key == "min" { (low, high) } else { (high, low) };
                let expected = format!("{words}, {}", shortened(other));
                sink.push(codes::invalid_value(self.place(&[key]), &expected, &shortened(bound)));
                return None;
            }
        }
        Some(Expectation::Within { min: min.cloned(), max: max.cloned() })
    }

    /// Whether the tool would take a value; that it would not is reported.
    fn check(&self, value: &Value, whole: Whole, below: &[&str], sink: &mut Diagnostics) -> bool {
        let Some(ty) = &self.parameter.ty else { return true };
        let is_item = whole == Whole::Item && matches!(ty, Type::List(_));
        let list = Value::Array(vec![value.clone()]);
        let sent = if is_item { &list } else { value };
        // Authors may write any form that is read.
        let lax = Coercion { strictness: Strictness::Lax, time_zone: self.coercion.time_zone.clone() };
        if let Err(mismatch) = ty.coerce(sent, &lax) {
            let expected =
                if is_item { item(Some(ty)).map_or(mismatch.expected, Type::expectation) } else { mismatch.expected };
            sink.push(codes::invalid_value(self.place(below), &expected, &mismatch.got));
            return false;
        }
        let own = &self.parameter.constraints;
        let items = Constraints { min_items: None, max_items: None, ..own.clone() };
        let Err(violation) = if is_item { &items } else { own }.check(ty, sent, &lax) else { return true };
        let found = shortened(violation.item.as_ref().unwrap_or(value));
        let mut invalid = codes::invalid_value(self.place(below), &violation.expected, &found);
        if !violation.allowed.is_empty() {
            invalid = invalid.note(listed(&violation.allowed));
        }
        sink.push(codes::did_you_mean(invalid, value.as_str(), violation.nearest.as_deref()));
        false
    }
}

/// Whether a value is all of an argument, or an item where the argument is a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Value,
    Item,
}

fn item(ty: Option<&Type>) -> Option<&Type> {
    match ty? {
        Type::List(item) => Some(item),
        ty => Some(ty),
    }
}

fn listed(allowed: &[Value]) -> String {
    let names: Vec<String> = allowed.iter().take(12).map(shortened).collect();
    let more = if allowed.len() > names.len() { ", …" } else { "" };
    format!("the tool takes {}{more}", names.join(", "))
}
