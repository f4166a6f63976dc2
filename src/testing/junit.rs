//! The report as JUnit XML, which CI servers read: the elements that Ant writes
//! (<https://github.com/testmoapp/junitxml>), one suite a tool.

use super::report::{Report, counts, in_words};
use super::run::Verdict;
use std::fmt::Write as _;
use std::time::Duration;

/// The document, ending in a line break.
pub fn junit(report: &Report<'_>) -> String {
    let all: Vec<usize> = (0..report.cases.len()).collect();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    put_head(&mut out, "<testsuites", (report.name, report, &all));
    for (tool, cases) in report.by_tool() {
        put_head(&mut out, "  <testsuite", (tool, report, &cases));
        for at in cases {
            put_case(&mut out, report, at);
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// An element with counts. Writing to a string does not fail.
fn put_head(out: &mut String, element: &str, (name, report, cases): (&str, &Report<'_>, &[usize])) {
    let counts = counts(report, cases);
    let took = cases.iter().filter_map(|at| report.ran.get(*at)).map(|ran| ran.took).sum();
    _ = writeln!(
        out,
        "{element} name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\">",
        attribute(name),
        cases.len(),
        counts.failed,
        counts.not_run,
        seconds(took)
    );
}

fn put_case(out: &mut String, report: &Report<'_>, at: usize) {
    let (Some(case), Some(ran)) = (report.cases.get(at), report.ran.get(at)) else { return };
    _ = write!(
        out,
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{}\"",
        attribute(&case.tool),
        attribute(&case.name),
        seconds(ran.took)
    );
    if let Some(file) = report.sources.get(case.place.file) {
        let line = file.location(case.place.start).line;
        _ = write!(out, " file=\"{}\" line=\"{line}\"", attribute(file.shown()));
    }
    match &ran.verdict {
        Verdict::Passed => out.push_str("/>\n"),
        Verdict::NotRun(why) => {
            _ = writeln!(out, ">\n      <error message=\"{}\"/>\n    </testcase>", attribute(why));
        }
        Verdict::Failed(failures) => {
            out.push_str(">\n");
            for failure in failures {
                let (message, body) = (attribute(&failure.message), text(&in_words(failure, report.sources)));
                _ = writeln!(out, "      <failure message=\"{message}\">{body}</failure>");
            }
            out.push_str("    </testcase>\n");
        }
    }
}

fn seconds(took: Duration) -> String {
    format!("{:.3}", took.as_secs_f64())
}

/// A text between tags.
fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            // `]]>` must not stand in a text.
            '>' => out.push_str("&gt;"),
            c if is_xml(c) => out.push(c),
            _ => out.push('\u{fffd}'),
        }
    }
    out
}

/// A text in double quotes: readers would turn line breaks in it into spaces.
fn attribute(value: &str) -> String {
    text(value).replace('"', "&quot;").replace('\n', "&#10;").replace('\r', "&#13;").replace('\t', "&#9;")
}

/// Whether XML 1.0 can hold the character (<https://www.w3.org/TR/xml/#charsets>).
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_replaced_and_what_it_reserves_is_escaped() {
        assert_eq!(text("a < b && c ]]> \u{1b}[31m\u{ffff} ü"), "a &lt; b &amp;&amp; c ]]&gt; \u{fffd}[31m\u{fffd} ü");
        assert_eq!(attribute("\"x\"\n\ty"), "&quot;x&quot;&#10;&#9;y");
    }
}
