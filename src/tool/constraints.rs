//! Whether a value is among those that a parameter accepts. One check for all: defaults and allowed values at compile
//! time, arguments at run time, so that they cannot differ.

use super::Constraints;
use crate::in_words::in_words;
use crate::name::nearest;
use crate::project::flaw_of_regex;
use crate::ty::Type;
use crate::ty::coerce::{Coercion, Strictness, shortened};
use regex::{Regex, RegexBuilder};
use regex_syntax::hir::{Hir, HirKind, Look};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, Mutex, PoisonError};

/// How many compiled patterns are kept.
const MAX_COMPILED: usize = 1000;
/// The most that a compiled pattern may take, in bytes. Matching is linear in the text, whatever the pattern.
const MAX_PATTERN_SIZE: usize = 1 << 20;

/// The pattern of formats of times: a part of them stands for a part of the time.
pub const TIME_FORMAT: &str = "%.";

/// Why a value of the right type is not accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// What would have been accepted, e.g. `at least 0`.
    pub expected: String,
    /// The values that are accepted, where they are listed; the nearest to what was sent first.
    pub allowed: Vec<Value>,
    /// The allowed value that was probably meant.
    pub nearest: Option<String>,
    /// What is wrong in the value, where that is known.
    pub flaw: Option<String>,
    /// Where in a list, e.g. `[2]`; empty otherwise.
    pub path: String,
    /// The item of a list that is not accepted.
    pub item: Option<Value>,
}

/// The most allowed values that an error lists.
pub const MAX_TOLD: usize = 20;

impl Violation {
    fn new(expected: String) -> Violation {
        Violation { expected, allowed: Vec::new(), nearest: None, flaw: None, path: String::new(), item: None }
    }
}

impl Constraints {
    /// The same constraints with every value in the form that an agent sends: `[1, 2]` of a decimal as `["1", "2"]`. Of
    /// allowed values that are the same, the first is left.
    #[must_use]
    pub fn canonical(self, ty: &Type) -> Constraints {
        let item = match ty {
            Type::List(item) => item,
            ty => ty,
        };
        let one = |value: Option<Value>| value.map(|value| item.canonical(&value));
        let all = |values: Vec<Value>| item.distinct(values.iter().map(|value| item.canonical(value)).collect());
        Constraints {
            allowed_values: self.allowed_values.map(all),
            minimum: one(self.minimum),
            maximum: one(self.maximum),
            exclusive_minimum: one(self.exclusive_minimum),
            exclusive_maximum: one(self.exclusive_maximum),
            ..self
        }
    }

    /// Checks a value that [`Type::coerce`] accepts; of a list, its length and every item.
    pub fn check(&self, ty: &Type, value: &Value, coercion: &Coercion) -> Result<(), Violation> {
        let Type::List(item) = ty else {
            return self.check_one(ty, value, coercion, None);
        };
        let decoded = value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let items = decoded.as_ref().unwrap_or(value).as_array().map(Vec::as_slice).unwrap_or_default();
        if let Some(least) = self.min_items
            && (items.len() as u64) < least
        {
            return Err(Violation::new(format!("a list of at least {}", counted(least, "item"))));
        }
        if let Some(most) = self.max_items
            && items.len() as u64 > most
        {
            return Err(Violation::new(format!("a list of at most {}", counted(most, "item"))));
        }
        // Of many items and many values: an item that is written as a value needs no comparison.
        let many = self.allowed_values.as_ref().filter(|allowed| allowed.len() > 8 && items.len() > 8);
        let known: Option<HashSet<&Value>> = many.map(|allowed| allowed.iter().collect());
        for (at, one) in items.iter().enumerate() {
            self.check_one(item, one, coercion, known.as_ref()).map_err(|violation| Violation {
                path: format!("[{at}]"),
                item: Some(one.clone()),
                ..violation
            })?;
        }
        Ok(())
    }

    fn check_one(
        &self,
        ty: &Type,
        value: &Value,
        coercion: &Coercion,
        known: Option<&HashSet<&Value>>,
    ) -> Result<(), Violation> {
        if let Some(allowed) = &self.allowed_values
            && !known.is_some_and(|known| known.contains(value))
            && !allowed.iter().any(|one| is_same(ty, value, one, coercion))
            && !(self.any_unit && is_unit(value, allowed, coercion))
        {
            let expected = match allowed.len() {
                _ if self.any_unit => "a unit of time".to_owned(),
                // Not all of them are told.
                many if many > MAX_TOLD => format!("one of the {many} allowed values"),
                _ => "one of the allowed values".to_owned(),
            };
            return Err(not_allowed(expected, allowed, value));
        }
        type Bound<'a> = (&'a Option<Value>, &'static str, fn(Ordering) -> bool);
        let bounds: [Bound<'_>; 4] = [
            (&self.minimum, "at least", Ordering::is_ge),
            (&self.maximum, "at most", Ordering::is_le),
            (&self.exclusive_minimum, "more than", Ordering::is_gt),
            (&self.exclusive_maximum, "less than", Ordering::is_lt),
        ];
        // A bound counts in the digits that are published, not in those that a real keeps.
        let ty = if matches!(ty, Type::Real) { &Type::Double } else { ty };
        for (bound, words, holds) in bounds {
            if let Some(bound) = bound
                && !ty.compare(value, bound, coercion).is_some_and(holds)
            {
                return Err(Violation::new(format!("{words} {}", plain_value(bound))));
            }
        }
        if let Some(step) = &self.multiple_of
            && !ty.is_multiple(value, step, coercion)
        {
            return Err(Violation::new(format!("a multiple of {step}")));
        }
        self.check_text(value)
    }

    fn check_text(&self, value: &Value) -> Result<(), Violation> {
        let Some(text) = value.as_str() else {
            return Ok(());
        };
        if self.min_length.is_some() || self.max_length.is_some() {
            let length = text.chars().count() as u64;
            if let Some(least) = self.min_length.filter(|least| length < *least) {
                return Err(Violation::new(format!("a text of at least {}", counted(least, "character"))));
            }
            if let Some(most) = self.max_length.filter(|most| length > *most) {
                return Err(Violation::new(format!("a text of at most {}", counted(most, "character"))));
            }
        }
        if let Some(format) = self.format.filter(|format| !format.accepts(text)) {
            return Err(Violation { flaw: format.flaw(text), ..Violation::new(format.words().to_owned()) });
        }
        match &self.pattern {
            Some(pattern) if !compiled(pattern).is_ok_and(|regex| regex.is_match(text)) => {
                Err(Violation::new(match pattern.as_str() {
                    TIME_FORMAT => "a format with parts such as %Y-%m-%d %H:%M".to_owned(),
                    pattern => format!("a text that matches {pattern}"),
                }))
            }
            _ => Ok(()),
        }
    }
}

/// A pattern, compiled once for all calls.
fn compiled(pattern: &str) -> Result<Regex, InvalidPattern> {
    static COMPILED: LazyLock<Mutex<HashMap<String, Regex>>> = LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(regex) = compiled.get(pattern) {
        return Ok(regex.clone());
    }
    let regex = compile_pattern(pattern)?;
    // Those of projects that were replaced by a reload go at some time.
    if compiled.len() >= MAX_COMPILED {
        compiled.clear();
    }
    compiled.insert(pattern.to_owned(), regex.clone());
    Ok(regex)
}

in_words! {
    /// Why a pattern is none, on one line.
    pub struct InvalidPattern;
}

/// Compiles a pattern: Rust's regular expressions, no backtracking, bounded size.
///
/// Errors: it is none, or too large.
pub fn compile_pattern(pattern: &str) -> Result<Regex, InvalidPattern> {
    RegexBuilder::new(&as_published(pattern))
        .size_limit(MAX_PATTERN_SIZE)
        .build()
        .map_err(|error| flaw_of_regex(&error).into())
}

/// The fewest characters of a text that a pattern matches, and the most where it matches whole texts only.
pub fn characters(pattern: &str) -> Option<(u64, Option<u64>)> {
    let hir = regex_syntax::Parser::new().parse(&as_published(pattern)).ok()?;
    let properties = hir.properties();
    let is_whole =
        properties.look_set_prefix().contains(Look::Start) && properties.look_set_suffix().contains(Look::End);
    let (least, most) = lengths(&hir);
    Some((least, most.filter(|_| is_whole)))
}

fn lengths(hir: &Hir) -> (u64, Option<u64>) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => (0, Some(0)),
        HirKind::Literal(text) => {
            let count = String::from_utf8_lossy(&text.0).chars().count() as u64;
            (count, Some(count))
        }
        HirKind::Class(_) => (1, Some(1)),
        HirKind::Capture(inner) => lengths(&inner.sub),
        HirKind::Repetition(repeated) => {
            let (least, most) = lengths(&repeated.sub);
            let most = match (most, repeated.max) {
                (Some(0), _) => Some(0),
                (most, times) => most.zip(times).map(|(most, times)| most.saturating_mul(u64::from(times))),
            };
            (least.saturating_mul(u64::from(repeated.min)), most)
        }
        HirKind::Concat(parts) => parts.iter().map(lengths).fold((0, Some(0)), |(least, most), one| {
            let most = most.zip(one.1).map(|(most, one)| most.saturating_add(one));
            (least.saturating_add(one.0), most)
        }),
        HirKind::Alternation(parts) => {
            let all = parts.iter().map(lengths);
            let longest = |most: Option<u64>, one: (u64, Option<u64>)| most.zip(one.1).map(|(most, one)| most.max(one));
            let least = all.clone().map(|(least, _)| least).min().unwrap_or_default();
            (least, all.fold(Some(0), longest))
        }
    }
}

/// The pattern with classes as JSON Schema means them: `\d`, `\w` and `\b` speak of ASCII there (ECMA-262, 22.2), of all
/// scripts in Rust.
fn as_published(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('d') => out.push_str("[0-9]"),
            Some('D') => out.push_str("[^0-9]"),
            Some('w') => out.push_str("[0-9A-Za-z_]"),
            Some('W') => out.push_str("[^0-9A-Za-z_]"),
            Some('b') => out.push_str(r"(?-u:\b)"),
            other => {
                out.push(c);
                out.extend(other);
            }
        }
    }
    out
}

/// Whether a value is an allowed one: in strict mode literally, as the published `enum` has it.
fn is_same(ty: &Type, value: &Value, allowed: &Value, coercion: &Coercion) -> bool {
    if coercion.strictness == Strictness::Strict || *ty == Type::Json {
        return is_equal(value, allowed);
    }
    ty.compare(value, allowed, coercion) == Some(Ordering::Equal)
}

/// Whether a value names a unit of time in letters of another case: the engine takes it.
fn is_unit(value: &Value, units: &[Value], coercion: &Coercion) -> bool {
    let names =
        |one: &Value| one.as_str().zip(value.as_str()).is_some_and(|(one, text)| one.eq_ignore_ascii_case(text));
    coercion.strictness == Strictness::Lax && units.iter().any(names)
}

/// Equality as JSON Schema has it: 1.0 is 1, and the order of keys says nothing.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a == b || (a.is_f64() || b.is_f64()) && a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_equal(a, b)))
        }
        (a, b) => a == b,
    }
}

fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// What SQL lets stand behind a column that rows are sorted by.
const UPWARDS: &str = " asc";

/// Texts are told by their nearness to what was sent; numbers have an order of their own.
fn not_allowed(expected: String, allowed: &[Value], value: &Value) -> Violation {
    let sent = plain_value(value);
    if !allowed.iter().all(Value::is_string) {
        return Violation { allowed: near_number(&sent, allowed), ..Violation::new(expected) };
    }
    let names: Vec<String> = allowed.iter().map(plain_value).collect();
    // Upwards is what nobody says otherwise.
    let upwards =
        sent.to_lowercase().strip_suffix(UPWARDS).and_then(|column| names.iter().find(|name| *name == column));
    let near = upwards.cloned().or_else(|| nearest(&sent, names.iter().map(String::as_str)).map(str::to_owned));
    let mut sorted: Vec<(usize, &Value)> = allowed
        .iter()
        .zip(&names)
        .map(|(one, name)| (strsim::damerau_levenshtein(&name.to_lowercase(), &sent.to_lowercase()), one))
        .collect();
    sorted.sort_by_key(|(distance, _)| *distance);
    Violation {
        allowed: sorted.into_iter().map(|(_, one)| one.clone()).collect(),
        nearest: near,
        ..Violation::new(expected)
    }
}

/// Of more numbers than are told, the nearest to what was sent; else all of them, in their order.
fn near_number(sent: &str, allowed: &[Value]) -> Vec<Value> {
    let Some(sent) = sent.parse::<f64>().ok().filter(|_| allowed.len() > MAX_TOLD) else { return allowed.to_vec() };
    let distance = |at: &usize| allowed.get(*at).and_then(Value::as_f64).map_or(f64::MAX, |one| (one - sent).abs());
    let mut places: Vec<usize> = (0..allowed.len()).collect();
    places.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    places.truncate(MAX_TOLD);
    places.iter().filter_map(|at| allowed.get(*at)).cloned().collect()
}

/// Edit distance costs the product of the lengths: a long value is compared by its beginning.
fn clipped(text: &str) -> String {
    text.chars().take(100).collect()
}

/// A value as words show it: texts without quotes.
pub fn plain_value(value: &Value) -> String {
    match value {
        Value::String(text) => clipped(text),
        other => shortened(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::coerce::{Strictness, TimeZoneName};
    use serde_json::json;

    fn refusal(constraints: &Constraints, ty: &Type, value: Value) -> Violation {
        let coercion = Coercion { strictness: Strictness::Lax, time_zone: TimeZoneName::default() };
        constraints.check(ty, &value, &coercion).unwrap_err()
    }

    #[test]
    fn a_value_that_is_not_listed_is_told_by_what_the_list_is() {
        let listed = Constraints { allowed_values: Some(vec![json!("day"), json!("month")]), ..Constraints::default() };
        let units = Constraints { any_unit: true, ..listed.clone() };
        assert_eq!(refusal(&listed, &Type::Text, json!("moon")).expected, "one of the allowed values");
        let refused = refusal(&units, &Type::Text, json!("moth"));
        assert_eq!(refused.expected, "a unit of time");
        assert_eq!(refused.nearest.as_deref(), Some("month"));
        assert_eq!(refused.allowed, [json!("month"), json!("day")]);
    }

    #[test]
    fn an_item_that_is_refused_is_told_with_its_place() {
        let least = Constraints { minimum: Some(json!(1)), ..Constraints::default() };
        let refused = refusal(&least, &Type::List(Box::new(Type::Int)), json!([1, 0]));
        assert_eq!((refused.path.as_str(), refused.item), ("[1]", Some(json!(0))));
        assert_eq!(refused.expected, "at least 1");
    }
}
