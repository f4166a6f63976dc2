//! What looks like a header and is none: a comment with marks that are nearly right, or with the settings of a header
//! inside. Who writes one means it; to read it as a comment would drop its scopes and limits without a word.
//!
//! Comments are free otherwise, banners of hyphens too: the fewer the marks, the more the inside must look like settings.

use super::SHAPE;
use super::comment::is_blank;
use super::marks::{Dashes, OPEN, dashes, dashes_at_end};
use crate::diagnostic::Diagnostics;
use crate::name::{Likeness, near};
use crate::project::Header;
use crate::source::Sources;
use crate::yaml::Document;

/// Settings that say what a tool is called and what it is for. Comments say such things too.
const TELLING: [&str; 7] = ["name", "title", "description", "version", "tags", "icons", "meta"];

/// A block comment that looks like a header, by its parts. The bytes are counted from the comment's first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Look {
    /// One past the opening mark.
    pub(super) open: usize,
    /// Where the closing mark begins.
    pub(super) close: usize,
    /// What stands between, as YAML.
    pub(super) yaml: String,
    /// Whether that is how it is written: no `*` stands before its lines.
    pub(super) is_plain: bool,
}

/// What a block comment with its marks says, where it looks like a header.
pub(super) fn of_block(comment: &str) -> Option<Look> {
    let inner = comment.strip_prefix("/*")?.strip_suffix("*/")?;
    let lead = inner.len() - inner.trim_start_matches(|c| is_blank(c) || matches!(c, '*' | '!')).len();
    let opening = dashes(inner.get(lead..)?.chars());
    let bare = inner.trim_end_matches(|c| is_blank(c) || c == '*');
    let closing = dashes_at_end(bare);
    let (from, to) = (lead + opening.bytes, bare.len() - closing.bytes);
    let content = inner.get(from..to)?;
    if content.trim_matches(is_blank).is_empty() {
        return None;
    }
    let opens_alone = content.split('\n').next().is_some_and(|line| line.trim_matches(is_blank).is_empty());
    let closes_alone = content.rsplit('\n').next().is_some_and(|line| line.trim_matches(is_blank).is_empty());
    let is_starred = content.lines().skip(1).all(|line| {
        let line = line.trim_start_matches(is_blank);
        line.is_empty() || line.starts_with('*')
    }) && content.contains('\n');
    let yaml = if is_starred { unstarred(content) } else { content.to_owned() };
    let few = |dashes: Dashes| (2..=4).contains(&dashes.count);
    let fence = opening.count == 3 && opens_alone;
    let nearly = few(opening) && opens_alone || few(closing) && closes_alone && opening.count < 5;
    let marked = opening.count >= 2 || closing.count >= 2;
    let looks = fence
        || nearly && words(&yaml).any(|word| word.starts_with(char::is_lowercase) || is_key(&word.to_lowercase()))
        || marked && words(&yaml).chain(settings(&yaml)).any(is_key)
        || protects(&yaml);
    // Without hyphens, the marks are those of the comment.
    let open = 2 + if opening.bytes > 0 { from } else { 0 };
    let close = 2 + if closing.bytes > 0 { to } else { bare.len() };
    looks.then_some(Look { open, close, yaml, is_plain: !is_starred })
}

/// The YAML of a header that is written as lines with `--` in front.
pub(super) fn of_lines(comment: &str) -> Option<String> {
    let lines = || {
        comment.lines().map(|line| {
            let line = line.trim_start_matches(is_blank).trim_start_matches('-');
            line.strip_prefix(' ').unwrap_or(line)
        })
    };
    let is_fence = |line: &&str| line.trim_matches(is_blank) == "---";
    let is_mark = |line: &&str| line.trim_matches(is_blank).starts_with("/*--") || line.trim_end().ends_with("-*/");
    let kept: Vec<&str> = lines().filter(|line| !is_fence(line) && !is_mark(line)).collect();
    let yaml = kept.join("\n") + "\n";
    // A line of five hyphens is a line.
    let fenced = comment.lines().any(|line| line.trim_matches(is_blank) == "-- ---");
    let looks = lines().any(|line| line.trim_matches(is_blank).starts_with(OPEN))
        || fenced && words(&yaml).any(is_key)
        || protects(&yaml);
    looks.then_some(yaml)
}

/// Where a header begins inside of a block comment, in a line of its own.
pub(super) fn swallowed(comment: &str) -> Option<usize> {
    let mut at = 0;
    for line in comment.split_inclusive('\n') {
        let bare = line.trim_start_matches(is_blank);
        if at > 0 && bare.starts_with(OPEN) && !bare.starts_with("/*----") {
            return Some(at + line.len() - bare.len());
        }
        at += line.len();
    }
    None
}

/// A comment's text without the `*` before its lines.
fn unstarred(content: &str) -> String {
    let bare = |line: &str| {
        let line = line.trim_start_matches(is_blank);
        let line = line.strip_prefix('*').unwrap_or(line);
        line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n"
    };
    content.lines().map(bare).collect()
}

/// The words that lines begin with and a colon follows, as keys do.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start_matches(|c| is_blank(c) || matches!(c, '{' | '"' | '\''));
        let end = line.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(line.len());
        let (word, rest) = line.split_at_checked(end)?;
        let rest = rest.trim_start_matches(['"', '\'']).trim_start_matches(is_blank).strip_prefix(':')?;
        (word.starts_with(char::is_alphabetic) && !rest.starts_with([':', '/', '='])).then_some(word)
    })
}

/// The words that lines begin with and `=` follows, as settings of other formats do.
fn settings(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.split_once(" =").map(|(word, _)| word.trim_matches(is_blank)))
}

/// Whether a word is a key of headers, or a slip of one. Words with capitals are those of sentences.
fn is_key(word: &str) -> bool {
    let near = near(word, SHAPE.keys());
    !word.contains(char::is_uppercase) && near.is_some_and(|near| near.likeness != Likeness::Similar)
}

/// Whether a text, or a line of it, is all that a header says, and more than what the tool is for.
fn protects(text: &str) -> bool {
    let is_more = |text: &str| words(text).any(|word| !TELLING.contains(&word) && SHAPE.keys().any(|key| key == word));
    is_more(text) && (reads(text) || text.lines().any(|line| is_more(line) && reads(line)))
}

/// Whether a text is YAML that says something: its keys may be wrong.
pub(super) fn is_mapping(text: &str) -> bool {
    let (mut sources, mut unheard) = (Sources::default(), Diagnostics::default());
    let id = sources.add("comment", text);
    let document = sources.get(id).and_then(|file| Document::parse(file, file.whole(), &mut unheard));
    document.is_some_and(|document| document.value.is_object())
}

/// Whether a text is the YAML of a header.
pub(super) fn reads(text: &str) -> bool {
    let (mut sources, mut unheard) = (Sources::default(), Diagnostics::default());
    let id = sources.add("comment", text);
    let document = sources.get(id).and_then(|file| Document::parse(file, file.whole(), &mut unheard));
    document.and_then(|document| document.read::<Header>(&SHAPE, &mut unheard)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_are_nearly_right_are_seen() {
        for (open, close) in [
            ("/* ---", "--- */"),
            ("/*--", "--*/"),
            ("/*----", "----*/"),
            ("/*\n---", "---\n*/"),
            ("/**---", "---**/"),
            ("/*\u{2014}", "\u{2014}*/"),
            ("/*\u{a0}---", "---*/"),
            ("/*", "---*/"),
            ("/*-", "---*/"),
            ("/* ---", "*/"),
            ("/*", "*/"),
        ] {
            let comment = format!("{open}\nscopes: [admin]\n{close}");
            let look = of_block(&comment).unwrap_or_else(|| panic!("{comment}"));
            assert_eq!(look.yaml.trim(), "scopes: [admin]", "{comment}");
            assert_eq!(comment.get(look.open..look.close).unwrap().trim(), "scopes: [admin]", "{comment}");
        }
        for comment in [
            "/* --- scopes: [admin] --- */",
            "/*---- { scopes: [admin] } ----*/",
            "/*\n * scopes: [admin]\n */",
            "/* ---\npermission: [admin]\n--- */",
            "/*--\npermission: [admin]\n--*/",
            "/*-----\nscope: [admin]\n-----*/",
            "/*\nparams: { a: { from: claim.a } }\n*/",
            "/*----\nScopes: [admin]\n----*/",
            "/*===\nscopes: [admin]\n===*/",
            "/*+++\nscopes = [\"admin\"]\n+++*/",
            "/* Licence: MIT\n   scopes: [admin] */",
        ] {
            assert!(of_block(comment).is_some(), "{comment}");
        }
    }

    #[test]
    fn comments_are_free_otherwise() {
        for comment in [
            "/* Orders by status. */",
            "/*-----\n  Orders by status.\n-----*/",
            "/*----------\n Author: Jane\n Description: all of it\n----------*/",
            "/*---- the second part ----*/",
            "/* -- and so on -- */",
            "/*--\nAND x = y::int\n--*/",
            "/*======\n Orders\n======*/",
            "/*--\nx = 1\n--*/",
            "/* licence: MIT, see https://example.com */",
            "/*\n params: the customer, the day\n returns: rows\n*/",
            "/*\ndescription: Orders by status.\n*/",
            "/* TODO: scopes */",
            "/***********\n * Orders\n ***********/",
            "/*+ hint */",
            "/**/",
            "/*----*/",
        ] {
            assert_eq!(of_block(comment), None, "{comment}");
        }
        for comment in [
            "-- Copyright 2024",
            "-----\n-- Orders\n-----",
            "-- name: Orders :many",
            "-- TODO: timeout: 30s is too short",
            "-- params: customer, day",
        ] {
            assert_eq!(of_lines(comment), None, "{comment}");
        }
    }

    #[test]
    fn lines_that_say_what_a_header_says_are_seen() {
        for comment in [
            "-- scopes: [admin]",
            "-- ---\n-- description: Orders.\n-- ---",
            "--- /*---\n-- scopes: [admin]\n-- ---*/",
            "-- /*---\n-- scope: [admin]\n-- ---*/",
            "--scopes: [admin]\n--timeout: 5s",
            "-- Copyright 2024\n-- scopes: [admin]",
        ] {
            assert!(of_lines(comment).is_some(), "{comment}");
        }
        assert_eq!(of_lines("-- /*---\n-- a: 1\n--   b: 2\n-- ---*/").as_deref(), Some("a: 1\n  b: 2\n"));
    }

    #[test]
    fn a_header_inside_of_a_comment_is_seen() {
        assert_eq!(swallowed("/* licence\n /*---\na: 1\n---*/\n*/"), Some(12));
        assert_eq!(swallowed("/*---\na: 1\n---*/"), None);
        assert_eq!(swallowed("/* a\n/*----- b ----*/ */"), None);
    }
}
