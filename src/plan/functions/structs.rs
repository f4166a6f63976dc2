//! Literals of structs, `struct(a AS b)`, made by the functions that are called by a name: what DataFusion's planner takes for them
//! has no bounds.

use datafusion::common::Result;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult};
use datafusion::logical_expr::{Expr, ScalarUDF};
use std::collections::HashMap;
use std::sync::Arc;

/// Plans such literals.
#[derive(Debug)]
pub(super) struct Structs {
    named: Arc<ScalarUDF>,
    unnamed: Arc<ScalarUDF>,
}

impl Structs {
    /// With two of these functions; `None` where one of them is missing.
    pub(super) fn of(functions: &HashMap<String, Arc<ScalarUDF>>) -> Option<Structs> {
        let function = |name: &str| functions.get(name).cloned();
        Some(Structs { named: function("named_struct")?, unnamed: function("struct")? })
    }
}

impl ExprPlanner for Structs {
    fn plan_struct_literal(&self, args: Vec<Expr>, is_named: bool) -> Result<PlannerResult<Vec<Expr>>> {
        let function = Arc::clone(if is_named { &self.named } else { &self.unnamed });
        Ok(PlannerResult::Planned(Expr::ScalarFunction(ScalarFunction::new_udf(function, args))))
    }
}
