//! Where programs run: the project's folder, what they may see of it, and how many at once.

use super::answers::Answers;
use super::tables::{Roots, TableError};
use super::workers::Workers;
use crate::project::ProjectFile;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many programs run at once.
const MOST: usize = 32;
/// How many of them one caller has at most: the others have turns left.
const MOST_OF_ONE: usize = 24;

/// Where programs run.
#[derive(Debug, Clone)]
pub(super) struct ProgramPlace {
    folder: PathBuf,
    declared: Vec<String>,
    /// Whether they run only where they can be confined.
    pub(super) requires_sandbox: bool,
    /// The variables of the environment that `qtool.yaml` speaks of.
    pub(super) withheld: Vec<String>,
    turns: Arc<Turns>,
    /// Whether answers come from what tests have kept.
    pub(super) answers: Answers,
    /// Processes that wait for calls.
    pub(super) workers: Arc<Workers>,
}

#[derive(Debug)]
struct Turns {
    all: Arc<Semaphore>,
    by_caller: Mutex<HashMap<Arc<str>, Arc<Semaphore>>>,
}

/// A turn of a program, for as long as this is there.
pub(super) struct ProgramTurn {
    _own: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl ProgramPlace {
    /// That of a project in a folder.
    pub(super) fn new(folder: &Path, file: &ProjectFile) -> ProgramPlace {
        let turns = Turns { all: Arc::new(Semaphore::new(MOST)), by_caller: Mutex::default() };
        ProgramPlace {
            folder: folder.to_owned(),
            declared: file.roots.clone(),
            requires_sandbox: file.programs.requires_sandbox(),
            withheld: file.programs.withheld.clone(),
            turns: Arc::new(turns),
            answers: Answers::default(),
            workers: Arc::default(),
        }
    }

    /// The folders that programs may be given parts of. They are looked for anew each time.
    ///
    /// Errors: one of them is not there.
    pub(super) fn roots(&self) -> Result<Roots, TableError> {
        Roots::new(&self.folder, &self.declared)
    }

    /// The folder of the project, links followed.
    ///
    /// Errors: it is not there.
    pub(super) fn folder(&self) -> std::io::Result<PathBuf> {
        self.folder.canonicalize()
    }

    /// Waits for a turn of a caller; `None` where there will be none.
    pub(super) async fn turn(&self, whose: &Arc<str>) -> Option<ProgramTurn> {
        let own = {
            let mut by_caller = self.turns.by_caller.lock().unwrap_or_else(PoisonError::into_inner);
            // Who has none under way and waits for none is forgotten.
            by_caller.retain(|_, turns| Arc::strong_count(turns) > 1 || turns.available_permits() < MOST_OF_ONE);
            Arc::clone(by_caller.entry(Arc::clone(whose)).or_insert_with(|| Arc::new(Semaphore::new(MOST_OF_ONE))))
        };
        let own = own.acquire_owned().await.ok()?;
        let all = Arc::clone(&self.turns.all).acquire_owned().await.ok()?;
        Some(ProgramTurn { _own: own, _all: all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[test]
    fn one_caller_leaves_turns_for_others() {
        let file: ProjectFile = serde_json::from_value(serde_json::json!({"name": "a"})).unwrap();
        let place = ProgramPlace::new(Path::new("."), &file);
        let (one, other): (Arc<str>, Arc<str>) = ("one".into(), "other".into());
        let held: Vec<ProgramTurn> =
            (0..MOST_OF_ONE).map(|_| place.turn(&one).now_or_never().flatten().unwrap()).collect();
        assert!(place.turn(&one).now_or_never().is_none());
        assert!(place.turn(&other).now_or_never().flatten().is_some());
        drop(held);
        assert!(place.turn(&one).now_or_never().flatten().is_some());
    }
}
