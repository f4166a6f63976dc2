//! The rules of a tool: what its author demands of the arguments together.

use super::planned::slot_types;
use super::unplanned::Unplanned;
use crate::plan::functions::Functions;
use crate::plan::group_keys::Keys;
use crate::plan::planner;
use crate::syntax::link::parse_text;
use crate::tool::Contract;
use datafusion::logical_expr::Expr;

/// A rule's condition, and what is said where it does not hold.
pub(super) type Condition = (Expr, String);

/// Plans the rules of a tool, whatever its body is.
pub(super) fn plan_rules(contract: &Contract, functions: &Functions) -> Result<Vec<Condition>, Unplanned> {
    let types = slot_types(contract);
    let planner = planner::Planner { tables: &|_| None, functions, keys: Keys::NONE };
    let condition = |statement: &str| {
        let statement = parse_text(statement, &|_| None)?;
        let plan = planner.plan(vec![("rule", statement)], &types).and_then(|plan| planner.analyze(plan))?;
        planner::condition(&plan).ok_or(Unplanned::RuleWithoutCondition)
    };
    contract.rules.iter().map(|rule| Ok((condition(&rule.statement)?, rule.message.clone()))).collect()
}
