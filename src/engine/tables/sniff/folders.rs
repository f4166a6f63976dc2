//! The types of columns that folders are named by.

use super::super::whole::exact::has_more_signs;
use super::column::is_day;
use super::numbers::is_integer;
use super::{ColumnGuess, Guess};
use indexmap::IndexMap;

/// Names are texts where nothing is declared: says of which columns they are all numbers or all days.
pub(super) fn look(columns: IndexMap<String, Vec<String>>, guess: &mut Guess) {
    for (name, values) in columns {
        let all = |is: fn(&str) -> bool| values.iter().all(|value| is(value));
        let is_whole = |value: &str| is_integer(value) && value.parse::<i64>().is_ok();
        let Some(example) = values.first() else { continue };
        let code = values.iter().find(|value| has_more_signs(value));
        let (ty, why) = if all(is_day) {
            (Some("date"), format!("days in the names of folders: `{name}={example}`"))
        } else if !all(is_whole) {
            continue;
        } else if let Some(code) = code {
            (None, format!("text: a number would lose the signs in front of `{name}={code}`"))
        } else {
            let fits = values.iter().all(|value| value.parse::<i32>().is_ok());
            let ty = if fits { "int" } else { "bigint" };
            (Some(ty), format!("numbers in the names of folders: `{name}={example}`"))
        };
        guess.columns.push(ColumnGuess { name, ty: ty.map(str::to_owned), why });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_are_numbers_days_or_texts() {
        let column = |name: &str, values: &[&str]| (name.to_owned(), values.iter().map(ToString::to_string).collect());
        let columns = IndexMap::from([
            column("year", &["2023", "2024"]),
            column("month", &["1", "02"]),
            column("day", &["2024-01-31", "2024-02-01"]),
            column("id", &["1", "5000000000"]),
            column("city", &["Oslo", "1"]),
        ]);
        let mut guess = Guess::default();
        look(columns, &mut guess);
        let types: Vec<_> = guess.columns.iter().map(|column| (column.name.as_str(), column.ty.as_deref())).collect();
        assert_eq!(types, [("year", Some("int")), ("month", None), ("day", Some("date")), ("id", Some("bigint"))]);
    }
}
