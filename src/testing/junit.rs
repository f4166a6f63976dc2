//! The report as JUnit XML, which CI servers read, one suite a tool.

use super::expectation::Failure;
use super::report::{Report, in_words};
use super::run::Verdict;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite, XmlString};
use std::time::Duration;

/// The document, ending in a line break.
pub fn junit(report: &Report<'_>) -> String {
    let mut whole = quick_junit::Report::new(report.name);
    whole.set_time(took(report, 0..report.cases.len()));
    for (tool, cases) in report.by_tool() {
        let mut suite = TestSuite::new(tool);
        suite.set_time(took(report, cases.iter().copied()));
        suite.add_test_cases(cases.into_iter().filter_map(|at| case(report, at)));
        whole.add_test_suite(suite);
    }
    // Writing to memory does not fail.
    whole.to_string().unwrap_or_default()
}

fn took(report: &Report<'_>, cases: impl Iterator<Item = usize>) -> Duration {
    cases.filter_map(|at| report.ran.get(at)).map(|ran| ran.took).sum()
}

fn case(report: &Report<'_>, at: usize) -> Option<TestCase> {
    let (case, ran) = (report.cases.get(at)?, report.ran.get(at)?);
    let mut out = TestCase::new(case.name.as_str(), status(&ran.verdict, report));
    out.set_classname(case.tool.as_str()).set_time(ran.took);
    if let Some(file) = report.sources.get(case.place.file) {
        let line = file.location(case.place.start).line;
        out.extra.insert(XmlString::new("file"), XmlString::new(file.shown()));
        out.extra.insert(XmlString::new("line"), XmlString::new(line.to_string()));
    }
    Some(out)
}

fn status(verdict: &Verdict, report: &Report<'_>) -> TestCaseStatus {
    match verdict {
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::NotRun(why) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(why.as_str());
            status
        }
        // A test has one failure, whose text tells of all that does not hold.
        Verdict::Failed(failures) => {
            let all = |part: &dyn Fn(&Failure) -> String| failures.iter().map(part).collect::<Vec<_>>();
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(all(&|failure| failure.message.clone()).join("; "));
            status.set_description(all(&|failure| in_words(failure, report.sources)).join("\n\n"));
            status
        }
    }
}
