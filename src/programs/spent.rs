//! The time of processors that the processes of a program took together. What has ended is counted where its parent, or
//! the server, has waited for it; of those that nobody waits for, only as many as were seen while they ran.

use super::descendants::Seen;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// What was taken, as far as it was seen.
#[derive(Debug)]
pub(super) struct Spent {
    known: HashMap<i32, Known>,
    /// What those took that the server has waited for, with those that they had waited for.
    waited: Duration,
    last: Instant,
    looks: u64,
}

/// What a process took when it was last seen.
#[derive(Debug, Default)]
struct Known {
    own: Duration,
    /// What it is taken to run on for, where it runs and is not seen again: by chance, half the time until the next
    /// look.
    stands_for: Duration,
    /// When it was last seen.
    look: u64,
}

impl Spent {
    /// Of a program that starts now.
    pub(super) fn new() -> Spent {
        Spent { known: HashMap::new(), waited: Duration::ZERO, last: Instant::now(), looks: 0 }
    }

    /// Adds one that the server has waited for.
    pub(super) fn add_waited(&mut self, process: &Seen) {
        self.waited += process.cpu;
    }

    /// What was taken until now.
    pub(super) fn until_now(&mut self, seen: &[Seen]) -> Duration {
        let since = self.last.elapsed();
        self.last = Instant::now();
        self.looks += 1;
        for process in seen {
            let (ran, part) = if process.is_running { running(process.id) } else { (Duration::ZERO, 0.0) };
            let known = self.known.entry(process.id).or_default();
            known.own = known.own.max(process.own_cpu).max(ran);
            known.look = self.looks;
            known.stands_for = since.mul_f64(part / 2.0);
        }
        let waited: Duration = seen.iter().map(|process| process.cpu).sum();
        let own: Duration = self.known.values().map(|known| known.own).sum();
        let gone = self.known.values().filter(|known| known.look < self.looks);
        (own + gone.map(|known| known.stands_for).sum::<Duration>()).max(waited + self.waited)
    }
}

/// For how long the first thread of a process ran, and which part that is of the time that it wanted to run.
fn running(id: i32) -> (Duration, f64) {
    let Some((ran, waited)) = super::descendants::schedule(id) else { return (Duration::ZERO, 0.0) };
    (Duration::from_nanos(ran), ran as f64 / ran.saturating_add(waited).max(1) as f64)
}
