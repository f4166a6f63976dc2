//! Statements that change records: for them, records are a table of a database, wherever they lie.
//!
//! Those of a folder are changed in the SQL of SQLite, in an image that a call makes of them: a table with a column for each field.

use super::changes::Statement;
use super::record_tools::{store, writable};
use crate::catalog::{Column, DatabaseKind, Native, NativeColumn, StatementAnswer, Table};
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::project::record_ddl::{Image, create_image, type_in_sqlite};
use crate::project::{
    DatabaseSource, Isolation, LogicalType, Project, Property, SourceConfig, SqliteConfig, TableSource, Writable,
    WritableParts, WriteOperation,
};
use crate::syntax::native::Write;
use crate::syntax::{NativeStatement, ParsedQuery};
use crate::tool::ChangedRecords;
use crate::ty::Type;
use std::collections::HashMap;

/// Whether these records lie in a folder, and no database has that name.
pub(super) fn is_image(project: &Project, name: &str) -> bool {
    let is_of_folder = project.file.records.get(name).is_some_and(|config| config.source.is_none());
    is_of_folder && !project.file.sources.contains_key(name)
}

/// The statement that makes the table of records of a folder, where a statement changes them.
pub(super) fn image_of(project: &Project, source: &str) -> Option<String> {
    let known = project.records.get(source).filter(|_| is_image(project, source))?;
    Some(create_image(&known.contract, source, Image::Strict))
}

/// The project as statements see it that change records: their tables may be written, and those of folders are tables of a database of
/// their name.
pub(super) fn as_they_see(project: &Project, query: &ParsedQuery, native: &NativeStatement) -> Project {
    let (mut file, mut catalog) = (project.file.clone(), project.catalog.clone());
    let mut statements = project.statements.clone();
    if let Some(Ok(answer)) = statements.get_mut(&query.file) {
        hold_to_contracts(project, native, answer);
    }
    for (name, known) in &project.records {
        let fields: Vec<&Property> = writable(&known.contract).collect();
        if is_image(project, name) {
            file.sources.insert(name.clone(), SourceConfig::Sqlite(SqliteConfig::default()));
            let columns = fields.iter().map(|field| field.name.clone()).collect();
            file.tables.insert(name.clone(), TableSource::Database(Box::new(image_table(name, columns))));
            catalog.tables.insert(name.clone(), image_schema(project, name));
        } else if let Some(TableSource::Database(own)) = file.tables.get_mut(name) {
            let native = |field: &&Property| native_name(project, name, &field.name);
            own.writable = Some(parts(fields.iter().map(native).collect()));
        }
    }
    Project {
        sources: project.sources.clone(),
        file,
        document: project.document.clone(),
        queries: Vec::new(),
        prompts: Vec::new(),
        catalog,
        allowed_values: HashMap::new(),
        statements,
        records: project.records.clone(),
        upstreams: Default::default(),
    }
}

/// What a database says of columns that are fields of records, with what their contract says of them.
fn hold_to_contracts(project: &Project, statement: &NativeStatement, answer: &mut StatementAnswer) {
    for (name, known) in &project.records {
        let is_there = project.file.tables.get(name).and_then(TableSource::source) == Some(&statement.source.value);
        let table = project.catalog.tables.get(name).filter(|_| is_there);
        let Some((table, native)) = table.and_then(|table| Some((table, table.native.as_ref()?))) else { continue };
        for column in &mut answer.written {
            let parts: Vec<String> = column.table.split('.').map(str::to_owned).collect();
            let at = native.columns.iter().position(|one| one.name.eq_ignore_ascii_case(&column.column));
            let field = at.and_then(|at| table.columns.get(at)).filter(|_| native.is_named(&parts));
            let Some(field) = field.and_then(|field| known.contract.property(&field.name)) else { continue };
            column.nullable &= !field.required || field.derived;
            if let Some(allowed) = &field.allowed {
                let is_taken = |text: &&String| column.allowed.is_empty() || column.allowed.contains(text);
                column.allowed = allowed.iter().filter(is_taken).cloned().collect();
            }
        }
    }
}

fn parts(columns: Vec<String>) -> Writable {
    Writable::Parts(WritableParts { columns: Some(columns), operations: None })
}

/// The name of the column of a field.
fn native_name(project: &Project, records: &str, field: &str) -> String {
    let known = || {
        let table = project.catalog.tables.get(records)?;
        let at = table.columns.iter().position(|column| column.name == field)?;
        Some(table.native.as_ref()?.columns.get(at)?.name.clone())
    };
    known().unwrap_or_else(|| field.to_owned())
}

fn image_table(name: &str, columns: Vec<String>) -> DatabaseSource {
    DatabaseSource {
        source: name.to_owned(),
        table: None,
        description: None,
        columns: Default::default(),
        large: None,
        primary_key: Vec::new(),
        writable: Some(parts(columns)),
        rename: Default::default(),
        is_included: false,
    }
}

fn image_schema(project: &Project, name: &str) -> Table {
    let fields = project.records.get(name).map(|known| known.contract.properties()).unwrap_or_default();
    let column = |field: &Property| Column {
        name: field.name.clone(),
        arrow: field.logical_type.ty().to_arrow(),
        nullable: !(field.primary_key || field.required && !field.derived),
    };
    let native = |field: &Property| NativeColumn {
        name: field.name.clone(),
        declared: type_in_sqlite(field.logical_type).to_owned(),
        collation: None,
    };
    let native = Native {
        kind: DatabaseKind::Sqlite,
        name: vec![name.to_owned()],
        key: fields.iter().filter(|field| field.primary_key).map(|field| field.name.clone()).collect(),
        is_view: false,
        is_strict: false,
        columns: fields.iter().map(native).collect(),
    };
    Table { columns: fields.iter().map(column).collect(), native: Some(Box::new(native)) }
}

/// Whether a statement is over records whose contract cannot be read.
pub(super) fn is_broken(project: &Project, source: &str) -> bool {
    is_image(project, source) && !project.records.contains_key(source)
}

/// Whether a statement changes records, and names no other table of the project: then the contract says all types of what it compares.
pub(super) fn is_of_records(project: &Project, query: &ParsedQuery, native: &NativeStatement) -> bool {
    let written: Vec<&[String]> =
        native.changes.iter().flat_map(|change| &change.writes).map(|write| write.table.value.as_slice()).collect();
    let file = project.sources.get(query.file);
    let is_named = |name: &str| file.is_some_and(|file| query.place_of_word(file, name).is_some());
    let mut is_one = false;
    for (name, table) in project.file.tables.iter().filter(|(_, table)| table.source() == Some(&native.source.value)) {
        let known = project.catalog.tables.get(name).and_then(|table| table.native.as_ref());
        if project.records.contains_key(name) {
            is_one |= known.is_some_and(|known| written.iter().any(|parts| known.is_named(parts)));
            continue;
        }
        let native_name = match (known, table) {
            (Some(known), _) => known.name.last().cloned(),
            (None, TableSource::Database(own)) => own.native_name(name).last().cloned(),
            (None, TableSource::Files(_)) => None,
        };
        if native_name.is_some_and(|native_name| is_named(&native_name)) {
            return false;
        }
    }
    is_one
}

/// Reports a statement that reads records of a folder: they are a table for queries.
pub(super) fn reads_image(
    project: &Project,
    query: &ParsedQuery,
    native: &NativeStatement,
    sink: &mut Diagnostics,
) -> bool {
    let source = &native.source.value;
    let is_one = !native.is_change() && is_image(project, source);
    if is_one {
        let why = format!("the statement only reads, and `{source}` is a table for queries: they have no `source`");
        let told = codes::invalid_setting(query.document.value_span(&["source"]), &why);
        sink.push(match query.document.removing_edit(&["source"]) {
            Some((span, text)) => told.fix("leave it out", span, text),
            None => told,
        });
    }
    is_one
}

impl Statement<'_> {
    /// The records that are written.
    pub(super) fn records(self) -> Vec<ChangedRecords> {
        let mut found: Vec<ChangedRecords> = Vec::new();
        for name in self.writes().filter_map(|write| self.target_name(&write.table.value)) {
            let project = self.project;
            let (Some(config), Some(known)) = (project.file.records.get(name), project.records.get(name)) else {
                continue;
            };
            if !found.iter().any(|one| one.name == name) {
                found.push(ChangedRecords {
                    name: name.to_owned(),
                    folder: config.path.clone(),
                    actor: config.actor.clone(),
                    contract: known.contract.clone(),
                    store: store(project, name).filter(|_| config.source.is_some()),
                });
            }
        }
        found
    }

    /// Lists and objects are what is sent for the fields that have them, though databases have texts there.
    pub(super) fn settle_documents(self, typed: &mut TypedQuery) {
        for write in self.writes() {
            let records =
                self.target_name(&write.table.value).and_then(|name| Some((name, self.project.records.get(name)?)));
            let Some((name, known)) = records else { continue };
            let field = |at: &usize| {
                let column = write.columns.as_ref()?.get(*at)?;
                let is_it = |field: &&Property| native_name(self.project, name, &field.name) == column.value;
                known.contract.properties().iter().find(is_it)
            };
            for (at, occurrence) in &write.values {
                let is_document = field(at).is_some_and(|field| !field.logical_type.is_scalar());
                let parameter = self.query.placeholders.get(*occurrence).map(|one| &one.name.value);
                let typed = typed.parameters.iter_mut().find(|one| Some(&one.declaration.name) == parameter);
                if let Some(typed) =
                    typed.filter(|one| is_document && one.declaration.ty.is_none() && one.ty == Type::Text)
                {
                    typed.ty = Type::Json;
                }
            }
        }
    }

    /// Whether a person must agree to what a call writes.
    pub(super) fn is_confirmed(self) -> bool {
        let of_records = |name: &str| self.project.file.records.get(name).is_some_and(|one| one.confirm == Some(true));
        let mut written = self.writes().filter_map(|write| self.target_name(&write.table.value));
        self.query.header.confirm.unwrap_or_else(|| written.any(of_records))
    }

    /// Reports moments that are written as JSON has them, where the database has them in other words: they would be compared letter by
    /// letter.
    fn check_moments(self, sink: &mut Diagnostics) {
        let has_moments = self.records().iter().any(|records| {
            records.contract.properties().iter().any(|field| field.logical_type == LogicalType::Timestamp)
        });
        if !has_moments || self.native.kind != DatabaseKind::Sqlite {
            return;
        }
        for (span, text) in self.query.texts_of_statement() {
            if let Some(moment) = moment_of_json(&text) {
                let why = format!("`{text}` is a moment, and those of records have a blank in the place of the `T`");
                let told = codes::foreign_change(span, &why, None);
                sink.push(told.fix("write it so", span, format!("'{moment}'")));
            }
        }
    }

    /// Reports what statements cannot do with records: write over their keys, which tell them apart, in their history as well; and let
    /// others write between what they read and what they write.
    pub(super) fn check_records(self, sink: &mut Diagnostics) {
        self.check_moments(sink);
        let header = &self.query.header;
        let is_of_records = |write: &Write| {
            self.target_name(&write.table.value).is_some_and(|name| self.project.records.contains_key(name))
        };
        if header.isolation.is_some_and(|isolation| isolation != Isolation::Serializable)
            && self.writes().any(is_of_records)
        {
            let why = "records are written in a serializable transaction: their history tells what each was before";
            sink.push(codes::invalid_setting(self.query.document.value_span(&["isolation"]), why));
        }
        for write in self.writes().filter(|write| write.operation == WriteOperation::Update) {
            let Some(name) = self.target_name(&write.table.value) else { continue };
            let key = self.project.records.get(name).and_then(|known| known.contract.key());
            let Some(key) = key.map(|key| native_name(self.project, name, &key.name)) else { continue };
            for column in write.columns.iter().flatten().filter(|column| column.value.eq_ignore_ascii_case(&key)) {
                let why = format!("`{key}` tells the records of `{name}` apart, and stays what it is");
                sink.push(codes::foreign_change(column.span, &why, Some("remove the record, and insert another")));
            }
        }
    }
}

/// A moment that is written as JSON has it, with a blank in the place of the `T`.
fn moment_of_json(text: &str) -> Option<String> {
    let (day, time) = text.split_once('T')?;
    let is_made_of = |part: &str, mask: &str| {
        part.len() >= mask.len()
            && part
                .chars()
                .zip(mask.chars())
                .all(|(letter, of)| if of == '0' { letter.is_ascii_digit() } else { letter == of })
    };
    (day.len() == 10 && is_made_of(day, "0000-00-00") && is_made_of(time, "00:00"))
        .then(|| format!("{day} {}", time.trim_end_matches('Z')))
}
