//! What is done to every plan: DataFusion's rules, and those of our own beside them.
//!
//! The compiler and the engine take their rules from here, so that a query means the same when it is checked and when it
//! is called. Each rule of our own is a file in this module.

mod decimals;
pub mod intervals;
pub mod meeting;
mod mentions;
mod multisets;
pub mod operands;
pub mod zones;

use datafusion::logical_expr::ScalarUDF;
use datafusion::optimizer::{Analyzer, AnalyzerRule, Optimizer};
use std::sync::Arc;

/// Resolves functions and coerces types. Everything that changes what a query *means* belongs here, since what is
/// published is read off the analysed plan.
pub fn analyzer() -> Analyzer {
    let before: [Arc<dyn AnalyzerRule + Send + Sync>; 2] =
        [Arc::new(multisets::Multisets), Arc::new(decimals::Decimals)];
    let mut rules: Vec<_> = before.into_iter().chain(Analyzer::new().rules).collect();
    let coercion = rules.iter().position(|rule| rule.name() == "type_coercion").unwrap_or_default();
    // Windows ordered by spans are refused by the coercion of types.
    rules.insert(coercion, Arc::new(intervals::IntervalsByLength));
    rules.insert(coercion, Arc::new(meeting::MeetingTypes));
    rules.push(Arc::new(zones::LocalTimes));
    rules.push(Arc::new(intervals::IntervalsByLength));
    Analyzer::with_rules(rules)
}

/// Makes an analysed plan faster. No rule here may change its answer.
pub fn optimizer() -> Optimizer {
    Optimizer::new()
}

/// Whether a function is one that a rule of our own puts into plans, and takes a bounded time for a row.
pub fn is_bounded(function: &ScalarUDF) -> bool {
    function.name() == intervals::LENGTH || zones::is_own(function)
}

/// Whether a function of such a rule is null where an argument is and nowhere else.
pub fn is_plain(function: &ScalarUDF) -> bool {
    function.name() == intervals::LENGTH || zones::is_plain(function)
}
