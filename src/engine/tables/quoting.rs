//! Where the values of a CSV text begin and end, as the engine's reader has it: a quote counts at the beginning of a value
//! and within quotes, where two are one.

/// Where in a value a reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Before its first sign.
    Before,
    Plain,
    Quoted,
    /// Behind a quote within quotes: it ends them unless another one follows.
    Closed,
}

/// What a sign is outside of quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Quote,
    Delimiter,
    LineEnd,
    Other,
}

/// What a sign does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// It begins or ends quotes.
    Quotes,
    /// It belongs to the value.
    Kept,
    /// It ends the value.
    EndsValue,
    /// It ends the value and its record.
    EndsRecord,
}

/// A quote ends within its value.
pub(super) struct Broken;

impl Place {
    /// What a sign does here, and where the reader is behind it.
    pub(super) fn step(self, sign: Sign) -> Result<(Step, Place), Broken> {
        Ok(match (self, sign) {
            (Place::Before, Sign::Quote) => (Step::Quotes, Place::Quoted),
            (Place::Quoted, Sign::Quote) => (Step::Quotes, Place::Closed),
            (Place::Quoted, _) | (Place::Closed, Sign::Quote) => (Step::Kept, Place::Quoted),
            (_, Sign::LineEnd) => (Step::EndsRecord, Place::Before),
            (_, Sign::Delimiter) => (Step::EndsValue, Place::Before),
            (Place::Closed, Sign::Other) => return Err(Broken),
            (Place::Before | Place::Plain, Sign::Quote | Sign::Other) => (Step::Kept, Place::Plain),
        })
    }
}
