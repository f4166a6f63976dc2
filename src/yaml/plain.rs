//! Texts without quotes in which YAML takes a sign for its own: `description: Orders: the open ones`.

use super::{TWICE, char_span, offset_in};
use crate::diagnostic::{Diagnostic, codes};
use crate::name::{holds_secret, is_key_of_secret};
use crate::source::{SourceFile, Span};
use std::ops::Range;

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
    let is_too_much = words.contains("budget");
    let words = if is_too_much && words.to_lowercase().contains("documents") {
        "there is more than one document in it"
    } else if is_too_much {
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
    let items = aliases(file, span, place).unwrap_or_default();
    // Aliases that are too many are some.
    if let Some(first) = items.first().filter(|_| !is_too_much) {
        return codes::text_of_stars(*first, items.iter().map(|item| (*item, file.slice(*item))).collect());
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
    let quoted = quoted(value.trim_end());
    let end = from + value.trim_end().len();
    let mended = [text.get(..from)?, &quoted, text.get(end..)?].concat();
    is_read_further(&mended, start).then(|| file.span(whole.start + from, whole.start + end))
}

/// The items in the line of `place` that begin with `*`, which YAML takes for aliases and could read in quotes. `whole` is the
/// YAML.
fn aliases(file: &SourceFile, whole: Span, place: Span) -> Option<Vec<Span>> {
    let text = file.slice(whole);
    let at = place.start.checked_sub(whole.start)?.min(text.len());
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let items = items_with_stars(text.get(start..)?.lines().next()?);
    let mut mended = text.to_owned();
    for item in items.iter().rev() {
        let range = start + item.start..start + item.end;
        let quoted = quoted(text.get(range.clone())?);
        mended.replace_range(range, &quoted);
    }
    let first = whole.start + start;
    let spans: Vec<Span> = items.iter().map(|item| file.span(first + item.start, first + item.end)).collect();
    is_read_further(&mended, start).then_some(spans)
}

/// The places of the items in a line that begin with `*`: behind a bracket, a comma, a key or the mark of an item.
fn items_with_stars(line: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in line.match_indices('*') {
        let before = line.get(..at).unwrap_or_default().trim_end();
        let is_apart = line.get(..at).is_some_and(|before| before.ends_with([' ', '[', ',', '{']));
        let begins = is_apart && (before.is_empty() || before.ends_with(['[', ',', ':', '-', '{']));
        if begins && found.last().is_none_or(|last| last.end <= at) {
            let rest = line.get(at..).unwrap_or_default();
            let length = rest.find([',', ']', '}']).or_else(|| rest.find(" #")).unwrap_or(rest.len());
            let item = rest.get(..length).unwrap_or_default().trim_end();
            found.push(at..at + item.len());
        }
    }
    found
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

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
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
        let edits = &told.first()?.helps.first()?.edits;
        let mut mended = text.to_owned();
        for edit in edits.iter().rev() {
            mended.replace_range(edit.span.start..edit.span.end, &edit.replacement);
        }
        (!edits.is_empty()).then_some(mended)
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
            ("include: [*]", "include: ['*']"),
            ("a: 1\ninclude: [*, a, *_b] # all\nb: 2", "a: 1\ninclude: ['*', a, '*_b'] # all\nb: 2"),
            (
                "s: { tables: { include: [*.orders], names: as_is } }",
                "s: { tables: { include: ['*.orders'], names: as_is } }",
            ),
            ("include:\n  - *\n", "include:\n  - '*'\n"),
            ("include: *", "include: '*'"),
            ("include: [*,*]", "include: ['*','*']"),
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
        for text in ["a: [*, 'b", "a: [1, 2", "a: \"ends here", "a: { b: c: d }"] {
            assert_eq!(edited(text), None, "{text}");
        }
    }
}
