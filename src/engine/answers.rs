//! Answers of programs, web services and functions that tests have kept: a test that is run again needs none of them.

use super::error::CallError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Where answers are kept, below the project.
pub const ANSWERS: &str = "snapshots/answers";
/// How many digits of a hash name a file.
const DIGITS: usize = 16;

/// Whether answers come from what was kept.
#[derive(Debug, Clone, Default)]
pub(super) enum Answers {
    /// They do not.
    #[default]
    Live,
    /// They do, where something was kept below this folder.
    Kept(PathBuf),
    /// They do not, and are kept.
    Keeping(Arc<Keeping>),
}

/// Answers that are to be kept, if what came of them is right.
#[derive(Debug)]
pub(super) struct Keeping {
    /// The folder below which they are.
    folder: PathBuf,
    /// Their texts by their files.
    texts: Mutex<BTreeMap<PathBuf, String>>,
}

/// An answer as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    /// The arguments that it is the answer to.
    arguments: Value,
    answer: T,
}

impl Answers {
    /// What was kept of a call; `None` where nothing was, or it is not to be used.
    ///
    /// Errors: what was kept cannot be read.
    pub(super) fn kept<T: DeserializeOwned>(&self, tool: &str, arguments: &Value) -> Result<Option<T>, CallError> {
        let Answers::Kept(folder) = self else { return Ok(None) };
        let path = folder.join(tool).join(file_name(arguments));
        let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
        let kept: Kept<T> = serde_json::from_str(&text)
            .map_err(|error| CallError::internal(format!("the kept answer `{}`: {error}", path.display())))?;
        Ok(Some(kept.answer))
    }

    /// Answers that are kept below a folder, as soon as they are [written](Answers::write).
    pub(super) fn keeping(folder: PathBuf) -> Answers {
        Answers::Keeping(Arc::new(Keeping { folder, texts: Mutex::default() }))
    }

    /// Keeps an answer, where that is asked for.
    pub(super) fn keep<T: Serialize>(&self, tool: &str, arguments: &Value, answer: T) {
        let Answers::Keeping(keeping) = self else { return };
        let path = keeping.folder.join(tool).join(file_name(arguments));
        let kept = Kept { arguments: arguments.clone(), answer };
        let text = serde_json::to_string_pretty(&kept).unwrap_or_default() + "\n";
        keeping.texts.lock().unwrap_or_else(PoisonError::into_inner).insert(path, text);
    }

    /// Writes what is to be kept.
    ///
    /// Errors: a file cannot be written.
    pub(super) fn write(&self) -> std::io::Result<()> {
        let Answers::Keeping(keeping) = self else { return Ok(()) };
        let texts = std::mem::take(&mut *keeping.texts.lock().unwrap_or_else(PoisonError::into_inner));
        texts.into_iter().try_for_each(|(path, text)| crate::load::write_atomically(&path, text.as_bytes()))
    }
}

/// The file of the answer to some arguments.
fn file_name(arguments: &Value) -> String {
    let mut sorted = arguments.clone();
    sorted.sort_all_objects();
    let hash = hex::encode(Sha256::digest(sorted.to_string().as_bytes()));
    format!("{}.json", hash.get(..DIGITS).unwrap_or(&hash))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_kept_is_the_answer_to_equal_arguments() {
        let folder = tempfile::tempdir().unwrap();
        let (keeping, kept) = (Answers::keeping(folder.path().into()), Answers::Kept(folder.path().into()));
        keeping.keep("t", &json!({"a": 1, "b": [2]}), "x");
        kept.keep("t", &json!({"a": 2}), "y");
        assert_eq!(kept.kept::<String>("t", &json!({"a": 1, "b": [2]})).unwrap(), None, "it is not written yet");
        keeping.write().unwrap();
        kept.write().unwrap();
        assert_eq!(kept.kept::<String>("t", &json!({"b": [2], "a": 1})).unwrap().as_deref(), Some("x"));
        assert_eq!(kept.kept::<String>("t", &json!({"a": 2})).unwrap(), None);
        assert_eq!(keeping.kept::<String>("t", &json!({"a": 1, "b": [2]})).unwrap(), None);
        assert!(kept.kept::<u8>("t", &json!({"a": 1, "b": [2]})).is_err());
    }
}
