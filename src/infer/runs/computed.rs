//! What can be computed before there are rows and arguments: constants, and what a function or an operator does with them
//! beside columns without rows.
//!
//! The engine computes most constants when a query runs, so that a branch that is never taken may hold a wrong one. What
//! every call evaluates is evaluated here: not what stands in the later branches of CASE and its like.

use super::evaluated::{LAZY, compute, is_computed};
use super::samples::{self, Blamed};
use super::{bounds, judged, plain};
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, DFSchemaRef, DataFusionError};
use datafusion::logical_expr::{Expr, LogicalPlan};
use std::sync::Arc;

/// A part of a query that fails whatever the rows and the arguments are.
pub(super) struct Failure {
    /// The smallest such part.
    pub expr: Expr,
    /// Why.
    pub why: Why,
    /// The constant that is wrong, where it is known.
    pub blamed: Option<Blamed>,
}

/// Why something fails.
pub(super) enum Why {
    /// The engine says so.
    Said(DataFusionError),
    /// It is no value that a function has a meaning for.
    Meant(String),
}

/// The parts of an analysed plan that fail in every call that evaluates them.
pub(super) fn failures(plan: &LogicalPlan) -> Vec<Failure> {
    let mut found = Vec::new();
    // Looking at a plan does not fail.
    let _ = plan.apply_with_subqueries(|node| {
        let schema = plain::schema_of(node);
        let mut shared = None;
        node.apply_expressions(|expr| {
            if !cannot_fail(expr, &schema) {
                let schema = shared.get_or_insert_with(|| Arc::new(schema.as_ref().clone()));
                look(expr, schema, &mut found);
            }
            Ok(TreeNodeRecursion::Continue)
        })
    });
    found
}

/// Whether nothing in an expression fails but because of a row.
fn cannot_fail(expr: &Expr, schema: &DFSchema) -> bool {
    plain::is_plain_expression(expr, schema) && !judged::are_within(expr)
}

/// Looks for what fails within an expression.
fn look(expr: &Expr, schema: &DFSchemaRef, found: &mut Vec<Failure>) {
    match expr {
        _ if cannot_fail(expr, schema) => {}
        Expr::Case(case) => {
            let first = case.when_then_expr.first().map(|(when, _)| when);
            for part in [case.expr.as_ref(), first].into_iter().flatten() {
                look(part, schema, found);
            }
        }
        Expr::ScalarFunction(call) if LAZY.contains(&call.name()) => {
            if let Some(first) = call.args.first() {
                look(first, schema, found);
            }
        }
        Expr::HigherOrderFunction(_) => {}
        _ => {
            let error = if is_computed(expr) { compute(expr, schema).err() } else { None };
            if is_computed(expr) && error.is_none() && !judged::are_within(expr) {
                return;
            }
            let before = found.len();
            parts(expr, schema, found);
            if found.len() == before {
                found.extend(failure(expr, schema, error));
            }
        }
    }
}

/// What an expression fails because of, where none of its parts does. `error` is that of the expression by itself.
fn failure(expr: &Expr, schema: &DFSchemaRef, error: Option<DataFusionError>) -> Option<Failure> {
    let failure = |why, blamed| Failure { expr: expr.clone(), why, blamed };
    if let Some((blamed, error)) = samples::failing(expr, schema) {
        return Some(failure(Why::Said(error), Some(blamed)));
    }
    if let Some(error) = error {
        return Some(failure(Why::Said(error), None));
    }
    let (blamed, why) = bounds::outside(expr)?;
    Some(failure(Why::Meant(why), Some(blamed)))
}

fn parts(expr: &Expr, schema: &DFSchemaRef, found: &mut Vec<Failure>) {
    // Looking at an expression does not fail.
    let _ = expr.apply_children(|part| {
        look(part, schema, found);
        Ok(TreeNodeRecursion::Continue)
    });
}
