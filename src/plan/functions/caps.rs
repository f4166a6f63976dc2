//! Limits on what one call of a function may allocate, and on how long it may take.
//!
//! DataFusion's memory pool counts what operators hold, not what a function returns: `repeat('x', 10000000000)` would
//! end the process. The wrappers work out how large a result may become before the function makes it. And a function
//! cannot be stopped: `levenshtein` of two texts of a megabyte takes an hour. The wrappers of those whose time grows
//! faster than their arguments work out how many steps they take ([`steps`]). In all else they are the functions they
//! stand for.

mod aggregate;
mod arguments;
mod batch;
mod bounds;
mod bytes;
mod constants;
mod joined;
mod lists;
mod patterns;
mod ranges;
mod scalar;
mod steps;
mod texts;

#[cfg(test)]
mod tests;

use crate::plan::stop;
use aggregate::{AggregateCap, CappedAggregate};
use bounds::Cap;
pub(crate) use constants::{CONSTANTS, Constants, counting_constants};
use datafusion::common::DataFusionError;
use datafusion::functions_nested::make_array::MakeArray;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};
pub(crate) use joined::joined_texts;
pub(crate) use patterns::stays_a_search;
use scalar::Capped;
use std::sync::Arc;

const MIB: u64 = 1 << 20;

/// The largest value of one row, in bytes.
const MAX_VALUE: u64 = 16 * MIB;

/// The largest result of one call, which is that for a whole batch, in bytes.
const MAX_RESULT: u64 = 64 * MIB;

/// The largest result of one call that puts its arguments together, which is less than it already has, in bytes.
const MAX_TOGETHER: u64 = 128 * MIB;

/// The most parts of a type: `struct(x, x)` of `struct(y, y)` of … has twice as many with each level, and everything that looks
/// at a type looks at all of them.
const MOST_PARTS_OF_A_TYPE: usize = 512;

/// The longest delimiter of `string_agg`, in bytes: DataFusion writes it once for each of the 8192 rows of a batch.
const MAX_DELIMITER: u64 = MAX_RESULT / 8192;

/// The most steps for a row: some tenths of a second, or some seconds of the worst of patterns.
const MOST_STEPS: u64 = 1 << 28;

/// The most steps where nobody called: a query may have many functions that are evaluated while it compiles, and the
/// compiler is never told to stop.
const MOST_STEPS_TO_COMPILE: u64 = 1 << 20;

/// The steps of a row.
type Steps<'a> = Box<dyn Fn(usize) -> u64 + 'a>;

/// The most steps on this thread.
fn most_steps() -> u64 {
    if stop::is_compiling() { MOST_STEPS_TO_COMPILE } else { MOST_STEPS }
}

/// The function with a limit on its result or its time, or the function itself where neither can be much larger than its
/// arguments.
pub(super) fn capped(function: Arc<ScalarUDF>) -> Arc<ScalarUDF> {
    // DataFusion knows this one by what it is, and makes other things of what is around it: it is limited when all is optimised.
    if function.inner().is::<Capped>() || function.inner().is::<MakeArray>() {
        return function;
    }
    match Cap::of(function.name()) {
        Some(cap) => Arc::new(ScalarUDF::from(Capped::new(function, cap))),
        None => function,
    }
}

/// The same for a function of a plan that is no more the one that was called by its name: the planner makes functions of operators,
/// and some make others of themselves. `None` where it has no limit, or has it.
pub(crate) fn capped_again(function: &Arc<ScalarUDF>) -> Option<Arc<ScalarUDF>> {
    let cap = Cap::of(function.name()).filter(|_| !function.inner().is::<Capped>())?;
    Some(Arc::new(ScalarUDF::from(Capped::new(Arc::clone(function), cap))))
}

/// The same for a function of many rows.
pub(super) fn capped_aggregate(function: Arc<AggregateUDF>) -> Arc<AggregateUDF> {
    if function.inner().is::<CappedAggregate>() {
        return function;
    }
    match AggregateCap::of(function.name()) {
        Some(cap) => Arc::new(AggregateUDF::from(CappedAggregate::new(function, cap))),
        None => function,
    }
}

fn too_large(function: &str, limit: u64) -> DataFusionError {
    DataFusionError::ResourcesExhausted(format!("the result of {function} {IS_LARGER} {} MiB", limit / MIB))
}

/// What the message of a refusal says because of the memory that it would take.
pub(crate) const IS_LARGER: &str = "is larger than";

/// What the message of a refusal says because of the time that it would take.
pub(crate) const TOO_MANY_STEPS: &str = "takes too many steps for values of this size";

fn too_many_steps(function: &str) -> DataFusionError {
    DataFusionError::ResourcesExhausted(format!("{function} {TOO_MANY_STEPS}"))
}

fn delimiter_too_large(function: &str) -> DataFusionError {
    DataFusionError::ResourcesExhausted(format!("the delimiter of {function} {IS_LARGER} {} KiB", MAX_DELIMITER / 1024))
}
