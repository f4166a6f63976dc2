//! A query that the compiler writes around SQL of an author which stands elsewhere, and where its parts are written.

use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Edit, Help, Label};
use crate::project::{Project, ProjectFile, QueryFile};
use crate::source::{Sources, Span};
use crate::syntax::outline_of_expression;
use crate::yaml::Document;
use std::collections::HashMap;

/// A query around SQL of an author.
pub(super) struct GuestText {
    pub(super) sql: String,
    parts: Vec<Part>,
    /// Where all else is told.
    place: Span,
}

/// SQL of the author.
struct Part {
    start: usize,
    end: usize,
    /// Where it is written.
    span: Span,
    /// Whether each of its bytes stands there.
    is_verbatim: bool,
}

impl GuestText {
    /// One that begins with something else. `place` is where what is found there is told.
    pub(super) fn new(sql: &str, place: Span) -> GuestText {
        GuestText { sql: sql.to_owned(), parts: Vec::new(), place }
    }

    /// Adds SQL that no author has written.
    pub(super) fn push_str(&mut self, sql: &str) {
        self.sql.push_str(sql);
    }

    /// Adds SQL of the author, which stands in `qtool.yaml` at that place.
    pub(super) fn push_part(&mut self, project: &Project, written: Span, sql: &str) {
        let (span, is_verbatim) = place_of(project, written, sql);
        let start = self.sql.len();
        self.sql.push_str(sql);
        self.parts.push(Part { start, end: self.sql.len(), span, is_verbatim });
    }

    /// The project that it is compiled in as a query of that name, with settings of its own.
    pub(super) fn project(&self, name: &str, settings: &str, file: ProjectFile, catalog: Catalog) -> Option<Project> {
        let mut sources = Sources::default();
        let yaml = sources.add("qtool.yaml", "");
        let own = sources.add(format!("queries/{name}.sql"), self.sql.as_str());
        let sidecar = sources.add(format!("queries/{name}.yaml"), settings);
        let document = Document::empty(sources.get(yaml)?.whole());
        let query = QueryFile { sidecar: Some(sidecar), ..QueryFile::alone(own, name) };
        Some(Project {
            sources,
            file,
            document,
            queries: vec![query],
            prompts: Vec::new(),
            catalog,
            allowed_values: HashMap::new(),
            statements: HashMap::new(),
            records: Default::default(),
            upstreams: Default::default(),
        })
    }

    /// What is found in the query of that project, told of where its SQL is written. What would be edited there is told in words
    /// alone, where the text is not the author's.
    pub(super) fn told(&self, found: Diagnostic, guest: &Project) -> Diagnostic {
        // Its settings are nobody's.
        let is_own = |span: Span| guest.queries.first().is_some_and(|query| query.file == span.file);
        let place = |span: Span| self.span(span).filter(|_| is_own(span));
        let label = |label: Label| Label { span: place(label.span).unwrap_or(self.place), ..label };
        let help = |help: Help| {
            let edit = |edit: &Edit| {
                Some(Edit { span: self.exactly(edit.span).filter(|_| is_own(edit.span))?, ..edit.clone() })
            };
            let edits = help.edits.iter().map(edit).collect::<Option<_>>().unwrap_or_default();
            Help { edits, ..help }
        };
        let secondary = found.secondary.into_iter().filter(|label| place(label.span).is_some());
        Diagnostic {
            primary: Some(found.primary.map_or(Label { span: self.place, text: String::new() }, label)),
            secondary: secondary.map(label).collect(),
            helps: found.helps.into_iter().map(help).collect(),
            path: None,
            ..found
        }
    }

    /// Where a part of the query is written; of what reaches beyond it, the first part that is in it. `None` of what the author
    /// has not written so.
    fn span(&self, of: Span) -> Option<Span> {
        let is_in = |part: &&Part| part.start <= of.start && of.end <= part.end && of.start < part.end;
        let Some(part) = self.parts.iter().find(is_in) else {
            let meets = |part: &&Part| of.start < part.end && part.start < of.end;
            return self.parts.iter().find(meets).map(|part| part.span);
        };
        if !part.is_verbatim {
            return Some(part.span);
        }
        let start = part.span.start + (of.start - part.start);
        Some(Span { start, end: start + (of.end - of.start), ..part.span })
    }

    /// The same of what stands there byte by byte.
    fn exactly(&self, of: Span) -> Option<Span> {
        let is_in = |part: &Part| part.is_verbatim && part.start <= of.start && of.end <= part.end;
        self.parts.iter().any(is_in).then(|| self.span(of)).flatten()
    }
}

/// Where a text is written in what is written at a place, and whether each of its bytes stands there.
pub(super) fn place_of(project: &Project, written: Span, sql: &str) -> (Span, bool) {
    let file = project.sources.get(written.file);
    let at = file.and_then(|file| file.slice(written).find(sql));
    match (file, at) {
        (Some(file), Some(at)) => (file.span(written.start + at, written.start + at + sql.len()), true),
        _ => (written, false),
    }
}

/// Whether a placeholder of that name is in it.
pub(super) fn asks_for(sql: &str, parameter: &str) -> bool {
    match outline_of_expression(sql) {
        Ok(outline) => outline.placeholders.iter().any(|name| name.eq_ignore_ascii_case(parameter)),
        // What is wrong with it is told.
        Err(_) => sql.contains(parameter),
    }
}

/// A name as SQL has it.
pub(super) fn quoted_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
