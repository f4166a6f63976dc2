//! Diagnostics as text for people, as one line for editors, and as JSON for programs.

use super::{Diagnostic, Help, Label, Severity};
use crate::source::{SourceFile, Sources};
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet, normalize_untrusted_str};
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
}

/// Renders them all, each followed by a line break; text is separated by empty lines.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, format: Format, colour: bool) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        match format {
            Format::Text => {
                out.push_str(&text(diagnostic, sources, colour));
                out.push_str("\n\n");
            }
            Format::Short => {
                out.push_str(&short(diagnostic, sources));
                out.push('\n');
            }
            Format::Json => {
                out.push_str(&json(diagnostic, sources));
                out.push('\n');
            }
        }
    }
    out
}

fn short(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = diagnostic
        .primary
        .as_ref()
        .and_then(|label| place(label, sources))
        .map(|place| format!("{}:{}:{}: ", place.path, place.line, place.column))
        .unwrap_or_default();
    let severity = severity_name(diagnostic.severity);
    let message = normalize_untrusted_str(&diagnostic.message);
    format!("{place}{severity}[{}]: {message}", diagnostic.code)
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn text(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    // Messages may quote names from data and from SQL: control characters must not reach the terminal.
    let message = normalize_untrusted_str(&diagnostic.message);
    let notes: Vec<String> = diagnostic.notes.iter().map(|note| normalize_untrusted_str(note)).collect();
    let helps: Vec<String> = diagnostic.helps.iter().map(|help| normalize_untrusted_str(&help.text)).collect();

    let title = level.primary_title(message.as_str()).id(diagnostic.code.as_str());
    let mut main = Group::with_title(title);
    for file in files_of(diagnostic, sources) {
        main = main.element(annotated(diagnostic, file));
    }
    for note in &notes {
        main = main.element(Level::NOTE.message(note.as_str()));
    }
    let mut groups = Vec::new();
    for (help, words) in diagnostic.helps.iter().zip(&helps) {
        match patched(help, sources) {
            Some(snippet) => {
                groups.push(Group::with_title(Level::HELP.secondary_title(words.as_str())).element(snippet));
            }
            None => main = main.element(Level::HELP.message(words.as_str())),
        }
    }
    groups.insert(0, main);
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&groups)
}

/// The files a diagnostic points into, that of the primary label first.
fn files_of<'a>(diagnostic: &Diagnostic, sources: &'a Sources) -> Vec<&'a SourceFile> {
    let mut files: Vec<&SourceFile> = Vec::new();
    for label in diagnostic.primary.iter().chain(&diagnostic.secondary) {
        if let Some(file) = sources.get(label.span.file)
            && !files.iter().any(|seen| seen.id == file.id)
        {
            files.push(file);
        }
    }
    files
}

fn annotated<'a>(diagnostic: &'a Diagnostic, file: &'a SourceFile) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let mut snippet = Snippet::source(file.text.as_ref()).path(file.path.as_str());
    for label in diagnostic.primary.iter().filter(|label| label.span.file == file.id) {
        snippet = snippet.annotation(annotation(AnnotationKind::Primary, label));
    }
    for label in diagnostic.secondary.iter().filter(|label| label.span.file == file.id) {
        snippet = snippet.annotation(annotation(AnnotationKind::Context, label));
    }
    snippet
}

fn annotation(kind: AnnotationKind, label: &Label) -> annotate_snippets::Annotation<'_> {
    let annotation = kind.span(label.span.start..label.span.end);
    if label.text.is_empty() { annotation } else { annotation.label(label.text.as_str()) }
}

fn patched<'a>(help: &'a Help, sources: &'a Sources) -> Option<Snippet<'a, Patch<'a>>> {
    let file = sources.get(help.edits.first()?.span.file)?;
    let mut snippet = Snippet::source(file.text.as_ref()).path(file.path.as_str());
    for edit in &help.edits {
        snippet = snippet.patch(Patch::new(edit.span.start..edit.span.end, edit.replacement.as_str()));
    }
    Some(snippet)
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

#[derive(Serialize)]
struct JsonLabel<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    text: &'a str,
    primary: bool,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    replacement: &'a str,
}

#[derive(Serialize)]
struct JsonHelp<'a> {
    text: &'a str,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: super::Code,
    severity: Severity,
    message: &'a str,
    labels: Vec<JsonLabel<'a>>,
    notes: &'a [String],
    helps: Vec<JsonHelp<'a>>,
}

fn json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let labels = diagnostic
        .primary
        .iter()
        .map(|label| (label, true))
        .chain(diagnostic.secondary.iter().map(|label| (label, false)))
        .filter_map(|(label, primary)| Some(JsonLabel { place: place(label, sources)?, text: &label.text, primary }))
        .collect();
    let helps = diagnostic
        .helps
        .iter()
        .map(|help| JsonHelp {
            text: &help.text,
            edits: help
                .edits
                .iter()
                .filter_map(|edit| {
                    Some(JsonEdit { place: span_place(edit.span, sources)?, replacement: &edit.replacement })
                })
                .collect(),
        })
        .collect();
    let object = JsonDiagnostic {
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: &diagnostic.message,
        labels,
        notes: &diagnostic.notes,
        helps,
    };
    // Strings, numbers and lists only: this serialisation has no way to fail.
    serde_json::to_string(&object).unwrap_or_default()
}

fn place<'a>(label: &Label, sources: &'a Sources) -> Option<Place<'a>> {
    span_place(label.span, sources)
}

fn span_place(span: crate::source::Span, sources: &Sources) -> Option<Place<'_>> {
    let file = sources.get(span.file)?;
    let (start, end) = (file.location(span.start), file.location(span.end));
    Some(Place {
        path: &file.path,
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        start_byte: span.start,
        end_byte: span.end,
    })
}
