//! What is done with records, and what their history says of it: the same wherever they lie.

use super::change::{self, Record, Records, Refused, Upserted};
use super::derived::MadeValues;
use super::history::{self, Event};
use crate::project::RecordContract;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Who does something, and when.
#[derive(Debug, Clone, Copy)]
pub struct Author<'a> {
    /// Who.
    pub actor: &'a str,
    /// When: UTC, to the second.
    pub at: &'a str,
}

impl Author<'_> {
    /// What is said of a field of a record: where its value comes from.
    fn event(self, id: &Value, field: &str, source: &str, more: Map<String, Value>) -> Event {
        Event {
            record_id: id.clone(),
            field: field.to_owned(),
            source: source.to_owned(),
            actor: self.actor.to_owned(),
            at: self.at.to_owned(),
            more,
        }
    }
}

/// Writes records into those that are there, as [`change::upsert`] does.
///
/// Errors: all that is wrong with them.
pub fn upsert(
    contract: &RecordContract,
    there: &mut Records,
    sent: &[Record],
    author: Author<'_>,
) -> Result<(Upserted, Vec<Event>), Vec<Refused>> {
    let done = change::upsert(contract, there, sent, author.actor)?;
    let event = |(id, field): &(Value, String)| {
        let is_derived = contract.property(field).is_some_and(|property| property.derived);
        author.event(id, field, if is_derived { history::OVERRIDDEN } else { history::SENT }, Map::new())
    };
    let events = done.cells.iter().map(event).collect();
    Ok((done, events))
}

/// Removes records, and gives those that were there.
pub fn delete(there: &mut Records, ids: &[Value], author: Author<'_>) -> (Vec<Record>, Vec<Event>) {
    let gone = change::delete(there, ids);
    let event = |(id, _): &(Value, Record)| author.event(id, history::WHOLE, history::REMOVED, Map::new());
    let events = gone.iter().map(event).collect();
    (gone.into_iter().map(|(_, record)| record).collect(), events)
}

/// Writes values that were made, each where the record is still what it was; whether each was written.
pub fn put_made(there: &mut Records, made: &[MadeValues], author: Author<'_>) -> (Vec<bool>, Vec<Event>) {
    let mut events = Vec::new();
    let mut put = |one: &MadeValues| {
        let is_put = one.put_into(there);
        let told = one.told_fields().filter(|_| is_put);
        events.extend(told.map(|(field, more)| author.event(&one.id, field, one.source, more)));
        is_put
    };
    let put = made.iter().map(&mut put).collect();
    (put, events)
}

/// Those of many records that may fit the contract: without those that do not, others may fit no longer, for what one adds to a
/// record, another one needs.
#[derive(Debug)]
pub struct Fitting<'a> {
    left: Vec<(usize, &'a Record)>,
    refused: Vec<Refused>,
}

impl<'a> Fitting<'a> {
    /// All of them.
    pub fn all(sent: &'a [Record]) -> Fitting<'a> {
        Fitting { left: sent.iter().enumerate().collect(), refused: Vec::new() }
    }

    /// Those that are left.
    pub fn records(&self) -> Vec<Record> {
        self.left.iter().map(|(_, record)| (*record).clone()).collect()
    }

    /// Leaves out those of them that are refused.
    pub fn refuse(&mut self, wrong: Vec<Refused>) {
        let at = |one: &Refused| self.left.get(one.record).map_or(one.record, |(at, _)| *at);
        let wrong: Vec<Refused> = wrong.into_iter().map(|one| Refused { record: at(&one), ..one }).collect();
        let bad: HashSet<usize> = wrong.iter().map(|one| one.record).collect();
        self.left.retain(|(at, _)| !bad.contains(at));
        self.refused.extend(wrong);
    }

    /// What is wrong with the others, by their number among all.
    pub fn into_refused(mut self) -> Vec<Refused> {
        self.refused.sort_by_key(|one| one.record);
        self.refused
    }
}
