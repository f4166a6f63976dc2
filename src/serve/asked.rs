//! What a message asks for, as far as that is recorded: read of its text, whether or not it has the shape of a message.
//!
//! Calls and readings of resources are recorded. So is what no method can be read of, such as a batch or what is no JSON:
//! it may have been meant for a call, and nobody can tell. A message of another method is not, whatever its shape.

use super::object::Object;
use crate::engine::bind::Arguments;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// The method of a call.
const CALL: &str = "tools/call";
/// The method that reads a resource.
const READ: &str = "resources/read";

/// What is said of a second request by one id.
pub(super) const TAKEN: &str = "the id is that of a request that has no answer yet";

/// What is said of a message whose id is something else.
pub(super) const NO_ID: &str = "an `id` is a text, or a whole number of 64 bits";

/// What is recorded of a message.
#[derive(Default)]
pub(super) struct Asked {
    /// The tool or the URI; empty where none can be read.
    pub(super) target: String,
    /// The arguments, where they are an object.
    pub(super) arguments: Arguments,
}

/// What is read of a message, whichever revision it is of.
#[derive(Deserialize)]
struct Message {
    method: String,
    #[serde(default)]
    params: Value,
}

impl Asked {
    /// What a text asks for; `None` where that is nothing that is recorded.
    pub(super) fn of(text: &[u8]) -> Option<Asked> {
        match serde_json::from_slice(text) {
            Ok(Object(Message { method, params })) => Asked::by(&method, params),
            Err(_) => (!is_answer(text)).then(Asked::default),
        }
    }

    /// What a method asks for with these parameters; `None` where that is nothing that is recorded.
    pub(super) fn by(method: &str, mut params: Value) -> Option<Asked> {
        let key = match method {
            CALL => "name",
            READ => "uri",
            _ => return None,
        };
        let target = params.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let arguments = match params.get_mut("arguments").map(Value::take) {
            Some(Value::Object(arguments)) => arguments,
            _ => Arguments::new(),
        };
        Some(Asked { target, arguments })
    }
}

/// The id that a message is answered by, also where all else of it cannot be read: half of a character in a text, a name
/// that stands twice. `None` where it has no id, or none that can be told again, or two that differ; and where it is itself an
/// answer.
pub(super) fn id(text: &[u8]) -> Option<Value> {
    let Identified(id) = serde_json::from_slice(text).ok()?;
    id.filter(|id| id.is_string() || id.is_i64())
}

/// Whether a message has an id that is none: nobody could tell which message an answer to it answers.
pub(super) fn is_misidentified(text: &[u8]) -> bool {
    let Ok(Value::Object(message)) = serde_json::from_slice(text) else { return false };
    let id = message.get("id").filter(|_| message.contains_key("method"));
    id.is_some_and(|id| !id.is_string() && !id.is_i64())
}

struct Identified(Option<Value>);

impl<'de> Deserialize<'de> for Identified {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Identified, D::Error> {
        from.deserialize_map(Identifying)
    }
}

struct Identifying;

impl<'de> Visitor<'de> for Identifying {
    type Value = Identified;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Identified, A::Error> {
        let (mut id, mut asks, mut answers) = (None, false, false);
        while let Some(key) = entries.next_key::<Cow<'_, str>>()? {
            match key.as_ref() {
                "id" => {
                    let value: Value = entries.next_value()?;
                    if id.replace(value.clone()).is_some_and(|before| before != value) {
                        return Err(A::Error::duplicate_field("id"));
                    }
                }
                other => {
                    asks |= other == "method";
                    answers |= matches!(other, "result" | "error");
                    // What is inside is passed over without being understood.
                    entries.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Identified(id.filter(|_| asks || !answers)))
    }
}

/// Whether it is the answer to a question: a client sends those as well, and asks for nothing.
fn is_answer(text: &[u8]) -> bool {
    let Ok(Value::Object(message)) = serde_json::from_slice(text) else { return false };
    !message.contains_key("method") && ["result", "error"].iter().any(|key| message.contains_key(*key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(text: &str) -> Option<(String, usize)> {
        Asked::of(text.as_bytes()).map(|asked| (asked.target, asked.arguments.len()))
    }

    #[test]
    fn what_may_have_been_a_call_is_recorded() {
        let call = r#"{"id":1.5,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"b":2}}}"#;
        assert_eq!(asked(call), Some(("t".to_owned(), 2)));
        let read = r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"qtool://project"}}"#;
        assert_eq!(asked(read), Some(("qtool://project".to_owned(), 0)));
        let nothing = Some((String::new(), 0));
        for text in [
            "",
            "{",
            "[]",
            "1",
            r#"{"a":1}"#,
            r#"{"method":7}"#,
            r#"{"method":"ping","method":"tools/call"}"#,
            r#"{"method":"tools/call"}"#,
            r#"{"method":"tools/call","params":["t"]}"#,
            r#"["tools/call",{"name":"t"}]"#,
            r#"[{"method":"tools/call","params":{"name":"t"}}]"#,
        ] {
            assert_eq!(asked(text), nothing, "{text}");
        }
    }

    #[test]
    fn the_id_is_read_wherever_it_can_be() {
        let read = |text: &str| id(text.as_bytes());
        for (text, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#, json!(1)),
            (r#"{"method":"tools/call","method":"ping","params":{},"params":{},"id":"a"}"#, json!("a")),
            (r#"{"id":-3,"params":{"name":"\ud800"}}"#, json!(-3)),
            (r#"{"id":1,"method":"ping","result":{}}"#, json!(1)),
            (r#" {"id":1} "#, json!(1)),
            (r#"{"id":1,"method":"ping","id":1}"#, json!(1)),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
        let deep = format!(r#"{{"id":1,"params":{}{}}}"#, "[".repeat(1_000), "]".repeat(1_000));
        assert_eq!(read(&deep), Some(json!(1)));
        for text in [
            r#"{"id":1,"id":2}"#,
            r#"{"id":1.5}"#,
            r#"{"id":null}"#,
            r#"{"id":18446744073709551615}"#,
            r#"{"id":[1]}"#,
            r#"{"id":1,"result":7}"#,
            r#"{"id":1,"error":7}"#,
            r#"{"id":1"#,
            r#"{"method":"ping"}"#,
            r#"[{"id":1}]"#,
            "7",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn what_asks_for_something_else_is_not() {
        for text in [
            r#"{"id":1.5,"method":"ping"}"#,
            r#"{"method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#,
        ] {
            assert_eq!(asked(text), None, "{text}");
        }
    }
}
