//! A queue that knows the sum of what is in it and never subtracts.
//!
//! Two stacks: what comes is summed up behind; what goes is taken from sums of all that comes after it. Where there are
//! no more of these, they are made of what came meanwhile. So every row is added twice, whatever the length of a frame.

use std::fmt::Debug;

/// What some rows that stand one after another come to.
pub(super) trait Part: Debug + Copy + Default + Send + Sync + 'static {
    /// One row. A function of one column has it twice.
    fn of(one: Option<f64>, other: Option<f64>) -> Self;
    /// Together with the rows behind.
    fn and(self, behind: Self) -> Self;
}

/// The rows of a frame.
#[derive(Debug, Default)]
pub(super) struct Queue<P> {
    /// For each of the older rows what it and all older rows behind it come to; the oldest is the last.
    front: Vec<P>,
    /// The newer rows.
    back: Vec<P>,
    /// What the newer rows come to.
    newer: P,
}

impl<P: Part> Queue<P> {
    pub(super) fn push(&mut self, row: P) {
        self.newer = self.newer.and(row);
        self.back.push(row);
    }

    /// Lets the oldest rows go.
    pub(super) fn pop(&mut self, mut rows: usize) {
        while rows > 0 {
            if self.front.is_empty() {
                // What goes at once is not summed up first.
                let gone = rows.min(self.back.len());
                self.back.drain(..gone);
                self.turn();
                return;
            }
            let gone = rows.min(self.front.len());
            self.front.truncate(self.front.len() - gone);
            rows -= gone;
        }
    }

    fn turn(&mut self) {
        let mut sum = P::default();
        while let Some(row) = self.back.pop() {
            sum = row.and(sum);
            self.front.push(sum);
        }
        self.newer = P::default();
    }

    pub(super) fn sum(&self) -> P {
        self.front.last().copied().unwrap_or_default().and(self.newer)
    }

    pub(super) fn size(&self) -> usize {
        (self.front.capacity() + self.back.capacity()) * size_of::<P>()
    }
}
