//! Columns of files whose values are of several types: unions, as Avro and Arrow have them.
//!
//! A cast keeps the values of one of the types and makes null of all others, and so do the functions that take one. So no
//! expression may name such a column.

use arrow::datatypes::DataType;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DataFusionError, Diagnostic, ExprSchema, Result};
use datafusion::logical_expr::{Expr, LogicalPlan};

/// Refuses a plan with an expression that names a column of unions.
pub(super) fn refuse(plan: &LogicalPlan) -> Result<()> {
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|part| {
                let found = match part {
                    Expr::Column(column) => type_of(node, column).is_some_and(|ty| holds_union(&ty)).then_some(column),
                    Expr::OuterReferenceColumn(field, column) => holds_union(field.data_type()).then_some(column),
                    _ => None,
                };
                found.map_or(Ok(TreeNodeRecursion::Continue), |column| Err(refused(column)))
            })
        })
    })?;
    Ok(())
}

/// The type of a column as an expression of that operator sees it.
fn type_of(node: &LogicalPlan, column: &Column) -> Option<DataType> {
    let schemas = node.inputs().into_iter().map(LogicalPlan::schema).chain([node.schema()]);
    let mut found = schemas.filter_map(|schema| schema.field_from_column(column).ok());
    found.next().map(|field| field.data_type().clone())
}

fn holds_union(ty: &DataType) -> bool {
    match ty {
        DataType::Union(..) => true,
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _)
        | DataType::RunEndEncoded(_, item) => holds_union(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| holds_union(field.data_type())),
        DataType::Dictionary(_, value) => holds_union(value),
        _ => false,
    }
}

fn refused(column: &Column) -> DataFusionError {
    let message = format!(
        "column `{}` holds values of several types, which cannot be read: write the file with one type for it, such as \
         text, or leave the column out of the query",
        column.name
    );
    let told = Diagnostic::new_error(message.clone(), column.spans().first());
    DataFusionError::Plan(message).with_diagnostic(told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::functions;
    use crate::plan::group_keys::Keys;
    use crate::plan::planner::Planner;
    use arrow::datatypes::{Field, Schema, UnionFields, UnionMode};
    use datafusion::logical_expr::TableSource;
    use datafusion::logical_expr::logical_plan::builder::LogicalTableSource;
    use sqlparser::dialect::GenericDialect;
    use sqlparser::parser::Parser;
    use std::sync::Arc;

    fn planned(sql: &str) -> Result<LogicalPlan> {
        let members = [Field::new("long", DataType::Int64, true), Field::new("string", DataType::Utf8, true)];
        let members = UnionFields::try_new([0, 1], members).unwrap();
        let union = Field::new("u", DataType::Union(members, UnionMode::Dense), true);
        let record = Field::new("r", DataType::Struct(vec![union.clone()].into()), true);
        let list = Field::new("l", DataType::List(Arc::new(union.clone())), true);
        let schema = Arc::new(Schema::new(vec![Field::new("id", DataType::Int64, true), union, record, list]));
        let tables = |name: &str| -> Option<Arc<dyn TableSource>> {
            (name == "t").then(|| Arc::new(LogicalTableSource::new(Arc::clone(&schema))) as Arc<dyn TableSource>)
        };
        let statement = Parser::parse_sql(&GenericDialect {}, sql).unwrap().remove(0);
        Planner { tables: &tables, functions: functions::all(), keys: Keys::NONE }.plan(vec![("q", statement)], &[])
    }

    #[test]
    fn a_column_of_unions_is_named_nowhere() {
        for sql in [
            "SELECT u FROM t",
            "SELECT * FROM t",
            "SELECT CAST(u AS text) FROM t",
            "SELECT concat(u, 'a') FROM t",
            "SELECT id FROM t WHERE u IS NULL",
            "SELECT r FROM t",
            "SELECT array_length(l) FROM t",
            "SELECT id FROM t ORDER BY CAST(u AS text)",
            "SELECT count(CAST(u AS text)) FROM t GROUP BY id",
            "SELECT a.id FROM t AS a WHERE EXISTS (SELECT 1 FROM t AS b WHERE CAST(b.u AS text) = 'x')",
            "SELECT a.id FROM t AS a JOIN t AS b ON CAST(a.u AS text) = CAST(b.u AS text)",
        ] {
            let why = planned(sql).unwrap_err().strip_backtrace();
            assert!(why.contains("holds values of several types"), "{sql}: {why}");
        }
        for sql in ["SELECT id FROM t", "SELECT count(*) FROM t", "SELECT a.id FROM t AS a JOIN t AS b ON a.id = b.id"]
        {
            assert!(planned(sql).is_ok(), "{sql}");
        }
    }
}
