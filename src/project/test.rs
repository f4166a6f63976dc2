//! Tests of tools: `queries/<name>.test.yaml`, and `tests` in the header of a query file.

use super::OneOrMore;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The tests of one query, in a file of their own: `queries/<name>.test.yaml` beside `queries/<name>.sql`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestFile {
    /// Rows that stand in for the data of tables, in every test that has none of its own.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub fixtures: IndexMap<String, Vec<Map<String, Value>>>,
    /// Claims of the caller's token in every test that has none of its own.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub claims: Map<String, Value>,
    /// Headers of the request in every test that has none of its own.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, String>,
    /// What the caller's token is good for in every test that does not say otherwise, for policies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub scopes: Vec<String>,
    /// What `now()` is in every test that does not say otherwise, in RFC 3339. Default: the time of the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
    /// Callers by name, for `as` of a test and for `sees`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub principals: IndexMap<String, PrincipalConfig>,
    /// By table and by principal, how many rows of the table that caller sees.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub sees: IndexMap<String, IndexMap<String, u64>>,
    /// The tests. Only a file that says who `sees` what may have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    #[schemars(extend("x-keep" = "write a test; only a file that says who `sees` what may have none"))]
    pub tests: Vec<TestConfig>,
}

/// A caller.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrincipalConfig {
    /// Claims of its token.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub claims: Map<String, Value>,
    /// Headers of its requests.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, String>,
    /// What its token is good for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub scopes: Vec<String>,
}

/// One call of a tool, and what it must give.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestConfig {
    /// What is tested, in words; no other test of the query has the same.
    #[schemars(length(min = 1))]
    pub name: String,
    /// What an agent sends.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub arguments: Map<String, Value>,
    /// Rows by table that stand in for its data, typed by its locked schema, in the place of those of the file. A column
    /// that a row leaves out is null; a table without rows here is read from its data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixtures: Option<IndexMap<String, Vec<Map<String, Value>>>>,
    /// The principal of the file that calls, whose claims, headers and scopes hold but for those that the test has itself.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    /// Claims of the caller's token, for parameters that are bound to one, in the place of those of the file: `{}` for
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Map<String, Value>>,
    /// Headers of the request, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headers: Option<IndexMap<String, String>>,
    /// What the caller's token is good for, likewise: `[]` for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(length(min = 1)))]
    pub scopes: Option<Vec<String>>,
    /// What `now()` is, in RFC 3339: `2024-03-31T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
    /// What the call must give. All that is said must hold.
    pub expect: ExpectConfig,
}

/// What a call must give. Numbers are compared exactly, whether they are written `1` or `1.0`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1, "x-expected" = "what the call must give, such as `rows`, `count` or `error`"))]
pub struct ExpectConfig {
    /// These rows with all their columns, in this order, and no others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<Map<String, Value>>>,
    /// Rows that must be among those returned; of each, only the columns that are written are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contains: Option<Vec<Map<String, Value>>>,
    /// How many rows are returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<CountExpectation>,
    /// How many rows are changed, of a tool that changes data; what it changes is taken back behind each test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<CountExpectation>,
    /// The names of the columns, in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// SQL conditions over the columns of the result that are true of every row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<OneOrMore>,
    /// SQL conditions that are true of no row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub none: Option<OneOrMore>,
    /// SQL conditions that are each true of one row at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub any: Option<OneOrMore>,
    /// A file below `snapshots/golden` that holds the result as an agent reads it, in the format that its ending names:
    /// `.md`, `.csv`, `.toon` or `.json`. `qtool test --update` writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub golden: Option<String>,
    /// The code of the error that the call is refused with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorExpectation>,
}

/// How many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("x-expected" = "a number of rows, or a mapping of `min` and `max`"))]
pub enum CountExpectation {
    /// So many.
    Exactly(u64),
    /// Within bounds.
    Within(CountBounds),
}

/// Bounds of a number of rows; what is not said is not checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CountBounds {
    /// The fewest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u64>,
    /// The most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
}

/// An error of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("x-expected" = "the code of an error, or a mapping of `code` and `parameter`"))]
pub enum ErrorExpectation {
    /// Of this code, about whichever parameter.
    Code(String),
    /// Of this code, about this parameter.
    About(ErrorAbout),
}

/// An error and the parameter that it is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorAbout {
    /// The code, such as `invalid-argument`.
    pub code: String,
    /// The parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
}

impl ErrorExpectation {
    /// The code, and the parameter where one is named.
    pub fn parts(&self) -> (&str, Option<&str>) {
        match self {
            ErrorExpectation::Code(code) => (code, None),
            ErrorExpectation::About(about) => (&about.code, about.parameter.as_deref()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_schema_takes_what_can_be_read_and_nothing_else() {
        let schema = schemars::schema_for!(TestFile).to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let file = |expect: Value| json!({"tests": [{"name": "n", "expect": expect}]});
        for good in [
            json!({"count": 1}),
            json!({"count": {"min": 1}}),
            json!({"error": "timeout"}),
            json!({"error": {"code": "invalid-argument", "parameter": "a"}}),
            json!({"all": ["a > 1", "b"], "any": "a"}),
            json!({"rows": [], "contains": [{"a": null}]}),
        ] {
            assert!(validator.is_valid(&file(good.clone())), "{good}");
            assert!(serde_json::from_value::<TestFile>(file(good.clone())).is_ok(), "{good}");
        }
        for bad in
            [json!({}), json!({"count": -1}), json!({"rows": [1]}), json!({"row": []}), json!({"count": {"most": 1}})]
        {
            assert!(!validator.is_valid(&file(bad.clone())), "{bad}");
        }
        assert!(!validator.is_valid(&json!({"tests": [{"name": "n"}]})), "nothing is expected");
    }
}
