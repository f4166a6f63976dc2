//! The options of an address: those of TLS are read here, because the driver knows fewer of them.

use crate::engine::sources::server::address::{Asked, Files, Problem, Written, split_url};
use std::path::PathBuf;

/// What an address of PostgreSQL begins with.
const PREFIXES: [&str; 2] = ["postgres://", "postgresql://"];

/// What addresses of others begin with.
const OTHERS: [(&str, &str); 9] = [
    ("jdbc:", "JDBC"),
    ("mysql:", "MySQL"),
    ("mariadb:", "MariaDB"),
    ("sqlite:", "SQLite"),
    ("file:", "a file"),
    ("sqlserver:", "SQL Server"),
    ("mongodb:", "MongoDB"),
    ("redis:", "Redis"),
    ("http", "a web server"),
];

/// Options of libpq and of other clients that are not known here, by which they are named in messages.
const UNKNOWN: [&str; 23] = [
    "connection_limit",
    "gssdelegation",
    "gssencmode",
    "krbsrvname",
    "max_protocol_version",
    "min_protocol_version",
    "passfile",
    "pgbouncer",
    "pool_timeout",
    "replication",
    "require_auth",
    "requirepeer",
    "requiressl",
    "schema",
    "scram_client_key",
    "service",
    "ssl",
    "ssl_max_protocol_version",
    "ssl_min_protocol_version",
    "sslaccept",
    "sslcertmode",
    "sslcrl",
    "sslpassword",
];

/// Options that change nothing here: what they say is said by us, or is as they want it.
const PASSED_OVER: [&str; 7] = [
    "application_name",
    "client_encoding",
    "connect_timeout",
    "fallback_application_name",
    "keepalives_count",
    "sslcompression",
    "sslsni",
];

/// Options that the driver reads.
const READ: [&str; 16] = [
    "channel_binding",
    "dbname",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "load_balance_hosts",
    "options",
    "password",
    "port",
    "sslnegotiation",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
];

/// An address, taken apart.
#[derive(Debug)]
pub(super) struct Parts {
    /// It without what is read here.
    pub rest: String,
    /// What it says by `sslmode`.
    pub sslmode: Option<Asked>,
    /// The files that it names.
    pub files: Files,
}

/// Takes an address apart.
pub(super) fn parts(text: &str) -> Result<Parts, Problem> {
    let is_url = PREFIXES.iter().any(|prefix| text.starts_with(prefix));
    let (before, written) = if is_url {
        let (before, options) = split_url(text)?;
        (format!("{before}?"), options)
    } else if let Some((_, other)) = OTHERS.iter().find(|(prefix, _)| text.starts_with(prefix)) {
        return Err(Problem::OtherDatabase(other));
    } else {
        (String::new(), words(text).ok_or(Problem::NoAddress)?)
    };
    let mut parts = Parts { rest: before, sslmode: None, files: Files::default() };
    for Written { raw, key, value } in written {
        match key.as_str() {
            "sslmode" => parts.sslmode = Some(asked(&value)?),
            // The certificates that the machine trusts, as they are without it.
            "sslrootcert" if value == "system" => parts.sslmode = parts.sslmode.or(Some(Asked::Name)),
            "sslrootcert" => parts.files.ca = Some(PathBuf::from(value)),
            "sslcert" => parts.files.cert = Some(PathBuf::from(value)),
            "sslkey" => parts.files.key = Some(PathBuf::from(value)),
            "gssencmode" if ["disable", "prefer"].contains(&value.as_str()) => {}
            "target_session_attrs" if value != "any" => {
                return Err(Problem::Value("target_session_attrs", "`any`: sessions read alone, on whichever server"));
            }
            key if PASSED_OVER.contains(&key) => {}
            key if READ.contains(&key) => {
                parts.rest.push_str(raw);
                parts.rest.push(if is_url { '&' } else { ' ' });
            }
            key => return Err(Problem::UnknownOption(UNKNOWN.iter().find(|known| **known == key).copied())),
        }
    }
    parts.rest.truncate(parts.rest.trim_end_matches(['&', ' ', '?']).len());
    Ok(parts)
}

/// What a value of `sslmode` asks for.
fn asked(value: &str) -> Result<Asked, Problem> {
    match value {
        "disable" => Ok(Asked::Nothing),
        "allow" | "prefer" => Ok(Asked::Anything),
        "require" => Ok(Asked::Encryption),
        "verify-ca" => Ok(Asked::Authority),
        "verify-full" => Ok(Asked::Name),
        _ => Err(Problem::Value(
            "sslmode",
            "one of `disable`, `allow`, `prefer`, `require`, `verify-ca` and `verify-full`",
        )),
    }
}

/// The words of libpq, such as `host=db.example user=reader`. A value may be quoted, and a backslash keeps what follows it.
fn words(text: &str) -> Option<Vec<Written<'_>>> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.trim_start().is_empty() {
        let start = rest.trim_start();
        let (key, after) = start.split_once('=')?;
        let key = key.trim_end();
        if key.is_empty() || key.contains(char::is_whitespace) {
            return None;
        }
        let after = after.trim_start();
        let (value, end) = word(after)?;
        rest = after.get(end..)?;
        let raw = start.get(..start.len() - rest.len())?;
        found.push(Written { raw, key: key.to_owned(), value });
    }
    Some(found)
}

/// A value of libpq, and where it ends; `None` where its quote does not.
fn word(text: &str) -> Option<(String, usize)> {
    let is_quoted = text.starts_with('\'');
    let mut letters = text.char_indices().skip(usize::from(is_quoted));
    let mut value = String::new();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\'' if is_quoted => return Some((value, at + 1)),
            '\\' => value.push(letters.next()?.1),
            letter if !is_quoted && letter.is_whitespace() => return Some((value, at)),
            letter => value.push(letter),
        }
    }
    (!is_quoted && !value.is_empty()).then_some((value, text.len()))
}
