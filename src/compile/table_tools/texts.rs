//! What agents read of a tool that is made of tables.

use crate::project::TableToolKind;
use crate::tool::TableSet;

/// The name in words.
pub(in crate::compile) fn title_of(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or(words)
}

/// What the tool does, and with which tables.
pub(super) fn description_of(set: &TableSet) -> String {
    let tables: Vec<String> =
        set.described.iter().map(|table| format!("- {}: {}", table.name, one_line(&table.description))).collect();
    format!("{}\n\nTables:\n{}", what(set.does), tables.join("\n"))
}

fn what(does: TableToolKind) -> &'static str {
    match does {
        TableToolKind::Schema => {
            "The columns of the tables: type, whether values may be null, and what they mean. One row per column."
        }
        TableToolKind::Profile => {
            "How the values of each column look, told from the first 10,000 rows of a table: share of nulls, distinct \
             values, smallest and largest, quartiles of numbers, most frequent values, lengths of texts, and what the \
             texts are. One row per column."
        }
        TableToolKind::Read => {
            "Rows of one table, with the columns and in the order that are asked for. Without `columns` all of them \
             come. Further rows come by `cursor`."
        }
        TableToolKind::SearchSummary => {
            "In how many rows of each table and column a text or a regular expression is found. Where nothing is \
             found there is no row."
        }
        TableToolKind::SearchContent => {
            "The rows of one table in which a text or a regular expression is found: the key of each, the first \
             column with a match, and the text around the match, which stands in « »."
        }
        TableToolKind::Analyze => {
            "Runs one SELECT over the tables, in SQL as PostgreSQL knows it: joins, groups, windows, subqueries and \
             common table expressions. It reads, and nothing else. With `explain` the plan comes instead of the rows."
        }
    }
}

/// A description may be a block of several lines; this is a list of lines.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
