use super::super::file::compile;
use super::super::{Eval, Expectation};
use super::tools;
use crate::project::EvalFile;
use crate::source::Sources;
use crate::ty::coerce::TimeZoneName;

fn compiled(files: &[(&str, &str)]) -> (Vec<Eval>, Vec<String>) {
    let mut sources = Sources::default();
    let add = |(stem, text): &(&str, &str)| EvalFile {
        file: sources.add(format!("evals/{stem}.yaml"), *text),
        stem: (*stem).to_owned(),
    };
    let files: Vec<EvalFile> = files.iter().map(add).collect();
    let (evals, sink) = compile(&files, &sources, &tools(), &TimeZoneName::default());
    let told = sink.into_sorted().into_iter().map(|one| {
        let span = one.primary.unwrap().span;
        let file = sources.get(span.file).unwrap();
        let place = file.location(span.start);
        let edits = one.helps.iter().flat_map(|help| &help.edits).map(|edit| format!(" → {}", edit.replacement));
        let edits: String = edits.collect();
        format!("{}:{} {}: {}{edits}", place.line, place.column, one.code, one.message)
    });
    let told = told.collect();
    (evals, told)
}

fn problems(text: &str) -> Vec<String> {
    let (evals, problems) = compiled(&[("a", text)]);
    assert_eq!(evals.is_empty(), !problems.is_empty(), "one with errors is left out: {problems:?}");
    problems
}

#[test]
fn a_file_has_one_evaluation_or_cases_that_share_what_it_says() {
    let one = "question: Which?\nmust_call: [late_flights]\n";
    let several = "system: Today is Monday.\nrepetitions: 3\nthreshold: 0.6\nmax_calls: 2\ncases:\n  \
                   b: {question: B?, repetitions: 1}\n  a: {question: A?, must_not_call: [route_summary]}\n";
    let (evals, problems) = compiled(&[("one", one), ("x/several", several)]);
    assert_eq!(problems, Vec::<String>::new());
    let names: Vec<&str> = evals.iter().map(|eval| eval.name.as_str()).collect();
    assert_eq!(names, ["one", "x/several/b", "x/several/a"]);
    let [one, b, a] = evals.as_slice() else { panic!("{evals:?}") };
    assert_eq!((one.repetitions, one.threshold, one.max_turns, one.max_calls), (1, 1.0, 8, None));
    assert_eq!(
        (b.repetitions, b.threshold, b.max_calls, b.system.as_deref()),
        (1, 0.6, Some(2), Some("Today is Monday."))
    );
    assert_eq!((a.repetitions, a.must_not_call.as_slice()), (3, ["route_summary".to_owned()].as_slice()));
}

#[test]
fn what_an_argument_must_be_is_a_value_or_a_condition() {
    let text = "question: Q\narguments:\n  late_flights:\n    origin: JFK\n    least: {min: 60}\n    day: null\n    \
                carriers: {one_of: [UA, AA]}\n    limit: {max: 5}\n  route_summary:\n    filter: {min: 1, x: 2}\n";
    let (evals, problems) = compiled(&[("a", text)]);
    assert_eq!(problems, Vec::<String>::new());
    let shown: Vec<String> = evals[0]
        .arguments
        .iter()
        .flat_map(|expected| &expected.arguments)
        .map(|(name, expectation)| format!("{name}: {expectation}"))
        .collect();
    let expected = [
        "origin: \"JFK\"",
        "least: at least 60",
        "day: none",
        "carriers: one of \"UA\", \"AA\"",
        "limit: at most 5",
        "filter: {\"min\":1,\"x\":2}",
    ];
    assert_eq!(shown, expected);
    let of = |at: usize| &evals[0].arguments[0].arguments[at].1;
    assert!(matches!(of(2), Expectation::Absent) && matches!(of(3), Expectation::OneOf(_)));
}

#[test]
fn tools_and_parameters_that_there_are_not_are_told_with_the_nearest() {
    let text = "question: Q\nmust_call: [late_flight]\nmust_not_call: ['route_sumary']\narguments:\n  late_flihgts: {}\n  \
                late_flights: {orign: JFK, who: me}\n";
    let expected = [
        "2:13 invalid-value: there is no tool `late_flight` → late_flights",
        "3:17 invalid-value: there is no tool `route_sumary`",
        "5:3 invalid-value: there is no tool `late_flihgts` → late_flights",
        "6:18 unknown-key: unknown key `orign` → origin",
        "6:30 unknown-key: unknown key `who`",
    ];
    assert_eq!(problems(text), expected);
}

#[test]
fn what_the_tool_would_refuse_is_told() {
    let arguments = |text: &str| problems(&format!("question: Q\narguments:\n  late_flights: {{{text}}}\n"));
    for (text, expected) in [
        ("origin: JFJ", "3:26 invalid-value: expected one of the allowed values, found \"JFJ\" → JFK"),
        ("origin: null", "3:26 invalid-value: expected a value, as the parameter is required, found nothing"),
        ("origin: {one_of: [JFK, SFO]}", "3:41 invalid-value: expected one of the allowed values, found \"SFO\""),
        ("origin: {matches: '('}", "3:36 invalid-value: expected a regular expression, found `(`"),
        ("origin: {matches: ^S}", "3:36 invalid-value: expected a pattern that matches an allowed value, found `^S`"),
        ("origin: {one_off: [JFK]}", "3:27 unknown-key: unknown key `one_off` → one_of"),
        ("origin: {one_of: [JFK], matches: J}", "invalid-value: expected a value, or one condition"),
        ("origin: {}", "invalid-value: expected a value, or one condition"),
        ("least: many", "3:25 invalid-value: expected an integer from -2147483648 to 2147483647, found \"many\""),
        ("least: -1", "3:25 invalid-value: expected at least 0, found -1"),
        ("least: {min: x}", "3:31 invalid-value: expected an integer from -2147483648 to 2147483647, found \"x\""),
        ("least: {min: 5, max: 4}", "3:31 invalid-value: expected at most the `max`, 4, found 5"),
        ("least: {min: 501}", "3:31 invalid-value: expected at most what the tool takes, 500, found 501"),
        ("least: {max: -5}", "3:31 invalid-value: expected at least what the tool takes, 0, found -5"),
        ("day: 2013-02-30", "invalid-value: expected a date such as"),
        ("carriers: UA", "invalid-value: expected a list, each item a string, found \"UA\""),
        ("carriers: {one_of: [[UA]]}", "invalid-value: expected a string"),
        ("limit: 0", "3:25 invalid-value: expected at least 1, found 0"),
    ] {
        let problems = arguments(text);
        assert!(problems.len() == 1 && problems[0].contains(expected), "{text}: {problems:#?}");
    }
}

#[test]
fn an_evaluation_that_cannot_fail_or_cannot_pass_is_none() {
    for (text, expected) in [
        ("question: Q\n", "1:1 missing-key: missing key `must_call`"),
        ("must_call: [late_flights]\n", "1:1 missing-key: missing key `question`"),
        ("", "1:1 missing-key: missing key `question`"),
        ("cases: {a: {must_call: [late_flights]}}", "1:9 missing-key: missing key `question`"),
        ("question: Q\ncases: {a: {question: Q}}", "1:1 invalid-value: a file with `cases` has no question of its own"),
        (
            "question: Q\nmust_call: [late_flights, route_summary]\nmax_calls: 1\n",
            "3:12 invalid-value: expected a number of at least 2",
        ),
        (
            "question: Q\nmust_not_call: [late_flights]\narguments: {late_flights: {origin: JFK}}\n",
            "2:17 invalid-value: `late_flights` must be called and must not",
        ),
        ("question: Q\nmust_cal: [late_flights]\n", "2:1 unknown-key: unknown key `must_cal` → must_call"),
        ("question: Q\nthreshold: 2\n", "2:12 invalid-value: expected a number of at most 1"),
        ("question: [\n", "invalid-yaml"),
    ] {
        let problems = problems(text);
        assert!(!problems.is_empty() && problems.iter().any(|one| one.contains(expected)), "{text}: {problems:#?}");
    }
}

#[test]
fn two_evaluations_of_one_name_are_told() {
    let case = "cases: {b: {question: Q, max_calls: 0}}\n";
    let (evals, problems) = compiled(&[("a", case), ("a/b", "question: Q\nmax_calls: 0\n")]);
    assert_eq!((evals.len(), problems.len()), (1, 1), "{problems:?}");
    assert!(problems[0].contains("name-collision"), "{problems:?}");
}

#[test]
fn a_key_without_a_value_is_told_and_null_is_a_value_of_arguments_only() {
    let text = "question: Q\nmust_call: [late_flights]\nmax_calls:\nthreshold: null\n\
                arguments: {late_flights: {origin: , day: null}}\n";
    assert_eq!(
        problems(text),
        [
            "3:1 invalid-value: expected a whole number, found nothing → ",
            "4:1 invalid-value: expected a number, found nothing → ",
            "5:28 invalid-value: expected a value, found nothing →  null",
        ]
    );
}
