//! The files that were found to be whole, so that each is looked through once.

use super::super::cache::OpenStamp;
use super::super::unchanged::tells_changes;
use object_store::ObjectMeta;
use object_store::path::Path;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Mutex as Turn;

/// How many files are remembered.
const MOST: usize = 1 << 16;

/// What a file looked like when it was whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Look {
    /// On this machine.
    Here(OpenStamp),
    /// In a store, which says when it changed, and mostly a name for every state.
    Elsewhere(ObjectMeta),
}

/// The files that were whole.
#[derive(Debug, Default)]
pub(super) struct Seen {
    files: Mutex<HashMap<Path, Look>>,
    /// The files that are looked through just now.
    turns: Mutex<HashMap<Path, Arc<Turn<()>>>>,
}

impl Seen {
    /// Whether a file was whole when it looked like that.
    pub(super) fn has(&self, file: &Path, look: &Look) -> bool {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).get(file) == Some(look)
    }

    /// Whose turn it is to look a file through: parts of it are read at the same time, and one look is enough.
    pub(super) fn turn(&self, file: &Path) -> Arc<Turn<()>> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(turns.entry(file.clone()).or_default())
    }

    /// Remembers that a file is whole, if another state of it would look different.
    pub(super) fn add(&self, file: Path, look: Look) {
        let would_show = match &look {
            Look::Here(stamp) => stamp.is_settled(),
            Look::Elsewhere(file) => tells_changes(file),
        };
        if would_show {
            let mut seen = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            if seen.len() >= MOST {
                seen.clear();
            }
            seen.insert(file, look);
        }
    }
}
