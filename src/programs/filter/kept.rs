//! What the filter depends on.

/// What the filter depends on.
#[derive(Debug, Clone, Copy)]
pub(in crate::programs) struct Kept {
    /// Whether the internet protocols are allowed.
    pub(in crate::programs) network: bool,
    /// The version of Landlock that holds beside it: what it does not cover is covered here.
    pub(in crate::programs) landlock: i32,
    /// The group of the program's processes.
    pub(in crate::programs) group: u32,
}
