//! What the header of a statement that changes data says of its changes.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;

/// How many rows must be changed, else none is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectChanges {
    /// So many.
    Exactly(u64),
    /// So many or more.
    AtLeast(u64),
}

impl ExpectChanges {
    /// Reads `exactly 1` or `at least 1`.
    pub fn parse(text: &str) -> Option<ExpectChanges> {
        let (word, number) = text.trim().rsplit_once(' ')?;
        let number = number.parse().ok()?;
        match word.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["exactly"] => Some(ExpectChanges::Exactly(number)),
            ["at", "least"] => Some(ExpectChanges::AtLeast(number)),
            _ => None,
        }
    }

    /// Whether so many changes are as many as must be.
    pub fn is_met(self, changed: u64) -> bool {
        match self {
            ExpectChanges::Exactly(number) => changed == number,
            ExpectChanges::AtLeast(number) => changed >= number,
        }
    }

    /// The fewest changes that are as many as must be.
    pub fn fewest(self) -> u64 {
        match self {
            ExpectChanges::Exactly(number) | ExpectChanges::AtLeast(number) => number,
        }
    }
}

impl fmt::Display for ExpectChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpectChanges::Exactly(number) => write!(f, "exactly {number}"),
            ExpectChanges::AtLeast(number) => write!(f, "at least {number}"),
        }
    }
}

impl Serialize for ExpectChanges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ExpectChanges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ExpectChanges, D::Error> {
        let text = String::deserialize(deserializer)?;
        ExpectChanges::parse(&text).ok_or_else(|| de::Error::custom("expected `exactly 1` or `at least 1`"))
    }
}

impl JsonSchema for ExpectChanges {
    fn schema_name() -> Cow<'static, str> {
        "ExpectChanges".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^(exactly|at least) [0-9]{1,9}$",
            "x-expected": "`exactly 1` or `at least 1`",
            "examples": ["exactly 1", "at least 1"],
        })
    }
}

/// What a transaction sees of others that run at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum Isolation {
    /// As if they ran one after the other; where that cannot be, it is tried again.
    #[default]
    #[serde(rename = "serializable")]
    Serializable,
    /// What was there when it began.
    #[serde(rename = "repeatable read")]
    RepeatableRead,
    /// What was there when each of its statements began.
    #[serde(rename = "read committed")]
    ReadCommitted,
}

impl Isolation {
    /// The words of SQL, in capitals.
    pub fn keywords(self) -> &'static str {
        match self {
            Isolation::Serializable => "SERIALIZABLE",
            Isolation::RepeatableRead => "REPEATABLE READ",
            Isolation::ReadCommitted => "READ COMMITTED",
        }
    }

    /// Whether it is what holds where nobody says otherwise.
    pub fn is_default(&self) -> bool {
        *self == Isolation::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_changes_are_expected_is_read_and_written() {
        for (text, wanted) in [
            ("exactly 1", Some(ExpectChanges::Exactly(1))),
            ("at least 20", Some(ExpectChanges::AtLeast(20))),
            ("at  least 20", Some(ExpectChanges::AtLeast(20))),
            ("exactly", None),
            ("1", None),
            ("exactly -1", None),
            ("at most 3", None),
        ] {
            assert_eq!(ExpectChanges::parse(text), wanted, "{text}");
        }
        assert_eq!(ExpectChanges::AtLeast(2).to_string(), "at least 2");
        assert!(ExpectChanges::AtLeast(2).is_met(3) && !ExpectChanges::Exactly(2).is_met(3));
    }
}
