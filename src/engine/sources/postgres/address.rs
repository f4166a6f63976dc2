//! The address of a server, as a variable holds it: an address of PostgreSQL or the words of libpq, and what it says of TLS.
//!
//! What is said of a wrong one names the variable and never a part of what it holds.

mod options;

use crate::catalog::DatabaseKind;
use crate::engine::sources::server::address::{
    AddressError, Files, Place, Problem, SILENCE, Security, held, is_this_machine, security,
};
use crate::project::{ServerAddress, TlsConfig};
use options::{Parts, parts};
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// How often it asks again, and how many times, until the connection is lost.
const ASKED_AGAIN: (Duration, u32) = (Duration::from_secs(10), 3);

/// Where a server is, and how it is spoken to.
pub(super) struct Address {
    /// What the connection is made by. It holds the password.
    pub config: Config,
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
            Some(variable) => Address::parse(variable, &held(variable, DatabaseKind::Postgres)?, tls),
            // What is wrong with it is told as of its first part.
            None => Address::parse("host", &words_of_parts(written)?, tls),
        }
    }

    /// The same of a text that the variable holds.
    fn parse(variable: &str, text: &str, tls: Option<&TlsConfig>) -> Result<Address, AddressError> {
        parsed(text.trim(), tls).map_err(|problem| AddressError::new(variable, DatabaseKind::Postgres, problem))
    }
}

/// The address of parts, in the words of libpq.
fn words_of_parts(parts: &ServerAddress) -> Result<String, AddressError> {
    let port = parts.port.map(|port| port.to_string());
    let password = parts.password_env.as_deref().map(|variable| held(variable, DatabaseKind::Postgres)).transpose()?;
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

#[cfg(test)]
mod tests;
