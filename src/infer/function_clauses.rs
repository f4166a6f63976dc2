//! Clauses of functions that do not have them: the planner passes over most, and they would do nothing.

use super::functions::{self, Functions};
use crate::diagnostic::{Diagnostics, codes};
use crate::syntax::{Clause, FunctionClause};

/// Reports every clause that its function does not have. What the planner refuses itself is left to it.
pub(super) fn check(clauses: &[FunctionClause], sink: &mut Diagnostics) {
    let functions = functions::all();
    for found in clauses {
        let name = found.function.value.as_str();
        let Some((what, help)) = refused(found, functions) else { continue };
        let why = format!("{} on `{name}` would do nothing: {what}", found.clause.as_str());
        sink.push(codes::invalid_query(found.span, &why).also(found.function.span, "this function").help(help));
    }
}

/// Why the function has no such clause, and how to write what may be meant; none where it has it.
fn refused(found: &FunctionClause, functions: &Functions) -> Option<(&'static str, String)> {
    let name = found.function.value.as_str();
    if is_of_one_row(name, functions) {
        return Some(("it is a function of one row, and not of many", of_one_row(found.clause, name)));
    }
    // The planner looks up `first_value` and its like among the functions of windows first.
    let is_of_windows = functions.window.contains_key(name);
    let aggregate = functions.aggregate.get(name).filter(|_| !(found.windowed && is_of_windows));
    match (found.clause, aggregate) {
        (Clause::Distinct, Some(aggregate)) if counts_all(aggregate.name()) => {
            Some(("it counts equal values each", "read the values from `(SELECT DISTINCT …)`".to_owned()))
        }
        (Clause::Distinct, None) if found.windowed && is_of_windows => {
            Some(("it looks at every row of its window", "read the rows from `(SELECT DISTINCT …)`".to_owned()))
        }
        // Without OVER the planner refuses it.
        (Clause::Nulls, Some(aggregate)) if found.windowed && !aggregate.supports_null_handling_clause() => {
            Some(("it has its own way with nulls", "leave it out".to_owned()))
        }
        (Clause::Nulls, None) if found.windowed && is_of_windows && !minds_nulls(name) => {
            Some(("it numbers rows, and looks at no values", "leave it out".to_owned()))
        }
        _ => None,
    }
}

/// Whether it gives a value for each row by itself; in the order in which the planner looks functions up.
fn is_of_one_row(name: &str, functions: &Functions) -> bool {
    functions.scalar.contains_key(name)
        || functions.higher_order.contains_key(name)
        || matches!(name, "unnest" | "unnest_outer")
}

/// The aggregates that pass over DISTINCT, and whose results it would change.
fn counts_all(name: &str) -> bool {
    matches!(name, "corr" | "covar_samp" | "covar_pop" | "approx_percentile_cont" | "nth_value")
        || name.starts_with("regr_")
}

/// The functions of windows that may skip nulls.
fn minds_nulls(name: &str) -> bool {
    matches!(name, "first_value" | "last_value" | "nth_value" | "lag" | "lead")
}

fn of_one_row(clause: Clause, name: &str) -> String {
    match clause {
        Clause::Filter => format!("write `CASE WHEN … THEN {name}(…) END`, or put the condition into WHERE"),
        Clause::Distinct => "write `SELECT DISTINCT`, or DISTINCT in an aggregate around it".to_owned(),
        Clause::OrderBy | Clause::WithinGroup => {
            "write ORDER BY behind the query, or in an aggregate around it".to_owned()
        }
        Clause::Over | Clause::Nulls => "leave it out".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Sources, Spanned};

    fn is_refused(name: &str, clause: Clause, windowed: bool) -> bool {
        let mut sources = Sources::default();
        let file = sources.add("queries/query.sql", "SELECT 1");
        let span = sources.get(file).unwrap().whole();
        let mut sink = Diagnostics::default();
        check(&[FunctionClause { function: Spanned::new(name.to_owned(), span), clause, windowed, span }], &mut sink);
        sink.errors() > 0
    }

    #[test]
    fn clauses_that_would_be_ignored_are_refused() {
        for name in ["abs", "upper", "array_filter", "unnest", "coalesce"] {
            for clause in
                [Clause::Filter, Clause::Distinct, Clause::OrderBy, Clause::Over, Clause::WithinGroup, Clause::Nulls]
            {
                assert!(is_refused(name, clause, clause == Clause::Over), "{name} {clause:?}");
            }
        }
        assert!(is_refused("corr", Clause::Distinct, false));
        assert!(is_refused("regr_slope", Clause::Distinct, true));
        assert!(is_refused("rank", Clause::Nulls, true));
        assert!(is_refused("sum", Clause::Nulls, true));
        assert!(is_refused("first_value", Clause::Distinct, true));
    }

    #[test]
    fn clauses_that_are_not_ignored_are_left_alone() {
        for clause in [Clause::Filter, Clause::Distinct, Clause::OrderBy, Clause::Over] {
            assert!(!is_refused("sum", clause, clause == Clause::Over), "{clause:?}");
        }
        assert!(!is_refused("percentile_cont", Clause::WithinGroup, false));
        assert!(!is_refused("lag", Clause::Nulls, true));
        assert!(!is_refused("first_value", Clause::Nulls, true));
        assert!(!is_refused("first_value", Clause::Nulls, false));
        assert!(!is_refused("array_agg", Clause::Nulls, true));
        assert!(!is_refused("no_such_function", Clause::Filter, false));
    }
}
