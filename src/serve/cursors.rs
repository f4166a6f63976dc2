//! Cursors of lists that are no texts. The SDK takes such parameters for none at all, and would answer with the first page:
//! a client that goes on from there never ends.

use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;

/// The name of the parameter, as it stands in a message.
const NAME: &[u8] = b"\"cursor\"";

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    method: Cow<'a, str>,
    params: Params,
}

#[derive(Deserialize)]
struct Params {
    cursor: Value,
}

/// The message as it is handed to the SDK, where it asks for a list from a cursor that is no text: with a text in its
/// place, which is refused as any other; `None` for all other messages.
pub(super) fn with_text(message: &[u8]) -> Option<Vec<u8>> {
    // Calls are long, and have none.
    if !message.windows(NAME.len()).any(|part| part == NAME) {
        return None;
    }
    let Message { method, params } = serde_json::from_slice(message).ok()?;
    if !method.ends_with("/list") || params.cursor.is_string() || params.cursor.is_null() {
        return None;
    }
    let mut whole: Value = serde_json::from_slice(message).ok()?;
    *whole.get_mut("params")?.get_mut("cursor")? = Value::from(params.cursor.to_string());
    serde_json::to_vec(&whole).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_that_are_no_texts_become_some() {
        let of =
            |method: &str, cursor: &str| format!(r#"{{"id":1,"method":"{method}","params":{{"cursor":{cursor}}}}}"#);
        for cursor in ["5", "{}", "[1]", "true"] {
            for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
                let told = with_text(of(method, cursor).as_bytes()).unwrap();
                let told: Value = serde_json::from_slice(&told).unwrap();
                assert_eq!(told["params"]["cursor"], Value::from(cursor), "{method}");
            }
        }
        for (method, cursor) in [("tools/list", "null"), ("tools/list", r#""x""#), ("tools/call", "5")] {
            assert!(with_text(of(method, cursor).as_bytes()).is_none(), "{method} {cursor}");
        }
        assert!(with_text(b"{\"cursor\"").is_none());
    }
}
