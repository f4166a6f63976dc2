//! Why a tool cannot be made ready for calls. Compiling it and comparing the tables' schemas rule that out, so it is for
//! logs.

use datafusion::common::DataFusionError;
use sqlparser::parser::ParserError;
use std::fmt;

/// Why a tool does not plan.
#[derive(Debug)]
pub(super) enum Unplanned {
    /// A statement does not parse.
    Text(ParserError),
    /// The planner refuses a statement.
    Planner(DataFusionError),
    /// A rule has no boolean value.
    RuleWithoutCondition,
    /// The default of this parameter has no value.
    DefaultWithoutValue(String),
    /// A tool that reads this table was compiled without its policy.
    PastPolicy(String),
    /// A statement in a database's own SQL is none that was compiled.
    NoStatement,
    /// The schema of a tool's arguments or answers is no JSON Schema.
    Schema(String),
    /// It runs what is no part of what was compiled.
    NotHere,
}

impl From<ParserError> for Unplanned {
    fn from(error: ParserError) -> Unplanned {
        Unplanned::Text(error)
    }
}

impl From<DataFusionError> for Unplanned {
    fn from(error: DataFusionError) -> Unplanned {
        Unplanned::Planner(error)
    }
}

impl fmt::Display for Unplanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unplanned::Text(error) => error.fmt(f),
            Unplanned::Planner(error) => f.write_str(&error.strip_backtrace()),
            Unplanned::RuleWithoutCondition => f.write_str("a rule is no condition"),
            Unplanned::DefaultWithoutValue(parameter) => write!(f, "the default of {parameter} is no value"),
            Unplanned::PastPolicy(table) => write!(f, "it was compiled without the policy of {table}"),
            Unplanned::NoStatement => f.write_str("the statement cannot be read"),
            Unplanned::Schema(why) => write!(f, "its schema is none: {why}"),
            Unplanned::NotHere => f.write_str("the function of a tool that is written in Rust was not added"),
        }
    }
}
