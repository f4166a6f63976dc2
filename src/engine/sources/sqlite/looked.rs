//! What the values of a column are that were looked at.

use super::super::pushed::StandIn;
use super::super::survey::{Proposal, ProposalReason};
use super::decode::Column;
use super::types::column_type;
use crate::ty::Type;
use rusqlite::types::ValueRef;
use std::collections::HashSet;

/// So many different texts may be categories.
const MOST_CATEGORIES: usize = 20;

/// Categories come up so often, on average.
const OFTEN: usize = 2;

/// Words for numbers, which may say of how many digits.
const NUMBERS: [&str; 4] = ["NUMERIC", "DECIMAL", "NUMBER", "MONEY"];

/// The values of a column.
pub(super) struct Looked {
    /// The types that it may have, the best first.
    candidates: Vec<Candidate>,
    values: usize,
    texts: HashSet<String>,
}

struct Candidate {
    ty: Type,
    values: Column,
    fits: bool,
}

impl Looked {
    /// No value yet.
    pub(super) fn declared(declared: &str) -> Looked {
        let others =
            [Type::Bigint, Type::Double, Type::Date, Type::Timestamp(6), Type::Timestamptz(6), Type::Text, Type::Bytea];
        let candidate = |ty: Type| Candidate { values: Column::of_type(&ty.to_arrow()), ty, fits: true };
        let candidates = column_type(declared).into_iter().chain(others).map(candidate).collect();
        Looked { candidates, values: 0, texts: HashSet::new() }
    }

    /// Looks at a value.
    pub(super) fn push(&mut self, value: ValueRef<'_>) {
        if matches!(value, ValueRef::Null) {
            return;
        }
        self.values += 1;
        for candidate in self.candidates.iter_mut().filter(|candidate| candidate.fits) {
            candidate.fits = candidate.values.push(value, StandIn::Nothing).is_ok();
        }
        if let ValueRef::Text(bytes) = value
            && self.texts.len() <= MOST_CATEGORIES
        {
            self.texts.insert(String::from_utf8_lossy(bytes).into_owned());
        }
    }

    /// The type that is better declared, where there is one.
    pub(super) fn proposal(&self, declared: &str, is_key: bool) -> Option<Proposal> {
        let first = self.candidates.iter().find(|candidate| candidate.fits).map(|candidate| candidate.ty.clone());
        let (ty, why) = match (column_type(declared), first) {
            (Some(Type::Double), first) if is_number(declared) => {
                let whole = is_key && self.values > 0 && self.fits(&Type::Bigint);
                let ty = if self.fits(&Type::Double) { Some(Type::Double) } else { first };
                (if whole { Type::Bigint } else { ty? }, ProposalReason::NoDigits)
            }
            (Some(ty), _) if self.fits(&ty) => return None,
            (Some(_), Some(first)) => (first, ProposalReason::Misfit),
            (Some(_), None) => (Type::Text, ProposalReason::Mixed),
            (None, _) if self.values == 0 => (Type::Text, ProposalReason::Empty),
            (None, Some(first)) => (first, ProposalReason::Untyped),
            (None, None) => (Type::Text, ProposalReason::Mixed),
        };
        Some(Proposal { ty, why })
    }

    fn fits(&self, ty: &Type) -> bool {
        self.candidates.iter().any(|candidate| candidate.ty == *ty && candidate.fits)
    }

    /// Whether there are few different texts, each of which comes up again.
    pub(super) fn is_category(&self) -> bool {
        let different = self.texts.len();
        (2..=MOST_CATEGORIES).contains(&different) && different * OFTEN <= self.values
    }
}

/// Whether a declared type is a number of any digits. Those with digits are read as decimals.
fn is_number(declared: &str) -> bool {
    let upper = declared.trim().to_ascii_uppercase();
    NUMBERS.iter().any(|word| upper.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposed(declared: &str, values: &[ValueRef<'_>]) -> Option<(String, ProposalReason)> {
        let mut looked = Looked::declared(declared);
        values.iter().for_each(|value| looked.push(*value));
        looked.proposal(declared, false).map(|proposal| (proposal.ty.to_string(), proposal.why))
    }

    #[test]
    fn a_type_is_proposed_where_the_declared_one_does_not_do() {
        let (day, moment) = (ValueRef::Text(b"2024-03-31"), ValueRef::Text(b"2024-03-31 10:00:00"));
        let (one, half, blob) = (ValueRef::Integer(1), ValueRef::Real(0.5), ValueRef::Blob(b"x"));
        let is = |ty: &str, why: ProposalReason| Some((ty.to_owned(), why));
        assert_eq!(proposed("INTEGER", &[one, ValueRef::Null]), None);
        assert_eq!(proposed("INTEGER", &[]), None);
        assert_eq!(proposed("DATE", &[day]), None);
        assert_eq!(proposed("DATE", &[day, moment]), is("timestamp", ProposalReason::Misfit));
        assert_eq!(proposed("DATETIME", &[one]), is("bigint", ProposalReason::Misfit));
        assert_eq!(proposed("BOOLEAN", &[ValueRef::Text(b"Y")]), is("text", ProposalReason::Misfit));
        assert_eq!(proposed("NUMERIC", &[one, half]), is("double", ProposalReason::NoDigits));
        assert_eq!(proposed("NUMERIC(10,2)", &[one, half]), None);
        assert_eq!(proposed("", &[one, half]), is("double", ProposalReason::Untyped));
        assert_eq!(proposed("", &[day]), is("date", ProposalReason::Untyped));
        assert_eq!(proposed("", &[ValueRef::Null]), is("text", ProposalReason::Empty));
        assert_eq!(proposed("", &[one, blob]), is("text", ProposalReason::Mixed));
        assert_eq!(proposed("INTEGER", &[one, ValueRef::Text(b"many")]), is("text", ProposalReason::Mixed));
        assert_eq!(proposed("INTEGER", &[one, blob]), is("text", ProposalReason::Mixed));
    }
}
