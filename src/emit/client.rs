//! What typed clients in all languages have in common: names, types as JSON has them, and text inside of source code.

#[cfg(test)]
pub(super) mod fixture;
pub(super) mod names;
pub(super) mod shape;
pub(super) mod text;
