//! Stops joins that look up only between batches.
//!
//! A task is told to stop where it waits. A join whose condition hardly ever holds does not wait: it goes through
//! billions of pairs of rows before it has a batch to hand on. But it evaluates its condition for some thousands of pairs
//! at a time, and that is where it is stopped: the condition becomes an argument of a function that fails once nobody
//! waits for the query any more.

use arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, LogicalPlan, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether anybody waits for a query. Clones are of the same query.
#[derive(Debug, Clone, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Nobody does any more.
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The plan, already optimised, with joins that can be stopped.
    pub(super) fn watch(&self, plan: LogicalPlan) -> Result<LogicalPlan> {
        let function = Arc::new(ScalarUDF::new_from_impl(Watched {
            stop: self.clone(),
            signature: Signature::exact(vec![DataType::Boolean], Volatility::Immutable),
        }));
        let watched = plan.transform_up_with_subqueries(|node| {
            Ok(match node {
                LogicalPlan::Join(mut join) => {
                    let watch =
                        |filter| Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(&function), vec![filter]));
                    join.filter = join.filter.take().map(watch);
                    Transformed::yes(LogicalPlan::Join(join))
                }
                other => Transformed::no(other),
            })
        })?;
        Ok(watched.data)
    }
}

/// The condition that is its argument, as long as somebody waits.
#[derive(Debug)]
struct Watched {
    stop: Stop,
    signature: Signature,
}

impl PartialEq for Watched {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.stop.0, &other.stop.0)
    }
}

impl Eq for Watched {}

impl Hash for Watched {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (Arc::as_ptr(&self.stop.0) as usize).hash(state);
    }
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
        if self.stop.is_set() {
            return exec_err!("nobody waits for the query any more");
        }
        match args.args.into_iter().next() {
            Some(condition) => Ok(condition),
            None => plan_err!("a condition is missing"),
        }
    }
}
