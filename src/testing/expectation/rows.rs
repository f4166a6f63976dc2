//! Rows of a result against rows that an author wrote.

use super::super::diff::{self, Line, Numbered, Sign};
use super::{Checker, Failure, numbered, rows};
use serde_json::{Map, Value};

impl Checker<'_> {
    /// Whether the rows are exactly these, in this order.
    pub(super) fn rows(&self, expected: &[Map<String, Value>]) -> Option<Failure> {
        if let Some(failure) = self.unknown_column("rows", expected) {
            return Some(failure);
        }
        if let Some(failure) = self.left_out(expected) {
            return Some(failure);
        }
        let steps = diff::steps(&self.ids(expected), &(0..self.values.len()).collect::<Vec<_>>());
        if steps.iter().all(|(sign, _)| *sign == Sign::Same) {
            return None;
        }
        let mut shown: Vec<Numbered> = Vec::new();
        for (sign, at) in &steps {
            let values = if *sign == Sign::Expected { self.in_order(expected.get(*at)) } else { self.found(*at) };
            let row = Numbered { sign: *sign, number: at + 1, values };
            if let Some(before) = shown.last_mut().filter(|_| *sign == Sign::Found) {
                self.level(before, &row);
            }
            shown.push(row);
        }
        let wrong = steps.iter().filter(|(sign, _)| *sign == Sign::Expected).count();
        let message = match (expected.len(), self.values.len()) {
            (expected, found) if expected != found => {
                format!(
                    "{} expected, and {found} came",
                    if expected == 1 { "1 row is".to_owned() } else { format!("{expected} rows are") }
                )
            }
            (all, _) => format!("{wrong} of {} {} not as expected", rows(all), if wrong == 1 { "is" } else { "are" }),
        };
        let failure = Failure::new(self.case.key(&["rows"]), message).lines(diff::table(self.typed(), &shown));
        let failure = if self.is_other_order(expected) {
            failure
                .note("the rows are those expected, in another order")
                .help("`contains` and `count` together compare them in any order")
        } else {
            failure
        };
        Some(self.with_cut(failure))
    }

    /// Whether each of these is among the rows.
    pub(super) fn contains(&self, expected: &[Map<String, Value>]) -> Vec<Failure> {
        if let Some(failure) = self.unknown_column("contains", expected) {
            return vec![failure];
        }
        let missing = |(at, row): (usize, &Map<String, Value>)| {
            if (0..self.values.len()).any(|found| self.meets(row, found)) {
                return None;
            }
            let place = self.case.value(&["contains", &at.to_string()]);
            let failure = Failure::new(self.first_line(place, at), "no row of the result is like this");
            let failure = match self.most_alike(row) {
                None => failure.note("the result has no rows"),
                Some(found) => failure.lines(self.beside((at, row), found)),
            };
            Some(self.with_cut(failure))
        };
        expected.iter().enumerate().filter_map(missing).collect()
    }

    /// An expected row and the one that is most alike, in the columns that are compared.
    fn beside(&self, (at, row): (usize, &Map<String, Value>), found: usize) -> Vec<Line> {
        let mut expected = Numbered { sign: Sign::Expected, number: at + 1, values: self.in_order(Some(row)) };
        let mut rows = numbered(Sign::Found, &self.values, [found]);
        rows.first().into_iter().for_each(|found| self.level(&mut expected, found));
        rows.insert(0, expected);
        let is_compared = |at: &usize| self.typed().get(*at).is_some_and(|(name, _)| row.contains_key(name));
        let compared: Vec<usize> = (0..self.typed().len()).filter(is_compared).collect();
        for row in &mut rows {
            row.values = compared.iter().filter_map(|at| row.values.get(*at).cloned()).collect();
        }
        let columns: Vec<_> = compared.iter().filter_map(|at| self.typed().get(*at).cloned()).collect();
        diff::table(&columns, &rows)
    }

    /// Writes what is equal as it was found: else `1` and `1.0` would look like a difference.
    fn level(&self, expected: &mut Numbered, found: &Numbered) {
        if expected.sign != Sign::Expected {
            return;
        }
        let columns = self.typed().iter().zip(expected.values.iter_mut().zip(&found.values));
        for ((_, ty), (expected, found)) in columns {
            if let (Some(written), Some(value)) = (expected.as_ref(), found)
                && self.comparison.equal(ty, written, value)
            {
                expected.clone_from(found);
            }
        }
    }

    /// The place of an expected row, where that is on one line; else that of the whole list.
    fn first_line(&self, place: crate::source::Span, at: usize) -> crate::source::Span {
        let first = self.case.expect.contains.as_ref().and_then(|rows| rows.get(at)?.keys().next());
        match first {
            Some(first) if place.start == place.end => self.case.key(&["contains", &at.to_string(), first]),
            _ => place,
        }
    }

    /// Complains of the first row that does not say what a column is.
    fn left_out(&self, expected: &[Map<String, Value>]) -> Option<Failure> {
        let names = self.names();
        let missing = |(at, row): (usize, &Map<String, Value>)| {
            let missing: Vec<String> =
                names.iter().filter(|name| !row.contains_key(*name)).map(|name| format!("`{name}`")).collect();
            (!missing.is_empty()).then_some((at, missing))
        };
        let (at, missing) = expected.iter().enumerate().find_map(missing)?;
        let message = format!(
            "row {} does not say what {} {}",
            at + 1,
            missing.join(", "),
            if missing.len() == 1 { "is" } else { "are" }
        );
        Some(
            Failure::new(self.case.key(&["rows"]), message)
                .help("`contains` compares only the columns that are written"),
        )
    }

    /// For every expected row the number of a row found that is equal, each used once where there are as many; a number
    /// that no row has, where there is none.
    fn ids(&self, expected: &[Map<String, Value>]) -> Vec<usize> {
        let mut used = vec![false; self.values.len()];
        let mut from = 0;
        let one = |(at, row): (usize, &Map<String, Value>)| {
            let is_free = |found: &usize, used: &[bool]| used.get(*found) == Some(&false) && self.meets(row, *found);
            // Behind the last one first: rows that are equal stay in order.
            let found = (from..self.values.len()).chain(0..from).find(|found| is_free(found, &used));
            match found {
                Some(found) => {
                    used.get_mut(found).into_iter().for_each(|used| *used = true);
                    from = found + 1;
                    found
                }
                None => self.values.len() + at,
            }
        };
        expected.iter().enumerate().map(one).collect()
    }

    fn is_other_order(&self, expected: &[Map<String, Value>]) -> bool {
        let mut ids = self.ids(expected);
        ids.sort_unstable();
        expected.len() == self.values.len() && ids.into_iter().eq(0..self.values.len())
    }

    /// Whether a row that was found has these values.
    fn meets(&self, row: &Map<String, Value>, found: usize) -> bool {
        self.equal_values(row, found) == row.len()
    }

    fn equal_values(&self, row: &Map<String, Value>, found: usize) -> usize {
        let Some(found) = self.values.get(found) else { return 0 };
        let columns = self.typed().iter().zip(found);
        let is_equal = |((name, ty), value): &(&(String, crate::ty::Type), &Value)| {
            row.get(name).is_some_and(|written| self.comparison.equal(ty, written, value))
        };
        columns.filter(is_equal).count()
    }

    /// The row that has the most of these values.
    fn most_alike(&self, row: &Map<String, Value>) -> Option<usize> {
        (0..self.values.len()).rev().max_by_key(|found| self.equal_values(row, *found))
    }

    fn in_order(&self, row: Option<&Map<String, Value>>) -> Vec<Option<Value>> {
        self.typed().iter().map(|(name, _)| row.and_then(|row| row.get(name).cloned())).collect()
    }

    fn found(&self, at: usize) -> Vec<Option<Value>> {
        self.values.get(at).into_iter().flatten().cloned().map(Some).collect()
    }
}
