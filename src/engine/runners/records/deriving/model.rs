//! What a language model is asked, and what its answer is: by the API of OpenAI that most servers of models speak.
//!
//! Source: <https://platform.openai.com/docs/api-reference/chat/create>.

use super::given::{Failure, Given, failure};
use crate::project::argument::{Piece, pieces};
use crate::project::{LogicalType, ModelConfig, Property};
use serde_json::{Map, Number, Value};

/// A prompt with values in the place of its fields: a text as it is, all else as JSON has it.
pub(super) fn filled_prompt(
    prompt: &str,
    value_of: &dyn Fn(&str) -> Result<Value, Failure>,
) -> Result<String, Failure> {
    // What cannot be read was refused when it was compiled.
    let parts = pieces(prompt).map_err(|_| failure("RequestFailed", "the prompt cannot be read"))?;
    let mut filled = String::new();
    for part in parts {
        match part {
            Piece::Text(text) => filled.push_str(&text),
            Piece::Value { name, .. } => match value_of(&name)? {
                Value::String(text) => filled.push_str(&text),
                value => filled.push_str(&value.to_string()),
            },
        }
    }
    Ok(filled)
}

/// The value that a reply gives a field, with what it cost. Whether it is one of the field is not looked at here.
///
/// Errors: there is no answer, or half of one. It cost something all the same.
pub(super) fn given(config: &ModelConfig, reply: &Value, target: &Property) -> Result<Given, Failure> {
    let tokens = |key: &str| reply.get("usage").and_then(|usage| usage.get(key)?.as_u64());
    let (input, output) = (tokens("prompt_tokens"), tokens("completion_tokens"));
    let price = config.price.as_ref();
    let cost = price.map(|price| price.of_tokens(input.unwrap_or(0), output.unwrap_or(0)));
    let told = [
        ("model", Some(Value::from(config.model.as_str()))),
        ("cost_usd", cost.and_then(Number::from_f64).map(Value::Number)),
        ("input_tokens", input.map(Value::from)),
        ("output_tokens", output.map(Value::from)),
    ];
    let told: Map<String, Value> =
        told.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    let cost = cost.unwrap_or(0.0);
    match answer(reply) {
        Ok(text) => Ok(Given { value: value_of_answer(target, &text), told, cost }),
        Err(why) => Err(Failure { cost, ..failure("NoAnswer", why) }),
    }
}

/// The answer of a reply; else why there is none.
fn answer(reply: &Value) -> Result<String, &'static str> {
    let choice = reply.pointer("/choices/0").ok_or("what the server says is no answer of a model")?;
    let message = choice.get("message").ok_or("what the server says is no answer of a model")?;
    let refusal = message.get("refusal").and_then(Value::as_str).filter(|refusal| !refusal.is_empty());
    match choice.get("finish_reason").and_then(Value::as_str) {
        Some("length") => return Err("the answer is cut off: it has more tokens than it may"),
        Some("content_filter") => return Err("the model refuses to answer"),
        _ if refusal.is_some() => return Err("the model refuses to answer"),
        _ => {}
    }
    // A text, or a list of parts some of which are texts.
    let text = match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        _ => String::new(),
    };
    match text.trim() {
        "" => Err("the answer is empty"),
        text => Ok(text.to_owned()),
    }
}

/// What an answer is as a value of a field; the text itself where it is none.
fn value_of_answer(target: &Property, text: &str) -> Value {
    let read = match target.logical_type {
        LogicalType::String | LogicalType::Date | LogicalType::Timestamp => None,
        LogicalType::Integer => text.parse::<i64>().ok().map(Value::from),
        LogicalType::Number => serde_json::from_str::<Number>(text).ok().map(Value::Number),
        LogicalType::Boolean => text.to_ascii_lowercase().parse::<bool>().ok().map(Value::from),
        LogicalType::Array | LogicalType::Object => serde_json::from_str(without_fence(text)).ok(),
    };
    read.unwrap_or_else(|| Value::from(text))
}

/// What stands in a fence of Markdown, where all of a text is one: many models put JSON into such.
fn without_fence(text: &str) -> &str {
    let inside = text.strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    // Behind the first three signs stands what it is.
    inside.and_then(|inside| inside.split_once('\n')).map_or(text, |(_, json)| json)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn property(ty: &str) -> Property {
        serde_json::from_value(json!({"name": "x", "logicalType": ty})).unwrap()
    }

    #[test]
    fn answers_are_read_as_values_of_the_field() {
        for (ty, text, value) in [
            ("string", "42", json!("42")),
            ("integer", "42", json!(42)),
            ("integer", "42.5", json!("42.5")),
            ("number", "42.5", json!(42.5)),
            ("number", "about 42", json!("about 42")),
            ("boolean", "True", json!(true)),
            ("boolean", "yes", json!("yes")),
            ("array", "[1, 2]", json!([1, 2])),
            ("object", "```json\n{\"a\": 1}\n```", json!({"a": 1})),
            ("object", "{\"a\": 1", json!("{\"a\": 1")),
            ("date", "2024-03-31", json!("2024-03-31")),
        ] {
            assert_eq!(value_of_answer(&property(ty), text), value, "{ty} {text}");
        }
    }

    #[test]
    fn an_answer_is_there_or_it_is_said_why_not() {
        let reply = |choice: Value| answer(&json!({"choices": [choice]}));
        assert_eq!(reply(json!({"message": {"content": " a \n"}})), Ok("a".to_owned()));
        let parts = json!([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]);
        assert_eq!(reply(json!({"message": {"content": parts}, "finish_reason": "stop"})), Ok("ab".to_owned()));
        for none in [
            json!({"message": {"content": "a"}, "finish_reason": "length"}),
            json!({"message": {"content": "a"}, "finish_reason": "content_filter"}),
            json!({"message": {"content": null, "refusal": "I cannot"}}),
            json!({"message": {"content": null}}),
            json!({}),
        ] {
            assert!(reply(none.clone()).is_err(), "{none}");
        }
        assert!(answer(&json!({"error": "x"})).is_err());
    }

    #[test]
    fn fields_stand_in_prompts_as_they_are() {
        let value = |name: &str| Ok(if name == "n" { json!(3) } else { json!("${HOME} << n >>") });
        let filled = filled_prompt("1 <<<< 2: << n >>, << text >>", &value).ok();
        assert_eq!(filled.as_deref(), Some("1 << 2: 3, ${HOME} << n >>"));
    }
}
