//! Runs statements in a database's own SQL that change data: all of them in one transaction, which lasts only where it has
//! changed what it may.

mod in_folder;
mod keys;
mod watch;

use super::records::{StoreError, actor_of, moment_of, store_over};
use super::statement::Values;
use super::{Order, RunOutput};
use crate::catalog::DatabaseKind;
use crate::engine::changed::{Changed, Shown};
use crate::engine::code::CallCode;
use crate::engine::consent::Consent;
use crate::engine::core::Core;
use crate::engine::encode::Rows;
use crate::engine::error::CallError;
use crate::engine::failure::of_a_database;
use crate::engine::sources::{
    CallValue, CommitError, Databases, Identity, Ran, SourceError, StatementCall, StatementColumns, Transaction, Work,
};
use crate::engine::unplanned::Unplanned;
use crate::project::WriteOperation;
use crate::records::acts::Author;
use crate::syntax::native::pieces::{self, Piece, Slots};
use crate::tool::{Change, ChangePreview, ChangeStep, Changes, Contract, OutputColumn, Statement, StatementEnd};
use datafusion::arrow::array::RecordBatch;
use datafusion::common::ScalarValue;
use keys::{Answer, Key};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use watch::Watch;

/// How often a transaction is tried again that others were in the way of.
const MOST_ATTEMPTS: u32 = 8;

/// How long is waited before the second attempt; before each further one, twice as long.
const PAUSE: Duration = Duration::from_millis(5);

/// What runs statements that change data.
pub(in crate::engine) struct ChangeRunner {
    core: Arc<Core>,
    change: Change,
    changes: Changes,
    /// What values are rendered by.
    statement: Statement,
    steps: Vec<Step>,
    targets: Vec<Vec<String>>,
}

/// What a text is sent for. Servers have a word for the default of a column, `DEFAULT`, that stands in what is written alone: in a
/// condition, a key that is left out is that of no row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Read,
    Write,
}

/// One of the statements.
struct Step {
    told: ChangeStep,
    pieces: Vec<Piece>,
    columns: StatementColumns,
    preview: Option<StepPreview>,
}

impl Step {
    /// How many rows a call brings for each that is written out.
    fn rows_of(&self, order: Order<'_>) -> u64 {
        let rows = |piece: &Piece| match piece {
            Piece::Each { field, .. } => Some(order.call.rows_of(order.contract, *field) as u64),
            Piece::Text(_) | Piece::Slot(_) | Piece::End | Piece::Clause { .. } => None,
        };
        self.pieces.iter().find_map(rows).unwrap_or(1)
    }
}

/// Which call statements are run for, and where.
#[derive(Clone, Copy)]
struct Over<'a> {
    order: Order<'a>,
    databases: &'a Databases,
}

/// What shows the rows that it changes.
struct StepPreview {
    told: ChangePreview,
    before: Option<Vec<Piece>>,
    columns: StatementColumns,
}

impl ChangeRunner {
    /// Cuts the texts into pieces. The database is asked by the calls alone.
    pub(super) fn new(contract: &Contract, change: &Change, core: &Arc<Core>) -> Result<ChangeRunner, Unplanned> {
        let is_list = |slot: usize| contract.placeholders.get(slot).is_some_and(|one| one.list);
        let is_field = |slot: usize| contract.slot(slot).is_some_and(|one| contract.list_of(&one.parameter).is_some());
        let slots = Slots { is_list: &is_list, is_field: &is_field };
        let cut = |text: &str| pieces::pieces(text, change.database, &slots).ok_or(Unplanned::NoStatement);
        let each = pieces::of_each(&cut(&change.statement)?);
        let changes = contract.changes.clone().ok_or(Unplanned::NoStatement)?;
        if each.len() != change.steps.len() {
            return Err(Unplanned::NoStatement);
        }
        let statement = Statement {
            source: change.source.clone(),
            database: change.database,
            statement: String::new(),
            end: StatementEnd::Closed,
            sent_as: change.sent_as.clone(),
            as_told: change.as_told.clone(),
        };
        let last = each.len().saturating_sub(1);
        let mut steps = Vec::new();
        for (at, (pieces, told)) in each.into_iter().zip(&change.steps).enumerate() {
            let columns: &[OutputColumn] = if at == last && told.gives_rows { contract.columns() } else { &[] };
            let preview = match &told.preview {
                Some(preview) => Some(StepPreview {
                    before: preview.before.as_deref().map(cut).transpose()?,
                    columns: StatementColumns::published(&preview.columns, &statement),
                    told: preview.clone(),
                }),
                None => None,
            };
            let columns = StatementColumns::published(columns, &statement);
            steps.push(Step { told: told.clone(), pieces, columns, preview });
        }
        let kept = change.idempotency.iter().map(|kept| kept.parts.clone());
        let targets = change.targets.iter().cloned().chain(kept).collect();
        Ok(ChangeRunner { core: Arc::clone(core), change: change.clone(), changes, statement, steps, targets })
    }

    /// Changes what a call asks for.
    pub(super) async fn run(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        if self.changes.confirm && !order.call.dry_run && order.caller.consent == Consent::None {
            return Err(CallError::unconfirmed());
        }
        let mut pause = PAUSE;
        for attempt in 1.. {
            match self.attempt(order).await {
                Err(Failed::Source(SourceError::Serialization { .. })) if attempt < MOST_ATTEMPTS => {
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                }
                // Nothing that it read has changed: others hold what it would write.
                Err(Failed::Source(SourceError::Busy { source })) => {
                    return Err(of_a_database(SourceError::Serialization { source }));
                }
                Err(Failed::Source(SourceError::Misfit(misfit))) if !self.change.records.is_empty() => {
                    let (column, found, expected) = (&misfit.column, &misfit.found, &misfit.expected);
                    let message = format!("`{column}` would hold {found}, where the contract has {expected}");
                    return Err(CallError::new(CallCode::ChangeRefused, message).hint("nothing was changed"));
                }
                Err(Failed::Source(error)) => return Err(of_a_database(error)),
                Err(Failed::Call(error)) => return Err(*error),
                Ok(output) => return Ok(output),
            }
        }
        Err(CallError::internal("no attempt was made"))
    }

    /// The texts as they are sent, for the author of the tool.
    pub(super) fn explain(&self, order: Order<'_>) -> String {
        let database = self.change.database.title();
        let mut out = format!("{} ({database}), in one transaction\n", self.change.source);
        for step in &self.steps {
            let call = self.call(order, (Does::Write, &step.pieces), ("", ""));
            out.push_str(&format!("{}\nvalues=[{}]\n", call.text.trim(), call.sent().join(", ")));
        }
        out
    }

    async fn attempt(&self, order: Order<'_>) -> Result<RunOutput, Failed> {
        let actors = self.change.records.iter().map(|records| actor_of(order, records.actor.as_deref()));
        let actors = actors.collect::<Result<Vec<String>, CallError>>()?;
        if let ([records], [actor]) = (self.change.records.as_slice(), actors.as_slice())
            && records.store.is_none()
        {
            return self.attempt_in_folder(order, (records, actor)).await;
        }
        let databases = self.core.databases.as_ref();
        let at = moment_of(order);
        let mut watches: Vec<Watch<'_>> = Vec::new();
        for (records, actor) in self.change.records.iter().zip(&actors) {
            let store = records.store.as_ref().ok_or_else(|| CallError::internal("records lie in no database"))?;
            let author = Author { actor, at: &at };
            let of = (records.name.as_str(), &order.call.commit);
            let acts_by_itself = databases.acts_by_itself(&store.source, &store.table).await?;
            let own = store_over((store, &records.contract), databases, of, author);
            watches.push(Watch::new(own, &records.name, acts_by_itself));
        }
        let session = Identity::of_call(order.contract, order.call).of_source(&self.change.source);
        let work = Work {
            isolation: self.change.isolation,
            targets: self.targets.clone(),
            session,
            deadline: order.call.deadline,
        };
        let mut transaction = databases.begin(&self.change.source, work).await?;
        let key = Key::of(order, &self.change, databases);
        if let Some(key) = &key
            && let Some(answer) = key.found(transaction.as_mut()).await?
        {
            return Ok(output(answer));
        }
        let answer = self.in_transaction(order, (transaction.as_mut(), databases), &mut watches).await?;
        if !watches.is_empty() {
            // What is put off to the end of the transaction is done now.
            transaction.check().await?;
        }
        for watch in watches {
            watch.settle(transaction.as_mut()).await?;
        }
        if let Some(key) = key.filter(|_| !answer.changed.is_dry) {
            key.keep(transaction.as_mut(), &answer.changed, &answer.batches).await?;
        }
        match answer.changed.is_dry {
            true => transaction.check().await?,
            false => self.commit(transaction, order).await?,
        }
        Ok(output(answer))
    }

    /// Runs all statements. What they have changed is what they may, and what was agreed to.
    async fn in_transaction(
        &self,
        order: Order<'_>,
        (transaction, databases): (&mut dyn Transaction, &Databases),
        watches: &mut Vec<Watch<'_>>,
    ) -> Result<Answer, Failed> {
        let mut changed = Changed { is_dry: order.call.dry_run, ..Changed::default() };
        let mut batches = Vec::new();
        for step in &self.steps {
            let over = Over { order, databases };
            let before = self.before(over, step, transaction).await?;
            for watch in watches.iter_mut().filter(|_| step.told.writes) {
                watch.look_before(step, before.as_ref(), transaction).await?;
            }
            let (ran, written) = self.step(over, step, transaction).await?;
            if step.told.writes {
                let most = step.told.rows.map(|rows| rows.saturating_mul(step.rows_of(order)));
                changed.rows += most.map_or(ran.changed, |most| ran.changed.min(most));
                if changed.rows > self.changes.max_changes {
                    return Err(self.too_many(changed.rows).into());
                }
                let shown = self.shown(step, (before, written), transaction, over).await?;
                for watch in watches.iter_mut() {
                    watch.look_after(step, shown.as_ref().and_then(|shown| shown.after.as_ref()))?;
                }
                changed.shown.extend(shown);
            }
            if step.told.gives_rows {
                batches = ran.batches;
            }
        }
        if let Some(expect) = self.changes.expect.filter(|expect| !expect.is_met(changed.rows)) {
            let message = format!("the call would change {}, and must change {expect}", rows(changed.rows));
            let error = CallError::new(CallCode::UnexpectedChanges, message).hint("nothing was changed");
            return Err(error.into());
        }
        if let Consent::Given(shown) = &order.caller.consent
            && self.changes.confirm
            && changed.fingerprint() != *shown
        {
            return Err(CallError::confirmation_outdated().into());
        }
        Ok(Answer { changed, batches })
    }

    /// Makes it last. From here on, nobody can say that nothing was changed, until the database does.
    async fn commit(&self, transaction: Box<dyn Transaction>, order: Order<'_>) -> Result<(), Failed> {
        if !order.call.commit.begin() {
            return Err(CallError::internal("the call was given up before its change was made to last").into());
        }
        let outcome = transaction.commit().await;
        match outcome {
            // Whoever waits no more does not know it.
            Ok(()) => Ok(()),
            Err(CommitError::Refused(error)) => {
                order.call.commit.refused();
                Err(error.into())
            }
            Err(CommitError::Unknown(error)) => {
                let told = of_a_database(error);
                Err(CallError { detail: told.detail, ..CallError::outcome_unknown() }.into())
            }
        }
    }

    fn too_many(&self, rows: u64) -> CallError {
        let most = self.changes.max_changes;
        let message = format!("the call would change {}, and {most} may be changed at most", self::rows(rows));
        CallError::new(CallCode::TooManyChanges, message).hint("nothing was changed: narrow the arguments")
    }

    /// What is sent for a text, with something behind it.
    fn call<'a>(
        &'a self,
        order: Order<'a>,
        (does, pieces): (Does, &[Piece]),
        (before, behind): (&str, &str),
    ) -> StatementCall<'a> {
        let mut filling = Values::new(order, &self.statement);
        if does == Does::Write || self.change.database == DatabaseKind::Sqlite {
            filling = filling.with_absent(&self.change.absent);
        }
        if !self.change.records.is_empty() {
            filling = filling.without_null_documents();
        }
        let text = [before, &pieces::rendered(pieces, &mut filling), behind].concat();
        let (name, deadline) = (order.contract.name.as_str(), order.call.deadline);
        StatementCall { name, text, values: filling.into_values(), most: None, session: Vec::new(), deadline }
    }

    async fn step(
        &self,
        Over { order, databases }: Over<'_>,
        step: &Step,
        transaction: &mut dyn Transaction,
    ) -> Result<(Ran, Option<Vec<RecordBatch>>), Failed> {
        let returning = step.preview.as_ref().and_then(|preview| Some((preview, preview.told.returning.as_deref()?)));
        let own = if step.told.gives_rows { step.columns.len() } else { 0 };
        let (columns, behind) = match returning {
            // Behind those that it gives itself.
            Some((preview, items)) if own > 0 => {
                (Cow::Owned(step.columns.with(&preview.columns)), format!("\n, {items}"))
            }
            Some((preview, items)) => (Cow::Borrowed(&preview.columns), format!("\nRETURNING {items}")),
            None => (Cow::Borrowed(&step.columns), String::new()),
        };
        let columns = columns.as_ref();
        let call = self.call(order, (Does::Write, &step.pieces), ("", &behind));
        let parameters = call.parameters();
        let request = databases.statement_request(&self.change.source, columns, call, step.told.writes)?;
        let ran = transaction.run(request).await.map_err(|error| error.with_parameters(&parameters))?;
        let bytes: usize = ran.batches.iter().map(RecordBatch::get_array_memory_size).sum();
        if bytes > self.core.limits.query_memory {
            return Err(SourceError::TooLarge { source: self.change.source.clone() }.into());
        }
        let Some((preview, _)) = returning else { return Ok((ran, None)) };
        let part = |from: usize, count: usize| -> Result<Vec<RecordBatch>, CallError> {
            let places: Vec<usize> = (from..from + count).collect();
            let projected = ran.batches.iter().map(|batch| batch.project(&places));
            projected.collect::<Result<_, _>>().map_err(|error| CallError::internal_of_engine(error.to_string()))
        };
        let (own, written) = (part(0, own)?, part(own, preview.columns.len())?);
        Ok((Ran { batches: own, ..ran }, Some(written)))
    }

    /// The rows that a statement is going to change, as they are.
    async fn before(
        &self,
        Over { order, databases }: Over<'_>,
        step: &Step,
        transaction: &mut dyn Transaction,
    ) -> Result<Option<Rows>, Failed> {
        let Some(preview) = &step.preview else { return Ok(None) };
        let Some(pieces) = &preview.before else { return Ok(None) };
        // No more of them than may be changed.
        let most = self.changes.max_changes.saturating_add(1);
        let call = self.call(order, (Does::Read, pieces), ("SELECT * FROM (", &format!("\n) AS shown LIMIT {most}")));
        let request = databases.statement_request(&self.change.source, &preview.columns, call, false)?;
        let ran = transaction.run(request).await?;
        Ok(Some(rows_of(&preview.told.columns, &ran.batches)?))
    }

    /// What a statement has done with its rows.
    async fn shown(
        &self,
        step: &Step,
        (before, written): (Option<Rows>, Option<Vec<RecordBatch>>),
        transaction: &mut dyn Transaction,
        over: Over<'_>,
    ) -> Result<Option<Shown>, Failed> {
        let Some(preview) = &step.preview else { return Ok(None) };
        let told = &preview.told;
        let is_told = written.is_some();
        let after = match (told.operation, written) {
            (WriteOperation::Delete, _) => None,
            (_, Some(written)) => Some(rows_of(&told.columns, &written)?),
            (WriteOperation::Update, None) => match &before {
                // Rows whose key is another one then are not found by it.
                Some(before) => {
                    let after = self.by_key(preview, before, transaction, over).await?;
                    after.filter(|after| after.len() == before.len())
                }
                None => None,
            },
            // Those with the keys that were looked for before.
            (WriteOperation::Insert, None) => self.before(over, step, transaction).await?,
        };
        let (before, after) = match told.operation {
            WriteOperation::Insert => only_written(before, after, (told.key, is_told))?,
            WriteOperation::Update | WriteOperation::Delete => (before, after),
        };
        Ok(Some(Shown {
            table: told.table.clone(),
            operation: told.operation,
            key: told.key,
            repeated: told.repeated.clone(),
            before,
            after,
        }))
    }

    /// The rows that have the keys of others, as they are now.
    async fn by_key(
        &self,
        preview: &StepPreview,
        before: &Rows,
        transaction: &mut dyn Transaction,
        Over { order, databases }: Over<'_>,
    ) -> Result<Option<Rows>, Failed> {
        let told = &preview.told;
        if told.key == 0 || before.is_empty() {
            return Ok(None);
        }
        let mut values: Vec<CallValue<'_>> = Vec::new();
        let mut rows = Vec::new();
        for row in 0..before.len() {
            let mut parts = Vec::new();
            for (at, name) in told.key_names.iter().enumerate() {
                let value: ScalarValue =
                    before.value(row, at).ok_or_else(|| CallError::internal("a row has no key"))?;
                let value = CallValue { value, sent_as: None, parameter: None };
                parts.push(format!("{name} = {}", value.placeholder(self.change.database, values.len() + 1)));
                values.push(value);
            }
            rows.push(format!("({})", parts.join(" AND ")));
        }
        let text = format!("{} WHERE {}", told.by_key, rows.join(" OR "));
        let (name, deadline) = (order.contract.name.as_str(), order.call.deadline);
        let call = StatementCall { name, text, values, most: None, session: Vec::new(), deadline };
        let request = databases.statement_request(&self.change.source, &preview.columns, call, false)?;
        let ran = transaction.run(request).await?;
        Ok(Some(rows_of(&told.columns, &ran.batches)?))
    }
}

/// Of the rows that stand in the way of those that are inserted, those that are written over: a condition may leave others as they are,
/// and then they are nobody's affair. Where the database does not say which it has written (`is_told`), one that is as it was is none.
fn only_written(
    before: Option<Rows>,
    after: Option<Rows>,
    (key, is_told): (usize, bool),
) -> Result<(Option<Rows>, Option<Rows>), CallError> {
    let (Some(before), Some(after)) = (before, &after) else { return Ok((None, after)) };
    if key == 0 {
        return Ok((None, Some(after.clone())));
    }
    let cells = |rows: &Rows, row: usize, count: usize| -> Vec<Option<ScalarValue>> {
        (0..count).map(|at| rows.value(row, at)).collect()
    };
    let all = |rows: &Rows, count: usize| -> HashSet<Vec<Option<ScalarValue>>> {
        (0..rows.len()).map(|row| cells(rows, row, count)).collect()
    };
    let width = before.columns.len();
    let (keys, whole) = (all(after, key), all(after, width));
    let was = if is_told { HashSet::new() } else { all(&before, width) };
    let of_arrow = |error: arrow::error::ArrowError| CallError::internal_of_engine(error.to_string());
    let is_written = |row: usize| {
        let is_other = is_told || !whole.contains(&cells(&before, row, width));
        is_other && keys.contains(&cells(&before, row, key))
    };
    let written = before.only(&is_written).map_err(of_arrow)?;
    let after = after.only(&|row| !was.contains(&cells(after, row, width))).map_err(of_arrow)?;
    Ok((Some(written), Some(after)))
}

/// What a call gives.
fn output(answer: Answer) -> RunOutput {
    let Answer { changed, batches } = answer;
    RunOutput { batches, changed: Some(changed), ..RunOutput::default() }
}

/// Why nothing was changed.
enum Failed {
    Source(SourceError),
    Call(Box<CallError>),
}

impl From<SourceError> for Failed {
    fn from(error: SourceError) -> Failed {
        Failed::Source(error)
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Failed {
        match error {
            StoreError::Source(error) => Failed::Source(error),
            other => Failed::Call(Box::new(other.into())),
        }
    }
}

impl From<CallError> for Failed {
    fn from(error: CallError) -> Failed {
        Failed::Call(Box::new(error))
    }
}

fn rows_of(columns: &[OutputColumn], batches: &[RecordBatch]) -> Result<Rows, CallError> {
    Rows::from_batches(columns, batches).map_err(|error| CallError::internal_of_engine(error.to_string()))
}

/// So many rows, in words.
fn rows(count: u64) -> String {
    format!("{count} {}", if count == 1 { "row" } else { "rows" })
}
