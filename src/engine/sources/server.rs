//! What databases have in common that are servers: how they are connected to, how often, and by whom they are trusted.

pub(super) mod address;
mod breaker;
pub(super) mod connections;
pub(super) mod failure;
pub(super) mod rows;
pub(super) mod tls;
pub(super) mod typed;
