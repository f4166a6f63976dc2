//! The planner's words as an author's: they speak of what stands in the file, of `<< name >>` instead of `$1`, of SQL's
//! types instead of Arrow's, of the text instead of its syntax tree.

use crate::name::shown_name;
use crate::source::{Sources, Span};
use crate::syntax::link::{self, Slot};
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR, lower_first};
use crate::ty::Type;
use arrow::datatypes::DataType;
use regex::Regex;
use std::sync::LazyLock;

/// What the engine prints of a syntax tree has the places of its parts: all of them together.
pub fn place_in(text: &str, sources: &Sources) -> Option<Span> {
    static PLACE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"Location\((\d+),(\d+)\)\.\.Location\((\d+),(\d+)\)").ok());
    let mut places = PLACE.as_ref()?.captures_iter(text).filter_map(|found| {
        let number = |at: usize| found.get(at)?.as_str().parse::<u64>().ok();
        link::place(sources, (number(1)?, number(2)?), (number(3)?, number(4)?))
    });
    let first = places.next()?;
    Some(places.fold(first, Span::to))
}

/// What the engine says of the kind of an error, which the code says already.
const KINDS: [&str; 7] = [
    "Error during planning: ",
    "This feature is not implemented: ",
    "Internal error: ",
    "Execution error: ",
    "Schema error: ",
    "Arrow error: ",
    "Parser error: ",
];

/// What it says of its own insides, in other words.
const PHRASES: [(&str, &str); 6] = [
    ("type_coercion caused by ", ""),
    ("Unsupported ast node in sqltorel: ", "Not supported here: "),
    ("Unsupported ast node ", "Not supported here: "),
    (" in create_relation", ""),
    (" in SetComparison", ""),
    (" user-defined coercion failed with: ", " cannot take its arguments: "),
];

/// What is followed by nothing but its own insides, or by what could have been called instead, in its own types.
const TAILS: [&str; 9] = [
    ". This issue was likely caused",
    ". Must be a supported arrow type name",
    " No function matches",
    " You might need to add explicit",
    " Candidate functions:",
    " to the signature ",
    ", errors: ",
    ", but was used in [",
    " in the plan: ",
];

/// The words of a message that are not of the engine's insides, on one line.
fn essence(text: &str) -> String {
    if let Some((_, pattern)) = text.split_once("regex parse error:")
        && let Some(why) = pattern.lines().find_map(|line| line.trim().strip_prefix("error: "))
    {
        return format!("the pattern is no regular expression: {why}");
    }
    let text = text.lines().take(3).map(str::trim).collect::<Vec<_>>().join(" ");
    // Why the arguments fit none of several signatures: the first will do.
    let why = text.split_once(" failed to match any signature, errors: ").map(|(_, all)| all);
    let mut text = match why.map(|all| all.split(",Error during planning: ").next().unwrap_or(all)) {
        Some(first) => first.to_owned(),
        None => text,
    };
    for kind in KINDS {
        text = text.replace(kind, "");
    }
    for (from, to) in PHRASES {
        text = text.replace(from, to);
    }
    for tail in TAILS {
        let end = text.find(tail).unwrap_or(text.len());
        text.truncate(end);
    }
    // The type is said before it already.
    while let Some(at) = text.find(" (DataType: ") {
        let end = text.get(at + 1..).and_then(closing).map_or(text.len(), |closing| at + 1 + closing + 1);
        text.replace_range(at..end, "");
    }
    text
}

/// The longest message, in characters.
const MAX_SENTENCE: usize = 400;

/// The engine's words as an author's.
pub struct Words<'a> {
    /// What `$1`, `$2`, … stand for.
    pub slots: &'a [Slot],
    /// The texts that places lead to.
    pub sources: &'a Sources,
}

impl Words<'_> {
    /// A whole message: on one line, starting with a small letter, without a full stop.
    pub fn sentence(&self, text: &str) -> String {
        let text = self.of(&essence(text));
        let text = lower_first(text.trim().trim_end_matches('.'));
        let cut = text.char_indices().nth(MAX_SENTENCE).map(|(cut, _)| cut);
        match cut.and_then(|cut| text.get(..cut)) {
            Some(beginning) => format!("{beginning}…"),
            None if text.is_empty() => "the statement cannot be planned".to_owned(),
            None => text,
        }
    }

    /// A part of a message, word by word.
    pub fn of(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let read = match first {
                '\'' => self.quoted(rest, &mut out),
                '$' => self.slot(rest, &mut out),
                _ if first.is_alphabetic() || first == '_' => self.word(rest, &mut out),
                _ => None,
            };
            let read = read.unwrap_or_else(|| {
                out.push(first);
                first.len_utf8()
            });
            rest = rest.get(read..).unwrap_or_default();
        }
        out
    }

    /// `$1` → `<< name >>`. Like those below: how many bytes were read.
    fn slot(&self, rest: &str, out: &mut String) -> Option<usize> {
        let behind = rest.strip_prefix('$')?.trim_start_matches(|c: char| c.is_ascii_digit());
        let id = rest.strip_suffix(behind)?;
        let slot = self.slots.get(link::number(id)?)?;
        out.push_str(&format!("<< {} >>", slot.name));
        Some(id.len())
    }

    /// `'orders.id' must …` → `` `orders.id` must … ``.
    fn quoted(&self, rest: &str, out: &mut String) -> Option<usize> {
        let (inside, _) = rest.strip_prefix('\'')?.split_once('\'')?;
        let is_name = inside.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && inside.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        if !is_name && link::number(inside).is_none() {
            return None;
        }
        out.push_str(&format!("`{}`", self.of(inside)));
        Some(inside.len() + 2)
    }

    fn word(&self, rest: &str, out: &mut String) -> Option<usize> {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, behind) = rest.split_at_checked(end)?;
        // Behind a dot, any word is the name of a column.
        if out.ends_with('.') {
            out.push_str(name);
            return Some(end);
        }
        if let Some((whole, inside)) = group(behind)
            && let Some(words) = self.printed(name, (whole, inside), out)
        {
            out.push_str(&words);
            return Some(end + whole.len());
        }
        if names_a_node(out) && is_node(name) {
            out.push_str(&in_capitals(name));
        } else {
            out.push_str(sql_name(name));
        }
        Some(end)
    }

    /// What the engine prints as a name and something in brackets: a clause, a type, a value, or a tree.
    fn printed(&self, name: &str, (whole, inside): (&str, &str), out: &mut String) -> Option<String> {
        let connective = match name {
            OPTIONAL_AND => "AND",
            OPTIONAL_OR => "OR",
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                return sql_type(&format!("{name}{whole}"))
                    .or_else(|| literal(name, inside))
                    .or_else(|| self.tree(name, inside, out));
            }
            _ => return None,
        };
        // Its second argument are the slots that it needs.
        let (condition, _) = inside.rsplit_once(", ")?;
        let before = out.trim_end().strip_suffix(connective).map_or(out.len(), str::len);
        out.truncate(before);
        Some(format!("[[ {connective} {} ]]", self.of(condition)))
    }

    /// What was written where the engine prints its tree, or the name of what it does not have; `None` where it is none.
    fn tree(&self, name: &str, inside: &str, before: &str) -> Option<String> {
        match name {
            "Placeholder" if inside.starts_with("\"$") => return Some(self.of(inside.trim_matches('"'))),
            "Field" => {
                let (_, ty) = inside.split_once("data_type: ")?;
                let end = ty.find(|c: char| !c.is_alphanumeric()).unwrap_or(ty.len());
                let arguments = ty.get(end..).and_then(group).map_or(0, |(whole, _)| whole.len());
                return ty.get(..end + arguments).map(|ty| self.of(ty));
            }
            "List" | "LargeList" | "FixedSizeList" if inside.starts_with("Field {") => {
                return Some(format!("{}[]", self.of(inside)));
            }
            _ => {}
        }
        let is_tree = ["Location(", " { ", "Some(", ": None", ": ["].iter().any(|sign| inside.contains(sign));
        if !is_tree || !is_node(name) {
            return None;
        }
        let has_no_keyword = matches!(name, "Identifier" | "CompoundIdentifier" | "Value");
        if names_a_node(before) && !has_no_keyword {
            return Some(in_capitals(name));
        }
        Some(self.written(inside).map_or_else(|| "…".to_owned(), |text| format!("`{text}`")))
    }

    /// The source of a printed tree.
    fn written(&self, tree: &str) -> Option<String> {
        let span = place_in(tree, self.sources)?;
        let file = self.sources.get(span.file)?;
        let text = file.slice(span);
        let behind = file.text.get(span.end..)?;
        // The last bracket of a call is behind all of its parts.
        let open = text.matches('(').count().saturating_sub(text.matches(')').count());
        let closing = open.checked_sub(1).and_then(|last| behind.match_indices(')').nth(last));
        let end = span.end + closing.map_or(0, |(at, _)| at + 1);
        let text = file.text.get(span.start..end)?.split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then(|| shown_name(&text).into_owned())
    }
}

/// What stands in the brackets that a text begins with, `(…)` or ` {…}`: with them, and without.
fn group(text: &str) -> Option<(&str, &str)> {
    let opening = text.strip_prefix(' ').filter(|text| text.starts_with('{')).unwrap_or(text);
    if !opening.starts_with(['(', '{']) {
        return None;
    }
    let end = closing(opening)?;
    Some((text.get(..text.len() - opening.len() + end + 1)?, opening.get(1..end)?.trim()))
}

/// The place of the bracket that closes the one a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            // The character `'"'` opens no string.
            '"' if in_string || !text.get(..at)?.ends_with('\'') => in_string = !in_string,
            _ if in_string => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether the word that follows says what the engine does not have.
fn names_a_node(before: &str) -> bool {
    ["ot supported here: ", "operator ", "operator: "].iter().any(|end| before.ends_with(end))
}

/// `InUnnest`: the name of a part of a tree.
fn is_node(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.contains(|c: char| c.is_ascii_lowercase())
}

/// `InUnnest` → `IN UNNEST`, `RLike` → `RLIKE`.
fn in_capitals(name: &str) -> String {
    let mut out = String::new();
    let mut last = ' ';
    for (at, character) in name.char_indices() {
        if at > 1 && character.is_uppercase() && last.is_lowercase() {
            out.push(' ');
        }
        out.extend(character.to_uppercase());
        last = character;
    }
    out
}

/// `Utf8("open")` → `'open'`, `Int64(5)` → `5`.
fn literal(name: &str, inside: &str) -> Option<String> {
    let text = inside.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match name {
        "Boolean" | "Int8" | "Int16" | "Int32" | "Int64" | "UInt8" | "UInt16" | "UInt32" | "UInt64" | "Float16"
        | "Float32" | "Float64" => Some(inside.to_owned()),
        "Decimal32" | "Decimal64" | "Decimal128" | "Decimal256" => inside.split(',').next().map(str::to_owned),
        "Utf8" | "Utf8View" | "LargeUtf8" | "Date32" | "Date64" => match text {
            Some(text) => Some(format!("'{}'", text.replace('\'', "''"))),
            None => (inside == "NULL").then(|| inside.to_owned()),
        },
        "List" | "LargeList" | "FixedSizeList" => inside.starts_with('[').then(|| inside.to_owned()),
        "Struct" => inside.starts_with('{').then(|| inside.to_owned()),
        _ if ["Timestamp", "Time", "Interval", "Duration", "Binary"].iter().any(|ty| name.starts_with(ty)) => {
            Some(text.map_or_else(|| "…".to_owned(), |text| format!("'{text}'")))
        }
        _ => None,
    }
}

/// `List(Int64)` → `bigint[]`.
fn sql_type(arrow: &str) -> Option<String> {
    Type::from_arrow(&arrow.parse::<DataType>().ok()?).map(|ty| ty.to_string())
}

/// Arrow's name of a type as SQL's: `Utf8 + Int64` is `text + bigint` to an author.
fn sql_name(word: &str) -> &str {
    match word {
        OPTIONAL_AND | OPTIONAL_OR => "an optional clause",
        "Utf8" | "Utf8View" | "LargeUtf8" | "String" => "text",
        "Int8" | "Int16" | "UInt8" => "smallint",
        "Int32" | "UInt16" => "int",
        "Int64" | "UInt32" | "UInt64" => "bigint",
        "Float16" | "Float32" => "real",
        "Float64" => "double",
        "Boolean" => "boolean",
        "Date32" | "Date64" => "date",
        "Decimal32" | "Decimal64" | "Decimal128" | "Decimal256" => "decimal",
        "LargeBinary" | "BinaryView" => "bytea",
        other => other,
    }
}

#[cfg(test)]
mod said;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engines_words_become_an_authors() {
        let mut sources = Sources::default();
        sources.add("query.sql", "SELECT interval << x: text >> AS i");
        let slots = ["x", "s"].map(|name| Slot { name: name.to_owned(), list: false });
        let words = Words { slots: &slots, sources: &sources };
        let tree = r#"Value(ValueWithSpan { value: Placeholder("$1"), span: Span(Location(1,17)..Location(1,30)) })"#;
        for (text, expected) in [
            ("Error during planning: Predicate '$1' is of Int32.", "predicate `<< x >>` is of int"),
            ("'orders.id' is no List(Int64)", "`orders.id` is no bigint[]"),
            ("Struct(\"w\": Int64) + Timestamp(µs)", "struct(w bigint) + timestamp"),
            ("a = Utf8(\"it's $1\") AND b > Int64(5)", "a = 'it''s $1' AND b > 5"),
            ("x.a AND qtool_optional_and(x.Utf8 = $2, Utf8(\"$2\"))", "x.a [[ AND x.Utf8 = << s >> ]]"),
            ("Unsupported SQL unary operator BitwiseNot", "unsupported SQL unary operator BITWISE NOT"),
            ("Function 'f' requires String (DataType: List(Utf8)).", "function `f` requires text"),
            ("It costs $3, or Foo( of $2", "it costs $3, or Foo( of << s >>"),
            (&format!("Expected a number, got: {tree}"), "expected a number, got: `<< x: text >>`"),
            (&format!("Unsupported ast node in sqltorel: RLike {{ pattern: {tree} }}"), "not supported here: RLIKE"),
            ("got Foo { bar: Some('\"') }", "got …"),
            ("", "the statement cannot be planned"),
        ] {
            assert_eq!(words.sentence(text), expected);
        }
    }
}
