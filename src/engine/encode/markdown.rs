//! Markdown tables: numbers to the right, one line per row, and no blanks around cells, which would take a model a fifth
//! more tokens.

use super::escape::{controls, divide, equal};
use super::format::{Format, Frame};
use crate::ty::Type;
use serde_json::Value;

/// A table of Markdown; without rows, its header.
pub(super) struct Markdown;

impl Format for Markdown {
    const QUOTE: &'static str = "";
    const NULL: &'static str = "";

    /// The names, and the line that says how the columns are aligned.
    fn head(columns: &[(String, Type)], _: usize) -> String {
        let mut out = String::from("|");
        for (name, _) in columns {
            push_escaped(name, &mut out);
            out.push('|');
        }
        out.push_str("\n|");
        for (_, ty) in columns {
            out.push_str(if ty.is_numeric() { "---:|" } else { "---|" });
        }
        out
    }

    fn frame(columns: &[(String, Type)]) -> Frame {
        Frame::of(columns, ["\n|", "|", if columns.is_empty() { "\n|" } else { "|" }])
    }

    fn text(text: &str, out: &mut String) {
        push_escaped(text, out);
    }

    fn nested(value: &Value, out: &mut String) {
        push_escaped(&value.to_string(), out);
    }

    fn is_changed(text: &str) -> bool {
        text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r'))
    }

    fn may_be_changed(written: &str) -> bool {
        // Pictures of control characters and the replacement character begin with these bytes.
        let marks = |word| equal(word, 0xe2) | equal(word, 0xef);
        let mut rest = written;
        loop {
            let marked = divide(rest, marks).1;
            let mut characters = marked.chars();
            match characters.next() {
                None => return false,
                Some('\u{2400}'..='\u{2421}' | NO_PICTURE) => return true,
                Some(_) => rest = characters.as_str(),
            }
        }
    }
}

/// What stands for a control character that has no picture.
const NO_PICTURE: char = '\u{fffd}';

/// The picture of a control character (Unicode, chapter 22.7).
fn picture(control: char) -> char {
    match u32::from(control) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code).unwrap_or(NO_PICTURE),
        0x7f => '\u{2421}',
        _ => NO_PICTURE,
    }
}

/// A line break would end the row and `|` the cell; any other control character is shown by its picture.
fn push_escaped(text: &str, out: &mut String) {
    // Those beyond ASCII are two bytes, the first of them C2.
    let marks = |word| controls(word) | equal(word, b'|') | equal(word, 0x7f) | equal(word, 0xc2);
    let mut rest = text;
    loop {
        let (clean, marked) = divide(rest, marks);
        out.push_str(clean);
        let mut characters = marked.chars();
        let Some(character) = characters.next() else { break };
        rest = characters.as_str();
        match character {
            '|' => out.push_str("\\|"),
            '\r' => {
                rest = rest.strip_prefix('\n').unwrap_or(rest);
                out.push_str("<br>");
            }
            '\n' => out.push_str("<br>"),
            _ if character.is_control() => out.push(picture(character)),
            _ => out.push(character),
        }
    }
    if text.ends_with('\\') {
        // It would escape the bar behind the cell.
        out.push(' ');
    }
}
