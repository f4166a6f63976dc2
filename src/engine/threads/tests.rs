//! What becomes of threads that somebody does not let go of.
#![allow(clippy::unwrap_used)]

use super::*;
use std::sync::atomic::AtomicBool;

/// Waits, for some seconds at most, until so many queries of somebody are lost.
async fn are_lost(whose: &Whose, count: usize) -> bool {
    for _ in 0..1_000 {
        if LOST.by_caller().get(whose).copied().unwrap_or(0) == count {
            return true;
        }
        sleep(Duration::from_millis(5)).await;
    }
    false
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_query_counts_as_lost_until_what_it_has_started_has_ended() {
    let threads = Threads::new(&Limits::default());
    let whose = Whose::Tool("starts something".into());
    let (may_end, ends) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let query = {
        let (may_end, ends) = (Arc::clone(&may_end), Arc::clone(&ends));
        async move {
            tokio::spawn(async move {
                while !may_end.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                ends.store(true, Ordering::Relaxed);
            });
        }
    };
    assert!(threads.run(query, whose.clone(), ()).await.is_ok());
    assert!(are_lost(&whose, 1).await, "it goes on");
    may_end.store(true, Ordering::Relaxed);
    assert!(are_lost(&whose, 0).await, "it has ended");
    assert!(ends.load(Ordering::Relaxed));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_query_of_a_lane_is_not_stopped() {
    let threads = Threads::new(&Limits { concurrency: 1, ..Limits::default() });
    let whose = Whose::Tool("is stopped".into());
    let waits = std::future::pending::<()>();
    let given_up = timeout(Duration::from_millis(10), threads.run(waits, whose.clone(), ())).await;
    assert!(given_up.is_err());
    let checks = async { crate::plan::stop::check().is_ok() };
    assert!(matches!(threads.run(checks, whose, ()).await, Ok(true)));
}
