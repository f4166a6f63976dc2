//! What is nearly of the right form, and the edit that makes it so.

use super::Document;
use crate::diagnostic::{Diagnostic, codes};
use crate::name::nearest;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The key of a schema with the words that a text may begin with, each before a dot.
const WORDS: &str = "x-words";
/// The largest number up to which every whole one is a float.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// More numbers are not tried.
const MOST: usize = 100;

impl Document {
    /// Suggests the form that was meant, where a value has nearly it.
    pub(super) fn with_form(
        &self,
        diagnostic: Diagnostic,
        error: &jsonschema::ValidationError<'_>,
        schema: &Value,
    ) -> Diagnostic {
        let pointer = error.instance_path().as_str();
        let place = self.entry_at(pointer).value;
        if let Some(diagnostic) = self.with_quotes(&diagnostic, error) {
            return diagnostic;
        }
        if let Some(diagnostic) = self.with_our_form(&diagnostic, error, schema) {
            return diagnostic;
        }
        let Some(text) = error.instance().as_str() else { return diagnostic };
        let written = self.text(place).and_then(|all| all.get(place.start..place.end)).unwrap_or_default();
        match error.kind() {
            ValidationErrorKind::Type { kind: TypeKind::Single(kind) } => match kind.to_string().as_str() {
                "object" if is_source(pointer) => codes::source_of_text(diagnostic, place, written),
                "object" if is_table_of_files(pointer, text) => codes::table_of_text(diagnostic, place, written),
                "object" if is_table(pointer) => codes::of_database(diagnostic, text),
                "object" if is_parameter(pointer) && !written.contains('\n') => {
                    codes::parameter_of_text(diagnostic, place, written)
                }
                "boolean" if ["true", "false"].contains(&text.to_lowercase().as_str()) => {
                    diagnostic.fix("write it without quotes", place, text.to_lowercase())
                }
                "integer" if text.len() < 16 && text.parse::<u64>().is_ok_and(|number| number.to_string() == text) => {
                    diagnostic.fix("write it without quotes", place, text)
                }
                "array" => {
                    let is_one = !text.is_empty() && !text.contains([',', '[', ']', '{', '}', '\n', '#', ' ', ':']);
                    let help = "a list stands in square brackets";
                    if is_one { diagnostic.fix(help, place, format!("[{written}]")) } else { diagnostic.help(help) }
                }
                _ => diagnostic,
            },
            ValidationErrorKind::Pattern { .. } => {
                let parent = error.schema_path().as_str().rsplit_once('/').map_or("", |(parent, _)| parent);
                let words = schema.pointer(parent).and_then(|schema| schema.get(WORDS)?.as_array());
                let words = || words.into_iter().flatten().filter_map(Value::as_str);
                let Some((word, rest)) = text.split_once('.') else { return diagnostic };
                let near = nearest(word, words()).filter(|near| *near != word).map(|near| format!("{near}.{rest}"));
                codes::meant(diagnostic, text, near.as_deref())
            }
            _ => diagnostic,
        }
    }

    /// Suggests quotes, where a text in square brackets was read as a list.
    fn with_quotes(&self, diagnostic: &Diagnostic, error: &jsonschema::ValidationError<'_>) -> Option<Diagnostic> {
        let is_text = matches!(error.kind(), ValidationErrorKind::Type { kind: TypeKind::Single(kind) } if kind.to_string() == "string");
        let place = self.entry_at(error.instance_path().as_str()).value;
        let text = self.text(place)?;
        let written = text.get(place.start..place.end)?;
        // No tag stands before it.
        let is_bare = text.get(..place.start)?.trim_end().ends_with(':');
        let is_list = is_bare && error.instance().is_array() && written.starts_with('[') && written.ends_with(']');
        let is_line = !written.contains('\n');
        (is_text && is_list && is_line).then(|| codes::quoted_text(diagnostic.clone(), place, written))
    }

    /// Why what is written here without a value, or as an empty one, is not to be left out.
    pub(super) fn kept<'s>(&self, schema: &'s Value, schema_path: &str) -> Option<&'s str> {
        let (parent, _) = schema_path.rsplit_once('/')?;
        schema.pointer(parent)?.get(super::KEEP)?.as_str()
    }

    /// The whole numbers that are written as fractions (`1e3`, `5.0`) where that is why this is no `T`. JSON Schema takes
    /// them for whole ones.
    pub(super) fn as_fractions<T: DeserializeOwned>(&self) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        fractions(&self.value, String::new(), &mut all);
        all.truncate(MOST);
        let is_read_without = |left: Option<&str>| {
            let mut value = self.value.clone();
            for (pointer, whole) in all.iter().filter(|(pointer, _)| Some(pointer.as_str()) != left) {
                value.pointer_mut(pointer).into_iter().for_each(|number| *number = Value::from(*whole));
            }
            serde_json::from_value::<T>(value).is_ok()
        };
        if all.is_empty() || !is_read_without(None) {
            return Vec::new();
        }
        let blamed = all.iter().filter(|(pointer, _)| !is_read_without(Some(pointer)));
        let told =
            |(pointer, whole): &(String, i64)| {
                let place = self.entry_at(pointer).value;
                let written = self.text(place).and_then(|all| all.get(place.start..place.end)).unwrap_or_default();
                codes::invalid_value(place, "a whole number without a point or an exponent", &format!("`{written}`"))
                    .fix(format!("write `{whole}`"), place, whole.to_string())
            };
        blamed.map(told).collect()
    }
}

/// Whether a path is that of a table in qtool.yaml.
fn is_table(pointer: &str) -> bool {
    pointer.strip_prefix("/tables/").is_some_and(|name| !name.contains('/'))
}

/// Whether a path is that of a table, and a text there that of its files.
fn is_table_of_files(pointer: &str, text: &str) -> bool {
    is_table(pointer) && text.contains(['.', '/', '*']) && !text.contains(':') && !codes::is_sqlite(text)
}

/// Whether a path is that of a database in qtool.yaml.
fn is_source(pointer: &str) -> bool {
    pointer.strip_prefix("/sources/").is_some_and(|name| !name.contains('/'))
}

/// Whether a path is that of a parameter, in a header or in a group of qtool.yaml.
fn is_parameter(pointer: &str) -> bool {
    let keys: Vec<&str> = pointer.split('/').collect();
    matches!(keys.as_slice(), ["", "params", _] | ["", "param_groups", _, _])
}

/// The whole numbers of a value that are written as fractions, by their pointers.
fn fractions(value: &Value, pointer: String, found: &mut Vec<(String, i64)>) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < EXACT);
            found.extend(whole.map(|whole| (pointer, whole as i64)));
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(at, item)| fractions(item, super::join(&pointer, &at.to_string()), found));
        }
        Value::Object(map) => map.iter().for_each(|(key, item)| fractions(item, super::join(&pointer, key), found)),
        _ => {}
    }
}
