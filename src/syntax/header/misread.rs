//! Says where a header stands that is not read, and how it is one.

use super::comment::{self, Comment, Form};
use super::extent::Extent;
use super::look::{self, Look};
use super::marks::{CLOSE, OPEN};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::source::{SourceFile, Span};
use crate::syntax::lexer::Lexed;

/// Reports every comment that is a header and stands in the wrong place, or that looks like one. `tokens` are those of the
/// statement.
pub(in crate::syntax) fn check(file: &SourceFile, extent: &Extent, tokens: &[Lexed], sink: &mut Diagnostics) {
    let text = file.text.as_ref();
    let first = extent.header.map_or(extent.body, |header| header.start);
    let mut gaps = vec![(0, first, Place::Before)];
    let (mut at, mut place) = (extent.body, Place::Before);
    for token in tokens {
        gaps.push((at, token.span.start, place));
        (at, place) = (at.max(token.span.end), Place::Behind);
    }
    gaps.push((at, text.len(), place));
    for (from, to, place) in gaps {
        // Most gaps are one space.
        if to.saturating_sub(from) > 4 {
            for comment in comment::all(text, from, to) {
                if let Some(problem) = (Misread { file, extent, comment, place }).problem() {
                    sink.push(problem);
                }
            }
        }
    }
}

/// Where a comment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the statement.
    Before,
    /// In or behind it.
    Behind,
}

/// A comment that may be a header to its author.
struct Misread<'a> {
    file: &'a SourceFile,
    extent: &'a Extent,
    comment: Comment,
    place: Place,
}

impl Misread<'_> {
    fn problem(&self) -> Option<Diagnostic> {
        let written = self.file.slice(self.span());
        match self.comment.form {
            Form::Lines => {
                let yaml = look::of_lines(written).filter(|_| self.place == Place::Before)?;
                Some(self.offer(codes::header_of_lines(self.mark()), &yaml, None))
            }
            Form::Block if is_header(written) => {
                let yaml = written.get(OPEN.len()..written.len() - CLOSE.len()).unwrap_or_default();
                let problem = match self.extent.header {
                    Some(first) => {
                        codes::second_header(self.mark(), self.file.span(first.start, first.start + OPEN.len()))
                    }
                    None => codes::header_behind_statement(self.mark()),
                };
                Some(self.offer(problem, yaml, None))
            }
            Form::Block => {
                if let Some(at) = look::swallowed(written) {
                    return Some(self.swallowed(self.comment.start + at));
                }
                let look = look::of_block(written)?;
                let problem = codes::nearly_header(self.mark());
                Some(self.offer(problem, &look.yaml, Some(&look)))
            }
        }
    }

    /// A header that begins at a byte inside of the comment.
    fn swallowed(&self, at: usize) -> Diagnostic {
        let Comment { start, end, .. } = self.comment;
        let place = self.file.span(at, at + OPEN.len());
        let problem = codes::header_in_comment(place, self.file.span(start, start + 2));
        let inner = comment::next(self.file.text.as_ref(), at).map_or(end, |inner| inner.end);
        let rest = self.file.span(inner, end);
        let is_alone = self.file.slice(rest).trim() == "*/" && self.extent.header.is_none();
        if is_alone && self.place == Place::Before {
            return problem
                .fixes("end the comment before it", vec![(place.before(), "*/\n".to_owned()), (rest, String::new())]);
        }
        problem.help("end the comment before it, or remove it")
    }

    fn span(&self) -> Span {
        self.file.span(self.comment.start, self.comment.end)
    }

    /// The first line.
    fn mark(&self) -> Span {
        let first = self.file.slice(self.span()).lines().next().unwrap_or_default();
        self.file.span(self.comment.start, self.comment.start + first.trim_end().len())
    }

    /// Adds the edit that makes it a header: where it stands, before the statement, or as a part of the one there is.
    fn offer(&self, problem: Diagnostic, yaml: &str, look: Option<&Look>) -> Diagnostic {
        if let Some(header) = self.extent.header {
            return match self.merged(header, yaml) {
                Some(insert) => {
                    problem.fixes("write it into the header", vec![insert, (self.removed(), String::new())])
                }
                None => problem.help("say it in the header at the beginning of the file"),
            };
        }
        let is_bare = look.is_none_or(|look| look.open == 2);
        if is_bare && !look::reads(yaml) || !look::is_mapping(yaml) {
            // What else stands there is no part of it.
            return problem.help("write the settings between the marks, before the statement");
        }
        let line_break = if yaml.starts_with(['\n', '\r']) || !yaml.contains('\n') { "" } else { "\n" };
        let end = if yaml.ends_with('\n') || !yaml.contains('\n') { "" } else { "\n" };
        let written = format!("{OPEN}{line_break}{yaml}{end}{CLOSE}");
        if self.place == Place::Behind {
            let start = self.file.span(self.extent.body, self.extent.body);
            let edits = vec![(start, written + "\n"), (self.removed(), String::new())];
            return problem.fixes("move it before the statement", edits);
        }
        match look.filter(|look| look.is_plain) {
            Some(look) => {
                let Comment { start, end, .. } = self.comment;
                let before = self.file.slice(self.file.span(start, start + look.close));
                let close = if before.ends_with('\n') || !before.contains('\n') {
                    CLOSE.to_owned()
                } else {
                    format!("\n{CLOSE}")
                };
                let close = if before.ends_with(char::is_whitespace) || close.starts_with('\n') {
                    close
                } else {
                    format!(" {close}")
                };
                let edits = vec![
                    (self.file.span(start, start + look.open), OPEN.to_owned()),
                    (self.file.span(start + look.close, end), close),
                ];
                problem.fixes("write it as a header", edits)
            }
            None => problem.fixes("write it as a header", vec![(self.span(), written)]),
        }
    }

    /// The comment, with its line where it has one for itself.
    fn removed(&self) -> Span {
        let text = self.file.text.as_ref();
        let Comment { start, end, .. } = self.comment;
        let before = text.get(..start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |line| line + 1);
        let begins = before.get(line..).unwrap_or_default().trim().is_empty();
        let rest = text.get(end..).unwrap_or_default();
        let line_end = rest.find('\n').map_or(text.len(), |at| end + at + 1);
        let ends = text.get(end..line_end).unwrap_or_default().trim().is_empty();
        if begins && ends { self.file.span(line, line_end) } else { self.file.span(start, end) }
    }

    /// Where the settings go in the header that there is, and how they are written; `None` where both together are none.
    fn merged(&self, header: Span, yaml: &str) -> Option<(Span, String)> {
        let own = self.file.slice(self.extent.yaml);
        let is_block = |yaml: &str| !yaml.trim_start().starts_with('{');
        let ends = own.ends_with('\n') && is_block(own) && is_block(yaml);
        let added = yaml.trim_matches(['\n', '\r']).trim_end();
        let whole = format!("{own}{added}\n");
        let place = self.file.span(header.end - CLOSE.len(), header.end - CLOSE.len());
        (ends && look::reads(&whole)).then(|| (place, format!("{added}\n")))
    }
}

/// Whether a comment has the marks of a header, and is more than a line of words.
fn is_header(comment: &str) -> bool {
    let bare = comment.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(CLOSE));
    bare.is_some_and(|bare| {
        let is_marked = !bare.starts_with('-') && !bare.ends_with('-');
        is_marked && (bare.contains('\n') || look::words(bare).next().is_some())
    })
}
