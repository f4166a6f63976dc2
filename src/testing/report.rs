//! What came of the tests: for people ([`text`]) and for programs ([`json`]).

mod json;
mod text;

pub use json::json;
pub use text::text;

use super::coverage::Coverage;
use super::expectation::Failure;
use super::file::Case;
use super::run::{Ran, Verdict};
use crate::source::Sources;
use std::time::Duration;

/// All that there is to report. A test and what came of it have the same number.
pub struct Report<'a> {
    /// The project's name.
    pub name: &'a str,
    /// The tests, by tool.
    pub cases: &'a [Case],
    /// What came of them.
    pub ran: &'a [Ran],
    /// The texts they are written in.
    pub sources: &'a Sources,
    /// What was tried, where somebody asked.
    pub coverage: Option<&'a Coverage>,
    /// How long all of it took; absent where a report must be the same every time.
    pub took: Option<Duration>,
}

impl<'a> Report<'a> {
    /// The numbers of the tests of each tool.
    pub fn by_tool(&self) -> Vec<(&'a str, Vec<usize>)> {
        let mut tools: Vec<(&str, Vec<usize>)> = Vec::new();
        for (at, case) in self.cases.iter().enumerate() {
            match tools.last_mut() {
                Some((tool, cases)) if *tool == case.tool => cases.push(at),
                _ => tools.push((&case.tool, vec![at])),
            }
        }
        tools
    }

    /// Whether every test passed.
    pub fn is_fine(&self) -> bool {
        self.ran.iter().all(|ran| ran.verdict == Verdict::Passed)
    }
}

/// How many tests came out how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub not_run: usize,
}

pub(super) fn counts(report: &Report<'_>, cases: &[usize]) -> Counts {
    let mut counts = Counts::default();
    for ran in cases.iter().filter_map(|at| report.ran.get(*at)) {
        match ran.verdict {
            Verdict::Passed => counts.passed += 1,
            Verdict::Failed(_) => counts.failed += 1,
            Verdict::NotRun(_) => counts.not_run += 1,
        }
    }
    counts
}

/// A failure where its source is not shown: the place, what does not hold, the differences, notes and helps.
pub(super) fn in_words(failure: &Failure, sources: &Sources) -> String {
    let mut lines: Vec<String> = Vec::new();
    if let Some(file) = sources.get(failure.place.file) {
        let at = file.location(failure.place.start);
        lines.push(format!("{}:{}:{}: {}", file.shown(), at.line, at.column, failure.message));
    }
    lines.extend(failure.lines.iter().map(|line| format!("{} {}", line.sign.mark(), line.text).trim_end().to_owned()));
    lines.extend(failure.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(failure.helps.iter().map(|help| format!("help: {help}")));
    lines.join("\n")
}
