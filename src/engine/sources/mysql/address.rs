//! The address of a server of MySQL or MariaDB, as a variable holds it, and what it says of TLS.

use crate::catalog::DatabaseKind;
use crate::engine::sources::server::address::{
    AddressError, Asked, Files, Place, Problem, SILENCE, Security, Written, decoded, held, is_this_machine, security,
    split_url,
};
use crate::project::{ServerAddress, TlsConfig};
use mysql_async::OptsBuilder;
use std::net::Ipv6Addr;
use std::path::PathBuf;

/// What an address begins with.
const PREFIXES: [&str; 2] = ["mysql://", "mariadb://"];

/// What addresses of others begin with.
const OTHERS: [(&str, &str); 9] = [
    ("jdbc:", "JDBC"),
    ("postgres:", "PostgreSQL"),
    ("postgresql:", "PostgreSQL"),
    ("sqlite:", "SQLite"),
    ("file:", "a file"),
    ("sqlserver:", "SQL Server"),
    ("mongodb:", "MongoDB"),
    ("redis:", "Redis"),
    ("http", "a web server"),
];

/// Options of other clients that are not known here, by which they are named in messages.
const UNKNOWN: [&str; 14] = [
    "allow-multi-queries",
    "compress",
    "connection-limit",
    "default-auth",
    "init-command",
    "local-infile",
    "multi-statements",
    "pool-max",
    "pool-min",
    "server-public-key-path",
    "sslaccept",
    "ssl-cipher",
    "ssl-crl",
    "tls-version",
];

/// Options that change nothing here: what they say is said by us, or is as they want it.
const PASSED_OVER: [&str; 12] = [
    "allowpublickeyretrieval",
    "autocommit",
    "characterencoding",
    "charset",
    "collation",
    "connecttimeout",
    "loc",
    "parsetime",
    "prefersocket",
    "servertimezone",
    "timezone",
    "useunicode",
];

/// The port where nothing is said.
const PORT: u16 = 3306;

/// What `ssl-mode` may say.
const MODES: &str = "one of `DISABLED`, `PREFERRED`, `REQUIRED`, `VERIFY_CA` and `VERIFY_IDENTITY`";

/// Where a server is, and how it is spoken to.
pub(super) struct Address {
    /// What the connection is made by. It holds the password.
    pub opts: OptsBuilder,
    /// What is encrypted and checked.
    pub security: Security,
    /// The files that the address itself names.
    pub files: Files,
}

impl Address {
    /// The address that a variable of the process holds, or that is written part by part. `tls` is what `qtool.yaml` says
    /// beside it.
    ///
    /// Errors: there is none, or it is none that is safe.
    pub(super) fn read(written: &ServerAddress, tls: Option<&TlsConfig>) -> Result<Address, AddressError> {
        match &written.url_env {
            Some(variable) => Address::parse(variable, &held(variable, DatabaseKind::Mysql)?, tls),
            // What is wrong with it is told as of its first part.
            None => Address::parse("host", &address_of_parts(written)?, tls),
        }
    }

    /// The same of a text that the variable holds.
    fn parse(variable: &str, text: &str, tls: Option<&TlsConfig>) -> Result<Address, AddressError> {
        parsed(text.trim(), tls).map_err(|problem| AddressError::new(variable, DatabaseKind::Mysql, problem))
    }
}

/// The address of parts.
fn address_of_parts(parts: &ServerAddress) -> Result<String, AddressError> {
    let password = parts.password_env.as_deref().map(|variable| held(variable, DatabaseKind::Mysql)).transpose()?;
    let part = |part: &Option<String>| part.as_deref().map(encoded).unwrap_or_default();
    let password = password.map(|password| [":", &encoded(&password)].concat()).unwrap_or_default();
    // A number of the sixth version has colons of its own.
    let host = match parts.host.as_deref() {
        Some(host) if host.parse::<Ipv6Addr>().is_ok() => ["[", host, "]"].concat(),
        _ => part(&parts.host),
    };
    let port = parts.port.map(|port| [":", &port.to_string()].concat()).unwrap_or_default();
    Ok(["mysql://", &part(&parts.user), &password, "@", &host, &port, "/", &part(&parts.database)].concat())
}

/// A text as it stands in an address.
fn encoded(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(letter).collect()
}

/// What the options of an address say.
#[derive(Debug, Default)]
struct Options {
    asked: Option<Asked>,
    files: Files,
    socket: Option<String>,
}

/// Reads an address.
fn parsed(text: &str, tls: Option<&TlsConfig>) -> Result<Address, Problem> {
    if text.is_empty() {
        return Err(Problem::Empty);
    }
    if let Some((_, other)) = OTHERS.iter().find(|(prefix, _)| text.starts_with(prefix)) {
        return Err(Problem::OtherDatabase(other));
    }
    let Some(prefix) = PREFIXES.iter().find(|prefix| text.starts_with(**prefix)) else {
        return Err(Problem::NoAddress);
    };
    let (before, written) = split_url(text)?;
    let options = options(written)?;
    let rest = before.strip_prefix(prefix).ok_or(Problem::NoAddress)?;
    let (authority, database) = rest.split_once('/').unwrap_or((rest, ""));
    let (login, place) = authority.split_once('@').unwrap_or(("", authority));
    let (user, password) = login.split_once(':').map_or((login, None), |(user, password)| (user, Some(password)));
    let text = |text: &str| decoded(text).ok_or(Problem::NoAddress);
    let (host, port) = host_and_port(place)?;
    let host = text(host)?;
    let named = |name: String| (!name.is_empty()).then_some(name);
    let opts = OptsBuilder::default()
        .user(named(text(user)?))
        .pass(password.map(text).transpose()?)
        .db_name(named(text(database)?));
    placed(opts, (host, port), options, tls)
}

/// The address of a server at a place.
fn placed(
    opts: OptsBuilder,
    (host, port): (String, Option<u16>),
    options: Options,
    tls: Option<&TlsConfig>,
) -> Result<Address, Problem> {
    // An address says itself whether it is that of a socket.
    let mut opts = opts.tcp_keepalive(Some(SILENCE)).prefer_socket(false);
    let place = match (options.socket.or_else(|| host.starts_with('/').then(|| host.clone())), host.as_str()) {
        (Some(_), host) if !host.is_empty() && !host.starts_with('/') && !is_this_machine(host) => {
            return Err(Problem::Mixed);
        }
        (Some(socket), _) => {
            opts = opts.socket(Some(socket));
            Place::Socket
        }
        (None, "") => return Err(Problem::NoServer),
        (None, host) => {
            opts = opts.ip_or_hostname(host).tcp_port(port.unwrap_or(PORT));
            if is_this_machine(host) { Place::ThisMachine } else { Place::Elsewhere }
        }
    };
    let Options { asked, files, .. } = options;
    let is_asked_for = files != Files::default() || tls.is_some_and(|tls| tls.ca.is_some() || tls.cert.is_some());
    let security = match place {
        Place::Socket => Security::Open,
        place => security(place == Place::ThisMachine, is_asked_for, tls.and_then(|tls| tls.mode), asked)?,
    };
    Ok(Address { opts, security, files })
}

/// A name or number of a server, and its port. A number of the sixth version stands in brackets.
fn host_and_port(place: &str) -> Result<(&str, Option<u16>), Problem> {
    let (host, port) = match place.strip_prefix('[') {
        Some(rest) => {
            let (host, behind) = rest.split_once(']').ok_or(Problem::NoAddress)?;
            (host, behind.strip_prefix(':').or(if behind.is_empty() { None } else { Some("none") }))
        }
        None => place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port))),
    };
    // Another client may read several servers there.
    if host.contains(',') {
        return Err(Problem::NoAddress);
    }
    let port = port.filter(|port| !port.is_empty()).map(str::parse).transpose().map_err(|_| Problem::NoAddress)?;
    Ok((host, port))
}

/// What options say. Clients write them in several ways: `ssl-mode`, `ssl_mode` and `sslMode` are one.
fn options(written: Vec<Written<'_>>) -> Result<Options, Problem> {
    let mut options = Options::default();
    for Written { key, value, .. } in written {
        let stricter = |options: &mut Options, asked: Asked| options.asked = options.asked.max(Some(asked));
        match bare(&key).as_str() {
            "sslmode" => stricter(&mut options, asked(&value)?),
            "sslca" | "sslrootcert" => options.files.ca = Some(PathBuf::from(value)),
            "sslcert" => options.files.cert = Some(PathBuf::from(value)),
            "sslkey" => options.files.key = Some(PathBuf::from(value)),
            "socket" | "unixsocket" => options.socket = Some(value),
            "ssl" | "usessl" => match is_true(&value)? {
                true => stricter(&mut options, Asked::Encryption),
                false => stricter(&mut options, Asked::Nothing),
            },
            "requiressl" if is_true(&value)? => stricter(&mut options, Asked::Encryption),
            "verifyca" if is_true(&value)? => stricter(&mut options, Asked::Authority),
            "verifyidentity" | "sslverifyservercert" | "verifyservercertificate" if is_true(&value)? => {
                stricter(&mut options, Asked::Name);
            }
            "requiressl" | "verifyca" | "verifyidentity" | "sslverifyservercert" | "verifyservercertificate" => {}
            key if PASSED_OVER.contains(&key) => {}
            key => return Err(Problem::UnknownOption(UNKNOWN.iter().find(|known| bare(known) == key).copied())),
        }
    }
    Ok(options)
}

/// An option in the form of those that are looked for.
fn bare(key: &str) -> String {
    key.to_lowercase().replace(['-', '_'], "")
}

fn is_true(value: &str) -> Result<bool, Problem> {
    match value.to_lowercase().as_str() {
        "true" | "1" | "on" | "yes" => Ok(true),
        "false" | "0" | "off" | "no" => Ok(false),
        _ => Err(Problem::Value("ssl", "`true` or `false`; `ssl-mode` says more")),
    }
}

/// What a value of `ssl-mode` asks for.
fn asked(value: &str) -> Result<Asked, Problem> {
    match value.to_lowercase().replace('_', "-").as_str() {
        "disabled" | "disable" => Ok(Asked::Nothing),
        "preferred" | "prefer" => Ok(Asked::Anything),
        "required" | "require" => Ok(Asked::Encryption),
        "verify-ca" => Ok(Asked::Authority),
        "verify-identity" | "verify-full" => Ok(Asked::Name),
        _ => Err(Problem::Value("ssl-mode", MODES)),
    }
}

#[cfg(test)]
mod tests;
