//! What the parser reads, with the place of every part.

use crate::source::{SourceFile, Span};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

/// The places of one entry: its key (absent for list items and the root) and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Where the key stands.
    pub key: Option<Span>,
    /// Where the value stands.
    pub value: Span,
}

/// A YAML node; every child keeps its place.
#[derive(Debug)]
pub(super) enum Node {
    Scalar(Value),
    List(Vec<serde_yaml::Spanned<Node>>),
    Map(Vec<(serde_yaml::Spanned<Node>, serde_yaml::Spanned<Node>)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NodeVisitor;

        impl<'de> Visitor<'de> for NodeVisitor {
            type Value = Node;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a YAML value")
            }
            fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_str<E>(self, value: &str) -> Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Scalar(Value::Null))
            }
            fn visit_none<E>(self) -> Result<Node, E> {
                Ok(Node::Scalar(Value::Null))
            }
            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
                Node::deserialize(deserializer)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Node::List(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Node::Map(entries))
            }
        }

        deserializer.deserialize_any(NodeVisitor)
    }
}

/// Turns nodes into a value, and notes where each of them stands.
pub(super) struct Index<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) base: usize,
    pub(super) entries: &'a mut HashMap<String, Entry>,
    pub(super) unwritten: &'a mut BTreeSet<String>,
    /// The first key that is the same as one before it only once it is read as a text.
    pub(super) twice: Option<Span>,
    /// The end of the last node seen.
    pub(super) last: usize,
}

impl Index<'_> {
    pub(super) fn convert(&mut self, node: serde_yaml::Spanned<Node>, pointer: &str, key: Option<Span>) -> Value {
        let value = self.span(&node.referenced);
        self.entries.insert(pointer.to_owned(), Entry { key, value });
        if matches!(node.value, Node::Scalar(Value::Null)) && !is_null(self.file.slice(value)) {
            self.unwritten.insert(pointer.to_owned());
        }
        let converted = self.convert_children(node.value, pointer);
        let end = self.closing(value).unwrap_or(value.end);
        if let Some(entry) = self.entries.get_mut(pointer) {
            entry.value.end = end;
        }
        self.last = self.last.max(end);
        converted
    }

    /// The parser gives a flow list or mapping the place of its opening bracket; this is the end of the closing one.
    fn closing(&self, value: Span) -> Option<usize> {
        let close = match self.file.slice(value) {
            "[" => ']',
            "{" => '}',
            _ => return None,
        };
        // Nodes come in the order of the text: the last one seen is the last inside.
        let from = self.last.max(value.end);
        Some(from + self.file.text.get(from..)?.find(close)? + 1)
    }

    fn convert_children(&mut self, node: Node, pointer: &str) -> Value {
        match node {
            Node::Scalar(value) => value,
            Node::List(items) => Value::Array(
                items
                    .into_iter()
                    .enumerate()
                    .map(|(at, item)| self.convert(item, &join(pointer, &at.to_string()), None))
                    .collect(),
            ),
            Node::Map(entries) => {
                let mut map = serde_json::Map::new();
                let mut no_texts = BTreeSet::new();
                for (key, item) in entries {
                    let key_span = self.span(&key.referenced);
                    // Keys are texts; a number or boolean as a key is read as it is written.
                    let (name, is_text) = match key.value {
                        Node::Scalar(Value::String(name)) => (name, true),
                        _ => (self.file.slice(key_span).trim().to_owned(), false),
                    };
                    // To the parser, `1` and `"1"` are two keys.
                    if no_texts.contains(&name) || !is_text && map.contains_key(&name) {
                        self.twice.get_or_insert(key_span);
                    }
                    if !is_text {
                        no_texts.insert(name.clone());
                    }
                    let value = self.convert(item, &join(pointer, &name), Some(key_span));
                    map.insert(name, value);
                }
                Value::Object(map)
            }
        }
    }

    pub(super) fn span(&self, location: &serde_yaml::Location) -> Span {
        let span = location.span();
        let start = self.base + span.byte_offset().unwrap_or(0) as usize;
        let len = span.byte_len().unwrap_or(0) as usize;
        let text = self.file.text.get(start..start + len).unwrap_or_default();
        self.file.span(start, start + text.trim_end().len())
    }
}

/// Whether a text is a null that somebody wrote.
fn is_null(text: &str) -> bool {
    matches!(text.trim(), "null" | "Null" | "NULL" | "~")
}

/// The JSON pointer of a path of keys.
pub(super) fn pointer(path: &[&str]) -> String {
    path.iter().fold(String::new(), |pointer, key| join(&pointer, key))
}

/// The JSON pointer of a key below another.
pub(super) fn join(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}
