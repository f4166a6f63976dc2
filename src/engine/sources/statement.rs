//! Statements in a database's own SQL: what they give, and their rows.

use super::bind::{Bind, own_bind};
use super::driver::{Request, Rows};
use super::error::SourceError;
use super::pushed::StandIn;
use super::{Databases, driver_of};
use crate::catalog::{DatabaseKind, StatementColumn};
use crate::engine::deadline::Deadline;
use crate::engine::tables::Roots;
use crate::project::{ProjectFile, RefusedStatement, UnpreparedStatement};
use crate::tool::OutputColumn;
use crate::ty::Type;
use arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::common::ScalarValue;
use std::path::Path;
use std::sync::Arc;

/// How many rows a batch has at most.
const BATCH: usize = 8_192;

/// What the rows of a statement are made of.
#[derive(Debug, Clone)]
pub(in crate::engine) struct StatementColumns {
    schema: SchemaRef,
    stand_ins: Vec<StandIn>,
}

impl StatementColumns {
    /// Those that a tool has published.
    pub(in crate::engine) fn published(columns: &[OutputColumn], kind: DatabaseKind) -> StatementColumns {
        let field = |column: &OutputColumn| Field::new(&column.name, column.ty.to_arrow(), column.nullable);
        let stand_in = |column: &OutputColumn| match kind {
            // A column of documents keeps a bare number as one.
            DatabaseKind::Sqlite if column.ty == Type::Json => StandIn::IntegerForText,
            DatabaseKind::Sqlite | DatabaseKind::Postgres => StandIn::Nothing,
        };
        StatementColumns {
            schema: Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>())),
            stand_ins: columns.iter().map(stand_in).collect(),
        }
    }
}

/// A statement as it is sent.
#[derive(Debug)]
pub(in crate::engine) struct StatementCall<'a> {
    /// The name of the query, for errors.
    pub name: &'a str,
    /// The text, with the placeholders of the database.
    pub text: String,
    /// The values of the placeholders, from the first on.
    pub values: Vec<ScalarValue>,
    /// How many rows come at most, where that is known.
    pub most: Option<usize>,
    /// Until when somebody waits for the rows, where that is known.
    pub deadline: Option<Deadline>,
}

impl Databases {
    /// Begins a statement.
    ///
    /// Errors: there is no such database, or a value that it cannot hold.
    pub(in crate::engine) fn statement_rows(
        &self,
        source: &str,
        columns: &StatementColumns,
        call: StatementCall<'_>,
    ) -> Result<Rows, SourceError> {
        let Some(driver) = self.driver(source) else {
            return Err(SourceError::Down { source: source.to_owned(), why: "there is no such source".to_owned() });
        };
        let overflow = || SourceError::Overflow { source: source.to_owned() };
        let bind = |value: &ScalarValue| own_bind(value).ok_or_else(overflow);
        let binds: Vec<Bind> = call.values.iter().map(bind).collect::<Result<_, _>>()?;
        let names = columns.schema.fields().iter().map(|field| field.name().clone()).collect();
        let request = Request {
            table: call.name.into(),
            native: Vec::new(),
            sql: call.text,
            binds,
            schema: Arc::clone(&columns.schema),
            names,
            stand_ins: columns.stand_ins.clone(),
            key: Vec::new(),
            guarded: Vec::new(),
            version: None,
            others: Vec::new(),
            most: call.most,
            batch: BATCH,
            is_authored: true,
            deadline: call.deadline,
        };
        Ok(Arc::clone(driver).rows(request))
    }
}

/// Asks a database what a statement in its own SQL gives. Paths are relative to `dir`.
///
/// Errors: the database cannot be asked, or refuses the statement.
pub async fn prepare_statement(
    dir: &Path,
    file: &ProjectFile,
    of: &UnpreparedStatement,
) -> Result<Vec<StatementColumn>, RefusedStatement> {
    let Some(config) = file.sources.get(&of.source) else {
        return Err(RefusedStatement::Source("it is not declared".to_owned()));
    };
    let roots = Roots::new(dir, &file.roots).map_err(|error| RefusedStatement::Source(error.message()))?;
    let driver = driver_of(&of.source, config, &roots);
    let mut found: Option<Vec<StatementColumn>> = None;
    for text in &of.texts {
        let columns = driver.prepare(text, of.values).await.map_err(refused)?;
        match &mut found {
            None => found = Some(columns),
            Some(found) => join(found, columns)?,
        }
    }
    let mut columns = found.unwrap_or_default();
    if !of.keeps_not_null {
        columns.iter_mut().for_each(|one| one.column.nullable = true);
    }
    Ok(columns)
}

fn refused(error: SourceError) -> RefusedStatement {
    match error {
        SourceError::Refused { why, .. } => RefusedStatement::Statement(why),
        SourceError::Down { why, .. } | SourceError::Refusing { why, .. } => RefusedStatement::Source(why),
        other => RefusedStatement::Source(other.to_string()),
    }
}

/// Takes over what the columns are with other choices.
fn join(columns: &mut [StatementColumn], others: Vec<StatementColumn>) -> Result<(), RefusedStatement> {
    let differ = |what: &str| {
        let why = format!("with other choices, {what}: a tool has the same columns for all of them");
        Err(RefusedStatement::Choices(why))
    };
    if columns.len() != others.len() {
        return differ("it has more columns, or fewer");
    }
    for (one, other) in columns.iter_mut().zip(others) {
        if one.column.name != other.column.name {
            return differ(&format!("column `{}` is called `{}`", one.column.name, other.column.name));
        }
        if one.column.arrow != other.column.arrow {
            return differ(&format!("column `{}` is of another type", one.column.name));
        }
        one.column.nullable |= other.column.nullable;
        if one.origin != other.origin {
            one.origin = None;
        }
    }
    Ok(())
}
