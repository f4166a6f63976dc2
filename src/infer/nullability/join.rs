//! Joins: what matches is not null, what finds no match is all null.

use super::Plans;
use super::expression::Scope;
use super::facts::Facts;
use super::predicate::Outcome;
use datafusion::common::{JoinType, NullEquality};
use datafusion::logical_expr::Join;

impl<'p> Plans<'p> {
    /// What is known of the rows of a join.
    pub(super) fn join(&self, join: &'p Join) -> Facts<'p> {
        let (left, right) = (self.facts(&join.left), self.facts(&join.right));
        let absent = |facts: &Facts<'p>| Facts::unknown(facts.width());
        match join.join_type {
            JoinType::Inner => self.matched(join, &left, &right),
            JoinType::Left => left.beside(&absent(&right)),
            JoinType::Right => absent(&left).beside(&right),
            JoinType::Full => absent(&left).beside(&absent(&right)),
            JoinType::LeftSemi => {
                let matched = self.matched(join, &left, &right);
                Facts::of(matched.columns().iter().copied().take(left.width()).collect())
            }
            JoinType::RightSemi => {
                let matched = self.matched(join, &left, &right);
                Facts::of(matched.columns().iter().copied().skip(left.width()).collect())
            }
            JoinType::LeftAnti => Facts::clone(&left),
            JoinType::RightAnti => Facts::clone(&right),
            JoinType::LeftMark => left.beside(&Facts::unknown(1)),
            JoinType::RightMark => right.beside(&Facts::unknown(1)),
        }
    }

    /// The rows of both sides that match.
    fn matched(&self, join: &'p Join, left: &Facts<'p>, right: &Facts<'p>) -> Facts<'p> {
        let mut facts = left.beside(right);
        let left_scope = Scope::new(self, join.left.schema(), left);
        let right_scope = Scope::new(self, join.right.schema(), right);
        for (one, other) in &join.on {
            let (one_is_value, other_is_value) = match join.null_equality {
                NullEquality::NullEqualsNothing => (true, true),
                // NULL matches NULL: what is never null on one side is null on neither.
                NullEquality::NullEqualsNull => (!right_scope.nullable(other), !left_scope.nullable(one)),
            };
            if one_is_value {
                facts.learn(left_scope.known(one));
            }
            if other_is_value {
                facts.learn(right_scope.known(other).moved(left.width()));
            }
        }
        // The condition speaks of both sides, whichever of them the join returns.
        if let Some(filter) = &join.filter
            && let Ok(both) = join.left.schema().join(join.right.schema())
        {
            let implied = Scope::new(self, &both, &facts).implied(filter, Outcome::True);
            facts.learn(implied);
        }
        facts
    }
}
