//! Secrets that stand in `qtool.yaml`: they are told by their keys, and shown nowhere.

use super::{kind_of, mapping};
use crate::catalog::DatabaseKind;
use crate::diagnostic::{Diagnostics, codes};
use crate::name::{holds_secret, is_key_of_secret, shown_name};
use crate::yaml::Document;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Whether a database of the project, or of one of its environments, holds one. Then no line of the file is to be drawn:
/// around the line of a mistake stand others.
pub(in crate::load) fn has_secrets(document: &Document) -> bool {
    let environments = document.value.get("environments").into_iter().flat_map(values);
    std::iter::once(&document.value).chain(environments).any(|one| {
        let sources = one.get("sources").into_iter().flat_map(values);
        let tables = one.get("tables").into_iter().flat_map(values);
        let mut named = tables.flat_map(|table| table.get("source").into_iter().chain(address_of(table)));
        sources.into_iter().any(is_secret) || named.any(is_secret)
    })
}

/// The path of a table that is the address of a server.
fn address_of(table: &Value) -> Option<&Value> {
    table.get("path").filter(|path| path.as_str().is_some_and(codes::is_address_of_database))
}

/// The values of a mapping.
fn values(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_object().into_iter().flat_map(|map| map.values())
}

/// Reports them. The document is given back without the databases that hold any: what a shape says of a value may quote it.
pub(in crate::load) fn without_secrets<'a>(document: &'a Document, sink: &mut Diagnostics) -> Cow<'a, Document> {
    let mut rest = Cow::Borrowed(document);
    for (name, source) in mapping(document, "sources").filter(|(_, source)| is_secret(source)) {
        report(document, name, source, sink);
        rest.to_mut().remove(&["sources", name]);
    }
    rest
}

/// Whether a value is one, or has one below a key.
fn is_secret(value: &Value) -> bool {
    match value {
        Value::String(text) => holds_secret(text),
        Value::Array(items) => items.iter().any(is_secret),
        Value::Object(map) => map.iter().any(|(key, value)| {
            is_key_of_secret(key) || is_secret(value) || is_password(key, value) || has_password(key, value)
        }),
        _ => false,
    }
}

/// Whether a key that names the variable of a password holds one itself: what cannot be the name of a variable.
fn is_password(key: &str, value: &Value) -> bool {
    let bare = |text: &str| text.trim().trim_start_matches("env.").trim_start_matches(['$', '{']).replace('}', "");
    key == PASSWORD && value.as_str().is_some_and(|text| !text.is_empty() && !codes::is_variable(&bare(text)))
}

/// Whether a part of an address has the password that stands beside it in an address: `ann:secret`, `ann:secret@host`.
fn has_password(key: &str, value: &Value) -> bool {
    value.as_str().is_some_and(|text| match key {
        "user" => text.contains(':'),
        "host" => text.contains('@'),
        _ => false,
    })
}

/// The key that names the variable of a password.
const PASSWORD: &str = "password_env";

fn report(document: &Document, name: &str, source: &Value, sink: &mut Diagnostics) {
    let Some(source) = source.as_object() else {
        let place = document.key_span(&["sources", name]);
        return sink.push(codes::secret_in_value(place, &format!("source `{}`", shown_name(name))));
    };
    let kind = kind_of(source);
    for (key, value) in source {
        let path = ["sources", name, key.as_str()];
        let place = document.key_span(&path);
        if is_key_of_secret(key) {
            let edit = document.removing_edit(&path);
            let told = instead(kind, name, source)
                .map_or((None, None), |(words, is_enough)| (Some(words), edit.filter(|_| is_enough)));
            sink.push(codes::secret_in_project(place, key, told));
        } else if let ("tls", Some(tls)) = (key.as_str(), value.as_object()) {
            report_tls(document, name, tls, sink);
        } else if is_password(key, value) {
            let example = codes::variable_of_password(name);
            sink.push(codes::secret_for_variable(place, name, (PASSWORD, "a password"), &example));
        } else if is_secret(value) && key == "url_env" {
            let example = codes::variable_of_address(name);
            sink.push(codes::secret_for_variable(place, name, ("url_env", "an address"), &example));
        } else if is_secret(value) || has_password(key, value) {
            sink.push(codes::secret_in_value(place, &format!("`{}`", shown_name(key))));
        }
    }
}

/// How a database of that kind is opened without a secret in the file, and whether it says already what it takes.
fn instead(kind: Option<DatabaseKind>, name: &str, source: &Map<String, Value>) -> Option<(String, bool)> {
    match kind? {
        DatabaseKind::Sqlite => Some(("a file of SQLite is opened by its `path` alone".to_owned(), true)),
        DatabaseKind::Postgres | DatabaseKind::Mysql if source.contains_key("url_env") => {
            Some(("the address in the variable of `url_env` has it".to_owned(), true))
        }
        DatabaseKind::Postgres | DatabaseKind::Mysql if source.contains_key(PASSWORD) => {
            Some((format!("the variable of `{PASSWORD}` has it"), true))
        }
        DatabaseKind::Postgres | DatabaseKind::Mysql if source.contains_key("host") => {
            let variable = codes::variable_of_password(name);
            let words = format!(
                "put the password into a variable of the environment, and name that: `{PASSWORD}: {variable}`; change it if \
                 others have seen the file"
            );
            Some((words, false))
        }
        DatabaseKind::Postgres | DatabaseKind::Mysql => {
            let variable = codes::variable_of_address(name);
            let words = format!(
                "put the whole address into a variable of the environment, and name that: `url_env: {variable}`; change \
                 the secret if others have seen the file"
            );
            Some((words, false))
        }
    }
}

/// Reports a key that stands where certificates are named.
fn report_tls(document: &Document, name: &str, tls: &Map<String, Value>, sink: &mut Diagnostics) {
    for (key, value) in tls {
        let place = document.key_span(&["sources", name, "tls", key]);
        if is_key_of_secret(key) {
            let words = "put the key itself into a variable of the environment, and name that: `key_env: SHOP_KEY`";
            sink.push(codes::secret_in_project(place, key, (Some(words.to_owned()), None)));
        } else if is_secret(value) && key == "key_env" {
            sink.push(codes::secret_for_variable(place, name, ("tls.key_env", "a key"), "SHOP_KEY"));
        } else if is_secret(value) {
            sink.push(codes::secret_in_value(place, &format!("`tls.{}`", shown_name(key))));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::render::{Format, render};
    use crate::diagnostic::{Code, Diagnostic};
    use crate::load::{Memory, load};

    /// What is told of a project, in all formats.
    fn told(yaml: &str) -> (Vec<Diagnostic>, String) {
        let mut files = Memory::default();
        files.insert("qtool.yaml", yaml);
        let failed = load(&files).map(drop).unwrap_err();
        let told = failed.diagnostics.into_sorted();
        let formats = [Format::Text, Format::Short, Format::Json, Format::Sarif, Format::Github];
        let write = |format: Format, colour| render(&told, &failed.sources, format, colour);
        let written = formats.map(|format| write(format, false)).concat() + &write(Format::Text, true);
        (told, written)
    }

    #[test]
    fn a_secret_is_shown_in_no_format() {
        for source in [
            "shop: { type: sqlite, path: a.db, password: hunter2 }",
            "shop: { type: sqlite3, path: '*.db', password: hunter2 }",
            "shop: { type: mysql, Connection-String: 'Server=db;Pwd=hunter2' }",
            "shop: { type: 'mysql://me:hunter2@db/shop' }",
            "shop: { type: sqlite, path: 'postgres://me:hunter2@db/shop' }",
            "shop: 'postgres://me:hunter2@db/shop'",
            "shop: { type: sqlite, path: a.db, options: { password: hunter2 } }",
            "shop: { type: sqlite, path: a.db, password: x,hunter2 }",
            "shop: { type: sqlite, path: a.db, password: [hunter2] }",
            "shop: { type: sqlite, path: a.db, password: hunter2: x }",
            "shop: { type: sqlite, path: a.db, timeout: 3, url: hunter2 }",
            "Shop: { type: sqlite, path: a.db, url: hunter2 }\n  b: hunter",
            "shop: { type: sqlite, path: a.db }\nenvironments: { x: { nam: y, sources: { shop: { dsn: hunter2 } } } }",
            "shop: { type: postgres, url: hunter2 }",
            "shop: { type: pg, url_env: 'postgres://me:hunter2@db/shop' }",
            "shop: { type: postgres, url_env: 'host=db password=hunter2' }",
            "shop: { type: postgres, url_env: A, tls: { cert: c.pem, key: hunter2 } }",
            "shop: { type: postgres, url_env: A, tls: { key_env: '-----BEGIN PRIVATE KEY-----hunter2' } }",
            "shop: { type: postgres, url_env: A, password: hunter2 }",
            "shop: { type: postgres, host: db, password: hunter2 }",
            "shop: { type: postgres, host: db, databas: x, password_env: 'hunter2!' }",
            "shop: { type: sqlite, path: a.db }\ntables: { t: { path: 'postgres://me:hunter2@db/shop' } }",
            "shop: { type: sqlite, path: a.db }\ntables: { t: { source: 'mysql://me:hunter2@db/shop' } }",
        ] {
            let (told, written) = told(&format!("name: x\nsources:\n  {source}\nnonsense: 1\n"));
            let is_hidden = |one: &Diagnostic| one.hides_line || one.code == Code::InvalidYaml;
            assert!(!told.is_empty() && told.iter().all(is_hidden), "{source}: {told:?}");
            assert!(!written.contains("hunter2"), "{source}: {written}");
            assert!(written.contains("qtool.yaml:"), "{source}: {written}");
        }
    }

    #[test]
    fn lines_without_secrets_are_drawn() {
        let (told, written) = told("name: x\nsources:\n  shop: { type: sqlite3, path: shown.db }\n");
        assert!(told.iter().all(|one| !one.hides_line), "{told:?}");
        assert!(written.contains("path: shown.db"), "{written}");
    }
}
