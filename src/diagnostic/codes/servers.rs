//! The constructors of what is said about databases that are servers.

use super::{invalid_source_option, invalid_value, list, meant, missing_key, unknown_key};
use crate::diagnostic::{Code, Diagnostic};
use crate::name::{is_legal, shown_name};
use crate::source::Span;

/// The databases that are servers, by their types and titles, with what addresses of them begin with.
const SCHEMES: [(&str, &str, &[&str]); 2] = [
    ("postgres", "PostgreSQL", &["postgres:", "postgresql:", "jdbc:postgresql:", "pg:"]),
    ("mysql", "MySQL", &["mysql:", "mariadb:", "jdbc:mysql:", "jdbc:mariadb:", "mysql2:"]),
];

/// What stands in the place of a secret.
pub(super) const HIDDEN: &str = "what it says is not shown: no secret stands in `qtool.yaml`, which others read";

/// What is checked of a server, by other words for it. Those that check nothing are none of these.
const MODES: [(&str, &[&str]); 4] = [
    (
        "verify-full",
        &[
            "require",
            "required",
            "prefer",
            "preferred",
            "allow",
            "verify",
            "verify-identity",
            "full",
            "true",
            "on",
            "yes",
        ],
    ),
    ("verify-ca", &["ca"]),
    ("insecure", &["no-verify", "skip-verify", "insecure-skip-verify", "trust"]),
    ("disable", &["disabled", "none", "off", "no", "false", "plain", "plaintext"]),
];

/// The type and the title of the server that a text is an address of; `None` where it is none.
pub(super) fn server_of_address(text: &str) -> Option<(&'static str, &'static str)> {
    let lower = text.trim().to_lowercase();
    let found = SCHEMES.iter().find(|(_, _, schemes)| schemes.iter().any(|scheme| lower.starts_with(scheme)));
    found.map(|(ty, title, _)| (*ty, *title))
}

/// Adds what to write where the path of a table is the address of a server, which is not repeated.
pub(super) fn of_server(diagnostic: Diagnostic, (ty, title): (&str, &str)) -> Diagnostic {
    diagnostic.note(format!("a server of {title} is no table, but a database with tables in it")).help(format!(
        "put its address into a variable, and declare it: `sources: {{ shop: {{ type: {ty}, url_env: SHOP_URL }} }}`; a \
         table of it has `source: shop` in the place of `path`"
    ))
}

/// The variable that may hold the address of a database, by the name of that.
pub fn variable_of_address(source: &str) -> String {
    let name = if is_legal(source) { source } else { "shop" };
    format!("{}_URL", name.to_uppercase())
}

/// A server that does not say which variable holds its address.
pub fn missing_address(place: Span, (source, ty): (&str, &str)) -> Diagnostic {
    missing_key(place, "url_env")
        .note(format!("an address is `{ty}://reader@db.example/shop`, and a part of no file"))
        .help(format!(
            "put it into a variable of the environment, and name that: `url_env: {}`",
            variable_of_address(source)
        ))
        .help(format!(
            "or write its parts: `host: db.example`, `database: shop`, `user: reader`, `password_env: {}`",
            variable_of_password(source)
        ))
}

/// The variable that may hold the password for a database, by the name of that.
pub fn variable_of_password(source: &str) -> String {
    let address = variable_of_address(source);
    format!("{}_PASSWORD", address.trim_end_matches("_URL"))
}

/// An address that is held by a variable and written part by part at once. `edits` remove the parts.
pub fn address_twice(place: Span, source: &str, parts: &[&str], edits: Option<Vec<(Span, String)>>) -> Diagnostic {
    let parts = list(parts.iter().copied());
    let why = format!("`url_env` names the variable of the whole address, and beside it stand parts of one: {parts}");
    let diagnostic = invalid_source_option(place, source, &why);
    let help = format!("leave out {parts}, or `url_env`");
    match edits {
        Some(edits) => diagnostic.fixes(help, edits),
        None => diagnostic.help(help),
    }
}

/// A part without which there is no address.
pub fn missing_part(place: Span, part: &str) -> Diagnostic {
    let example = match part {
        "host" => "host: db.example",
        "database" => "database: shop",
        _ => "user: reader",
    };
    missing_key(place, part)
        .note("an address that is written part by part has `host`, `database` and `user`")
        .help(format!("add `{example}`"))
}

/// A part of an address by the name that another program has for it.
pub fn part_by_another_key(place: Span, key: &str, ours: &str) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::UnknownKey, place, format!("unknown key `{}`", shown_name(key)));
    diagnostic.label("unknown key").fix(format!("here it is called `{ours}`"), place, ours)
}

/// A part of an address that is no secret, and is to come from a variable.
pub fn part_of_variable(place: Span, key: &str, ours: &str) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::UnknownKey, place, format!("unknown key `{}`", shown_name(key)));
    let diagnostic = diagnostic.label("unknown key");
    match ours {
        "port" => diagnostic.note("`port` is a number; what differs elsewhere is said under `environments`"),
        ours => diagnostic.note(format!("`{ours}` may hold a variable: `{ours}: ${{SHOP_{}}}`", ours.to_uppercase())),
    }
}

/// A whole address in the place of a server's name.
pub fn host_of_address(place: Span, source: &str) -> Diagnostic {
    invalid_source_option(place, source, "`host` is the name of a server, and this is an address").help(format!(
        "put it into a variable of the environment, and name that: `url_env: {}`",
        variable_of_address(source)
    ))
}

/// A server's name with its port behind it.
pub fn host_with_port(place: Span, source: &str, (host, port): (&str, u16)) -> Diagnostic {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    invalid_source_option(place, source, "`host` has a port behind it, which has a key of its own")
        .help(format!("write `host: {host}` and `port: {port}`"))
}

/// Several servers in the place of one.
pub fn several_hosts(place: Span, source: &str) -> Diagnostic {
    invalid_source_option(place, source, "`host` is the name of one server").help(format!(
        "put an address with all of them into a variable, and name that: `url_env: {}`",
        variable_of_address(source)
    ))
}

/// A key that names a variable, and holds a secret instead. `what` is that; `example` names one.
pub fn secret_for_variable(place: Span, source: &str, (key, what): (&str, &str), example: &str) -> Diagnostic {
    let last = key.rsplit('.').next().unwrap_or(key);
    invalid_source_option(place, source, &format!("`{key}` is the name of a variable, and this is {what}"))
        .note(HIDDEN)
        .help(format!("put it into a variable of the environment, and name that: `{last}: {example}`"))
        .hides_line()
}

/// A key that names a variable by what cannot be the name of one. It is shown where it has the form of a variable alone.
pub fn no_variable(place: Span, written: &str, example: &str) -> Diagnostic {
    let expected = format!("the name of a variable of the environment, such as `{example}`");
    let bare = written.trim().strip_prefix("env.").or_else(|| written.trim().strip_prefix('$'));
    let bare = bare.map(|bare| bare.trim_start_matches('{').trim_end_matches('}')).filter(|bare| is_variable(bare));
    match bare {
        Some(bare) => {
            let diagnostic = invalid_value(place, &expected, &format!("`{}`", shown_name(written)));
            meant(diagnostic, written, Some(bare)).note("its name alone stands here")
        }
        None => invalid_value(place, &expected, "").hides_line(),
    }
}

/// Whether a text can be the name of a variable.
pub fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A key of databases of another kind. `kinds` are what has it and what this is; `instead` is what it is called here, and
/// `edit` removes it.
pub fn key_of_other_database(
    (place, key): (Span, &str),
    source: &str,
    (theirs, ours): (&str, &str),
    (instead, edit): (Option<&str>, Option<(Span, String)>),
) -> Diagnostic {
    let why = format!("`{key}` is of databases of {theirs}, and this is one of {ours}");
    let diagnostic = invalid_source_option(place, source, &why);
    match (instead, edit) {
        (Some(instead), _) => diagnostic.fix(format!("here it is called `{instead}`"), place, instead),
        (None, Some((at, left))) => diagnostic.fix(format!("leave out `{key}`"), at, left),
        (None, None) => diagnostic.help(format!("leave out `{key}`")),
    }
}

/// A key for a part of a server's address.
pub fn part_of_address(place: Span, key: &str, (source, ty): (&str, &str)) -> Diagnostic {
    let port = if ty == "mysql" { 3306 } else { 5432 };
    let diagnostic = Diagnostic::at(Code::UnknownKey, place, format!("unknown key `{}`", shown_name(key)));
    diagnostic.label("unknown key").note(format!(
        "the address in the variable of `url_env` has it: `{}={ty}://USER:PASSWORD@HOST:{port}/DATABASE`",
        variable_of_address(source)
    ))
}

/// A key for how a connection is made secret, as clients of PostgreSQL call it.
pub fn tls_by_another_key(place: Span, key: &str) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::UnknownKey, place, format!("unknown key `{}`", shown_name(key)));
    diagnostic.label("unknown key").note("here that is said by `tls`: `tls: { mode: verify-full, ca: certs/ca.pem }`")
}

/// A key that has another name in databases of this kind. `known` are its keys.
pub fn unknown_key_of_source(place: Span, key: &str, known: &[&str], set: &dyn Fn(&str) -> bool) -> Diagnostic {
    let known: Vec<String> = known.iter().map(|key| (*key).to_owned()).collect();
    unknown_key(place, key, &known, set)
}

/// The word for what is checked of a server that another one probably means.
fn mode_meant(written: &str) -> Option<&'static str> {
    let lower = written.trim().to_lowercase().replace(['_', ' '], "-");
    let spelt = |(ours, theirs): &&(&str, &[&str])| *ours == lower || theirs.contains(&lower.as_str());
    MODES.iter().find(spelt).map(|(ours, _)| *ours)
}

/// What is checked of a server, in a word that is none of ours.
pub fn unknown_tls_mode(place: Span, written: &str) -> Diagnostic {
    let expected = format!("what is checked of the server: {}", list(MODES.iter().map(|(ours, _)| *ours)));
    let diagnostic = invalid_value(place, &expected, &format!("`{}`", shown_name(written)));
    let lower = written.to_lowercase();
    let diagnostic = match lower.as_str() {
        "require" | "prefer" | "allow" => diagnostic.note(format!("`{lower}` does not look at who answers")),
        _ => diagnostic,
    };
    meant(diagnostic, written, mode_meant(written))
}

/// How a connection is made secret, said by something else than a mapping.
pub fn tls_of_value(place: Span, written: &str) -> Diagnostic {
    let diagnostic =
        invalid_value(place, "a mapping such as `{ mode: verify-full }`", &format!("`{}`", shown_name(written)));
    match mode_meant(written) {
        Some(mode) => diagnostic.fix("what is checked stands under `mode`", place, format!("{{ mode: {mode} }}")),
        None => diagnostic,
    }
}

/// A certificate that is asked for where nobody is checked.
pub fn unused_certificate(place: Span, source: &str, mode: &str, edit: Option<(Span, String)>) -> Diagnostic {
    let why = format!("`tls.ca` says whom to trust, and with `mode: {mode}` nobody is asked for a certificate");
    let diagnostic = invalid_source_option(place, source, &why);
    match edit {
        Some((at, left)) => diagnostic.fix(format!("leave out `mode: {mode}`: then the server is verified"), at, left),
        None => diagnostic.help(format!("leave out `mode: {mode}`: then the server is verified")),
    }
}

/// A certificate of the client without its key, or the other way round.
pub fn half_of_certificate(place: Span, given: &str, missing: &str) -> Diagnostic {
    let example = if missing == "cert" { "cert: certs/client.pem" } else { "key_env: SHOP_KEY" };
    missing_key(place, missing)
        .note(format!("`{given}` is one half of who the client is"))
        .help(format!("add `{example}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_what_is_checked_are_ours() {
        for (written, ours) in [
            ("require", Some("verify-full")),
            ("VERIFY_CA", Some("verify-ca")),
            ("no-verify", Some("insecure")),
            ("off", Some("disable")),
            ("soon", None),
        ] {
            assert_eq!(mode_meant(written), ours, "{written}");
        }
    }

    #[test]
    fn names_of_variables_are_told_from_others() {
        assert!(is_variable("SHOP_URL") && is_variable("_x1"));
        assert!(!is_variable("") && !is_variable("1X") && !is_variable("A-B") && !is_variable("${A}"));
        assert_eq!(variable_of_address("shop"), "SHOP_URL");
        assert_eq!(variable_of_address("Two Words"), "SHOP_URL");
    }
}
