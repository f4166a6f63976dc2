//! The source with the message below it, for people, as rustc does.

use super::{Place, help_in_words};
use crate::diagnostic::{Diagnostic, Help, Label, Severity};
use crate::source::{SourceFile, Sources};
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet, normalize_untrusted_str,
};

/// The message with its source, without a line break at the end.
pub(super) fn text(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    // Messages may quote names from data and from SQL: control characters must not reach the terminal.
    let message = normalize_untrusted_str(&diagnostic.message);
    let notes: Vec<String> = diagnostic.notes.iter().map(|note| normalize_untrusted_str(note)).collect();
    let help_words = |help: &Help| match diagnostic.hides_line {
        true => help_in_words(help),
        false => normalize_untrusted_str(&help.text),
    };
    let helps: Vec<String> = diagnostic.helps.iter().map(help_words).collect();

    let title = level.primary_title(message.as_str()).id(diagnostic.code.as_str());
    let mut main = Group::with_title(title);
    if diagnostic.hides_line {
        let labels = diagnostic.primary.iter().chain(&diagnostic.secondary);
        for place in labels.filter_map(|label| Place::of(label.span, sources)) {
            main = main.element(Origin::path(place.path).line(place.line).char_column(place.column));
        }
    } else {
        for file in files_of(diagnostic, sources) {
            main = main.element(annotated(diagnostic, file));
        }
    }
    for note in &notes {
        main = main.element(Level::NOTE.message(note.as_str()));
    }
    let mut groups = Vec::new();
    for (help, words) in diagnostic.helps.iter().zip(&helps) {
        match patched(help, sources).filter(|_| !diagnostic.hides_line) {
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

fn annotated<'a>(diagnostic: &'a Diagnostic, file: &'a SourceFile) -> Snippet<'a, Annotation<'a>> {
    let mut snippet = Snippet::source(file.text.as_ref()).path(file.shown());
    for label in diagnostic.primary.iter().filter(|label| label.span.file == file.id) {
        snippet = snippet.annotation(annotation(AnnotationKind::Primary, label));
    }
    for label in diagnostic.secondary.iter().filter(|label| label.span.file == file.id) {
        snippet = snippet.annotation(annotation(AnnotationKind::Context, label));
    }
    snippet
}

fn annotation(kind: AnnotationKind, label: &Label) -> Annotation<'_> {
    let annotation = kind.span(label.span.start..label.span.end);
    if label.text.is_empty() { annotation } else { annotation.label(label.text.as_str()) }
}

fn patched<'a>(help: &'a Help, sources: &'a Sources) -> Option<Snippet<'a, Patch<'a>>> {
    let file = sources.get(help.edits.first()?.span.file)?;
    let mut snippet = Snippet::source(file.text.as_ref()).path(file.shown());
    for edit in &help.edits {
        snippet = snippet.patch(Patch::new(edit.span.start..edit.span.end, edit.replacement.as_str()));
    }
    Some(snippet)
}
