//! Whether a query can run: its physical plan is made over tables without data.
//!
//! The planner and the analyzer take more than the engine can do. What it cannot do is found here, with the optional
//! clauses of a query in, without them, and with each alone, and with typical values for its parameters. A value that only
//! happens not to fit is no fault of the query: so where a plan cannot be made with values, functions stand in for them,
//! as they do in the plans that a server keeps.

mod bounds;
mod by_itself;
mod computed;
pub(super) mod constants;
mod evaluated;
mod joins;
mod judged;
mod place;
mod plain;
mod samples;
mod stand_in;
mod written;

use super::constants as values;
use super::{Context, TypedParameter, slot_type};
use crate::diagnostic::{Diagnostics, codes};
use crate::plan;
use crate::project::ResultLimit;
use crate::source::Span;
use crate::syntax::link::{LinkedQuery, number};
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};
use std::collections::BTreeSet;

/// Says what of a query cannot run. `plan` is analysed, with its placeholders.
pub(super) fn check(
    linked: &LinkedQuery<'_>,
    parameters: &[TypedParameter],
    plan: &LogicalPlan,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<()> {
    if plain::is_plain(plan) {
        return Some(());
    }
    let head = linked.own()?.head;
    let values = Values::of(linked, parameters);
    let is_first = linked.choices.iter().all(|choice| choice.pick == 0);
    for given in Given::combinations(plan, is_first) {
        if let Err(error) = values.try_run(plan, &given) {
            let diagnostic = match joins::refused(&error, linked, context) {
                Some(joins::Refused { span, why, help }) => codes::cannot_run(span, why).help(help),
                None => {
                    let (span, help) = place::place_of_error(&error, linked, head, context);
                    let words = || super::errors::sentence(&error, &linked.slots, context);
                    let why = place::why(&error).map_or_else(words, str::to_owned);
                    codes::cannot_run(span, &why).help(help)
                }
            };
            sink.push(match given.words(linked) {
                Some(words) => diagnostic.note(words),
                None => diagnostic,
            });
            return None;
        }
    }
    Some(())
}

/// Reports what the planner refuses where the part is found that it refuses by itself; whether it is.
pub(super) fn refused(
    error: &DataFusionError,
    linked: &LinkedQuery<'_>,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> bool {
    if super::errors::has_place(error) || error.diagnostic().is_some_and(|told| told.span.is_some()) {
        return false;
    }
    if let Some(joins::Refused { span, why, help }) = joins::refused(error, linked, context) {
        sink.push(codes::invalid_query(span, why).help(help));
        return true;
    }
    let Some(part) = constants::refused(error, linked, context) else { return false };
    let is_inside = |told: &Span| told.file == part.file && part.start <= told.start && told.end <= part.end;
    let span = super::errors::place_told(error, context).filter(is_inside).unwrap_or(part);
    let diagnostic = codes::invalid_query(span, &super::errors::sentence(error, &linked.slots, context));
    sink.push(match plan::engine_words::is_about_an_interval(&error.to_string()) {
        true => {
            diagnostic.help("an interval is numbers with units: `interval '1 day'`, `interval '2 hours 30 minutes'`")
        }
        false => diagnostic,
    });
    true
}

/// Which optional clauses apply: all, or those that need nothing but these slots.
enum Given {
    All,
    Only(BTreeSet<usize>),
}

impl Given {
    /// All clauses, none, and each alone; each alone with one combination of choices, since clauses are the same with
    /// all of them. A comparison of columns runs with other clauses if it runs with all: those alone are left out.
    fn combinations(plan: &LogicalPlan, each_alone: bool) -> Vec<Given> {
        let clauses = clauses(plan);
        let mut all = vec![Given::All];
        if !clauses.is_empty() {
            all.push(Given::Only(BTreeSet::new()));
        }
        if each_alone && clauses.len() > 1 {
            all.extend(clauses.into_iter().filter(|clause| !clause.is_plain).map(|clause| Given::Only(clause.slots)));
        }
        all
    }

    fn has(&self, slots: &BTreeSet<usize>) -> bool {
        match self {
            Given::All => true,
            Given::Only(given) => slots.is_subset(given),
        }
    }

    /// What is said of it where it is not the query as it stands.
    fn words(&self, linked: &LinkedQuery<'_>) -> Option<String> {
        let Given::Only(given) = self else { return None };
        let mut names: Vec<String> =
            given.iter().filter_map(|at| linked.slots.get(*at).map(|slot| format!("`{}`", slot.name))).collect();
        names.dedup();
        Some(match names.as_slice() {
            [] => "with no optional clause".to_owned(),
            names => format!("with no optional clause but that of {}", names.join(" and ")),
        })
    }
}

/// An optional clause, or several that need the same.
struct OptionalClause {
    /// What it needs.
    slots: BTreeSet<usize>,
    /// Whether it only compares columns with values.
    is_plain: bool,
}

/// The optional clauses of a plan, each once, in the order of the plan.
fn clauses(plan: &LogicalPlan) -> Vec<OptionalClause> {
    let mut found: Vec<OptionalClause> = Vec::new();
    // Looking at a plan does not fail.
    let _ = plan.apply_with_subqueries(|node| {
        let schema = plain::schema_of(node);
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                if let (Some(slots), Expr::ScalarFunction(call)) = (marker(expr), expr) {
                    let is_plain =
                        call.args.first().is_some_and(|condition| plain::is_plain_expression(condition, &schema));
                    match found.iter_mut().find(|clause| clause.slots == slots) {
                        Some(clause) => clause.is_plain &= is_plain,
                        None => found.push(OptionalClause { slots, is_plain }),
                    }
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    });
    found
}

/// The slots of an optional clause.
fn marker(expr: &Expr) -> Option<BTreeSet<usize>> {
    let Expr::ScalarFunction(call) = expr else { return None };
    if call.name() != OPTIONAL_AND && call.name() != OPTIONAL_OR {
        return None;
    }
    let mut slots = call.args.get(1)?;
    // The analyzer may have put a cast around it.
    while let Expr::Cast(cast) = slots {
        slots = &cast.expr;
    }
    let Expr::Literal(ScalarValue::Utf8(Some(slots)), _) = slots else { return None };
    Some(slots.split(' ').filter_map(number).collect())
}

/// What stands in for the values of a call, by slot.
struct Values {
    typical: Vec<Option<ScalarValue>>,
    lists: Vec<bool>,
    is_limited: bool,
}

/// How many rows a call takes.
const TYPICAL_LIMIT: usize = 101;

impl Values {
    fn of(linked: &LinkedQuery<'_>, parameters: &[TypedParameter]) -> Values {
        let typical = linked.slots.iter().map(|slot| {
            let units = parameters.iter().any(|one| one.declaration.name == slot.name && one.units.is_some());
            Some(values::typical(&slot_type(slot, parameters)?, units))
        });
        let lists = linked.slots.iter().map(|slot| slot.list).collect();
        let is_limited = linked.own().is_none_or(|own| own.header.result_limit != Some(ResultLimit::None));
        Values { typical: typical.collect(), lists, is_limited }
    }

    /// Errors: why it runs neither with values nor with functions in their place.
    fn try_run(&self, plan: &LogicalPlan, given: &Given) -> Result<()> {
        let is_final = self.typical.is_empty();
        let run = |plan| self.limited(plan).and_then(|plan| plan::dry_run(plan, is_final));
        let with_values = plan::bind(plan, &|expr| self.bound(expr, given, &|_, value| value)).and_then(run);
        let Err(error) = with_values else { return Ok(()) };
        if is_final {
            return Err(error);
        }
        let with_functions =
            self.counts(plan).and_then(|plan| plan::bind(&plan, &|expr| self.bound(expr, given, &stand_in::opaque)));
        with_functions.and_then(run).map_err(|_| error)
    }

    /// The plan with values for how many rows it gives: there the engine takes nothing else.
    fn counts(&self, plan: &LogicalPlan) -> Result<LogicalPlan> {
        let count = |expr: Expr| match self.value(&expr)? {
            Some(value) => Ok(Transformed::yes(value)),
            None => Ok(Transformed::no(expr)),
        };
        let with_counts = plan.clone().transform_down_with_subqueries(|node| match node {
            LogicalPlan::Limit(_) => node.map_expressions(|expr| expr.transform_down(count)),
            _ => Ok(Transformed::no(node)),
        });
        Ok(with_counts?.data)
    }

    /// The plan as a call makes it: of most tools, a call takes some rows only.
    fn limited(&self, plan: LogicalPlan) -> Result<LogicalPlan> {
        if !self.is_limited {
            return Ok(plan);
        }
        LogicalPlanBuilder::from(plan).limit(0, Some(TYPICAL_LIMIT))?.build()
    }

    fn bound(&self, expr: Expr, given: &Given, form: &dyn Fn(&str, Expr) -> Expr) -> Result<Transformed<Expr>> {
        if let Some(slots) = marker(&expr) {
            let Expr::ScalarFunction(call) = expr else { return Ok(Transformed::no(expr)) };
            let is_left_out = call.name() == OPTIONAL_AND;
            return match call.args.into_iter().next().filter(|_| given.has(&slots)) {
                // What takes a marker's place may itself be a placeholder, a list or another marker.
                Some(condition) => self.bound(condition, given, form).map(|inner| Transformed::yes(inner.data)),
                None => Ok(Transformed::yes(lit(is_left_out))),
            };
        }
        Ok(match expr {
            Expr::InList(InList { expr, list, negated }) => {
                let list = list.into_iter().map(|item| self.item(item)).collect();
                Transformed::yes(Expr::InList(InList { expr, list, negated }))
            }
            Expr::Placeholder(ref placeholder) => match self.value(&expr)? {
                Some(value) => Transformed::yes(form(&placeholder.id, value)),
                None => Transformed::no(expr),
            },
            other => Transformed::no(other),
        })
    }

    /// An item of a list: a value where it stands for all of them.
    fn item(&self, item: Expr) -> Expr {
        match &item {
            Expr::Placeholder(placeholder) => {
                let is_list = number(&placeholder.id).and_then(|at| self.lists.get(at).copied()).unwrap_or(false);
                match self.value(&item) {
                    Ok(Some(value)) if is_list => value,
                    _ => item,
                }
            }
            _ => item,
        }
    }

    fn value(&self, expr: &Expr) -> Result<Option<Expr>, DataFusionError> {
        let Expr::Placeholder(placeholder) = expr else { return Ok(None) };
        let typical = number(&placeholder.id).and_then(|at| self.typical.get(at).cloned().flatten());
        let value = match (typical, &placeholder.field) {
            (Some(value), Some(field)) if value.data_type() != *field.data_type() => {
                value.cast_to(field.data_type()).or_else(|_| ScalarValue::try_from(field.data_type()))?
            }
            (Some(value), _) => value,
            (None, Some(field)) => ScalarValue::try_from(field.data_type())?,
            (None, None) => ScalarValue::Null,
        };
        Ok(Some(Expr::Literal(value, None)))
    }
}
