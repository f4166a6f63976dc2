//! Arguments in which a name stands twice: JSON leaves open which of the two values counts, so neither does.
//!
//! Maps keep the last of them silently, those of the SDK too. So the arguments of a call are read here before they are one,
//! and what is found is left in them under a name of its own ([`REPEATED`]), whichever way they go from there: the call is
//! refused where all calls begin.

use super::made_up::shortened;
use crate::engine::bind::Arguments;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::fmt;

/// What stands in arguments for a name that is there twice.
const REPEATED: &str = "qtool/repeated";

/// The arguments of a call. A name that stands twice, in them or in what is inside of them, is told of in them.
#[derive(Default)]
pub(super) struct Sent(pub(super) Arguments);

impl<'de> Deserialize<'de> for Sent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Sent, D::Error> {
        let mut repeated = None;
        match (Reading { repeated: &mut repeated }).deserialize(from)? {
            Value::Object(mut arguments) => {
                if let Some(name) = repeated {
                    arguments.insert(REPEATED.to_owned(), Value::String(name));
                }
                Ok(Sent(arguments))
            }
            _ => Err(D::Error::custom("arguments are an object")),
        }
    }
}

/// Why a call with these arguments is not carried out.
pub(super) fn refusal(arguments: &Arguments) -> Option<CallError> {
    let name = shortened(arguments.get(REPEATED)?.as_str().unwrap_or_default());
    let message = format!("the argument `{name}` is there more than once");
    let error = CallError::about(CallCode::InvalidArgument, &name, message);
    Some(error.hint(format!("send `{name}` once, with the value that counts")))
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
    let Sent(arguments) = params.arguments.filter(|Sent(arguments)| arguments.contains_key(REPEATED))?;
    if method != "tools/call" {
        return None;
    }
    let mut whole: Value = serde_json::from_slice(message).ok()?;
    *whole.get_mut("params")?.get_mut("arguments")? = Value::Object(arguments);
    serde_json::to_vec(&whole).ok()
}

/// Reads a value as `serde_json` does, and looks at the names of its objects.
struct Reading<'a> {
    /// The first that stood twice.
    repeated: &'a mut Option<String>,
}

impl Reading<'_> {
    /// For a value inside.
    fn inside(&mut self) -> Reading<'_> {
        Reading { repeated: self.repeated }
    }
}

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(item) = items.next_element_seed(self.inside())? {
            read.push(item);
        }
        Ok(Value::Array(read))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(self.inside())?;
            if read.contains_key(&name) && self.repeated.is_none() {
                *self.repeated = Some(name.clone());
            }
            read.insert(name, value);
        }
        Ok(Value::Object(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        }
        assert!(serde_json::from_str::<Sent>("[1]").is_err());
    }

    #[test]
    fn what_is_there_twice_is_told_of() {
        for text in [r#"{"a":1,"a":1}"#, r#"{"b":0,"a":1,"\u0061":2}"#, r#"{"arguments":{"a":1,"b":2,"a":3}}"#] {
            let error = refusal(&sent(text)).unwrap();
            assert_eq!(error.code, CallCode::InvalidArgument);
            assert!(error.line().contains("`a` is there more than once"), "{}", error.line());
        }
    }

    #[test]
    fn only_the_arguments_of_calls_are_looked_at() {
        let of =
            |method: &str, params: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        let twice = r#"{"name":"t","arguments":{"a":1,"a":2}}"#;
        let marked_text = String::from_utf8(marked(of("tools/call", twice).as_bytes()).unwrap()).unwrap();
        assert_eq!(
            marked_text,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":2,"qtool/repeated":"a"}}}"#
        );
        assert!(marked(of("prompts/get", twice).as_bytes()).is_none());
        assert!(marked(of("tools/call", r#"{"name":"t","arguments":{"a":1,"b":2}}"#).as_bytes()).is_none());
        assert!(marked(of("tools/call", r#"{"name":"t"}"#).as_bytes()).is_none());
        assert!(marked(b"{").is_none());
    }
}
