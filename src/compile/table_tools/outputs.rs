//! The columns that tools made of tables return.

use crate::compile::known_columns::{column, nullable};
use crate::project::TableToolKind;
use crate::tool::{Output, OutputColumn};
use crate::ty::Type;

/// What a tool of a kind returns. The columns of some are known at the call alone.
pub(super) fn output_of(does: TableToolKind) -> Output {
    match does {
        TableToolKind::Schema => Output::Columns(of_schema()),
        TableToolKind::Profile => Output::Columns(of_profile()),
        TableToolKind::SearchSummary => Output::Columns(of_summary()),
        TableToolKind::SearchContent => Output::Columns(of_content()),
        TableToolKind::Read | TableToolKind::Analyze => Output::Rows,
    }
}

fn of_schema() -> Vec<OutputColumn> {
    vec![
        column("table", Type::Text, None),
        column("column", Type::Text, None),
        column("type", Type::Text, Some("The type in SQL.")),
        column("nullable", Type::Boolean, Some("Whether values may be null.")),
        nullable("description", Type::Text, "What the values mean."),
    ]
}

fn of_profile() -> Vec<OutputColumn> {
    let counted = Type::Struct(vec![("value".to_owned(), Type::Text), ("rows".to_owned(), Type::Bigint)]);
    vec![
        column("table", Type::Text, None),
        column("column", Type::Text, None),
        column("type", Type::Text, Some("The type in SQL.")),
        column("rows", Type::Bigint, Some("How many rows were looked at.")),
        column("sampled", Type::Boolean, Some("Whether the table has more rows than were looked at.")),
        nullable("null_share", Type::Double, "The share of rows without a value, from 0 to 1."),
        nullable("distinct", Type::Bigint, "How many different values there are in these rows."),
        nullable("minimum", Type::Text, "The smallest value."),
        nullable("maximum", Type::Text, "The largest value."),
        nullable("mean", Type::Double, "The mean, of numbers."),
        nullable("quartile_1", Type::Double, "A quarter of the numbers is at most this."),
        nullable("median", Type::Double, "Half of the numbers is at most this."),
        nullable("quartile_3", Type::Double, "Three quarters of the numbers are at most this."),
        nullable("top_values", Type::List(Box::new(counted)), "The most frequent values, the first most often."),
        nullable("shortest", Type::Bigint, "Characters of the shortest text."),
        nullable("longest", Type::Bigint, "Characters of the longest text."),
        nullable("mean_length", Type::Double, "Characters of a text in the mean."),
        nullable("semantic_type", Type::Text, "What the values are, such as email, url or date."),
        nullable("hints", Type::List(Box::new(Type::Text)), "What to mind in a query."),
    ]
}

fn of_summary() -> Vec<OutputColumn> {
    vec![
        column("table", Type::Text, None),
        column("column", Type::Text, None),
        column("matches", Type::Bigint, Some("In how many rows there is a match.")),
    ]
}

fn of_content() -> Vec<OutputColumn> {
    vec![
        column("table", Type::Text, None),
        nullable("key", Type::Json, "The primary key of the row, where the table has one."),
        column("column", Type::Text, Some("The first column with a match.")),
        column("snippet", Type::Text, Some("The text around the first match, which stands in « ».")),
        column("also_in", Type::List(Box::new(Type::Text)), Some("Further columns with a match.")),
    ]
}
