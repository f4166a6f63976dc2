//! What is linked: a query, and those that it selects from.

use crate::project::ColumnConfig;
use crate::source::Sources;
use crate::syntax::ParsedQuery;
use crate::syntax::link::{self, LinkedChoice, LinkedQuery};
use std::sync::Arc;

/// A query with all that it selects from, directly or not.
#[derive(Debug, Clone)]
pub struct LinkInput {
    /// The query.
    pub query: Arc<ParsedQuery>,
    /// Those that it selects from, each behind those that it selects from itself, and under the names that are given to
    /// their parameters.
    pub uses: Vec<Arc<ParsedQuery>>,
}

impl LinkInput {
    /// Links the query with the choices of these numbers; where they end, with the first ones.
    ///
    /// `None` as of [`link::link`].
    pub fn link(&self, picks: &[usize], sources: &Sources) -> Option<LinkedQuery<'_>> {
        link::link(&self.query, &self.used(), picks, sources)
    }

    /// What there is to choose from.
    pub fn choices(&self) -> Vec<LinkedChoice<'_>> {
        link::choices(&self.query, &self.used(), &[])
    }

    /// What headers say of a column of the result: the query's own, then the nearest that it selects from.
    pub fn column_configs(&self, name: &str) -> impl Iterator<Item = &ColumnConfig> {
        let nearest_first = [&self.query].into_iter().chain(self.uses.iter().rev());
        nearest_first.filter_map(move |query| query.header.columns.get(name))
    }

    fn used(&self) -> Vec<&ParsedQuery> {
        self.uses.iter().map(Arc::as_ref).collect()
    }
}
