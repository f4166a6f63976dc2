//! `limits` of `qtool.yaml`: what calls may take.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// What calls may take; each has a default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The most bytes of rows in a result; what is beyond is cut in whole rows. Default: 256KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<ByteSize>,
    /// The memory that all queries together may take for sorts, joins and aggregates. Default: 1GiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<ByteSize>,
    /// The share of one query. Default: half of the memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_memory: Option<ByteSize>,
    /// The memory that the rows of small tables are kept in between calls. Default: 256MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<ByteSize>,
    /// The memory that results are kept in between calls, of queries with a `cache_ttl`. Default: 64MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<ByteSize>,
    /// The disk that all queries together may spill to. Default: 4GiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spill: Option<ByteSize>,
    /// How many calls run at once. Default: four a core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10000))]
    pub concurrency: Option<u32>,
    /// How many calls wait for their turn; more are refused. Default: 256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1000000))]
    pub queue: Option<u32>,
    /// How many calls a second one principal may make over HTTP, and at most twice as many at once. Default: 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000000))]
    pub calls_per_second: Option<u32>,
    /// The largest body of an HTTP request. Default: 1MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_request_bytes: Option<ByteSize>,
}

/// A number of bytes, written with a unit: `256KiB`, `1GiB`, `10MB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize(pub u64);

const PATTERN: &str = "^[1-9][0-9]{0,8}(B|kB|KiB|MB|MiB|GB|GiB)$";

impl ByteSize {
    fn parse(text: &str) -> Option<ByteSize> {
        let cut = text.find(|c: char| !c.is_ascii_digit())?;
        let (amount, unit) = text.split_at_checked(cut)?;
        let amount: u64 = amount.parse().ok().filter(|amount| (1..1_000_000_000).contains(amount))?;
        let factor: u64 = match unit {
            "B" => 1,
            "kB" => 1_000,
            "KiB" => 1 << 10,
            "MB" => 1_000_000,
            "MiB" => 1 << 20,
            "GB" => 1_000_000_000,
            "GiB" => 1 << 30,
            _ => return None,
        };
        Some(ByteSize(amount * factor))
    }

    /// As a size in memory.
    pub fn bytes(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl Serialize for ByteSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let units = [(1_u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        let unit = units.iter().find(|(factor, _)| self.0.is_multiple_of(*factor));
        let text = unit.map_or_else(|| format!("{}B", self.0), |(factor, unit)| format!("{}{unit}", self.0 / factor));
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for ByteSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        ByteSize::parse(&text).ok_or_else(|| serde::de::Error::custom("a size such as `256KiB`"))
    }
}

impl JsonSchema for ByteSize {
    fn schema_name() -> Cow<'static, str> {
        "ByteSize".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A size such as `256KiB`, `64MiB` or `1GiB`.",
            "x-expected": "a size such as `256KiB`",
            "type": "string",
            "pattern": PATTERN
        })
    }
}
