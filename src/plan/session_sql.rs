//! SQL over the tables of a session, for tests. DataFusion's own way from a text to rows is not built: this is the
//! planner of queries, with the functions as they are under the session's options.

use super::functions::Functions;
use super::group_keys::Keys;
use super::planner::Planner;
use crate::syntax::link::parse_text;
use datafusion::common::{DataFusionError, Result};
use datafusion::dataframe::DataFrame;
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::TableSource;
use datafusion::prelude::SessionContext;
use std::collections::HashMap;
use std::sync::Arc;

/// What the statement selects from the tables of the session.
pub(crate) async fn select(ctx: &SessionContext, sql: &str) -> Result<DataFrame> {
    let state = ctx.state();
    let catalog = &state.config_options().catalog;
    let schema = ctx.catalog(&catalog.default_catalog).and_then(|tables| tables.schema(&catalog.default_schema));
    let schema = schema.ok_or_else(|| DataFusionError::Internal("a session without a schema".to_owned()))?;
    let mut tables: HashMap<String, Arc<dyn TableSource>> = HashMap::new();
    for name in schema.table_names() {
        let table = schema.table(&name).await?;
        tables.extend(table.map(|table| (name, provider_as_source(table))));
    }
    let statement = parse_text(sql, &|_| None).map_err(|error| DataFusionError::SQL(Box::new(error), None))?;
    let functions = Functions::configured(state.config_options());
    let planner = Planner { tables: &|name| tables.get(name).cloned(), functions: &functions, keys: Keys::NONE };
    let plan = planner.plan(vec![("asked", statement)], &[])?;
    Ok(DataFrame::new(state, plan))
}
