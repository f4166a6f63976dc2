//! The tables as callers see them: what a tool reads of a table that has a policy is the policy's SELECT from it.
//!
//! It stands in the place of the table where plans are made, so that nothing of a tool reaches the table but through it:
//! views, joins, subqueries, an agent's own SQL. Values of the caller are placeholders in it. A plan that is run without
//! them has no value for these, and fails.

use super::allowed_values::TableSources;
use super::unplanned::Unplanned;
use crate::plan::functions::Functions;
use crate::plan::group_keys::Keys;
use crate::plan::planner::Planner;
use crate::plan::policies::marked;
use crate::syntax::link::{number, parse_text};
use crate::tool::{Contract, TablePolicy};
use arrow::datatypes::DataType;
use datafusion::datasource::{ViewTable, provider_as_source};
use datafusion::logical_expr::TableSource;
use sqlparser::ast::{Value, ValueWithSpan, VisitMut, VisitorMut};
use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// The tables as the policies of a tool show them. `types` are those of its placeholders.
///
/// Errors: a policy does not plan, because its table no longer has the schema that it was compiled for.
pub(super) fn shown_tables<'t>(
    (contract, types): (&Contract, &[Option<DataType>]),
    tables: &'t TableSources,
    functions: &Functions,
) -> Result<Cow<'t, TableSources>, Unplanned> {
    let mut shown = Cow::Borrowed(tables);
    let mut before = contract.placeholders.len();
    for policy in &contract.policies {
        let slots = before..before + policy.placeholders.len();
        before = slots.end;
        let Some(table) = tables.get(&policy.table) else { continue };
        let seen = seen_of_table((policy, slots, types), table, functions)?;
        shown.to_mut().insert(policy.table.clone(), seen);
    }
    Ok(shown)
}

/// What callers see of a table.
fn seen_of_table(
    (policy, slots, types): (&TablePolicy, Range<usize>, &[Option<DataType>]),
    table: &Arc<dyn TableSource>,
    functions: &Functions,
) -> Result<Arc<dyn TableSource>, Unplanned> {
    let mut statement = parse_text(&policy.statement, &|_| None)?;
    let mut renumber = Renumber { slots, is_whole: true };
    let _ = statement.visit(&mut renumber);
    if !renumber.is_whole {
        return Err(Unplanned::NoStatement);
    }
    let source = |name: &str| (name == policy.table).then(|| Arc::clone(table));
    let planner = Planner { tables: &source, functions, keys: Keys::NONE };
    let plan = planner.plan(vec![("policy", statement)], types).and_then(marked)?;
    Ok(provider_as_source(Arc::new(ViewTable::new(plan, None))))
}

/// Gives placeholders the numbers that they have in a tool.
struct Renumber {
    /// Its numbers there, counted from 0.
    slots: Range<usize>,
    /// Whether each has one.
    is_whole: bool,
}

impl VisitorMut for Renumber {
    type Break = ();

    fn pre_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<()> {
        if let Value::Placeholder(id) = &mut value.value {
            match number(id).and_then(|at| self.slots.clone().nth(at)) {
                Some(slot) => *id = format!("${}", slot + 1),
                None => self.is_whole = false,
            }
        }
        ControlFlow::Continue(())
    }
}
