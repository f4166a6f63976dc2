//! Steps over the rows of an Avro file, by the schema that they were written with.

use serde_json::Value;
use std::collections::HashMap;

/// How deep a value may go. The decoder takes no schema that holds itself.
const DEEPEST: usize = 64;
/// The most items of a list that take no bytes.
const MOST_EMPTY: u64 = 1 << 20;

/// What a value is made of. Others are named by their place.
#[derive(Debug)]
enum Shape {
    /// So many bytes.
    Fixed(usize),
    Number,
    /// A length, and so many bytes.
    Text,
    Record(Vec<usize>),
    /// A list, or a map from texts.
    Items {
        item: usize,
        is_map: bool,
    },
    Union(Vec<usize>),
}

/// What the rows of a file are made of.
#[derive(Debug, Default)]
pub(super) struct Rows {
    shapes: Vec<Shape>,
    names: HashMap<String, usize>,
    row: usize,
}

impl Rows {
    /// The rows of a schema; `None` where it is not understood.
    pub(super) fn of(schema: &Value) -> Option<Rows> {
        let mut rows = Rows::default();
        rows.row = rows.shape(schema, "")?;
        Some(rows)
    }

    /// Whether these bytes are so many rows, and nothing else. The decoder leaves out rows that have no bytes.
    pub(super) fn are(&self, count: u64, data: &[u8]) -> bool {
        let mut rest = data;
        for _ in 0..count {
            let before = rest.len();
            if self.step(self.row, &mut rest, 0).is_none() || rest.len() == before {
                return false;
            }
        }
        rest.is_empty()
    }

    fn add(&mut self, shape: Shape) -> usize {
        self.shapes.push(shape);
        self.shapes.len() - 1
    }

    fn shape(&mut self, schema: &Value, namespace: &str) -> Option<usize> {
        match schema {
            Value::String(name) => self.named(name, namespace),
            Value::Array(branches) => {
                let branches = branches.iter().map(|branch| self.shape(branch, namespace)).collect::<Option<_>>()?;
                Some(self.add(Shape::Union(branches)))
            }
            Value::Object(_) => self.complex(schema, namespace),
            _ => None,
        }
    }

    fn named(&mut self, name: &str, namespace: &str) -> Option<usize> {
        let shape = match name {
            "null" => Shape::Fixed(0),
            "boolean" => Shape::Fixed(1),
            "int" | "long" => Shape::Number,
            "float" => Shape::Fixed(4),
            "double" => Shape::Fixed(8),
            "bytes" | "string" => Shape::Text,
            name => {
                let known = self.names.get(&full(name, namespace)).or_else(|| self.names.get(name));
                return known.copied();
            }
        };
        Some(self.add(shape))
    }

    fn complex(&mut self, schema: &Value, namespace: &str) -> Option<usize> {
        let kind = schema.get("type")?;
        let Value::String(kind) = kind else { return self.shape(kind, namespace) };
        let name = schema.get("name").and_then(Value::as_str).unwrap_or_default();
        let namespace = match (name.rsplit_once('.'), schema.get("namespace").and_then(Value::as_str)) {
            (Some((namespace, _)), _) | (None, Some(namespace)) => namespace,
            (None, None) => namespace,
        };
        match kind.as_str() {
            "record" | "error" => {
                // Known before its fields, which may name it.
                let at = self.add(Shape::Record(Vec::new()));
                self.names.insert(full(name, namespace), at);
                let fields = schema.get("fields")?.as_array()?.iter();
                let fields = fields.map(|field| self.shape(field.get("type")?, namespace)).collect::<Option<_>>()?;
                *self.shapes.get_mut(at)? = Shape::Record(fields);
                Some(at)
            }
            "enum" | "fixed" => {
                let size = || usize::try_from(schema.get("size")?.as_u64()?).ok();
                let at = self.add(if kind == "enum" { Shape::Number } else { Shape::Fixed(size()?) });
                self.names.insert(full(name, namespace), at);
                Some(at)
            }
            "array" => {
                let item = self.shape(schema.get("items")?, namespace)?;
                Some(self.add(Shape::Items { item, is_map: false }))
            }
            "map" => {
                let item = self.shape(schema.get("values")?, namespace)?;
                Some(self.add(Shape::Items { item, is_map: true }))
            }
            kind => self.named(kind, namespace),
        }
    }

    /// Takes a value off; `None` where there is none.
    fn step(&self, shape: usize, rest: &mut &[u8], depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match self.shapes.get(shape)? {
            Shape::Fixed(bytes) => skip(rest, *bytes),
            Shape::Number => long(rest).map(|_| ()),
            Shape::Text => text(rest),
            Shape::Record(fields) => fields.iter().try_for_each(|field| self.step(*field, rest, depth + 1)),
            Shape::Union(branches) => {
                let branch = usize::try_from(long(rest)?).ok()?;
                self.step(*branches.get(branch)?, rest, depth + 1)
            }
            Shape::Items { item, is_map } => loop {
                let count = long(rest)?;
                if count == 0 {
                    return Some(());
                }
                // The length of what follows, for those who skip it.
                let length = if count < 0 { Some(usize::try_from(long(rest)?).ok()?) } else { None };
                let before = rest.len();
                for at in 0..count.unsigned_abs() {
                    if *is_map {
                        text(rest)?;
                    }
                    self.step(*item, rest, depth + 1)?;
                    if at > MOST_EMPTY && rest.len() == before {
                        return None;
                    }
                }
                if length.is_some_and(|length| length != before - rest.len()) {
                    return None;
                }
            },
        }
    }
}

fn full(name: &str, namespace: &str) -> String {
    if namespace.is_empty() || name.contains('.') { name.to_owned() } else { format!("{namespace}.{name}") }
}

fn text(rest: &mut &[u8]) -> Option<()> {
    let length = usize::try_from(long(rest)?).ok()?;
    skip(rest, length)
}

fn skip(rest: &mut &[u8], bytes: usize) -> Option<()> {
    *rest = rest.get(bytes..)?;
    Some(())
}

/// Takes a number off: in base 128, the lowest digits first, the sign in the lowest bit.
pub(super) fn long(rest: &mut &[u8]) -> Option<i64> {
    let mut bits = 0_u64;
    for at in 0..10 {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        bits |= u64::from(byte & 0x7f).checked_shl(7 * at)?;
        if byte & 0x80 == 0 {
            return Some((bits >> 1).cast_signed() ^ -(bits & 1).cast_signed());
        }
    }
    None
}
