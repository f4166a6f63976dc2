//! What failures of a server mean, by their codes: its own words may hold names, addresses and values, and are never told.

use crate::engine::sources::error::{Rule, SourceError};
use crate::engine::sources::server::failure::{Failure, LOST, of_io};
use std::error::Error as _;
use std::io;
use tokio_postgres::Error;

/// What a failed statement means for who asked for rows of `table`.
pub(super) fn source_error(error: &Error, source: &str, table: &str) -> SourceError {
    let name = source.to_owned();
    let Some(state) = error.code() else {
        // Without a code it is no answer of the server: the connection is gone, or what came is not of the protocol.
        return match error.is_closed() || io_error(error).is_some() {
            true => SourceError::Down { source: name, why: LOST.to_owned() },
            false => SourceError::Other { source: name, code: "protocol".to_owned() },
        };
    };
    match state.code() {
        // A table, a column, a schema, a function or an operator for these types is no more, or the type is another.
        "42P01" | "42703" | "3F000" | "42804" | "42883" | "0A000" => {
            SourceError::Changed { source: name, table: table.to_owned() }
        }
        // A kept statement is gone: a pooler has given the session to somebody else.
        "26000" | "08P01" => SourceError::Down { source: name, why: POOLED.to_owned() },
        "57014" => SourceError::Cancelled,
        "42501" => SourceError::Forbidden { source: name, table: table.to_owned() },
        "40001" | "40P01" | "55P03" => SourceError::Busy { source: name },
        "22003" | "22008" => SourceError::Overflow { source: name },
        // Memory and disk are what the statement took, connections are not.
        "53100" | "53200" => SourceError::TooLarge { source: name },
        code if code.starts_with("54") => SourceError::TooLarge { source: name },
        code if ["08", "53"].contains(&code.get(..2).unwrap_or_default()) || code.starts_with("57P0") => {
            SourceError::Down { source: name, why: by_state(code, Startup::Settings).why }
        }
        code => SourceError::Other { source: name, code: code.to_owned() },
    }
}

/// What stands before the number of a value that the server cannot read, on a line of the context of an error.
const OF_VALUES: [&str; 2] = ["unnamed portal parameter $", "portal \"\" parameter $"];

/// The place of the value that the server cannot read, from 0: it says so in the context, and nothing else of that is read,
/// since values stand in it.
fn unread_value(error: &Error) -> Option<usize> {
    let told = error.as_db_error()?;
    // Types of extensions fail with any code.
    let is_of_the_server = ["08", "53", "57", "58"].iter().any(|class| told.code().code().starts_with(class));
    place_of_value(told.where_().filter(|_| !is_of_the_server)?)
}

/// The place that the first line tells that tells one: what follows may be of a value that has several.
fn place_of_value(context: &str) -> Option<usize> {
    let number = context.lines().find_map(|line| OF_VALUES.iter().find_map(|start| line.strip_prefix(start)))?;
    let end = number.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(number.len());
    number.get(..end)?.parse::<usize>().ok()?.checked_sub(1)
}

/// What a failed statement means that an author has written for a query: it may fail for the values of a call, or for what it
/// finds in the tables, which is nothing that ours do.
pub(super) fn error_of_an_author(error: &Error, source: &str, query: &str) -> SourceError {
    match unread_value(error) {
        Some(place) => SourceError::UnreadValue { source: source.to_owned(), place },
        None => of_an_author(source_error(error, source, query), query),
    }
}

/// What a failed statement means that changes data: a rule of the database may be against it, or another transaction.
pub(super) fn error_of_a_change(error: &Error, source: &str, query: &str) -> SourceError {
    let name = source.to_owned();
    let Some(told) = error.as_db_error() else { return error_of_an_author(error, source, query) };
    let rule = match told.code().code() {
        "40001" | "40P01" => return SourceError::Serialization { source: name },
        "25006" => {
            return SourceError::Refusing { source: name, why: "the user, or the server, may only read".to_owned() };
        }
        "P0001" => Rule::Own,
        "22001" | "22003" | "22008" => Rule::Type,
        "21000" if told.message().contains("ON CONFLICT") => Rule::Once,
        "23505" | "23P01" => Rule::Unique,
        "23502" => Rule::NotNull,
        "23514" => Rule::Check,
        "23503" => Rule::ForeignKey,
        _ => return error_of_an_author(error, source, query),
    };
    let columns = match rule {
        Rule::Unique => told.detail().map(columns_of_key).unwrap_or_default(),
        Rule::NotNull => told.column().map(str::to_owned).into_iter().collect(),
        Rule::Check | Rule::ForeignKey | Rule::Type | Rule::Own | Rule::Once => Vec::new(),
    };
    SourceError::Violated { source: name, rule, columns, says: on_a_line(told.message()) }
}

/// The columns in `Key (a, b)=(1, 2) already exists.`; what stands behind them are values.
fn columns_of_key(detail: &str) -> Vec<String> {
    let inside = detail.split_once('(').and_then(|(_, rest)| rest.split_once(")=(")).map(|(columns, _)| columns);
    let columns = inside.unwrap_or_default().split(", ").filter(|column| !column.is_empty());
    // An expression is no column.
    columns.map(|column| column.trim_matches('"').to_owned()).filter(|column| !column.contains('(')).collect()
}

/// A message on one line, and not too long.
fn on_a_line(message: &str) -> String {
    message.chars().take(300).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// The same of what a failure means.
fn of_an_author(error: SourceError, query: &str) -> SourceError {
    match error {
        SourceError::Changed { source, .. } => SourceError::outdated(source, query),
        SourceError::Forbidden { source, .. } => SourceError::Denied { source, query: query.to_owned() },
        SourceError::Other { source, code } => match code.as_str() {
            // A function raised it, or reads a value in a grammar of its own; or a query that stands for one value has several.
            "P0001" | "42601" | "21000" => SourceError::Unfit { source },
            code if code.starts_with("22") => SourceError::Unfit { source },
            _ => SourceError::Other { source, code },
        },
        error => error,
    }
}

/// What is told where a pooler does not keep what a session is.
const POOLED: &str = "the session lost what was prepared in it; behind a pooler that shares connections, say \
                      `named_statements: false`";

/// What is told where the settings of a session were not taken, or did not hold.
pub(super) const UNSETTLED: &str = "its sessions do not take the settings they begin with, by which they can only read; \
                                    behind a pooler, say `named_statements: false`";

/// What a connection begins with beside who connects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Startup {
    /// The settings of the session.
    Settings,
    /// What the address says in `options`.
    Options,
    /// Nothing else.
    Nothing,
}

/// Why an attempt to connect failed that began so.
pub(super) fn connect_failure(error: &Error, startup: Startup) -> Failure {
    match error.code() {
        Some(state) => by_state(state.code(), startup),
        None => io_error(error).map_or_else(|| of_driver(error), of_io),
    }
}

/// What is told where a pooler does not take what the address says.
const OPTIONS: &str = "what stands before it takes no `options`, which the address has: leave them out, or set them for the user \
                       in the database";

/// What a code of the server means for who connects.
fn by_state(code: &str, startup: Startup) -> Failure {
    let refused = |why: &str| Failure::refusal(why);
    let passing = |why: &str| Failure::passing(why);
    match code {
        "28P01" => refused("the password is not right"),
        "28000" => refused("it has no such user, or does not let it in from here, or not without TLS or a certificate"),
        "3D000" => refused("it has no database of the name in the address"),
        "42501" => refused("the user may not connect to the database"),
        "08P01" | "22023" | "42704" | "0A000" if startup == Startup::Settings => refused(UNSETTLED),
        "08P01" if startup == Startup::Options => refused(OPTIONS),
        "08P01" => refused("the pooler before it does not know the user or the database"),
        "53300" => passing("all of its connections are taken"),
        "57P03" => passing("it is starting, or shutting down"),
        "57P01" | "57P02" => passing("it is shutting down"),
        "57P05" => passing("it closed a connection that rested"),
        _ => passing("it refuses the connection"),
    }
}

/// The failure of the system that is behind an error.
fn io_error(error: &Error) -> Option<&io::Error> {
    error.source().and_then(|source| source.downcast_ref())
}

/// Failures of the driver itself have no codes; their causes are texts of its own.
fn of_driver(error: &Error) -> Failure {
    let refused = |why: &str| Failure::refusal(why);
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    match (error.to_string().as_str(), cause.as_str()) {
        (_, "server does not support TLS") => {
            refused("it has no TLS; where anybody on the way may read along, say `tls: { mode: insecure }`")
        }
        (_, "password missing") => refused("it asks for a password, and the address has none"),
        ("authentication error", _) => {
            refused("it asks for a proof of the user that is not known here, or gives a wrong one")
        }
        ("connection closed", _) => Failure::passing(LOST),
        ("timeout waiting for server", _) => Failure::passing("it does not answer"),
        _ => Failure::passing("what answers there is no PostgreSQL"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_that_cannot_be_read_is_told_by_its_number() {
        for (context, place) in [
            ("unnamed portal parameter $2 = '...'", Some(1)),
            ("portal \"\" parameter $12", Some(11)),
            ("JSON data, line 1: {unnamed portal parameter $1\nunnamed portal parameter $3 = '{'", Some(2)),
            ("unnamed portal parameter $1 = 'a\nunnamed portal parameter $2'", Some(0)),
            ("unnamed portal with parameters: $1 = '7'", None),
            ("PL/pgSQL function f(text) line 1 at RAISE", None),
            ("unnamed portal parameter $0", None),
        ] {
            assert_eq!(place_of_value(context), place, "{context}");
        }
    }
}
