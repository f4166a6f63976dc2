//! The constructors of what is said about headers that are not read, and of files that are not.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A header that never ends. `end` is where it may, and what belongs there.
pub fn unclosed_header(open: Span, end: Option<(Span, &str)>) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::UnclosedHeader, open, "the header is not closed").label("opened here");
    let help = "end the header with `---*/`";
    match end {
        Some((place, mark)) => diagnostic.fix(help, place, mark),
        None => diagnostic.help(help),
    }
}

/// A header that ends with a mark that is nearly right, at a place.
pub fn nearly_closed_header(mark: Span, open: Span) -> Diagnostic {
    Diagnostic::at(Code::UnclosedHeader, mark, "the header is not closed")
        .label("three hyphens, and nothing between them and `*/`")
        .also(open, "opened here")
        .fix("end the header with `---*/`", mark, "---*/")
}

/// A comment with marks or settings of a header that is none.
pub fn nearly_header(place: Span) -> Diagnostic {
    unread(place, "the comment looks like a header and is none")
        .label("a header stands between `/*---` and `---*/`")
        .note("a comment is no header whose words are those of a sentence")
}

/// Settings in lines that begin with `--`.
pub fn header_of_lines(place: Span) -> Diagnostic {
    unread(place, "the lines look like a header and are comments").label("a header stands between `/*---` and `---*/`")
}

/// A header that does not stand before the statement.
pub fn header_behind_statement(place: Span) -> Diagnostic {
    unread(place, "the header stands behind the beginning of the statement").label("it is not read here")
}

/// A header beside another. `first` is where that one begins.
pub fn second_header(place: Span, first: Span) -> Diagnostic {
    unread(place, "the file has two headers").label("it is not read").also(first, "the first one")
}

/// A header inside of a comment that begins at `comment`.
pub fn header_in_comment(place: Span, comment: Span) -> Diagnostic {
    unread(place, "the header stands inside of a comment").label("it is not read here").also(comment, "the comment")
}

fn unread(place: Span, message: &str) -> Diagnostic {
    Diagnostic::at(Code::UnreadHeader, place, message)
}

/// A file that is called nearly as one that is read. `why` says what is wrong with its name, `rename` what to call it.
pub fn misnamed_file(path: &str, why: &str, rename: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::in_file(Code::MisnamedFile, path, format!("`{path}` is not read: {why}"));
    match rename {
        Some(name) => diagnostic.help(format!("rename it to `{name}`")),
        None => diagnostic.help("rename it, or move it away"),
    }
}
