//! What is nearly a header is refused, and is one when its edit is carried out.

use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::project::QueryFile;
use crate::source::{Sources, Span};
use crate::syntax::{HeaderFault, ParsedQuery, parse};
use crate::yaml::Document;

fn read(text: &str) -> (Option<(ParsedQuery, Option<HeaderFault>)>, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add("queries/q.sql", text);
    let query = QueryFile::alone(file, "q");
    let place = Span { file, start: 0, end: 0 };
    let mut sink = Diagnostics::default();
    let parsed = parse(&query, &Document::empty(place), &sources, &mut sink);
    (parsed, sink.into_sorted())
}

/// The text after the edits of the first suggestion that has some.
fn edited(text: &str, diagnostic: &Diagnostic) -> Option<String> {
    let help = diagnostic.helps.iter().find(|help| !help.edits.is_empty())?;
    let mut edits = help.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(edit.span.start..edit.span.end, &edit.replacement);
    }
    Some(text)
}

const SCOPES: &str = "scopes: [admin]";

/// Texts whose only fault is their header.
fn near_misses() -> Vec<String> {
    let mut texts = Vec::new();
    for (open, close) in [
        ("/* ---", "--- */"),
        ("/*--", "--*/"),
        ("/*----", "----*/"),
        ("/*--", "*/"),
        ("/*", "---*/"),
        ("/*", "*/"),
        ("/*\n---", "---\n*/"),
        ("/**---", "---**/"),
        ("/*\u{2014}", "\u{2014}*/"),
        ("/*\u{a0}---", "---\u{a0}*/"),
        ("/*-----", "-----*/"),
        ("/*---", "--- */"),
        ("/*---", "----*/"),
        ("/*---", "--*/"),
        ("/*---", "*/"),
        ("/*---", "\u{2014}*/"),
        ("/*---", ""),
        ("/*---", "---"),
    ] {
        for line_break in ["\n", "\r\n"] {
            let header = format!("{open}\n{SCOPES}\n{close}\n").replace('\n', line_break);
            texts.push(format!("{header}SELECT 1 AS one{line_break}"));
            texts.push(format!("-- Copyright{line_break}{line_break}/* MIT */{line_break}{header}SELECT 1 AS one"));
            if open != "/*---" {
                texts.push(format!("SELECT 1 AS one{line_break}{header}"));
                texts.push(format!("SELECT 1{line_break}{header}AS one"));
            }
        }
    }
    texts.extend([
        format!("/* --- {SCOPES} --- */ SELECT 1 AS one"),
        format!("/*--- {SCOPES} --- */ SELECT 1 AS one"),
        format!("/*--- {SCOPES} */ SELECT 1 AS one"),
        format!("/* {{ {SCOPES} }} */ SELECT 1 AS one"),
        format!("/*\n * {SCOPES}\n * result_limit: 5\n */\nSELECT 1 AS one"),
        format!("-- {SCOPES}\nSELECT 1 AS one"),
        format!("-- /*---\n-- {SCOPES}\n-- ---*/\nSELECT 1 AS one"),
        format!("-- ---\n-- {SCOPES}\n-- ---\nSELECT 1 AS one"),
        format!("SELECT 1 AS one /*--- {SCOPES} ---*/"),
        format!("SELECT 1 AS one\n/*---\n{SCOPES}\n---*/\n"),
        format!("/*---\nresult_limit: 5\n---*/\n/*---\n{SCOPES}\n---*/\nSELECT 1 AS one"),
        format!("/*---\nresult_limit: 5\n---*/\nSELECT 1 AS one\n/* ---\n{SCOPES}\n--- */"),
        format!("-- {SCOPES}\n/*---\nresult_limit: 5\n---*/\nSELECT 1 AS one"),
        format!("/* Licence\n/*---\n{SCOPES}\n---*/\n*/\nSELECT 1 AS one"),
    ]);
    texts
}

#[test]
fn what_is_nearly_a_header_is_refused_and_its_edit_makes_it_one() {
    for text in near_misses() {
        let (parsed, problems) = read(&text);
        assert!(parsed.is_none_or(|(_, fault)| fault == Some(HeaderFault::Settings)), "{text:?}");
        let errors: Vec<&Diagnostic> = problems.iter().filter(|one| one.severity == Severity::Error).collect();
        assert_eq!(errors.len(), 1, "{text:?}: {errors:#?}");
        let after = edited(&text, errors[0]).unwrap_or_else(|| panic!("no edit: {text:?}"));
        let (parsed, problems) = read(&after);
        assert_eq!(problems, [], "{text:?} -> {after:?}");
        assert_eq!(parsed.expect("a query").0.header.scopes, ["admin"], "{text:?} -> {after:?}");
    }
}

#[test]
fn comments_that_are_none_change_nothing() {
    for text in [
        "/*-----\n Orders.\n-----*/\nSELECT 1 AS one",
        "SELECT '/*---' AS a, \"/* --- scopes: [x] --- */\" FROM t",
        "-- TODO: scopes\n/* see: the book */\nSELECT 1 AS one -- and so on",
        "SELECT 1 /*--- a ---*/ AS one",
        "SELECT $$/*---\nscopes: [x]\n---*/$$ AS one",
    ] {
        let (parsed, problems) = read(text);
        assert_eq!(problems, [], "{text:?}");
        assert!(parsed.is_some_and(|(_, fault)| fault.is_none()), "{text:?}");
    }
}
