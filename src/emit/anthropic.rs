//! Tools as the Claude API has them.
//!
//! Source: <https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools>.

use super::description;
use super::profile::{Profile, lower_tool};
use crate::tool::{Contract, Parameter};
use crate::ty::coerce::{Coercion, Strictness};
use serde_json::{Map, Value};

/// The most examples of a tool: they are read with every request.
const MAX_EXAMPLES: usize = 3;

/// The tools of the Messages API: an array of `{name, description, input_schema, input_examples}`.
///
/// They are not `strict`: a request takes 20 strict tools at most, and compiles their schemas first.
pub fn tools(tools: &[Contract]) -> Value {
    tools.iter().map(tool).collect()
}

fn tool(tool: &Contract) -> Value {
    let mut object = Map::from_iter([("name".to_owned(), tool.name.clone().into())]);
    if let Some(description) = description::description_of(tool) {
        object.insert("description".to_owned(), description.into());
    }
    object.insert("input_schema".to_owned(), lower_tool(tool, Profile::Claude).schema);
    let examples = examples(tool);
    if !examples.is_empty() {
        object.insert("input_examples".to_owned(), examples.into());
    }
    Value::Object(object)
}

/// Whole arguments of calls, made of the examples of the parameters: of the required ones, which are written to be used
/// together; where there are none, of each other one by itself.
///
/// One that the schema refuses has the whole request refused, so each is checked as the server checks a strict call.
/// There are none where the arguments also have to suit one another.
fn examples(tool: &Contract) -> Vec<Value> {
    if tool.schema().is_some() || !tool.rules.is_empty() {
        return Vec::new();
    }
    let (required, optional): (Vec<&Parameter>, Vec<&Parameter>) = tool.published().partition(|one| one.required);
    let argument = |parameter: &Parameter, value: &Value| (parameter.name.clone(), value.clone());
    if required.is_empty() {
        let first = |parameter: &&Parameter| Some(Map::from_iter([argument(parameter, valid(parameter).first()?)]));
        let does_something = |example: &Map<String, Value>| {
            let has =
                |name: &str| example.contains_key(name) || tool.parameter(name).is_some_and(Parameter::has_default);
            tool.clauses.idle(has).all(|(idle, _)| !example.contains_key(idle))
        };
        let examples = optional.iter().filter_map(first).filter(does_something);
        return examples.take(MAX_EXAMPLES).map(Value::Object).collect();
    }
    let values: Vec<(&Parameter, Vec<&Value>)> = required.into_iter().map(|one| (one, valid(one))).collect();
    let count = values.iter().map(|(_, values)| values.len()).max().unwrap_or(0).min(MAX_EXAMPLES);
    let example = |at: usize| {
        let arguments = values.iter().map(|(one, values)| Some(argument(one, values.get(at).or(values.first())?)));
        arguments.collect::<Option<Map<String, Value>>>().map(Value::Object)
    };
    (0..count).filter_map(example).collect()
}

fn valid(parameter: &Parameter) -> Vec<&Value> {
    let coercion = Coercion { strictness: Strictness::Strict, ..Coercion::default() };
    let is_valid = |value: &&Value| {
        parameter.ty.coerce(value, &coercion).is_ok()
            && parameter.constraints.check(&parameter.ty, value, &coercion).is_ok()
    };
    parameter.examples.iter().filter(is_valid).collect()
}

#[cfg(test)]
mod tests {
    use super::super::profile::fixture::tool as made;
    use super::*;
    use serde_json::json;

    fn examples_of(parameters: &[Value]) -> Value {
        tools(&[made("t", parameters)])[0]["input_examples"].clone()
    }

    #[test]
    fn examples_of_parameters_become_examples_of_calls() {
        let from = json!({"name": "from", "type": "text", "examples": ["JFK"]});
        let to = json!({"name": "to", "type": "text", "examples": ["LAX", "SFO"]});
        let top = json!({"name": "top", "type": "int", "required": false, "examples": [3, 5]});
        let day = json!({"name": "day", "type": "date", "required": false, "examples": ["2024-01-01"]});
        let expected = json!([{"from": "JFK", "to": "LAX"}, {"from": "JFK", "to": "SFO"}]);
        assert_eq!(examples_of(&[from, to.clone(), top.clone()]), expected);
        assert_eq!(examples_of(&[top.clone(), day]), json!([{"top": 3}, {"day": "2024-01-01"}]));
        let without = json!({"name": "day", "type": "date"});
        assert_eq!(examples_of(&[without, to, top]), Value::Null);
    }

    #[test]
    fn an_example_that_the_schema_refuses_is_left_out() {
        let spelt = json!({"name": "n", "type": "int", "examples": ["5", 7, 99], "constraints": {"maximum": 10}});
        assert_eq!(examples_of(&[spelt]), json!([{"n": 7}]));
        let hidden = json!({"name": "who", "type": "text", "examples": ["me"], "from": "claim.sub"});
        assert_eq!(examples_of(&[hidden]), Value::Null);
    }

    #[test]
    fn arguments_that_must_suit_one_another_have_no_examples() {
        let rule = json!({"statement": "SELECT true AS holds", "message": "no"});
        let mut ruled = made("t", &[json!({"name": "n", "type": "int", "examples": [7]})]);
        assert!(tools(&[ruled.clone()])[0].get("input_examples").is_some());
        ruled.rules = vec![serde_json::from_value(rule).unwrap()];
        assert_eq!(tools(&[ruled])[0].get("input_examples"), None);
    }
}
