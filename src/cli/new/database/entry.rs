//! The lines of `qtool.yaml` for a table of a database.

use super::tables::{PlannedColumn, PlannedTable};
use crate::cli::add::{comment, yaml};
use crate::engine::ProposalReason;
use crate::project::written_name;
use serde_json::json;

/// Names that do not fit into so many letters stand in lines of their own.
const WIDTH: usize = 110;

/// The lines of a table below `tables`.
pub(super) fn table_entry(source: &str, table: &PlannedTable) -> String {
    let mut out = format!("  {}:\n    source: {source}\n", yaml(&json!(table.name)));
    if let Some(there) = name_there(table) {
        // What looks like a variable is none.
        out.push_str(&format!("    table: {}\n", yaml(&json!(there.replace("${", "$${")))));
    }
    out.push_str(&format!("    description: {}\n", yaml(&json!(table.description))));
    out.push_str(&renames(table));
    let left_out = table.left_out.iter().map(left_out_entry);
    let said: Vec<String> = table.columns.iter().filter_map(column_entry).chain(left_out).collect();
    if !said.is_empty() {
        out.push_str("    columns:\n");
        out.extend(said);
    }
    out
}

/// The name of a table in its database, where it has another one here. Databases do not tell letters from capitals.
fn name_there(table: &PlannedTable) -> Option<String> {
    if table.schema.is_none() && table.there.eq_ignore_ascii_case(&table.name) {
        return None;
    }
    let parts: Vec<String> = table.schema.iter().chain([&table.there]).cloned().collect();
    Some(written_name(&parts))
}

fn renames(table: &PlannedTable) -> String {
    let renamed = table.columns.iter().chain(&table.left_out).filter(|column| column.there != column.name);
    let pair = |column: &PlannedColumn| format!("{}: {}", yaml(&json!(column.there)), yaml(&json!(column.name)));
    let pairs: Vec<String> = renamed.map(pair).collect();
    if pairs.is_empty() {
        return String::new();
    }
    let line = format!("    rename: {{ {} }}\n", pairs.join(", "));
    // A name with a sign of YAML in it is in quotes, within which it may stand in brackets too.
    if line.chars().count() <= WIDTH {
        return line;
    }
    format!("    rename:\n{}", pairs.iter().map(|pair| format!("      {pair}\n")).collect::<String>())
}

/// What is declared of a column, with the reason.
fn column_entry(column: &PlannedColumn) -> Option<String> {
    let ty = column.proposal.as_ref().map(|proposal| yaml(&json!(proposal.ty.to_string())));
    let said = column.description.as_ref().map(|text| yaml(&json!(text)));
    let value = match (ty, said) {
        (None, None) => return None,
        (Some(ty), None) => ty,
        (None, Some(said)) => format!("{{ description: {said} }}"),
        (Some(ty), Some(said)) => format!("{{ type: {ty}, description: {said} }}"),
    };
    let why = column.proposal.as_ref().map(|proposal| format!("  # {}", comment(&reason(column, proposal.why))));
    Some(format!("      {}: {value}{}\n", yaml(&json!(column.name)), why.unwrap_or_default()))
}

/// The line of a column that is none of the table, with the reason.
fn left_out_entry(column: &PlannedColumn) -> String {
    let why = column.proposal.as_ref().map_or(ProposalReason::Mixed, |proposal| proposal.why);
    let why = comment(&reason(column, why));
    format!("      {}: {{ leave_out: true }}  # {why}\n", yaml(&json!(column.name)))
}

fn reason(column: &PlannedColumn, why: ProposalReason) -> String {
    match why {
        ProposalReason::Untyped => "the database says no type; its first rows have this one".to_owned(),
        ProposalReason::Empty => "the database says no type, and there are no values".to_owned(),
        ProposalReason::Mixed if column.declared.is_empty() => {
            "the database says no type, and there are values of several".to_owned()
        }
        ProposalReason::Mixed => format!("{} in the database, and there are values of several types", column.declared),
        ProposalReason::Misfit => format!("{} in the database, which its first rows are not", column.declared),
        ProposalReason::Endless => format!("{} in the database, with values that are none here", column.declared),
        ProposalReason::Nested => {
            format!("{} in the database, some of which hold lists, or what is no value here", column.declared)
        }
        ProposalReason::Truths => format!("{} in the database, whose rows hold 0 and 1 alone", column.declared),
        ProposalReason::NoDigits => format!("{} in the database, which says no digits", column.declared),
    }
}
