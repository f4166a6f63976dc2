//! Why a prompt was not rendered.

use crate::name::shown_name;
use minijinja::ErrorKind;
use std::fmt;

/// Why a prompt was not rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptError {
    /// The arguments are not those that the prompt has: what the caller can mend.
    Arguments(Vec<ArgumentProblem>),
    /// The text would be longer than a prompt may be.
    TooLong,
    /// The template ran for too long.
    TooMuchWork,
    /// The template fails with these arguments. Engine text: for logs.
    Template(String),
}

/// What is wrong with one argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentProblem {
    /// The prompt does not have it.
    Unknown {
        /// What was sent.
        name: String,
        /// The nearest argument that the prompt has.
        near: Option<String>,
    },
    /// It is required and was not sent.
    Missing {
        /// Its name.
        name: String,
    },
    /// Something else than a text was sent.
    NotText {
        /// Its name.
        name: String,
    },
}

impl PromptError {
    /// What the engine's error is to a caller.
    pub(super) fn of(error: &minijinja::Error) -> PromptError {
        match error.kind() {
            ErrorKind::OutOfFuel => PromptError::TooMuchWork,
            ErrorKind::WriteFailure => PromptError::TooLong,
            kind => PromptError::Template(match error.detail() {
                Some(detail) => format!("{kind}: {detail}"),
                None => kind.to_string(),
            }),
        }
    }
}

impl fmt::Display for PromptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PromptError::Arguments(problems) => {
                for (at, problem) in problems.iter().enumerate() {
                    let between = if at > 0 { "; " } else { "" };
                    write!(f, "{between}{problem}")?;
                }
                Ok(())
            }
            PromptError::TooLong => f.write_str("the prompt is too long"),
            PromptError::TooMuchWork => f.write_str("the template of the prompt runs for too long"),
            PromptError::Template(why) => write!(f, "the template of the prompt fails: {why}"),
        }
    }
}

impl std::error::Error for PromptError {}

impl fmt::Display for ArgumentProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentProblem::Unknown { name, near: Some(near) } => {
                write!(f, "unknown argument `{}`, did you mean `{near}`?", shown_name(name))
            }
            ArgumentProblem::Unknown { name, near: None } => write!(f, "unknown argument `{}`", shown_name(name)),
            ArgumentProblem::Missing { name } => write!(f, "missing argument `{name}`"),
            ArgumentProblem::NotText { name } => write!(f, "argument `{name}` is not a text"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_problems_of_the_arguments_are_one_line() {
        let problems = vec![
            ArgumentProblem::Unknown { name: "regoin".to_owned(), near: Some("region".to_owned()) },
            ArgumentProblem::Unknown { name: "x".repeat(99), near: None },
            ArgumentProblem::Missing { name: "region".to_owned() },
        ];
        let line = PromptError::Arguments(problems).to_string();
        let long = "x".repeat(64);
        let expected = format!(
            "unknown argument `regoin`, did you mean `region`?; unknown argument `{long}…`; missing argument `region`"
        );
        assert_eq!(line, expected);
    }
}
