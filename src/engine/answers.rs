//! Answers of programs, web services and functions that tests have kept: a test that is run again needs none of them.

use super::error::CallError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::PathBuf;

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
    /// They do not, and are kept below this folder.
    Keeping(PathBuf),
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

    /// Keeps an answer, where that is asked for.
    ///
    /// Errors: it cannot be written.
    pub(super) fn keep<T: Serialize>(&self, tool: &str, arguments: &Value, answer: T) -> Result<(), CallError> {
        let Answers::Keeping(folder) = self else { return Ok(()) };
        let path = folder.join(tool).join(file_name(arguments));
        let kept = Kept { arguments: arguments.clone(), answer };
        let text = serde_json::to_string_pretty(&kept).unwrap_or_default() + "\n";
        crate::load::write_atomically(&path, text.as_bytes())
            .map_err(|error| CallError::internal(format!("the answer cannot be kept: {error}")))
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
        let (keeping, kept) = (Answers::Keeping(folder.path().into()), Answers::Kept(folder.path().into()));
        keeping.keep("t", &json!({"a": 1, "b": [2]}), "x").unwrap();
        kept.keep("t", &json!({"a": 2}), "y").unwrap();
        assert_eq!(kept.kept::<String>("t", &json!({"b": [2], "a": 1})).unwrap().as_deref(), Some("x"));
        assert_eq!(kept.kept::<String>("t", &json!({"a": 2})).unwrap(), None);
        assert_eq!(keeping.kept::<String>("t", &json!({"a": 1, "b": [2]})).unwrap(), None);
        assert!(kept.kept::<u8>("t", &json!({"a": 1, "b": [2]})).is_err());
    }
}
