//! What goes wrong with a database.

use datafusion::common::DataFusionError;
use std::error::Error;
use std::fmt;

/// Why a database gave no rows. It names neither an address nor a value of a caller; what is in it is for the author of the
/// project, and for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::engine) enum SourceError {
    /// It cannot be reached or opened.
    Down {
        /// The database.
        source: String,
        /// Why.
        why: String,
    },
    /// It lets nobody in until somebody changes something.
    Refusing {
        /// The database.
        source: String,
        /// Why.
        why: String,
    },
    /// Its file lies outside of the folders that the project's data may lie in.
    OutsideRoots {
        /// The database.
        source: String,
        /// The path as written.
        path: String,
    },
    /// It has no such table.
    NoTable {
        /// The database.
        source: String,
        /// The table there.
        table: String,
        /// One of a similar name.
        near: Option<String>,
    },
    /// The table is not what it was when the query was made ready.
    Changed {
        /// The database.
        source: String,
        /// The table.
        table: String,
    },
    /// Somebody else holds it locked.
    Busy {
        /// The database.
        source: String,
    },
    /// All connections that there may be are taken.
    Exhausted {
        /// The database.
        source: String,
    },
    /// It was written while a query read several of its tables, each time that it was run.
    Written,
    /// A value is none of its column's type.
    Misfit(Misfit),
    /// Nobody waits any more.
    Cancelled,
    /// A value, or what the query needs, takes more room than it may.
    TooLarge {
        /// The database.
        source: String,
    },
    /// A call brings more values than it takes.
    TooManyValues {
        /// The database.
        source: String,
        /// How many it takes.
        most: usize,
    },
    /// A call brings a number with more digits than one of its own has.
    TooManyDigits {
        /// The database.
        source: String,
    },
    /// It gives rows to callers alone, and nobody calls, or it is not known who.
    Anonymous {
        /// The database.
        source: String,
    },
    /// A number does not fit.
    Overflow {
        /// The database.
        source: String,
    },
    /// It refuses a statement that its author has written.
    Refused {
        /// The database.
        source: String,
        /// What it says of that, in words for the author.
        why: String,
    },
    /// It fails for the values of a call, in a statement that its author has written.
    Unfit {
        /// The database.
        source: String,
    },
    /// The same where it says why. Its words may hold values of the call: they are for the author who makes it.
    Failing {
        /// The database.
        source: String,
        /// What it says.
        says: String,
    },
    /// Its user may not read what is asked for.
    Forbidden {
        /// The database.
        source: String,
        /// The table.
        table: String,
    },
    /// Its user may not do all that a statement does that its author has written.
    Denied {
        /// The database.
        source: String,
        /// The query.
        query: String,
    },
    /// It cannot read a value of a call as what its place in the statement of an author wants.
    UnreadValue {
        /// The database.
        source: String,
        /// The place of the value among all of them, from 0.
        place: usize,
    },
    /// The same where it is known of which parameter the value is.
    UnreadArgument {
        /// The database.
        source: String,
        /// The parameter.
        parameter: String,
    },
    /// A rule of the database is against a change.
    Violated {
        /// The database.
        source: String,
        /// What kind of rule.
        rule: Rule,
        /// The columns that it is about, by their names there, as far as they are told.
        columns: Vec<String>,
        /// What the database says. It may hold values of the call.
        says: String,
    },
    /// Transactions that ran at the same time were in each other's way: the same again may do.
    Serialization {
        /// The database.
        source: String,
    },
    /// Something else; `code` is the database's own.
    Other {
        /// The database.
        source: String,
        /// Its code.
        code: String,
    },
}

/// A rule that a database holds changes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum Rule {
    /// No two rows have the same values.
    Unique,
    /// There is a value.
    NotNull,
    /// A condition on the values of a row.
    Check,
    /// A row of another table is there, or none refers to this one.
    ForeignKey,
    /// A value is of its column's type, and fits into it.
    Type,
    /// What a trigger or a function of the database asks for.
    Own,
    /// No row is written twice by one statement.
    Once,
}

/// A value that is none of its column's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::engine) struct Misfit {
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// Which row it is in; `None` where that cannot be told.
    pub row: Option<ToldRow>,
    /// What the column holds there: "a text".
    pub found: String,
    /// What it is to hold.
    pub expected: String,
}

/// What tells a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::engine) enum ToldRow {
    /// Its key: "`id` is 7".
    Key(String),
    /// Its number among the rows of a result, from 1.
    Number(usize),
}

impl Misfit {
    /// The same in the row of a result that has this number, from 1, where nothing else tells the row.
    pub(in crate::engine) fn in_row(self, number: usize) -> Misfit {
        let row = self.row.or(Some(ToldRow::Number(number)));
        Misfit { row, ..self }
    }
}

impl SourceError {
    /// What the database says itself, for whoever makes the call at a terminal.
    pub(in crate::engine) fn own_words(&self) -> Option<&str> {
        match self {
            SourceError::Failing { says, .. } | SourceError::Violated { says, .. } => Some(says),
            _ => None,
        }
    }

    /// Whether there may be rows where the same is done again, and may take longer: a database that is held by somebody else,
    /// or is not what it was. What a server has said, or that it says nothing, is final: nobody waits for it twice.
    pub(in crate::engine) fn may_pass(&self) -> bool {
        matches!(
            self,
            SourceError::Busy { .. }
                | SourceError::Cancelled
                | SourceError::Written
                | SourceError::Changed { .. }
                | SourceError::NoTable { .. }
                | SourceError::Refused { .. }
        )
    }

    /// The failure of a database that there is in one of a plan.
    pub(in crate::engine) fn of(error: &DataFusionError) -> Option<&SourceError> {
        match error.find_root() {
            DataFusionError::External(error) => error.downcast_ref(),
            _ => None,
        }
    }

    /// Whether a failure is one of a database.
    pub(in crate::engine) fn is_any(error: &DataFusionError) -> bool {
        SourceError::of(error).is_some()
    }

    /// The same failure where the values of the call are of these parameters: which of them a database cannot read is told.
    pub(in crate::engine) fn with_parameters(self, parameters: &[Option<String>]) -> SourceError {
        match self {
            SourceError::UnreadValue { source, place } => match parameters.get(place).cloned().flatten() {
                Some(parameter) => SourceError::UnreadArgument { source, parameter },
                None => SourceError::Unfit { source },
            },
            other => other,
        }
    }

    /// What is said where a statement that its author has written does not give what it gave when it was compiled.
    pub(in crate::engine) fn outdated(source: String, query: &str) -> SourceError {
        SourceError::Refused { source, why: format!("what `{query}` reads is not what it was when it was compiled") }
    }

    /// Whether a failure is that a table is not what it was when its plan was made: a new plan may do.
    pub(in crate::engine) fn is_of_a_change(error: &DataFusionError) -> bool {
        matches!(SourceError::of(error), Some(SourceError::Changed { .. }))
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Down { source, why } | SourceError::Refusing { source, why } => {
                write!(f, "source `{source}` cannot be read: {why}")
            }
            SourceError::OutsideRoots { source, .. } => {
                write!(f, "the file of source `{source}` leads out of the folders that data may lie in")
            }
            SourceError::NoTable { source, table, .. } => write!(f, "source `{source}` has no table `{table}`"),
            SourceError::Changed { source, table } => {
                write!(f, "table `{table}` of source `{source}` is not what it was when the tool was made ready")
            }
            SourceError::Busy { source } => write!(f, "source `{source}` is locked by another program"),
            SourceError::Exhausted { source } => {
                write!(f, "all connections to source `{source}` were taken for as long as one waits for one")
            }
            SourceError::Written => {
                f.write_str("a database was written while several of its tables were read, again and again")
            }
            SourceError::Misfit(misfit) => write!(f, "{misfit}"),
            SourceError::Cancelled => f.write_str("nobody waits for the query any more"),
            SourceError::TooLarge { source } => write!(f, "source `{source}` has a value or a row that is too large"),
            SourceError::TooManyValues { source, most } => {
                write!(f, "the call has more values than the {most} that source `{source}` takes")
            }
            SourceError::TooManyDigits { source } => {
                write!(
                    f,
                    "the call has a decimal of more digits than a floating-point number of source `{source}` keeps"
                )
            }
            SourceError::Anonymous { source } => {
                write!(f, "source `{source}` gives rows to callers alone: its `session` says who they are")
            }
            SourceError::Overflow { source } => write!(f, "a number in source `{source}` became too large"),
            SourceError::Refused { source, why } => write!(f, "source `{source}` refuses the statement: {why}"),
            SourceError::Unfit { source } | SourceError::Failing { source, .. } => {
                write!(f, "source `{source}` cannot run the statement for these values")
            }
            SourceError::Forbidden { source, table } => write!(
                f,
                "the user of source `{source}` may not read table `{table}`, or what a view or a rule of it reads; `GRANT SELECT` \
                 on the table, and `GRANT USAGE` on its schema, allow that"
            ),
            SourceError::Denied { source, query } => write!(
                f,
                "the user of source `{source}` may not do all that `{query}` does; `GRANT SELECT` on the tables that it reads, \
                 `GRANT EXECUTE` on its functions, and `GRANT USAGE` on their schemas, allow that"
            ),
            SourceError::UnreadValue { source, .. } => {
                write!(f, "source `{source}` cannot read a value of the call as what its place wants")
            }
            SourceError::UnreadArgument { source, parameter } => {
                write!(f, "source `{source}` cannot read the value of `{parameter}` as what its place wants")
            }
            SourceError::Violated { source, rule, columns, .. } => {
                write!(f, "source `{source}` refuses the change: {}", rule.told(columns))
            }
            SourceError::Serialization { source } => {
                write!(f, "transactions of source `{source}` were in each other's way, again and again")
            }
            SourceError::Other { source, code } => write!(f, "source `{source}` failed with code {code}"),
        }
    }
}

impl Rule {
    /// What is said where it is broken, with the columns that it is about.
    pub(in crate::engine) fn told(self, columns: &[String]) -> String {
        let names: Vec<String> = columns.iter().map(|column| format!("`{column}`")).collect();
        let names = names.join(", ");
        match (self, columns.len()) {
            (Rule::Unique, 0) => "there is a row with the same key already".to_owned(),
            (Rule::Unique, _) => format!("there is a row with the same {names} already"),
            (Rule::NotNull, 0) => "a column is left without a value that must have one".to_owned(),
            (Rule::NotNull, _) => format!("{names} is left without a value, and must have one"),
            (Rule::Check, 0) => "a value breaks a rule of its table".to_owned(),
            (Rule::Check, _) => format!("{names} breaks a rule of its table"),
            (Rule::ForeignKey, _) => {
                "it refers to a row that is not there, or takes away one that others refer to".to_owned()
            }
            (Rule::Type, _) => "a value is none of its column's type, or too long or too large for it".to_owned(),
            (Rule::Own, _) => "a rule that its author has written is against it".to_owned(),
            (Rule::Once, _) => "two rows of the call have the same key".to_owned(),
        }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Misfit { table, column, row, found, expected } = self;
        write!(f, "column `{column}` of table `{table}` holds {found}")?;
        if !expected.is_empty() {
            write!(f, ", which is no {expected}")?;
        }
        match row {
            Some(ToldRow::Key(row)) => write!(f, ", where {row}"),
            Some(ToldRow::Number(number)) => write!(f, ", in row {number} of the result"),
            None => Ok(()),
        }
    }
}

impl Error for SourceError {}
