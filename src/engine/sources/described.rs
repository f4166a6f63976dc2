//! What is known of a table: what its database has described, or what is locked, with what `qtool.yaml` declares.

use super::driver::Described;
use super::facts::Facts;
use super::{mysql, postgres, sqlite};
use crate::catalog::{DatabaseKind, Native, NativeColumn, Table};
use crate::engine::tables::TableError;
use crate::project::{ColumnSource, DatabaseSource};
use crate::ty::Type;
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is known of a table that the database has described.
pub(super) fn described_facts(name: &str, source: &DatabaseSource, described: Described) -> Result<Facts, TableError> {
    let Described { mut native, nullable, seen, rows, version, sorts_bytes, calls_functions } = described;
    check_declared(source, &native)?;
    let (mut fields, mut untyped) = (Vec::new(), Vec::new());
    let is_left_out = |here: &str| source.columns.get(here).is_some_and(ColumnSource::is_left_out);
    for (at, column) in native.columns.iter().enumerate() {
        let here = source.renamed(&column.name);
        if is_left_out(here) {
            continue;
        }
        if here.is_empty() || fields.iter().any(|field: &Field| field.name() == here) {
            let why = format!("`{}` is the name of two columns; `rename` gives one of them another", here);
            return Err(TableError::InvalidOption { option: "rename".to_owned(), message: why });
        }
        let ty = type_here(source, here, (native.kind, &column.declared))?;
        let nullable = nullable.get(at).copied().unwrap_or(true);
        match ty {
            Some(ty) => fields.push(Field::new(here, ty.to_arrow(), nullable)),
            None => untyped.push((here.to_owned(), seen.get(at).copied().flatten())),
        }
    }
    if !untyped.is_empty() {
        return Err(untyped_columns(&untyped));
    }
    native.columns.retain(|column| !is_left_out(source.renamed(&column.name)));
    Ok(Facts { rows, version, sorts_bytes, calls_functions, ..facts(name, source, native, Schema::new(fields)) })
}

impl Described {
    /// Without columns that are not in a schema, and that nothing is said of.
    pub(super) fn with_columns_of(self, source: &DatabaseSource, schema: &Schema) -> Described {
        self.retained(|column| is_known(column, source, schema))
    }

    fn retained(mut self, keep: impl Fn(&NativeColumn) -> bool) -> Described {
        let kept: Vec<bool> = self.native.columns.iter().map(keep).collect();
        let mut is_kept = kept.iter().copied();
        self.native.columns.retain(|_| is_kept.next().unwrap_or(true));
        let mut is_kept = kept.iter().copied();
        self.nullable.retain(|_| is_kept.next().unwrap_or(true));
        let mut is_kept = kept.iter().copied();
        self.seen.retain(|_| is_kept.next().unwrap_or(true));
        self
    }
}

/// Whether a column is in a schema, or something is said of it.
fn is_known(column: &NativeColumn, source: &DatabaseSource, schema: &Schema) -> bool {
    source.speaks_of(&column.name) || schema.field_with_name(source.renamed(&column.name)).is_ok()
}

/// What is known of a table that is read as it was locked: what has come since is nobody's. Where something else is not as
/// it was, it is as it is.
pub(super) fn facts_as_locked(
    name: &str,
    source: &DatabaseSource,
    described: Described,
    locked: Option<&Table>,
) -> Result<Facts, TableError> {
    let Some(locked) = locked else { return described_facts(name, source, described) };
    let schema = locked.to_arrow();
    let facts = match described_facts(name, source, described.clone().with_columns_of(source, &schema)) {
        Ok(facts) => facts,
        Err(error) => return facts_of_what_is_left(locked_facts(name, source, locked), source, described).ok_or(error),
    };
    Ok(match native_columns(&facts, &schema) {
        Some(columns) => Facts { native: Native { columns, ..facts.native }, schema, ..facts },
        None => facts,
    })
}

/// What is known of a table of whose columns something is said that does not fit them any more: it is served without those
/// that are not as they were locked. `None` where all are, so that what is said is wrong by itself, where nothing is left, or
/// nothing to tell rows by.
fn facts_of_what_is_left(locked: Option<Facts>, source: &DatabaseSource, described: Described) -> Option<Facts> {
    let now = facts_anew(&locked?, source, described);
    let is_lost = |name: &String| now.place(name).is_none_or(|at| now.lost.contains(&at));
    let kept: Vec<usize> = (0..now.schema.fields().len()).filter(|at| !now.lost.contains(at)).collect();
    if now.lost.is_empty() || kept.is_empty() || source.primary_key.iter().any(is_lost) {
        return None;
    }
    let schema = Arc::new(now.schema.project(&kept).ok()?);
    let columns = kept.iter().map(|at| now.native.columns.get(*at).cloned()).collect::<Option<_>>()?;
    Some(Facts { schema, native: Native { columns, ..now.native }, lost: BTreeSet::new(), ..now })
}

/// What is known of a table that is compared with what was locked: what has come since is there, also where nobody can tell
/// its type.
pub(super) fn whole_facts(
    name: &str,
    source: &DatabaseSource,
    described: Described,
    locked: Option<&Table>,
) -> Result<Facts, TableError> {
    let Some(schema) = locked.map(Table::to_arrow) else { return described_facts(name, source, described) };
    let kind = described.native.kind;
    let is_untyped = |column: &NativeColumn| {
        let has_type = native_type(kind, &column.declared).is_some();
        !has_type && !is_known(column, source, &schema)
    };
    let untyped: Vec<NativeColumn> = described.native.columns.iter().filter(|one| is_untyped(one)).cloned().collect();
    let mut facts = described_facts(name, source, described.retained(|column| !untyped.contains(column)))?;
    let field = |column: &NativeColumn| Arc::new(Field::new(source.renamed(&column.name), DataType::Null, true));
    let fields = facts.schema.fields().iter().cloned().chain(untyped.iter().map(field));
    facts.schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    facts.native.columns.extend(untyped);
    Ok(facts)
}

/// The type of a column by what is declared of it, else by what its database says; `None` where neither tells.
fn type_here(
    source: &DatabaseSource,
    here: &str,
    (kind, own): (DatabaseKind, &str),
) -> Result<Option<Type>, TableError> {
    match source.columns.get(here).and_then(|column| column.ty()) {
        Some(declared) => declared_type(here, declared, (kind, own)).map(Some),
        None => Ok(native_type(kind, own)),
    }
}

/// The type of a column by what its database says.
fn native_type(kind: DatabaseKind, declared: &str) -> Option<Type> {
    match kind {
        DatabaseKind::Sqlite => sqlite::column_type(declared),
        DatabaseKind::Postgres => postgres::column_type(declared),
        DatabaseKind::Mysql => mysql::column_type(declared),
    }
}

/// Columns that the database says no type of.
fn untyped_columns(untyped: &[(String, Option<&'static str>)]) -> TableError {
    let names: Vec<String> = untyped.iter().map(|(name, _)| format!("`{name}`")).collect();
    let is_plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let key =
        |name: &String| if is_plain(name) { name.clone() } else { serde_json::Value::from(name.as_str()).to_string() };
    let lines = untyped.iter().map(|(name, seen)| format!("{}: {}", key(name), seen.unwrap_or("text")));
    let columns = if untyped.len() == 1 { "the type of column" } else { "the types of columns" };
    let message = format!(
        "{columns} {} cannot be told from the database; say it under `columns`, by what it holds: `columns: {{ {} }}`; \
         `{{ leave_out: true }}` in the place of a type leaves it out",
        names.join(", "),
        lines.collect::<Vec<_>>().join(", ")
    );
    TableError::Unreadable { message }
}

/// What is declared is of columns that there are.
fn check_declared(source: &DatabaseSource, native: &Native) -> Result<(), TableError> {
    let names: HashSet<&str> = native.columns.iter().map(|column| column.name.as_str()).collect();
    let known = || native.columns.iter().map(|column| column.name.as_str());
    let missing = |option: String, name: &str, known: Vec<&str>| {
        let near = crate::name::nearest(name, known.iter().copied()).map(|near| format!("; there is `{near}`"));
        let message = format!("there is no column `{name}`{}", near.unwrap_or_default());
        TableError::InvalidOption { option, message }
    };
    if let Some(name) = source.rename.keys().find(|name| !names.contains(name.as_str())) {
        return Err(missing(format!("rename.{name}"), name, known().collect()));
    }
    let here: Vec<&str> = known().map(|name| source.renamed(name)).collect();
    if let Some(name) = source.columns.keys().find(|name| !here.contains(&name.as_str())) {
        return Err(missing(format!("columns.{name}"), name, here));
    }
    match source.primary_key.iter().find(|name| !here.contains(&name.as_str())) {
        Some(name) => Err(missing("primary_key".to_owned(), name, here)),
        None => Ok(()),
    }
}

/// The type that is declared of a column.
fn declared_type(column: &str, declared: &str, (kind, own): (DatabaseKind, &str)) -> Result<Type, TableError> {
    let option = format!("columns.{column}");
    let ty = Type::parse(declared).map_err(|_| TableError::InvalidOption {
        option: option.clone(),
        message: format!("`{declared}` is no type"),
    })?;
    match can_be(kind, own, &ty) {
        true => Ok(ty),
        false => {
            let own = if own.is_empty() { "without a type".to_owned() } else { format!("of the type {own}") };
            let message = format!("a column of {} {own} cannot be read as {ty}", kind.title());
            Err(TableError::InvalidOption { option, message })
        }
    }
}

/// Whether a column may be declared as another type than its own.
fn can_be(kind: DatabaseKind, own: &str, ty: &Type) -> bool {
    match kind {
        DatabaseKind::Sqlite => kind.can_read(ty),
        DatabaseKind::Postgres => postgres::can_be(own, ty),
        DatabaseKind::Mysql => mysql::can_be(own, ty),
    }
}

/// Whether a column whose values are not all of its type can be read as texts, which hold all of them.
pub(super) fn can_be_text(facts: &Facts, at: usize) -> bool {
    let Some((field, native)) = facts.column(at) else { return false };
    let kind = facts.native.kind;
    // A value of SQLite that is no text is none there either.
    kind.is_server() && *field.data_type() != DataType::Utf8 && can_be(kind, &native.declared, &Type::Text)
}

/// What is known of a table from its lock, where the database cannot be asked.
pub(super) fn locked_facts(name: &str, source: &DatabaseSource, locked: &Table) -> Option<Facts> {
    let native = locked.native.as_deref()?.clone();
    Some(Facts { is_locked: true, ..facts(name, source, native, locked.to_arrow().as_ref().clone()) })
}

/// Facts of a table of which nothing is known but its columns.
fn facts(name: &str, source: &DatabaseSource, native: Native, schema: Schema) -> Facts {
    let row = match native.kind {
        DatabaseKind::Sqlite => sqlite::row_of(&native, &schema),
        DatabaseKind::Postgres => postgres::row_of(&native),
        DatabaseKind::Mysql => mysql::row_of(&native, &schema),
    };
    let (source, name) = (source.source.as_str().into(), name.into());
    let is_stale = AtomicBool::new(false);
    Facts {
        source,
        name,
        schema: Arc::new(schema),
        native,
        lost: BTreeSet::new(),
        rows: None,
        version: None,
        is_locked: false,
        is_stale,
        sorts_bytes: false,
        calls_functions: true,
        row,
    }
}

/// What is known of a table that is described anew, by the columns that it had when it was opened: others may have come,
/// and those that are not what they were are lost.
pub(super) fn facts_anew(known: &Facts, source: &DatabaseSource, described: Described) -> Facts {
    let Described { native, nullable, rows, version, sorts_bytes, calls_functions, .. } = described;
    let (mut columns, mut lost) = (Vec::with_capacity(known.native.columns.len()), BTreeSet::new());
    for (at, (field, before)) in known.schema.fields().iter().zip(&known.native.columns).enumerate() {
        let is_called_so = |(_, column): &(usize, &NativeColumn)| source.renamed(&column.name) == field.name();
        let mut called_so = native.columns.iter().enumerate().filter(is_called_so);
        // Of two, nobody can tell which is meant.
        let only = called_so.next().filter(|_| called_so.next().is_none());
        let is_kept = only.is_some_and(|(place, now)| {
            let ty = type_here(source, field.name(), (native.kind, &now.declared)).ok().flatten();
            let has_no_new_nulls = field.is_nullable() || nullable.get(place) == Some(&false);
            ty.is_some_and(|ty| ty.to_arrow() == *field.data_type()) && has_no_new_nulls
        });
        if !is_kept {
            lost.insert(at);
        }
        columns.push(only.map_or(before, |(_, now)| now).clone());
    }
    lost.extend(columns.len()..known.schema.fields().len());
    let native = Native { columns, ..native };
    let facts = facts(&known.name, source, native, known.schema.as_ref().clone());
    Facts { lost, rows, version, sorts_bytes, calls_functions, ..facts }
}

/// What the database calls the columns of a schema. `None` where one is gone, or is of another type.
fn native_columns(facts: &Facts, schema: &SchemaRef) -> Option<Vec<NativeColumn>> {
    let find = |field: &FieldRef| {
        let (now, native) = facts.column(facts.place(field.name())?)?;
        let is_same = now.data_type() == field.data_type() && (field.is_nullable() || !now.is_nullable());
        is_same.then(|| native.clone())
    };
    schema.fields().iter().map(find).collect()
}
