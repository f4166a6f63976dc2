//! What of a snapshot is not in the tool that was read from it.

use super::form;
use serde_json::Value;

/// The path of the first key, or item of a list, that does not come back when the tool is written again. Texts and
/// numbers are not compared: another version may print a statement in another way, and reading checks the others.
pub(super) fn first(read: &Value, written: &Value) -> Option<String> {
    let (Value::Object(read), written) = (read, written.as_object()?) else { return None };
    let of_tool = |key: &&String| !form::FOLLOWS.contains(&key.as_str());
    read.iter().filter(|(key, _)| of_tool(key)).find_map(|(key, value)| below(key, value, written.get(key)))
}

fn below(path: &str, read: &Value, written: Option<&Value>) -> Option<String> {
    let Some(written) = written else { return Some(path.to_owned()) };
    match (read, written) {
        (Value::Object(read), Value::Object(written)) => {
            read.iter().find_map(|(key, value)| below(&format!("{path}.{key}"), value, written.get(key)))
        }
        (Value::Array(read), Value::Array(written)) => {
            read.iter().enumerate().find_map(|(at, value)| below(&format!("{path}.{at}"), value, written.get(at)))
        }
        // A column is its type alone, or a mapping of all there is to say of it.
        (Value::Object(_) | Value::Array(_), _) => Some(path.to_owned()),
        _ => None,
    }
}
