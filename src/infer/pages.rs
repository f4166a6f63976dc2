//! Whether the rows of a query come in an order that pages of them fit together in.

use super::functions;
use super::{Context, TypedParameter};
use crate::plan::total_order::{self, Known, Obstacle};
use crate::project::{AutomaticParameter, Kind};
use crate::syntax::link::{self, LinkedQuery};
use datafusion::logical_expr::{LogicalPlan, Volatility};
use sqlparser::ast::Statement;

/// What is known of the pages of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pages {
    /// Nobody asks for any.
    Unwanted,
    /// All of them together are the result.
    Fit,
    /// They would not be.
    Unfit(Obstacle),
}

impl Pages {
    /// What is known where a query is one of two.
    #[must_use]
    pub fn and(self, other: Pages) -> Pages {
        match (self, other) {
            (Pages::Fit, other) => other,
            (one, _) => one,
        }
    }
}

/// Whether a page can follow another, where the author asks for that, or the rows come in an order and do not end by
/// themselves.
pub(super) fn pages_of(
    plan: LogicalPlan,
    linked: &LinkedQuery<'_>,
    parameters: &[TypedParameter],
    context: Context<'_>,
) -> Pages {
    if !are_wanted(linked) {
        return Pages::Unwanted;
    }
    let volatile = |id: &str| {
        let slot = link::number(id).and_then(|at| linked.slots.get(at))?;
        let parameter = parameters.iter().find(|one| one.declaration.name == slot.name)?;
        let expression = parameter.declaration.expression.as_ref()?;
        expression.functions.iter().any(|name| is_volatile(&name.value)).then(|| slot.name.clone())
    };
    match total_order::apply(plan, Known { keys: context.primary_keys, volatile: &volatile }) {
        Ok(Ok(_)) => Pages::Fit,
        Ok(Err(why)) => Pages::Unfit(why),
        Err(_) => Pages::Unfit(Obstacle::Unknown),
    }
}

fn are_wanted(linked: &LinkedQuery<'_>) -> bool {
    let Some(own) = linked.own().filter(|own| own.header.kind != Some(Kind::View)) else { return false };
    if let Some(exposed) = &own.header.expose {
        return exposed.contains(&AutomaticParameter::Cursor);
    }
    let statement = linked.parts.last().map(|part| &part.statement);
    matches!(statement, Some(Statement::Query(query))
        if query.order_by.is_some() && query.limit_clause.is_none() && query.fetch.is_none())
}

fn is_volatile(name: &str) -> bool {
    let function = functions::all().scalar.get(name);
    function.is_some_and(|function| function.signature().volatility == Volatility::Volatile)
}
