//! Arguments in which a name stands twice: JSON leaves open which of the two values counts, so neither does.
//!
//! Maps keep the last of them silently, those of the SDK too. So the arguments of a call are read here before they are one,
//! and what is found is left in them under a name that no client can know ([`mark`]), whichever way they go from there: the
//! call is refused where all calls begin.

use super::made_up::shortened;
use crate::engine::bind::Arguments;
use crate::engine::error::CallError;
use crate::ty::Told;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::LazyLock;
use uuid::Uuid;

/// What stands in arguments for a name that is there twice: drawn anew by each process, and told to nobody. A client that
/// could send it would be told of a name that it has not sent twice.
fn mark() -> &'static str {
    static MARK: LazyLock<String> = LazyLock::new(|| format!("qtool/repeated/{}", Uuid::new_v4()));
    &MARK
}

/// The arguments of a call. A name that stands twice, in them or in what is inside of them, is told of in them.
#[derive(Default)]
pub(super) struct Sent(pub(super) Arguments);

impl<'de> Deserialize<'de> for Sent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Sent, D::Error> {
        let Told { value, repeated } = Told::deserialize(from)?;
        match value {
            Value::Object(mut arguments) => {
                if let Some(name) = repeated {
                    arguments.insert(mark().to_owned(), Value::String(name));
                }
                Ok(Sent(arguments))
            }
            _ => Err(D::Error::custom("arguments are an object")),
        }
    }
}

/// Why a call with these arguments is not carried out.
pub(super) fn refusal(arguments: &Arguments) -> Option<CallError> {
    let name = shortened(arguments.get(mark())?.as_str().unwrap_or_default());
    Some(CallError::repeated(&name, &name))
}

/// The arguments as they were sent: without what was left in them here.
pub(super) fn as_sent(arguments: &Arguments) -> Cow<'_, Arguments> {
    if !arguments.contains_key(mark()) {
        return Cow::Borrowed(arguments);
    }
    let mut sent = arguments.clone();
    sent.remove(mark());
    Cow::Owned(sent)
}

/// What is read of a message to look at its arguments.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    method: Cow<'a, str>,
    params: Params,
}

#[derive(Deserialize)]
struct Params {
    arguments: Option<Sent>,
}

/// The message as it is handed to the SDK, where a name stands twice in its arguments; `None` where none does, or where it
/// is no call.
pub(super) fn marked(message: &[u8]) -> Option<Vec<u8>> {
    let Message { method, params } = serde_json::from_slice(message).ok()?;
    let Sent(arguments) = params.arguments.filter(|Sent(arguments)| arguments.contains_key(mark()))?;
    if method != "tools/call" {
        return None;
    }
    let mut whole: Value = serde_json::from_slice(message).ok()?;
    *whole.get_mut("params")?.get_mut("arguments")? = Value::Object(arguments);
    serde_json::to_vec(&whole).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::code::CallCode;

    fn sent(text: &str) -> Arguments {
        serde_json::from_str::<Sent>(text).unwrap().0
    }

    #[test]
    fn what_is_there_once_is_read_as_ever() {
        for text in
            ["{}", r#"{"a":1,"b":[-1,2.5,1e300,9007199254740993,18446744073709551615,null,true,"é\n",{"a":{"a":1}}]}"#]
        {
            assert_eq!(Value::Object(sent(text)), serde_json::from_str::<Value>(text).unwrap());
            assert!(refusal(&sent(text)).is_none());
            assert!(matches!(as_sent(&sent(text)), Cow::Borrowed(_)));
        }
        assert!(refusal(&sent(r#"{"qtool/repeated":"a"}"#)).is_none(), "a name like any other");
        assert!(serde_json::from_str::<Sent>("[1]").is_err());
    }

    #[test]
    fn what_is_there_twice_is_told_of() {
        for text in [r#"{"a":1,"a":1}"#, r#"{"b":0,"a":1,"\u0061":2}"#, r#"{"arguments":{"a":1,"b":2,"a":3}}"#] {
            let error = refusal(&sent(text)).unwrap();
            assert_eq!(error.code, CallCode::InvalidArgument);
            assert!(error.line().contains("`a` is there more than once"), "{}", error.line());
            assert_eq!(*as_sent(&sent(text)), serde_json::from_str::<Arguments>(text).unwrap());
        }
    }

    #[test]
    fn only_the_arguments_of_calls_are_looked_at() {
        let of =
            |method: &str, params: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        let twice = r#"{"name":"t","arguments":{"a":1,"a":2}}"#;
        let marked_text = String::from_utf8(marked(of("tools/call", twice).as_bytes()).unwrap()).unwrap();
        assert_eq!(
            marked_text.replace(mark(), "[mark]"),
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":2,"[mark]":"a"}}}"#
        );
        assert!(marked(of("prompts/get", twice).as_bytes()).is_none());
        assert!(marked(of("tools/call", r#"{"name":"t","arguments":{"a":1,"b":2}}"#).as_bytes()).is_none());
        assert!(marked(of("tools/call", r#"{"name":"t"}"#).as_bytes()).is_none());
        assert!(marked(b"{").is_none());
    }
}
