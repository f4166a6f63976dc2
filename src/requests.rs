//! One HTTP request of a tool and its answer: bounded in time, bytes and redirects, and kept from private addresses.
//!
//! What the other side says is trusted with nothing. Whether an address may be reached is asked of each address that is
//! connected to, never of a name beforehand: a name may lead elsewhere a moment later. Nothing that is displayed holds
//! the query, the headers or the bodies.

mod address;
mod address_kind;
mod address_v6;
mod answer;
mod body;
mod bounds;
mod causes;
mod client;
mod failure;
mod guard;
mod parts;
mod prepared;
mod redirect;
mod retry_after;
#[cfg(test)]
mod tests;
mod trust;

pub use address::PrivateAddress;
pub use address_kind::AddressKind;
pub use answer::Answer;
pub use bounds::{Bounds, Reach};
pub use client::Client;
pub use failure::{Failure, Fault};
pub use parts::{InvalidPart, header_value, path_segment, query_pair, secret_header_value};
pub use prepared::{InvalidRequest, Prepared};
pub use trust::{NoClient, Trust};
