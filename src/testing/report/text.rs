//! A line a tool, then every failure at its place in the source, then counts: for a terminal of 80 columns.

use super::{Report, counts};
use crate::review::render::wrapped_words;
use crate::source::Sources;
use crate::testing::coverage::{Coverage, Share, Untried};
use crate::testing::diff::Sign;
use crate::testing::expectation::Failure;
use crate::testing::file::Case;
use crate::testing::run::Verdict;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};
use serde_json::Value;
use std::fmt::Write as _;

const WIDTH: usize = 80;
/// More values of one parameter are counted.
const VALUES: usize = 20;

/// The report, ending in a line break. Colours are those of a terminal's own palette (ECMA-48, SGR).
pub fn text(report: &Report<'_>, colour: bool) -> String {
    let paint = Paint(colour);
    let mut out = String::new();
    for (tool, cases) in report.by_tool() {
        put_tool(&mut out, report, (tool, &cases), paint);
    }
    let mut has_legend = false;
    for (case, ran) in report.cases.iter().zip(report.ran) {
        let Verdict::Failed(failures) = &ran.verdict else { continue };
        for failure in failures {
            out.push('\n');
            out.push_str(&shown_failure(case, failure, report.sources, paint));
            if !failure.lines.is_empty() && !has_legend {
                // Said once. Writing to a string does not fail.
                _ = writeln!(out, "    ({}, {})", paint.text("- was expected", "31"), paint.text("+ came", "32"));
                has_legend = true;
            }
        }
    }
    if let Some(coverage) = report.coverage {
        put_coverage(&mut out, coverage, paint);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out + &summary(report, paint)
}

#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn text(self, text: &str, code: &str) -> String {
        if self.0 { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn good(self, text: &str) -> String {
        self.text(text, "32")
    }

    fn bad(self, text: &str) -> String {
        self.text(text, "1;31")
    }
}

fn put_tool(out: &mut String, report: &Report<'_>, (tool, cases): (&str, &[usize]), paint: Paint) {
    let counts = counts(report, cases);
    let wrong = counts.failed + counts.not_run;
    if wrong == 0 {
        _ = writeln!(out, "{}    {tool} ({})", paint.good("ok"), number(cases.len(), "test"));
        return;
    }
    let told = format!("{wrong} of {}", number(cases.len(), "test"));
    _ = writeln!(out, "{}  {tool} ({told})", paint.bad("FAIL"));
    for at in cases {
        let (Some(case), Some(ran)) = (report.cases.get(*at), report.ran.get(*at)) else { continue };
        let why = match &ran.verdict {
            Verdict::Passed => continue,
            Verdict::Failed(_) => String::new(),
            Verdict::NotRun(why) => format!("not run: {why}"),
        };
        _ = writeln!(out, "      {}", cut(&normalize_untrusted_str(&case.name), WIDTH - 6));
        if !why.is_empty() {
            _ = writeln!(out, "        {}", paint.text(&cut(&normalize_untrusted_str(&why), WIDTH - 8), "2"));
        }
    }
}

/// A failure as the compiler tells an error.
fn shown_failure(case: &Case, failure: &Failure, sources: &Sources, paint: Paint) -> String {
    let title = normalize_untrusted_str(&format!("{}: {}", case.path(), failure.message));
    let notes: Vec<String> = failure.notes.iter().map(|note| normalize_untrusted_str(note)).collect();
    let helps: Vec<String> = failure.helps.iter().map(|help| normalize_untrusted_str(help)).collect();
    let mut group = Group::with_title(Level::ERROR.primary_title(title.as_str()));
    if let Some(file) = sources.get(failure.place.file) {
        let annotation = AnnotationKind::Primary.span(failure.place.start..failure.place.end);
        group = group.element(Snippet::source(file.text.as_ref()).path(file.shown()).annotation(annotation));
    }
    for note in &notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for help in &helps {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if paint.0 { Renderer::styled() } else { Renderer::plain() };
    let mut out = renderer.render(&[group]) + "\n";
    for line in &failure.lines {
        let text = format!("{} {}", line.sign.mark(), line.text);
        let text = match line.sign {
            Sign::Same => text,
            Sign::Expected => paint.text(&text, "31"),
            Sign::Found => paint.text(&text, "32"),
        };
        _ = writeln!(out, "    {}", text.trim_end());
    }
    out
}

fn put_coverage(out: &mut String, coverage: &Coverage, paint: Paint) {
    _ = writeln!(out, "\n{}", paint.text("coverage", "1"));
    let shares = [
        ("tools", coverage.tools),
        ("parameters", coverage.parameters),
        ("values", coverage.values),
        ("clauses", coverage.clauses),
        ("choices", coverage.choices),
    ];
    for (what, Share { tried, all }) in shares.into_iter().filter(|(_, share)| share.all > 0) {
        _ = writeln!(out, "  {what:<12}{tried} of {all}");
    }
    let mut tool = None;
    for gap in &coverage.gaps {
        if tool != Some(&gap.tool) {
            _ = writeln!(out, "  {}", paint.text(&gap.tool, "1"));
            tool = Some(&gap.tool);
        }
        for (at, line) in wrapped_words(&in_words(&gap.untried), WIDTH - 6).into_iter().enumerate() {
            _ = writeln!(out, "    {}{line}", if at == 0 { "" } else { "  " });
        }
    }
}

fn in_words(untried: &Untried) -> String {
    let names = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match untried {
        Untried::Tool => "no test gets a result".to_owned(),
        Untried::Parameter { parameter } => format!("`{parameter}` is never given"),
        Untried::Values { parameter, values } => {
            let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), normalize_untrusted_str);
            let mut shown: Vec<String> = values.iter().take(VALUES).map(plain).collect();
            if values.len() > VALUES {
                shown.push(format!("and {} more", values.len() - VALUES));
            }
            format!("`{parameter}` is never {}", shown.join(", "))
        }
        Untried::Choices { parameter, choices } => format!("`{parameter}` never chooses {}", choices.join(", ")),
        Untried::ClausePresent { parameters } => format!("the clause of {} is always left out", names(parameters)),
        Untried::ClauseAbsent { parameters } => format!("the clause of {} is never left out", names(parameters)),
    }
}

fn summary(report: &Report<'_>, paint: Paint) -> String {
    let all: Vec<usize> = (0..report.cases.len()).collect();
    let counts = counts(report, &all);
    let mut parts = vec![match counts.passed {
        0 => "0 passed".to_owned(),
        passed => paint.good(&format!("{passed} passed")),
    }];
    if counts.failed > 0 {
        parts.push(paint.bad(&format!("{} failed", counts.failed)));
    }
    if counts.not_run > 0 {
        parts.push(paint.bad(&format!("{} not run", counts.not_run)));
    }
    let took = report.took.map(|took| format!(" in {:.2} s", took.as_secs_f64())).unwrap_or_default();
    format!("{}: {}{took}\n", number(all.len(), "test"), parts.join(", "))
}

/// `1 test`, `2 tests`.
fn number(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}
