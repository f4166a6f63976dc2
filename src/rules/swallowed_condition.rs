//! A condition applies whether an optional clause before it is left out or not.
//!
//! Bad: `a [[ OR b > << least >> ]] [[ AND c < << most >> ]]`, where `c` goes with `b`. Good:
//! `(a [[ OR b > << least >> ]]) [[ AND c < << most >> ]]`; a clause in the clause, where that is meant.

use crate::diagnostic::{Diagnostics, codes};
use crate::shape::Shape;

/// Warns of each condition that goes with a clause, and shows the brackets.
pub(super) fn check(shape: &Shape, sink: &mut Diagnostics) {
    for one in &shape.swallowed {
        sink.push(codes::swallowed_condition(one.and, one.clause, (one.open, one.close)));
    }
}
