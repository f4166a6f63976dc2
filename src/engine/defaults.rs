//! What parameters are where the agent sends nothing: literals, and SQL that is evaluated at the moment of the call.

use super::encode;
use super::error::CallError;
use super::failure::detail_of;
use super::unplanned::Unplanned;
use crate::engine::code::CallCode;
use crate::infer::default_expression;
use crate::plan::functions::Functions;
use crate::plan::group_keys::Keys;
use crate::plan::planner;
use crate::syntax::default::statement_of;
use crate::syntax::link::parse_text;
use crate::tool::{Contract, Parameter};
use crate::ty::coerce::{Coercion, Strictness, TimeZoneName, shortened};
use chrono::{DateTime, Utc};
use datafusion::common::ScalarValue;
use datafusion::config::ConfigOptions;
use datafusion::logical_expr::Expr;
use std::collections::HashMap;
use std::sync::Arc;

/// The defaults of a tool.
#[derive(Debug, Clone, Default)]
pub struct Defaults {
    /// The zone of the project.
    pub time_zone: TimeZoneName,
    options: Arc<ConfigOptions>,
    /// Those that are SQL, by parameter, each with a value of the parameter's type.
    expressions: HashMap<String, Expr>,
}

impl Defaults {
    /// Those of a tool that has none of its own.
    pub(super) fn none(time_zone: &TimeZoneName) -> Defaults {
        Defaults { time_zone: time_zone.clone(), ..Defaults::default() }
    }

    /// Plans the defaults of a tool that are SQL.
    pub(super) fn plan(
        tool: &Contract,
        time_zone: &TimeZoneName,
        options: &Arc<ConfigOptions>,
        functions: &Functions,
    ) -> Result<Defaults, Unplanned> {
        let planner = planner::Planner { tables: &|_| None, functions, keys: Keys::NONE };
        let mut expressions = HashMap::new();
        for parameter in tool.parameters() {
            let Some(sql) = &parameter.default_expression else { continue };
            let statement = parse_text(&statement_of(sql), &|_| None)?;
            let plan = planner.plan(vec![("default", statement)], &[]).and_then(|plan| planner.analyze(plan))?;
            let without_value = || Unplanned::DefaultWithoutValue(parameter.name.clone());
            let value = planner::value(&plan).ok_or_else(without_value)?;
            let value = default_expression::typed(value, &parameter.ty, time_zone)?;
            expressions.insert(parameter.name.clone(), value);
        }
        Ok(Defaults { time_zone: time_zone.clone(), options: Arc::clone(options), expressions })
    }

    /// The options that functions of the moment are evaluated with.
    pub(super) fn options(&self) -> &Arc<ConfigOptions> {
        &self.options
    }

    /// Whether the default of a parameter is another one at every look (`random()`).
    pub(super) fn is_volatile(&self, parameter: &Parameter) -> bool {
        self.expressions.get(&parameter.name).is_some_and(Expr::is_volatile)
    }

    /// The default of a parameter at that moment, where it has one; `Some(None)` where it is NULL then.
    pub(super) fn value(
        &self,
        parameter: &Parameter,
        now: DateTime<Utc>,
    ) -> Option<Result<Option<ScalarValue>, CallError>> {
        let name = parameter.name.as_str();
        let coercion = Coercion { strictness: Strictness::Lax, time_zone: self.time_zone.clone() };
        if let Some(default) = &parameter.default {
            // Checked at compile time.
            let value = parameter.ty.coerce(default, &coercion).map(Some);
            return Some(value.map_err(|mismatch| CallError::internal(format!("default of {name}: {mismatch}"))));
        }
        let expression = self.expressions.get(name)?;
        let value = match default_expression::evaluate(expression, now, &self.options) {
            Ok(value) if value.is_null() => return Some(Ok(None)),
            Ok(value) => value,
            Err(error) => {
                let message = format!("the default of `{name}` cannot be evaluated at the moment");
                let error = CallError {
                    detail: Some(detail_of(&error)),
                    ..CallError::about(CallCode::DefaultFailed, name, message)
                };
                return Some(Err(error.hint("send a value")));
            }
        };
        let Some(told) = encode::json_of_value(&value, &parameter.ty) else {
            return Some(Err(CallError::internal(format!("default of {name}: {value}"))));
        };
        Some(match parameter.constraints.check(&parameter.ty, &told, &coercion) {
            Ok(()) => Ok(Some(value)),
            Err(violation) => {
                let got = shortened(&told);
                let message = format!(
                    "the argument `{name}` must be {}, and its default is {got} at the moment",
                    violation.expected
                );
                let error = CallError::about(CallCode::DefaultNotAllowed, name, message);
                Err(error.expected(violation.expected, got).hint("send a value"))
            }
        })
    }
}
