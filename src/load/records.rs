//! Records tables: their contracts are read and checked, and each becomes a table.

use super::derivations::derivations;
use super::{Files, read_named};
use crate::catalog::DatabaseKind;
use crate::diagnostic::{Diagnostics, codes};
use crate::name::{is_legal, is_legal_table, nearest, shown_name};
use crate::project::{
    Derivation, LogicalType, ProjectFile, RecordContract, RecordToolKind, RecordTools, RecordsConfig, RecordsTable,
};
use crate::records::folder::{CONTRACT, RECORDS};
use crate::source::{Sources, Span};
use crate::yaml::{Document, Shape};
use indexmap::IndexMap;
use std::collections::HashSet;
use std::path::Path;
use std::sync::LazyLock;

static SHAPE: LazyLock<Shape> = LazyLock::new(Shape::of::<RecordContract>);

/// Adds the tables of all records, and gives by name what their folders say. What cannot be read is reported and left out.
pub(super) fn include_records(
    files: &dyn Files,
    (file, written): (&mut ProjectFile, &mut ProjectFile),
    document: &Document,
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> IndexMap<String, RecordsTable> {
    let mut contracts = IndexMap::new();
    for file in [&mut *file, &mut *written] {
        for (name, config) in &mut file.records {
            if config.path.is_empty() {
                config.path = format!("records/{name}");
            }
        }
    }
    for (name, config) in file.records.clone() {
        let place = document.key_span(&["records", &name]);
        if !is_legal_table(&name) {
            sink.push(codes::invalid_table_name(place, &name));
            continue;
        }
        if !is_legal(&name) {
            let why =
                format!("`{name}` is what names of tools begin with, and those are small letters, digits and `_`");
            sink.push(codes::invalid_setting(place, &why));
            continue;
        }
        if file.tables.keys().any(|table| table.eq_ignore_ascii_case(&name)) {
            let other = document.key_span(&["tables", &name]);
            sink.push(codes::name_collision(place, &name, "a table", other));
            continue;
        }
        let path = Path::new(&config.path).join(CONTRACT);
        let named = document.value_span(&["records", &name, "path"]);
        let Some(contract) = contract(files, (&path, named), sources, sink) else { continue };
        let Ok(kind) = database_of(file, (&name, &config), document, sink) else { continue };
        let table = config.table_source(&contract, RECORDS, kind);
        written.tables.insert(name.clone(), table.clone());
        file.tables.insert(name.clone(), table);
        let derivations = derivations(files, (&name, &config, &contract), document, sources, sink);
        for file in [&mut *file, &mut *written] {
            let config = file.records.get_mut(&name);
            config.into_iter().for_each(|config| choose_tools(config, &derivations));
        }
        check_made((&name, &config), &derivations, document, sink);
        contracts.insert(name, RecordsTable { contract, derivations });
    }
    contracts
}

/// The kind of the database that records lie in; `None` where that is their folder.
///
/// Errors: they cannot lie there; that was told.
fn database_of(
    file: &ProjectFile,
    (name, config): (&str, &RecordsConfig),
    document: &Document,
    sink: &mut Diagnostics,
) -> Result<Option<DatabaseKind>, ()> {
    let place = |key: &str| document.value_span(&["records", name, key]);
    let Some(source) = &config.source else {
        if config.table.is_some() {
            let why = "a `table` lies in a database: say which by `source`";
            sink.push(codes::invalid_setting(place("table"), why));
            return Err(());
        }
        return Ok(None);
    };
    let Some(declared) = file.sources.get(source) else {
        let known = file.sources.keys().map(String::as_str);
        let told = codes::invalid_setting(place("source"), &format!("`sources` has no `{}`", shown_name(source)));
        sink.push(codes::meant(told, source, nearest(source, known)));
        return Err(());
    };
    let why = match declared.kind() {
        DatabaseKind::Mysql => "records lie in SQLite or PostgreSQL, and this is MySQL",
        _ if declared.session().next().is_some() => {
            "its rows depend on who calls, and records are the same for everybody"
        }
        kind => return Ok(Some(kind)),
    };
    sink.push(codes::invalid_setting(place("source"), why));
    Err(())
}

/// Says which tools there are where nobody has: those over derived fields are there where some are made.
fn choose_tools(config: &mut RecordsConfig, derivations: &[Derivation]) {
    let is_there = |kind: &RecordToolKind| has_subject(*kind, derivations);
    config.tools.get_or_insert_with(|| RecordTools::Listed(RecordToolKind::ALL.into_iter().filter(is_there).collect()));
}

/// Whether there is something that a tool could be about.
fn has_subject(kind: RecordToolKind, derivations: &[Derivation]) -> bool {
    match kind {
        RecordToolKind::Materialize => derivations.iter().any(Derivation::is_made_here),
        RecordToolKind::Status => !derivations.is_empty(),
        _ => true,
    }
}

/// Nobody asks for tools over derived fields where none is made.
fn check_made(
    (name, config): (&str, &RecordsConfig),
    derivations: &[Derivation],
    document: &Document,
    sink: &mut Diagnostics,
) {
    for kind in config.kinds().into_iter().filter(|kind| config.tools.is_some() && !has_subject(*kind, derivations)) {
        let place = match &config.tools {
            Some(RecordTools::Listed(kinds)) => {
                let at = kinds.iter().position(|one| *one == kind).unwrap_or_default();
                document.value_span(&["records", name, "tools", &at.to_string()])
            }
            _ => document.key_span(&["records", name, "tools", kind.as_str()]),
        };
        let why = format!("no field of `{name}` is made here: `{}` has nothing to do", kind.as_str());
        let told = codes::invalid_setting(place, &why);
        sink.push(told.help("say how under `derived`, or in a file of `derivations` in the folder"));
    }
}

fn contract(
    files: &dyn Files,
    (path, named): (&Path, Span),
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Option<RecordContract> {
    let errors = sink.errors();
    let id = read_named(files, (path, Some(named)), sources, sink)?;
    let source = sources.get(id)?;
    let document = Document::parse(source, source.whole(), sink)?;
    let contract: RecordContract = document.read(&SHAPE, sink)?;
    check(&contract, &document, sink);
    (sink.errors() == errors).then_some(contract)
}

/// What a contract must be beside its form.
fn check(contract: &RecordContract, document: &Document, sink: &mut Diagnostics) {
    let place = |at: usize, key: &str| document.value_span(&["schema", "0", "properties", &at.to_string(), key]);
    let properties = contract.properties();
    let names: Vec<&str> = properties.iter().map(|property| property.name.as_str()).collect();
    for (at, property) in properties.iter().enumerate() {
        if let Some(first) = names.iter().take(at).position(|name| *name == property.name) {
            sink.push(codes::name_collision(place(at, "name"), &property.name, "another field", place(first, "name")));
        }
        if property.primary_key && properties.iter().take(at).any(|other| other.primary_key) {
            let why = "one field tells records apart, and another does already";
            sink.push(codes::invalid_setting(place(at, "primaryKey"), why));
        }
        if property.primary_key && (property.derived || !property.logical_type.is_scalar()) {
            let why = format!("`{}` cannot tell records apart: it is derived, a list or an object", property.name);
            sink.push(codes::invalid_setting(place(at, "primaryKey"), &why));
        }
        if property.allowed.is_some() && property.logical_type != LogicalType::String {
            let why = format!("an `enum` is of texts, and `{}` is none", property.name);
            sink.push(codes::invalid_setting(place(at, "enum"), &why));
        }
        let mut seen: HashSet<&str> = HashSet::new();
        for (item, text) in property.allowed.iter().flatten().enumerate().filter(|(_, text)| !seen.insert(text)) {
            let span = document.value_span(&["schema", "0", "properties", &at.to_string(), "enum", &item.to_string()]);
            sink.push(codes::invalid_setting(span, &format!("`{text}` is there twice")));
        }
        for (item, input) in property.inputs.iter().enumerate().filter(|(_, input)| !names.contains(&input.as_str())) {
            let span =
                document.value_span(&["schema", "0", "properties", &at.to_string(), "x-inputs", &item.to_string()]);
            let told = codes::invalid_setting(span, &format!("the contract has no field `{input}`"));
            sink.push(codes::meant(told, input, nearest(input, names.iter().copied())));
        }
    }
    if contract.key().is_none() {
        let why = "no field tells records apart: one of them says `primaryKey: true`";
        sink.push(codes::invalid_setting(document.key_span(&["schema", "0", "properties"]), why));
    }
}
