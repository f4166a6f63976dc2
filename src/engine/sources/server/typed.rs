//! Addresses that were typed in this process, where others are set in its environment.

use std::collections::HashMap;
use std::env::VarError;
use std::sync::{LazyLock, Mutex, PoisonError};

/// By the variable that would hold them. They may have passwords in them, and are neither written nor told.
static TYPED: LazyLock<Mutex<HashMap<String, String>>> = LazyLock::new(Mutex::default);

/// From now on, an address stands in the place of what a variable holds. It is for the command line alone: a server's addresses
/// are those of its environment.
pub fn use_address(variable: &str, address: &str) {
    TYPED.lock().unwrap_or_else(PoisonError::into_inner).insert(variable.to_owned(), address.to_owned());
}

/// The address of a variable: the one that was typed, else what the environment says.
///
/// Errors: there is none, or it is no text.
pub(in crate::engine::sources) fn address(variable: &str) -> Result<String, VarError> {
    let typed = TYPED.lock().unwrap_or_else(PoisonError::into_inner).get(variable).cloned();
    typed.map_or_else(|| std::env::var(variable), Ok)
}
