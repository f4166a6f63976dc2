//! What may not be said of databases that are servers: secrets have variables, and who answers is checked.

use super::Checked;
use crate::catalog::DatabaseKind;
use crate::diagnostic::{Code, Diagnostics, codes};
use crate::project::TlsMode;
use serde_json::{Map, Value};

/// What an address is made of.
const PARTS: [&str; 5] = ["host", "port", "database", "user", "password_env"];

/// Those without which there is none.
const NEEDED: [&str; 3] = ["host", "database", "user"];

/// What other programs call them.
const SYNONYMS: [(&str, &[&str]); 3] = [
    ("host", &["endpoint", "hostaddr", "hostname", "server", "socket"]),
    ("database", &["db", "db_name", "dbname", "database_name"]),
    ("user", &["login", "user_name", "username"]),
];

/// Parts that are no secrets, and come out of a variable in another way.
const VARIABLES: [(&str, &str); 4] =
    [("host_env", "host"), ("user_env", "user"), ("database_env", "database"), ("port_env", "port")];

/// What other programs call TLS.
const TLS: [&str; 10] = [
    "encrypt",
    "ssl",
    "ssl_mode",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "tls_mode",
    "trust_server_certificate",
    "verify",
];

/// Reports what is wrong with a server.
pub(super) fn check_server(
    checked: &Checked<'_>,
    (source, kind): (&Map<String, Value>, DatabaseKind),
    sink: &mut Diagnostics,
) {
    check_address(checked, (source, kind), sink);
    for key in source.keys() {
        let place = checked.document.key_span(&["sources", checked.name, key]);
        let is_set = |ours: &str| source.contains_key(ours);
        let told = match bare(key).as_str() {
            part if part_meant(part).is_some_and(|ours| !is_set(ours) && !is_set("url_env")) => {
                codes::part_by_another_key(place, key, part_meant(part).unwrap_or_default())
            }
            part if part_meant(part).is_some() => codes::part_of_address(place, key, (checked.name, kind.as_str())),
            part if variable_meant(part).is_some() => {
                codes::part_of_variable(place, key, variable_meant(part).unwrap_or_default())
            }
            tls if TLS.contains(&tls) => codes::tls_by_another_key(place, key),
            _ => continue,
        };
        sink.forget_at(Code::UnknownKey, &[place]);
        sink.push(told);
    }
    check_session(checked, source, sink);
    match source.get("tls") {
        Some(Value::Object(tls)) => check_tls(checked, tls, sink),
        Some(Value::Null) | None => {}
        Some(other) => {
            let place = checked.document.value_span(&["sources", checked.name, "tls"]);
            sink.forget_at(Code::InvalidValue, &[place]);
            let written = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
            sink.push(codes::tls_of_value(place, &written));
        }
    }
}

/// A key in the form of those that are looked for.
fn bare(key: &str) -> String {
    key.to_lowercase().replace('-', "_")
}

/// The part of an address that another word means.
fn part_meant(key: &str) -> Option<&'static str> {
    SYNONYMS.iter().find(|(_, others)| others.contains(&key)).map(|(ours, _)| *ours)
}

/// The part of an address whose variable a key names.
fn variable_meant(key: &str) -> Option<&'static str> {
    VARIABLES.iter().find(|(other, _)| *other == key).map(|(_, ours)| *ours)
}

/// Reports an address that stands in the file, or nowhere, or twice.
fn check_address(checked: &Checked<'_>, (source, kind): (&Map<String, Value>, DatabaseKind), sink: &mut Diagnostics) {
    let parts: Vec<&str> = PARTS.into_iter().filter(|part| source.contains_key(*part)).collect();
    let Some(variable) = source.get("url_env") else {
        if !parts.is_empty() {
            return check_parts(checked, source, sink);
        }
        // A key that is probably it is told as such.
        let names_variable = |key: &String| key == "env" || key.ends_with("_env") || part_meant(&bare(key)).is_some();
        if source.keys().any(names_variable) {
            return;
        }
        let place = checked.document.key_span(&["sources", checked.name]);
        return sink.push(codes::missing_address(place, (checked.name, kind.as_str())));
    };
    if let [first, ..] = parts.as_slice() {
        let place = checked.document.key_span(&["sources", checked.name, first]);
        let edit = |part: &&str| checked.document.removing_edit(&["sources", checked.name, part]);
        let edits: Option<Vec<_>> = parts.iter().map(edit).collect();
        sink.push(codes::address_twice(place, checked.name, &parts, edits));
    }
    let Some(variable) = variable.as_str() else { return };
    let place = checked.document.value_span(&["sources", checked.name, "url_env"]);
    let example = codes::variable_of_address(checked.name);
    if variable.contains("://") {
        sink.push(codes::secret_for_variable(place, checked.name, ("url_env", "an address"), &example));
    } else if !codes::is_variable(variable) {
        sink.push(codes::no_variable(place, variable, &example));
    }
}

/// Reports what is wrong with an address that is written part by part.
fn check_parts(checked: &Checked<'_>, source: &Map<String, Value>, sink: &mut Diagnostics) {
    let has_synonym = |part: &str| source.keys().any(|key| part_meant(&bare(key)) == Some(part));
    let has_variable = |part: &str| source.keys().any(|key| variable_meant(&bare(key)) == Some(part));
    for part in NEEDED.into_iter().filter(|part| !source.contains_key(*part)) {
        // A key that is probably it is told as such.
        if !has_synonym(part) && !has_variable(part) {
            sink.push(codes::missing_part(checked.document.key_span(&["sources", checked.name]), part));
        }
    }
    if let Some(host) = source.get("host").and_then(Value::as_str) {
        let place = checked.document.value_span(&["sources", checked.name, "host"]);
        let port = host.rsplit_once(':').filter(|(host, _)| !host.contains([':', '/']) || host.starts_with('['));
        let port = port.and_then(|(host, port)| Some((host, port.parse::<u16>().ok()?)));
        match port {
            _ if host.contains("://") => sink.push(codes::host_of_address(place, checked.name)),
            Some((host, port)) => sink.push(codes::host_with_port(place, checked.name, (host, port))),
            None if host.contains(',') => sink.push(codes::several_hosts(place, checked.name)),
            None => {}
        }
    }
    if let Some(variable) = source.get("password_env").and_then(Value::as_str).filter(|text| !codes::is_variable(text))
    {
        let place = checked.document.value_span(&["sources", checked.name, "password_env"]);
        sink.push(codes::no_variable(place, variable, &codes::variable_of_password(checked.name)));
    }
}

/// Reports settings of a session that are none of the database's rules, but of the server: they are not a caller's.
fn check_session(checked: &Checked<'_>, source: &Map<String, Value>, sink: &mut Diagnostics) {
    let mut seen: Vec<String> = Vec::new();
    for setting in source.get("session").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
        let place = || checked.document.key_span(&["sources", checked.name, "session", setting]);
        if seen.contains(&setting.to_lowercase()) {
            sink.push(codes::setting_twice(place(), setting));
        }
        seen.push(setting.to_lowercase());
        let is_name = |part: &str| {
            let mut letters = part.chars();
            letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
                && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        };
        if !setting.contains('.') || !setting.split('.').all(is_name) {
            sink.push(codes::no_own_setting(place(), setting));
        }
    }
}

/// Reports what says of certificates what cannot be.
fn check_tls(checked: &Checked<'_>, tls: &Map<String, Value>, sink: &mut Diagnostics) {
    let path = |key| ["sources", checked.name, "tls", key];
    let (document, written) = (checked.document, tls.get("mode").and_then(Value::as_str));
    let mode: Option<TlsMode> = tls.get("mode").and_then(|mode| serde_json::from_value(mode.clone()).ok());
    if let (Some(written), None) = (written, mode) {
        let place = document.value_span(&path("mode"));
        sink.forget_at(Code::InvalidValue, &[place]);
        sink.push(codes::unknown_tls_mode(place, written));
    }
    if let (Some(written), Some(TlsMode::Insecure | TlsMode::Disable)) = (written, mode)
        && tls.contains_key("ca")
    {
        let edit = document.removing_edit(&path("mode"));
        sink.push(codes::unused_certificate(document.key_span(&path("ca")), checked.name, written, edit));
    }
    for (given, missing) in [("cert", "key_env"), ("key_env", "cert")] {
        if tls.contains_key(given) && !tls.contains_key(missing) {
            sink.push(codes::half_of_certificate(document.key_span(&path(given)), given, missing));
        }
    }
    if let Some(variable) = tls.get("key_env").and_then(Value::as_str).filter(|text| !codes::is_variable(text)) {
        sink.push(codes::no_variable(document.value_span(&path("key_env")), variable, "SHOP_KEY"));
    }
}
