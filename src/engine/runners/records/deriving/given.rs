//! What comes of asking for the value of a field: the value and what is known of it, or why there is none.

use serde_json::{Map, Value};

/// Why a value is not there.
pub(super) struct Failure {
    pub(super) error: String,
    pub(super) error_type: &'static str,
    /// What it cost all the same, in US dollars.
    pub(super) cost: f64,
}

pub(super) fn failure(error_type: &'static str, error: impl ToString) -> Failure {
    Failure { error: error.to_string(), error_type, cost: 0.0 }
}

/// A value, and what is known of it.
pub(super) struct Given {
    pub(super) value: Value,
    /// What the history says of it beside what it was made of.
    pub(super) told: Map<String, Value>,
    /// What it cost, in US dollars.
    pub(super) cost: f64,
}

impl Given {
    pub(super) fn free(value: Value) -> Given {
        Given { value, told: Map::new(), cost: 0.0 }
    }
}
