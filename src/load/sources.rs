//! What `qtool.yaml` may not say of databases, and of the tables in them, though its shape allows it.

mod inclusion;
mod keys;
mod secrets;
mod servers;
mod tables;

pub(super) use secrets::{has_secrets, without_secrets};

use crate::catalog::DatabaseKind;
use crate::diagnostic::{Code, Diagnostics, codes};
use crate::name::is_legal;
use crate::project::SourceConfig;
use crate::yaml::Document;
use serde_json::{Map, Value};

/// Reports it. `all` is the document with the databases whose secrets are told already, which `document` has no more.
pub(super) fn check(document: &Document, all: &Document, sink: &mut Diagnostics) {
    let names: Vec<&str> = mapping(all, "sources").map(|(name, _)| name).collect();
    for (name, source) in mapping(all, "sources") {
        let checked = Checked { document: all, name };
        checked.check_name(&names, sink);
        if let Some(source) = source.as_object() {
            checked.check_type(source, sink);
            if document.has(&["sources", name]) {
                checked.check_missing_type(source, sink);
                checked.check_kind(source, sink);
            }
        }
    }
    tables::check_tables(document, &names, sink);
}

/// The entries of a mapping at the top of the document.
fn mapping<'a>(document: &'a Document, key: &str) -> impl Iterator<Item = (&'a str, &'a Value)> {
    let map = document.value.get(key).and_then(Value::as_object);
    map.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

/// The words for the types of databases.
fn types() -> [&'static str; DatabaseKind::ALL.len()] {
    DatabaseKind::ALL.map(|ty| ty.as_str())
}

/// A database that is looked at.
struct Checked<'a> {
    document: &'a Document,
    name: &'a str,
}

impl Checked<'_> {
    fn check_name(&self, names: &[&str], sink: &mut Diagnostics) {
        if is_legal(self.name) {
            return;
        }
        let is_use = |table: &Value| table.get("source").and_then(Value::as_str) == Some(self.name);
        let uses = mapping(self.document, "tables").filter(|(_, table)| is_use(table));
        let uses: Vec<_> = uses.map(|(table, _)| self.document.value_span(&["tables", table, "source"])).collect();
        let place = self.document.key_span(&["sources", self.name]);
        sink.push(codes::invalid_source_name(place, self.name, &uses, names));
    }

    fn check_type(&self, source: &Map<String, Value>, sink: &mut Diagnostics) {
        let written = source.get("type").and_then(Value::as_str);
        // An address is told as what it is.
        let Some(written) = written.filter(|ty| !types().contains(ty) && !ty.contains("://")) else { return };
        let place = self.document.value_span(&["sources", self.name, "type"]);
        sink.forget_at(Code::InvalidValue, &[place]);
        sink.push(codes::unknown_type_of_source(place, written, &types()));
    }

    fn check_missing_type(&self, source: &Map<String, Value>, sink: &mut Diagnostics) {
        if source.contains_key("type") {
            return;
        }
        let path = ["sources", self.name];
        let place = self.document.key_span(&path);
        sink.forget_at(Code::MissingKey, &[place]);
        let own = |kind: DatabaseKind, key: &str| SourceConfig::own_keys(kind).contains(&key);
        let is_known = |key: &&String| DatabaseKind::ALL.into_iter().any(|kind| own(kind, key));
        let written: Vec<&String> = source.keys().filter(is_known).collect();
        let has_key = |kind: &DatabaseKind| !written.is_empty() && written.iter().all(|key| own(*kind, key));
        let kinds: Vec<DatabaseKind> = DatabaseKind::ALL.into_iter().filter(has_key).collect();
        let line = if let [only] = kinds.as_slice() { Some(format!("type: {}", only.as_str())) } else { None };
        let edit = line.and_then(|line| self.document.inserting_edit(&path, &line));
        sink.push(codes::missing_type_of_source(place, &types(), edit));
    }

    /// Reports what is wrong for the kind of database that it is.
    fn check_kind(&self, source: &Map<String, Value>, sink: &mut Diagnostics) {
        let Some(kind) = kind_of(source) else { return };
        keys::check_keys(self, source, kind, sink);
        inclusion::check_inclusion(self, source, kind, sink);
        match kind {
            DatabaseKind::Sqlite => self.check_path(source, sink),
            DatabaseKind::Postgres | DatabaseKind::Mysql => servers::check_server(self, (source, kind), sink),
        }
    }

    fn check_path(&self, source: &Map<String, Value>, sink: &mut Diagnostics) {
        let Some(path) = source.get("path") else {
            let diagnostic = codes::missing_key(self.document.key_span(&["sources", self.name]), "path");
            return sink.push(diagnostic.help("say where the file lies: `path: data/shop.sqlite`"));
        };
        let Some(path) = path.as_str() else { return };
        let place = self.document.value_span(&["sources", self.name, "path"]);
        let told = |why: &str| codes::invalid_source_option(place, self.name, why);
        if let Some(bare) = codes::path_of_address(path) {
            let diagnostic = told("`path` is that of a file, and this is an address");
            sink.push(codes::meant(diagnostic, path, Some(bare)));
        } else if path.contains("://") {
            let diagnostic = told("a database of SQLite is a file of this machine, and this is an address");
            sink.push(diagnostic.help("say where the file lies: `path: data/shop.sqlite`"));
        } else if path.ends_with(":memory:") {
            sink.push(told("a database in memory has no tables: it begins empty"));
        } else if path.contains(['*', '?', '[']) {
            let diagnostic = told("`path` is that of one file, and this is a pattern");
            sink.push(diagnostic.help("declare each file as a source of its own"));
        }
    }
}

/// What a database says that it is, in whatever spelling.
fn kind_of(source: &Map<String, Value>) -> Option<DatabaseKind> {
    let ty = source.get("type").and_then(Value::as_str)?;
    match ty.to_lowercase().starts_with(DatabaseKind::Sqlite.as_str()) {
        true => Some(DatabaseKind::Sqlite),
        false => DatabaseKind::parse(codes::type_meant(ty)?),
    }
}
