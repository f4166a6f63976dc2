//! Keys without a value, and the edits that make something of them.

use super::Document;
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use serde_json::Value;

/// What is done where nothing is meant.
pub(super) const REMOVE: &str = "remove the key where nothing is meant";

/// What a key without a value may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Nothing: it can be left out.
    Nothing,
    /// It cannot be left out.
    Needed,
    /// A null that was not written.
    Null,
}

/// Whether a value is an empty list, text or mapping.
pub(super) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

impl Document {
    /// Whether a key may not be left out, of which a complaint came from a schema.
    pub(super) fn is_needed(&self, schema: &Value, pointer: &str, schema_path: &str) -> bool {
        if self.kept(schema, schema_path).is_some() {
            return true;
        }
        let (above, name) = pointer.rsplit_once('/').unwrap_or(("", pointer));
        // The last key of a mapping that is never empty.
        let of_all = schema_path.rfind("/additionalProperties/").and_then(|at| schema.pointer(schema_path.get(..at)?));
        if of_all.is_some_and(|parent| parent.get("minProperties").is_some()) {
            return true;
        }
        let Some(at) = schema_path.rfind(&format!("/properties/{name}/")) else { return false };
        let parent = schema_path.get(..at).and_then(|parent| schema.pointer(parent));
        // The only item of a list, perhaps, of which nothing is left without it.
        let own = parent.and_then(|parent| parent.get("properties")?.get(name));
        if own.is_some_and(|own| own.get(super::KEEP).is_some()) {
            return true;
        }
        let is_only = self.value.pointer(above).and_then(Value::as_object).is_some_and(|map| map.len() == 1);
        if is_only && parent.is_some_and(|parent| parent.get("minProperties").is_some()) {
            return true;
        }
        let required = parent.and_then(|parent| parent.get("required")?.as_array());
        required.is_some_and(|names| names.iter().any(|one| one == name))
    }

    /// Says that nothing stands at a pointer. `expected` is what should.
    pub(super) fn unfilled(&self, pointer: &str, expected: &str, meaning: Meaning) -> Diagnostic {
        let entry = self.entry_at(pointer);
        // An item of a list has no key, but a hyphen, or nothing at all.
        let item = self.hyphen(entry.value).unwrap_or(entry.value);
        let place = entry.key.unwrap_or(item);
        let diagnostic = codes::empty_value(place, expected);
        let rest = entry.key.map_or(Some(item.after()), |key| self.behind(key));
        let Some(rest) = rest else { return diagnostic };
        match meaning {
            Meaning::Needed => diagnostic,
            Meaning::Null => diagnostic.fix("write `null` where that is meant", rest, " null"),
            Meaning::Nothing => match self.removal(pointer, place, rest) {
                Some((span, text)) => diagnostic.fix(REMOVE, span, text),
                None => diagnostic,
            },
        }
    }

    /// The edit that removes a setting that is an empty list, text or mapping, or the only item of a list and such a one.
    /// `is_needed` says whether a key must be there.
    pub(super) fn emptied(
        &self,
        pointer: &str,
        value: &Value,
        is_needed: &dyn Fn(&str) -> bool,
    ) -> Option<(Span, String)> {
        let is_empty = is_nothing(value);
        let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        let of_list = self.value.pointer(parent).and_then(Value::as_array);
        let pointer = match of_list {
            Some(items) if items.len() == 1 => parent,
            Some(_) => return None,
            None => pointer,
        };
        let entry = self.entries.get(pointer).filter(|_| is_empty && !is_needed(pointer))?;
        let key = entry.key?;
        let closed = ['"', '\'', ']', '}'].iter().any(|end| {
            self.text(key).is_some_and(|text| {
                text.get(entry.value.start..entry.value.end)
                    .is_some_and(|value| value.len() > 1 && value.ends_with(*end))
            })
        });
        let rest = Span { start: key.end, ..entry.value };
        if closed { self.removal(pointer, key, rest) } else { None }
    }

    /// The place behind a key and its colon, up to the end of a null that is written there.
    fn behind(&self, key: Span) -> Option<Span> {
        let behind = self.text(key)?.get(key.end..)?;
        // A key in quotes may end before them.
        let colon = behind.find(':')? + 1;
        let text = behind.get(colon..)?;
        let value = text.trim_start_matches([' ', '\t']);
        let null = ["null", "Null", "NULL", "~"].iter().find(|null| value.starts_with(**null));
        let start = key.end + colon;
        let end = null.map_or(start, |null| start + text.len() - value.len() + null.len());
        Some(Span { start, end, ..key })
    }

    /// The hyphen of an item of a list, behind which nothing but a comment stands.
    fn hyphen(&self, value: Span) -> Option<Span> {
        let before = self.text(value)?.get(..value.start)?.trim_end();
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let bare = before.get(line..)?.split(" #").next()?.trim_end();
        let end = line + bare.len();
        bare.ends_with('-').then(|| Span { start: end - 1, end, ..value })
    }

    /// What removes a key: its line, or its part of a flow mapping. Where it is the only one, an empty mapping is left.
    pub(super) fn removal(&self, pointer: &str, key: Span, rest: Span) -> Option<(Span, String)> {
        let (parent, _) = pointer.rsplit_once('/')?;
        let siblings = self.value.pointer(parent)?.as_object()?.len();
        let text = self.text(key)?;
        let (before, behind) = (text.get(..key.start)?, text.get(rest.end..)?);
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let line_end = behind.find('\n').map_or(behind.len(), |at| at + 1);
        let left = behind.get(..line_end)?.trim_start();
        if before.get(line..)?.trim().is_empty() && (left.is_empty() || left.starts_with('#')) {
            let end = rest.end + line_end;
            let above = self.entry_at(parent).key.filter(|_| siblings == 1 && !parent.is_empty());
            return match above {
                Some(above) => Some((Span { start: self.behind(above)?.start, end, ..key }, " {}\n".to_owned())),
                None => Some((Span { start: line, end, ..key }, String::new())),
            };
        }
        let comma = behind.trim_start().strip_prefix(',').map(str::trim_start);
        let ends = ["}", "---*/"].iter().any(|end| behind.trim_start().starts_with(end));
        let end = comma.map_or(rest.end, |left| text.len() - left.len());
        (comma.is_some() || ends).then_some((Span { end, ..key }, String::new()))
    }

    /// The text of the file that a place lies in.
    pub(super) fn text(&self, place: Span) -> Option<&str> {
        self.texts.iter().find(|(file, _)| *file == place.file).map(|(_, text)| text.as_ref())
    }
}
