//! Diagnostics in writing: for people, for editors, for programs and for code hosts. One file per format; what several
//! of them need is here. Places have their path as seen from where the reader stands ([`Sources::show_below`]).

mod github;
mod json;
mod sarif;
mod short;
mod text;

use super::{Diagnostic, Help, Severity};
use crate::source::{Sources, Span};
use annotate_snippets::normalize_untrusted_str;
use serde::Serialize;

/// How diagnostics are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// The source with the message below it, as rustc does.
    #[default]
    Text,
    /// `path:line:column: severity[code]: message`, one line each.
    Short,
    /// One JSON object a line.
    Json,
    /// One SARIF 2.1.0 document for all of them.
    Sarif,
    /// Workflow commands of GitHub Actions, one line each.
    Github,
}

/// Renders them all, each followed by a line break; text is separated by empty lines. Only text has colours.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, format: Format, colour: bool) -> String {
    let all = diagnostics.iter();
    match format {
        Format::Text => all.map(|diagnostic| text::text(diagnostic, sources, colour) + "\n\n").collect(),
        Format::Short => all.map(|diagnostic| short::line(diagnostic, sources) + "\n").collect(),
        Format::Json => all.map(|diagnostic| json::object(diagnostic, sources) + "\n").collect(),
        Format::Sarif => sarif::document(diagnostics, sources) + "\n",
        Format::Github => all.map(|diagnostic| github::command(diagnostic, sources) + "\n").collect(),
    }
}

/// A place as programs read it: path, lines and columns from 1 (columns in characters), bytes from 0.
#[derive(Debug, Serialize)]
struct Place<'a> {
    path: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start_byte: usize,
    end_byte: usize,
}

impl<'a> Place<'a> {
    fn of(span: Span, sources: &'a Sources) -> Option<Place<'a>> {
        let file = sources.get(span.file)?;
        let (start, end) = (file.location(span.start), file.location(span.end));
        Some(Place {
            path: file.shown(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            start_byte: span.start,
            end_byte: span.end,
        })
    }
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// The path of a file that a diagnostic is about without a place in it; it is shown at the file's beginning.
fn path_of(diagnostic: &Diagnostic, sources: &Sources) -> Option<String> {
    diagnostic.path.as_ref().map(|path| sources.shown(path))
}

/// Message, what stands at its place, notes and helps, one a line: all that there is to say where the source is not
/// shown.
fn in_words(diagnostic: &Diagnostic) -> String {
    let mut lines = vec![normalize_untrusted_str(&diagnostic.message)];
    let label = diagnostic.primary.iter().filter(|label| !label.text.is_empty());
    lines.extend(label.map(|label| normalize_untrusted_str(&label.text)));
    lines.extend(diagnostic.notes.iter().map(|note| format!("note: {}", normalize_untrusted_str(note))));
    lines.extend(diagnostic.helps.iter().map(|help| format!("help: {}", help_in_words(help))));
    lines.join("\n")
}

/// The suggestion with the text that its edit would write.
fn help_in_words(help: &Help) -> String {
    let text = normalize_untrusted_str(&help.text);
    match help.edits.as_slice() {
        [edit] if !edit.replacement.trim().is_empty() => {
            format!("{text}: `{}`", normalize_untrusted_str(edit.replacement.trim()))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn a_hidden_line_is_drawn_in_no_format() {
        let mut sources = Sources::default();
        let id = sources.add("qtool.yaml", "pass: hunter2\nother: 1");
        let place = sources.get(id).unwrap().span(0, 4);
        let whole = sources.get(id).unwrap().span(0, 13);
        let diagnostic = Diagnostic::at(Code::UnknownKey, place, "unknown key `pass`")
            .label("unknown key")
            .also(whole, "here")
            .fix("leave it out", whole, "")
            .fix("name a variable", place, "pass_env");
        for format in [Format::Text, Format::Short, Format::Json, Format::Sarif, Format::Github] {
            let written = render(&[diagnostic.clone().hides_line()], &sources, format, false);
            assert!(!written.contains("hunter2") && written.contains("unknown key"), "{format:?}: {written}");
        }
        let drawn = render(std::slice::from_ref(&diagnostic), &sources, Format::Text, false);
        let hidden = render(&[diagnostic.hides_line()], &sources, Format::Text, false);
        assert!(drawn.contains("hunter2"), "{drawn}");
        for told in ["qtool.yaml:1:1", "leave it out", "name a variable: `pass_env`"] {
            assert!(hidden.contains(told), "{told}: {hidden}");
        }
    }

    #[test]
    fn in_words_nothing_is_left_out_and_nothing_controls_a_terminal() {
        let mut sources = Sources::default();
        let id = sources.add("queries/a.sql", "SELECT statuss");
        let place = sources.get(id).unwrap().span(7, 14);
        let diagnostic = Diagnostic::at(Code::UnknownColumn, place, "column `\u{1b}[31m` not found")
            .label("unknown column")
            .note("there are `id`")
            .fix("a column with a similar name exists", place, "status")
            .fix("close it", place.after(), " >>")
            .help("look again");
        assert_eq!(
            in_words(&diagnostic),
            "column `␛[31m` not found\nunknown column\nnote: there are `id`\n\
             help: a column with a similar name exists: `status`\nhelp: close it: `>>`\nhelp: look again"
        );
    }
}
