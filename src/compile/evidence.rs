//! What the stages made of one query, as text. It is found out when somebody asks: nobody else needs it so.

use super::Analysis;
use super::context::{context, primary_keys};
use crate::infer::{self, Stages};
use crate::project::Project;

/// What the stages made of one query.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// What was read: placeholders, names, and the statement with `$n` for every occurrence.
    pub parsed: String,
    /// What inference made of it.
    pub stages: Stages,
}

/// The evidence of the query of that name; `None` where it was not linked.
pub(super) fn of_query(project: &Project, analysis: &Analysis, name: &str) -> Option<Evidence> {
    let mut inputs = analysis.queries.iter().filter_map(|query| query.reached.link_input());
    let input = inputs.find(|input| input.query.name.value == name)?;
    let linked = input.link(&[], &project.sources)?;
    let primary_keys = primary_keys(project);
    let stages = infer::stages(&linked, context(project, &analysis.names, &primary_keys));
    Some(Evidence { parsed: linked.listing(&project.sources), stages })
}
