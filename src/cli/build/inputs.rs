//! What goes into a bundle: the files of embedded tables, and the hashes of all that it is made of.

use super::{failed, hash};
use crate::catalog::{Catalog, lock};
use crate::cli::Outcome;
use crate::compile;
use crate::load::io_reason;
use crate::project::{TableSource, has_variables};
use crate::tool::Tool;
use crate::workspace::Workspace;
use std::collections::BTreeMap;

/// The content of the files of tables that are to be embedded, by their path as it is written. Those that no tool reads
/// stay out.
pub(super) fn embedded(workspace: &Workspace, tools: &[Tool], most: u64) -> Result<BTreeMap<String, Vec<u8>>, Outcome> {
    let mut files = BTreeMap::new();
    let mut bytes = 0;
    for (name, source) in &workspace.project.file.tables {
        if !source.is_to_be_embedded() || !tools.iter().any(|tool| tool.contract.tables.contains(name)) {
            continue;
        }
        let written = workspace.written.tables.get(name);
        if written.is_some_and(|source| has_variables(&source.place())) {
            let why = "its path has variables, and what these stand for is no part of an executable";
            return Err(failed(&format!("table `{name}` cannot be embedded: {why}")));
        }
        let file = source.embeddable().map(|written| (written, workspace.dir.join(written)));
        let Some((written, path)) = file.filter(|(_, path)| path.is_file()) else {
            return Err(failed(&format!("table `{name}` cannot be embedded: `{}` is not one file", source.place())));
        };
        let unreadable =
            |error: &std::io::Error| failed(&format!("table `{name}` cannot be embedded: {}", io_reason(error)));
        // Asked before: a large file is not read to be refused.
        bytes += path.metadata().map_err(|error| unreadable(&error))?.len();
        if bytes > most {
            return Err(failed(&format!("the embedded tables have more than {} MiB", most >> 20)));
        }
        files.insert(written.to_owned(), std::fs::read(&path).map_err(|error| unreadable(&error))?);
    }
    Ok(files)
}

/// The SHA-256 of every file: those that people write, the locked schemas, values and statements, and what is embedded.
pub(super) fn hashes(
    workspace: &Workspace,
    catalog: &Catalog,
    files: &BTreeMap<String, Vec<u8>>,
) -> BTreeMap<String, String> {
    let sources = workspace.project.sources.iter();
    let written = sources.map(|source| (source.path.clone(), hash(source.text.as_bytes())));
    let locks = catalog.tables.iter().map(|(name, table)| {
        let source = workspace.project.file.tables.get(name).and_then(TableSource::including_source);
        let text = source.map_or_else(|| lock::write(name, table), |source| lock::write_included(source, name, table));
        (format!("{}/{name}.snap", crate::load::TABLE_LOCKS), hash(text.as_bytes()))
    });
    let included = workspace.project.file.sources.iter().filter(|(_, source)| source.inclusion().is_some());
    let lists = included.filter_map(|(name, _)| {
        let path = format!("{}/{name}.snap", crate::load::SOURCE_LOCKS);
        let bytes = std::fs::read(workspace.dir.join(&path)).ok()?;
        Some((path, hash(&bytes)))
    });
    let values = compile::allowed_queries(&workspace.project).into_iter().filter_map(|of| {
        let path = format!("{}/{}.{}.snap", crate::load::VALUE_LOCKS, of.name, of.key.1);
        let bytes = std::fs::read(workspace.dir.join(&path)).ok()?;
        Some((path, hash(&bytes)))
    });
    let statements = compile::unprepared_statements(&workspace.project).into_iter().filter_map(|of| {
        let path = format!("{}/{}.snap", crate::load::STATEMENT_LOCKS, of.name);
        let bytes = std::fs::read(workspace.dir.join(&path)).ok()?;
        Some((path, hash(&bytes)))
    });
    let embedded = files.iter().map(|(path, bytes)| (path.clone(), hash(bytes)));
    written.chain(locks).chain(lists).chain(values).chain(statements).chain(embedded).collect()
}
