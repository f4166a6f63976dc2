//! How every statement is planned: DataFusion's planner, functions and rules, and those of our own beside them.
//!
//! The compiler and the engine take them from here, so that a query means the same when it is checked and when it is
//! called. Each rule of our own is a file in this module; what the planner says is read by [`engine_words`] alone.

pub(crate) mod added_spans;
mod arithmetic;
mod array_literals;
mod at_time_zone;
mod averages;
mod bind;
pub(crate) mod bits;
mod cast_names;
mod cast_numbers;
mod casts_to_types;
pub mod constants;
mod decimals;
mod dependent;
mod distant_days;
mod dry_run;
pub mod engine_words;
mod equal_windows;
pub(crate) mod exact_numbers;
mod field_names;
mod filter_pushdown;
mod floats;
mod forgetful_casts;
pub(crate) mod frames;
pub mod functions;
pub mod group_keys;
mod guards;
mod in_lists;
pub mod intervals;
mod item_fields;
mod leaf_expressions;
mod lineage;
mod list_numbers;
mod long_numbers;
pub mod meeting;
mod mentions;
pub(crate) mod merged_columns;
pub(crate) mod minutes;
mod multisets;
mod named_windows;
mod names;
mod nested_lists;
mod null_types;
pub mod operands;
mod order_columns;
pub(crate) mod order_items;
pub(crate) mod order_names;
mod outer_fields;
pub mod planner;
pub(crate) mod policies;
mod projections;
mod repeated_keys;
mod rounded_casts;
mod rounding;
mod rows;
mod semi_joins;
mod series;
#[cfg(test)]
pub(crate) mod session_sql;
mod set_comparisons;
mod shared_top;
pub mod similar_to;
pub mod stop;
mod subqueries;
mod ties;
pub mod total_order;
mod unions;
pub(crate) mod unnested;
pub mod zones;

pub use bind::bind;
pub use dry_run::dry_run;
pub(crate) use floats::inside_key;
pub use in_lists::bare_value;
pub use semi_joins::has_few_pairs;

use datafusion::common::config::ConfigOptions;
use datafusion::logical_expr::ScalarUDF;
use datafusion::optimizer::{Analyzer, AnalyzerRule, Optimizer};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::physical_plan::filter_pushdown::FilterPushdownPhase;
use dependent::DependentJoins;
use equal_windows::EqualWindows;
use filter_pushdown::FilterPushdown;
use floats::Floats;
use projections::Projections;
use semi_joins::SemiJoins;
use set_comparisons::SetComparisons;
use shared_top::SharedTop;
use std::sync::Arc;
use subqueries::Subqueries;

/// Resolves functions and coerces types. Everything that changes what a query *means* belongs here, since what is
/// published is read off the analysed plan.
pub fn analyzer() -> Analyzer {
    let before: [Arc<dyn AnalyzerRule + Send + Sync>; 8] = [
        Arc::new(similar_to::SimilarTo),
        Arc::new(multisets::Multisets),
        Arc::new(decimals::Decimals),
        Arc::new(arithmetic::SignedDifferences),
        Arc::new(added_spans::AddedSpans),
        Arc::new(casts_to_types::CastsToTypes),
        Arc::new(rounded_casts::RoundedCasts),
        Arc::new(averages::WholeAverages),
    ];
    let mut rules: Vec<_> = before.into_iter().chain(Analyzer::new().rules).collect();
    let coercion = rules.iter().position(|rule| rule.name() == "type_coercion").unwrap_or_default();
    // Windows ordered by spans are refused by the coercion of types.
    rules.insert(coercion, Arc::new(intervals::IntervalsByLength));
    rules.insert(coercion, Arc::new(meeting::MeetingTypes));
    rules.push(Arc::new(distant_days::DistantDays));
    rules.push(Arc::new(zones::LocalTimes));
    rules.push(Arc::new(intervals::IntervalsByLength));
    rules.push(Arc::new(added_spans::FramesWithinDays));
    rules.push(Arc::new(frames::Frames));
    rules.push(Arc::new(nested_lists::NestedLists));
    rules.push(Arc::new(arithmetic::CheckedArithmetic));
    rules.push(Arc::new(rounding::Rounding));
    rules.push(Arc::new(forgetful_casts::ForgetfulCasts));
    rules.push(Arc::new(repeated_keys::RepeatedKeys));
    Analyzer::with_rules(rules)
}

/// Makes an analysed plan faster. No rule here may change its answer.
pub fn optimizer() -> Optimizer {
    let mut rules: Vec<_> = Optimizer::new().rules.into_iter().map(leaf_expressions::unless_names_clash).collect();
    let at = rules.iter().position(|rule| rule.name() == "rewrite_set_comparison").map_or(0, |before| before + 1);
    rules.insert(at, Arc::new(EqualWindows));
    rules.insert(at, Arc::new(Subqueries));
    rules.insert(at, Arc::new(DependentJoins));
    rules.insert(at.saturating_sub(1), Arc::new(SetComparisons));
    let at = rules.iter().position(|rule| rule.name() == "common_sub_expression_eliminate").unwrap_or(rules.len());
    rules.insert(at, Arc::new(Floats));
    let at = rules.iter().position(|rule| rule.name() == "simplify_expressions").unwrap_or(0);
    rules.insert(at, Arc::new(in_lists::InLists));
    rules.insert(at, Arc::new(guards::Guards));
    rules.insert(0, Arc::new(policies::Policies));
    Optimizer::with_rules(rules)
}

/// Whether a function is one that a rule of our own puts into plans, and takes a bounded time for a row.
pub fn is_bounded(function: &ScalarUDF) -> bool {
    function.name() == intervals::LENGTH
        || zones::is_own(function)
        || floats::is_float_key(function)
        || arithmetic::is_checked(function)
        || added_spans::is_whole_days(function)
        || distant_days::is_nanoseconds(function)
        || rounded_casts::is_rounded(function)
        || rounding::is_kept(function)
        || similar_to::is_regular(function)
        || in_lists::is_same(function)
        || policies::is_own(function)
}

/// Whether a function of such a rule is null where an argument is and nowhere else.
pub fn is_plain(function: &ScalarUDF) -> bool {
    function.name() == intervals::LENGTH
        || zones::is_plain(function)
        || arithmetic::is_checked(function)
        || added_spans::is_whole_days(function)
        || distant_days::is_nanoseconds(function)
        || rounded_casts::is_rounded(function)
        || rounding::is_kept(function)
        || similar_to::is_regular(function)
        || in_lists::is_same(function)
}

/// The options that plans are made with. Both the compiler and the engine set them.
pub fn configure(options: &mut ConfigOptions) {
    // It finds the keys of a group by their names, and gives one for both where two are called alike.
    options.optimizer.top_down_join_key_reordering = false;
    // So many rows of a database are asked for one by one, where a join has found out which it needs.
    options.optimizer.hash_join_inlist_pushdown_max_distinct_values = 1_000;
}

/// Makes a physical plan faster.
pub fn physical_optimizer() -> PhysicalOptimizer {
    let own = |rule: Arc<dyn PhysicalOptimizerRule + Send + Sync>| -> Arc<dyn PhysicalOptimizerRule + Send + Sync> {
        match rule.name() {
            "FilterPushdown" => Arc::new(FilterPushdown(FilterPushdownPhase::Pre)),
            "FilterPushdown(Post)" => Arc::new(FilterPushdown(FilterPushdownPhase::Post)),
            "ProjectionPushdown" => Arc::new(Projections(rule)),
            _ => rule,
        }
    };
    let mut rules: Vec<_> = PhysicalOptimizer::new().rules.into_iter().map(own).collect();
    let joined = rules.iter().position(|rule| rule.name() == "join_selection").map_or(0, |at| at + 1);
    rules.insert(joined, Arc::new(SemiJoins));
    let last = rules.iter().position(|rule| rule.name() == "FilterPushdown(Post)").unwrap_or(rules.len());
    rules.insert(last, Arc::new(SharedTop));
    PhysicalOptimizer::with_rules(rules)
}

#[cfg(test)]
mod tests;
