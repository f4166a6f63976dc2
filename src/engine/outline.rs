//! What a tool's query comes to, in few lines: its optimised plan against the schemas alone, for people who review.

use super::planned::{KeyedTables, PlanWith, plan_every_choice};
use crate::catalog::Catalog;
use crate::plan::functions::Functions;
use crate::tool::Tool;
use datafusion::config::ConfigOptions;
use datafusion::execution::context::SessionContext;
use datafusion::logical_expr::TableSource;
use datafusion::logical_expr::logical_plan::builder::LogicalTableSource;
use std::collections::HashMap;
use std::sync::Arc;

/// Plans tools without their data.
pub struct Outliner {
    ctx: SessionContext,
    functions: Arc<Functions>,
    tables: HashMap<String, Arc<dyn TableSource>>,
}

impl Outliner {
    /// For tools over these tables.
    pub fn new(catalog: &Catalog) -> Outliner {
        let tables = catalog.tables.iter().map(|(name, table)| {
            let source: Arc<dyn TableSource> = Arc::new(LogicalTableSource::new(table.to_arrow()));
            (name.clone(), source)
        });
        let functions = Arc::new(Functions::configured(&ConfigOptions::default()));
        Outliner { ctx: SessionContext::new(), functions, tables: tables.collect() }
    }

    /// The optimised plan with the first of every choice, a line a step; `None` where the tool does not plan.
    pub fn plan(&self, tool: &Tool) -> Option<String> {
        let with = PlanWith { tables: &self.tables, functions: &self.functions, keyed: KeyedTables::Unknown };
        let plans = plan_every_choice(tool, with).ok()?;
        let plan = self.ctx.state().optimize(&plans.first()?.typical().ok()?).ok()?;
        Some(plan.display_indent().to_string())
    }
}
