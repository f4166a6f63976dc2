//! YAML with the place of every key and value.
//!
//! A document is read once into a [`serde_json::Value`] plus an index of spans. The typed structs of the formats
//! (`qtool.yaml`, the header) derive both `Deserialize` and `JsonSchema`; [`Document::read`] checks the value against the
//! generated schema first, so that every mistake is reported at its place and what editors are told is what is enforced.

mod edits;
mod empty;
mod expected;
mod forms;
mod meant;
mod node;
mod plain;
mod removal;
mod shape;

pub use expected::EXPECTED;
pub use node::Entry;
pub use shape::{Shape, schema_text};

use expected::{collect_expectations, describe, known_keys};
use node::{Index, Node, join, pointer};

use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::source::{FileId, SourceFile, Span};
use jsonschema::error::ValidationErrorKind;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What is wrong with a key that the mapping has already.
const TWICE: &str = "a key is written twice";

/// The key of a schema under which a format says what is to be done where nothing is written: what protects something is
/// not to be left out.
const KEEP: &str = "x-keep";

/// A YAML text: its value and where each part of it stands.
#[derive(Debug, Clone)]
pub struct Document {
    /// The value as JSON; keys in the order they were written.
    pub value: Value,
    entries: HashMap<String, Entry>,
    /// Where nothing stands: `timeout:` and no value behind it. `null` is something.
    unwritten: BTreeSet<String>,
    /// The texts that it was read from.
    texts: Vec<(FileId, Arc<str>)>,
    whole: Span,
}

impl Document {
    /// A document that says nothing, at a place.
    pub fn empty(place: Span) -> Document {
        let value = Value::Object(serde_json::Map::new());
        Document { value, entries: HashMap::new(), unwritten: BTreeSet::new(), texts: Vec::new(), whole: place }
    }

    /// Parses the bytes `span` of a file as one YAML document. An empty text is an empty mapping.
    pub fn parse(file: &SourceFile, span: Span, sink: &mut Diagnostics) -> Option<Document> {
        let text = file.slice(span);
        let (mut entries, mut unwritten) = (HashMap::new(), BTreeSet::new());
        if text.trim().is_empty() {
            return Some(Document { whole: span, ..Document::empty(span) });
        }
        match serde_yaml::from_str_with_options::<serde_yaml::Spanned<Node>>(text, options()) {
            Ok(root) => {
                let (entries_ref, unwritten_ref) = (&mut entries, &mut unwritten);
                let mut index = Index {
                    file,
                    base: span.start,
                    entries: entries_ref,
                    unwritten: unwritten_ref,
                    twice: None,
                    last: span.start,
                };
                let mut value = index.convert(root, "", None);
                if let Some(key) = index.twice {
                    sink.push(codes::invalid_yaml(key, TWICE));
                    return None;
                }
                // Comments alone say nothing.
                if unwritten.remove("") {
                    value = Value::Object(serde_json::Map::new());
                }
                let texts = vec![(file.id, Arc::clone(&file.text))];
                Some(Document { value, entries, unwritten, texts, whole: span })
            }
            Err(error) => {
                sink.push(plain::unreadable_text(file, span, &error));
                None
            }
        }
    }

    /// Reads the value as `T`. Every place where it does not have `T`'s shape is reported; `None` if there was any.
    pub fn read<T: DeserializeOwned>(&self, shape: &Shape, sink: &mut Diagnostics) -> Option<T> {
        self.read_with(shape, sink, &|_, _| {})
    }

    /// The same where a format asks for more than its shape says: `more` reports that.
    pub fn read_with<T: DeserializeOwned>(
        &self,
        shape: &Shape,
        sink: &mut Diagnostics,
        more: &dyn Fn(&Document, &mut Diagnostics),
    ) -> Option<T> {
        let errors = sink.errors();
        self.check(shape, sink);
        more(self, sink);
        if sink.errors() > errors {
            return None;
        }
        match serde_json::from_value(self.value.clone()) {
            Ok(value) => Some(value),
            Err(error) => {
                let told = self.as_fractions::<T>();
                if told.is_empty() {
                    sink.push(codes::invalid_value(self.whole.before(), &error.to_string(), ""));
                }
                told.into_iter().for_each(|diagnostic| sink.push(diagnostic));
                None
            }
        }
    }

    /// Reports every place where the value does not have a shape.
    fn check(&self, shape: &Shape, sink: &mut Diagnostics) {
        let mut reported = BTreeSet::new();
        for error in shape.errors(&self.value) {
            if error.instance().is_null() {
                reported.insert(error.instance_path().as_str().to_owned());
            }
            self.report(&error, shape.schema(), sink);
        }
        // Where any value will do, none was written all the same.
        for pointer in self.unwritten.iter().filter(|pointer| !reported.contains(*pointer)) {
            if self.value.pointer(pointer).is_some_and(Value::is_null) {
                let diagnostic = self.unfilled(pointer, "a value", empty::Meaning::Null);
                sink.push(self.with_comma(diagnostic, pointer));
            }
        }
    }

    /// This document with all that another says laid over it: mappings are merged key by key, anything else is replaced.
    pub fn overlaid(mut self, over: Document) -> Document {
        merge(&mut self.value, over.value);
        self.unwritten.extend(over.unwritten);
        self.texts.extend(over.texts);
        let is_whole = !self.value.is_object();
        for (pointer, entry) in over.entries {
            if is_whole || !pointer.is_empty() {
                self.entries.insert(pointer, entry);
            }
        }
        self
    }

    /// Reports what is left without a value here, and has one in the document that is laid over this one.
    pub fn refuse_covered(&self, over: &Document, sink: &mut Diagnostics) {
        for pointer in self.unwritten.iter().filter(|pointer| over.value.pointer(pointer).is_some()) {
            sink.push(self.unfilled(pointer, "a value", empty::Meaning::Nothing));
        }
    }

    /// Takes in what another document says at a path, with its places. What is there already is replaced.
    pub fn adopt(&mut self, path: &[&str], other: &Document, at: &[&str]) {
        let [parents @ .., last] = path else { return };
        let (to, from) = (pointer(path), pointer(at));
        let Some(value) = other.value.pointer(&from) else { return };
        let mut place = &mut self.value;
        let mut way = String::new();
        for parent in parents {
            let Some(map) = place.as_object_mut() else { return };
            place = map.entry(*parent).or_insert_with(|| Value::Object(serde_json::Map::new()));
            way = join(&way, parent);
            self.entries.entry(way.clone()).or_insert_with(|| other.entry_at(&from));
        }
        if let Some(map) = place.as_object_mut() {
            map.insert((*last).to_owned(), value.clone());
        }
        for (pointer, entry) in &other.entries {
            if let Some(below) = pointer.strip_prefix(&from).filter(|below| below.is_empty() || below.starts_with('/'))
            {
                self.entries.insert(format!("{to}{below}"), *entry);
            }
        }
    }

    fn report(&self, error: &jsonschema::ValidationError<'_>, schema: &Value, sink: &mut Diagnostics) {
        let pointer = error.instance_path().as_str().to_owned();
        let entry = self.entry_at(&pointer);
        if error.instance().is_null() && !pointer.is_empty() {
            let expected = self.expected(error, schema);
            let meaning = match self.is_needed(schema, &pointer, error.schema_path().as_str()) {
                true => empty::Meaning::Needed,
                false => empty::Meaning::Nothing,
            };
            let kept = self.kept(schema, error.schema_path().as_str());
            let diagnostic = self.with_comma(self.unfilled(&pointer, &expected, meaning), &pointer);
            sink.push(kept.into_iter().fold(diagnostic, Diagnostic::help));
            return;
        }
        match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                let known = known_keys(schema, error.schema_path().as_str());
                for key in unexpected {
                    let span = self.entry_at(&join(&pointer, key)).key.unwrap_or(entry.value);
                    let set = |known: &str| error.instance().get(known).is_some();
                    let diagnostic = codes::unknown_key(span, key, &known, &set);
                    sink.push(self.with_comma(diagnostic, &join(&pointer, key)));
                }
            }
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                let span = entry.key.unwrap_or(entry.value.before());
                sink.push(codes::missing_key(span, name));
            }
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                // Report what the nearest alternative says: the one whose complaint lies deepest.
                let deepest = context
                    .iter()
                    .filter_map(|alternative| alternative.first())
                    .max_by_key(|inner| inner.instance_path().as_str().len());
                match deepest {
                    Some(inner) if inner.instance_path().as_str().len() > pointer.len() => {
                        self.report(inner, schema, sink);
                    }
                    _ if self.report_mapping(error, schema, sink) => {}
                    _ => {
                        let expected = self.expected(error, schema);
                        let found = describe(error.instance());
                        sink.push(codes::invalid_value(entry.value, &expected, &found));
                    }
                }
            }
            _ => {
                let found = describe(error.instance());
                let diagnostic = codes::invalid_value(entry.value, &self.expected(error, schema), &found);
                let schema_path = error.schema_path().as_str();
                let is_needed = |pointer: &str| self.is_needed(schema, pointer, schema_path);
                let kept = self.kept(schema, schema_path).filter(|_| empty::is_nothing(error.instance()));
                sink.push(match self.emptied(&pointer, error.instance(), &is_needed) {
                    Some((span, text)) => diagnostic.fix(empty::REMOVE, span, text),
                    None => kept.into_iter().fold(self.with_form(diagnostic, error, schema), Diagnostic::help),
                });
            }
        }
    }

    /// Says what is wrong with the keys of a mapping where only one alternative is a mapping. Whether it is so.
    fn report_mapping(&self, error: &jsonschema::ValidationError<'_>, schema: &Value, sink: &mut Diagnostics) -> bool {
        let (ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) = error.kind()
        else {
            return false;
        };
        let is_of_keys = |inner: &jsonschema::ValidationError<'_>| {
            matches!(
                inner.kind(),
                ValidationErrorKind::AdditionalProperties { .. } | ValidationErrorKind::Required { .. }
            )
        };
        let mut mappings = context.iter().filter(|all| !all.is_empty() && all.iter().all(is_of_keys));
        let (Some(only), None) = (mappings.next(), mappings.next()) else { return false };
        if error.instance().is_object() {
            only.iter().for_each(|inner| self.report(inner, schema, sink));
        }
        error.instance().is_object()
    }

    /// What would have been accepted, in words: the format's own, else those of each alternative.
    fn expected(&self, error: &jsonschema::ValidationError<'_>, schema: &Value) -> String {
        let mut alternatives = Vec::new();
        collect_expectations(error, schema, &mut alternatives);
        alternatives.retain(|one| one != "null");
        alternatives.dedup();
        alternatives.join(" or ")
    }

    /// The places of the entry at a path of keys; that of the nearest parent where it is not written.
    pub fn entry(&self, path: &[&str]) -> Entry {
        let pointer = path.iter().fold(String::new(), |pointer, key| join(&pointer, key));
        self.entry_at(&pointer)
    }

    /// Whether something is written at a path of keys.
    pub fn has(&self, path: &[&str]) -> bool {
        let pointer = path.iter().fold(String::new(), |pointer, key| join(&pointer, key));
        self.entries.contains_key(&pointer)
    }

    /// Where the key at a path stands (its value, where it has none).
    pub fn key_span(&self, path: &[&str]) -> Span {
        let entry = self.entry(path);
        entry.key.unwrap_or(entry.value)
    }

    /// Where all of it stands.
    pub fn whole_span(&self) -> Span {
        self.whole
    }

    /// Where the value at a path stands.
    pub fn value_span(&self, path: &[&str]) -> Span {
        self.entry(path).value
    }

    fn entry_at(&self, pointer: &str) -> Entry {
        let mut pointer = pointer;
        loop {
            if let Some(entry) = self.entries.get(pointer) {
                return *entry;
            }
            match pointer.rfind('/') {
                Some(cut) => pointer = pointer.get(..cut).unwrap_or_default(),
                None => return Entry { key: None, value: self.whole.before() },
            }
        }
    }
}

/// Small limits: a header or a project file is written by hand. They stop alias bombs and deep nesting.
/// Reads a text without places, as it was read with them; `None` where it is none of that form.
pub fn read_again<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_yaml::from_str_with_options(text, options()).ok()
}

fn options() -> serde_yaml::Options {
    serde_yaml::options! {
        strict_booleans: true,
        budget: serde_yaml::budget! {
            max_depth: 32,
            max_nodes: 100_000,
            max_events: 400_000,
            max_aliases: 100,
            max_anchors: 100,
            max_documents: 1,
            max_total_scalar_bytes: 8 << 20,
        },
    }
}

fn merge(value: &mut Value, over: Value) {
    match (value, over) {
        (Value::Object(map), Value::Object(over)) => {
            for (key, item) in over {
                merge(map.entry(key).or_insert(Value::Null), item);
            }
        }
        (value, over) => *value = over,
    }
}

/// The byte at a line and column (characters), both from 1.
fn offset_in(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let within = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
    start + within
}

fn char_span(file: &SourceFile, at: usize) -> Span {
    let len = file.text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    file.span(at, at + len)
}
