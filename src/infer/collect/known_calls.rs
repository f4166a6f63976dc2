//! Calls whose signatures say less than is known of them: of casts, of lists, of texts that are read by a format.

use super::Collector;
use crate::infer::constraint::{Strength, Term};
use crate::ty::Type;
use arrow::datatypes::DataType;
use sqlparser::ast::Expr;

/// Functions that read a text by the formats behind it.
const READERS: [&str; 7] = [
    "to_date",
    "to_timestamp",
    "to_timestamp_seconds",
    "to_timestamp_millis",
    "to_timestamp_micros",
    "to_timestamp_nanos",
    "to_unixtime",
];

impl Collector<'_> {
    /// Asks for what is known of a function's arguments; what the call gives, where that is known as well.
    pub(super) fn known_call(&mut self, name: &str, args: &[&Expr], terms: &[Term]) -> Option<Term> {
        let is_open = |term: &Term| matches!(term, Term::Open(_));
        match (name, terms) {
            ("arrow_cast" | "arrow_try_cast" | "cast_to_type" | "try_cast_to_type", _) => {
                self.cast_call(name, args, terms)
            }
            ("make_array", [_, ..]) if terms.iter().any(is_open) => {
                Some(self.array_of(args.iter().copied(), terms.to_vec()))
            }
            (reader, [value, formats @ ..]) if READERS.contains(&reader) => {
                if !formats.is_empty() {
                    self.ask(value, Type::Text, Strength::Likely);
                }
                for format in formats {
                    self.must_be(format, Type::Text);
                }
                if let ("to_date", Some(arg)) = (reader, args.first()) {
                    self.cast_side((*arg, value), &DataType::Date32);
                }
                None
            }
            // The aggregate; the signature is that of the value.
            ("nth_value", [_, position, ..]) => {
                self.must_be(position, Type::Bigint);
                self.found.positions.extend(self.occurrence(position));
                None
            }
            _ => None,
        }
    }
}
