//! Runs what is done with records: they are read as the table that they are, and written in their folder.

mod deriving;
mod stored;
mod told;

pub(super) use stored::{StoreError, TableStore, Through, accounted, store_over};

use super::rows::{batches_of_columns, columns_of, in_order};
use super::tables::{TablesRunner, unbuilt};
use super::{Order, RunOutput};
use crate::engine::changed::{Changed, Commit};
use crate::engine::code::CallCode;
use crate::engine::consent::Consent;
use crate::engine::core::Core;
use crate::engine::encode::json_of_value;
use crate::engine::error::{CallError, Detail};
use crate::engine::executor::Local;
use crate::engine::records_place::{OpenPlace, RecordsPlace};
use crate::engine::unplanned::Unplanned;
use crate::project::{RecordContract, RecordToolKind};
use crate::records::acts::Author;
use crate::records::change::{Record, Records, Refused};
use crate::records::folder::{CONTRACT, DERIVATIONS, Folder, FolderError, Writer};
use crate::records::history::Event;
use crate::tool::{Contract, OutputColumn, Parameter, RecordComparison, RecordSet, RecordStore};
use crate::ty::Type;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{Expr, LogicalPlan, lit};
use datafusion::prelude::ident;
use deriving::Maker;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use told::{Done, field_of, other_contract, refused, row_of_event, told_of_done};

/// How long writers wait for others at most.
const MOST_WAITING: Duration = Duration::from_secs(30);

/// What runs a tool over records.
pub(in crate::engine) struct RecordsRunner {
    set: RecordSet,
    core: Arc<Core>,
    tables: TablesRunner<Local>,
    place: Option<RecordsPlace>,
    /// The table that they are.
    records: String,
    /// How derived fields are made, each behind those that it needs.
    makers: Vec<Maker>,
}

impl RecordsRunner {
    /// Over the table and the folder of the records.
    ///
    /// Errors: the policy of the table does not plan.
    pub(super) fn new(contract: &Contract, set: &RecordSet, core: &Arc<Core>) -> Result<RecordsRunner, Unplanned> {
        let tables = TablesRunner::new(contract, &set.table, core)?;
        let place = core.records.get(&set.folder).cloned();
        let makers = set.derivations.iter().map(Maker::of).collect();
        let records = contract.tables.first().cloned().unwrap_or_default();
        Ok(RecordsRunner { set: set.clone(), core: Arc::clone(core), tables, place, records, makers })
    }

    /// The rows of a call.
    pub(super) async fn run(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        if let Some(place) = &self.place {
            check_contract(place, (&self.set.folder, &self.set.contract)).await?;
            self.check_derivations(place).await?;
        }
        match self.set.acts {
            RecordToolKind::GetContract => {
                rows_of(order, self.set.contract.properties().iter().map(field_of).collect())
            }
            RecordToolKind::List | RecordToolKind::Get | RecordToolKind::Query => {
                let (plan, has_pages) = self.read_plan(order)?;
                let columns = self.columns(&plan)?;
                Ok(RunOutput { has_pages, ..self.tables.page_of_rows(order, plan, Some(columns)).await? })
            }
            RecordToolKind::Upsert | RecordToolKind::Delete => self.write(order).await,
            RecordToolKind::History => self.history(order).await,
            RecordToolKind::Materialize => self.materialize(order).await,
            RecordToolKind::Status => self.status(order).await,
        }
    }

    /// What says how fields are made is what it was.
    async fn check_derivations(&self, place: &RecordsPlace) -> Result<(), CallError> {
        let RecordsPlace::Own(path) = place else { return Ok(()) };
        let (folder, digests) = (Folder::new(path), self.derivation_digests());
        let changed = off_thread(move || {
            for (file, digest) in digests {
                if !folder.has_derivation(&file, &digest)? {
                    return Ok(Some(format!("{DERIVATIONS}/{file}")));
                }
            }
            Ok(None)
        });
        changed.await?.map_or(Ok(()), |file| Err(other_contract(&self.set.folder, &file)))
    }

    /// The plan of a call, for the author of the tool.
    pub(super) async fn explain(&self, order: Order<'_>) -> Result<String, CallError> {
        match self.set.reads() {
            true => self.tables.explained_plan(order, self.read_plan(order)?.0).await,
            false => Ok(match &self.set.store {
                Some(store) => format!("{} of records in `{}`\n", self.set.acts.as_str(), store.source),
                None => format!("{} of the folder `{}`\n", self.set.acts.as_str(), self.set.folder),
            }),
        }
    }

    /// The plan of the records that are asked for, in the order of their key.
    fn read_plan(&self, order: Order<'_>) -> Result<(LogicalPlan, bool), CallError> {
        let table = self.set.table.described.first().ok_or_else(|| CallError::internal("the records have no table"))?;
        let contract = &self.set.contract;
        let key = contract.key().ok_or_else(|| CallError::internal("the records have no key"))?;
        let mut plan = self.tables.scan_of_table(table)?;
        if let Some(id) = order.call.value("id") {
            plan = plan.filter(ident(key.name.as_str()).eq(lit(id.clone()))).map_err(unbuilt)?;
        }
        for (parameter, filter) in &self.set.filters {
            let Some(value) = order.call.value(parameter) else { continue };
            let (own, value): (Expr, Expr) = (ident(filter.field.as_str()), lit(value.clone()));
            let condition = match filter.comparison {
                RecordComparison::Equal => own.eq(value),
                RecordComparison::AtLeast => own.gt_eq(value),
                RecordComparison::AtMost => own.lt_eq(value),
            };
            plan = plan.filter(condition).map_err(unbuilt)?;
        }
        let fields = order.call.texts("fields").filter(|fields| !fields.is_empty());
        let mut fields = fields.unwrap_or_else(|| contract.properties().iter().map(|one| one.name.clone()).collect());
        let mut seen = HashSet::new();
        fields.retain(|field| seen.insert(field.clone()));
        let sorted = plan.sort([ident(key.name.as_str()).sort(true, false)]).map_err(unbuilt)?;
        let plan = sorted.project(fields.into_iter().map(ident)).and_then(|plan| plan.build()).map_err(unbuilt)?;
        in_order(plan, order.contract, &self.core)
    }

    /// The columns of a plan, with the types of the contract: documents are texts in a table.
    fn columns(&self, plan: &LogicalPlan) -> Result<Vec<OutputColumn>, CallError> {
        let typed = |column: OutputColumn| match self.set.contract.property(&column.name) {
            Some(property) if !property.logical_type.is_scalar() => OutputColumn { ty: Type::Json, ..column },
            _ => column,
        };
        Ok(columns_of(plan)?.into_iter().map(typed).collect())
    }

    fn open(&self) -> Result<OpenPlace, CallError> {
        let folder = &self.set.folder;
        let none = || CallError::internal(format!("the folder `{folder}` of the records is not there"));
        let unread = |error| CallError::internal(format!("the records of `{folder}` cannot be copied: {error}"));
        self.place.as_ref().ok_or_else(none)?.open().map_err(unread)
    }

    async fn history(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let id = argument(order, "id");
        let field = order.call.text("field");
        let events = match &self.set.store {
            Some(store) => self.table_store(store, order, ("", "")).history(&id, field.as_deref()).await?,
            None => {
                let place = self.open()?;
                off_thread(move || place.folder.history(&id, field.as_deref())).await?
            }
        };
        let most = order.call.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        rows_of(order, events.iter().take(most.saturating_add(1)).map(row_of_event).collect())
    }

    /// Who writes, and what a person has agreed to.
    ///
    /// Errors: nobody knows who writes, or nobody has agreed.
    fn writer_of(&self, order: Order<'_>) -> Result<Written, CallError> {
        let changes = order.contract.changes.as_ref().ok_or_else(|| CallError::internal("nothing is changed"))?;
        if changes.confirm && !order.call.dry_run && order.caller.consent == Consent::None {
            return Err(CallError::unconfirmed());
        }
        let actor = actor_of(order, self.set.actor.as_deref())?;
        let agreed = match &order.caller.consent {
            Consent::Given(shown) if changes.confirm => Some(shown.clone()),
            _ => None,
        };
        Ok(Written { actor, agreed })
    }

    async fn write(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let Written { actor, agreed } = self.writer_of(order)?;
        let asked = match self.set.acts {
            RecordToolKind::Delete => Asked::Delete(ids_of(order)),
            _ => Asked::Upsert(self.records_of(order)?),
        };
        let at = moment_of(order);
        let (changed, row) = match &self.set.store {
            Some(store) => self.table_store(store, order, (&actor, &at)).change(&asked, agreed.as_deref()).await?,
            None => self.write_folder(order, (actor, at, agreed), asked).await?,
        };
        Ok(RunOutput { changed: Some(changed), ..rows_of(order, vec![row])? })
    }

    fn table_store<'a>(
        &'a self,
        store: &'a RecordStore,
        order: Order<'a>,
        (actor, at): (&'a str, &'a str),
    ) -> TableStore<'a> {
        let (contract, databases, call) = (&self.set.contract, self.core.databases.as_ref(), order.call);
        let records = self.records.as_str();
        let (deadline, commit, is_dry) = (call.deadline, &call.commit, call.dry_run);
        TableStore { store, contract, databases, records, deadline, commit, is_dry, author: Author { actor, at } }
    }

    /// The same without a call, where the records lie in a database.
    fn table_store_for<'a>(
        &'a self,
        commit: &'a Commit,
        (actor, at, is_dry): (&'a str, &'a str, bool),
    ) -> Option<TableStore<'a>> {
        let (store, contract, databases) = (self.set.store.as_ref()?, &self.set.contract, self.core.databases.as_ref());
        let records = self.records.as_str();
        let author = Author { actor, at };
        Some(TableStore { store, contract, databases, records, deadline: None, commit, is_dry, author })
    }

    /// All records that lie in a database, and all that was done to them; `None` where they lie in their folder.
    ///
    /// Errors: the database fails.
    pub(in crate::engine) async fn stored(&self) -> Result<Option<(Vec<Record>, Vec<Event>)>, CallError> {
        let commit = Commit::default();
        let Some(store) = self.table_store_for(&commit, ("", "", true)) else { return Ok(None) };
        let (records, events) = store.whole().await?;
        Ok(Some((records.into_values().collect(), events)))
    }

    /// Writes those of many records that fit the contract into a database: how many are new, how many were there, and what is wrong
    /// with the others; `None` where they lie in their folder.
    ///
    /// Errors: the database fails.
    pub(in crate::engine) async fn import(
        &self,
        sent: &[Record],
        by: (&str, &str, bool),
    ) -> Result<Option<Imported>, CallError> {
        let commit = Commit::default();
        let Some(store) = self.table_store_for(&commit, by) else { return Ok(None) };
        Ok(Some(store.upsert_what_fits(sent).await?))
    }

    /// Writes records and what was done to them into a database whose tables have none yet; `None` where they lie in their folder.
    ///
    /// Errors: there are some, or the database fails.
    pub(in crate::engine) async fn load(&self, records: &Records, events: &[Event]) -> Result<Option<()>, CallError> {
        let commit = Commit::default();
        let Some(store) = self.table_store_for(&commit, ("", "", false)) else { return Ok(None) };
        Ok(Some(store.load(records, events).await?))
    }

    async fn write_folder(
        &self,
        order: Order<'_>,
        (actor, at, agreed): (String, String, Option<String>),
        asked: Asked,
    ) -> Result<(Changed, Map<String, Value>), CallError> {
        let writes = Writes {
            place: self.open()?,
            contract: self.set.contract.clone(),
            actor,
            at,
            until: writer_until(),
            is_dry: order.call.dry_run,
            agreed,
            table: self.records.clone(),
        };
        // From here on nobody can say that nothing was written, until it is known.
        if !order.call.commit.begin() {
            return Err(CallError::internal("the call was given up before its change was made to last"));
        }
        let outcome = off_thread_call(move || writes.run(asked)).await;
        if outcome.is_err() {
            order.call.commit.refused();
        }
        outcome
    }

    /// The records that are sent, with the values that their fields were read as; those that are sent as null are.
    fn records_of(&self, order: Order<'_>) -> Result<Vec<Record>, CallError> {
        let list = order.contract.parameter("records");
        let list = list.ok_or_else(|| CallError::internal("there is no list of records"))?;
        let record = |row: usize| {
            let sent = list.fields.iter().enumerate().filter(|(at, _)| order.call.is_sent_in_row(&list.name, row, *at));
            let cell = |(at, field): (usize, &Parameter)| {
                (field.name.clone(), value_of(order.call.value_in_row(&list.name, row, at), &field.ty))
            };
            sent.map(cell).collect()
        };
        Ok((0..order.call.count_of_rows(&list.name)).map(record).collect())
    }
}

/// How many records are new, how many were there, and what is wrong with the others.
pub(in crate::engine) type Imported = ((usize, usize), Vec<Refused>);

/// Who writes.
struct Written {
    actor: String,
    /// The fingerprint of what a person has agreed to.
    agreed: Option<String>,
}

/// What is written, by whom.
struct Writes {
    place: OpenPlace,
    contract: RecordContract,
    actor: String,
    at: String,
    until: Instant,
    is_dry: bool,
    /// The fingerprint of what a person has agreed to.
    agreed: Option<String>,
    table: String,
}

enum Asked {
    Upsert(Vec<Record>),
    Delete(Vec<Value>),
}

impl Writes {
    fn run(&self, asked: Asked) -> Result<(Changed, Map<String, Value>), CallError> {
        if let Some(agreed) = &self.agreed {
            let (now, _) = self.attempt(&asked, true)?;
            if now.fingerprint() != *agreed {
                return Err(CallError::confirmation_outdated());
            }
        }
        self.attempt(&asked, self.is_dry)
    }

    fn attempt(&self, asked: &Asked, tries_only: bool) -> Result<(Changed, Map<String, Value>), CallError> {
        let writer = Writer { actor: &self.actor, at: &self.at, until: self.until, tries_only };
        let done = match asked {
            Asked::Upsert(records) => {
                let (done, total) = self.place.folder.upsert(&self.contract, records, writer).map_err(refused)?;
                Done::Upserted(done, total)
            }
            Asked::Delete(ids) => {
                Done::Deleted(self.place.folder.delete(&self.contract, ids, writer).map_err(refused)?)
            }
        };
        told_of_done(&self.contract, &self.table, done, tries_only)
    }
}

/// The keys of the records that are removed.
fn ids_of(order: Order<'_>) -> Vec<Value> {
    match argument(order, "ids") {
        Value::Array(ids) => ids,
        _ => Vec::new(),
    }
}

/// A value as records have it.
fn value_of(value: Option<&ScalarValue>, ty: &Type) -> Value {
    value.and_then(|value| json_of_value(value, ty)).unwrap_or_default()
}

/// The value of a parameter, as records have it.
fn argument(order: Order<'_>, name: &str) -> Value {
    let ty = order.contract.parameter(name).map(|parameter| &parameter.ty);
    ty.map(|ty| value_of(order.call.value(name), ty)).unwrap_or_default()
}

fn rows_of(order: Order<'_>, objects: Vec<Map<String, Value>>) -> Result<RunOutput, CallError> {
    let batches = batches_of_columns(order.contract.columns(), &objects)?;
    Ok(RunOutput { batches, ..RunOutput::default() })
}

/// Who writes. `own` is who does where callers do not say who they are.
///
/// Errors: nobody knows.
pub(super) fn actor_of(order: Order<'_>, own: Option<&str>) -> Result<String, CallError> {
    let actor = order.caller.principal.as_deref().or(own).map(str::to_owned);
    actor.ok_or_else(|| {
        let error = CallError::new(CallCode::NotPermitted, "the caller may not use this tool");
        let why = "nobody knows who writes: the call has no token, and the records have no `actor`";
        CallError { detail: Some(Detail::Own(why.to_owned())), ..error }
    })
}

/// The contract of a folder is what it was. Rows of tests stand in for one that is nowhere.
///
/// Errors: it is another one, or cannot be read.
pub(super) async fn check_contract(
    place: &RecordsPlace,
    (name, contract): (&str, &RecordContract),
) -> Result<(), CallError> {
    let RecordsPlace::Own(path) = place else { return Ok(()) };
    let (folder, contract) = (Folder::new(path), contract.clone());
    match off_thread(move || folder.holds_to(&contract)).await? {
        true => Ok(()),
        false => Err(other_contract(name, CONTRACT)),
    }
}

/// Until when others are waited for who write.
pub(super) fn writer_until() -> Instant {
    Instant::now() + MOST_WAITING
}

/// When a call is made: UTC, to the second.
pub(super) fn moment_of(order: Order<'_>) -> String {
    order.call.now.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

pub(super) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, FolderError> + Send + 'static,
) -> Result<T, CallError> {
    off_thread_call(move || work().map_err(refused)).await
}

async fn off_thread_call<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CallError> + Send + 'static,
) -> Result<T, CallError> {
    let ended = tokio::task::spawn_blocking(work).await;
    ended.map_err(|error| CallError::internal(format!("a write did not end: {error}")))?
}
