//! What a database has, for those who look at it before there are tables of it.

use crate::ty::Type;

/// The schema that the tables of a server are in where nobody says another one.
const DEFAULT_SCHEMA: &str = "public";

/// A table that a database has, by its name alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedTable {
    /// Its name there, with its schema before it where the database has several.
    pub name: Vec<String>,
    /// Why it cannot be read, where that is known already.
    pub unreadable: Option<String>,
}

/// Of more texts nobody chooses from a list.
pub(super) const MOST_TEXTS: usize = 20;

/// So many different texts may be categories.
const MOST_CATEGORIES: f64 = 20.0;

/// Categories come up so often, on average.
const OFTEN: f64 = 2.0;

/// A comment that is longer is more than what a table or a column is.
const LONGEST: usize = 400;

/// A comment as a description, where it is one.
pub(super) fn description(comment: &str) -> Option<String> {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let text = words.join(" ");
    let is_one = !text.is_empty() && text.chars().count() <= LONGEST && !text.contains(char::is_control);
    is_one.then_some(text)
}

/// Whether a column of a table has few different values, each of which comes up again.
#[allow(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn is_category(distinct: Option<f64>, rows: Option<u64>) -> bool {
    let (Some(distinct), Some(rows)) = (distinct, rows.map(|rows| rows as f64)) else { return false };
    (2.0..=MOST_CATEGORIES).contains(&distinct) && distinct * OFTEN <= rows
}

/// A table as its database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surveyed {
    /// The schema that it is in, where the database has several.
    pub schema: Option<String>,
    /// Its name there.
    pub name: String,
    /// What it is.
    pub kind: SurveyedKind,
    /// Its columns, in their order.
    pub columns: Vec<SurveyedColumn>,
    /// The columns of the primary key; none where there is no key.
    pub key: Vec<String>,
    /// Whose rows its rows belong to, in the order of its columns.
    pub foreign_keys: Vec<ForeignKey>,
    /// What the database says that it is.
    pub comment: Option<String>,
    /// How many rows it has; `None` where that takes long to find out.
    pub rows: Option<RowEstimate>,
    /// Why it cannot be read, where it cannot.
    pub unreadable: Option<String>,
}

impl Surveyed {
    /// A table of which nothing else is known yet.
    pub(super) fn named(name: String, kind: SurveyedKind) -> Surveyed {
        Surveyed {
            schema: None,
            name,
            kind,
            columns: Vec::new(),
            key: Vec::new(),
            foreign_keys: Vec::new(),
            comment: None,
            rows: None,
            unreadable: None,
        }
    }
}

impl Surveyed {
    /// Its name for people: with its schema, where it is in another one than tables without a word about it.
    pub fn title(&self) -> String {
        match &self.schema {
            Some(schema) if schema != DEFAULT_SCHEMA => format!("{schema}.{}", self.name),
            _ => self.name.clone(),
        }
    }

    /// Whether a name without a schema means it, where it is the only one of that name in its schema.
    pub fn is_in_default_schema(&self) -> bool {
        self.schema.as_deref().is_none_or(|schema| schema == DEFAULT_SCHEMA)
    }
}

/// What a table of a database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SurveyedKind {
    /// Rows that are stored.
    Table,
    /// A query.
    View,
    /// Rows that a module computes or keeps somewhere else: the module's name.
    Virtual(String),
    /// What a virtual table keeps its rows in.
    Shadow,
}

/// A column as its database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurveyedColumn {
    /// Its name there.
    pub name: String,
    /// The type, in the words of the database; empty where there is none.
    pub declared: String,
    /// The type that it is read as; `None` where its declaration says none.
    pub ty: Option<Type>,
    /// The type that is better declared of it, where there is one.
    pub proposal: Option<Proposal>,
    /// Whether it has no nulls.
    pub is_not_null: bool,
    /// The only texts that it may hold, where the database says them.
    pub allowed: Vec<String>,
    /// Whether the rows that were looked at have few different texts in it.
    pub is_category: bool,
    /// What the database says that it is.
    pub comment: Option<String>,
}

/// A type that is better declared of a column, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The type.
    pub ty: Type,
    /// Why.
    pub why: ProposalReason,
}

/// Why a type is better declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposalReason {
    /// The database says none; the values that were looked at have this one.
    Untyped,
    /// The database says none, and there are no values.
    Empty,
    /// The database says none, and there are values of several.
    Mixed,
    /// The database says another, which the values that were looked at do not have.
    Misfit,
    /// The database says a number, and not of how many digits.
    NoDigits,
    /// The database says days, times or numbers, some of which are none here.
    Endless,
    /// The database says lists, some of which hold lists again.
    Nested,
    /// The database says a small number; the values that were looked at are 0 and 1.
    Truths,
}

impl ProposalReason {
    /// Whether no type is one for all values: the column is left out.
    pub fn is_for_no_type(self) -> bool {
        matches!(self, ProposalReason::Mixed | ProposalReason::Nested)
    }
}

/// Columns that hold the key of a row of another table, or of another row of the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignKey {
    /// The columns.
    pub columns: Vec<String>,
    /// The schema of the other table, where the database has several.
    pub schema: Option<String>,
    /// The other table.
    pub table: String,
    /// The columns there, in the order of these.
    pub others: Vec<String>,
}

/// How many rows a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowEstimate {
    /// They were counted.
    Exactly(u64),
    /// As many, unless some were taken out.
    About(u64),
    /// They were counted until there were so many.
    MoreThan(u64),
}

impl RowEstimate {
    /// The number, to compare it with others.
    pub fn number(self) -> u64 {
        match self {
            RowEstimate::Exactly(rows) | RowEstimate::About(rows) | RowEstimate::MoreThan(rows) => rows,
        }
    }
}

impl std::fmt::Display for RowEstimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RowEstimate::Exactly(1) => f.write_str("1 row"),
            RowEstimate::Exactly(rows) => write!(f, "{rows} rows"),
            RowEstimate::About(1) => f.write_str("about 1 row"),
            RowEstimate::About(rows) => write!(f, "about {rows} rows"),
            RowEstimate::MoreThan(rows) => write!(f, "more than {rows} rows"),
        }
    }
}
