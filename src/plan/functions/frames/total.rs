//! Sums and averages.

use super::queue::Part;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    Sum,
    Average,
}

/// How many values there are, and their sum.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Total {
    values: u64,
    sum: f64,
}

impl Total {
    pub(super) fn get(self, asked: Asked) -> Option<f64> {
        let found = match asked {
            Asked::Sum => self.sum,
            Asked::Average => self.sum / self.values as f64,
        };
        (self.values > 0).then_some(found)
    }
}

impl Part for Total {
    fn of(one: Option<f64>, _: Option<f64>) -> Total {
        one.map_or_else(Total::default, |sum| Total { values: 1, sum })
    }

    fn and(self, behind: Total) -> Total {
        match (self.values, behind.values) {
            (_, 0) => self,
            (0, _) => behind,
            (one, other) => Total { values: one + other, sum: self.sum + behind.sum },
        }
    }
}
