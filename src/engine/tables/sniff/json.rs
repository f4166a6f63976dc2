//! Which columns of JSON hold values of several types.

use super::{ColumnGuess, Guess};
use crate::project::FileFormat;
use indexmap::IndexMap;
use serde_json::{Map, Value};

/// The kinds of values of a column, with the record in which each is first.
#[derive(Default)]
struct Kinds {
    numbers: Option<usize>,
    texts: Option<usize>,
    booleans: Option<usize>,
    lists: Option<usize>,
    objects: Option<usize>,
}

pub(super) fn look(text: &str, format: FileFormat, guess: &mut Guess) {
    let mut columns: IndexMap<String, Kinds> = IndexMap::new();
    let take = |(number, record): (usize, Map<String, Value>)| {
        for (name, value) in record {
            columns.entry(name).or_default().add(&value, number);
        }
    };
    let text = text.trim_start_matches('\u{feff}');
    match format {
        FileFormat::Ndjson => {
            let records = serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>();
            (1..).zip(records.map_while(Result::ok)).for_each(take);
        }
        _ => {
            let records: Vec<Map<String, Value>> = serde_json::from_str(text).unwrap_or_default();
            (1..).zip(records).for_each(take);
        }
    }
    for (name, kinds) in columns {
        if let Some((ty, why)) = kinds.asked() {
            guess.columns.push(ColumnGuess { name, ty: Some(ty.to_owned()), why });
        }
    }
}

impl Kinds {
    fn add(&mut self, value: &Value, number: usize) {
        let place = match value {
            Value::Null => return,
            Value::Number(_) => &mut self.numbers,
            Value::String(_) => &mut self.texts,
            Value::Bool(_) => &mut self.booleans,
            Value::Array(_) => &mut self.lists,
            Value::Object(_) => &mut self.objects,
        };
        place.get_or_insert(number);
    }

    /// The type that a column needs whose values are of several.
    fn asked(&self) -> Option<(&'static str, String)> {
        let kinds = [
            ("a number", self.numbers),
            ("a text", self.texts),
            ("true or false", self.booleans),
            ("a list", self.lists),
            ("an object", self.objects),
        ];
        let met: Vec<(&str, usize)> = kinds.iter().filter_map(|(kind, first)| Some((*kind, (*first)?))).collect();
        let [(one, first), (other, second), ..] = met.as_slice() else { return None };
        let why = format!("{one} in record {first}, {other} in record {second}");
        match (self.lists.or(self.objects), self.texts) {
            // A text in a column of JSON is to hold JSON.
            (Some(_), Some(_)) => None,
            (Some(_), None) => Some(("json", why)),
            (None, _) => Some(("text", why)),
        }
    }
}
