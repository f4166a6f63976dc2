//! Which column tells the rows of a table apart, where its files are no text to look at.

use super::names::names_key;
use crate::ty::Type;
use arrow::array::AsArray;
use arrow::datatypes::Int64Type;
use datafusion::common::Result;
use datafusion::datasource::TableProvider;
use datafusion::functions_aggregate::expr_fn::{count, count_distinct};
use datafusion::prelude::{SessionContext, ident};
use std::sync::Arc;

/// The most rows that are looked at.
const MOST: usize = 1_000_000;

/// A column of numbers or texts whose values are all there and all different, and how many there are: one that is named as
/// keys are, or else the first, if that is of integers.
///
/// Errors: the rows cannot be read.
pub(in crate::engine) async fn key_of_rows(
    ctx: &SessionContext,
    table: Arc<dyn TableProvider>,
) -> Result<Option<(String, usize)>> {
    let could_be = |(at, name, ty): (usize, &String, Option<Type>)| {
        let is_number = matches!(ty, Some(Type::Smallint | Type::Int | Type::Bigint));
        let is_named = names_key(name) && matches!(ty, Some(Type::Text | Type::Uuid));
        // A text is different in all rows by chance.
        ((is_number && (at == 0 || names_key(name))) || is_named).then(|| name.clone())
    };
    let schema = table.schema();
    let columns = schema.fields().iter().enumerate();
    let mut columns: Vec<String> =
        columns.filter_map(|(at, field)| could_be((at, field.name(), Type::from_arrow(field.data_type())))).collect();
    columns.sort_by_key(|name| !names_key(name));
    let rows = ctx.read_table(table)?;
    let number = rows.clone().limit(0, Some(MOST + 1))?.count().await?;
    if !(2..=MOST).contains(&number) {
        return Ok(None);
    }
    for column in columns {
        let counts = vec![count(ident(&column)), count_distinct(ident(&column))];
        let counted = rows.clone().aggregate(vec![], counts)?.collect().await?;
        let all = |at: usize| {
            let values = counted.first()?.columns().get(at)?.as_primitive_opt::<Int64Type>()?;
            usize::try_from(values.values().first().copied()?).ok()
        };
        if all(0) == Some(number) && all(1) == Some(number) {
            return Ok(Some((column, number)));
        }
    }
    Ok(None)
}
