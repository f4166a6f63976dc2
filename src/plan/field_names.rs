//! What columns of a result are called that are fields of records: `line.product` is `product`, and `unnest(line)` gives
//! `product` and its other fields, as in DuckDB.
//!
//! DataFusion calls them `orders.line[product]` and `orders.line.product`. Inside of a query nothing else is known of
//! them, so they get their names at its end, before anybody sees them.

use crate::syntax::ast::{naming_select, normalized};
use arrow::datatypes::DataType;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result, SchemaError};
use datafusion::logical_expr::{Expr, LogicalPlan, Projection, Unnest};
use sqlparser::ast::{Expr as Written, SelectItem, Statement};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What the planner makes of what is unnested, before it is.
const PLACEHOLDER: (&str, &str) = ("__unnest_placeholder(", ")");

/// The paths of names that a statement selects without an alias. Of a set operation the first query names the columns.
pub(super) fn selected_paths(statement: &Statement) -> Vec<Vec<String>> {
    let Statement::Query(query) = statement else { return Vec::new() };
    let Some(select) = naming_select(&query.body) else { return Vec::new() };
    let path = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(Written::CompoundIdentifier(path)) => Some(path.iter().map(normalized).collect()),
        _ => None,
    };
    select.projection.iter().filter_map(path).collect()
}

/// The plan with columns that are called as their fields.
///
/// Errors: two columns would have one name.
pub(super) fn named_by_fields(plan: LogicalPlan, paths: &[Vec<String>]) -> Result<LogicalPlan> {
    let unnested = names_of_unnested(&plan);
    let name_of = |column: &str| {
        let of_path = || paths.iter().find(|path| is_called(column, path)).and_then(|path| path.last());
        unnested.get(column).or_else(of_path).cloned()
    };
    let mut taken = BTreeSet::new();
    let mut columns = Vec::new();
    let mut has_fields = false;
    for column in plan.schema().columns() {
        let field = name_of(&column.name);
        has_fields |= field.is_some();
        let name = field.clone().unwrap_or_else(|| column.name.clone());
        if !taken.insert(name.clone()) && has_fields {
            let twice = SchemaError::DuplicateUnqualifiedField { name };
            return Err(DataFusionError::SchemaError(Box::new(twice), Box::new(None)));
        }
        columns.push(match field {
            Some(field) => Expr::Column(column).alias(field),
            None => Expr::Column(column),
        });
    }
    if !has_fields {
        return Ok(plan);
    }
    Ok(LogicalPlan::Projection(Projection::try_new(columns, Arc::new(plan))?))
}

/// Whether the planner calls a path so: `orders.line[product]` for `line.product` and for `orders.line.product`.
fn is_called(column: &str, path: &[String]) -> bool {
    let with_fields = |length: usize| {
        let (names, fields) = path.split_at_checked(length)?;
        let fields: String = fields.iter().map(|field| format!("[{field}]")).collect();
        (!fields.is_empty()).then(|| format!("{}{fields}", names.join(".")))
    };
    let is_it =
        |written: String| column.strip_suffix(&written).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    [1, 2].into_iter().filter_map(with_fields).any(is_it)
}

/// The fields of what is unnested, by what the planner calls them.
fn names_of_unnested(plan: &LogicalPlan) -> HashMap<String, String> {
    let mut names = HashMap::new();
    // Looking at a plan does not fail.
    let _ = plan.apply(|node| {
        if let LogicalPlan::Unnest(unnest) = node {
            names.extend(fields_of(unnest));
        }
        Ok(TreeNodeRecursion::Continue)
    });
    names
}

fn fields_of(unnest: &Unnest) -> Vec<(String, String)> {
    let mut names = Vec::new();
    let (before, behind) = PLACEHOLDER;
    for at in &unnest.struct_type_columns {
        let (_, column) = unnest.input.schema().qualified_field(*at);
        let written = column.name().strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
        if let (Some(written), DataType::Struct(fields)) = (written, column.data_type()) {
            names.extend(fields.iter().map(|field| (format!("{written}.{}", field.name()), field.name().clone())));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::session_sql::select;
    use datafusion::prelude::SessionContext;

    #[tokio::test]
    async fn columns_are_called_as_their_fields() {
        let ctx = SessionContext::new();
        let record = "(SELECT named_struct('n', 1, 'm', 2) AS o) AS r";
        for (columns, names) in [
            ("r.o.n, o.m AS other", vec!["n", "other"]),
            ("unnest(o)", vec!["n", "m"]),
            ("1 AS one, unnest(r.o)", vec!["one", "n", "m"]),
        ] {
            let frame = select(&ctx, &format!("SELECT {columns} FROM {record} ORDER BY r.o.n")).await.unwrap();
            let called: Vec<&String> = frame.schema().fields().iter().map(|field| field.name()).collect();
            assert_eq!(called, names, "{columns}");
        }
        assert!(select(&ctx, &format!("SELECT 1 AS n, o.n FROM {record}")).await.is_err());
    }

    #[test]
    fn paths_are_told_by_what_the_planner_calls_them() {
        let path = |path: &str| path.split('.').map(str::to_owned).collect::<Vec<_>>();
        for (column, written) in [
            ("docs.line[product]", "line.product"),
            ("docs.line[product]", "docs.line.product"),
            ("line[product]", "line.product"),
            ("docs.line[a][b]", "line.a.b"),
            ("docs.line[a][b]", "docs.line.a.b"),
        ] {
            assert!(is_called(column, &path(written)), "{column}");
        }
        for (column, written) in [
            ("product", "docs.product"),
            ("docs.line[product]", "line.qty"),
            ("docs.online[product]", "line.product"),
            ("docs.line[product] + Int64(1)", "line.product"),
        ] {
            assert!(!is_called(column, &path(written)), "{column}");
        }
    }
}
