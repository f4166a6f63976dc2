//! How numbers go into JSON that not every reader of JSON keeps exactly.
//!
//! RFC 8259 leaves the range of numbers open, and says in section 6 what works everywhere: what a 64-bit float holds.
//! Of a `bigint` that is everything up to 2^53; of a `decimal`, numbers of up to 15 digits.

use super::Type;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What exact numbers are in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JsonNumber {
    /// A string of all digits.
    String,
    /// A number. A reader with 64-bit floats rounds what has more digits than they hold.
    Number,
}

impl fmt::Display for JsonNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            JsonNumber::String => "string",
            JsonNumber::Number => "number",
        })
    }
}

/// What the exact numbers of a column are in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExactNumbers {
    /// Of types bigint and ubigint.
    #[serde(default = "number", skip_serializing_if = "is_number")]
    pub bigint: JsonNumber,
    /// Of type decimal.
    #[serde(default = "string", skip_serializing_if = "is_string")]
    pub decimal: JsonNumber,
}

impl Default for ExactNumbers {
    fn default() -> Self {
        ExactNumbers { bigint: number(), decimal: string() }
    }
}

impl ExactNumbers {
    /// Without what a type has no numbers of: two columns with the same values are the same.
    pub fn of_type(self, ty: &Type) -> ExactNumbers {
        let usual = ExactNumbers::default();
        ExactNumbers {
            bigint: if ty.has_bigint() { self.bigint } else { usual.bigint },
            decimal: if ty.has_decimal() { self.decimal } else { usual.decimal },
        }
    }

    /// The types whose numbers are not what they usually are, by name, and what they are.
    pub fn unusual(self) -> impl Iterator<Item = (&'static str, JsonNumber)> {
        let usual = ExactNumbers::default();
        let all = [("bigint", self.bigint, usual.bigint), ("decimal", self.decimal, usual.decimal)];
        all.into_iter().filter(|(_, form, usual)| form != usual).map(|(name, form, _)| (name, form))
    }
}

impl Type {
    /// Whether values are 64-bit integers, or have such in them.
    pub fn has_bigint(&self) -> bool {
        self.has(&|ty| matches!(ty, Type::Bigint | Type::Ubigint))
    }

    /// Whether values are exact numbers with a point, or have such in them.
    pub fn has_decimal(&self) -> bool {
        self.has(&|ty| matches!(ty, Type::Decimal(..)))
    }
}

fn number() -> JsonNumber {
    JsonNumber::Number
}

fn string() -> JsonNumber {
    JsonNumber::String
}

fn is_number(form: &JsonNumber) -> bool {
    *form == JsonNumber::Number
}

fn is_string(form: &JsonNumber) -> bool {
    *form == JsonNumber::String
}
