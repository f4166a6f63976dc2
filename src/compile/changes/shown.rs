//! What is shown of the rows that a statement changes: as they are before it, and as they are then.

use super::{DEFAULT, Statement, quoted};
use crate::catalog::{DatabaseKind, Native, NativeColumn, Table};
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::is_column_of;
use crate::project::{BoundFrom, WriteOperation};
use crate::syntax::native::{ChangeStatement, Preview, Write};
use crate::tool::{Change, ChangePreview, OutputColumn};
use crate::ty::Type;
use std::collections::BTreeMap;

impl Statement<'_> {
    /// Reports a change that a person would have to agree to without seeing what it writes over.
    pub(super) fn check_confirm(self, body: &Change, sink: &mut Diagnostics) {
        if !self.is_confirmed() {
            return;
        }
        for (change, step) in self.native.changes.iter().zip(&body.steps).filter(|(_, step)| step.writes) {
            let writes_over = change.writes.iter().any(|write| write.operation != WriteOperation::Insert);
            let is_seen = step.preview.as_ref().is_some_and(|preview| {
                let is_told = preview.operation != WriteOperation::Insert || preview.key > 0;
                preview.before.is_some() && is_told && !self.may_lack_key(change, &body.absent)
            });
            // That the table is not read yet was told.
            let is_known = change
                .writes
                .iter()
                .all(|write| self.target(&write.table.value).is_some_and(|one| one.table.is_some()));
            if writes_over && !is_seen && is_known {
                let why = "nobody could be shown the rows that it writes over";
                let told = codes::invalid_setting(self.query.document.value_span(&["confirm"]), why);
                sink.push(told.also(change.span, "by this statement").help(
                    "name the columns of the key: `ON CONFLICT (id) DO UPDATE …`, in MySQL write the whole primary key; a \
                     part of it that a call may leave out is unknown before (`required: true` makes it known); \
                     a table without a primary key, MERGE and `INSERT … SELECT` with a conflict show nothing",
                ));
            }
        }
    }

    /// Whether a call may leave out a part of the key of a row that it inserts, which has a default then that only the database knows.
    fn may_lack_key(self, change: &ChangeStatement, absent: &BTreeMap<String, String>) -> bool {
        let is_left_out = |(write, at, occurrence): (&Write, usize, usize)| {
            let column = write.columns.as_ref().and_then(|columns| columns.get(at));
            let native = self.target(&write.table.value).and_then(|target| target.table?.native.as_ref());
            let is_key = column
                .zip(native)
                .is_some_and(|(column, native)| native.key.iter().any(|part| part.eq_ignore_ascii_case(&column.value)));
            let name = self.query.placeholders.get(occurrence).map(|one| one.name.value.as_str());
            is_key && name.and_then(|name| absent.get(name)).is_some_and(|text| text == DEFAULT)
        };
        let values = change
            .writes
            .iter()
            .flat_map(|write| write.values.iter().map(move |(at, occurrence)| (write, *at, *occurrence)));
        values.into_iter().any(is_left_out)
    }

    /// The rows that have the keys of those that are inserted, where a database gives no rows that it writes.
    fn rows_by_key(self, preview: &Preview, key: &[String], table: &str) -> Option<String> {
        let inserted = preview.inserted.as_ref().filter(|_| self.native.kind == DatabaseKind::Mysql)?;
        let place = |part: &String| inserted.columns.iter().position(|column| column.eq_ignore_ascii_case(part));
        let places = key.iter().map(place).collect::<Option<Vec<usize>>>().filter(|places| !places.is_empty())?;
        let quoted: Vec<String> = key.iter().map(|part| quoted(part, self.native.kind)).collect();
        Some(format!("FROM {table} WHERE {}", inserted.is_one_of(&quoted, &places, self.native.kind)?))
    }

    /// Which columns have the same values again where the same is done to the same rows: those that the statement writes, where
    /// nothing in it is another one at another time.
    fn repeated<'n>(self, writes: &[Write], shown: impl Iterator<Item = &'n str>) -> Vec<usize> {
        if self.native.is_volatile || self.native.is_of_the_moment || self.has_unsettled_parameters() {
            return Vec::new();
        }
        let written = self.answer().map(|answer| answer.written.as_slice()).unwrap_or_default();
        let is_repeated = |name: &str| {
            let is_it = |write: &&Write| {
                let columns = write.columns.iter().flatten();
                write.columns.is_none() || columns.into_iter().any(|column| column.value.eq_ignore_ascii_case(name))
            };
            // A default that is computed is taken where a value is left out.
            let is_computed = |write: &&Write| {
                let mut of_table = written.iter().filter(|one| is_column_of(one, &write.table.value));
                let column = of_table.find(|one| one.column.eq_ignore_ascii_case(name));
                column.and_then(|column| column.default.as_deref()).is_some_and(|default| !is_literal(default))
            };
            writes.iter().any(|write| is_it(&write)) && !writes.iter().any(|write| is_computed(&write))
        };
        shown.enumerate().filter(|(_, name)| is_repeated(name)).map(|(at, _)| at).collect()
    }

    /// Whether a parameter has another value at the next call though the same is sent: its default is SQL, or it is read off the
    /// request.
    fn has_unsettled_parameters(self) -> bool {
        self.query.placeholders.iter().map(|one| one.name.value.as_str()).any(|name| {
            let from = self.query.header.params.get(name).and_then(|config| config.from.as_ref());
            self.query.defaults.contains_key(name) || matches!(from, Some(BoundFrom::Header(_)))
        })
    }

    /// What shows the rows of a statement.
    pub(super) fn preview(self, preview: &Preview, writes: &[Write]) -> Option<ChangePreview> {
        let target = self.target(&preview.table)?;
        let table = target.table?;
        let native = table.native.as_ref()?;
        let written = writes.iter().filter_map(|write| write.columns.as_ref()).flatten();
        let written: Vec<&str> = written.map(|column| column.value.as_str()).collect();
        let is_key = |name: &str| native.key.iter().any(|part| part == name);
        let is_shown = |name: &str| {
            let is_written = written.iter().any(|column| column.eq_ignore_ascii_case(name));
            is_key(name) || is_written || preview.operation == WriteOperation::Delete
        };
        // The key first.
        let mut shown: Vec<usize> = (0..native.columns.len())
            .filter(|at| native.columns.get(*at).is_some_and(|column| is_shown(&column.name)))
            .collect();
        let place = |at: &usize| {
            native.columns.get(*at).and_then(|column| native.key.iter().position(|part| *part == column.name))
        };
        shown.sort_by_key(|at| place(at).unwrap_or(usize::MAX));
        let quote = |name: &str| quoted(name, native.kind);
        let (columns, names) = readable(table, native, &shown)?;
        let key = names.iter().filter(|(own, _)| is_key(&own.name)).count();
        if columns.is_empty() || key < native.key.len() {
            return None;
        }
        let item = |of: &str, (own, name): &(&NativeColumn, &str)| {
            let column = format!("{of}{}", quote(&own.name));
            let is_text = columns.iter().any(|one: &OutputColumn| one.name == **name && one.ty == Type::Text);
            format!("{} AS {}", as_shown(column, (&own.declared, is_text), native.kind), quote(name))
        };
        let list = |of: &str| names.iter().map(|one| item(of, one)).collect::<Vec<_>>().join(", ");
        let of = format!("{}.", preview.called);
        let whole: Vec<String> = native.name.iter().map(|part| quote(part)).collect();
        let can_return = match native.kind {
            DatabaseKind::Sqlite | DatabaseKind::Postgres => true,
            DatabaseKind::Mysql => false,
        };
        // Others beside it may have columns of the same names.
        let is_beside = native.kind == DatabaseKind::Postgres && preview.operation == WriteOperation::Update;
        let behind = if is_beside { of.as_str() } else { "" };
        let returns = can_return && preview.operation != WriteOperation::Delete;
        let rows = preview.rows.clone().or_else(|| self.rows_by_key(preview, &native.key, &whole.join(".")));
        let before = rows.map(|rows| format!("SELECT {} {rows}", list(&of)));
        let by_key = format!("SELECT {} FROM {}", list(""), whole.join("."));
        let returning = returns.then(|| list(behind));
        Some(ChangePreview {
            table: target.name.to_owned(),
            operation: preview.operation,
            key,
            before,
            repeated: self.repeated(writes, names.iter().map(|(own, _)| own.name.as_str())),
            by_key,
            key_names: native.key.iter().map(|part| quote(part)).collect(),
            returning,
            columns,
        })
    }
}

/// A column as its database has it, and what it is called here.
type Named<'t> = (&'t NativeColumn, &'t str);

/// The columns of a table at these places as what is shown has them, each beside its name there; what cannot be read is not
/// shown.
fn readable<'t>(table: &'t Table, native: &'t Native, shown: &[usize]) -> Option<(Vec<OutputColumn>, Vec<Named<'t>>)> {
    let (mut columns, mut names) = (Vec::new(), Vec::new());
    for &at in shown {
        let (own, column) = (native.columns.get(at)?, table.columns.get(at)?);
        let ty = match comes_as_it_is(&own.declared, native.kind) {
            true => match Type::beside_column(&column.arrow) {
                Some(ty) => ty,
                None => continue,
            },
            false => Type::Text,
        };
        names.push((own, column.name.as_str()));
        columns.push(OutputColumn::new(column.name.clone(), ty));
    }
    Some((columns, names))
}

/// Types of the servers whose values come as they are read, by the start of their names; of the others the texts are shown.
const PLAIN: [&str; 12] = [
    "boolean",
    "smallint",
    "mediumint",
    "tinyint",
    "int",
    "bigint",
    "text",
    "character varying",
    "varchar",
    "longtext",
    "mediumtext",
    "date",
];

fn comes_as_it_is(declared: &str, kind: DatabaseKind) -> bool {
    match kind {
        DatabaseKind::Sqlite => true,
        DatabaseKind::Postgres | DatabaseKind::Mysql => {
            let declared = declared.to_lowercase();
            !declared.ends_with("[]")
                && !declared.contains("unsigned")
                && declared != "datetime"
                && PLAIN.iter().any(|plain| declared.starts_with(plain))
        }
    }
}

/// Whether a default is a text or a number that is written out.
fn is_literal(default: &str) -> bool {
    let default = default.trim();
    default.starts_with(['\'', '"', '-', '+']) || default.starts_with(|first: char| first.is_ascii_digit())
}

/// A column as it is shown: its text, where its values would have to be read in another way.
fn as_shown(column: String, (declared, is_text): (&str, bool), kind: DatabaseKind) -> String {
    match (comes_as_it_is(declared, kind), kind) {
        // A value is of any type there, whatever its column is declared as.
        (_, DatabaseKind::Sqlite) if is_text => format!("CAST({column} AS TEXT)"),
        (true, _) | (_, DatabaseKind::Sqlite) => column,
        (false, DatabaseKind::Postgres) => format!("{column}::text"),
        (false, DatabaseKind::Mysql) => format!("CAST({column} AS CHAR)"),
    }
}
