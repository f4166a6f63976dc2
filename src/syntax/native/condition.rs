//! What bounds the rows that a condition is true of: what it asks of columns of the table that is changed, and a call says.

use crate::syntax::ast::number;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Value, ValueWithSpan, Visit, Visitor,
};
use std::ops::ControlFlow;

/// What bounds the rows that are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteBounds {
    /// They are written out.
    Rows(u64),
    /// A call brings them.
    List,
    /// Those of a query, and of a list: nobody knows how many.
    Query,
    /// Those that are written beside it: others are left as they are.
    Beside,
    /// A condition on parameters.
    Condition {
        /// The columns that have one value in all rows.
        equal: Vec<String>,
        /// The occurrences of placeholders that say which rows.
        by: Vec<usize>,
    },
    /// Nothing that a call says.
    Nothing,
}

/// The table that is changed, as its columns are written.
pub(super) struct Target {
    /// What stands before them: its name, or its other one.
    pub called: String,
    /// Whether no other table is beside it: then nothing needs to stand before them.
    pub is_only: bool,
}

impl Target {
    fn is_own(&self, column: &Column) -> bool {
        match &column.of {
            Some(of) => of.eq_ignore_ascii_case(&self.called),
            None => self.is_only,
        }
    }

    /// What bounds the rows that a condition is true of.
    pub(super) fn bounds(&self, condition: Option<&Expr>) -> WriteBounds {
        let mut by = Vec::new();
        match condition {
            Some(condition) if self.is_bound(condition, &mut by) => {
                let mut equal = Vec::new();
                self.equal_columns(condition, &mut equal);
                WriteBounds::Condition { equal, by }
            }
            _ => WriteBounds::Nothing,
        }
    }

    /// Whether a condition asks something of a column that a call says, whatever it leaves out. `by` is by which placeholders.
    fn is_bound(&self, condition: &Expr, by: &mut Vec<usize>) -> bool {
        match condition {
            Expr::Nested(inside) | Expr::IsTrue(inside) => self.is_bound(inside, by),
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                let is_left = self.is_bound(left, by);
                self.is_bound(right, by) || is_left
            }
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
                self.is_bound(left, by) && self.is_bound(right, by)
            }
            Expr::Function(_) if clause(condition, OPTIONAL_AND).is_some() => false,
            Expr::Function(_) if clause(condition, OPTIONAL_OR).is_some() => {
                clause(condition, OPTIONAL_OR).is_some_and(|inside| self.is_bound(inside, by))
            }
            atom => {
                let is_bound = self.is_bound_atom(atom);
                if is_bound {
                    by.extend(parts(atom).placeholders);
                }
                is_bound
            }
        }
    }

    /// The same of what is no combination. What is true of all rows but a few bounds nothing.
    fn is_bound_atom(&self, atom: &Expr) -> bool {
        match atom {
            Expr::BinaryOp { left, op, right } if selects(op) => self.is_either(left, right),
            Expr::IsNotDistinctFrom(left, right) => self.is_either(left, right),
            Expr::Like { negated: false, expr, pattern, .. }
            | Expr::ILike { negated: false, expr, pattern, .. }
            | Expr::SimilarTo { negated: false, expr, pattern, .. }
            | Expr::RLike { negated: false, expr, pattern, .. } => self.is_compared(expr, &parts(pattern.as_ref())),
            Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => self.is_either(left, right),
            Expr::Between { negated: false, expr, low, high } => {
                self.is_compared(expr, &parts(low.as_ref())) || self.is_compared(expr, &parts(high.as_ref()))
            }
            Expr::InList { negated: false, expr, list } => self.is_compared(expr, &parts(list)),
            Expr::InSubquery { negated: false, expr, subquery } => {
                self.has_own(&parts(expr.as_ref())) && !parts(subquery.as_ref()).placeholders.is_empty()
            }
            // With what is in the other table, by its own columns.
            Expr::Exists { negated: false, subquery } => {
                let inside = parts(subquery.as_ref());
                let is_joined = inside.within.iter().any(|column| column.of.is_some() && self.is_own(column));
                is_joined && !inside.placeholders.is_empty()
            }
            Expr::Function(_) => {
                let parts = parts(atom);
                self.has_own(&parts) && !parts.placeholders.is_empty()
            }
            _ => false,
        }
    }

    fn is_either(&self, left: &Expr, right: &Expr) -> bool {
        self.is_compared(left, &parts(right)) || self.is_compared(right, &parts(left))
    }

    /// Whether something of the table is compared with what a call says, and not with itself as well.
    fn is_compared(&self, own: &Expr, other: &Parts) -> bool {
        let own = parts(own);
        let is_beside = |column: &Column| own.columns.iter().any(|one| one.name.eq_ignore_ascii_case(&column.name));
        self.has_own(&own) && !other.placeholders.is_empty() && !other.columns.iter().any(is_beside)
    }

    fn has_own(&self, parts: &Parts) -> bool {
        parts.columns.iter().any(|column| self.is_own(column))
    }

    /// The columns that every row of a condition has one value in.
    fn equal_columns(&self, condition: &Expr, found: &mut Vec<String>) {
        match condition {
            Expr::Nested(inside) => self.equal_columns(inside, found),
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                self.equal_columns(left, found);
                self.equal_columns(right, found);
            }
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
                for (column, value) in [(left, right), (right, left)] {
                    let value = parts(value.as_ref());
                    let column = bare(column).filter(|column| self.is_own(column));
                    // Another collation takes texts for the same that are several keys.
                    found.extend(column.filter(|_| value.columns.is_empty() && !value.collates).map(|one| one.name));
                }
            }
            _ => {}
        }
    }
}

/// Whether an operator is true of some values, and not of all but some.
fn selects(operator: &BinaryOperator) -> bool {
    use BinaryOperator as Of;
    matches!(
        operator,
        Of::Eq
            | Of::Lt
            | Of::LtEq
            | Of::Gt
            | Of::GtEq
            | Of::Spaceship
            | Of::Match
            | Of::Regexp
            | Of::PGRegexMatch
            | Of::PGRegexIMatch
            | Of::PGLikeMatch
            | Of::PGILikeMatch
            | Of::PGOverlap
            | Of::AtAt
            | Of::AtArrow
            | Of::ArrowAt
    )
}

/// The condition of an optional clause.
fn clause<'a>(expression: &'a Expr, marker: &str) -> Option<&'a Expr> {
    let Expr::Function(function) = expression else { return None };
    let is_marker = function.name.0.last()?.as_ident()?.value == marker;
    match &function.args {
        FunctionArguments::List(list) if is_marker => match list.args.first()? {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(inside)) => Some(inside),
            _ => None,
        },
        _ => None,
    }
}

/// A column as it is written.
pub(super) struct Column {
    /// What stands before it.
    pub of: Option<String>,
    pub name: String,
}

/// The column that an expression is, and nothing else.
pub(super) fn bare(expression: &Expr) -> Option<Column> {
    match expression {
        Expr::Identifier(ident) => Some(Column { of: None, name: ident.value.clone() }),
        Expr::CompoundIdentifier(parts) => {
            let (name, before) = parts.split_last()?;
            Some(Column { of: before.last().map(|of| of.value.clone()), name: name.value.clone() })
        }
        Expr::Nested(inside) => bare(inside),
        _ => None,
    }
}

/// What an expression is made of.
#[derive(Default)]
pub(super) struct Parts {
    /// The occurrences of placeholders, from 0.
    pub placeholders: Vec<usize>,
    /// The columns outside of queries.
    pub columns: Vec<Column>,
    /// Those inside of queries.
    pub within: Vec<Column>,
    pub has_query: bool,
    pub has_function: bool,
    /// Whether a collation is named.
    pub collates: bool,
    depth: usize,
}

impl Visitor for Parts {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.has_query = true;
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.depth = self.depth.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        let column = match expression {
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => bare(expression),
            Expr::Function(_) => {
                self.has_function = true;
                None
            }
            Expr::Collate { .. } => {
                self.collates = true;
                None
            }
            _ => None,
        };
        if self.depth == 0 {
            self.columns.extend(column)
        } else {
            self.within.extend(column)
        };
        ControlFlow::Continue(())
    }

    fn pre_visit_value(&mut self, value: &ValueWithSpan) -> ControlFlow<()> {
        if let Value::Placeholder(id) = &value.value {
            self.placeholders.extend(number(id));
        }
        ControlFlow::Continue(())
    }
}

pub(super) fn parts(node: &impl Visit) -> Parts {
    let mut parts = Parts::default();
    let _ = node.visit(&mut parts);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlparser::dialect::PostgreSqlDialect;
    use sqlparser::parser::Parser;

    fn bounds(condition: &str, is_only: bool) -> WriteBounds {
        let mut parser = Parser::new(&PostgreSqlDialect {}).try_with_sql(condition).unwrap();
        let condition = parser.parse_expr().unwrap();
        Target { called: "t".to_owned(), is_only }.bounds(Some(&condition))
    }

    fn equal(condition: &str, is_only: bool) -> Option<Vec<String>> {
        match bounds(condition, is_only) {
            WriteBounds::Condition { equal, .. } => Some(equal),
            _ => None,
        }
    }

    #[test]
    fn what_a_call_says_of_a_column_bounds_the_rows() {
        for (condition, columns) in [
            ("id = $1", vec!["id"]),
            ("$1 = t.id AND x > 3", vec!["id"]),
            ("(id = $1) AND kind = 'a'", vec!["id", "kind"]),
            ("id IN ($1)", vec![]),
            ("id = ANY ($1)", vec![]),
            ("at BETWEEN $1 AND now()", vec![]),
            ("name LIKE $1", vec![]),
            ("due < start + $1", vec![]),
            ("starts_with(name, $1)", vec![]),
            ("id IN (SELECT id FROM o WHERE x = $1)", vec![]),
            ("id = (SELECT id FROM o WHERE x = $1)", vec!["id"]),
            ("EXISTS (SELECT 1 FROM o WHERE o.t = t.id AND o.x = $1)", vec![]),
            ("id = $1 OR name = $2", vec![]),
            ("id = $1 OR qtool_optional_or(name = $2)", vec![]),
            ("id = $1 COLLATE \"x\"", vec![]),
        ] {
            assert_eq!(equal(condition, true), Some(columns.into_iter().map(str::to_owned).collect()), "{condition}");
        }
    }

    #[test]
    fn what_is_true_of_most_rows_bounds_none() {
        for condition in [
            "x = 3",
            "$1 = $2",
            "id = coalesce($1, id)",
            "id NOT IN ($1)",
            "id <> $1",
            "NOT id = $1",
            "id = $1 OR x = 3",
            "id IN ($1, id)",
            "(SELECT $1) > 0",
            "CASE WHEN id = $1 THEN true ELSE true END",
            "EXISTS (SELECT 1 FROM o WHERE o.x = $1)",
            "$1 IS NULL OR id = $1",
            "x = 3 AND qtool_optional_and(id = $1)",
            "name NOT LIKE $1",
        ] {
            assert_eq!(bounds(condition, true), WriteBounds::Nothing, "{condition}");
        }
        // Beside others, it has to be said whose column it is.
        assert_eq!(bounds("o.id = $1", false), WriteBounds::Nothing);
        assert_eq!(bounds("id = $1", false), WriteBounds::Nothing);
        assert_eq!(equal("t.id = $1 AND o.id = t.id", false), Some(vec!["id".to_owned()]));
    }
}
