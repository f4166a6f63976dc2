//! Windows: partitions, orders and frames.

use super::Collector;
use crate::infer::constraint::{Strength, Term};
use crate::infer::scope::Scope;
use crate::syntax::normalized;
use crate::ty::Type;
use sqlparser::ast::{
    Expr, Ident, NamedWindowDefinition, NamedWindowExpr, WindowFrameBound, WindowFrameUnits, WindowSpec,
};

/// What the rows of a window are ordered by at first, and its type.
type Order<'a> = Option<(&'a Expr, Term)>;

impl<'a> Collector<'a> {
    /// A window that is defined by name, for those that go on with it.
    pub(super) fn named_window<'s>(&mut self, window: &'a NamedWindowDefinition, scope: &'s Scope<'s, 'a>) {
        let order = match &window.1 {
            NamedWindowExpr::WindowSpec(spec) => self.window_spec(spec, scope),
            NamedWindowExpr::NamedWindow(name) => self.order_of(name),
        };
        self.windows.extend(order.map(|(expr, term)| (normalized(&window.0), expr, term)));
    }

    fn order_of(&self, name: &Ident) -> Order<'a> {
        let name = normalized(name);
        let (_, expr, term) = self.windows.iter().rev().find(|(known, ..)| *known == name)?;
        Some((*expr, term.clone()))
    }

    /// A window; what its rows are ordered by.
    pub(super) fn window_spec<'s>(&mut self, spec: &'a WindowSpec, scope: &'s Scope<'s, 'a>) -> Order<'a> {
        for expr in &spec.partition_by {
            self.expr(expr, scope);
        }
        let orders: Vec<Term> = spec.order_by.iter().map(|by| self.expr(&by.expr, scope)).collect();
        let own = spec.order_by.first().zip(orders.into_iter().next()).map(|(by, term)| (&by.expr, term));
        let order = own.or_else(|| self.order_of(spec.window_name.as_ref()?));
        let Some(frame) = &spec.window_frame else { return order };
        for bound in [Some(&frame.start_bound), frame.end_bound.as_ref()].into_iter().flatten() {
            let (WindowFrameBound::Preceding(Some(distance)) | WindowFrameBound::Following(Some(distance))) = bound
            else {
                continue;
            };
            let term = self.expr(distance, scope);
            match frame.units {
                WindowFrameUnits::Rows | WindowFrameUnits::Groups => self.row_count(&term),
                // A distance between values of the one column that is ordered by.
                WindowFrameUnits::Range => {
                    if let Some((by, order)) = &order {
                        self.distance((*by, order), (distance, &term));
                    }
                    let ordered = order.as_ref().and_then(|(_, order)| order.ground()).and_then(Type::from_arrow);
                    match ordered {
                        Some(ty) if ty.is_integer() => self.count(&term, Type::Bigint),
                        Some(ty @ Type::Decimal(..)) => self.must_be(&term, ty),
                        Some(ty) if ty.is_numeric() => self.count(&term, Type::Double),
                        Some(Type::Date | Type::Timestamp(_) | Type::Timestamptz(_)) => {
                            self.must_be(&term, Type::Interval);
                        }
                        _ => self.ask(&term, Type::Bigint, Strength::Guess),
                    }
                }
            }
        }
        order
    }
}
