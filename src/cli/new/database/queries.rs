//! Queries that a project over a database begins with: a row by its key, a list, a count.

mod clause;
mod count;
mod join;
mod list;
mod lookup;

use super::tables::{PlannedColumn, PlannedTable, quoted};
use crate::cli::add::yaml;
use crate::load::QUERIES;
use crate::name::{RESERVED, is_legal};
use crate::ty::Type;
use clause::Clause;
use join::Join;
use serde_json::json;

/// Words that are parts of the names of columns whose values nobody is to read.
const SECRETS: [&str; 10] = ["cvc", "cvv", "hash", "otp", "pass", "pin", "pw", "pwd", "salt", "ssn"];

/// What such names hold anywhere: `passwordHash`, `userapikey`.
const SECRETS_WITHIN: [&str; 16] = [
    "access_key",
    "api_key",
    "apikey",
    "auth_key",
    "credential",
    "kennwort",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "private_key",
    "reset_code",
    "secret",
    "session_id",
    "token",
    "userpw",
];

/// A query that a project begins with.
#[derive(Debug)]
pub(super) struct FirstQuery {
    /// Its name, and that of its file.
    pub(super) name: String,
    /// The file.
    pub(super) text: String,
    /// The table whose rows it is about.
    pub(super) table: String,
    /// The parameters that it cannot do without.
    pub(super) asked: Vec<Asked>,
    /// What is to be typed behind `qtool` to see it.
    pub(super) next: String,
}

impl FirstQuery {
    /// The path of its file.
    pub(super) fn path(&self) -> String {
        format!("{QUERIES}/{}.sql", self.name)
    }
}

/// A parameter that a query cannot do without.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// The column whose values it takes, and its own name.
    pub(super) column: String,
    /// The column's type.
    pub(super) ty: Type,
}

/// The queries, each where there is a table for it.
pub(super) fn first_queries(tables: &[PlannedTable]) -> Vec<FirstQuery> {
    let queries = [lookup::lookup_query(tables), list::list_query(tables), count::count_query(tables)];
    let mut named: Vec<FirstQuery> = Vec::new();
    for query in queries.into_iter().flatten() {
        let is_taken =
            tables.iter().any(|table| table.name == query.name) || named.iter().any(|other| other.name == query.name);
        if is_legal(&query.name) && !is_taken {
            named.push(query);
        }
    }
    named
}

/// Whether a column may be the name of a parameter.
fn may_be_parameter(name: &str) -> bool {
    is_legal(name) && !RESERVED.contains(&name)
}

/// Whether an agent may be asked for values of such a type.
fn may_be_asked(ty: &Type) -> bool {
    matches!(ty, Type::Smallint | Type::Int | Type::Bigint | Type::Text | Type::Uuid | Type::Date)
}

/// Whether a column is one that people read, and not one that nobody is to read.
fn is_readable(column: &PlannedColumn) -> bool {
    let name = column.name.to_lowercase();
    let is_secret =
        name.split('_').any(|part| SECRETS.contains(&part)) || SECRETS_WITHIN.iter().any(|part| name.contains(part));
    !matches!(column.ty, None | Some(Type::Bytea)) && !is_secret
}

/// A statement on its way.
struct Statement<'a> {
    table: &'a PlannedTable,
    joins: Vec<Join<'a>>,
    items: Vec<String>,
    /// What follows `FROM` and the joins, line by line.
    rest: Vec<String>,
}

impl Statement<'_> {
    /// A column of the table, with the table's name before it where there are others.
    fn column(&self, name: &str) -> String {
        column_of(self.table, name, &self.joins)
    }

    /// The file: a header and the statement.
    fn text(&self, description: &str, clauses: &[Clause]) -> String {
        let mut out = format!("/*---\ndescription: {}\n", yaml(&json!(description)));
        if !clauses.is_empty() {
            out.push_str("params:\n");
        }
        for Clause { parameter, description, allowed, .. } in clauses {
            let allowed = match allowed.as_slice() {
                [] => String::new(),
                values => format!(", allowed_values: {}", yaml(&json!(values))),
            };
            out.push_str(&format!("  {parameter}: {{ description: {}{allowed} }}\n", yaml(&json!(description))));
        }
        out.push_str(&format!("---*/\nSELECT\n  {}\nFROM {}\n", self.items.join(",\n  "), quoted(&self.table.name)));
        for join in &self.joins {
            out.push_str(&format!("{}\n", join.sql(self.table)));
        }
        for line in &self.rest {
            out.push_str(&format!("{line}\n"));
        }
        out
    }
}

fn column_of(table: &PlannedTable, name: &str, joins: &[Join<'_>]) -> String {
    match joins {
        [] => quoted(name),
        _ => format!("{}.{}", quoted(&table.name), quoted(name)),
    }
}
