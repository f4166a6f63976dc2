//! When a server that was lost or not reached is tried again.

use super::config::Restart;
use super::failure::Failure;
use std::time::{Duration, Instant};

/// Remembers what went wrong lately, and until when nothing is tried.
#[derive(Debug)]
pub(super) struct Breaker {
    restart: Restart,
    in_a_row: u32,
    until: Option<(Instant, Failure)>,
}

impl Breaker {
    /// Nothing went wrong yet.
    pub(super) fn new(restart: Restart) -> Breaker {
        Breaker { restart, in_a_row: 0, until: None }
    }

    /// Whether a connection may be tried at a moment.
    ///
    /// Errors: a pause is not over; it is what went wrong before it.
    pub(super) fn admit(&self, now: Instant) -> Result<(), Failure> {
        match &self.until {
            Some((until, failure)) if now < *until => Err(failure.clone()),
            _ => Ok(()),
        }
    }

    /// Notes that the server was not reached.
    pub(super) fn not_reached(&mut self, now: Instant, failure: Failure) {
        self.in_a_row = self.in_a_row.saturating_add(1);
        self.until = Some((now + self.pause(self.in_a_row), failure));
    }

    /// Notes that a connection was lost that had held for some time.
    pub(super) fn lost(&mut self, now: Instant, held: Duration) {
        if held >= self.restart.steady {
            self.in_a_row = 0;
        }
        let failure = Failure::Unreachable("it was lost again and again, and is left alone for a while".to_owned());
        let pause = self.pause(self.in_a_row);
        self.in_a_row = self.in_a_row.saturating_add(1);
        self.until = Some((now + pause, failure));
    }

    /// How long the pause is after so many losses that cost one.
    fn pause(&self, losses: u32) -> Duration {
        match losses.checked_sub(1) {
            None => Duration::ZERO,
            Some(doublings) => {
                self.restart.first.saturating_mul(2_u32.saturating_pow(doublings)).min(self.restart.longest)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaker() -> Breaker {
        Breaker::new(Restart {
            first: Duration::from_millis(100),
            longest: Duration::from_secs(1),
            steady: Duration::from_secs(60),
        })
    }

    #[test]
    fn the_first_loss_costs_no_pause_and_the_next_double_it() {
        let (mut breaker, now) = (breaker(), Instant::now());
        breaker.lost(now, Duration::from_secs(1));
        assert!(breaker.admit(now).is_ok());
        breaker.lost(now, Duration::from_secs(1));
        assert!(breaker.admit(now + Duration::from_millis(99)).is_err());
        assert!(breaker.admit(now + Duration::from_millis(100)).is_ok());
        breaker.lost(now, Duration::from_secs(1));
        assert!(breaker.admit(now + Duration::from_millis(199)).is_err());
        assert!(breaker.admit(now + Duration::from_millis(200)).is_ok());
    }

    #[test]
    fn a_pause_is_never_longer_than_the_longest() {
        let (mut breaker, now) = (breaker(), Instant::now());
        for _ in 0..40 {
            breaker.not_reached(now, Failure::TimedOut);
        }
        assert_eq!(breaker.admit(now + Duration::from_millis(999)), Err(Failure::TimedOut));
        assert!(breaker.admit(now + Duration::from_secs(1)).is_ok());
    }

    #[test]
    fn a_connection_that_held_long_is_made_again_at_once() {
        let (mut breaker, now) = (breaker(), Instant::now());
        for _ in 0..5 {
            breaker.not_reached(now, Failure::TimedOut);
        }
        breaker.lost(now, Duration::from_secs(61));
        assert!(breaker.admit(now).is_ok());
    }
}
