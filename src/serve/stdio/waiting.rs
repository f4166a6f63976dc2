//! The requests of a client that have no answer yet.

use super::super::admitted::Admitted;
use rmcp::model::RequestId;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Requests that wait for their answers.
#[derive(Default)]
pub(super) struct Waiting(Mutex<Requests>);

#[derive(Default)]
struct Requests {
    open: HashMap<RequestId, Request>,
    /// Whether those that were left have been answered, since the server ends.
    are_over: bool,
}

/// One of them.
enum Request {
    /// With what is recorded of it, if anything.
    Open(Option<Admitted>),
    /// It was cancelled. Its id stays: its answer could still come, and would be taken for that of another one.
    Cancelled,
}

impl Waiting {
    /// A request waits from now on.
    pub(super) fn add(&self, id: RequestId, admitted: Option<Admitted>) {
        self.lock().open.insert(id, Request::Open(admitted));
    }

    /// Whether one of that id waits.
    pub(super) fn has(&self, id: &RequestId) -> bool {
        self.lock().open.contains_key(id)
    }

    /// Lets go of one that its client has cancelled; `false` where there is none.
    pub(super) fn cancel(&self, id: &RequestId) -> bool {
        self.lock().open.get_mut(id).map(|request| *request = Request::Cancelled).is_some()
    }

    /// One is answered: does that with what is recorded of it, at one moment with the end of its waiting. `None` where others have
    /// answered it, since the server ends.
    pub(super) fn answer<T>(&self, id: &RequestId, by: impl FnOnce(Option<Admitted>) -> T) -> Option<T> {
        let mut requests = self.lock();
        match requests.open.remove(id) {
            None if requests.are_over => None,
            Some(Request::Open(admitted)) => Some(by(admitted)),
            Some(Request::Cancelled) | None => Some(by(None)),
        }
    }

    /// Takes all that wait: whoever takes them answers them, and nobody else does any more.
    pub(super) fn end(&self) -> Vec<RequestId> {
        let mut requests = self.lock();
        requests.are_over = true;
        let left = requests.open.drain().filter(|(_, request)| matches!(request, Request::Open(_)));
        left.map(|(id, _)| id).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Requests> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_answered_once() {
        let waiting = Waiting::default();
        let id = RequestId::Number;
        for number in 1..=3 {
            waiting.add(id(number), None);
        }
        assert!(waiting.answer(&id(1), |_| ()).is_some() && waiting.cancel(&id(2)) && !waiting.cancel(&id(4)));
        assert!(waiting.has(&id(2)), "its answer may still come");
        assert_eq!(waiting.end(), [id(3)]);
        assert!(waiting.answer(&id(3), |_| ()).is_none() && waiting.answer(&id(2), |_| ()).is_none());
    }
}
