//! Which columns of JSON hold values of several types.

use super::super::json_kinds::{self, Row};
use super::names::names_key;
use super::{ColumnGuess, Guess, Seen};
use crate::project::FileFormat;
use indexmap::IndexMap;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The kinds of values of a column, with the record in which each is first.
#[derive(Default)]
struct Kinds {
    numbers: Option<usize>,
    texts: Option<usize>,
    booleans: Option<usize>,
    lists: Option<usize>,
    objects: Option<usize>,
    /// Two kinds in the same place inside of its lists or objects.
    inside: Option<String>,
}

pub(super) fn look(text: &str, format: FileFormat, seen: Seen, guess: &mut Guess) {
    let mut columns: IndexMap<String, Kinds> = IndexMap::new();
    let mut insides = json_kinds::Kinds::new(&[]);
    let mut keys = Keys::default();
    let take = |(number, record): (usize, Map<String, Value>)| {
        keys.add(&record);
        for (name, value) in record {
            let mixed = insides.add_value(&name, &value, Row { file: 0, at: 0, number }).err();
            let kinds = columns.entry(name).or_default();
            kinds.add(&value, number);
            if let Some(mixed) = mixed.filter(|_| kinds.inside.is_none()) {
                kinds.inside = Some(mixed.kinds_told());
            }
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
    let is_of_one_kind = |name: &str| columns.get(name).is_some_and(|kinds| kinds.asked().is_none());
    guess.key = keys.key(is_of_one_kind).filter(|_| seen == Seen::Whole);
    for (name, kinds) in columns {
        if let Some((ty, why)) = kinds.asked() {
            guess.columns.push(ColumnGuess { name, ty: Some(ty.to_owned()), why });
        }
    }
}

/// The columns that tell all records apart so far.
#[derive(Default)]
struct Keys {
    records: usize,
    columns: IndexMap<String, HashSet<String>>,
}

impl Keys {
    fn add(&mut self, record: &Map<String, Value>) {
        if self.records == 0 {
            let could_be = record.keys().enumerate().filter(|(at, name)| *at == 0 || names_key(name));
            self.columns = could_be.map(|(_, name)| (name.clone(), HashSet::new())).collect();
        }
        self.records += 1;
        self.columns.retain(|name, met| match record.get(name) {
            Some(Value::Number(number)) => !number.is_f64() && met.insert(number.to_string()),
            Some(Value::String(text)) => !text.is_empty() && met.insert(text.clone()),
            _ => false,
        });
    }

    /// One that is named as keys are, or else the first.
    fn key(self, is_of_one_kind: impl Fn(&str) -> bool) -> Option<(String, String)> {
        let (records, columns) = (self.records, self.columns);
        let mut columns: Vec<String> = columns.into_keys().filter(|name| is_of_one_kind(name)).collect();
        columns.sort_by_key(|name| !names_key(name));
        let key = columns.into_iter().next().filter(|_| records > 1)?;
        Some((key, format!("different in each of the {records} records")))
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
        let [(one, first), (other, second), ..] = met.as_slice() else {
            // What has no type of its own is read as text of JSON.
            return Some(("json", self.inside.clone()?));
        };
        let why = format!("{one} in record {first}, {other} in record {second}");
        match (self.lists.or(self.objects), self.texts) {
            // A text in a column of JSON is to hold JSON.
            (Some(_), Some(_)) => None,
            (Some(_), None) => Some(("json", why)),
            (None, _) => Some(("text", why)),
        }
    }
}
