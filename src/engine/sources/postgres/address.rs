//! The address of a server, as a variable holds it: an address of PostgreSQL or the words of libpq, and what it says of TLS.
//!
//! What is said of a wrong one names the variable and never a part of what it holds.

mod options;

use super::typed;
use crate::project::{ServerAddress, TlsConfig, TlsMode};
use options::{Parts, parts};
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// After how long without a word the system asks whether the server is still there.
const SILENCE: Duration = Duration::from_secs(30);

/// How often it asks again, and how many times, until the connection is lost.
const ASKED_AGAIN: (Duration, u32) = (Duration::from_secs(10), 3);

/// What is encrypted, and what is checked of the server. What comes later is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Security {
    /// Nothing is encrypted.
    Open,
    /// Encrypted where the server can; it may be anybody.
    Unchecked,
    /// Encrypted; somebody who is trusted has signed the certificate.
    Authority,
    /// The same, and it is for the server's name.
    Full,
}

/// Where a server is, and how it is spoken to.
pub(super) struct Address {
    /// What the connection is made by. It holds the password.
    pub config: Config,
    /// What is encrypted and checked.
    pub security: Security,
    /// The files that the address itself names.
    pub files: Files,
}

/// Files of certificates that an address names. Whoever sets the variable says what is read of the machine.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Files {
    /// Whom to trust: `sslrootcert`.
    pub ca: Option<PathBuf>,
    /// The certificate of the client: `sslcert`.
    pub cert: Option<PathBuf>,
    /// Its key: `sslkey`.
    pub key: Option<PathBuf>,
}

/// What is wrong with an address.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AddressError {
    /// The variable that it is in.
    variable: String,
    /// What is wrong.
    problem: Problem,
}

/// What can be wrong with an address.
#[derive(Debug, PartialEq, Eq)]
enum Problem {
    /// There is no such variable.
    Unset,
    /// It is set to nothing.
    Empty,
    /// It is no UTF-8.
    NoText,
    /// It is something else.
    NoAddress,
    /// It is the address of another database.
    OtherDatabase(&'static str),
    /// A letter that has a meaning in addresses stands in the user or the password.
    Unescaped,
    /// An option that nobody here knows; by its name where that is a known one.
    UnknownOption(Option<&'static str>),
    /// An option has a value that it cannot have.
    Value(&'static str, &'static str),
    /// It says of no server where it is.
    NoServer,
    /// Certificates are for names, and it has a number alone.
    NoName,
    /// Sockets and servers at once.
    Mixed,
    /// TLS is switched off for another machine: there, or in `qtool.yaml`.
    Unencrypted { in_project: bool },
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variable = &self.variable;
        match &self.problem {
            Problem::Unset => write!(f, "the variable `{variable}` is not set"),
            Problem::Empty => write!(f, "the variable `{variable}` is empty"),
            Problem::NoText => write!(f, "what the variable `{variable}` holds is no text in UTF-8"),
            Problem::NoAddress => write!(
                f,
                "the variable `{variable}` holds no address of PostgreSQL, such as `postgres://reader@db.example/shop`"
            ),
            Problem::OtherDatabase(other) => {
                write!(f, "the variable `{variable}` holds an address of {other}, and none of PostgreSQL")
            }
            Problem::Unescaped => write!(
                f,
                "the address in `{variable}` has a letter out of place: in a user, a password or an option `/` is written \
                 `%2F`, `?` is `%3F`, and `@` is `%40`"
            ),
            Problem::UnknownOption(Some(option)) => {
                write!(
                    f,
                    "the address in `{variable}` has the option `{option}`, which is not known here: leave it out"
                )
            }
            Problem::UnknownOption(None) => {
                write!(f, "the address in `{variable}` has an option that is not known here: leave it out")
            }
            Problem::Value(option, expected) => {
                write!(f, "the address in `{variable}` has the option `{option}` with a value that is not {expected}")
            }
            Problem::NoServer => write!(f, "the address in `{variable}` does not say which server it is"),
            Problem::NoName => write!(
                f,
                "the address in `{variable}` has no `host` beside `hostaddr`: certificates are for the names of servers"
            ),
            Problem::Mixed => write!(f, "the address in `{variable}` names sockets and servers at once"),
            Problem::Unencrypted { in_project } => {
                let place = if *in_project { "`tls.mode`" } else { "`sslmode`" };
                write!(
                    f,
                    "{place} switches TLS off, and the server of `{variable}` is not on this machine: leave it out, or say \
                     `tls: {{ mode: insecure }}` in qtool.yaml where anybody on the way may read along"
                )
            }
        }
    }
}

impl Address {
    /// The address that a variable of the process holds, or that is written part by part. `tls` is what `qtool.yaml` says
    /// beside it.
    ///
    /// Errors: there is none, or it is none that is safe.
    pub(super) fn read(written: &ServerAddress, tls: Option<&TlsConfig>) -> Result<Address, AddressError> {
        match &written.url_env {
            Some(variable) => Address::parse(variable, &held(variable)?, tls),
            // What is wrong with it is told as of its first part.
            None => Address::parse("host", &words_of_parts(written)?, tls),
        }
    }

    /// The same of a text that the variable holds.
    fn parse(variable: &str, text: &str, tls: Option<&TlsConfig>) -> Result<Address, AddressError> {
        parsed(text.trim(), tls).map_err(|problem| AddressError { variable: variable.to_owned(), problem })
    }
}

/// What a variable of the process holds.
fn held(variable: &str) -> Result<String, AddressError> {
    let problem = match typed::address(variable) {
        Ok(text) => return Ok(text),
        Err(std::env::VarError::NotPresent) => Problem::Unset,
        Err(std::env::VarError::NotUnicode(_)) => Problem::NoText,
    };
    Err(AddressError { variable: variable.to_owned(), problem })
}

/// The address of parts, in the words of libpq.
fn words_of_parts(parts: &ServerAddress) -> Result<String, AddressError> {
    let port = parts.port.map(|port| port.to_string());
    let password = parts.password_env.as_deref().map(held).transpose()?;
    let words = [
        ("host", &parts.host),
        ("port", &port),
        ("dbname", &parts.database),
        ("user", &parts.user),
        ("password", &password),
    ];
    let quoted = |value: &String| value.replace('\\', "\\\\").replace('\'', "\\'");
    let word = |(key, value): (&str, &Option<String>)| Some(format!("{key}='{}'", quoted(value.as_ref()?)));
    Ok(words.into_iter().filter_map(word).collect::<Vec<_>>().join(" "))
}

/// Reads an address.
fn parsed(text: &str, tls: Option<&TlsConfig>) -> Result<Address, Problem> {
    if text.is_empty() {
        return Err(Problem::Empty);
    }
    let Parts { rest, sslmode, files } = parts(text)?;
    // What its error says may hold parts of the address.
    let mut config: Config = rest.parse().map_err(|_| Problem::NoAddress)?;
    let place = place(&config)?;
    let is_asked_for = files != Files::default() || tls.is_some_and(|tls| tls.ca.is_some() || tls.cert.is_some());
    let security = match place {
        Place::Socket => Security::Open,
        place => security(place == Place::ThisMachine, is_asked_for, tls.and_then(|tls| tls.mode), sslmode)?,
    };
    if security != Security::Open && config.get_hosts().is_empty() {
        return Err(Problem::NoName);
    }
    config.ssl_mode(match security {
        Security::Open => SslMode::Disable,
        Security::Unchecked => SslMode::Prefer,
        Security::Authority | Security::Full => SslMode::Require,
    });
    if config.get_keepalives_idle() == Config::new().get_keepalives_idle() {
        config.keepalives_idle(SILENCE).keepalives_interval(ASKED_AGAIN.0).keepalives_retries(ASKED_AGAIN.1);
    }
    Ok(Address { config, security, files })
}

/// Where a server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Behind a file of this machine.
    Socket,
    /// Behind an address that does not leave this machine.
    ThisMachine,
    /// Anywhere else.
    Elsewhere,
}

/// Where the servers of an address are: as far away as the farthest of them.
fn place(config: &Config) -> Result<Place, Problem> {
    let (hosts, numbers) = (config.get_hosts(), config.get_hostaddrs());
    let place_of_host = |host: &Host| match host {
        #[cfg(unix)]
        Host::Unix(_) => Place::Socket,
        Host::Tcp(name) if is_this_machine(name) => Place::ThisMachine,
        Host::Tcp(_) => Place::Elsewhere,
    };
    // Where there are numbers, names are for certificates alone.
    let places: Vec<Place> = match numbers {
        [] => hosts.iter().map(place_of_host).collect(),
        numbers => numbers
            .iter()
            .map(|number| if number.is_loopback() { Place::ThisMachine } else { Place::Elsewhere })
            .collect(),
    };
    match (places.contains(&Place::Socket), places.iter().all(|place| *place == Place::Socket)) {
        _ if places.is_empty() => Err(Problem::NoServer),
        (_, true) => Ok(Place::Socket),
        (true, false) => Err(Problem::Mixed),
        (false, false) if places.contains(&Place::Elsewhere) => Ok(Place::Elsewhere),
        (false, false) => Ok(Place::ThisMachine),
    }
}

/// Whether a name or number of a server is this machine's.
fn is_this_machine(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|number: IpAddr| number.is_loopback())
}

/// What an address says by `sslmode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// `disable`.
    Nothing,
    /// `allow` and `prefer`: what libpq does where nothing is said.
    Anything,
    /// `require`.
    Encryption,
    /// `verify-ca`.
    Authority,
    /// `verify-full`.
    Name,
}

/// What is encrypted and checked of a server that is behind no socket: what `qtool.yaml` says, unless the address asks to
/// check more. Nothing is tried without TLS where it fails with it, so that `require` and what is less check everything.
fn security(
    is_local: bool,
    is_asked_for: bool,
    mode: Option<TlsMode>,
    asked: Option<Asked>,
) -> Result<Security, Problem> {
    let default = match asked {
        Some(Asked::Authority) => Security::Authority,
        Some(Asked::Name | Asked::Encryption) => Security::Full,
        Some(Asked::Nothing) if is_local => Security::Open,
        Some(Asked::Nothing) => return nothing_of(mode),
        Some(Asked::Anything) | None if is_local && !is_asked_for => Security::Open,
        Some(Asked::Anything) | None => Security::Full,
    };
    let least = match asked {
        Some(Asked::Authority) => Security::Authority,
        Some(Asked::Name) => Security::Full,
        _ => Security::Open,
    };
    match mode {
        None => Ok(default),
        Some(TlsMode::VerifyFull) => Ok(Security::Full),
        Some(TlsMode::VerifyCa) => Ok(Security::Authority.max(least)),
        Some(TlsMode::Insecure) => Ok(Security::Unchecked.max(least)),
        Some(TlsMode::Disable) => match asked {
            Some(Asked::Encryption | Asked::Authority | Asked::Name) => Ok(default),
            _ if is_local => Ok(Security::Open),
            _ => Err(Problem::Unencrypted { in_project: true }),
        },
    }
}

/// What is encrypted where the address of another machine asks for nothing: what `qtool.yaml` says, or it is a mistake.
fn nothing_of(mode: Option<TlsMode>) -> Result<Security, Problem> {
    match mode {
        None => Err(Problem::Unencrypted { in_project: false }),
        Some(TlsMode::Disable) => Err(Problem::Unencrypted { in_project: true }),
        Some(TlsMode::Insecure) => Ok(Security::Unchecked),
        Some(TlsMode::VerifyCa) => Ok(Security::Authority),
        Some(TlsMode::VerifyFull) => Ok(Security::Full),
    }
}

#[cfg(test)]
mod tests;
