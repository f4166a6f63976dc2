//! Where the header of a query file stands, and where its statement begins.

use super::comment::{self, is_blank};
use super::marks::{CLOSE, OPEN, dash, dashes_at_end};
use crate::diagnostic::{Diagnostics, codes};
use crate::source::{SourceFile, Span};

/// The parts of a query file.
#[derive(Debug, Clone, Copy)]
pub(in crate::syntax) struct Extent {
    /// The header with its marks, where there is one.
    pub(super) header: Option<Span>,
    /// Its YAML; empty where there is none.
    pub(in crate::syntax) yaml: Span,
    /// Where the SQL begins, with the comments before it.
    pub(in crate::syntax) body: usize,
}

/// Finds the parts. Comments and blank lines may stand before the header. `None` where it never ends.
pub(in crate::syntax) fn extent(file: &SourceFile, sink: &mut Diagnostics) -> Option<Extent> {
    let text = file.text.as_ref();
    let mut at = comment::skip_blanks(text, 0);
    while let Some(found) = comment::next(text, at).filter(|_| !is_open(text, at)) {
        at = comment::skip_blanks(text, found.end);
    }
    if !is_open(text, at) {
        let body = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
        return Some(Extent { header: None, yaml: file.span(body, body), body });
    }
    let start = at + OPEN.len();
    let close = close(text, start);
    if let Some(problem) = close.problem(file, at) {
        sink.push(problem);
    }
    let (yaml_end, body) = close.marks()?;
    Some(Extent { header: Some(file.span(at, body)), yaml: file.span(start, yaml_end), body })
}

/// Whether a header begins at a byte. `/*----` is none: what it is, is for [`super::look`] to say.
fn is_open(text: &str, at: usize) -> bool {
    let rest = text.get(at..).and_then(|rest| rest.strip_prefix(OPEN));
    rest.is_some_and(|rest| !rest.starts_with('-') || rest.starts_with(CLOSE))
}

/// How a header ends. The bytes are those from which to which the mark stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Close {
    /// As it must.
    Right(usize, usize),
    /// With a mark that is nearly right.
    Nearly(usize, usize),
    /// Not at all; the place where the end may be missing, and what belongs there.
    Missing(Option<(usize, usize, &'static str)>),
}

impl Close {
    fn marks(self) -> Option<(usize, usize)> {
        match self {
            Close::Right(start, end) | Close::Nearly(start, end) => Some((start, end)),
            Close::Missing(_) => None,
        }
    }

    fn problem(self, file: &SourceFile, open: usize) -> Option<crate::diagnostic::Diagnostic> {
        let open = file.span(open, open + OPEN.len());
        match self {
            Close::Right(..) => None,
            Close::Nearly(start, end) => Some(codes::nearly_closed_header(file.span(start, end), open)),
            Close::Missing(edit) => {
                let edit = edit.map(|(start, end, mark)| (file.span(start, end), mark));
                Some(codes::unclosed_header(open, edit))
            }
        }
    }
}

/// Looks for the end of the header whose YAML begins at `start`. `*/` may stand inside of it, as in a pattern.
fn close(text: &str, start: usize) -> Close {
    let rest = text.get(start..).unwrap_or_default();
    let mut first = None;
    for (at, _) in rest.match_indices("*/") {
        let before = rest.get(..at).unwrap_or_default();
        let bare = before.trim_end_matches(is_blank_in_line);
        let dashes = dashes_at_end(bare);
        let line = bare.get(bare.rfind('\n').map_or(0, |line| line + 1)..).unwrap_or_default();
        let inside = line.get(..line.len().saturating_sub(dashes.bytes)).unwrap_or_default();
        let (mark, end) = (start + bare.len() - dashes.bytes, start + at + 2);
        let is_alone = line.trim_matches(|c| is_blank(c) || dash(c) > 0).is_empty() && before.contains('\n');
        if before.ends_with("---") && dashes.bytes == 3 && (!is_alone || inside.trim_matches(is_blank).is_empty()) {
            return Close::Right(mark, end);
        }
        if is_alone {
            return Close::Nearly(start + bare.len() - line.trim_start_matches(is_blank).len(), end);
        }
        if dashes.bytes > 0 && inside.ends_with(is_blank) || dashes.count >= 3 {
            return Close::Nearly(mark, end);
        }
        first = first.or(Some((start + bare.len(), end, " ---*/")));
    }
    Close::Missing(first.or_else(|| before_statement(rest, start)))
}

/// Where the end belongs of a header that the statement follows: in the place of a line of hyphens, or before the
/// statement.
fn before_statement(rest: &str, start: usize) -> Option<(usize, usize, &'static str)> {
    let at = statement(rest)?;
    let before = rest.get(..at)?.trim_end_matches(is_blank);
    let line = before.rfind('\n').map_or(0, |line| line + 1);
    let last = before.get(line..)?;
    if line > 0 && !last.is_empty() && last.chars().all(|c| dash(c) > 0) {
        return Some((start + line, start + before.len(), CLOSE));
    }
    Some((start + at, start + at, "---*/\n"))
}

fn is_blank_in_line(c: char) -> bool {
    is_blank(c) && c != '\n'
}

/// Where a line begins as statements do.
fn statement(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let word: String = line.chars().take_while(char::is_ascii_alphabetic).collect();
        if ["select", "with", "values", "from"].contains(&word.to_lowercase().as_str())
            && !line.get(word.len()..).is_some_and(|rest| rest.starts_with(':'))
        {
            return Some(at);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn parts(text: &str) -> Result<(String, String), String> {
        let mut sources = Sources::default();
        let id = sources.add("queries/q.sql", text);
        let (file, mut sink) = (sources.get(id).unwrap(), Diagnostics::default());
        let found = extent(file, &mut sink);
        match (sink.into_sorted().first(), found) {
            (None, Some(found)) => Ok((file.slice(found.yaml).to_owned(), text.get(found.body..).unwrap().to_owned())),
            (problem, _) => Err(file.slice(problem.unwrap().primary.as_ref().unwrap().span).to_owned()),
        }
    }

    #[test]
    fn comments_and_blanks_may_stand_before_the_header() {
        for before in [
            "",
            "\u{feff}",
            "\n\r\n",
            "\u{a0}\u{2003}\u{200b}",
            "-- Copyright\n",
            "-- a\n-- b\n\n",
            "/* licence */\n",
            "/* a /* b */ */ ",
            "/*-----\n Orders.\n-----*/\n",
            "\u{feff}-- a\r\n/* b */\r\n",
        ] {
            let found = parts(&format!("{before}/*---\na: 1\n---*/\nSELECT 1"));
            assert_eq!(found, Ok(("\na: 1\n".to_owned(), "\nSELECT 1".to_owned())), "{before:?}");
        }
        for without in ["SELECT 1 /*---\na: 1\n---*/", "-- a\nSELECT 1", "/*-----\nx\n-----*/ SELECT 1", ""] {
            assert_eq!(parts(without), Ok((String::new(), without.to_owned())));
        }
    }

    #[test]
    fn an_end_that_is_nearly_one_is_told() {
        for mark in ["--- */", "----*/", "--*/", "-*/", "*/", "-- -*/", "\u{2014}*/", "---\u{a0}*/"] {
            let told = parts(&format!("/*---\na: 1\n{mark}\nSELECT 1 /* ---*/")).unwrap_err();
            assert!(mark.ends_with(&told) && told.ends_with("*/"), "{mark:?} {told:?}");
        }
        assert_eq!(parts("/*--- a: 1 --- */ SELECT 1"), Err("--- */".to_owned()));
        assert_eq!(parts("/*--- a: 1 */ SELECT 1"), Err("/*---".to_owned()));
        assert_eq!(parts("/*---\na: 1\nSELECT 1"), Err("/*---".to_owned()));
        let pattern = Ok((" a: 'x*/y' ".to_owned(), String::new()));
        assert_eq!(parts("/*--- a: 'x*/y' ---*/"), pattern);
    }
}
