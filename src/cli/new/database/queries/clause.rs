//! Conditions that an agent may leave out.

use super::super::tables::{PlannedColumn, PlannedTable, Relation};
use super::super::words::joined;
use super::{is_readable, may_be_asked, may_be_parameter};
use crate::ty::Type;

/// Lists of texts that are asked for at most.
const LISTS: usize = 2;

/// A parameter and its condition.
#[derive(Debug)]
pub(super) struct Clause {
    /// The parameter.
    pub(super) parameter: String,
    /// What it means.
    pub(super) description: String,
    /// The only values that it takes.
    pub(super) allowed: Vec<String>,
    /// The column.
    pub(super) column: String,
    /// The sign between column and parameter.
    pub(super) sign: &'static str,
}

impl Clause {
    /// The parameter with the name of its column.
    pub(super) fn equal(column: &str, description: String) -> Clause {
        let (parameter, column) = (column.to_owned(), column.to_owned());
        Clause { parameter, description, allowed: Vec::new(), column, sign: "=" }
    }

    /// The line of a clause; `column` is how its column is written there.
    pub(super) fn optional_line(&self, column: &str) -> String {
        format!("  [[ AND {column} {} << {} >> ]]", self.sign, self.parameter)
    }
}

/// The conditions by which rows of a table are found, the best first, and how good they are.
pub(super) fn clauses_of(table: &PlannedTable, most: usize) -> (Vec<Clause>, usize) {
    let (lists, dates) = (lists(table), date_clauses(table));
    let (flags, relations, categories) = (flags(table), relations(table), categories(table));
    let known = 3 * lists.len() + 2 * dates.len() + 2 * flags.len().min(2) + relations.len().min(2);
    // Few different texts may be chance.
    let score = if known > 0 { known } else { usize::from(!categories.is_empty()) };
    let mut clauses: Vec<Clause> = Vec::new();
    for group in [lists, dates] {
        clauses.extend(group);
    }
    for clause in flags.into_iter().chain(relations).chain(categories) {
        let is_new = !clauses.iter().any(|other| other.parameter == clause.parameter);
        if is_new && clauses.len() < most {
            clauses.push(clause);
        }
    }
    (clauses, score)
}

fn asked_columns(table: &PlannedTable) -> impl Iterator<Item = &PlannedColumn> {
    table.columns.iter().filter(move |column| {
        may_be_parameter(&column.name) && is_readable(column) && !table.key.contains(&column.name)
    })
}

/// Columns of which the database says which texts they may hold.
fn lists(table: &PlannedTable) -> Vec<Clause> {
    let is_list = |column: &&PlannedColumn| !column.allowed.is_empty() && column.ty == Some(Type::Text);
    let clause = |column: &PlannedColumn| {
        let description = format!("Only {} with this {}.", table.row_words(), column.name);
        Clause { allowed: column.allowed.clone(), ..Clause::equal(&column.name, description) }
    };
    asked_columns(table).filter(is_list).take(LISTS).map(clause).collect()
}

/// The day or time that rows of a table are most likely looked for by: not that of the last change, or of a birth.
fn main_date(table: &PlannedTable) -> Option<&PlannedColumn> {
    const OTHERS: [&str; 6] = ["update", "modif", "change", "birth", "expir", "delet"];
    let is_date =
        |column: &&PlannedColumn| matches!(column.ty, Some(Type::Date | Type::Timestamp(_) | Type::Timestamptz(_)));
    let is_other = |column: &&PlannedColumn| OTHERS.iter().any(|word| column.name.contains(word));
    let mut dates = table.columns.iter().filter(is_date);
    dates.clone().find(|column| !is_other(column)).or_else(|| dates.next())
}

/// From when, and until when; none where a column has one of these names.
pub(super) fn date_clauses(table: &PlannedTable) -> Vec<Clause> {
    let Some(column) = main_date(table) else { return Vec::new() };
    if ["since", "until"].iter().any(|name| table.column(name).is_some()) {
        return Vec::new();
    }
    let (many, name) = (table.row_words(), &column.name);
    let (since, sign, until) = match column.ty {
        Some(Type::Date) => ("this day or later", "<=", "this day or earlier"),
        _ => ("at this time or later", "<", "before this time"),
    };
    let clause = |parameter: &str, sign: &'static str, when: &str| Clause {
        parameter: parameter.to_owned(),
        description: format!("Only {many} whose {name} is {when}."),
        allowed: Vec::new(),
        column: name.clone(),
        sign,
    };
    vec![clause("since", ">=", since), clause("until", sign, until)]
}

fn flags(table: &PlannedTable) -> Vec<Clause> {
    let is_flag = |column: &&PlannedColumn| column.ty == Some(Type::Boolean);
    let description =
        |column: &PlannedColumn| format!("Only {} whose {} is this: true or false.", table.row_words(), column.name);
    asked_columns(table).filter(is_flag).map(|column| Clause::equal(&column.name, description(column))).collect()
}

fn relations(table: &PlannedTable) -> Vec<Clause> {
    let clause = |relation: &Relation| {
        let [column] = relation.columns.as_slice() else { return None };
        let ty = table.column(column)?.ty.as_ref()?;
        let description = format!(
            "Only {} with this {column}: the {} of {}.",
            table.row_words(),
            joined(&relation.others),
            relation.table
        );
        (may_be_parameter(column) && may_be_asked(ty)).then(|| Clause::equal(column, description))
    };
    table.relations.iter().filter_map(clause).collect()
}

fn categories(table: &PlannedTable) -> Vec<Clause> {
    let is_category =
        |column: &&PlannedColumn| column.is_category && column.allowed.is_empty() && column.ty == Some(Type::Text);
    let description = |column: &PlannedColumn| format!("Only {} with this {}.", table.row_words(), column.name);
    asked_columns(table).filter(is_category).map(|column| Clause::equal(&column.name, description(column))).collect()
}
