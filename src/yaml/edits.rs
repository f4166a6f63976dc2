//! Edits of a document's text: an entry is taken out of it, or one is put in front of others.

use super::Document;
use super::node::{join, pointer};
use crate::source::Span;

impl Document {
    /// What takes out the entry at a path of keys: its lines, or its part of a flow mapping. `None` where its form is
    /// another one.
    pub fn removing_edit(&self, path: &[&str]) -> Option<(Span, String)> {
        let pointer = pointer(path);
        let entry = self.entries.get(&pointer)?;
        let key = entry.key?;
        let below = format!("{pointer}/");
        let inside = self.entries.iter().filter(|(one, _)| one.starts_with(&below));
        let end = inside.map(|(_, entry)| entry.value.end).fold(entry.value.end, usize::max);
        let line = self.text(key)?.get(key.end..)?.lines().next()?.trim_end();
        // A text of several lines, whose end is not known.
        let is_block_of_text = line.ends_with(['|', '>', '-', '+']);
        if is_block_of_text || end < key.end {
            return None;
        }
        let (span, left) = self.removal(&pointer, key, Span { start: key.end, end, ..key })?;
        let text = self.text(key)?;
        let is_last = left.is_empty() && text.get(span.end..)?.trim_start().starts_with('}');
        // The comma in front of the last one would be one too many.
        let start = text.get(..span.start)?.trim_end().strip_suffix(',').filter(|_| is_last).map(str::len);
        Some((Span { start: start.unwrap_or(span.start), ..span }, left))
    }

    /// What puts an entry in front of the first one of the mapping at a path of keys.
    pub fn inserting_edit(&self, path: &[&str], entry: &str) -> Option<(Span, String)> {
        let pointer = pointer(path);
        let first = self.value.pointer(&pointer)?.as_object()?.keys().next()?;
        let key = self.entries.get(&join(&pointer, first))?.key?;
        let place = self.entries.get(&pointer)?.value;
        let text = self.text(key)?;
        if text.get(place.start..)?.starts_with('{') {
            return Some((key.before(), format!("{entry}, ")));
        }
        let before = text.get(..key.start)?;
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let indent = before.get(line..)?;
        indent.trim().is_empty().then(|| (key.before(), format!("{entry}\n{indent}")))
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Diagnostics;
    use crate::source::{Sources, Span};
    use crate::yaml::Document;

    /// The text after an edit.
    fn edited(text: &str, edit: impl Fn(&Document) -> Option<(Span, String)>) -> Option<String> {
        let mut sources = Sources::default();
        let id = sources.add("qtool.yaml", text);
        let file = sources.get(id).unwrap();
        let document = Document::parse(file, file.whole(), &mut Diagnostics::default()).unwrap();
        let (span, new) = edit(&document)?;
        Some([text.get(..span.start)?, &new, text.get(span.end..)?].concat())
    }

    #[test]
    fn an_entry_is_taken_out_with_all_that_is_below_it() {
        let without_b = |text: &str| edited(text, |document| document.removing_edit(&["t", "b"]));
        for (text, without) in [
            ("t:\n  a: 1\n  b: x\n  c: 2\n", "t:\n  a: 1\n  c: 2\n"),
            ("t:\n  b: 'x, y' # why\n  c: 2\n", "t:\n  c: 2\n"),
            ("t:\n  b: [x, y]\n  c: 2\n", "t:\n  c: 2\n"),
            ("t:\n  b:\n    - x\n    - y\n  c: 2\n", "t:\n  c: 2\n"),
            ("t:\n  b:\n    d: { e: f }\n  c: 2\n", "t:\n  c: 2\n"),
            ("t: { a: 1, b: x }\n", "t: { a: 1 }\n"),
            ("t: { b: { d: e }, c: 2 }\n", "t: { c: 2 }\n"),
        ] {
            assert_eq!(without_b(text).as_deref(), Some(without), "{text}");
        }
        assert_eq!(without_b("t:\n  b: |\n    x\n    y\n  c: 2\n"), None);
        assert_eq!(without_b("t: { a: 1 }\n"), None);
    }

    #[test]
    fn an_entry_is_put_in_front_of_the_first() {
        let with_type = |text: &str| edited(text, |document| document.inserting_edit(&["t", "s"], "type: x"));
        for (text, with) in [
            ("t:\n  s:\n    a: 1\n    b: 2\n", "t:\n  s:\n    type: x\n    a: 1\n    b: 2\n"),
            ("t:\n  s: { a: 1 }\n", "t:\n  s: { type: x, a: 1 }\n"),
            ("t: { s: {\n  a: 1\n} }\n", "t: { s: {\n  type: x, a: 1\n} }\n"),
        ] {
            assert_eq!(with_type(text).as_deref(), Some(with), "{text}");
        }
        assert_eq!(with_type("t:\n  s: {}\n"), None);
    }
}
