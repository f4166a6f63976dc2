//! What functions in Python and programs in Fractalic's convention say of themselves: asked of them.

use super::program_place::ProgramPlace;
pub use super::runners::{NotDescribed, ProgramDescribed};
use super::runners::{describe_function, describe_program};
use crate::project::{ProjectFile, PythonConfig, SimpleJsonConfig};
use serde_json::Value;
use std::path::Path;

/// What a function says of itself: its parameters with types and defaults, its documentation, what it returns.
///
/// Errors: it cannot be imported, or is none; there is no interpreter, or no sandbox.
pub fn function_described(dir: &Path, file: &ProjectFile, python: &PythonConfig) -> Result<Value, NotDescribed> {
    let place = ProgramPlace::new(dir, file);
    describe_function(python, &place)
}

/// What a program in Fractalic's convention says of itself. It is run for that, twice.
///
/// Errors: it cannot be started, or does not answer as the convention says.
pub fn program_described(
    dir: &Path,
    file: &ProjectFile,
    program: &SimpleJsonConfig,
) -> Result<ProgramDescribed, NotDescribed> {
    describe_program(program, &ProgramPlace::new(dir, file))
}
