//! Values in the form that they have in other systems: a size without its unit, a list of what has names, a comma in a
//! text between braces. Each with the edit that makes it ours.

use super::Document;
use super::node::join;
use crate::diagnostic::Diagnostic;
use crate::name::{is_legal, snake_case};
use crate::source::Span;
use crate::ty::foreign_numbers::meant_numbers;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Units as they are written elsewhere, in lower case, and here.
const SIZES: [(&str, &str); 14] = [
    ("b", "B"),
    ("byte", "B"),
    ("bytes", "B"),
    ("k", "KiB"),
    ("ki", "KiB"),
    ("kb", "kB"),
    ("kib", "KiB"),
    ("m", "MiB"),
    ("mi", "MiB"),
    ("mb", "MB"),
    ("mib", "MiB"),
    ("g", "GiB"),
    ("gb", "GB"),
    ("gib", "GiB"),
];
const TIMES: [(&str, &str); 14] = [
    ("", "s"),
    ("ms", "ms"),
    ("s", "s"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("m", "m"),
    ("min", "m"),
    ("mins", "m"),
    ("minute", "m"),
    ("minutes", "m"),
    ("h", "h"),
    ("hours", "h"),
];

/// What is told of a list of what has names.
const BY_NAME: &str = "each stands under its name: `name: { … }`";

impl Document {
    /// Suggests the form of qtool for a value that has that of another system.
    pub(super) fn with_our_form(
        &self,
        diagnostic: &Diagnostic,
        error: &jsonschema::ValidationError<'_>,
        schema: &Value,
    ) -> Option<Diagnostic> {
        let (parent, _) = error.schema_path().as_str().rsplit_once('/')?;
        let schema = schema.pointer(parent)?;
        let pointer = error.instance_path().as_str();
        if schema.get("pattern").is_some() {
            return self.with_unit(diagnostic.clone(), pointer, error.instance(), schema);
        }
        let is_mapping = matches!(error.kind(), ValidationErrorKind::Type { kind: TypeKind::Single(kind) } if kind.to_string() == "object");
        let items = error.instance().as_array().filter(|_| is_mapping)?;
        schema.get("additionalProperties")?.as_object()?;
        let edits = self.by_name(pointer, items).filter(|edits| !edits.is_empty());
        Some(match edits {
            Some(edits) => diagnostic.clone().fixes(BY_NAME, edits),
            None => diagnostic.clone().help(BY_NAME),
        })
    }

    /// Suggests the unit of a size or a length of time.
    fn with_unit(&self, diagnostic: Diagnostic, pointer: &str, value: &Value, schema: &Value) -> Option<Diagnostic> {
        let expected = schema.get(super::EXPECTED)?.as_str()?;
        let (what, units) = if expected.starts_with("a size") {
            ("a size has a unit: `B`, `kB`, `KiB`, `MB`, `MiB`, `GB` or `GiB`", SIZES)
        } else if expected.starts_with("a length of time") {
            ("a length of time has a unit: `ms`, `s`, `m` or `h`", TIMES)
        } else {
            return None;
        };
        let written = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return Some(diagnostic.help(what)),
        };
        let cut = written.find(|c: char| !c.is_ascii_digit()).unwrap_or(written.len());
        let (amount, unit) = written.split_at_checked(cut)?;
        let is_amount = (1..=9).contains(&amount.len()) && !amount.starts_with('0');
        let unit = unit.trim().to_lowercase();
        let place = self.entry_at(pointer).value;
        match units.iter().find(|(theirs, _)| *theirs == unit) {
            Some((_, ours)) if is_amount => Some(diagnostic.fix(what, place, format!("{amount}{ours}"))),
            // Not its unit is wrong.
            Some(_) if !amount.is_empty() => None,
            _ => Some(diagnostic.help(what)),
        }
    }

    /// The edits that put the items of a list under their names; `None` where one has none.
    fn by_name(&self, pointer: &str, items: &[Value]) -> Option<Vec<(Span, String)>> {
        let key = self.entries.get(pointer)?.key?;
        let text = self.text(key)?;
        let mut names = BTreeSet::new();
        let edit = |(at, item): (usize, &Value)| {
            let item_pointer = join(pointer, &at.to_string());
            let (name, span, replacement) = match item {
                Value::Object(map) => self.named_mapping(&item_pointer, map)?,
                Value::String(item) => self.named_text(pointer, &item_pointer, item)?,
                _ => return None,
            };
            let is_below = column(text, span.start)? > column(text, key.start)?;
            (is_below && names.insert(name)).then_some((span, replacement))
        };
        items.iter().enumerate().map(edit).collect()
    }

    /// An item `- name: status` with what it is replaced by, and its name.
    fn named_mapping(&self, pointer: &str, map: &Map<String, Value>) -> Option<(String, Span, String)> {
        let name = map.get("name")?.as_str().filter(|name| is_word(name))?;
        let entry = self.entries.get(&join(pointer, "name"))?;
        let (key, value) = (entry.key?, entry.value);
        let text = self.text(key)?;
        let hyphen = text.get(..key.start)?.rfind('-')?;
        let rest = text.get(value.end..)?;
        let (end, replacement) = match (text.get(hyphen + 1..key.start)?.trim(), rest.trim_start().strip_prefix(',')) {
            ("", _) if map.len() == 1 => (value.end, format!("{name}: {{}}")),
            ("", _) => (value.end, format!("{name}:")),
            ("{", Some(left)) => (text.len() - left.trim_start().len(), format!("{name}: {{ ")),
            ("{", None) if rest.trim_start().starts_with('}') => (value.end, format!("{name}: {{")),
            _ => return None,
        };
        Some((name.to_owned(), Span { start: hyphen, end, ..key }, replacement))
    }

    /// An item `- status` or `- data/orders.csv` likewise.
    fn named_text(&self, list: &str, pointer: &str, item: &str) -> Option<(String, Span, String)> {
        let value = self.entries.get(pointer)?.value;
        let hyphen = self.text(value)?.get(..value.start)?.trim_end().strip_suffix('-')?.len();
        let span = Span { start: hyphen, ..value };
        let is_table = list == "/tables";
        if !is_table && is_word(item) {
            return Some((item.to_owned(), span, format!("{item}: {{}}")));
        }
        let file = item.rsplit('/').next()?;
        let name = snake_case(file.split('.').next()?);
        let is_path = is_table && file.contains('.') && is_legal(&name);
        let is_plain = !item.contains([',', '{', '}', '[', ']', '#', ':', '\'', '"', '\n']);
        (is_path && is_plain).then(|| (name.clone(), span, format!("{name}: {{ path: {item} }}")))
    }

    /// With the edit for a text which a comma has cut, so that what stands behind it is read as a key: its quotes, or the
    /// number that it means.
    pub(super) fn with_comma(&self, diagnostic: Diagnostic, pointer: &str) -> Diagnostic {
        let Some((span, written)) = self.cut_by_comma(pointer) else { return diagnostic };
        let diagnostic = diagnostic.without_helps().note("between braces a comma ends a value");
        let numbers = meant_numbers(&written);
        if !numbers.is_empty() {
            let with_number = |told: Diagnostic, (help, number): (String, String)| told.fix(help, span, number);
            return numbers.into_iter().fold(diagnostic, with_number);
        }
        let quoted = format!("'{}'", written.replace('\'', "''"));
        diagnostic.fix("a text with such signs stands in quotes", span, quoted)
    }

    /// The whole text that a comma has cut before a key without a value.
    fn cut_by_comma(&self, pointer: &str) -> Option<(Span, String)> {
        let (parent, _) = pointer.rsplit_once('/').filter(|_| self.unwritten.contains(pointer))?;
        let map = self.value.pointer(parent)?.as_object()?;
        let pointers: Vec<String> = map.keys().map(|key| join(parent, key)).collect();
        let at = pointers.iter().position(|one| one == pointer)?;
        let before = pointers.get(at.checked_sub(1)?)?;
        let is_plain = self.value.pointer(before).is_some_and(|value| !value.is_object() && !value.is_array());
        let start = self.entries.get(before).filter(|_| is_plain && !self.unwritten.contains(before))?.value;
        let text = self.text(start)?;
        let mut end = start.end;
        for next in pointers.iter().skip(at).take_while(|next| self.unwritten.contains(*next)) {
            let key = self.entries.get(next)?.key?;
            // What has a colon is a key, with nothing behind it.
            let is_key = text.get(key.end..)?.trim_start().starts_with(':');
            if is_key || text.get(end..key.start)?.trim() != "," {
                break;
            }
            end = key.end;
        }
        let written = text.get(start.start..end)?;
        let is_bare = end > start.end && !written.starts_with(['"', '\'']) && !written.contains('\n');
        is_bare.then(|| (Span { end, ..start }, written.to_owned()))
    }
}

/// Whether a text can be a key as it is.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// How far behind the beginning of its line a place is.
fn column(text: &str, at: usize) -> Option<usize> {
    let before = text.get(..at)?;
    Some(before.len() - before.rfind('\n').map_or(0, |end| end + 1))
}
