//! Statements in a database's own SQL: what they give, and their rows.

use super::bind::{Bind, Form, Sent, is_text, own_bind, own_words, sent};
use super::dialect;
use super::driver::{Driver, Outline, Reading, Request, Rows, Transaction, Work};
use super::error::SourceError;
use super::identity::Setting;
use super::pushed::StandIn;
use super::sqlite::Sqlite;
use super::written::written;
use super::{Databases, driver_of};
use crate::catalog::{DatabaseKind, StatementAnswer, StatementColumn, StatementParameter};
use crate::engine::deadline::Deadline;
use crate::engine::tables::Roots;
use crate::project::{ProjectFile, RefusedStatement, UnpreparedStatement};
use crate::syntax::native::pieces::{of_day, placeholder};
use crate::tool::{OutputColumn, Statement};
use crate::ty::Type;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
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
    as_told: Vec<bool>,
}

impl StatementColumns {
    /// Those that a tool has published.
    pub(in crate::engine) fn published(columns: &[OutputColumn], statement: &Statement) -> StatementColumns {
        let field = |column: &OutputColumn| Field::new(&column.name, column.ty.to_arrow(), column.nullable);
        let stand_in = |column: &OutputColumn| match statement.database {
            // A column of documents keeps a bare number as one, and so does one of texts of which SQLite does not know that
            // they are texts.
            DatabaseKind::Sqlite if column.ty == Type::Json => StandIn::IntegerForText,
            DatabaseKind::Sqlite if column.ty == Type::Text && statement.as_told.contains(&column.name) => {
                StandIn::IntegerForText
            }
            DatabaseKind::Sqlite | DatabaseKind::Postgres | DatabaseKind::Mysql => StandIn::Nothing,
        };
        StatementColumns {
            schema: Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>())),
            stand_ins: columns.iter().map(stand_in).collect(),
            as_told: columns.iter().map(|column| statement.as_told.contains(&column.name)).collect(),
        }
    }
}

impl StatementColumns {
    /// How many there are.
    pub(in crate::engine) fn len(&self) -> usize {
        self.as_told.len()
    }

    /// These, and others behind them.
    pub(in crate::engine) fn with(&self, others: &StatementColumns) -> StatementColumns {
        let fields = self.schema.fields().iter().chain(others.schema.fields().iter()).cloned();
        StatementColumns {
            schema: Arc::new(Schema::new(fields.collect::<Vec<_>>())),
            stand_ins: self.stand_ins.iter().chain(&others.stand_ins).cloned().collect(),
            as_told: self.as_told.iter().chain(&others.as_told).copied().collect(),
        }
    }

    /// Columns of ours, none of which is null.
    pub(in crate::engine) fn plain(columns: &[(&str, DataType)]) -> StatementColumns {
        let fields: Vec<Field> = columns.iter().map(|(name, ty)| Field::new(*name, ty.clone(), false)).collect();
        StatementColumns {
            stand_ins: columns.iter().map(|_| StandIn::Nothing).collect(),
            as_told: columns.iter().map(|_| false).collect(),
            schema: Arc::new(Schema::new(fields)),
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
    pub values: Vec<CallValue<'a>>,
    /// How many rows come at most, where that is known.
    pub most: Option<usize>,
    /// Until when somebody waits for the rows, where that is known.
    pub deadline: Option<Deadline>,
    /// Who it is for.
    pub session: Vec<Setting>,
}

/// A value of a placeholder.
#[derive(Debug)]
pub(in crate::engine) struct CallValue<'a> {
    /// The value.
    pub value: ScalarValue,
    /// The type that it is sent as, in the words of the database; `None` where it finds it.
    pub sent_as: Option<&'a str>,
    /// The parameter that it is an argument of, where who calls sends that.
    pub parameter: Option<&'a str>,
}

impl CallValue<'_> {
    /// The value as a database takes it; `None` where it cannot hold it.
    fn bind(&self, kind: DatabaseKind) -> Option<Bind> {
        match kind {
            DatabaseKind::Sqlite => own_bind(&self.value),
            DatabaseKind::Postgres => {
                Some(Bind::Literal { text: written(&self.value)?, sent_as: self.sent_as.map(str::to_owned) })
            }
            DatabaseKind::Mysql => mysql_bind(&self.value),
        }
    }

    /// Where it stands in the text, as the value of that number.
    pub(in crate::engine) fn placeholder(&self, kind: DatabaseKind, number: usize) -> String {
        match self.bind(kind) {
            Some(bind @ Bind::Day(_)) => of_day(kind, dialect::placeholder(kind, number, &bind)),
            Some(bind) => dialect::placeholder(kind, number, &bind),
            None => placeholder(kind, number),
        }
    }
}

/// A value as MySQL takes it in the place of its placeholder: as what it is.
fn mysql_bind(value: &ScalarValue) -> Option<Bind> {
    let form = match value.data_type() {
        DataType::UInt64 => Form::Unsigned,
        DataType::Float32 | DataType::Float64 => Form::Double,
        DataType::Decimal128(..) => Form::Numeric,
        DataType::Date32 => Form::Date,
        // The session is in UTC. Of which type a column beside it is, nobody knows: a `timestamp` begins with 1970 alone.
        DataType::Timestamp(..) => Form::Local,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Form::Bytes,
        ty if ty.is_integer() || ty == DataType::Boolean => Form::Int,
        ty if is_text(&ty) => Form::Text,
        // NULL has no type, and a time of day is the text of one.
        _ => return own_bind(value),
    };
    match dialect::fitting(DatabaseKind::Mysql, sent(value, form)) {
        Sent::Bind(bind) => Some(bind),
        Sent::Beyond(_) | Sent::Behind(_) | Sent::LeftOut => None,
    }
}

impl StatementCall<'_> {
    /// Of which parameters the values are.
    pub(in crate::engine) fn parameters(&self) -> Vec<Option<String>> {
        self.values.iter().map(|one| one.parameter.map(str::to_owned)).collect()
    }

    /// The values as they are sent, for the author.
    pub(in crate::engine) fn sent(&self) -> Vec<String> {
        self.values.iter().map(|one| own_words(&one.value)).collect()
    }
}

impl Databases {
    /// How so many rows at most of a source are read.
    pub(in crate::engine) fn reading(&self, source: &str, most: Option<usize>) -> Reading {
        self.driver(source).map_or(Reading::Long, |driver| driver.reading(most))
    }

    /// Begins to change data.
    ///
    /// Errors: there is no such database, it cannot be reached, or somebody else changes it for too long.
    pub(in crate::engine) async fn begin(&self, source: &str, work: Work) -> Result<Box<dyn Transaction>, SourceError> {
        Arc::clone(self.driver_of_statement(source)?).begin(work).await
    }

    fn driver_of_statement(&self, source: &str) -> Result<&Arc<dyn Driver>, SourceError> {
        let none = || SourceError::Down { source: source.to_owned(), why: "there is no such source".to_owned() };
        self.driver(source).ok_or_else(none)
    }

    /// Begins a statement.
    ///
    /// Errors: there is no such database, or there are values that it cannot hold, or more than it takes.
    pub(in crate::engine) fn statement_rows(
        &self,
        source: &str,
        columns: &StatementColumns,
        call: StatementCall<'_>,
    ) -> Result<Rows, SourceError> {
        let request = self.statement_request(source, columns, call, false)?;
        Ok(Arc::clone(self.driver_of_statement(source)?).rows(request))
    }

    /// A statement as it is sent; `writes` says whether it changes data.
    ///
    /// Errors: as of its rows.
    pub(in crate::engine) fn statement_request(
        &self,
        source: &str,
        columns: &StatementColumns,
        call: StatementCall<'_>,
        writes: bool,
    ) -> Result<Request, SourceError> {
        let driver = self.driver_of_statement(source)?;
        let unfit = |value: &ScalarValue| match (driver.kind(), value) {
            (DatabaseKind::Sqlite, ScalarValue::Decimal128(..)) => {
                SourceError::TooManyDigits { source: source.to_owned() }
            }
            _ => SourceError::Overflow { source: source.to_owned() },
        };
        let most = driver.kind().most_values();
        if call.values.len() > most {
            return Err(SourceError::TooManyValues { source: source.to_owned(), most });
        }
        let bind = |value: &CallValue<'_>| value.bind(driver.kind()).ok_or_else(|| unfit(&value.value));
        let binds: Vec<Bind> = call.values.iter().map(bind).collect::<Result<_, _>>()?;
        let names = columns.schema.fields().iter().map(|field| field.name().clone()).collect();
        let outline = Outline {
            table: call.name.into(),
            native: Vec::new(),
            schema: Arc::clone(&columns.schema),
            names,
            stand_ins: columns.stand_ins.clone(),
            key: Vec::new(),
            guarded: Vec::new(),
            version: None,
            others: Vec::new(),
            is_witnessed: false,
            is_authored: true,
            as_told: columns.as_told.clone(),
            writes,
            has_functions: true,
        };
        Ok(Request {
            outline: Arc::new(outline),
            sql: call.text,
            binds,
            most: call.most,
            batch: BATCH,
            session: call.session,
            deadline: call.deadline,
        })
    }
}

/// Asks a database what a statement in its own SQL takes and gives. Paths are relative to `dir`.
///
/// Errors: the database cannot be asked, or refuses the statement.
pub async fn prepare_statement(
    dir: &Path,
    file: &ProjectFile,
    of: &UnpreparedStatement,
) -> Result<StatementAnswer, RefusedStatement> {
    let roots = Roots::new(dir, &file.roots).map_err(|error| RefusedStatement::Source(error.message()))?;
    let driver = match (file.sources.get(&of.source), &of.image) {
        (Some(config), None) => driver_of(&of.source, config, &roots),
        (_, Some(ddl)) => Arc::new(Sqlite::image(&of.source, ddl).map_err(RefusedStatement::Source)?),
        (None, None) => return Err(RefusedStatement::Source("it is not declared".to_owned())),
    };
    if let Some(keys) = of.change.as_ref().and_then(|change| change.keys.as_ref()) {
        check_keys(driver.as_ref(), keys).await?;
    }
    let mut found: Option<StatementAnswer> = None;
    for (at, text) in of.texts.iter().enumerate() {
        let answer = driver.prepare(text, &of.of_text(at)).await?;
        match &mut found {
            None => found = Some(answer),
            Some(found) if of.change.is_some() => join_statements(found, answer)?,
            Some(found) => {
                join(&mut found.columns, answer.columns)?;
                join_parameters(&found.parameters, &answer.parameters)?;
            }
        }
    }
    let mut answer = found.unwrap_or_default();
    if !of.keeps_not_null {
        answer.columns.iter_mut().for_each(|one| one.column.nullable = true);
    }
    Ok(answer)
}

impl From<SourceError> for RefusedStatement {
    fn from(error: SourceError) -> RefusedStatement {
        match error {
            SourceError::Refused { why, .. } => RefusedStatement::Statement { why, word: None },
            SourceError::Down { why, .. } | SourceError::Refusing { why, .. } => RefusedStatement::Source(why),
            other => RefusedStatement::Source(other.to_string()),
        }
    }
}

/// The columns of a table that keys of calls are kept in.
const OF_KEYS: [&str; 4] = ["id", "arguments", "answer", "at"];

/// Checks that keys of calls can be kept in a table.
async fn check_keys(driver: &dyn Driver, table: &[String]) -> Result<(), RefusedStatement> {
    let name = table.join(".");
    let described = driver.describe(table).await.map_err(|error| match error {
        SourceError::NoTable { .. } => {
            let why = format!("the table `{name}`, in which `idempotency` keeps keys, is not there");
            RefusedStatement::Statement { why, word: None }
        }
        other => other.into(),
    })?;
    let has = |column: &&str| described.native.columns.iter().any(|one| one.name.eq_ignore_ascii_case(column));
    match OF_KEYS.iter().find(|column| !has(column)) {
        None => Ok(()),
        Some(column) => {
            let why = format!("the table `{name}`, in which `idempotency` keeps keys, has no column `{column}`");
            Err(RefusedStatement::Statement { why, word: None })
        }
    }
}

/// Takes over what the next of several statements gives: its columns are those of the whole, and so are all parameters.
fn join_statements(found: &mut StatementAnswer, next: StatementAnswer) -> Result<(), RefusedStatement> {
    for parameter in next.parameters {
        match found.parameter(&parameter.column.name, parameter.is_list) {
            None => found.parameters.push(parameter),
            Some(known) if *known == parameter => {}
            Some(known) => {
                let why = format!(
                    "parameter `{}` is of one type in one statement, and of another in the next",
                    known.column.name
                );
                return Err(RefusedStatement::Statement { why, word: None });
            }
        }
    }
    found.columns = next.columns;
    found.written.extend(next.written.into_iter().filter(|column| !found.written.contains(column)).collect::<Vec<_>>());
    Ok(())
}

/// Checks that parameters are the same with other choices.
fn join_parameters(parameters: &[StatementParameter], others: &[StatementParameter]) -> Result<(), RefusedStatement> {
    match parameters.iter().zip(others).find(|(one, other)| one != other) {
        Some((one, _)) => {
            let why = format!("with other choices, parameter `{}` is of another type", one.column.name);
            Err(RefusedStatement::Choices(why))
        }
        None => Ok(()),
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
