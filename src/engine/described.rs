//! What functions in Python say of themselves: asked of the project's own interpreter.

use super::program_place::ProgramPlace;
pub use super::runners::NotDescribed;
use super::runners::describe_function;
use crate::project::{ProjectFile, PythonConfig};
use serde_json::Value;
use std::path::Path;

/// What a function says of itself: its parameters with types and defaults, its documentation, what it returns.
///
/// Errors: it cannot be imported, or is none; there is no interpreter, or no sandbox.
pub fn function_described(dir: &Path, file: &ProjectFile, python: &PythonConfig) -> Result<Value, NotDescribed> {
    let place = ProgramPlace::new(dir, file);
    describe_function(python, &place)
}
