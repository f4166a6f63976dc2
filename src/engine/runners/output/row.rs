//! A JSON object with each value as it is written: numbers keep their digits, and a name that is there twice is seen.

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::fmt;

/// An object.
#[derive(Debug)]
pub(super) struct Row<'a>(pub(super) HashMap<String, &'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Row<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OfRow)
    }
}

struct OfRow;

impl<'de> Visitor<'de> for OfRow {
    type Value = Row<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row<'de>, A::Error> {
        let mut all = HashMap::new();
        while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
            if all.insert(name.clone(), value).is_some() {
                return Err(A::Error::custom(format!("the name `{name}` is there twice")));
            }
        }
        Ok(Row(all))
    }
}
