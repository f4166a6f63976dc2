//! What engines and stores say when they fail, told to a table's author.
//!
//! Their own words hold absolute paths, addresses with their queries, and whole rows: what passes is picked out.

use super::TableError;
use super::whole::Damaged;
use crate::plan::engine_words;
use crate::ty::Type;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use object_store::client::{HttpError, HttpErrorKind};
use regex::{Captures, Regex};
use std::error::Error;
use std::{fmt, io};

/// The longest text that is taken over from an engine.
const LONGEST: usize = 200;

/// A file that a link leads to lies outside the roots.
#[derive(Debug)]
pub(super) struct Outside;

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the file lies outside the project's roots")
    }
}

impl Error for Outside {}

/// The table cannot be read, and why.
pub(super) fn unreadable(shown: &str, why: &str) -> TableError {
    TableError::Unreadable { message: format!("`{shown}` cannot be read: {why}") }
}

/// A path that the operating system refuses.
pub(super) fn io(shown: &str, error: &io::Error) -> TableError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => TableError::NotFound { path: shown.to_owned() },
        kind => unreadable(shown, &kind.to_string()),
    }
}

/// What kind of failure of the operating system is behind an error.
pub(super) fn io_kind(error: &object_store::Error) -> io::ErrorKind {
    cause::<io::Error>(error).map_or(io::ErrorKind::Other, io::Error::kind)
}

/// A store that cannot be made from the environment.
pub(super) fn set_up(error: &object_store::Error) -> TableError {
    let text = plain_reason(&error.to_string());
    // A text with a slash may name a file with credentials.
    let why = if text.contains(['/', '\\']) { "its settings in the environment are not valid" } else { text.as_str() };
    TableError::Unreadable { message: format!("the object store cannot be used: {why}") }
}

/// A store that fails.
pub(super) fn store(shown: &str, error: &object_store::Error) -> TableError {
    match error {
        object_store::Error::NotFound { .. } => TableError::NotFound { path: shown.to_owned() },
        object_store::Error::PermissionDenied { source, .. } if source.downcast_ref::<Outside>().is_some() => {
            TableError::OutsideRoots { path: shown.to_owned() }
        }
        other => match cause::<Damaged>(other) {
            Some(Damaged { why, .. }) if why.option().is_some() => {
                TableError::option(why.option().unwrap_or_default(), why.to_string())
            }
            Some(Damaged { file, why }) if file_is(shown, file) => unreadable(shown, &why.to_string()),
            Some(damaged) => unreadable(shown, &damaged.to_string()),
            None => unreadable(shown, &store_reason(other)),
        },
    }
}

/// Whether a file of a store is the one that the table's path names.
fn file_is(shown: &str, file: &str) -> bool {
    shown == file || file.ends_with(shown.trim_start_matches("./"))
}

fn store_reason(error: &object_store::Error) -> String {
    let text = error.to_string();
    // Where no credentials are set, the stores ask the machine's metadata service for some.
    if text.contains("169.254.169.254") || text.contains("metadata.google.internal") {
        return "no credentials are set in the environment".to_owned();
    }
    let known = match error {
        object_store::Error::PermissionDenied { .. } => Some("access is denied"),
        object_store::Error::Unauthenticated { .. } => Some("the credentials are not accepted"),
        object_store::Error::NotSupported { .. } => Some("the server does not give out parts of a file"),
        _ if text.contains("incorrectly configured region") => Some("the bucket lies in another region"),
        _ if text.contains("Content-Length Header missing") => Some("the server does not tell the size of the file"),
        _ => None,
    };
    if let Some(known) = known {
        return known.to_owned();
    }
    if let Some(status) = find(r"status code: (\d{3})", &text).and_then(|found| part(&found, 1)) {
        return format!("the server answers with status {status}");
    }
    if let Some(error) = cause::<HttpError>(error) {
        return match error.kind() {
            HttpErrorKind::Connect => "the server cannot be reached".to_owned(),
            HttpErrorKind::Timeout => "the server does not answer in time".to_owned(),
            _ => "the connection to the server fails".to_owned(),
        };
    }
    match io_kind(error) {
        io::ErrorKind::Other => "the store fails".to_owned(),
        kind => kind.to_string(),
    }
}

/// An engine that fails; `columns` are those of the files, in order.
pub(super) fn engine(shown: &str, error: &DataFusionError, columns: &[String]) -> TableError {
    if let Some(error) = cause::<object_store::Error>(error) {
        return store(shown, error);
    }
    let text = match error.find_root() {
        DataFusionError::ArrowError(error, _) => error.to_string(),
        other => other.message().into_owned(),
    };
    let text = text.lines().next().unwrap_or_default();
    let why = wrong_value(text, columns)
        .or_else(|| wrong_encoding(text))
        .or_else(|| wrong_length(text))
        .or_else(|| wrong_field(text));
    unreadable(shown, &why.unwrap_or_else(|| plain_reason(text)))
}

/// A column of a text file that a cast fails on; `None` for another error, which names the column by itself.
pub(super) fn cast(shown: &str, error: &DataFusionError, column: &str) -> Option<TableError> {
    let DataFusionError::ArrowError(error, _) = error.find_root() else { return None };
    let (ArrowError::ParseError(why) | ArrowError::CastError(why)) = error.as_ref() else { return None };
    let names_it = why.contains(" column ");
    (!names_it).then(|| unreadable(shown, &format!("column `{column}`: {}", plain_reason(why))))
}

/// A CSV value that does not have its column's type.
fn wrong_value(text: &str, columns: &[String]) -> Option<String> {
    let found = find(engine_words::CSV_VALUE, text)?;
    let column = columns.get(part(&found, 3)?.parse::<usize>().ok()?)?;
    let ty = part(&found, 2)?.parse::<DataType>().ok().and_then(|ty| Type::from_arrow(&ty))?;
    // Lines are counted from 0 there.
    let line = part(&found, 4)?.parse::<u64>().ok()?.saturating_add(1);
    let value: String = part(&found, 1)?.chars().take(40).collect();
    Some(format!("column `{column}` holds `{value}` in line {line}, which is not a value of type {ty}"))
}

/// A CSV line that is written in another encoding.
fn wrong_encoding(text: &str) -> Option<String> {
    let found = engine_words::CSV_ENCODING.iter().find_map(|pattern| find(pattern, text))?;
    let line = part(&found, 1)?;
    Some(format!("line {line} holds bytes that are no UTF-8: say with `encoding` what it is, such as `windows-1252`"))
}

/// A CSV line with too few or too many values.
fn wrong_length(text: &str) -> Option<String> {
    if let Some(found) = find(engine_words::CSV_LENGTH, text) {
        let (expected, count, line) = (part(&found, 1)?, part(&found, 2)?, part(&found, 3)?);
        return Some(format!("line {line} has {count} values where the lines before have {expected}"));
    }
    let found = find(engine_words::CSV_FIELDS, text)?;
    let (line, expected, count) = (part(&found, 1)?, part(&found, 2)?, part(&found, 3)?);
    Some(format!("line {line} has {count} values where there are {expected} columns"))
}

/// A JSON value that does not have its column's type.
fn wrong_field(text: &str) -> Option<String> {
    let found = find(engine_words::JSON_FIELD, text)?;
    Some(format!("column `{}`: {}", part(&found, 1)?, plain_reason(part(&found, 2)?)))
}

/// The text without what engines put around it: `Parser error: …`, the row, the full stop.
fn plain_reason(text: &str) -> String {
    let mut text = text.lines().next().unwrap_or_default();
    while let Some((head, rest)) = text.split_once(" error: ") {
        if head.len() > 20 || !head.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ') {
            break;
        }
        text = rest;
    }
    let text = text.split(engine_words::ROW_DATA).next().unwrap_or(text).trim().trim_end_matches('.');
    let text: String = text.chars().take(LONGEST).collect();
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text,
    }
}

fn find<'t>(pattern: &str, text: &'t str) -> Option<Captures<'t>> {
    Regex::new(pattern).ok()?.captures(text)
}

fn part<'t>(found: &Captures<'t>, group: usize) -> Option<&'t str> {
    found.get(group).map(|part| part.as_str())
}

/// The first error of a kind among an error and its causes.
fn cause<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<E>() {
            return Some(found);
        }
        next = error.source();
    }
    None
}
