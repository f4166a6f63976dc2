//! What a tool changes, and what bounds it.

use super::RecordStore;
use crate::catalog::DatabaseKind;
use crate::project::{ExpectChanges, Isolation, RecordContract, Timeout, WriteOperation};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What stands where a call may change any number of rows.
pub const ANY_CHANGES: u64 = u64::MAX;

fn any_changes() -> u64 {
    ANY_CHANGES
}

// serde gives a reference.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "that is what serde asks for")]
fn is_any(changes: &u64) -> bool {
    *changes == ANY_CHANGES
}

/// What clients see of the changes that a tool makes, and what a review compares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// What is written, by table and operation, sorted.
    pub writes: Vec<TableWrite>,
    /// The most rows that a call changes: where it would change more, it changes none. [`ANY_CHANGES`] where nothing bounds them.
    #[serde(default = "any_changes", skip_serializing_if = "is_any")]
    pub max_changes: u64,
    /// How many it must change, else it changes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<ExpectChanges>,
    /// Whether a person sees what a call would change, and must agree to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
}

/// What is written into a table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TableWrite {
    /// The table, by its name in the project.
    pub table: String,
    /// What is done with its rows.
    pub operation: WriteOperation,
    /// The columns that are written, by their names in the database, sorted; none where rows are removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
}

/// Statements in a database's own SQL that change data: they run in one transaction there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The database: a name of `sources`.
    pub source: String,
    /// What kind of database it is.
    pub database: DatabaseKind,
    /// The SQL, as its author has written it, with `$1`, `$2`, … for the placeholders and marker calls for the optional
    /// clauses; several statements have `;` between them.
    pub statement: String,
    /// What each statement does.
    #[serde(default)]
    pub steps: Vec<ChangeStep>,
    /// The tables that are written into, by the parts of their names there.
    #[serde(default)]
    pub targets: Vec<Vec<String>>,
    /// What the transaction sees of others.
    #[serde(default, skip_serializing_if = "Isolation::is_default")]
    pub isolation: Isolation,
    /// The types that values of parameters are sent as, in the words of the database; it finds those of the others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sent_as: BTreeMap<String, String>,
    /// The columns of the result whose types are those that the database says of them, and nobody else.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub as_told: BTreeSet<String>,
    /// What is written in the place of a parameter without a value: the default of the column that it is written into.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub absent: BTreeMap<String, String>,
    /// Where the keys of its calls are kept; absent where they have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency: Option<Idempotency>,
    /// The records that are written, whose contracts are held to. Those of a folder are alone, and the source has their name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<ChangedRecords>,
}

impl Change {
    /// Whether it writes the records of that table, which lie in a folder.
    pub fn writes_folder(&self, table: &str) -> bool {
        self.records.iter().any(|records| records.name == table && records.store.is_none())
    }
}

/// Records that statements write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangedRecords {
    /// The table that they are, by its name in the project.
    pub name: String,
    /// The folder of the records, as `qtool.yaml` has it.
    pub folder: String,
    /// Who writes where callers do not say who they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The contract.
    pub contract: RecordContract,
    /// Where they lie in the database; `None` where they lie in their folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store: Option<RecordStore>,
}

/// Where the keys of calls are kept that change data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idempotency {
    /// The table, as it is written in a statement.
    pub table: String,
    /// The same by the parts of its name.
    pub parts: Vec<String>,
    /// How long a key is kept.
    pub keep: Timeout,
}

impl Idempotency {
    /// How long a key is kept, in milliseconds.
    pub fn keep_milliseconds(&self) -> i64 {
        i64::try_from(self.keep.0.as_millis()).unwrap_or(i64::MAX)
    }
}

/// What one of the statements does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeStep {
    /// Whether it changes rows.
    pub writes: bool,
    /// Whether it gives rows.
    pub gives_rows: bool,
    /// How many rows it changes at most, where the database may count some of them twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// What shows the rows that it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<ChangePreview>,
}

/// What shows the rows that a statement changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangePreview {
    /// The table, by its name in the project.
    pub table: String,
    /// What is done.
    pub operation: WriteOperation,
    /// The columns that are shown, with their types, those of the key first.
    pub columns: Vec<super::OutputColumn>,
    /// How many of them are the key.
    pub key: usize,
    /// The SELECT of the rows before, with `$1`, `$2`, …; `None` where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The SELECT of rows by their key, but for the condition.
    pub by_key: String,
    /// The names of the columns of the key, as they are written in a condition.
    pub key_names: Vec<String>,
    /// The items that are written behind RETURNING to have the rows that the statement writes; `None` where it cannot give any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returning: Option<String>,
    /// Which of the columns have the same values again where the same is done to the same rows: no clock and no sequence is in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeated: Vec<usize>,
}
