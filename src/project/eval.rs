//! The files of agent evaluations: what a model is asked, and which calls it must make of it.

use crate::source::FileId;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// One file under `evals/`.
#[derive(Debug, Clone)]
pub struct EvalFile {
    /// The `.yaml` file.
    pub file: FileId,
    /// The path below `evals/` without `.yaml`, with `/`: the evaluation's name, or the beginning of the names of its
    /// cases.
    pub stem: String,
}

/// An evaluation file: one question, or several as `cases`. What is said beside `cases` holds for each that does not
/// say otherwise.
// To serde, a struct with a flattened one in it cannot say so itself; the schema is what files are checked against.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EvalFileConfig {
    /// The one evaluation of the file, or what holds for all cases.
    #[serde(flatten)]
    pub eval: EvalConfig,
    /// Evaluations by name.
    #[serde(default)]
    pub cases: IndexMap<String, EvalConfig>,
}

/// A question for a model that has the project's tools, and what it must make of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalConfig {
    /// What the model is asked.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub question: Option<String>,
    /// What it is told beforehand, such as today's date.
    #[serde(default)]
    pub system: Option<String>,
    /// The tools that it must call, in any order. A call that the tool refuses does not count.
    #[serde(default)]
    pub must_call: Option<Vec<String>>,
    /// The tools that it must not call.
    #[serde(default)]
    pub must_not_call: Option<Vec<String>>,
    /// What it must send, by tool and parameter: one call of the tool must have all of it.
    #[serde(default)]
    pub arguments: Option<IndexMap<String, IndexMap<String, ExpectedArgument>>>,
    /// Most calls of tools. Default: any number.
    #[serde(default)]
    #[schemars(range(max = 1000))]
    pub max_calls: Option<u64>,
    /// Most answers of the model, the last one without calls. Default: 8.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub max_turns: Option<u64>,
    /// How often it is asked. Default: 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    pub repetitions: Option<u64>,
    /// The share of repetitions that must pass, from 0 to 1. Default: 1.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub threshold: Option<f64>,
}

impl EvalConfig {
    /// This evaluation, with what another says where it says nothing. A question is never taken over.
    #[must_use]
    pub fn or(self, defaults: &EvalConfig) -> EvalConfig {
        let EvalConfig {
            question,
            system,
            must_call,
            must_not_call,
            arguments,
            max_calls,
            max_turns,
            repetitions,
            threshold,
        } = self;
        EvalConfig {
            question,
            system: system.or_else(|| defaults.system.clone()),
            must_call: must_call.or_else(|| defaults.must_call.clone()),
            must_not_call: must_not_call.or_else(|| defaults.must_not_call.clone()),
            arguments: arguments.or_else(|| defaults.arguments.clone()),
            max_calls: max_calls.or(defaults.max_calls),
            max_turns: max_turns.or(defaults.max_turns),
            repetitions: repetitions.or(defaults.repetitions),
            threshold: threshold.or(defaults.threshold),
        }
    }
}

/// What an argument must be: a value, or a condition. It is read where the parameter is known: a mapping may be a value
/// too, of a parameter that takes objects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExpectedArgument(pub Value);

impl ExpectedArgument {
    /// The keys of conditions.
    pub const KEYS: [&'static str; 4] = ["one_of", "matches", "min", "max"];
}

impl JsonSchema for ExpectedArgument {
    fn schema_name() -> Cow<'static, str> {
        "ExpectedArgument".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A value (of a list the items in any order; null for none), or a condition: `one_of` with a list of values, `matches` with a regular expression, `min` and `max`. Conditions on a list hold for every item.",
            "type": ["string", "number", "boolean", "array", "object", "null"],
            "properties": {
                "one_of": {
                    "description": "The values of which it must be one.",
                    "type": "array",
                    "minItems": 1
                },
                "matches": {
                    "description": "A regular expression that a part of the text must match.",
                    "type": "string"
                },
                "min": {
                    "description": "The smallest value.",
                    "type": ["number", "string"]
                },
                "max": {
                    "description": "The largest value.",
                    "type": ["number", "string"]
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_file_is_one_evaluation_or_several_and_has_no_other_keys() {
        let schema = schemars::schema_for!(EvalFileConfig).to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let one =
            json!({"question": "Which?", "must_call": ["t"], "arguments": {"t": {"a": {"one_of": [1]}, "b": null}}});
        let several = json!({"repetitions": 3, "threshold": 0.5, "cases": {"x": one}});
        for valid in [&one, &several] {
            assert!(validator.is_valid(valid), "{valid}");
        }
        for invalid in [
            json!({"question": "Which?", "must_cal": ["t"]}),
            json!({"cases": {"x": {"question": "Which?", "cases": {}}}}),
            json!({"question": "", "max_turns": 0}),
            json!({"question": "?", "threshold": 1.5}),
            json!({"question": "?", "arguments": {"t": {"a": {"one_of": []}}}}),
        ] {
            assert!(!validator.is_valid(&invalid), "{invalid}");
        }
        let read: EvalFileConfig = serde_json::from_value(several).unwrap();
        assert_eq!((read.eval.repetitions, read.cases["x"].question.as_deref()), (Some(3), Some("Which?")));
    }

    #[test]
    fn what_a_case_says_goes_before_what_the_file_says() {
        let read = |value| serde_json::from_value::<EvalConfig>(value).unwrap();
        let file = read(json!({"question": "?", "system": "s", "max_calls": 2, "must_call": ["a", "b"]}));
        let case = read(json!({"question": "q", "must_call": ["c"]})).or(&file);
        assert_eq!(case, read(json!({"question": "q", "system": "s", "max_calls": 2, "must_call": ["c"]})));
        assert_eq!(read(json!({})).or(&file).question, None);
    }
}
