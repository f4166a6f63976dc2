//! Shapes of JSON values as Python's types.

use super::super::client::shape::{Field, Shape};
use super::super::client::text::lines;
use super::{TYPES, docstring, is_lower_name, quoted};
use serde_json::Value;

/// The widest union of literals that is written in one line.
const MAX_WIDTH: usize = 80;

/// Which way values go.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Side {
    Sent,
    Received,
}

/// The types of one tool's arguments or rows; those of records need definitions.
pub(super) struct Types {
    /// What the names of records begin with.
    prefix: String,
    side: Side,
    records: usize,
    /// The definitions so far, each below those that it needs.
    pub(super) definitions: String,
}

impl Types {
    pub(super) fn new(prefix: &str, side: Side) -> Types {
        Types { prefix: prefix.to_owned(), side, records: 0, definitions: String::new() }
    }

    /// The type of a shape.
    pub(super) fn written(&mut self, shape: &Shape) -> String {
        let (list, mapping) = match self.side {
            Side::Sent => ("Sequence", "Mapping"),
            Side::Received => ("list", "dict"),
        };
        match shape {
            Shape::Any => "Any".to_owned(),
            Shape::Null => "None".to_owned(),
            Shape::Boolean => "bool".to_owned(),
            Shape::Integer => "int".to_owned(),
            Shape::Number => "float".to_owned(),
            Shape::Text => "str".to_owned(),
            Shape::Literal(_) => self.union(std::slice::from_ref(shape)),
            Shape::List(item) => format!("{list}[{}]", self.written(item)),
            Shape::Mapping(value) => format!("{mapping}[str, {}]", self.written(value)),
            Shape::Record(fields) if is_definable(fields) => {
                self.records += 1;
                let name = format!("{}Struct{}", self.prefix, self.records);
                self.record(&name, fields, "", &|_| None);
                name
            }
            Shape::Record(_) => format!("{mapping}[str, Any]"),
            Shape::Union(shapes) => self.union(shapes),
        }
    }

    /// The literals in one `Literal`, then the others, `None` last.
    fn union(&mut self, shapes: &[Shape]) -> String {
        let mut literals = Vec::new();
        let mut types = Vec::new();
        for shape in shapes {
            let ty = match shape {
                Shape::Literal(Value::String(text)) => Ok(quoted(text)),
                Shape::Literal(Value::Bool(true)) => Ok("True".to_owned()),
                Shape::Literal(Value::Bool(false)) => Ok("False".to_owned()),
                // PEP 586 has no literals of `float`.
                Shape::Literal(Value::Number(number)) if number.is_f64() => Err("float".to_owned()),
                Shape::Literal(value) => Ok(value.to_string()),
                shape => Err(self.written(shape)),
            };
            match ty {
                Ok(literal) => literals.push(literal),
                Err(ty) if !types.contains(&ty) => types.push(ty),
                Err(_) => {}
            }
        }
        types.sort_by_key(|ty| ty == "None");
        let line = literals.join(", ");
        let literal = match literals.len() {
            0 => None,
            _ if line.len() <= MAX_WIDTH => Some(format!("Literal[{line}]")),
            _ => Some(format!("Literal[\n            {},\n        ]", literals.join(",\n            "))),
        };
        literal.into_iter().chain(types).collect::<Vec<_>>().join(" | ")
    }

    /// Defines a `TypedDict`, as a class where all keys are names.
    pub(super) fn record(
        &mut self,
        name: &str,
        fields: &[Field],
        doc: &str,
        field_doc: &dyn Fn(&str) -> Option<String>,
    ) {
        let typed: Vec<(&Field, String)> = fields.iter().map(|field| (field, self.written(&field.shape))).collect();
        // A key that is the name of a type would stand for it in the annotations below.
        let is_key = |field: &Field| field.required && is_lower_name(&field.name) && !TYPES.contains(&&*field.name);
        let definition = if fields.iter().all(is_key) {
            class(name, &typed, doc, field_doc)
        } else {
            call(name, &typed, doc, field_doc)
        };
        self.definitions.push_str(&definition);
    }
}

/// No key of a `TypedDict` is empty.
pub(super) fn is_definable(fields: &[Field]) -> bool {
    fields.iter().all(|field| !field.name.is_empty())
}

type FieldDoc<'a> = &'a dyn Fn(&str) -> Option<String>;

fn class(name: &str, fields: &[(&Field, String)], doc: &str, field_doc: FieldDoc<'_>) -> String {
    let mut out = format!("\n\nclass {name}(TypedDict):\n");
    if !doc.is_empty() {
        out.push_str(&docstring("    ", &[doc.to_owned()]));
        out.push('\n');
    }
    for (field, ty) in fields {
        out.push_str(&format!("    {}: {ty}\n", field.name));
        out.push_str(&field_doc(&field.name).map(|text| docstring("    ", &[text])).unwrap_or_default());
    }
    out
}

/// Keys that are not always there are in a dictionary type of their own that the other one extends: what says so of one
/// key is newer than Python 3.10.
fn call(name: &str, fields: &[(&Field, String)], doc: &str, field_doc: FieldDoc<'_>) -> String {
    let items = |required: bool| -> String {
        let item = |(field, ty): &(&Field, String)| {
            let text = field_doc(&field.name).map(|text| lines(&text).join(" ")).unwrap_or_default();
            let comment = if text.is_empty() { text } else { format!("        # {text}\n") };
            format!("{comment}        {}: {ty},\n", quoted(&field.name))
        };
        fields.iter().filter(|(field, _)| field.required == required).map(item).collect()
    };
    let comment = if doc.is_empty() { String::new() } else { format!("# {doc}\n") };
    let (required, optional) = (items(true), items(false));
    let dictionary = |name: &str, items: &str, rest: &str| {
        format!("{name} = TypedDict(\n    {},\n    {{\n{items}    }},\n{rest})\n", quoted(name))
    };
    match (required.is_empty(), optional.is_empty()) {
        (_, true) => format!("\n\n{comment}{}", dictionary(name, &required, "")),
        (true, false) => format!("\n\n{comment}{}", dictionary(name, &optional, "    total=False,\n")),
        (false, false) => {
            let base = format!("_{name}Required");
            let rest = format!("_{name}Optional");
            let (base, rest) = (dictionary(&base, &required, ""), dictionary(&rest, &optional, "    total=False,\n"));
            format!("\n\n{base}\n{rest}\n\n{comment}class {name}(_{name}Required, _{name}Optional):\n    pass\n")
        }
    }
}
