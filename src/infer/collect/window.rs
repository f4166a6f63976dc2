//! Windows: partitions, orders and frames.

use super::Collector;
use crate::infer::constraint::{Strength, Term};
use crate::infer::scope::Scope;
use crate::ty::Type;
use sqlparser::ast::{WindowFrameBound, WindowFrameUnits, WindowSpec};

impl<'a> Collector<'a> {
    pub(super) fn window_spec<'s>(&mut self, spec: &'a WindowSpec, scope: &'s Scope<'s, 'a>) {
        for expr in &spec.partition_by {
            self.expr(expr, scope);
        }
        let orders: Vec<Term> = spec.order_by.iter().map(|by| self.expr(&by.expr, scope)).collect();
        let Some(frame) = &spec.window_frame else { return };
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
                    if let (Some(by), Some(order)) = (spec.order_by.first(), orders.first()) {
                        self.distance((&by.expr, order), (distance, &term));
                    }
                    let order = orders.first().and_then(Term::ground).and_then(Type::from_arrow);
                    match order {
                        Some(ty) if ty.is_integer() => self.must_be(&term, Type::Bigint),
                        Some(ty @ Type::Decimal(..)) => self.must_be(&term, ty),
                        Some(ty) if ty.is_numeric() => self.must_be(&term, Type::Double),
                        Some(Type::Date | Type::Timestamp(_) | Type::Timestamptz(_)) => {
                            self.must_be(&term, Type::Interval);
                        }
                        _ => self.ask(&term, Type::Bigint, Strength::Guess),
                    }
                }
            }
        }
    }
}
