//! Values → literals in a plan, or nothing: optional clauses stay or go.

use super::BoundCall;
use crate::engine::code::CallCode;
use crate::engine::defaults::Defaults;
use crate::engine::error::CallError;
use crate::engine::failure::internal_error;
use crate::syntax::link::number;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use crate::tool::{Contract, Parameter};
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::expr::{InList, Placeholder};
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{Expr, LogicalPlan, lit};
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use std::cmp::Ordering;
use std::sync::Arc;

impl BoundCall {
    /// The plan with the call's values in the place of its placeholders; optional clauses stay or go.
    pub fn apply(&self, tool: &Contract, plan: &LogicalPlan) -> Result<LogicalPlan> {
        Binder { tool, call: self, outlines: false }.apply(plan)
    }

    /// The plan with its optional clauses decided and placeholders where values are, for further calls like this one.
    /// Lists that are there stay in it as they are.
    pub fn outline(&self, tool: &Contract, plan: &LogicalPlan) -> Result<LogicalPlan> {
        Binder { tool, call: self, outlines: true }.apply(plan)
    }

    /// Checks what the author demands of the arguments together. NULL passes, as in a CHECK constraint.
    pub fn check_rules(
        &self,
        tool: &Contract,
        rules: &[(Expr, String)],
        defaults: &Defaults,
    ) -> std::result::Result<(), CallError> {
        let binder = Binder { tool, call: self, outlines: false };
        let context = SimplifyContext::builder()
            .with_config_options(Arc::clone(defaults.options()))
            .with_query_execution_start_time(Some(self.now))
            .build();
        let simplifier = ExprSimplifier::new(context);
        let mut broken = Vec::new();
        for (condition, message) in rules {
            let bound = condition.clone().transform_down(|expr| binder.expression(expr));
            let value = bound.and_then(|bound| simplifier.simplify(bound.data));
            match value.map_err(|error| internal_error(&error))? {
                Expr::Literal(ScalarValue::Boolean(Some(false)), _) => {
                    broken.push(CallError::new(CallCode::RuleBroken, message));
                }
                Expr::Literal(ScalarValue::Boolean(_) | ScalarValue::Null, _) => {}
                other => return Err(CallError::internal(format!("a rule has no value: {other}"))),
            }
        }
        CallError::all(broken).map_or(Ok(()), Err)
    }
}

/// What follows from a long list: the column lies between its smallest and its largest item. Statistics of files and row
/// groups are compared with that, and not with lists of more than 20 items.
fn within(list: &InList, items: &[ScalarValue], bound: impl Fn(&ScalarValue) -> Result<Expr>) -> Result<Option<Expr>> {
    let is_column = match list.expr.as_ref() {
        Expr::Cast(cast) => matches!(cast.expr.as_ref(), Expr::Column(_)),
        expr => matches!(expr, Expr::Column(_)),
    };
    if list.negated || list.list.len() > 1 || items.len() <= 20 || !is_column {
        return Ok(None);
    }
    let by = |order: Ordering| {
        let first = items.first()?;
        items.iter().try_fold(first, |best, item| Some(if item.partial_cmp(best)? == order { item } else { best }))
    };
    let Some((least, most)) = by(Ordering::Less).zip(by(Ordering::Greater)) else { return Ok(None) };
    let column = list.expr.as_ref();
    Ok(Some(column.clone().gt_eq(bound(least)?).and(column.clone().lt_eq(bound(most)?))))
}

/// An item of a list as the analyzer left it, with a value in the place of its placeholder.
fn valued(item: &Expr, value: &ScalarValue) -> Result<Expr> {
    let valued = item.clone().transform(|expr| match expr {
        Expr::Placeholder(_) => Ok(Transformed::yes(Expr::Literal(value.clone(), None))),
        other => Ok(Transformed::no(other)),
    })?;
    Ok(valued.data)
}

struct Binder<'a> {
    tool: &'a Contract,
    call: &'a BoundCall,
    /// Whether values are left to a later step.
    outlines: bool,
}

impl Binder<'_> {
    fn apply(&self, plan: &LogicalPlan) -> Result<LogicalPlan> {
        crate::plan::bind(plan, &|expr| self.expression(expr))
    }

    fn expression(&self, expr: Expr) -> Result<Transformed<Expr>> {
        match expr {
            Expr::ScalarFunction(call) if call.name() == OPTIONAL_AND || call.name() == OPTIONAL_OR => {
                let left_out = call.name() == OPTIONAL_AND;
                let mut args = call.args.into_iter();
                match args.next().zip(args.next()) {
                    // Its placeholders are replaced on the way down.
                    Some((condition, slots)) if self.is_complete(&slots) => {
                        Ok(Transformed::yes(condition)).and_then(|kept| self.again(kept))
                    }
                    _ => Ok(Transformed::yes(lit(left_out))),
                }
            }
            Expr::InList(list) => self.in_list(list),
            Expr::Placeholder(placeholder) => {
                let (parameter, field) = (self.parameter(&placeholder.id)?, placeholder.field);
                let value = match (self.call.value(&parameter.name), field) {
                    (Some(_), field @ Some(_)) if self.outlines => {
                        return Ok(Transformed::no(Expr::Placeholder(Placeholder { id: placeholder.id, field })));
                    }
                    (Some(value), _) => value.clone(),
                    (None, Some(field)) => ScalarValue::try_from(field.data_type())?,
                    (None, None) => ScalarValue::Null,
                };
                Ok(Transformed::yes(Expr::Literal(value, None)))
            }
            other => Ok(Transformed::no(other)),
        }
    }

    /// A condition that takes a marker's place may itself be a placeholder, a list or another marker.
    fn again(&self, kept: Transformed<Expr>) -> Result<Transformed<Expr>> {
        self.expression(kept.data).map(|inner| Transformed::yes(inner.data))
    }

    /// Whether all that an optional clause needs has a value: the slots that its marker lists. Those of clauses inside it
    /// are not among them.
    fn is_complete(&self, slots: &Expr) -> bool {
        match slots {
            Expr::Literal(ScalarValue::Utf8(Some(list)), _) => list.split(' ').all(|id| self.has_value(id)),
            // The analyzer may have put a cast around it.
            Expr::Cast(cast) => self.is_complete(&cast.expr),
            _ => false,
        }
    }

    fn has_value(&self, id: &str) -> bool {
        self.parameter(id).is_ok_and(|parameter| self.call.value(&parameter.name).is_some())
    }

    /// `x IN << list >>`: the placeholder stands for all items. Nothing is in an empty list.
    fn in_list(&self, mut list: InList) -> Result<Transformed<Expr>> {
        let Some((at, parameter)) = self.whole_list(&list)? else {
            return Ok(Transformed::no(Expr::InList(list)));
        };
        let items: Vec<ScalarValue> = match self.call.value(&parameter.name) {
            Some(ScalarValue::List(array)) => {
                let values = array.value(0);
                (0..values.len()).map(|at| ScalarValue::try_from_array(&values, at)).collect::<Result<_>>()?
            }
            Some(_) => return plan_err!("a list was expected"),
            // Absent without a clause around it: unknown, as a comparison with NULL is.
            None => return Ok(Transformed::yes(Expr::Literal(ScalarValue::Boolean(None), None))),
        };
        if items.is_empty() {
            return Ok(Transformed::yes(lit(list.negated)));
        }
        let Some(place) = list.list.get(at).cloned() else { return Ok(Transformed::no(Expr::InList(list))) };
        let range = within(&list, &items, |item| valued(&place, item))?;
        let values = items.iter().map(|item| valued(&place, item)).collect::<Result<Vec<_>>>()?;
        list.list.splice(at..=at, values);
        let is_in = Expr::InList(list);
        Ok(Transformed::yes(range.into_iter().fold(is_in, Expr::and)))
    }

    fn whole_list(&self, list: &InList) -> Result<Option<(usize, &Parameter)>> {
        for (at, item) in list.list.iter().enumerate() {
            // The analyzer may have put a cast, or a function of our own, around it.
            let mut item = item;
            loop {
                item = match item {
                    Expr::Cast(cast) => &cast.expr,
                    Expr::ScalarFunction(call) if crate::plan::is_bounded(&call.func) => match call.args.first() {
                        Some(arg) => arg,
                        None => break,
                    },
                    _ => break,
                }
            }
            if let Expr::Placeholder(placeholder) = item
                && let Some(slot) = number(&placeholder.id).and_then(|at| self.tool.slot(at))
                && slot.list
            {
                return Ok(Some((at, self.parameter(&placeholder.id)?)));
            }
        }
        Ok(None)
    }

    fn parameter(&self, id: &str) -> Result<&Parameter> {
        let slot = number(id).and_then(|at| self.tool.slot(at));
        match slot.and_then(|slot| self.tool.parameter(&slot.parameter)) {
            Some(parameter) => Ok(parameter),
            None => plan_err!("unknown placeholder {id}"),
        }
    }
}
