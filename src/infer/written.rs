//! What parameters are that are written into columns and nothing else: a column that has a value without one asks for none, and
//! one that takes some texts alone takes those.

use super::TypedParameter;
use crate::catalog::{StatementAnswer, WrittenColumn};
use crate::project::WriteOperation;
use crate::syntax::NativeStatement;
use crate::syntax::link::LinkedQuery;
use crate::syntax::native::Write;

/// More texts are not listed.
const MOST_TEXTS: usize = 100;

/// Settles what the columns say that parameters are written into.
pub(super) fn settle(
    linked: &LinkedQuery<'_>,
    native: &NativeStatement,
    answer: &StatementAnswer,
    parameters: &mut [TypedParameter],
) {
    for parameter in parameters {
        let uses = uses(linked, native, answer, &parameter.declaration.name);
        let config = &parameter.declaration.config;
        if parameter.labels.is_empty() && config.allowed_values.is_none() && config.choices.is_none() {
            let texts =
                uses.written.iter().map(|(_, column)| &column.allowed).filter(|texts| !texts.is_empty()).cloned();
            // What two columns take.
            let common = texts.reduce(|one, other| one.into_iter().filter(|text| other.contains(text)).collect());
            parameter.labels = common.filter(|texts| texts.len() <= MOST_TEXTS).unwrap_or_default();
        }
        let is_said = config.required == Some(true) || config.from.is_some();
        let has_value = |(write, column): &(&Write, &WrittenColumn)| {
            write.operation == WriteOperation::Insert && (column.nullable || column.default.is_some())
        };
        let may_lack = uses.is_whole && !uses.written.is_empty() && uses.written.iter().all(has_value);
        if may_lack && !is_said {
            parameter.declaration.optional = true;
        }
    }
}

/// Where a parameter stands.
struct Uses<'a> {
    /// The columns that it is written into as it is.
    written: Vec<(&'a Write, &'a WrittenColumn)>,
    /// Whether it stands nowhere else.
    is_whole: bool,
}

fn uses<'a>(
    linked: &LinkedQuery<'_>,
    native: &'a NativeStatement,
    answer: &'a StatementAnswer,
    name: &str,
) -> Uses<'a> {
    let places = linked.occurrences.iter().enumerate().filter(|(_, one)| one.name.value == name);
    let places: Vec<usize> = places.map(|(at, _)| at).collect();
    let writes = || native.changes.iter().flat_map(|change| &change.writes);
    let mut found = Uses { written: Vec::new(), is_whole: true };
    for place in places {
        // Of one occurrence there is one place.
        let written = writes().find_map(|write| {
            let (at, _) = write.values.iter().find(|(_, occurrence)| *occurrence == place)?;
            Some((write, column_of(write, *at, answer)?))
        });
        match written {
            Some(written) => found.written.push(written),
            None => found.is_whole = false,
        }
    }
    found
}

/// The column that a value of a list is written into.
pub fn column_of<'a>(write: &Write, at: usize, answer: &'a StatementAnswer) -> Option<&'a WrittenColumn> {
    let mut of_table = answer.written.iter().filter(|column| is_of(column, &write.table.value));
    match &write.columns {
        Some(columns) => {
            let name = &columns.get(at)?.value;
            of_table.find(|column| column.column.eq_ignore_ascii_case(name))
        }
        // Nothing is brought for what the database computes.
        None => of_table.filter(|column| !column.is_generated).nth(at),
    }
}

/// Whether a column is one of a table that is called so, which may leave out what stands before its last part.
pub fn is_of(column: &WrittenColumn, table: &[String]) -> bool {
    let whole: Vec<&str> = column.table.split('.').collect();
    let ends = whole.iter().rev().zip(table.iter().rev());
    table.len() <= whole.len()
        && ends.clone().count() == table.len()
        && ends.into_iter().all(|(one, other)| one.eq_ignore_ascii_case(other))
}
