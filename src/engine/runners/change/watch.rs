//! Records in a database that statements write: what becomes of them holds to their contract, and is told in their history.

use super::{Failed, Step};
use crate::engine::encode::{Rows, json_of_value};
use crate::engine::error::CallError;
use crate::engine::runners::records::{TableStore, Through, accounted};
use crate::engine::sources::Transaction;
use crate::records::change::{Records, key_of};
use serde_json::Value;
use std::collections::HashMap;

/// The records of one table, while statements write it.
pub(super) struct Watch<'a> {
    store: TableStore<'a>,
    name: &'a str,
    /// Those that statements are about, as they were before all of them.
    before: Records,
    /// The keys of records that statements are about, by the records' own.
    keys: HashMap<String, Value>,
    /// Whether all of them are looked at, because nobody knows which a statement is about.
    is_whole: bool,
    looks_at_all: bool,
}

impl<'a> Watch<'a> {
    /// `looks_at_all`: nobody knows which records a statement is about, for the database changes others by itself.
    pub(super) fn new(store: TableStore<'a>, name: &'a str, looks_at_all: bool) -> Watch<'a> {
        Watch { store, name, before: Records::new(), keys: HashMap::new(), is_whole: false, looks_at_all }
    }

    /// Looks at what a statement is going to change. `shown` are its rows as they are.
    pub(super) async fn look_before(
        &mut self,
        step: &Step,
        shown: Option<&Rows>,
        transaction: &mut dyn Transaction,
    ) -> Result<(), Failed> {
        let preview = step.preview.as_ref().map(|preview| &preview.told).filter(|_| !self.looks_at_all);
        let shown = shown.filter(|_| !self.looks_at_all);
        if self.is_whole || preview.is_some_and(|preview| preview.table != self.name) {
            return Ok(());
        }
        let known = match shown {
            Some(shown) => Some(keys_of(shown)?),
            None => None,
        };
        let through = &mut Through::Transaction(transaction);
        let there = self.store.records(through, known.as_deref()).await?;
        self.is_whole = known.is_none();
        let known = known.unwrap_or_else(|| {
            let key = self.store.contract.key();
            there.values().filter_map(|record| record.get(&key?.name).cloned()).collect()
        });
        for (id, record) in there {
            // One that an earlier statement was about was looked at then.
            if !self.keys.contains_key(&id) {
                self.before.insert(id, record);
            }
        }
        self.keys.extend(known.into_iter().map(|id| (key_of(&id), id)));
        Ok(())
    }

    /// Notes which rows a statement has left there.
    pub(super) fn look_after(&mut self, step: &Step, shown: Option<&Rows>) -> Result<(), CallError> {
        let is_own = step.preview.as_ref().is_some_and(|preview| preview.told.table == self.name);
        if let Some(shown) = shown.filter(|_| is_own) {
            self.keys.extend(keys_of(shown)?.into_iter().map(|id| (key_of(&id), id)));
        }
        Ok(())
    }

    /// Holds what has become of them to the contract, and tells it in the history.
    pub(super) async fn settle(mut self, transaction: &mut dyn Transaction) -> Result<(), Failed> {
        let ids: Vec<Value> = self.keys.values().cloned().collect();
        let ids = (!self.is_whole).then_some(ids.as_slice());
        let after = self.store.records(&mut Through::Transaction(transaction), ids).await?;
        let events = accounted(&self.store, &mut self.before, &after)?;
        Ok(self.store.tell(transaction, &events).await?)
    }
}

/// The keys of rows that are shown.
fn keys_of(rows: &Rows) -> Result<Vec<Value>, CallError> {
    let ty = rows.columns.first().map(|(_, ty)| ty);
    let key = |row: usize| rows.value(row, 0).and_then(|value| json_of_value(&value, ty?));
    let keys = (0..rows.len()).map(key).collect::<Option<Vec<_>>>();
    keys.ok_or_else(|| CallError::internal("a row has no key"))
}
