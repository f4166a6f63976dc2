//! Asks a tool for the value of a field of one record: a query, a program, a function, a request, or a language model.

use super::given::{Failure, Given, failure};
use super::makers::Maker;
use super::model;
use crate::engine::admit::Admitted;
use crate::engine::bind::{Arguments, Caller};
use crate::engine::code::CallCode;
use crate::engine::core::Core;
use crate::engine::encode::{json_of_column, json_of_value};
use crate::engine::error::CallError;
use crate::engine::prepared::Prepared;
use crate::engine::runners::RunOutput;
use crate::engine::tables::records::read_value;
use crate::project::{DerivationKind, Property, RecordContract};
use crate::records::change::Record;
use crate::tool::DerivedQuery;
use crate::ty::Type;
use crate::ty::coerce::shortened;
use datafusion::arrow::array::Array as _;
use datafusion::arrow::array::RecordBatch;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a service is asked for one value that is asked too often, at most.
const MOST_TRIES: u32 = 5;
/// The wait before the second try where the service names none; it doubles with each.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// A call that asks for values.
pub(super) struct Asking<'a> {
    pub(super) core: &'a Arc<Core>,
    pub(super) contract: &'a RecordContract,
    pub(super) caller: &'a Caller,
    /// The most time that one value may take.
    pub(super) most: Duration,
}

impl Asking<'_> {
    /// The value that a tool gives for a record; null where it gives no row.
    pub(super) async fn value(
        &self,
        maker: &Maker,
        (prepared, query): (&Arc<Prepared>, &DerivedQuery),
        record: &Record,
        target: &Property,
    ) -> Result<Given, Failure> {
        let kind = maker.derivation.kind;
        if let Some(config) = &query.model {
            let inputs = &maker.derivation.inputs;
            // There is nothing that it could be asked about.
            if !inputs.is_empty() && inputs.iter().all(|field| is_null(record, field)) {
                return Ok(Given::free(Value::Null));
            }
            let texts =
                config.prompts().map(|(name, text)| Ok((name.to_owned(), Value::from(self.filled(text, record)?))));
            let prompts: Arguments = texts.collect::<Result<_, Failure>>()?;
            let reply = self.one_row(kind, (prepared, query), &prompts, target).await?.unwrap_or_default();
            return model::given(config, &reply, target);
        }
        let argument = |(parameter, field): (&String, &String)| {
            let value = record.get(field).filter(|value| !value.is_null())?;
            Some(self.argument(field, value).map(|value| (parameter.clone(), value)))
        };
        let arguments = query.arguments.iter().filter_map(argument).collect::<Result<_, Failure>>()?;
        let contract = &query.tool.contract;
        let is_needed = |name: &String| contract.parameter(name).is_some_and(|parameter| parameter.required);
        // What is made of something that is not there is not there, as in SQL. A parameter of a tool that is left out would ask for
        // something else: all rows, or a usual value.
        let asks_tool = kind != DerivationKind::Sql;
        if query.arguments.iter().any(|(name, field)| (asks_tool || is_needed(name)) && is_null(record, field)) {
            return Ok(Given::free(Value::Null));
        }
        match self.one_row(kind, (prepared, query), &arguments, target).await? {
            Some(value) => as_document(target, value).map(Given::free),
            None => Ok(Given::free(Value::Null)),
        }
    }

    /// The value of the column in the one row of a call; `None` where there is no row.
    async fn one_row(
        &self,
        kind: DerivationKind,
        (prepared, query): (&Arc<Prepared>, &DerivedQuery),
        arguments: &Arguments,
        target: &Property,
    ) -> Result<Option<Value>, Failure> {
        let told = |error: CallError| told_of(kind, target, error);
        let call = Admitted::new(self.core, prepared, arguments, self.caller).map_err(told)?;
        let plans = prepared.plans(self.core).map_err(told)?;
        // One that takes long is one failure, and not that of the others.
        let most = query.tool.contract.timeout.0.min(self.most);
        let (until, mut wait, mut tries) = (Instant::now() + most, FIRST_WAIT, 1);
        let output = loop {
            let left = until.saturating_duration_since(Instant::now());
            let output = tokio::time::timeout(left, plans.runner.run_boxed(call.order())).await;
            let late = |_| failure(type_of(kind), format!("it took longer than {most:?}"));
            match output.map_err(late)? {
                Ok(output) => break output,
                Err(error) => {
                    let pause = pause_before_next(kind, &error, wait);
                    let pause = pause.filter(|pause| tries < MOST_TRIES && Instant::now() + *pause < until);
                    let Some(pause) = pause else { return Err(told(error)) };
                    tokio::time::sleep(pause).await;
                    (wait, tries) = (wait.saturating_mul(2), tries + 1);
                }
            }
        };
        match output.batches.iter().map(RecordBatch::num_rows).sum() {
            0 => Ok(None),
            1 => only_value(&output, &call, &query.column, type_of(kind)).map(Some),
            _ => Err(failure("SeveralRows", "it gives several rows, and one is expected")),
        }
    }

    /// A value of a field, as the table of the records has it: a moment with an offset is in UTC.
    fn argument(&self, field: &str, value: &Value) -> Result<Value, Failure> {
        let property = self.contract.property(field).filter(|property| property.logical_type.is_scalar());
        let Some(ty) = property.map(|property| property.logical_type.ty()) else { return Ok(value.clone()) };
        let read = read_value(value, &ty).map_err(|why| failure("TypeMismatch", format!("`{field}`: {why}")))?;
        Ok(json_of_value(&read, &ty).unwrap_or_else(|| value.clone()))
    }

    /// A prompt with the fields of a record; one without a value is nothing in it.
    fn filled(&self, prompt: &str, record: &Record) -> Result<String, Failure> {
        let value = |field: &str| match record.get(field).filter(|value| !value.is_null()) {
            Some(value) => self.argument(field, value),
            None => Ok(Value::from("")),
        };
        model::filled_prompt(prompt, &value)
    }
}

fn is_null(record: &Record, field: &str) -> bool {
    record.get(field).is_none_or(Value::is_null)
}

/// The word for what fails.
fn type_of(kind: DerivationKind) -> &'static str {
    match kind {
        DerivationKind::Python => "ProgramFailed",
        DerivationKind::Http | DerivationKind::Ai => "RequestFailed",
        _ => "QueryFailed",
    }
}

/// A call that failed, as it is told. What is behind it is for the log alone.
fn told_of(kind: DerivationKind, target: &Property, error: CallError) -> Failure {
    if let Some(detail) = &error.detail {
        let (field, code) = (target.name.as_str(), error.code.as_str());
        tracing::warn!(field, code, detail = detail.text(), "a value of a record cannot be made");
    }
    failure(type_of(kind), error.message)
}

/// How long to wait for another try of a service that is asked too often, or is away for a while; `None` where there is none.
fn pause_before_next(kind: DerivationKind, error: &CallError, wait: Duration) -> Option<Duration> {
    let asked = error.retry_after.map(Duration::from_secs);
    match (kind, error.code) {
        (DerivationKind::Http | DerivationKind::Ai, CallCode::Busy) => Some(asked.unwrap_or(wait)),
        (DerivationKind::Http | DerivationKind::Ai, CallCode::SourceUnavailable) => asked,
        _ => None,
    }
}

/// The value of a column in the one row.
fn only_value(output: &RunOutput, call: &Admitted, column: &str, error_type: &'static str) -> Result<Value, Failure> {
    let columns = output.columns.as_deref().unwrap_or_else(|| call.tool.contract.columns());
    let at = columns.iter().position(|one| one.name == column);
    let batch = output.batches.iter().find(|batch| batch.num_rows() > 0);
    let array = at.zip(batch).and_then(|(at, batch)| Some((batch.columns().get(at)?, columns.get(at)?)));
    let (array, column) = array.ok_or_else(|| failure(error_type, "it gives no such column"))?;
    let value = json_of_column(array.as_ref(), &column.ty).and_then(|values| values.into_iter().next());
    match value {
        // JSON has no such number.
        Some(Value::Null) if array.is_valid(0) && column.ty != Type::Json => {
            Err(failure("TypeMismatch", "it gives infinity, or no number: records have no such value"))
        }
        Some(value) => Ok(value),
        None => Err(failure(error_type, "it gives no value that records can have")),
    }
}

/// A list or an object that is given as its text.
fn as_document(target: &Property, value: Value) -> Result<Value, Failure> {
    match value {
        Value::String(text) if !target.logical_type.is_scalar() => serde_json::from_str(&text)
            .map_err(|_| failure("TypeMismatch", format!("`{}` is no JSON: {}", target.name, shortened(&text.into())))),
        value => Ok(value),
    }
}
