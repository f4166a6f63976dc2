//! `time AT TIME ZONE 'zone'` as the call that it stands for: `timezone('zone', time)`.
//!
//! DataFusion's planner casts instead, to an instant that carries the zone. That says nothing to PostgreSQL's rule, by
//! which an instant becomes what clocks show there, and a local time becomes the instant.

use crate::plan::zones::AT_ZONE;
use crate::syntax::written_call::call;
use sqlparser::ast::{Expr, Ident, Spanned, Statement, Value, VisitMut, VisitorMut};
use std::ops::ControlFlow;

/// Replaces it where the zone is a text. The planner refuses all other zones.
pub(super) fn to_calls(statement: &mut Statement) {
    let _ = statement.visit(&mut Calls);
}

struct Calls;

impl VisitorMut for Calls {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        let span = expr.span();
        if let Expr::AtTimeZone { timestamp, time_zone } = expr
            && matches!(time_zone.as_ref(), Expr::Value(zone) if matches!(zone.value, Value::SingleQuotedString(_)))
        {
            let args = [time_zone, timestamp].map(|arg| std::mem::replace(arg.as_mut(), Expr::value(Value::Null)));
            *expr = call(Ident::with_span(span, AT_ZONE), args);
        }
        ControlFlow::Continue(())
    }
}
