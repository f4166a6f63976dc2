//! Records: tables with a contract, for people and agents. What may be in them, who may write it, and how it is kept.
//!
//! The folders are those of Folio 0.1.8 (<https://pypi.org/project/folio-kit/0.1.8/>): either reads what the other has written.

pub mod acts;
pub mod change;
pub mod derived;
pub mod disk;
pub mod exchange;
pub mod folder;
pub mod history;
pub mod lines;
mod lock;
pub mod lookup;

#[cfg(test)]
mod tests;
pub mod verify;
