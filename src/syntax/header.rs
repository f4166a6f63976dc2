//! The header of a query file and the `.yaml` file beside it.

mod comment;
mod described;
mod extends;
mod extent;
mod look;
mod marks;
mod misread;
mod replaced;

pub(super) use extent::{Extent, extent};
pub(super) use misread::check as check_misread;
pub use replaced::Replaced;

use super::size;
use crate::diagnostic::{Diagnostics, codes};
use crate::name;
use crate::project::{Header, Manifest, QueryFile, QueryForm, Runs, RunsKind};
use crate::source::{FileId, SourceFile, Sources, Span};
use crate::yaml::{Document, Shape};
use serde_json::Value;
use std::collections::HashSet;
use std::sync::LazyLock;

static SHAPE: LazyLock<Shape> = LazyLock::new(Shape::of::<Header>);
static MANIFEST: LazyLock<Shape> = LazyLock::new(Shape::of::<Manifest>);

/// What the header says.
pub(super) struct ReadHeader {
    pub header: Header,
    pub document: Document,
    pub name: String,
    /// Where the header gives the name, if it does.
    pub name_span: Option<Span>,
    pub raw_name: String,
    /// The parameters that only groups of the project speak of.
    pub shared: Vec<String>,
    /// The files of the queries that it extends.
    pub extends: Vec<FileId>,
    /// What it replaces of what guards them.
    pub replaced: Vec<Replaced>,
    /// What runs, where it is that of a manifest.
    pub runs: Option<Runs>,
}

impl ReadHeader {
    /// Where `params` can be written, and what stands around it there: at the end of a header in lines that has none, or
    /// in a new one.
    pub(super) fn place_of_params(&self, file: &SourceFile) -> Option<(Span, &'static str, &'static str)> {
        if self.document.has(&["params"]) || self.document.has(&["params_from"]) {
            return None;
        }
        let extent = extent(file, &mut Diagnostics::default())?;
        let yaml = extent.yaml;
        if extent.header.is_none() {
            return Some((yaml, "/*---\n", "---*/\n"));
        }
        let text = file.slice(yaml);
        let is_in_lines = text.starts_with('\n') && text.ends_with('\n') && !text.trim_start().starts_with('{');
        is_in_lines.then(|| (file.span(yaml.end, yaml.end), "", ""))
    }

    /// What stands in for a header with errors, so that the statement can be looked at.
    pub(super) fn stand_in(query: &QueryFile, file: &SourceFile) -> ReadHeader {
        ReadHeader {
            header: Header::default(),
            document: Document::empty(file.span(0, 0)),
            name: name::snake_case(&query.stem),
            name_span: None,
            raw_name: query.stem.clone(),
            shared: Vec::new(),
            extends: Vec::new(),
            replaced: Vec::new(),
            runs: None,
        }
    }
}

/// Where the YAML of a file stands: its header, or the whole of a manifest.
pub(super) fn yaml_of(query: &QueryFile, file: &SourceFile, sink: &mut Diagnostics) -> Option<Span> {
    match query.form {
        QueryForm::Sql => Some(extent(file, sink)?.yaml),
        QueryForm::Manifest => Some(file.whole()),
    }
}

/// Reads the header, whose YAML stands at `yaml`, the sidecar, and what they take from `project`, which is `qtool.yaml`;
/// `None` where they have errors.
pub(super) fn read(
    query: &QueryFile,
    yaml: Span,
    project: &Document,
    sources: &Sources,
    sink: &mut Diagnostics,
) -> Option<ReadHeader> {
    let file = sources.get(query.file)?;
    let errors = sink.errors();
    let document = self::document(query, yaml, sources, sink)?;
    let own: HashSet<String> = names(&document, "/params").into_iter().collect();
    size::check_header(&document, own.len(), sink)?;
    let document = with_groups(document, project, sink)?;
    let (document, extends, replaced) = extends::extended(document, query, (project, sources), sink)?;
    let (header, runs): (Header, Option<Runs>) = match query.form {
        QueryForm::Sql => (document.read(&SHAPE, sink)?, None),
        QueryForm::Manifest => {
            let manifest: Manifest = document.read_with(&MANIFEST, sink, &check_runs)?;
            (manifest.header, Some(manifest.runs))
        }
    };
    if sink.errors() > errors {
        return None;
    }
    let shared = header.params.keys().filter(|name| !own.contains(*name)).cloned().collect();
    let name_span = header.name.is_some().then(|| document.value_span(&["name"]));
    let raw_name = header.name.clone().unwrap_or_else(|| query.stem.clone());
    let name = query.relatives.name.clone().unwrap_or_else(|| name::snake_case(&raw_name));
    if !name::is_legal(&name) {
        sink.push(codes::invalid_tool_name(name_span.unwrap_or(file.span(0, 0)), &raw_name));
        return None;
    }
    Some(ReadHeader { header, document, name, name_span, raw_name, shared, extends, replaced, runs })
}

/// A manifest says one thing that runs, and nothing of another.
fn check_runs(document: &Document, sink: &mut Diagnostics) {
    let has = |key: &str| document.has(&[key]);
    let kinds: Vec<RunsKind> = RunsKind::ALL.into_iter().filter(|kind| has(kind.key())).collect();
    match kinds.as_slice() {
        [] => sink.push(codes::nothing_runs(document.whole_span().before())),
        [kind] => {
            let others = RunsKind::ALL.into_iter().filter(|other| other != kind);
            let own = kind.keys();
            let written = document.value.as_object().into_iter().flatten().map(|(key, _)| key.as_str());
            let foreign = others.flat_map(RunsKind::keys).filter(|key| !own.contains(key));
            let foreign: HashSet<String> = foreign.collect();
            for key in written.filter(|key| foreign.contains(*key)) {
                sink.push(codes::key_of_other_runs(document.key_span(&[key]), key, kind.key()));
            }
        }
        [first, second, ..] => {
            let place = document.key_span(&[second.key()]);
            sink.push(codes::two_that_run(place, document.key_span(&[first.key()]), (first.key(), second.key())));
        }
    }
}

/// What the header says, with the sidecar.
pub(super) fn document(query: &QueryFile, yaml: Span, sources: &Sources, sink: &mut Diagnostics) -> Option<Document> {
    let document = Document::parse(sources.get(query.file)?, yaml, sink);
    match query.sidecar.and_then(|id| sources.get(id)) {
        // What a function or a program says of itself holds where its manifest says nothing.
        Some(signature) if query.form == QueryForm::Manifest => {
            let beside = Document::parse(signature, signature.whole(), sink)?;
            Some(described::completed(document?, &beside))
        }
        Some(sidecar) => {
            let beside = Document::parse(sidecar, sidecar.whole(), sink);
            document.zip(beside).map(|(own, beside)| {
                own.refuse_covered(&beside, sink);
                own.overlaid(beside)
            })
        }
        None => document,
    }
}

/// The keys of a mapping.
fn names(document: &Document, pointer: &str) -> Vec<String> {
    let mapping = document.value.pointer(pointer).and_then(Value::as_object);
    mapping.into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

/// Adds what groups of parameters say, where the header itself says nothing.
fn with_groups(mut document: Document, project: &Document, sink: &mut Diagnostics) -> Option<Document> {
    let errors = sink.errors();
    let groups: Vec<(String, Span)> = match document.value.get("params_from") {
        Some(Value::String(name)) => vec![(name.clone(), document.value_span(&["params_from"]))],
        Some(Value::Array(list)) => {
            let place = |at: usize| document.value_span(&["params_from", &at.to_string()]);
            list.iter().enumerate().filter_map(|(at, name)| Some((name.as_str()?.to_owned(), place(at)))).collect()
        }
        _ => Vec::new(),
    };
    let known = names(project, "/param_groups");
    let mut taken: Vec<(String, String, Span)> = Vec::new();
    for (group, place) in groups {
        if !known.contains(&group) {
            sink.push(codes::unknown_group(place, &group, &known));
            continue;
        }
        let Some(params) = project.value.get("param_groups").and_then(|all| all.get(&group)?.as_object()) else {
            continue;
        };
        for (name, settings) in params {
            let settings = settings.as_object().into_iter().flatten();
            for (key, value) in settings {
                let (path, at) = (["params", name, key], ["param_groups", &group, name, key]);
                match taken.iter().find(|(one, of, _)| one == name && of == key) {
                    Some((.., known))
                        if document.value.get("params").and_then(|all| all.get(name)?.get(key)) != Some(value) =>
                    {
                        sink.push(codes::conflicting_configuration(name, key, *known, place));
                    }
                    Some(_) => {}
                    None if document.has(&path) => {}
                    None => {
                        taken.push((name.clone(), key.clone(), project.value_span(&at)));
                        document.adopt(&path, project, &at);
                    }
                }
            }
        }
    }
    (sink.errors() == errors).then_some(document)
}

#[cfg(test)]
mod tests;
