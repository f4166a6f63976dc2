//! Plans that can be stopped.
//!
//! A task is told to stop where it waits, and reading a table waits now and then. An operator that makes much of little
//! does not: a sort above a cross join takes batch after batch, for hours, and a join whose condition hardly ever holds
//! goes through billions of pairs of rows before it has a batch to hand on. So both are stopped where they look whether
//! anybody waits still ([`crate::plan::stop`]): at each batch that an operator hands on ([`operators`]), and in the
//! condition of a join, which is evaluated for some thousands of pairs at a time. So do functions that take long, and
//! operators that are made such functions ([`patterns`], [`texts`]).

mod operators;
mod patterns;
mod rewritten;
mod texts;

use crate::plan::functions::{Constants, counting_constants};
use crate::plan::{self, stop};
use arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{JoinType, Result, plan_err};
use datafusion::execution::SessionState;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, Join, LogicalPlan, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility, lit,
};
pub(super) use operators::watch_operators;
pub(super) use patterns::watch_patterns;
use std::sync::{Arc, LazyLock};
pub(super) use texts::watch_texts;

/// The plan, optimised: what of it is constant and heavy is refused, or looks whether anybody waits.
pub(super) fn optimized(plan: &LogicalPlan, state: &SessionState) -> Result<LogicalPlan> {
    let plan = texts::watch_constant_texts(patterns::keep_searches(plan.clone())?)?;
    counting_constants(Constants::Plan, || state.optimize(&plan))
}

/// The plan, already optimised, with joins that look in their conditions whether anybody waits.
pub(super) fn watch_joins(plan: LogicalPlan) -> Result<LogicalPlan> {
    let watched = plan.transform_up_with_subqueries(|node| {
        Ok(match node {
            LogicalPlan::Join(join) => Transformed::yes(LogicalPlan::Join(watch_join(join))),
            other => Transformed::no(other),
        })
    })?;
    Ok(watched.data)
}

fn watch_join(mut join: Join) -> Join {
    let condition = join.filter.take().or_else(|| hands_on_little(&join).then(|| lit(true)));
    join.filter =
        condition.map(|condition| Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(&WATCHED), vec![condition])));
    join
}

/// Whether a join without a condition beside its keys may go through many pairs for few rows: one that asks only whether
/// there is a match looks at all of them.
fn hands_on_little(join: &Join) -> bool {
    use JoinType::{LeftAnti, LeftMark, LeftSemi, RightAnti, RightMark, RightSemi};
    // Its condition may say nothing but that the keys are equal.
    !join.null_aware
        && !plan::has_few_pairs(join)
        && matches!(join.join_type, LeftSemi | RightSemi | LeftAnti | RightAnti | LeftMark | RightMark)
}

static WATCHED: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    // Volatile, so that nothing puts its value in its place.
    let signature = Signature::exact(vec![DataType::Boolean], Volatility::Volatile);
    Arc::new(ScalarUDF::new_from_impl(Watched { signature }))
});

/// The condition that is its argument, as long as somebody waits.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Watched {
    signature: Signature,
}

impl ScalarUDFImpl for Watched {
    fn name(&self) -> &str {
        "qtool_watched"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        stop::check()?;
        match args.args.into_iter().next() {
            Some(condition) => Ok(condition),
            None => plan_err!("a condition is missing"),
        }
    }
}
