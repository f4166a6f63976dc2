//! From what a database has to tables of a project: which, what they are called, and what is said of them.

use super::left_out::LeftOut;
use super::words::{joined, plural, singular};
use crate::cli::add::plain_name;
use crate::engine::tables::sniff::usable_names;
use crate::engine::{Proposal, ProposalReason, RowEstimate, Surveyed, SurveyedColumn, SurveyedKind};
use crate::name::{is_legal, is_legal_table, snake_case};
use crate::ty::Type;

/// The longest name of a table.
const LONGEST: usize = 60;

/// Whose rows the rows of a table belong to is told of so many at most.
const RELATIONS: usize = 8;

/// A table of the project.
#[derive(Debug)]
pub(super) struct PlannedTable {
    /// Its name here.
    pub(super) name: String,
    /// Its name in the database.
    pub(super) there: String,
    /// Its schema there, where that is to be said.
    pub(super) schema: Option<String>,
    /// Whether it is a view.
    pub(super) is_view: bool,
    /// What a row is.
    pub(super) description: String,
    /// Its columns.
    pub(super) columns: Vec<PlannedColumn>,
    /// Those that are none: no type has all of their values.
    pub(super) left_out: Vec<PlannedColumn>,
    /// The columns of its key.
    pub(super) key: Vec<String>,
    /// Whose rows its rows belong to.
    pub(super) relations: Vec<Relation>,
    /// How many rows there are.
    pub(super) rows: Option<RowEstimate>,
}

/// A column of such a table.
#[derive(Debug)]
pub(super) struct PlannedColumn {
    /// Its name here.
    pub(super) name: String,
    /// Its name in the database.
    pub(super) there: String,
    /// The type in the words of the database.
    pub(super) declared: String,
    /// Its type here.
    pub(super) ty: Option<Type>,
    /// The type that `qtool.yaml` declares.
    pub(super) proposal: Option<Proposal>,
    /// What the values mean.
    pub(super) description: Option<String>,
    /// The only texts that it may hold.
    pub(super) allowed: Vec<String>,
    /// Whether it has few different texts.
    pub(super) is_category: bool,
}

/// Columns that hold the key of a row of another table. The names are those of the project.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    /// The columns.
    pub(super) columns: Vec<String>,
    /// The other table.
    pub(super) table: String,
    /// The columns there.
    pub(super) others: Vec<String>,
}

impl PlannedTable {
    /// A column by its name here.
    pub(super) fn column(&self, name: &str) -> Option<&PlannedColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// How many rows there are, to compare it with others.
    pub(super) fn row_count(&self) -> u64 {
        self.rows.map_or(0, RowEstimate::number)
    }

    /// One of what it has rows of.
    pub(super) fn row_word(&self) -> String {
        singular(&snake_case(&self.there))
    }

    /// What it has rows of.
    pub(super) fn row_words(&self) -> String {
        plural(&snake_case(&self.there))
    }

    /// The tables that it connects, where it is there for nothing else: its key is made of theirs.
    pub(super) fn connected(&self) -> Option<Vec<&str>> {
        let whose = |column: &String| self.relations.iter().find(|relation| relation.columns == [column.clone()]);
        let tables: Option<Vec<&str>> = self.key.iter().map(|column| Some(whose(column)?.table.as_str())).collect();
        tables.filter(|tables| tables.len() > 1)
    }
}

/// The tables of a project, and what of the database is none.
pub(super) fn planned_tables(surveyed: Vec<Surveyed>) -> (Vec<PlannedTable>, LeftOut) {
    let mut left_out = LeftOut::default();
    let mut taken: Vec<(Surveyed, String)> = Vec::new();
    let names: Vec<String> = surveyed.iter().map(|table| table.name.clone()).collect();
    for table in surveyed {
        // Of several with a name, those of other schemas have that before theirs.
        let is_first = table.is_in_default_schema() || names.iter().filter(|name| **name == table.name).count() == 1;
        let wanted = match &table.schema {
            Some(schema) if !is_first => format!("{schema}_{}", table.name),
            _ => table.name.clone(),
        };
        // The name that another table has already is that one's.
        let is_taken = |name: &str| {
            taken.iter().any(|(_, other)| other == name) || wanted != name && names.iter().any(|other| other == name)
        };
        match fault(&table) {
            Some(why) => left_out.add_table(&table.title(), &why),
            None => match free_name(&wanted, is_taken) {
                Some(name) => taken.push((table, name)),
                None => {
                    let why = "its name has no letter or digit; `table` of qtool.yaml gives it another one";
                    left_out.add_table(&table.title(), why);
                }
            },
        }
    }
    let mut planned: Vec<PlannedTable> = taken.iter().map(|(table, name)| planned_table(table, name)).collect();
    let relations: Vec<Vec<Relation>> = taken.iter().map(|(table, _)| relations(table, &taken)).collect();
    for (table, relations) in planned.iter_mut().zip(relations) {
        table.relations = relations;
    }
    for (table, (surveyed, _)) in planned.iter_mut().zip(&taken) {
        let is_there =
            |names: &[String]| names.iter().all(|name| table.columns.iter().any(|column| column.name == *name));
        table.relations.retain(|relation| is_there(&relation.columns));
        if !is_there(&table.key) {
            table.key.clear();
        }
        table.description = description(table, surveyed.comment.as_deref());
        for column in &table.left_out {
            let why = match &column.proposal {
                Some(proposal) if proposal.why == ProposalReason::Nested => "some of its lists hold lists again",
                _ => "it has values of several types",
            };
            left_out.add_table(&format!("column {}.{}", surveyed.title(), column.there), why);
        }
    }
    (planned, left_out)
}

/// Why a table is not taken over.
fn fault(table: &Surveyed) -> Option<String> {
    match (&table.kind, &table.unreadable) {
        (SurveyedKind::Shadow, _) => Some("what a virtual table keeps its rows in".to_owned()),
        (SurveyedKind::Virtual(module), _) => Some(format!(
            "a virtual table of `{module}`; name it under `tables` with the types of its columns, if it is to be read"
        )),
        (_, Some(why)) => Some(why.clone()),
        _ if table.columns.is_empty() => Some("it has no columns".to_owned()),
        _ => None,
    }
}

/// A name that is written without quotes, and that no other table has.
fn free_name(there: &str, is_taken: impl Fn(&str) -> bool) -> Option<String> {
    let name: String = snake_case(there).chars().take(LONGEST).collect();
    let name = match name.chars().next()? {
        first if first.is_numeric() => format!("t_{name}"),
        _ => plain_name(&name),
    };
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    is_legal_table(&name).then(|| names.find(|name| !is_taken(name)))?
}

fn planned_table(table: &Surveyed, name: &str) -> PlannedTable {
    let names: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let here = usable_names(&names);
    let columns = table.columns.iter().zip(&here).map(|(column, here)| planned_column(column, here));
    let is_of_none = |column: &PlannedColumn| matches!(&column.proposal, Some(one) if one.why.is_for_no_type());
    let (left_out, columns) = columns.partition(is_of_none);
    PlannedTable {
        name: name.to_owned(),
        there: table.name.clone(),
        schema: table.schema.clone().filter(|_| !table.is_in_default_schema()),
        is_view: table.kind == SurveyedKind::View,
        description: String::new(),
        columns,
        left_out,
        key: names_here(&table.key, table),
        relations: Vec::new(),
        rows: table.rows,
    }
}

fn planned_column(column: &SurveyedColumn, here: &str) -> PlannedColumn {
    let list = (!column.allowed.is_empty()).then(|| format!("One of {}.", column.allowed.join(", ")));
    PlannedColumn {
        name: here.to_owned(),
        there: column.name.clone(),
        declared: column.declared.clone(),
        ty: column.proposal.as_ref().map(|proposal| proposal.ty.clone()).or_else(|| column.ty.clone()),
        proposal: column.proposal.clone(),
        description: column.comment.clone().or(list),
        allowed: column.allowed.clone(),
        is_category: column.is_category,
    }
}

/// The names here of some columns of a table.
fn names_here(columns: &[String], table: &Surveyed) -> Vec<String> {
    let names: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let here = usable_names(&names);
    let name =
        |column: &String| names.iter().zip(&here).find(|(name, _)| *name == column).map(|(_, here)| here.clone());
    columns.iter().filter_map(name).collect()
}

/// Whose rows the rows of a table belong to, of those that are taken over.
fn relations(table: &Surveyed, taken: &[(Surveyed, String)]) -> Vec<Relation> {
    let relation = |key: &crate::engine::ForeignKey| {
        let is_it = |other: &Surveyed| other.name == key.table && other.schema == key.schema;
        let (other, name) = taken.iter().find(|(other, _)| is_it(other))?;
        Some(Relation {
            columns: names_here(&key.columns, table),
            table: name.clone(),
            others: names_here(&key.others, other),
        })
    };
    table.foreign_keys.iter().filter_map(relation).collect()
}

/// What a row is, made of what is known.
fn description(table: &PlannedTable, comment: Option<&str>) -> String {
    let mut sentences = vec![match (comment, table.connected()) {
        (Some(comment), _) => format!("{}.", comment.trim().trim_end_matches('.')),
        (None, Some(tables)) => {
            let words: Vec<String> = tables.into_iter().map(singular).collect();
            format!("A row per {}.", joined(&words))
        }
        (None, None) if table.is_view => format!("A row of the view {}.", table.name),
        (None, None) => format!("A row per {}.", table.row_word()),
    }];
    for Relation { columns, table, others } in table.relations.iter().take(RELATIONS) {
        let are = if columns.len() == 1 { "is" } else { "are" };
        sentences.push(format!("{} {are} the {} of {table}.", joined(columns), joined(others)));
    }
    sentences.join(" ")
}

/// A name in SQL.
pub(super) fn quoted(name: &str) -> String {
    match is_legal(name) && plain_alias(name) == name {
        true => name.to_owned(),
        false => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}

/// A name that is no word of SQL: its own where that is none.
pub(super) fn plain_alias(name: &str) -> String {
    let usable = usable_names(&[name.to_owned()]).pop().unwrap_or_default();
    plain_name(&usable)
}
