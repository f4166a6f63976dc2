//! What addresses of servers have in common: what is wrong with them, and what they say of TLS.
//!
//! What is said of a wrong one names the variable and never a part of what it holds.

use super::typed;
use crate::catalog::DatabaseKind;
use crate::project::TlsMode;
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// After how long without a word the system asks whether the server is still there.
pub(in crate::engine::sources) const SILENCE: Duration = Duration::from_secs(30);

/// What is encrypted, and what is checked of the server. What comes later is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::engine::sources) enum Security {
    /// Nothing is encrypted.
    Open,
    /// Encrypted where the server can; it may be anybody.
    Unchecked,
    /// Encrypted; somebody who is trusted has signed the certificate.
    Authority,
    /// The same, and it is for the server's name.
    Full,
}

/// Files of certificates that an address names. Whoever sets the variable says what is read of the machine.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(in crate::engine::sources) struct Files {
    /// Whom to trust: `sslrootcert`.
    pub ca: Option<PathBuf>,
    /// The certificate of the client: `sslcert`.
    pub cert: Option<PathBuf>,
    /// Its key: `sslkey`.
    pub key: Option<PathBuf>,
}

/// What is wrong with an address.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::engine::sources) struct AddressError {
    /// The variable that it is in.
    variable: String,
    /// What it was to be the address of.
    kind: DatabaseKind,
    /// What is wrong.
    problem: Problem,
}

/// What can be wrong with an address.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::engine::sources) enum Problem {
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
        let (variable, title) = (&self.variable, self.kind.title());
        match &self.problem {
            Problem::Unset => write!(f, "the variable `{variable}` is not set"),
            Problem::Empty => write!(f, "the variable `{variable}` is empty"),
            Problem::NoText => write!(f, "what the variable `{variable}` holds is no text in UTF-8"),
            Problem::NoAddress => write!(
                f,
                "the variable `{variable}` holds no address of {title}, such as `{}://reader@db.example/shop`",
                self.kind.as_str()
            ),
            Problem::OtherDatabase(other) => {
                write!(f, "the variable `{variable}` holds an address of {other}, and none of {title}")
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
                let place = match (in_project, self.kind) {
                    (true, _) => "`tls.mode`",
                    (false, DatabaseKind::Mysql) => "`ssl-mode`",
                    (false, _) => "`sslmode`",
                };
                write!(
                    f,
                    "{place} switches TLS off, and the server of `{variable}` is not on this machine: leave it out, or say \
                     `tls: {{ mode: insecure }}` in qtool.yaml where anybody on the way may read along"
                )
            }
        }
    }
}

impl AddressError {
    /// What is wrong with the address of a database of a kind in a variable.
    pub(in crate::engine::sources) fn new(variable: &str, kind: DatabaseKind, problem: Problem) -> AddressError {
        AddressError { variable: variable.to_owned(), kind, problem }
    }
}

/// What a variable of the process holds that is a part of the address of a database of a kind.
///
/// Errors: there is none.
fn text_in(variable: &str) -> Result<String, Problem> {
    typed::address(variable).map_err(|error| match error {
        std::env::VarError::NotPresent => Problem::Unset,
        std::env::VarError::NotUnicode(_) => Problem::NoText,
    })
}

/// What a variable of the process holds that is an address of a database of a kind, or a part of one.
///
/// Errors: nothing, or no text.
pub(in crate::engine::sources) fn held(variable: &str, kind: DatabaseKind) -> Result<String, AddressError> {
    text_in(variable).map_err(|problem| AddressError::new(variable, kind, problem))
}

/// Where a server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine::sources) enum Place {
    /// Behind a file of this machine.
    Socket,
    /// Behind an address that does not leave this machine.
    ThisMachine,
    /// Anywhere else.
    Elsewhere,
}

/// Whether a name or number of a server is this machine's.
pub(in crate::engine::sources) fn is_this_machine(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|number: IpAddr| number.is_loopback())
}

/// What an address asks for. What comes later is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::engine::sources) enum Asked {
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
pub(in crate::engine::sources) fn security(
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

/// An option as it is written, and what it says.
pub(in crate::engine::sources) struct Written<'a> {
    /// As it is written.
    pub raw: &'a str,
    /// Its name.
    pub key: String,
    /// What it says.
    pub value: String,
}

/// An address up to its options, and those. Where an `@` could be of the user or of what follows, clients differ in which
/// server it is: such an address is a mistake.
pub(in crate::engine::sources) fn split_url(text: &str) -> Result<(&str, Vec<Written<'_>>), Problem> {
    let (before, options) = text.split_once('?').unwrap_or((text, ""));
    let authority = before.split_once("://").map_or("", |(_, rest)| rest);
    let (authority, path) = authority.split_once('/').unwrap_or((authority, ""));
    if authority.matches('@').count() > 1 || path.contains('@') || options.contains('@') {
        return Err(Problem::Unescaped);
    }
    let written = options.split('&').filter(|option| !option.is_empty()).map(|raw| {
        let (key, value) = raw.split_once('=').ok_or(Problem::NoAddress)?;
        let decoded = |text| decoded(text).ok_or(Problem::NoAddress);
        Ok(Written { raw, key: decoded(key)?, value: decoded(value)? })
    });
    Ok((before, written.collect::<Result<_, Problem>>()?))
}

/// The text of one where bytes may be written as `%` and two digits.
pub(in crate::engine::sources) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'%', [high, low, after @ ..]) => {
                let digits = [*high, *low];
                bytes.push(u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?);
                rest = after;
            }
            (b'%', _) => return None,
            (other, _) => bytes.push(*other),
        }
    }
    String::from_utf8(bytes).ok()
}
