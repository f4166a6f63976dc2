//! What a call gave, held against what it must give.

mod rows;

use super::diff::{self, Line, Numbered, Sign};
use super::file::Case;
use super::{comparison::Comparison, golden};
use crate::engine::check_rows::ConditionError;
use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use crate::name::nearest;
use crate::project::{CountBounds, CountExpectation, OneOrMore};
use crate::source::Span;
use crate::ty::Type;
use serde_json::Value;

/// Something that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Where the expectation is written.
    pub place: Span,
    /// What does not hold, in one line.
    pub message: String,
    /// Facts.
    pub notes: Vec<String>,
    /// Suggestions.
    pub helps: Vec<String>,
    /// What was expected beside what came.
    pub lines: Vec<Line>,
}

impl Failure {
    fn new(place: Span, message: impl Into<String>) -> Failure {
        Failure { place, message: message.into(), notes: Vec::new(), helps: Vec::new(), lines: Vec::new() }
    }

    fn note(mut self, note: impl Into<String>) -> Failure {
        self.notes.push(note.into());
        self
    }

    fn help(mut self, help: impl Into<String>) -> Failure {
        self.helps.push(help.into());
        self
    }

    fn lines(self, lines: Vec<Line>) -> Failure {
        Failure { lines, ..self }
    }
}

/// A condition over the rows of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Of how many rows it must be true.
    pub of: Quantity,
    /// Which of several it is, from 0; absent where there is one.
    pub at: Option<usize>,
    /// The SQL.
    pub sql: String,
}

/// Of how many rows a condition must be true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Of every row.
    All,
    /// Of no row.
    None,
    /// Of one row at least.
    Any,
}

impl Quantity {
    fn key(self) -> &'static str {
        match self {
            Quantity::All => "all",
            Quantity::None => "none",
            Quantity::Any => "any",
        }
    }
}

/// The conditions of a test.
pub fn conditions(case: &Case) -> Vec<Condition> {
    let expect = &case.expect;
    let written = [(Quantity::All, &expect.all), (Quantity::None, &expect.none), (Quantity::Any, &expect.any)];
    let of = |(of, conditions): (Quantity, &Option<OneOrMore>)| match conditions {
        None => Vec::new(),
        Some(OneOrMore::One(sql)) => vec![Condition { of, at: None, sql: sql.clone() }],
        Some(OneOrMore::More(all)) => {
            let one = |(at, sql): (usize, &String)| Condition { of, at: Some(at), sql: sql.clone() };
            all.iter().enumerate().map(one).collect()
        }
    };
    written.into_iter().flat_map(of).collect()
}

/// What a condition is of every row; why it cannot be told.
pub type Held = Result<Vec<Option<bool>>, ConditionError>;

/// What came of a call.
pub struct Answer<'a> {
    /// The result, or the error.
    pub outcome: &'a Result<CallResult, CallError>,
    /// The conditions of the test, each with what it is of every row.
    pub held: &'a [(Condition, Held)],
    /// The text of the golden file, where there is one.
    pub golden: Option<&'a str>,
}

/// All of a test that does not hold.
pub fn check(case: &Case, answer: &Answer<'_>, comparison: &Comparison) -> Vec<Failure> {
    match (answer.outcome, &case.expect.error) {
        (Ok(result), Some(_)) => vec![unexpected_rows(case, result)],
        (Err(error), Some(_)) => other_error(case, error).into_iter().collect(),
        (Err(error), None) => vec![unexpected_error(case, error)],
        (Ok(result), None) if case.counts.is_some() => other_rows_seen(case, result).into_iter().collect(),
        (Ok(result), None) => Checker { case, result, values: result.rows.values(), comparison }.check(answer),
    }
}

/// That a caller sees another number of rows of a table.
fn other_rows_seen(case: &Case, result: &CallResult) -> Option<Failure> {
    // A project may have its numbers written as texts.
    let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
    let values = result.rows.values();
    let seen = values.first().and_then(|row| row.first()).and_then(number);
    let expected = case.expect.rows.iter().flatten().next().and_then(|row| number(row.get("rows")?));
    if seen.is_some() && seen == expected {
        return None;
    }
    let shown = |count: Option<u64>| count.map_or_else(|| "no number".to_owned(), |count| count.to_string());
    let table = case.counts.as_deref().unwrap_or_default();
    let message = format!("`{}` sees {} of the rows of `{table}`, and not {}", case.name, shown(seen), shown(expected));
    let failure = Failure::new(case.place, message);
    Some(result.notes.iter().fold(failure, |failure, note| failure.note(note.clone())))
}

fn unexpected_rows(case: &Case, result: &CallResult) -> Failure {
    let (code, _) = case.expect.error.as_ref().map(|error| error.parts()).unwrap_or_default();
    let message = format!("the call must fail with `{code}`, and returned {}", rows(result.rows.len()));
    let values = result.rows.values();
    let lines = diff::table(&result.rows.columns, &numbered(Sign::Found, &values, 0..values.len().min(5)));
    Failure::new(case.key(&["error"]), message).lines(lines)
}

fn other_error(case: &Case, error: &CallError) -> Option<Failure> {
    let (code, parameter) = case.expect.error.as_ref()?.parts();
    let is_meant = |error: &CallError| {
        error.code.as_str() == code && parameter.is_none_or(|name| error.parameter.as_deref() == Some(name))
    };
    if is_meant(error) || error.errors.iter().any(is_meant) {
        return None;
    }
    let about = |parameter: Option<&str>| parameter.map(|name| format!(" about `{name}`")).unwrap_or_default();
    let found = format!("`{}`{}", error.code, about(error.parameter.as_deref()));
    let message = format!("the call must fail with `{code}`{}, and failed with {found}", about(parameter));
    Some(with_detail(Failure::new(case.key(&["error"]), message).note(error.line()), error))
}

fn unexpected_error(case: &Case, error: &CallError) -> Failure {
    let failure = Failure::new(case.place, format!("the call failed with `{}`", error.code)).note(error.line());
    with_detail(failure, error)
}

/// The author is told what is behind it.
fn with_detail(failure: Failure, error: &CallError) -> Failure {
    match &error.detail {
        Some(detail) => failure.note(detail.told()),
        None => failure,
    }
}

/// `1 row`, `2 rows`.
fn rows(count: usize) -> String {
    if count == 1 { "1 row".to_owned() } else { format!("{count} rows") }
}

/// Some of the rows of a result, for a table of differences.
fn numbered(sign: Sign, values: &[Vec<Value>], which: impl IntoIterator<Item = usize>) -> Vec<Numbered> {
    let one = |at: usize| {
        let values = values.get(at)?.iter().cloned().map(Some).collect();
        Some(Numbered { sign, number: at + 1, values })
    };
    which.into_iter().filter_map(one).collect()
}

/// How many are expected, in words, where there are others.
fn expected(count: CountExpectation, found: u64) -> Option<String> {
    let CountBounds { min, max } = match count {
        CountExpectation::Exactly(count) => CountBounds { min: Some(count), max: Some(count) },
        CountExpectation::Within(bounds) => bounds,
    };
    if min.is_none_or(|min| found >= min) && max.is_none_or(|max| found <= max) {
        return None;
    }
    Some(match (min, max) {
        (Some(min), Some(max)) if min == max => min.to_string(),
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("at least {min}"),
        (_, max) => format!("at most {}", max.unwrap_or_default()),
    })
}

/// A result and what is expected of it.
struct Checker<'a> {
    case: &'a Case,
    result: &'a CallResult,
    values: Vec<Vec<Value>>,
    comparison: &'a Comparison,
}

impl Checker<'_> {
    fn check(&self, answer: &Answer<'_>) -> Vec<Failure> {
        let expect = &self.case.expect;
        if let Some(key) = self.rows_of_passed() {
            let message = format!("`{}` gives no rows: another server answers as it does", self.case.tool);
            let told = Failure::new(self.case.key(&[key]), message);
            return vec![told.help("say `golden`: the whole answer is compared")];
        }
        let mut failures: Vec<Failure> = self.columns().into_iter().collect();
        failures.extend(expect.count.and_then(|count| self.count(count)));
        failures.extend(expect.changed.and_then(|changed| self.changed(changed)));
        if let Some(key) = self.rows_of_no_result() {
            let message =
                format!("`{}` gives no rows: it changes data, and says how many rows were changed", self.case.tool);
            let told = Failure::new(self.case.key(&[key]), message);
            return [failures, vec![told.help(format!("say `changed` in the place of `{key}`"))]].concat();
        }
        failures.extend(expect.rows.as_deref().and_then(|rows| self.rows(rows)));
        failures.extend(expect.contains.as_deref().map(|rows| self.contains(rows)).unwrap_or_default());
        failures.extend(answer.held.iter().filter_map(|(condition, held)| self.condition(condition, held)));
        failures.extend(expect.golden.as_deref().and_then(|name| self.golden(name, answer.golden)));
        failures
    }

    /// The columns of the result.
    fn typed(&self) -> &[(String, Type)] {
        &self.result.rows.columns
    }

    fn names(&self) -> Vec<String> {
        self.typed().iter().map(|(name, _)| name.clone()).collect()
    }

    fn columns(&self) -> Option<Failure> {
        let (expected, found) = (self.case.expect.columns.as_ref()?, self.names());
        if *expected == found {
            return None;
        }
        let id = |name: &String| found.iter().chain(expected).position(|known| known == name).unwrap_or(0);
        let ids = |names: &[String]| names.iter().map(id).collect::<Vec<_>>();
        let line = |(sign, at): (Sign, usize)| {
            let names = if sign == Sign::Expected { expected } else { &found };
            Some(Line { sign, text: annotate_snippets::normalize_untrusted_str(names.get(at)?) })
        };
        let lines = diff::steps(&ids(expected), &ids(&found)).into_iter().filter_map(line).collect();
        Some(Failure::new(self.case.key(&["columns"]), "the columns are not those expected").lines(lines))
    }

    fn count(&self, count: CountExpectation) -> Option<Failure> {
        let found = self.values.len() as u64;
        let message = format!("{} rows are expected, and {found} came", expected(count, found)?);
        Some(self.with_cut(Failure::new(self.case.key(&["count"]), message)))
    }

    /// What is expected of rows where there are none, whatever was changed.
    fn rows_of_no_result(&self) -> Option<&'static str> {
        let expect = &self.case.expect;
        let said = [
            ("count", expect.count.is_some()),
            ("rows", expect.rows.is_some()),
            ("contains", expect.contains.is_some()),
        ];
        let gives_none = self.result.changed.as_ref().is_some_and(|changed| !changed.gives_rows());
        said.into_iter().find(|(_, is_said)| gives_none && *is_said).map(|(key, _)| key)
    }

    /// What is expected of rows where another server has answered.
    fn rows_of_passed(&self) -> Option<&'static str> {
        self.result.passed.as_ref()?;
        let expect = &self.case.expect;
        let said = [
            ("count", expect.count.is_some()),
            ("rows", expect.rows.is_some()),
            ("contains", expect.contains.is_some()),
            ("columns", expect.columns.is_some()),
            ("all", expect.all.is_some()),
            ("none", expect.none.is_some()),
            ("any", expect.any.is_some()),
        ];
        said.into_iter().find(|(_, is_said)| *is_said).map(|(key, _)| key)
    }

    fn changed(&self, count: CountExpectation) -> Option<Failure> {
        let failure = |message: String| Failure::new(self.case.key(&["changed"]), message);
        let Some(changed) = &self.result.changed else {
            let told = failure(format!("`{}` changes no data", self.case.tool));
            return Some(told.help("leave `changed` out, or say `count`"));
        };
        let expected = expected(count, changed.rows)?;
        Some(failure(format!("{expected} rows are expected to be changed, and {} were", changed.rows)))
    }

    /// Says that there were more rows than the tool returns at once.
    fn with_cut(&self, failure: Failure) -> Failure {
        if !self.result.truncated {
            return failure;
        }
        failure.note(format!("the result was cut behind {}: that is the limit of the call", rows(self.values.len())))
    }

    fn condition(&self, condition: &Condition, held: &Held) -> Option<Failure> {
        let key = condition.of.key();
        let at = condition.at.map(|at| at.to_string());
        let path: Vec<&str> = std::iter::once(key).chain(at.as_deref()).collect();
        let place = self.case.value(&path);
        let held = match held {
            Ok(held) => held,
            Err(why) => return Some(Failure::new(place, format!("the condition cannot be evaluated: {why}"))),
        };
        let which = |wanted: fn(Option<bool>) -> bool| -> Vec<usize> {
            (0..held.len()).filter(|at| held.get(*at).is_some_and(|held| wanted(*held))).collect()
        };
        if condition.of == Quantity::All && self.is_about_nothing() {
            let failure =
                Failure::new(place, "there are no rows: the condition is true of every one, and proves nothing");
            return Some(
                failure.help("say `count: 0` where none are expected; `count: { min: 0 }` where there may be none"),
            );
        }
        let (broken, message) = match condition.of {
            Quantity::All => {
                let broken = which(|held| held != Some(true));
                let message = format!("the condition is not true of {} of {}", broken.len(), rows(held.len()));
                (broken, message)
            }
            Quantity::None => {
                let broken = which(|held| held == Some(true));
                let message = format!("the condition is true of {} of {}", broken.len(), rows(held.len()));
                (broken, message)
            }
            Quantity::Any if held.contains(&Some(true)) => return None,
            Quantity::Any => {
                let failure = Failure::new(place, format!("the condition is true of none of {}", rows(held.len())));
                let shown = numbered(Sign::Found, &self.values, 0..held.len().min(5));
                return Some(failure.lines(diff::table(self.typed(), &shown)));
            }
        };
        if broken.is_empty() {
            return None;
        }
        let failure = Failure::new(place, message);
        let failure = if broken.iter().any(|at| held.get(*at) == Some(&None)) {
            failure.note("it is null where a column is null: such a row does not meet it")
        } else {
            failure
        };
        Some(failure.lines(diff::table(self.typed(), &numbered(Sign::Found, &self.values, broken))))
    }

    /// Whether no rows came, and the test does not say how many must: it may have been meant for some.
    fn is_about_nothing(&self) -> bool {
        let expect = &self.case.expect;
        self.values.is_empty() && expect.count.is_none() && expect.rows.is_none()
    }

    fn golden(&self, name: &str, accepted: Option<&str>) -> Option<Failure> {
        let found = golden::text(name, self.result);
        let place = self.case.value(&["golden"]);
        let help = "`qtool test --update` writes it";
        match accepted {
            Some(accepted) if accepted == found => None,
            Some(accepted) => {
                let failure = Failure::new(place, format!("the result is not that of `{}/{name}`", golden::GOLDEN));
                Some(failure.help(help).lines(diff::text(accepted, &found)))
            }
            None => {
                let failure = Failure::new(place, format!("there is no `{}/{name}`", golden::GOLDEN));
                Some(failure.help(help).lines(diff::text("", &found)))
            }
        }
    }

    /// Complains of the first column of rows that the result does not have.
    fn unknown_column(&self, key: &str, expected: &[serde_json::Map<String, Value>]) -> Option<Failure> {
        let names = self.names();
        let unknown = |(at, row): (usize, &serde_json::Map<String, Value>)| {
            Some((at, row.keys().find(|name| !names.contains(name))?.clone()))
        };
        let (at, column) = expected.iter().enumerate().find_map(unknown)?;
        let place = self.case.key(&[key, &at.to_string(), &column]);
        let failure = Failure::new(place, format!("the result has no column `{column}`"));
        Some(match nearest(&column, names.iter().map(String::as_str)) {
            Some(near) => failure.help(format!("a column with a similar name exists: `{near}`")),
            None => failure.note(format!("its columns are `{}`", names.join("`, `"))),
        })
    }
}
