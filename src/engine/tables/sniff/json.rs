//! Which columns of JSON hold values of several types, or days and times, which JSON has as texts.

use super::super::json_kinds::{self, Row};
use super::column::is_day;
use super::names::names_key;
use super::{ColumnGuess, Guess, Seen};
use crate::project::FileFormat;
use chrono::{DateTime, NaiveDate, NaiveTime};
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
    /// What all its texts are.
    times: Option<Times>,
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
    if seen == Seen::Part {
        // What was not looked at may be no day.
        columns.values_mut().for_each(|kinds| kinds.times = None);
    }
    let is_of_one_kind = |name: &str| columns.get(name).is_some_and(Kinds::are_one);
    guess.key = keys.key(is_of_one_kind).filter(|_| seen == Seen::Whole);
    for (name, kinds) in columns {
        if let Some((ty, why)) = kinds.asked() {
            guess.columns.push(ColumnGuess { name, ty: Some(ty.to_owned()), why });
        }
    }
}

/// Texts that are days or times as JSON has them.
struct Times {
    /// `None` where one of them is none, or is another than the first.
    of: Option<Iso>,
    /// The first of them.
    example: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Iso {
    Day,
    Local,
    Offset,
}

impl Times {
    fn of(text: &str) -> Times {
        Times { of: Iso::of(text), example: text.to_owned() }
    }

    fn add(&mut self, text: &str) {
        self.of = self.of.filter(|of| Iso::of(text) == Some(*of));
    }

    fn asked(&self) -> Option<(&'static str, String)> {
        let (ty, what) = match self.of? {
            Iso::Day => ("date", "a day"),
            Iso::Local => ("timestamp", "a time"),
            Iso::Offset => ("timestamptz", "a time with its offset"),
        };
        Some((ty, format!("every text is {what}, such as `{}`", self.example)))
    }
}

impl Iso {
    fn of(text: &str) -> Option<Iso> {
        let fraction =
            text.split_once('.').map_or(0, |(_, behind)| behind.bytes().take_while(u8::is_ascii_digit).count());
        let (day, clock) = (text.get(..10)?, text.get(10..)?);
        if !is_day(day) || NaiveDate::parse_from_str(day, "%Y-%m-%d").is_err() || fraction > 6 || text.contains(":60") {
            return None;
        }
        if clock.is_empty() {
            return Some(Iso::Day);
        }
        let is_local =
            ["T%H:%M:%S%.f", " %H:%M:%S%.f"].iter().any(|format| NaiveTime::parse_from_str(clock, format).is_ok());
        let has_offset = || clock.starts_with('T') && DateTime::parse_from_rfc3339(text).is_ok();
        if is_local { Some(Iso::Local) } else { has_offset().then_some(Iso::Offset) }
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
            // Names of people are all different by chance.
            Some(Value::String(text)) => names_key(name) && !text.is_empty() && met.insert(text.clone()),
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
            Value::String(text) => {
                self.times.get_or_insert_with(|| Times::of(text)).add(text);
                &mut self.texts
            }
            Value::Bool(_) => &mut self.booleans,
            Value::Array(_) => &mut self.lists,
            Value::Object(_) => &mut self.objects,
        };
        place.get_or_insert(number);
    }

    /// Whether all values are of one kind.
    fn are_one(&self) -> bool {
        let firsts = [self.numbers, self.texts, self.booleans, self.lists, self.objects];
        self.inside.is_none() && firsts.iter().flatten().count() < 2
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
            let inside = self.inside.clone().map(|inside| ("json", inside));
            return inside.or_else(|| self.times.as_ref()?.asked());
        };
        let why = format!("{one} in record {first}, {other} in record {second}");
        Some((if self.lists.or(self.objects).is_some() { "json" } else { "text" }, why))
    }
}
