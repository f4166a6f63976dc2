//! Texts without quotes in which YAML takes a sign for its own: `description: Orders: the open ones`.

use super::{TWICE, char_span, offset_in};
use crate::diagnostic::{Diagnostic, codes};
use crate::name::{holds_secret, is_key_of_secret};
use crate::source::{SourceFile, Span};

/// Says why the YAML at `span` cannot be read.
pub(super) fn unreadable_text(file: &SourceFile, span: Span, error: &serde_yaml::Error) -> Diagnostic {
    let place = error.location().map_or(span.before(), |location| {
        let (line, column) = (location.line() as usize, location.column() as usize);
        char_span(file, span.start + offset_in(file.slice(span), line, column))
    });
    let words = error.without_snippet().to_string();
    let words = words.lines().next().unwrap_or_default();
    // The place is shown; inside a header the parser's line numbers would mislead.
    let words = words.split(" at line ").next().unwrap_or(words).trim_end_matches('.');
    let words = if words.contains("budget") && words.to_lowercase().contains("documents") {
        "there is more than one document in it"
    } else if words.contains("budget") {
        "it is nested too deep, or has too many aliases or values"
    } else if words.contains("duplicate") {
        TWICE
    } else {
        words
    };
    if is_line_of_secret(file, place) {
        // The parser's words may quote it.
        let told = codes::invalid_yaml(place, "the line cannot be read");
        return told.hides_line().note("it is not shown, as it seems to hold a secret");
    }
    let diagnostic = codes::invalid_yaml(place, words);
    match unquoted(file, span, place) {
        Some(value) => codes::quoted_text(diagnostic, value, file.slice(value)),
        None => diagnostic,
    }
}

/// Whether the line of a place has a key, or an address, of what is not to be shown. Databases are declared in one file.
fn is_line_of_secret(file: &SourceFile, place: Span) -> bool {
    if !file.path.ends_with("qtool.yaml") {
        return false;
    }
    let start = file.text.get(..place.start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let line = file.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let mut keys = line.split(['{', ',']).filter_map(|part| part.split_once(':')).map(|(key, _)| key.trim());
    holds_secret(line) || keys.any(|key| is_key_of_secret(key.trim_matches(['"', '\''])))
}

/// The value without quotes in the line of `place` that, in quotes, would be read. `whole` is the YAML.
fn unquoted(file: &SourceFile, whole: Span, place: Span) -> Option<Span> {
    let text = file.slice(whole);
    let at = place.start.checked_sub(whole.start)?.min(text.len());
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next()?;
    let value = value(line)?;
    let from = start + line.len() - value.len();
    let quoted = format!("'{}'", value.trim_end().replace('\'', "''"));
    let end = from + value.trim_end().len();
    let mended = [text.get(..from)?, &quoted, text.get(end..)?].concat();
    is_read_further(&mended, start).then(|| file.span(whole.start + from, whole.start + end))
}

/// What stands behind the key in a line, where it looks like a text.
fn value(line: &str) -> Option<&str> {
    let bare = line.trim_start();
    let bare = bare.strip_prefix("- ").unwrap_or(bare);
    let (key, value) = bare.split_once(": ")?;
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let value = value.trim_start();
    let is_text = match value.chars().next()? {
        // A list or a text in quotes that goes on behind its end, which has to be there.
        '[' => value.contains(']') && !value.trim_end().ends_with(']'),
        quote @ ('"' | '\'') => value.matches(quote).count() > 1 && !value.trim_end().ends_with(quote),
        '{' | '|' | '>' | '&' | '!' => false,
        _ => true,
    };
    (is_key && is_text).then_some(value)
}

/// Whether YAML can be read, or has its first error behind the line that begins at `start`.
fn is_read_further(text: &str, start: usize) -> bool {
    match serde_yaml::from_str_with_options::<serde_json::Value>(text, super::options()) {
        Ok(_) => true,
        Err(error) => {
            let line = text.get(..start).map_or(0, |before| before.matches('\n').count()) + 1;
            error.location().is_some_and(|location| location.line() as usize > line)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::source::Sources;
    use crate::yaml::Document;

    fn edited(text: &str) -> Option<String> {
        let mut sources = Sources::default();
        let id = sources.add("queries/a.sql", text);
        let file = sources.get(id).unwrap();
        let mut sink = crate::diagnostic::Diagnostics::default();
        assert!(Document::parse(file, file.whole(), &mut sink).is_none(), "{text} is YAML");
        let told = sink.into_sorted();
        let edit = told.first()?.helps.first()?.edits.first()?;
        let before = text.get(..edit.span.start)?;
        Some([before, &edit.replacement, text.get(edit.span.end..)?].concat())
    }

    #[test]
    fn texts_with_signs_are_put_in_quotes() {
        for (text, mended) in [
            ("description: Orders: the open ones", "description: 'Orders: the open ones'"),
            ("a: 1\ndescription: it's (e.g.: open)\nb: 2", "a: 1\ndescription: 'it''s (e.g.: open)'\nb: 2"),
            ("description: [beta] the open ones", "description: '[beta] the open ones'"),
            ("pattern: [a-z]+", "pattern: '[a-z]+'"),
            ("description: \"a\" or b", "description: '\"a\" or b'"),
            ("description: @x", "description: '@x'"),
        ] {
            assert_eq!(edited(text).as_deref(), Some(mended), "{text}");
        }
    }

    #[test]
    fn a_line_with_a_secret_is_neither_drawn_nor_quoted() {
        for text in ["password: hunter2: x", "shop: { type: mysql, pwd: 'hunter2 }", "a: mysql://me:hunter2@db: x"] {
            let mut sources = Sources::default();
            let id = sources.add("qtool.yaml", text);
            let file = sources.get(id).unwrap();
            let mut sink = crate::diagnostic::Diagnostics::default();
            assert!(Document::parse(file, file.whole(), &mut sink).is_none(), "{text} is YAML");
            let told = sink.into_sorted();
            assert!(told.iter().all(|one| one.hides_line && one.helps.is_empty()), "{told:?}");
            assert!(!format!("{told:?}").contains("hunter2"), "{told:?}");
        }
    }

    #[test]
    fn what_is_broken_in_another_way_has_no_edit() {
        for text in ["a: [1, 2", "a: \"ends here", "a: { b: c: d }"] {
            assert_eq!(edited(text), None, "{text}");
        }
    }
}
