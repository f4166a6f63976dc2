//! The words of a command, with values, variables and conditions in them.

use super::jinja::Filter;

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// What stands there.
    Text(String),
    /// The value of a parameter.
    Value {
        /// Its name there.
        name: String,
        /// What is done to it.
        filter: Filter,
        /// Whether it stands where a shell makes several words of it.
        bare: bool,
    },
    /// A variable of the environment.
    Variable(String),
    /// What is there where a parameter has a value: a condition inside of quotes.
    When {
        /// The name of the parameter.
        name: String,
        /// What is there then.
        then: Vec<Piece>,
    },
}

/// A word, or words under a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    /// One word, in parts.
    Word(Vec<Piece>),
    /// Words that are there where a parameter has a value.
    When {
        /// The name of the parameter.
        name: String,
        /// The words.
        words: Vec<Vec<Piece>>,
    },
}
