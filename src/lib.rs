//! qtool is a compiler: it reads `.sql` files with typed `<< parameter >>` placeholders, infers and checks every
//! type against the tables' schemas, and turns each file into a tool for agents.
//!
//! One module per stage, a different type after each stage, imports in one direction only:
//!
//! ```text
//! source ← name ← ty ← diagnostic ← yaml ← {catalog, project, tool, prompts} ← syntax ← shape ← plan ← infer ← rules
//!        ← compile ← {load, package, emit, review, bundle, evals, engine ← serve} ← workspace ← testing ← cli
//! ```
//!
//! The book's chapter "Architecture" says what each module is for and what it must not know.

// The types of futures are nested as deep as calls are: from the loop of a server through the door of calls to the wire of another.
#![recursion_limit = "256"]

// From `source` to `compile` nothing reads a file, the clock, the environment or the network.
pub mod bundle;
#[deny(clippy::disallowed_methods)]
pub mod catalog;
pub mod cli;
#[deny(clippy::disallowed_methods)]
pub mod compile;
#[deny(clippy::disallowed_methods)]
pub mod diagnostic;
#[deny(clippy::disallowed_methods)]
pub mod emit;
pub mod engine;
pub mod evals;
mod in_words;
#[deny(clippy::disallowed_methods)]
pub mod infer;
pub mod load;
#[deny(clippy::disallowed_methods)]
pub mod name;
#[deny(clippy::disallowed_methods)]
pub mod package;
#[deny(clippy::disallowed_methods)]
pub mod plan;
pub mod programs;
#[deny(clippy::disallowed_methods)]
pub mod project;
#[deny(clippy::disallowed_methods)]
pub mod prompts;
pub mod records;
pub mod requests;
#[deny(clippy::disallowed_methods)]
pub mod review;
#[deny(clippy::disallowed_methods)]
pub mod rules;
pub mod serve;
#[deny(clippy::disallowed_methods)]
pub mod shape;
#[deny(clippy::disallowed_methods)]
pub mod source;
#[deny(clippy::disallowed_methods)]
pub mod syntax;
pub mod testing;
#[deny(clippy::disallowed_methods)]
pub mod tool;
#[deny(clippy::disallowed_methods)]
pub mod ty;
pub mod upstreams;
pub mod workspace;
#[deny(clippy::disallowed_methods)]
pub mod yaml;

pub use engine::native::{Answer, NativeContext, NativeTool};
pub use serve::Server;

#[cfg(test)]
mod tidy;
