//! What a call has changed, or would change.

use super::encode::Rows;
use crate::project::WriteOperation;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// More rows are not shown by a call that only tries.
const MOST_SHOWN: usize = 50;

/// What a call has changed.
#[derive(Debug, Clone, Default)]
pub struct Changed {
    /// How many rows.
    pub rows: u64,
    /// Whether it was only tried, and taken back.
    pub is_dry: bool,
    /// Whether it was changed by an earlier call with the same key.
    pub is_repeated: bool,
    /// Whether the call gives rows of its own.
    pub(super) gives_rows: bool,
    /// The rows, by statement, of those that can be shown.
    pub(super) shown: Vec<Shown>,
}

/// The rows that a statement changes.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    /// The table, by its name in the project.
    pub table: String,
    /// What is done with them.
    pub operation: WriteOperation,
    /// How many of the columns, from the first on, are the key.
    pub key: usize,
    /// Which of the columns have the same values again where the same is done to the same rows.
    pub repeated: Vec<usize>,
    /// As they were.
    pub before: Option<Rows>,
    /// As they are then.
    pub after: Option<Rows>,
}

impl Changed {
    /// The parts of the result's object that tell of it.
    pub fn object(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("changed".into(), json!(self.rows));
        if self.is_dry {
            object.insert("dry_run".into(), Value::Bool(true));
            object.insert("changes".into(), self.shown.iter().map(Shown::object).collect());
        }
        object
    }

    /// What a person who has seen it agrees to: how many rows are changed, what they were, and what they become, but for clocks and
    /// numbers of the database.
    pub fn fingerprint(&self) -> String {
        let mut hasher = Sha256::new();
        let mut part = |text: &str| {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text);
        };
        part(&self.rows.to_string());
        for shown in &self.shown {
            part(&shown.table);
            part(shown.operation.as_str());
            let rows = shown.before.as_ref().map(|rows| rows.structured_head(usize::MAX));
            let mut rows: Vec<String> =
                rows.iter().filter_map(Value::as_array).flatten().map(Value::to_string).collect();
            // A database gives them in any order.
            rows.sort();
            part(&rows.len().to_string());
            rows.iter().for_each(|row| part(row));
            let cells = |rows: &Rows| -> Vec<String> {
                let cell =
                    |row: usize, at: &usize| rows.value(row, *at).map_or_else(String::new, |cell| cell.to_string());
                let row = |row: usize| {
                    let cells: Vec<String> = shown.repeated.iter().map(|at| cell(row, at)).collect();
                    serde_json::to_string(&cells).unwrap_or_default()
                };
                (0..rows.len()).map(row).collect()
            };
            let mut after = shown.after.as_ref().map(cells).unwrap_or_default();
            after.sort();
            part(&after.len().to_string());
            after.iter().for_each(|row| part(row));
        }
        hex::encode(hasher.finalize())
    }

    /// Whether the call gives rows of its own.
    pub fn gives_rows(&self) -> bool {
        self.gives_rows
    }

    /// The same in words.
    pub fn summary(&self) -> String {
        let unit = if self.rows == 1 { "row" } else { "rows" };
        match self.is_dry {
            false => format!("{} {unit} changed", self.rows),
            true => format!("{} {unit} would be changed: this was a dry run, and nothing is", self.rows),
        }
    }

    /// The keys of the rows, for the record of calls: by table and operation, as they were and as they are.
    pub fn keys(&self) -> Value {
        let one = |shown: &Shown| {
            json!({
                "table": shown.table,
                "operation": shown.operation.as_str(),
                "before": shown.before.as_ref().map(|rows| rows.first_columns(shown.key)),
                "after": shown.after.as_ref().map(|rows| rows.first_columns(shown.key)),
            })
        };
        self.shown.iter().map(one).collect()
    }
}

impl Shown {
    fn object(&self) -> Value {
        let mut object = Map::new();
        object.insert("table".into(), json!(self.table));
        object.insert("operation".into(), json!(self.operation.as_str()));
        for (key, rows) in [("before", &self.before), ("after", &self.after)] {
            if let Some(rows) = rows {
                object.insert(key.into(), rows.structured_head(MOST_SHOWN));
            }
        }
        Value::Object(object)
    }
}

/// What becomes of the transaction of a call: it is made to last, or its call is given up before that. Whichever comes first holds,
/// so that nobody is told that nothing was changed while it is being made to last.
#[derive(Debug, Clone, Default)]
pub struct Commit(Arc<AtomicU8>);

/// Neither yet.
const OPEN: u8 = 0;
/// The database is told to make it last.
const BEGUN: u8 = 1;
/// The call is given up.
const GIVEN_UP: u8 = 2;

impl Commit {
    /// The database is about to be told. Whether it may be: the call may be given up by now, and then nothing is made to last.
    pub(super) fn begin(&self) -> bool {
        self.0.compare_exchange(OPEN, BEGUN, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// Whether it was told.
    pub(super) fn is_begun(&self) -> bool {
        self.0.load(Ordering::SeqCst) == BEGUN
    }

    /// It has answered that it is not made to last.
    pub(super) fn refused(&self) {
        let _ = self.0.compare_exchange(BEGUN, OPEN, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Nobody waits for the call any more. Whether that comes before anything is made to last: else nobody knows what becomes of it.
    pub fn give_up(&self) -> bool {
        !matches!(self.0.compare_exchange(OPEN, GIVEN_UP, Ordering::SeqCst, Ordering::SeqCst), Err(BEGUN))
    }
}

#[cfg(test)]
mod tests {
    use super::Commit;

    #[test]
    fn what_is_given_up_is_not_made_to_last_and_the_reverse() {
        let commit = Commit::default();
        assert!(commit.begin() && !commit.give_up(), "nobody knows what becomes of it");
        commit.refused();
        assert!(commit.give_up() && !commit.begin() && commit.give_up());
    }
}
