//! A list of JSON objects, their keys in the order of the columns, as `serde_json` writes it.

use super::escape::push_json;
use super::format::{Format, Frame};
use crate::ty::Type;
use serde_json::Value;
use std::fmt::Write as _;

/// The text of a list of objects.
pub(super) struct Structured;

impl Format for Structured {
    const QUOTE: &'static str = "\"";
    const NULL: &'static str = "null";

    fn head(_: &[(String, Type)], _: usize) -> String {
        "[".to_owned()
    }

    fn frame(columns: &[(String, Type)]) -> Frame {
        let mut before: Vec<(usize, String)> = Vec::with_capacity(columns.len());
        for (at, (name, _)) in columns.iter().enumerate() {
            let same = |(earlier, _): &&mut (usize, String)| columns.get(*earlier).is_some_and(|(of, _)| of == name);
            // Of columns with one name an object has the last, in the place of the first.
            if let Some((earlier, _)) = before.iter_mut().find(same) {
                *earlier = at;
                continue;
            }
            let mut text = String::with_capacity(name.len() + 4);
            text.push(if before.is_empty() { '{' } else { ',' });
            push_json(name, &mut text);
            text.push(':');
            before.push((at, text));
        }
        Frame { before, end: if columns.is_empty() { "{}," } else { "}," } }
    }

    fn text(text: &str, out: &mut String) {
        push_json(text, out);
    }

    fn nested(value: &Value, out: &mut String) {
        // Writing to a string does not fail.
        _ = write!(out, "{value}");
    }

    fn close(out: &mut String) {
        if out.ends_with(',') {
            out.pop();
        }
        out.push(']');
    }
}
