//! Names that clients make up.

/// As much of a name that a client made up as is told again.
pub(super) fn shortened(name: &str) -> String {
    name.chars().take(100).collect()
}
