//! Runs a statement in a database's own SQL: the text for the clauses, choices and lists of the call, with its values bound.

use super::{Order, RunOutput};
use crate::catalog::DatabaseKind;
use crate::engine::core::Core;
use crate::engine::error::CallError;
use crate::engine::failure::of_a_database;
use crate::engine::hurry::{LastQuick, QUICK, Quick, hurried};
use crate::engine::sources::{CallValue, Identity, Reading, SourceError, StatementCall, StatementColumns};
use crate::engine::unplanned::Unplanned;
use crate::project::AutomaticParameter;
use crate::syntax::native::pieces::{self, Filling, Piece, Slots};
use crate::tool::{Contract, Statement, StatementEnd};
use crate::ty::Type;
use datafusion::arrow::array::RecordBatch;
use datafusion::common::ScalarValue;
use futures::StreamExt;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;

/// Longer lists are not made longer.
const LONGEST_PADDED: usize = 8_192;

/// What runs a statement in a database's own SQL.
pub(in crate::engine) struct StatementRunner {
    core: Arc<Core>,
    statement: Statement,
    pieces: Vec<Piece>,
    columns: StatementColumns,
    quick: LastQuick,
}

impl StatementRunner {
    /// Cuts the text into pieces. The database is asked by the calls alone.
    pub(super) fn new(
        contract: &Contract,
        statement: &Statement,
        core: &Arc<Core>,
    ) -> Result<StatementRunner, Unplanned> {
        let is_list = |slot: usize| contract.placeholders.get(slot).is_some_and(|one| one.list);
        let slots = Slots { is_list: &is_list, is_field: &|_| false };
        let pieces = pieces::pieces(&statement.statement, statement.database, &slots).ok_or(Unplanned::NoStatement)?;
        let columns = StatementColumns::published(contract.columns(), statement);
        Ok(StatementRunner {
            core: Arc::clone(core),
            statement: statement.clone(),
            pieces,
            columns,
            quick: LastQuick::default(),
        })
    }

    /// The rows of a call.
    pub(super) async fn run(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        self.output(order).await.map_err(of_a_database)
    }

    /// The same on the thread of whoever asks; `None` where the database would have to be waited for there, or is not what it
    /// was: all of it is done again where it may take long.
    pub(super) async fn run_at_once(&self, order: Order<'_>) -> Option<Result<RunOutput, CallError>> {
        match hurried(self.output(order)).await {
            Err(error) if error.may_pass() => {
                self.quick.put(None);
                None
            }
            output => Some(output.map_err(of_a_database)),
        }
    }

    /// Whether the last call took so little time that it is worth trying to run the next at once.
    pub(super) fn quick(&self) -> Option<Quick> {
        self.quick.get()
    }

    async fn output(&self, order: Order<'_>) -> Result<RunOutput, SourceError> {
        let wanted = order.call.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1));
        let began = Instant::now();
        let batches = self.rows(order, wanted).await?;
        self.quick.put(match self.core.databases.reading(&self.statement.source, self.most(wanted)) {
            Reading::AtOnce => (began.elapsed() < QUICK).then_some(Quick::Here),
            Reading::Awaited => Some(Quick::Awaited),
            Reading::Long => None,
        });
        let own_limit = match self.statement.end {
            StatementEnd::After(rows) => Some(rows),
            StatementEnd::Open | StatementEnd::Closed => None,
        };
        let has_pages = order.contract.expose.contains(&AutomaticParameter::Cursor);
        Ok(RunOutput { batches, has_pages, own_limit, ..RunOutput::default() })
    }

    /// The text as it is sent, for the author of the tool.
    pub(super) fn explain(&self, order: Order<'_>) -> String {
        let wanted = order.call.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1));
        let call = self.call(order, wanted);
        let database = self.statement.database.title();
        format!("{} ({database}), values=[{}]\n{}\n", self.statement.source, call.sent().join(", "), call.text)
    }

    async fn rows(&self, order: Order<'_>, wanted: Option<usize>) -> Result<Vec<RecordBatch>, SourceError> {
        let source = &self.statement.source;
        let too_large = || SourceError::TooLarge { source: source.clone() };
        let call = self.call(order, wanted);
        let parameters = call.parameters();
        let mut rows = self.core.databases.statement_rows(source, &self.columns, call)?;
        let (mut batches, mut count, mut bytes) = (Vec::new(), 0, 0);
        while let Some(batch) = rows.next().await {
            let batch = batch.map_err(|error| error.with_parameters(&parameters))?;
            count += batch.num_rows();
            bytes += batch.get_array_memory_size();
            if bytes > self.core.limits.query_memory {
                return Err(too_large());
            }
            batches.push(batch);
            if wanted.is_some_and(|wanted| count >= wanted) {
                break;
            }
        }
        Ok(batches)
    }

    /// How many rows come at most for a call that wants so many, where that is known.
    fn most(&self, wanted: Option<usize>) -> Option<usize> {
        match self.statement.end {
            StatementEnd::Open => wanted,
            StatementEnd::After(rows) => usize::try_from(rows).ok(),
            StatementEnd::Closed => None,
        }
    }

    /// What is sent for a call that wants so many rows.
    fn call<'a>(&'a self, order: Order<'a>, wanted: Option<usize>) -> StatementCall<'a> {
        let mut filling = Values::new(order, &self.statement);
        let text = pieces::rendered(&self.pieces, &mut filling);
        let (name, deadline) = (order.contract.name.as_str(), order.call.deadline);
        let session = Identity::of_call(order.contract, order.call).of_source(&self.statement.source);
        let skip = i64::try_from(order.call.skip).unwrap_or(i64::MAX);
        let is_open = self.statement.end == StatementEnd::Open && (wanted.is_some() || skip > 0);
        if !is_open {
            return StatementCall { name, text, values: filling.values, most: self.most(wanted), session, deadline };
        }
        let limit = wanted.and_then(|wanted| i64::try_from(wanted).ok()).unwrap_or(i64::MAX);
        let limit = filling.bind(ScalarValue::Int64(Some(limit)));
        let offset = (skip > 0).then(|| filling.bind(ScalarValue::Int64(Some(skip))));
        let text = pieces::limited(&text, &limit, offset.as_deref());
        StatementCall { name, text, values: filling.values, most: wanted, session, deadline }
    }
}

/// The values of a call, in the order of their placeholders.
pub(super) struct Values<'a> {
    order: Order<'a>,
    statement: &'a Statement,
    /// What is written for parameters without a value, where that is something of its own.
    absent: Option<&'a BTreeMap<String, String>>,
    /// Whether a document that is null is no value.
    has_no_null_documents: bool,
    /// The row of a list that is written.
    row: Option<usize>,
    /// What was written for each slot.
    written: HashMap<usize, String>,
    values: Vec<CallValue<'a>>,
}

impl<'a> Values<'a> {
    /// None yet.
    pub(super) fn new(order: Order<'a>, statement: &'a Statement) -> Values<'a> {
        Values {
            order,
            statement,
            absent: None,
            has_no_null_documents: false,
            row: None,
            written: HashMap::new(),
            values: Vec::new(),
        }
    }

    /// With what is written for parameters without a value.
    pub(super) fn with_absent(self, absent: &'a BTreeMap<String, String>) -> Values<'a> {
        Values { absent: Some(absent), ..self }
    }

    /// Where a document that is null is no value, as in records.
    pub(super) fn without_null_documents(self) -> Values<'a> {
        Values { has_no_null_documents: true, ..self }
    }

    /// Whether a value is a document that is null.
    fn is_null_document(&self, value: &ScalarValue, slot: usize) -> bool {
        let contract = self.order.contract;
        let name = contract.slot(slot).map(|one| one.parameter.as_str()).unwrap_or_default();
        let of_list = || contract.list_of(name).and_then(|(list, at)| list.fields.get(at));
        let is_document = of_list().or_else(|| contract.parameter(name)).is_some_and(|one| one.ty == Type::Json);
        let text = value.try_as_str().flatten();
        self.has_no_null_documents && is_document && text.is_some_and(|text| text.trim() == "null")
    }

    /// Those of the placeholders that were written.
    pub(super) fn into_values(self) -> Vec<CallValue<'a>> {
        self.values
    }

    /// The placeholder of a value that is no argument.
    fn bind(&mut self, value: ScalarValue) -> String {
        self.bind_value(CallValue { value, sent_as: None, parameter: None })
    }

    /// The placeholder of a value.
    fn bind_value(&mut self, call_value: CallValue<'a>) -> String {
        let placeholder = call_value.placeholder(self.statement.database, self.values.len() + 1);
        self.values.push(call_value);
        placeholder
    }

    /// The placeholders of a list: as many as the next power of two, so that there are few texts for all lengths. The last
    /// item fills up what is left.
    fn bind_list(&mut self, items: Vec<ScalarValue>) -> String {
        let Some(last) = items.last().cloned() else { return pieces::no_items(self.statement.database).to_owned() };
        let length = if items.len() > LONGEST_PADDED { items.len() } else { items.len().next_power_of_two() };
        let padding = std::iter::repeat_n(last, length - items.len());
        let placeholders: Vec<String> = items.into_iter().chain(padding).map(|item| self.bind(item)).collect();
        placeholders.join(", ")
    }

    fn fresh(&mut self, slot: usize) -> String {
        let contract = self.order.contract;
        let name = contract.placeholders.get(slot).map(|one| one.parameter.as_str()).unwrap_or_default();
        let choices = contract.parameter(name).map(|parameter| parameter.choices.as_slice()).unwrap_or_default();
        if !choices.is_empty() {
            let key = self.order.call.text(name);
            let chosen = choices.iter().find(|choice| Some(&choice.key) == key.as_ref());
            return chosen.map_or_else(|| "NULL".to_owned(), |choice| choice.sql.clone());
        }
        let value = self.order.call.slot_in(contract, slot, self.row).cloned();
        if let (None, Some(absent)) = (&value, self.absent.and_then(|absent| absent.get(name))) {
            return absent.clone();
        }
        let value = value.filter(|value| !self.is_null_document(value, slot)).unwrap_or(ScalarValue::Null);
        let is_list = contract.placeholders.get(slot).is_some_and(|one| one.list);
        let sent_as = self.statement.sent_as.get(name).map(String::as_str);
        match (self.statement.database, items(&value).filter(|_| is_list)) {
            (DatabaseKind::Sqlite | DatabaseKind::Mysql, Some(items)) => self.bind_list(items),
            // There, a list is one value.
            (DatabaseKind::Postgres, Some(_)) | (_, None) => {
                // Who calls knows nothing of what is bound to somebody.
                let is_sent = contract.parameter(name).is_some_and(|parameter| parameter.from.is_none());
                self.bind_value(CallValue { value, sent_as, parameter: is_sent.then_some(name) })
            }
        }
    }
}

impl Filling for Values<'_> {
    fn has_value(&self, slot: usize) -> bool {
        self.order.call.slot_in(self.order.contract, slot, self.row).is_some()
    }

    fn written(&mut self, slot: usize) -> String {
        // Where placeholders are counted by their places, a value has one for each.
        let contract = self.order.contract;
        let is_field = contract.slot(slot).is_some_and(|one| contract.list_of(&one.parameter).is_some());
        let is_once = self.statement.database != DatabaseKind::Mysql && !is_field;
        if let Some(written) = self.written.get(&slot).filter(|_| is_once) {
            return written.clone();
        }
        let written = self.fresh(slot);
        self.written.insert(slot, written.clone());
        written
    }

    fn rows(&self, field: usize) -> usize {
        self.order.call.rows_of(self.order.contract, field)
    }

    fn in_row(&mut self, row: Option<usize>) {
        self.row = row;
    }
}

/// The items of a list; `None` where it is no list.
fn items(value: &ScalarValue) -> Option<Vec<ScalarValue>> {
    let ScalarValue::List(list) = value else { return None };
    let items = list.values();
    (0..items.len()).map(|at| ScalarValue::try_from_array(items, at).ok()).collect()
}
