//! JSON in which a name stands twice: JSON leaves open which of the two values counts, and maps keep the last of them
//! silently.

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};
use std::fmt;

/// A value as `serde_json` reads it.
#[derive(Debug)]
pub struct Told {
    /// The value, with the last of the values of a name.
    pub value: Value,
    /// The first name that stood twice, in it or in what is inside of it.
    pub repeated: Option<String>,
}

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Told, D::Error> {
        let mut repeated = None;
        let value = (Reading { repeated: &mut repeated }).deserialize(from)?;
        Ok(Told { value, repeated })
    }
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
