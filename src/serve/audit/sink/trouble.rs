//! How often the log is told of what goes wrong with every line.

use std::time::{Duration, Instant};

/// How long the log is not told the same again.
const REPORT: Duration = Duration::from_secs(60);

/// What the log is told once a minute at most.
#[derive(Default)]
pub(super) struct Seldom {
    told: Option<Instant>,
}

impl Seldom {
    /// Whether it is to be told now. Whoever asks tells it.
    pub(super) fn is_due(&mut self) -> bool {
        let is_due = self.told.is_none_or(|told| told.elapsed() >= REPORT);
        if is_due {
            self.told = Some(Instant::now());
        }
        is_due
    }
}

/// Lines that are lost: in all, and since lines are lost.
#[derive(Default)]
pub(super) struct Losses {
    total: u64,
    now: u64,
    /// Of how many of those the log was told.
    told: u64,
    seldom: Seldom,
}

impl Losses {
    /// Counts a line; how many are lost by now, where the log is to be told: of the first, whenever there are twice as
    /// many, and once a minute.
    pub(super) fn add(&mut self) -> Option<u64> {
        self.total += 1;
        self.now += 1;
        let is_doubled = self.now >= 2 * self.told;
        // Asked in any case: what was told by number is not told by time a moment later.
        if is_doubled {
            self.seldom = Seldom { told: Some(Instant::now()) };
        }
        (is_doubled || self.seldom.is_due()).then(|| {
            self.told = self.now;
            self.now
        })
    }

    /// A line was written: how many were lost before it, where any was.
    pub(super) fn end(&mut self) -> Option<u64> {
        self.told = 0;
        Some(std::mem::take(&mut self.now)).filter(|lost| *lost > 0)
    }

    /// How many are lost since lines are.
    pub(super) fn now(&self) -> u64 {
        self.now
    }

    /// The same, where the log was not told the last number.
    pub(super) fn untold(&self) -> Option<u64> {
        (self.now > self.told).then_some(self.now)
    }

    /// How many were lost in all.
    pub(super) fn total(&self) -> u64 {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_told_when_they_double_and_once_a_minute_and_when_they_end() {
        let mut losses = Losses::default();
        assert_eq!(losses.end(), None);
        let told: Vec<u64> = (0..20).filter_map(|_| losses.add()).collect();
        assert_eq!(told, [1, 2, 4, 8, 16]);
        assert_eq!((losses.now(), losses.untold()), (20, Some(20)));
        losses.seldom.told = Instant::now().checked_sub(REPORT);
        assert_eq!(losses.add(), Some(21));
        assert_eq!((losses.add(), losses.untold()), (None, Some(22)));
        assert_eq!(losses.end(), Some(22));
        assert_eq!((losses.end(), losses.now(), losses.total()), (None, 0, 22));
        assert_eq!(losses.add(), Some(1), "the next time");
    }

    #[test]
    fn what_is_told_seldom_is_told_once_a_minute() {
        let mut seldom = Seldom::default();
        assert_eq!([seldom.is_due(), seldom.is_due()], [true, false]);
        seldom.told = Instant::now().checked_sub(REPORT);
        assert!(seldom.is_due());
    }
}
