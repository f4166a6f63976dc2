//! Which parameters do something only together with others: those whose every use is in an optional clause.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Parameters that stand in optional clauses only, each with what else its clauses need: one of the lists has to be there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Clauses(pub(crate) BTreeMap<String, Vec<Vec<String>>>);

impl Clauses {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The parameters that would do nothing though they are there, each with the lists of what is missing: all of one of
    /// them would help. `is_there` tells which parameters have a value.
    pub fn idle<'a>(
        &'a self,
        is_there: impl Fn(&str) -> bool + 'a,
    ) -> impl Iterator<Item = (&'a str, Vec<Vec<&'a str>>)> {
        self.0.iter().filter_map(move |(name, ways)| {
            let missing = |way: &'a Vec<String>| -> Vec<&'a str> {
                way.iter().map(String::as_str).filter(|other| !is_there(other)).collect()
            };
            let ways: Vec<Vec<&str>> = ways.iter().map(missing).collect();
            (is_there(name) && !ways.iter().any(Vec::is_empty)).then_some((name.as_str(), ways))
        })
    }
}
