//! Things that become one type, where a text may stand beside a number, or a number beside a point in time.

use super::constraint::Term;
use crate::source::Span;
use crate::ty::Type;
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

/// What is cast to a point in time.
#[derive(Debug)]
pub(super) struct CastSide {
    /// What is cast.
    pub side: Side,
    /// The type that it is cast to.
    pub to: DataType,
}

/// A bound of a window frame that is a distance between values: `RANGE BETWEEN 1 PRECEDING …`.
#[derive(Debug)]
pub(super) struct Distance {
    /// What the rows are ordered by.
    pub order: Side,
    /// The distance.
    pub bound: Side,
}

/// A side with its type, and its place in the file.
pub(super) struct Typed<'a> {
    /// Its type.
    pub ty: DataType,
    /// Where it stands.
    pub span: Span,
    /// What stands there.
    pub text: &'a str,
    /// What is noted of it.
    pub side: &'a Side,
}

impl Typed<'_> {
    /// The name of its type.
    pub(super) fn name(&self) -> String {
        let ty = of_values(&self.ty);
        Type::from_arrow(ty).map_or_else(|| ty.to_string(), |ty| ty.to_string())
    }

    /// What is said at its place.
    pub(super) fn label(&self, ty: &str) -> String {
        match self.side.written {
            Written::Items => format!("holds {ty}"),
            _ => format!("is {ty}"),
        }
    }

    /// Whether it is a text of every row, or of a call. What is computed of constants is looked at when it is computed.
    pub(super) fn is_text_of_rows(&self) -> bool {
        is_text(&self.ty) && !matches!(self.side.term, Term::Constant(_))
    }
}

/// What values of a type are, as far as values of two kinds are never compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text.
    Text,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// A day or a point in time.
    Moment,
    /// A time of day.
    Time,
    /// A span of time.
    Span,
}

/// What values of a type are, or the items of its lists; `None` for records and bytes.
pub(super) fn kind(ty: &DataType) -> Option<Kind> {
    Some(match of_values(ty) {
        DataType::Boolean => Kind::Boolean,
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => Kind::Moment,
        DataType::Time32(_) | DataType::Time64(_) => Kind::Time,
        DataType::Interval(_) | DataType::Duration(_) => Kind::Span,
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => kind(item.data_type())?,
        ty if ty.is_numeric() => Kind::Number,
        ty if is_text(ty) => Kind::Text,
        _ => return None,
    })
}

/// Whether values of these kinds have nothing in common. A text in quotes may be read as any.
pub(super) fn clash(one: Kind, other: Kind) -> bool {
    one != other
        && one != Kind::Text
        && other != Kind::Text
        && !matches!((one, other), (Kind::Time, Kind::Span) | (Kind::Span, Kind::Time))
}

/// Whether records of these types have values at one place that have nothing in common.
pub(super) fn records_clash(one: &DataType, other: &DataType) -> bool {
    match (of_values(one), of_values(other)) {
        (DataType::Struct(one), DataType::Struct(other)) => {
            let by_name = one.iter().all(|field| other.find(field.name()).is_some());
            one.iter().enumerate().any(|(at, field)| {
                let beside = if by_name { other.find(field.name()).map(|(_, beside)| beside) } else { other.get(at) };
                beside.is_some_and(|beside| {
                    let kinds = kind(field.data_type()).zip(kind(beside.data_type()));
                    kinds.is_some_and(|(one, other)| clash(one, other))
                        || records_clash(field.data_type(), beside.data_type())
                })
            })
        }
        (
            DataType::List(one) | DataType::LargeList(one) | DataType::FixedSizeList(one, _),
            DataType::List(other) | DataType::LargeList(other) | DataType::FixedSizeList(other, _),
        ) => records_clash(one.data_type(), other.data_type()),
        _ => false,
    }
}

/// Whether there are two kinds among types that have nothing in common.
pub(super) fn any_clash(types: &[DataType]) -> bool {
    let kinds: Vec<Kind> = types.iter().filter_map(kind).filter(|kind| *kind != Kind::Text).collect();
    kinds.first().is_some_and(|first| kinds.iter().any(|kind| clash(*first, *kind)))
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
