//! What a program wrote to its standard error: the end of it is kept, and each line is passed on.

use crate::upstreams::config::Log;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How many bytes are kept.
const KEPT: usize = 64 << 10;

/// The end of what a program wrote.
#[derive(Clone, Default)]
pub(crate) struct Said {
    kept: Arc<Mutex<VecDeque<u8>>>,
    log: Option<Log>,
}

impl Said {
    /// Nothing yet; lines are passed on to the log.
    pub(crate) fn new(log: Option<Log>) -> Said {
        Said { kept: Arc::default(), log }
    }

    /// Takes a line.
    pub(super) fn add(&self, line: &[u8]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(line);
        kept.push_back(b'\n');
        let beyond = kept.len().saturating_sub(KEPT);
        kept.drain(..beyond);
        drop(kept);
        if let Some(log) = &self.log {
            log(&String::from_utf8_lossy(line));
        }
    }

    /// What is kept.
    pub(crate) fn text(&self) -> String {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(kept.make_contiguous()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_the_beginning_is_not() {
        let said = Said::new(None);
        for number in 0..10_000 {
            said.add(format!("line {number:05}").as_bytes());
        }
        let text = said.text();
        assert_eq!(text.len(), KEPT);
        assert!(text.ends_with("line 09998\nline 09999\n"));
    }
}
