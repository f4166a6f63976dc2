//! What is done to every plan: DataFusion's rules, and those of our own beside them.
//!
//! The compiler and the engine take their rules from here, so that a query means the same when it is checked and when it
//! is called. Each rule of our own is a file in this module.

mod decimals;
mod multisets;

use datafusion::optimizer::{Analyzer, AnalyzerRule, Optimizer};
use std::sync::Arc;

/// Resolves functions and coerces types. Everything that changes what a query *means* belongs here, since what is
/// published is read off the analysed plan.
pub fn analyzer() -> Analyzer {
    let before: [Arc<dyn AnalyzerRule + Send + Sync>; 2] =
        [Arc::new(multisets::Multisets), Arc::new(decimals::Decimals)];
    Analyzer::with_rules(before.into_iter().chain(Analyzer::new().rules).collect())
}

/// Makes an analysed plan faster. No rule here may change its answer.
pub fn optimizer() -> Optimizer {
    Optimizer::new()
}
