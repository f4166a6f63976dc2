//! `tools/<name>.yaml`: a tool that is a program, with the settings that the header of a query has.

use super::header::Header;
use super::program::ProgramConfig;
use super::python::PythonConfig;
use super::request::RequestConfig;
use super::simple_json::SimpleJsonConfig;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What the header of a query has, and a manifest has not: it is about a statement, or about rows that it would change.
const OF_STATEMENTS: [&str; 8] =
    ["extends", "source", "kind", "count_total", "max_changes", "expect_changes", "confirm", "isolation"];

/// A manifest: what a header says of a tool, and what runs.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// What it says of the tool, in the words of the header of a query.
    pub header: Header,
    /// What runs.
    pub runs: Runs,
}

/// What a tool runs in the place of a statement.
#[derive(Debug, Clone)]
pub enum Runs {
    /// A program.
    Program(ProgramConfig),
    /// A request to a web service.
    Request(RequestConfig),
    /// A function in Python.
    Python(PythonConfig),
    /// A program in Fractalic's convention.
    SimpleJson(SimpleJsonConfig),
}

impl Runs {
    /// Of which kind it is.
    pub fn kind(&self) -> RunsKind {
        match self {
            Runs::Program(_) => RunsKind::Program,
            Runs::Request(_) => RunsKind::Request,
            Runs::Python(_) => RunsKind::Python,
            Runs::SimpleJson(_) => RunsKind::SimpleJson,
        }
    }
}

/// The kinds of what runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunsKind {
    /// A program.
    Program,
    /// A request to a web service.
    Request,
    /// A function in Python.
    Python,
    /// A program in Fractalic's convention.
    SimpleJson,
}

impl RunsKind {
    /// Every kind.
    pub const ALL: [RunsKind; 4] = [RunsKind::Program, RunsKind::Request, RunsKind::Python, RunsKind::SimpleJson];

    /// The key that says it.
    pub fn key(self) -> &'static str {
        match self {
            RunsKind::Program => "run",
            RunsKind::Request => "http",
            RunsKind::Python => "python",
            RunsKind::SimpleJson => "simple_json",
        }
    }

    /// The keys of a manifest that say more of it.
    pub fn keys(self) -> BTreeSet<String> {
        let schema = match self {
            RunsKind::Program => schemars::schema_for!(ProgramConfig),
            RunsKind::Request => schemars::schema_for!(RequestConfig),
            RunsKind::Python => schemars::schema_for!(PythonConfig),
            RunsKind::SimpleJson => schemars::schema_for!(SimpleJsonConfig),
        };
        let properties = schema.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(|map| map.keys().cloned()).collect()
    }

    /// That of a mapping which has its key.
    pub fn of(has: impl Fn(&str) -> bool) -> Option<RunsKind> {
        RunsKind::ALL.into_iter().find(|kind| has(kind.key()))
    }
}

impl<'de> Deserialize<'de> for Manifest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let all = Map::deserialize(deserializer)?;
        let kind = RunsKind::of(|key| all.contains_key(key)).ok_or_else(|| D::Error::custom("nothing runs"))?;
        let keys = kind.keys();
        let (own, header): (Map<String, Value>, _) = all.into_iter().partition(|(key, _)| keys.contains(key));
        let own = Value::Object(own);
        let runs = match kind {
            RunsKind::Program => serde_json::from_value(own).map(Runs::Program),
            RunsKind::Request => serde_json::from_value(own).map(Runs::Request),
            RunsKind::Python => serde_json::from_value(own).map(Runs::Python),
            RunsKind::SimpleJson => serde_json::from_value(own).map(Runs::SimpleJson),
        };
        let header = serde_json::from_value(Value::Object(header)).map_err(D::Error::custom)?;
        Ok(Manifest { header, runs: runs.map_err(D::Error::custom)? })
    }
}

impl JsonSchema for Manifest {
    fn schema_name() -> Cow<'static, str> {
        "Manifest".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let properties = |schema: &Schema| {
            let of = schema.get("properties").and_then(Value::as_object).cloned();
            of.unwrap_or_default()
        };
        let mut all = properties(&Header::json_schema(generator));
        all.retain(|key, _| !OF_STATEMENTS.contains(&key.as_str()));
        let schemas = [
            ProgramConfig::json_schema(generator),
            RequestConfig::json_schema(generator),
            PythonConfig::json_schema(generator),
            SimpleJsonConfig::json_schema(generator),
        ];
        for (key, value) in schemas.iter().flat_map(properties) {
            all.entry(key).or_insert(value);
        }
        json_schema!({
            "description": "A tool that is a program, a request to a web service or a function in Python: `tools/<name>.yaml`.",
            "type": "object",
            "properties": all,
            "additionalProperties": false
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::RunArgument;
    use serde_json::json;

    #[test]
    fn a_manifest_has_the_keys_of_a_header_and_its_own() {
        let manifest: Manifest = serde_json::from_value(json!({
            "description": "d",
            "params": {"city": {"type": "text"}},
            "run": ["weather", ["--city", "<< city >>"], {"if": "<< long >>", "then": ["-l"]}],
            "output": "json"
        }))
        .unwrap();
        assert_eq!(manifest.header.params.len(), 1);
        let Runs::Program(program) = manifest.runs else { panic!("a program runs") };
        assert_eq!(program.run.len(), 3);
        let texts = program.run.iter().flat_map(RunArgument::texts).map(|(path, _)| path.join("/"));
        assert_eq!(texts.collect::<Vec<_>>(), ["", "0", "1", "if", "then/0"]);
        let keys = RunsKind::Program.keys();
        assert!(keys.contains("run") && keys.contains("passthrough") && !keys.contains("params"), "{keys:?}");
    }
}
