//! Things that become one type, where a text may stand beside a number or a point in time.

use super::constraint::Term;
use arrow::datatypes::DataType;
use sqlparser::tokenizer;

/// Things that become one type.
#[derive(Debug)]
pub(super) struct Beside {
    /// How, for people.
    pub what: String,
    /// The things.
    pub sides: Vec<Side>,
}

/// One of them.
#[derive(Debug)]
pub(super) struct Side {
    /// Its type.
    pub term: Term,
    /// Where it stands.
    pub place: tokenizer::Span,
    /// What it is.
    pub written: Written,
}

/// What stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Written {
    /// A text in quotes.
    Text(String),
    /// A number, with its sign. The place of a negative one begins behind that.
    Number(String),
    /// The name of a column.
    Column,
    /// A list, whose items are meant.
    Items,
    /// Anything else.
    Otherwise,
}

/// Whether values of a type are texts, however they are kept.
pub(super) fn is_text(ty: &DataType) -> bool {
    matches!(of_values(ty), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Whether values of a type are numbers, or times in any form.
pub(super) fn is_measured(ty: &DataType) -> bool {
    let ty = of_values(ty);
    ty.is_numeric() || ty.is_temporal()
}

/// The type of what a dictionary stands for.
pub(super) fn of_values(ty: &DataType) -> &DataType {
    match ty {
        DataType::Dictionary(_, values) => of_values(values),
        DataType::RunEndEncoded(_, values) => of_values(values.data_type()),
        ty => ty,
    }
}
