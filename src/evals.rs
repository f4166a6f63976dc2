//! Evaluations: a model is given the project's tools and a question, and judged by the calls that it makes.
//!
//! [`file`] compiles the files under `evals/`, [`run`] has the conversations ([`transcript`]), [`judge`] says what was
//! wrong with one, and [`report`] writes what came of all. The two APIs that models are reached by ([`openai`], [`anthropic`]) are data
//! in and data out; [`provider`] alone sends it. Tools are carried out by whoever starts the evaluations.

mod anthropic;
mod dialogue;
mod expectation;
pub mod file;
pub mod judge;
mod openai;
pub mod provider;
pub mod report;
pub mod run;
pub mod transcript;

pub use dialogue::Usage;
pub use expectation::{Expectation, Expected};

/// An evaluation, checked against the tools.
#[derive(Debug, Clone)]
pub struct Eval {
    /// The file's path below `evals/` without its ending, and behind a `/` the name of the case.
    pub name: String,
    /// What the model is asked.
    pub question: String,
    /// What it is told beforehand.
    pub system: Option<String>,
    /// The tools that must answer a call.
    pub must_call: Vec<String>,
    /// The tools that must not be called.
    pub must_not_call: Vec<String>,
    /// What one call of a tool must have, where it is called at all.
    pub arguments: Vec<Expected>,
    /// Most calls.
    pub max_calls: Option<u64>,
    /// Most answers of the model.
    pub max_turns: u64,
    /// How often it is asked.
    pub repetitions: u64,
    /// The share of repetitions that must pass, from 0 to 1.
    pub threshold: f64,
}

/// A text of a model or a server on one line of a report: cut behind so many characters, and without characters that
/// could move what stands around it.
fn plain_line(text: &str, most: usize) -> String {
    use crate::ty::coerce::is_visible;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = words.chars().take(most).map(|c| if is_visible(c) { c } else { '\u{fffd}' }).collect();
    if words.chars().count() > most { shown + "…" } else { shown }
}

#[cfg(test)]
mod tests;
