//! One JSON document, for programs.

use super::{Report, counts};
use crate::source::{Sources, Span};
use crate::testing::coverage::Coverage;
use crate::testing::diff::Line;
use crate::testing::expectation::Failure;
use crate::testing::file::Case;
use crate::testing::run::{Ran, Verdict};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    passed: usize,
    failed: usize,
    /// Tests that could not be run.
    not_run: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    milliseconds: Option<u128>,
    tests: Vec<Test<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<&'a Coverage>,
}

#[derive(Serialize)]
struct Test<'a> {
    tool: &'a str,
    name: &'a str,
    /// `passed`, `failed` or `not_run`.
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    milliseconds: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place<'a>>,
    /// Why it could not be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<Told<'a>>,
}

#[derive(Serialize)]
struct Told<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place<'a>>,
    /// What was expected (`-`) beside what came (`+`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    difference: Vec<String>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    helps: &'a [String],
}

/// A place: line and column from 1, columns in characters.
#[derive(Serialize)]
struct Place<'a> {
    path: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Place<'a> {
    fn of(span: Span, sources: &'a Sources) -> Option<Place<'a>> {
        let file = sources.get(span.file)?;
        let at = file.location(span.start);
        Some(Place { path: file.shown(), line: at.line, column: at.column })
    }
}

/// The document, ending in a line break.
pub fn json(report: &Report<'_>) -> String {
    let all: Vec<usize> = (0..report.cases.len()).collect();
    let counts = counts(report, &all);
    let document = Document {
        passed: counts.passed,
        failed: counts.failed,
        not_run: counts.not_run,
        milliseconds: report.took.map(|took| took.as_millis()),
        tests: report.cases.iter().zip(report.ran).map(|(case, ran)| test(report, case, ran)).collect(),
        coverage: report.coverage,
    };
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn test<'a>(report: &Report<'a>, case: &'a Case, ran: &'a Ran) -> Test<'a> {
    let (outcome, why, failures) = match &ran.verdict {
        Verdict::Passed => ("passed", None, [].as_slice()),
        Verdict::Failed(failures) => ("failed", None, failures.as_slice()),
        Verdict::NotRun(why) => ("not_run", Some(why.as_str()), [].as_slice()),
    };
    Test {
        tool: &case.tool,
        name: &case.name,
        outcome,
        // Left out where the report must be the same every time.
        milliseconds: report.took.map(|_| ran.took.as_millis()),
        place: Place::of(case.place, report.sources),
        why,
        failures: failures.iter().map(|failure| told_failure(failure, report.sources)).collect(),
    }
}

fn told_failure<'a>(failure: &'a Failure, sources: &'a Sources) -> Told<'a> {
    let line = |line: &Line| format!("{} {}", line.sign.mark(), line.text);
    Told {
        message: &failure.message,
        place: Place::of(failure.place, sources),
        difference: failure.lines.iter().map(line).collect(),
        notes: &failure.notes,
        helps: &failure.helps,
    }
}
