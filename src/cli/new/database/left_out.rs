//! What is not taken over from a database, and why.

use std::collections::BTreeMap;

/// How many names stand in a line.
const NAMES: usize = 6;

/// Names by what keeps them out.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    tables: Vec<(String, Vec<String>)>,
    queries: BTreeMap<String, String>,
}

impl LeftOut {
    /// A table.
    pub(super) fn add_table(&mut self, name: &str, why: &str) {
        let name = name.escape_debug().to_string();
        match self.tables.iter_mut().find(|(known, _)| known == why) {
            Some((_, names)) => names.push(name),
            None => self.tables.push((why.to_owned(), vec![name])),
        }
    }

    /// A query.
    pub(super) fn add_query(&mut self, name: &str, why: &str) {
        self.queries.insert(name.to_owned(), why.to_owned());
    }

    /// A line for each reason.
    pub(super) fn lines(&self) -> Vec<String> {
        let line = |(why, names): &(String, Vec<String>)| {
            let shown = names.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
            let more = names.len().checked_sub(NAMES).filter(|more| *more > 0);
            let more = more.map(|more| format!(" and {more} more")).unwrap_or_default();
            format!("{shown}{more}: {why}")
        };
        let queries = self.queries.iter().map(|(name, why)| format!("query {name}: {why}"));
        self.tables.iter().map(line).chain(queries).collect()
    }
}
