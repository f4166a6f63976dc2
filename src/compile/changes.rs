//! What a statement in a database's own SQL may change: tables and columns that are declared writable, rows that a call bounds.

mod shown;

use super::row_lists;
use crate::catalog::{DatabaseKind, StatementAnswer, Table};
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::{TypedChange, TypedQuery, column_of_write, is_column_of};
use crate::name::nearest;
use crate::project::{
    AutomaticParameter, BoundFrom, Project, TableSource, Timeout, Writable, WriteOperation, name_parts,
};
use crate::source::Span;
use crate::syntax::link::LinkedQuery;
use crate::syntax::native::{Write, WriteBounds};
use crate::syntax::{NativeStatement, ParsedQuery};
use crate::tool::{Change, ChangeStep, Changes, Idempotency, TableWrite};
use std::collections::{BTreeMap, BTreeSet};

/// The word of servers for the default of a column.
const DEFAULT: &str = "DEFAULT";

/// What is known of a statement that changes data.
#[derive(Clone, Copy)]
pub(super) struct Statement<'a> {
    pub project: &'a Project,
    pub query: &'a ParsedQuery,
    pub native: &'a NativeStatement,
}

/// A table of the project that is written into.
struct Target<'a> {
    name: &'a str,
    /// What is known of it; `None` where it is not read yet.
    table: Option<&'a Table>,
    writable: Option<&'a Writable>,
}

impl<'a> Statement<'a> {
    /// Checks what is changed; `None` where it may not be.
    pub(super) fn check(self, sink: &mut Diagnostics) -> Option<Changes> {
        let errors = sink.errors();
        self.check_settings(sink);
        self.check_records(sink);
        let mut found: BTreeMap<(String, WriteOperation), BTreeSet<String>> = BTreeMap::new();
        for write in self.writes() {
            if let Some((table, columns)) = self.check_write(write, sink) {
                found.entry((table, write.operation)).or_default().extend(columns);
            }
            if !self.is_bound(write) {
                sink.push(codes::unbounded_change(write.table.span, write.operation.keyword()));
            }
        }
        if sink.errors() > errors {
            return None;
        }
        let max_changes = self.max_changes(sink)?;
        let write = |((table, operation), columns): ((String, WriteOperation), BTreeSet<String>)| TableWrite {
            table,
            operation,
            columns: columns.into_iter().collect(),
        };
        let writes = found.into_iter().map(write).collect();
        let header = &self.query.header;
        let (expect, confirm) = (header.expect_changes, self.is_confirmed());
        let changes = Changes { writes, max_changes, expect, confirm };
        row_lists::check(self.query, self.native, &changes, sink);
        (sink.errors() == errors).then_some(changes)
    }

    /// Whether it is a call that says which rows are changed: what is fixed is the same for all.
    fn is_bound(self, write: &Write) -> bool {
        let is_said = |at: &usize| {
            let name = self.query.placeholders.get(*at).map(|one| &one.name.value);
            let config = name.and_then(|name| self.query.header.params.get(name));
            let is_nobodys = config.is_some_and(|config| {
                let is_fixed = matches!(config.from, Some(BoundFrom::Fixed(_) | BoundFrom::Default));
                is_fixed || config.fixed.is_some() || config.hidden == Some(true)
            });
            !is_nobodys
        };
        match &write.bounds {
            WriteBounds::Nothing => false,
            WriteBounds::Condition { by, .. } => by.iter().any(is_said),
            WriteBounds::Rows(_) | WriteBounds::List | WriteBounds::Query | WriteBounds::Beside => true,
        }
    }

    pub(super) fn writes(self) -> impl Iterator<Item = &'a Write> {
        self.native.changes.iter().flat_map(|change| &change.writes)
    }

    /// Reports settings that have no meaning where data is changed.
    fn check_settings(self, sink: &mut Diagnostics) {
        let header = &self.query.header;
        let place = |key: &str| self.query.document.value_span(&[key]);
        if header.cache_ttl.is_some() {
            let why = "a result that is kept would be given to a call that changes nothing";
            sink.push(codes::invalid_setting(place("cache_ttl"), why));
        }
        for one in header.expose.iter().flatten() {
            let source = self.project.file.sources.get(&self.native.source.value);
            if *one == AutomaticParameter::IdempotencyKey && source.is_none_or(|source| source.idempotency().is_none())
            {
                let name = &self.native.source.value;
                let table = table_of_keys(self.native.kind, "qtool_calls");
                let told = match self.is_over_folder() {
                    true => {
                        let why =
                            format!("keys are kept in a table of a database, and the records `{name}` lie in a folder");
                        codes::invalid_setting(place("expose"), &why)
                            .help("where each record has a key of the call, `ON CONFLICT … DO NOTHING` writes it once")
                    }
                    false => {
                        let why = format!("keys are kept in a table, and source `{name}` names none");
                        codes::invalid_setting(place("expose"), &why).help(format!(
                            "make one, `{table}`, and say `idempotency: {{ table: qtool_calls }}` under the source"
                        ))
                    }
                };
                sink.push(told);
            }
            let has_no_pages = matches!(one, AutomaticParameter::Limit | AutomaticParameter::Cursor);
            if has_no_pages {
                let why = format!("`{}` is none of a tool that changes data: `max_changes` bounds it", one.as_str());
                sink.push(codes::invalid_setting(place("expose"), &why));
            }
        }
        for parameter in &self.query.placeholders {
            let name = &parameter.name.value;
            let is_reserved = |one: &AutomaticParameter| one.is_of_changes() && one.as_str() == name;
            if AutomaticParameter::ALL.iter().any(is_reserved) {
                sink.push(codes::reserved_name(parameter.name.span, name));
            }
        }
    }

    /// Whether it changes records of a folder: then its database has their name, and no other table.
    fn is_over_folder(self) -> bool {
        let source = self.native.source.value.as_str();
        let table = self.project.file.tables.get(source);
        self.project.records.contains_key(source) && table.and_then(TableSource::source) == Some(source)
    }

    /// The name in the project of the table that a write goes into.
    pub(super) fn target_name(self, table: &[String]) -> Option<&'a str> {
        self.target(table).map(|target| target.name)
    }

    /// The table of the project that a write goes into; `None` where there is none.
    fn target(self, table: &[String]) -> Option<Target<'a>> {
        let project = self.project;
        let of_source = project.file.tables.iter().filter_map(|(name, source)| match source {
            TableSource::Database(own) if own.source == self.native.source.value => Some((name, own)),
            _ => None,
        });
        let mut found = of_source.filter(|(name, own)| {
            match project.catalog.tables.get(*name).and_then(|one| one.native.as_ref()) {
                Some(native) => native.is_named(table),
                None => own
                    .native_name(name)
                    .last()
                    .zip(table.last())
                    .is_some_and(|(one, other)| one.eq_ignore_ascii_case(other)),
            }
        });
        let first = found.next()?;
        // Of several under other names, the one that says what may be changed.
        let (name, own) = std::iter::once(first).chain(found).max_by_key(|(_, own)| own.writable.is_some())?;
        Some(Target { name, table: project.catalog.tables.get(name), writable: own.writable.as_ref() })
    }

    /// Checks what is written into one table: its name in the project, and the columns.
    fn check_write(self, write: &Write, sink: &mut Diagnostics) -> Option<(String, Vec<String>)> {
        let errors = sink.errors();
        let place = write.table.span;
        let Some(target) = self.target(&write.table.value) else {
            let source = &self.native.source.value;
            if self.is_over_folder() {
                sink.push(codes::no_table_of_records(place, &write.table.value.join("."), source));
                return None;
            }
            let known = self.project.file.tables.values().filter_map(|table| match table {
                TableSource::Database(own) if own.source == *source => own.table.clone(),
                _ => None,
            });
            let named = self.project.file.tables.iter().filter(|(_, table)| table.source() == Some(source.as_str()));
            let known: Vec<String> = named.map(|(name, _)| name.clone()).chain(known).collect();
            let written = write.table.value.join(".");
            let near = nearest(&written, known.iter().map(String::as_str));
            sink.push(codes::no_table_to_write(place, &written, source, near));
            return None;
        };
        let document = &self.project.document;
        let Some(writable) = target.writable.filter(|writable| writable.is_any()) else {
            let path = ["tables", target.name];
            let edit = document.inserting_edit(&path, "writable: true").filter(|_| target.writable.is_none());
            sink.push(codes::table_of_no_tool(place, target.name, self.project.table_span(target.name), edit));
            return None;
        };
        let said = match self.project.records.contains_key(target.name) {
            true => document.key_span(&["records", target.name]),
            false => document.value_span(&["tables", target.name, "writable"]),
        };
        if target.table.and_then(|table| table.native.as_ref()).is_some_and(|native| native.is_view) {
            sink.push(codes::view_of_no_tool(place, target.name, said));
        }
        if !writable.allows(write.operation) {
            sink.push(codes::operation_of_no_tool(place, target.name, write.operation.keyword(), said));
        }
        let columns = match &write.columns {
            Some(columns) => {
                for column in columns.iter().filter(|column| !writable.allows_column(&column.value)) {
                    let named = (column.value.as_str(), target.name);
                    sink.push(codes::column_of_no_tool(column.span, named, writable.columns(), said));
                }
                if let Some(missing) = self.missing(write) {
                    let why = format!("column `{missing}` is left out, and must have a value");
                    sink.push(codes::foreign_change(
                        place,
                        &why,
                        Some("write it, or give it a default in the database"),
                    ));
                }
                for column in columns.iter().filter(|column| self.is_generated(write, &column.value)) {
                    sink.push(codes::generated_column(column.span, &column.value, target.name));
                }
                columns.iter().map(|column| native_name(&target, &column.value)).collect()
            }
            None => {
                if !writable.columns().is_empty() {
                    sink.push(codes::every_column_is_written(place, target.name, writable.columns(), said));
                }
                let native = target.table.and_then(|table| table.native.as_ref());
                native
                    .map(|native| native.columns.iter().map(|column| column.name.clone()).collect())
                    .unwrap_or_default()
            }
        };
        (sink.errors() == errors).then(|| (target.name.to_owned(), columns))
    }

    /// What the database says of the statement.
    fn answer(self) -> Option<&'a StatementAnswer> {
        self.project.statements.get(&self.query.file)?.as_ref().ok()
    }

    /// A column that an INSERT leaves out though it must have a value.
    fn missing(self, write: &Write) -> Option<String> {
        let columns = write.columns.as_ref().filter(|_| write.operation == WriteOperation::Insert)?;
        let of_table = self.answer()?.written.iter().filter(|one| is_column_of(one, &write.table.value));
        let is_named = |name: &str| columns.iter().any(|column| column.value.eq_ignore_ascii_case(name));
        let mut missing = of_table.filter(|one| !one.nullable && one.default.is_none() && !one.is_generated);
        missing.find(|one| !is_named(&one.column)).map(|one| one.column.clone())
    }

    fn is_generated(self, write: &Write, column: &str) -> bool {
        let written = self.answer().map(|answer| answer.written.as_slice()).unwrap_or_default();
        let is_it = |one: &&crate::catalog::WrittenColumn| {
            is_column_of(one, &write.table.value) && one.column.eq_ignore_ascii_case(column)
        };
        written.iter().find(is_it).is_some_and(|one| one.is_generated)
    }

    /// How many rows a call changes at most.
    fn max_changes(self, sink: &mut Diagnostics) -> Option<u64> {
        let errors = sink.errors();
        let header = &self.query.header;
        let place = |key: &str| self.query.document.value_span(&[key]);
        let each: Option<Vec<u64>> = self.writes().map(|write| self.rows_of(write)).collect();
        let proved = each.map(|each| each.into_iter().fold(0, u64::saturating_add));
        let is_known = |write: &Write| self.target(&write.table.value).is_none_or(|target| target.table.is_some());
        let is_refused = matches!(self.project.statements.get(&self.query.file), Some(Err(_)));
        if header.max_changes.or(proved).is_none() && (is_refused || !self.writes().all(is_known)) {
            // What there is to say was told: nobody knows yet which rows are meant.
            return None;
        }
        let Some(max) = header.max_changes.or(proved) else {
            let edit = self.query.document.inserting_edit(&[], "max_changes: 10");
            let unbounded = self.writes().find(|write| self.rows_of(write).is_none());
            sink.push(codes::number_of_changes(unbounded.map_or(self.query.head, |write| write.table.span), edit));
            return None;
        };
        let fewest: u64 = self.writes().map(fewest).fold(0, u64::saturating_add);
        if fewest > max {
            let why = format!("every call writes {fewest} rows, and {max} are allowed: none would do");
            sink.push(codes::invalid_setting(place("max_changes"), &why));
        }
        if let Some(expect) = header.expect_changes
            && expect.fewest() > max
        {
            let why = format!("`{expect}` is more than `max_changes` allows, which is {max}");
            sink.push(codes::invalid_setting(place("expect_changes"), &why));
        }
        (sink.errors() == errors).then_some(max)
    }

    /// How many rows are written at most, where that can be proved.
    fn rows_of(self, write: &Write) -> Option<u64> {
        match &write.bounds {
            WriteBounds::Rows(rows) => Some(*rows),
            WriteBounds::Beside => Some(0),
            WriteBounds::List | WriteBounds::Query | WriteBounds::Nothing => None,
            WriteBounds::Condition { equal, .. } => {
                let target = self.target(&write.table.value)?;
                let key = &target.table?.native.as_ref()?.key;
                let is_told = |part: &String| equal.iter().any(|column| column.eq_ignore_ascii_case(part));
                (!key.is_empty() && key.iter().all(is_told)).then_some(1)
            }
        }
    }

    /// What runs.
    pub(super) fn body(
        self,
        linked: &LinkedQuery<'_>,
        typed: &TypedQuery,
        changes: Changes,
        sink: &mut Diagnostics,
    ) -> TypedChange {
        let part = linked.parts.last();
        let previews = part.map(|part| part.previews.as_slice()).unwrap_or_default();
        let steps = self.native.changes.iter().enumerate().map(|(at, change)| {
            let gives_rows = change.returned.is_some();
            let preview = previews.get(at).and_then(Option::as_ref).filter(|_| !change.writes.is_empty());
            let preview = preview.and_then(|preview| self.preview(preview, &change.writes));
            let is_written_out = |write: &&Write| matches!(write.bounds, WriteBounds::Rows(_) | WriteBounds::List);
            let is_beside = change.writes.iter().any(|write| write.bounds == WriteBounds::Beside);
            // MySQL counts a row twice that was in the way of another.
            let counts_twice = self.native.kind == DatabaseKind::Mysql && is_beside;
            let rows = change.writes.iter().find(is_written_out).map(fewest).filter(|_| counts_twice);
            ChangeStep { writes: !change.writes.is_empty(), gives_rows, rows, preview }
        });
        let body = Change {
            source: self.native.source.value.clone(),
            database: self.native.kind,
            statement: typed.statement.clone(),
            steps: steps.collect(),
            targets: self.targets(),
            isolation: self.query.header.isolation.unwrap_or_default(),
            sent_as: typed.sent_as.clone(),
            as_told: typed.as_told.clone(),
            absent: self.absent(linked, typed),
            idempotency: self.idempotency(),
            records: self.records(),
        };
        self.check_confirm(&body, sink);
        TypedChange { changes, body }
    }

    /// Where the keys of its calls are kept.
    fn idempotency(self) -> Option<Idempotency> {
        let is_asked = self.query.header.expose.iter().flatten().any(|one| *one == AutomaticParameter::IdempotencyKey);
        let config = self.project.file.sources.get(&self.native.source.value)?.idempotency().filter(|_| is_asked)?;
        let parts = name_parts(&config.table);
        let quoted: Vec<String> = parts.iter().map(|part| quoted(part, self.native.kind)).collect();
        Some(Idempotency { table: quoted.join("."), parts, keep: Timeout(config.keep()) })
    }

    /// The tables that are written into, by their names there.
    fn targets(self) -> Vec<Vec<String>> {
        let mut found: Vec<Vec<String>> = Vec::new();
        for write in self.writes() {
            let native = self.target(&write.table.value).and_then(|target| target.table?.native.as_ref());
            let name = native.map_or_else(|| write.table.value.clone(), |native| native.name.clone());
            if !found.contains(&name) {
                found.push(name);
            }
        }
        // What is done to records is told beside them.
        let told: Vec<Vec<String>> =
            self.records().into_iter().filter_map(|records| Some(records.store?.history)).collect();
        found.extend(told);
        found
    }

    /// What is written in the place of parameters without a value.
    fn absent(self, linked: &LinkedQuery<'_>, typed: &TypedQuery) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let Some(answer) = self.answer() else { return found };
        for parameter in
            typed.parameters.iter().filter(|one| !one.declaration.is_required() && !one.declaration.has_default())
        {
            let name = &parameter.declaration.name;
            for (write, (at, occurrence)) in
                self.writes().flat_map(|write| write.values.iter().map(move |value| (write, value)))
            {
                let is_it = linked.occurrences.get(*occurrence).is_some_and(|one| one.name.value == *name);
                if !is_it || write.operation != WriteOperation::Insert {
                    continue;
                }
                let default = column_of_write(write, *at, answer).and_then(|column| column.default.as_deref());
                let text = match (self.native.kind, default) {
                    (_, None) => continue,
                    // There, the word stands for no value of a row.
                    (DatabaseKind::Sqlite, Some(default)) => in_brackets(&as_expression(default)),
                    (DatabaseKind::Postgres | DatabaseKind::Mysql, Some(_)) => DEFAULT.to_owned(),
                };
                found.insert(name.clone(), text);
            }
        }
        found
    }
}

/// A comment at the end of it does not reach the bracket.
fn in_brackets(expression: &str) -> String {
    format!("({expression}{})", if expression.contains("--") { "\n" } else { "" })
}

/// A default of SQLite where an expression stands: a name there, in quotes or not, is a text in a default.
fn as_expression(default: &str) -> String {
    let bare = default.trim();
    let between =
        |open: char, close: char| bare.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).map(str::to_owned);
    let quoted = between('"', '"').or_else(|| between('`', '`')).or_else(|| between('[', ']'));
    let is_word = |text: &str| {
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let begins = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let words = ["null", "true", "false", "current_date", "current_time", "current_timestamp"];
        begins && text.chars().all(is_letter) && !words.iter().any(|word| text.eq_ignore_ascii_case(word))
    };
    match quoted
        .map(|inside| inside.replace("\"\"", "\"").replace("``", "`"))
        .or_else(|| is_word(bare).then(|| bare.to_owned()))
    {
        Some(text) => format!("'{}'", text.replace('\'', "''")),
        None => default.to_owned(),
    }
}

/// What makes a table of keys.
fn table_of_keys(kind: DatabaseKind, name: &str) -> String {
    let (id, text) = match kind {
        DatabaseKind::Sqlite | DatabaseKind::Postgres => ("text", "text"),
        // A key of its texts has a length, and an answer is longer than its texts.
        DatabaseKind::Mysql => ("varchar(64)", "longtext"),
    };
    format!(
        "CREATE TABLE {name} (id {id} PRIMARY KEY NOT NULL, arguments {text} NOT NULL, answer {text} NOT NULL, at bigint NOT NULL)"
    )
}

/// A column by the name that the database has for it.
fn native_name(target: &Target<'_>, column: &str) -> String {
    let native = target.table.and_then(|table| table.native.as_ref());
    let known = native.and_then(|native| native.columns.iter().find(|one| one.name.eq_ignore_ascii_case(column)));
    known.map_or_else(|| column.to_owned(), |known| known.name.clone())
}

/// A name in the quotes of a database.
fn quoted(name: &str, kind: DatabaseKind) -> String {
    match kind {
        DatabaseKind::Sqlite | DatabaseKind::Postgres => format!("\"{}\"", name.replace('"', "\"\"")),
        DatabaseKind::Mysql => format!("`{}`", name.replace('`', "``")),
    }
}

/// How many rows are written at least.
fn fewest(write: &Write) -> u64 {
    match write.bounds {
        WriteBounds::Rows(rows) => rows,
        // A list without a row is none.
        WriteBounds::List => 1,
        _ => 0,
    }
}

/// Reports settings of changes in the header of a query that makes none.
pub(super) fn check_reading(query: &ParsedQuery, sink: &mut Diagnostics) {
    let header = &query.header;
    let said = [
        ("max_changes", header.max_changes.is_some()),
        ("expect_changes", header.expect_changes.is_some()),
        ("confirm", header.confirm.is_some()),
        ("isolation", header.isolation.is_some()),
    ];
    for (key, _) in said.into_iter().filter(|(_, is_said)| *is_said) {
        sink.push(codes::invalid_setting(query.document.key_span(&[key]), "the query changes nothing"));
    }
    for one in header.expose.iter().flatten().filter(|one| one.is_of_changes()) {
        let why = format!("`{}` is of tools that change data, and the query changes nothing", one.as_str());
        sink.push(codes::invalid_setting(place_of(query, "expose"), &why));
    }
}

fn place_of(query: &ParsedQuery, key: &str) -> Span {
    query.document.value_span(&[key])
}
