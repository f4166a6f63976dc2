//! `environments` of `qtool.yaml`: what is different elsewhere, laid over what the file says.

use super::read_project;
use crate::diagnostic::{Diagnostics, codes};
use crate::name::nearest;
use crate::project::ProjectFile;
use crate::yaml::Document;
use indexmap::IndexMap;
use serde_json::Value;

/// The keys that are the same everywhere.
const FIXED: [&str; 3] = ["name", "environments", "param_groups"];

/// The project in the environment that was chosen. All others are looked at as well, so that a mistake shows before
/// somebody needs them.
pub(super) fn chosen(
    file: ProjectFile,
    document: Document,
    name: Option<&str>,
    sink: &mut Diagnostics,
) -> Option<(ProjectFile, Document)> {
    let errors = sink.errors();
    let mut chosen = None;
    for environment in file.environments.keys() {
        let found = laid_over(&file, &document, environment, sink);
        if Some(environment.as_str()) == name {
            chosen = found;
        }
    }
    if let Some(name) = name.filter(|name| !file.environments.contains_key(*name)) {
        let known: Vec<&str> = file.environments.keys().map(String::as_str).collect();
        let diagnostic =
            codes::invalid_setting(document.key_span(&["environments"]), &format!("there is no environment `{name}`"));
        sink.push(match nearest(name, known.iter().copied()) {
            Some(near) => diagnostic.help(format!("an environment with a similar name exists: `{near}`")),
            None if known.is_empty() => diagnostic.help("`environments` says what is different in each"),
            None => diagnostic.help(format!("the environments are {}", known.join(", "))),
        });
    }
    if sink.errors() > errors {
        return None;
    }
    let (mut file, document) = chosen.unwrap_or((file, document));
    // Nobody asks for the others any more, and no bundle holds them.
    file.environments = IndexMap::new();
    Some((file, document))
}

/// The project with what one environment says.
fn laid_over(
    file: &ProjectFile,
    document: &Document,
    name: &str,
    sink: &mut Diagnostics,
) -> Option<(ProjectFile, Document)> {
    let errors = sink.errors();
    let overrides = file.environments.get(name)?;
    for key in FIXED.iter().filter(|key| overrides.contains_key(**key)) {
        let why = format!("`{key}` is the same in every environment");
        sink.push(codes::invalid_setting(document.key_span(&["environments", name, key]), &why));
    }
    let tables: Vec<&str> = file.tables.keys().map(String::as_str).collect();
    let sources: Vec<&str> = file.sources.keys().map(String::as_str).collect();
    for (what, key, known) in [("table", "tables", tables), ("source", "sources", sources)] {
        let written = overrides.get(key).and_then(Value::as_object);
        for other in written.into_iter().flat_map(|map| map.keys()).filter(|one| !known.contains(&one.as_str())) {
            let place = document.key_span(&["environments", name, key, other]);
            let diagnostic = codes::invalid_setting(place, &format!("there is no {what} `{other}` to be different"));
            let near = nearest(other, known.iter().copied());
            sink.push(codes::did_you_mean(diagnostic, Some(other), near));
        }
    }
    let written = overrides.get("sources").and_then(Value::as_object);
    for (source, _) in written.into_iter().flatten().filter(|(_, source)| source.get("tables").is_some()) {
        let place = document.key_span(&["environments", name, "sources", source, "tables"]);
        let why = "which tables of a source are there is the same in every environment: they are locked once";
        sink.push(codes::invalid_setting(place, why));
    }
    let mut merged = document.clone();
    for (key, value) in overrides {
        let mut path = vec![key.clone()];
        lay(&mut merged, document, (name, value), &mut path);
    }
    if sink.errors() > errors {
        return None;
    }
    let file = read_project(&merged, sink)?;
    Some((file, merged))
}

/// Lays a value over what stands at a path: mappings key by key, anything else as a whole.
fn lay(merged: &mut Document, document: &Document, (name, value): (&str, &Value), path: &mut Vec<String>) {
    let to: Vec<&str> = path.iter().map(String::as_str).collect();
    match value {
        Value::Object(map) if merged.has(&to) => {
            for (key, value) in map {
                path.push(key.clone());
                lay(merged, document, (name, value), path);
                path.pop();
            }
        }
        _ => {
            let at: Vec<&str> = ["environments", name].into_iter().chain(to.iter().copied()).collect();
            merged.adopt(&to, document, &at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FileError, Files, Folder, Memory, load};
    use crate::project::SourceConfig;
    use std::path::Path;

    /// Files in memory, in an environment.
    struct Elsewhere(Memory, Option<&'static str>);

    impl Files for Elsewhere {
        fn list(&self, folder: &Path) -> std::io::Result<Option<Folder>> {
            self.0.list(folder)
        }
        fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
            self.0.read(path, most)
        }
        fn variable(&self, name: &str) -> Option<String> {
            (name == "BUCKET").then(|| "s3://bucket".to_owned())
        }
        fn environment(&self) -> Option<String> {
            self.1.map(str::to_owned)
        }
    }

    const PROJECT: &str = "name: shop\ntables:\n  orders: { path: data/orders.csv, primary_key: [id] }\n\
        environments:\n  prod:\n    tables: { orders: { path: \"${BUCKET}/orders.parquet\" } }\n";

    fn loaded(yaml: &str, environment: Option<&'static str>) -> Result<(String, String), String> {
        let mut files = Memory::default();
        files.insert("qtool.yaml", yaml);
        match load(&Elsewhere(files, environment)) {
            Ok(loaded) => {
                let place = |file: &crate::project::ProjectFile| file.tables["orders"].place().into_owned();
                assert_eq!(loaded.project.file.tables["orders"].primary_key(), ["id"]);
                assert!(loaded.written.environments.is_empty());
                Ok((place(&loaded.project.file), place(&loaded.written)))
            }
            Err(failed) => {
                let said = failed.diagnostics.into_sorted();
                Err(said.first().map(|one| one.message.clone()).unwrap_or_default())
            }
        }
    }

    #[test]
    fn an_environment_is_laid_over_the_file() {
        let both = |path: &str| Ok((path.to_owned(), path.to_owned()));
        assert_eq!(loaded(PROJECT, None), both("data/orders.csv"));
        let prod = Ok(("s3://bucket/orders.parquet".to_owned(), "${BUCKET}/orders.parquet".to_owned()));
        assert_eq!(loaded(PROJECT, Some("prod")), prod);
        assert_eq!(loaded(PROJECT, Some("prd")), Err("invalid setting: there is no environment `prd`".to_owned()));
    }

    #[test]
    fn databases_differ_key_by_key_and_have_the_same_names() {
        let project = "name: shop\nsources:\n  shop: { type: sqlite, path: data/shop.db, max_idle_connections: 2 }\n\
            tables: { orders: { source: shop } }\nenvironments:\n  prod:\n    sources: { shop: { path: /srv/shop.db } }\n";
        let source = |environment| {
            let mut files = Memory::default();
            files.insert("qtool.yaml", project);
            let loaded = load(&Elsewhere(files, environment)).unwrap();
            let SourceConfig::Sqlite(source) = &loaded.project.file.sources["shop"] else { panic!("a file") };
            (source.path.clone(), source.max_idle_connections())
        };
        assert_eq!(source(None), ("data/shop.db".to_owned(), 2));
        assert_eq!(source(Some("prod")), ("/srv/shop.db".to_owned(), 2));
        let wrong = |from: &str, to: &str| loaded(&project.replace(from, to), None).unwrap_err();
        assert!(wrong("{ shop: { path: /srv", "{ shp: { path: /srv").contains("no source `shp`"));
        assert!(wrong("path: /srv/shop.db", "path: '/srv/*.db'").contains("this is a pattern"));
        assert!(wrong("path: /srv/shop.db", "tables: { include: ['*'] }").contains("the same in every environment"));
    }

    #[test]
    fn a_mistake_in_an_environment_shows_in_all() {
        let wrong = |from: &str, to: &str| loaded(&PROJECT.replace(from, to), None).unwrap_err();
        assert!(wrong("tables: { orders: { path: \"", "tables: { order: { path: \"").contains("no table `order`"));
        assert!(wrong("    tables:", "    name: other\n    tables:").contains("`name` is the same"));
        assert!(wrong("    tables:", "    limitz: {}\n    tables:").contains("limitz"));
    }
}
