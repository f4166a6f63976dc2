//! `PIVOT` of a list of values, as the grouping that it stands for.
//!
//! `orders PIVOT (sum(total) FOR status IN ('open', 'paid'))` is
//!
//! ```sql
//! (SELECT * EXCLUDE (status, total), sum(total) FILTER (WHERE status = 'open') AS "open", … FROM orders GROUP BY ALL)
//! ```
//!
//! so that its types, its nulls and its columns are those of this query. What has no such form stays, and is refused by
//! the planner: values that are looked up, and what is no call of a function.

use super::ast::{exposed_name, normalized};
use super::dialect::QueryDialect;
use super::written_call::both;
use sqlparser::ast::{
    BinaryOperator, ExcludeSelectItem, Expr, ExprWithAlias, Function, Ident, ObjectName, PivotValueSource, Query,
    Select, SelectItem, SetExpr, Spanned as _, Statement, TableFactor, TableWithJoins, Value, Visit, Visitor,
    WildcardAdditionalOptions,
};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Writes the grouping in the place of a pivot.
pub(super) fn write_out(factor: &mut TableFactor) {
    if let Some(grouped) = grouped(factor) {
        *factor = grouped;
    }
}

fn grouped(factor: &TableFactor) -> Option<TableFactor> {
    let TableFactor::Pivot {
        table,
        aggregate_functions,
        value_column,
        value_source: PivotValueSource::List(values),
        default_on_null: None,
        alias,
    } = factor
    else {
        return None;
    };
    let [column @ (Expr::Identifier(_) | Expr::CompoundIdentifier(_))] = value_column.as_slice() else { return None };
    let mut used = Used { relation: exposed_name(table), names: BTreeSet::new() };
    let _ = column.visit(&mut used);
    // A query in what is written once for each value may hold a pivot itself: the text would double with each.
    let has_query = aggregate_functions.iter().any(|call| call.expr.visit(&mut used).is_break())
        || values.iter().any(|value| value.expr.visit(&mut HasQuery).is_break());
    if has_query {
        return None;
    }
    let mut columns = Vec::new();
    for value in values {
        for call in aggregate_functions {
            columns.push(counted(call, aggregate_functions.len(), (column, value))?);
        }
    }
    let Statement::Query(mut query) = template()? else { return None };
    let select = select_of(&mut query)?;
    let excluded = used.names.into_iter().map(|name| ObjectName::from(Ident::with_quote('"', name))).collect();
    // Whoever complains of the star means what is not named.
    let token = TokenWithSpan::new(Token::Mul, column.span());
    let star = WildcardAdditionalOptions {
        wildcard_token: token.into(),
        opt_exclude: Some(ExcludeSelectItem::Multiple(excluded)),
        ..Default::default()
    };
    select.projection = std::iter::once(SelectItem::Wildcard(star)).chain(columns).collect();
    select.from = vec![TableWithJoins { relation: table.as_ref().clone(), joins: Vec::new() }];
    Some(TableFactor::Derived { lateral: false, subquery: query, alias: alias.clone(), sample: None })
}

/// The query, before its columns and its table are put in. Its tokens stand in no file.
fn template() -> Option<Statement> {
    let tokens = Tokenizer::new(&QueryDialect, "SELECT * FROM x GROUP BY ALL").tokenize().ok()?;
    Parser::new(&QueryDialect).with_tokens(tokens).parse_statement().ok()
}

fn select_of(query: &mut Query) -> Option<&mut Select> {
    match query.body.as_mut() {
        SetExpr::Select(select) => Some(select),
        _ => None,
    }
}

/// The column of one value and one aggregate.
fn counted(call: &ExprWithAlias, calls: usize, (column, value): (&Expr, &ExprWithAlias)) -> Option<SelectItem> {
    let Expr::Function(function) = &call.expr else { return None };
    let Function { over: None, .. } = function else { return None };
    let of_value = match &value.alias {
        Some(alias) => normalized(alias),
        None => shown_value(&value.expr)?,
    };
    let name = match &call.alias {
        Some(alias) => format!("{of_value}_{}", normalized(alias)),
        None if calls == 1 => of_value,
        None => format!("{of_value}_{}", call.expr.to_string().to_lowercase()),
    };
    let condition = match &value.expr {
        Expr::Value(null) if null.value == Value::Null => Expr::IsNull(Box::new(column.clone())),
        other => Expr::BinaryOp {
            left: Box::new(column.clone()),
            op: BinaryOperator::Eq,
            right: Box::new(Expr::Nested(Box::new(other.clone()))),
        },
    };
    let mut function = function.clone();
    function.filter = Some(Box::new(match function.filter.take() {
        Some(own) => both(*own, condition),
        None => condition,
    }));
    Some(SelectItem::ExprWithAlias { expr: Expr::Function(function), alias: Ident::with_quote('"', name) })
}

/// The column of a value without an alias is called as the value.
fn shown_value(value: &Expr) -> Option<String> {
    match value {
        Expr::Nested(inner) => shown_value(inner),
        Expr::Value(literal) => match &literal.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            Value::Number(digits, _) => Some(digits.clone()),
            Value::Boolean(value) => Some(value.to_string()),
            Value::Null => Some("NULL".to_owned()),
            _ => None,
        },
        Expr::UnaryOp { .. } => Some(value.to_string()),
        Expr::TypedString(typed) => match &typed.value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether there is a query in an expression.
struct HasQuery;

impl Visitor for HasQuery {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// The columns that are not grouped by.
struct Used {
    relation: Option<String>,
    names: BTreeSet<String>,
}

impl Visitor for Used {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Identifier(ident) => {
                self.names.insert(normalized(ident));
            }
            Expr::CompoundIdentifier(path) => {
                let is_qualified = path.first().map(normalized) == self.relation;
                self.names.extend(path.get(usize::from(is_qualified)).map(normalized));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::statement::parse_tokens;
    use super::*;

    fn written_out(text: &str) -> String {
        let tokens = Tokenizer::new(&QueryDialect, text).tokenize_with_location().unwrap_or_default();
        let tokens = tokens.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
        parse_tokens(tokens).map(|statement| statement.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_pivot_is_a_grouping() {
        assert_eq!(
            written_out("SELECT * FROM s PIVOT (sum(n) FOR cat IN ('a', NULL)) AS p"),
            "SELECT * FROM (SELECT * EXCLUDE (\"cat\", \"n\"), sum(n) FILTER (WHERE cat = ('a')) AS \"a\", \
             sum(n) FILTER (WHERE cat IS NULL) AS \"NULL\" FROM s GROUP BY ALL) AS p"
        );
        assert_eq!(
            written_out("SELECT * FROM s PIVOT (sum(s.n) AS t, count(*) AS c FOR cat IN (1 AS one))"),
            "SELECT * FROM (SELECT * EXCLUDE (\"cat\", \"n\"), sum(s.n) FILTER (WHERE cat = (1)) AS \"one_t\", \
             count(*) FILTER (WHERE cat = (1)) AS \"one_c\" FROM s GROUP BY ALL)"
        );
    }

    #[test]
    fn a_pivot_of_values_that_are_looked_up_stays() {
        let looked_up = "SELECT * FROM s PIVOT(sum(n) FOR cat IN (ANY))";
        assert_eq!(written_out(looked_up), looked_up);
    }
}
