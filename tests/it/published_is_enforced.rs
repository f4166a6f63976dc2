//! What a strict tool publishes is what it enforces: for tools with parameters of every type, constraint and presence,
//! and for thousands of arguments, right and nearly right, the published schema accepts a call exactly where the engine
//! does. What JSON Schema cannot say is excused one by one, by [`is_beyond_schema`] and [`breaks_other_bounds`] alone.
//!
//! `format` is asserted, as a client may do; `null` for an optional parameter is absence, which the schema does not list.

use crate::cases::{Outcome, copy_all};
use crate::hostile_values::Random;
use jsonschema::{Draft, Validator};
use qtool::diagnostic::Severity;
use qtool::diagnostic::render::{Format, render};
use qtool::emit;
use qtool::engine::bind::{Arguments, Caller, bind};
use qtool::engine::defaults::Defaults;
use qtool::engine::error::CallError;
use qtool::tool::{Constraints, Parameter, Tool};
use qtool::ty::Type;
use qtool::ty::coerce::{Coercion, Strictness, TimeZoneName};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const SEED: u64 = 0x0915_4ED5;
/// Parameters of one tool, beside one that is bound.
const PARAMETERS: usize = 4;
/// Random calls of one tool, beside one for each value that its parameters list.
const CALLS: usize = 80;
/// Disagreements that are told; more are counted.
const TOLD: usize = 40;

/// A parameter that tools are made of. `valid` and `near` are JSON lists: values that are accepted, and values that are
/// nearly so. Every one of them is sent.
struct Spec {
    ty: &'static str,
    settings: &'static str,
    default: &'static str,
    valid: &'static str,
    near: &'static str,
}

const fn spec(
    ty: &'static str,
    settings: &'static str,
    default: &'static str,
    valid: &'static str,
    near: &'static str,
) -> Spec {
    Spec { ty, settings, default, valid, near }
}

#[rustfmt::skip]
const SPECS: &[Spec] = &[
    spec("boolean", "", "true", "[true, false]", r#"["true", "TRUE", 0, 1, "", []]"#),
    spec("boolean", "allowed_values: [true]", "true", "[true]", r#"[false, 1, "true"]"#),
    spec("smallint", "", "1", "[0, -32768, 32767, 5.0]", r#"[32768, -32769, 32767.5, 1.5, "5", 1e300, true]"#),
    spec("smallint", "minimum: 1, maximum: 10", "2", "[1, 10, 3.0]", r#"[0, 11, 0.5, 10.5, -1, "3", 0.9999999]"#),
    spec("int", "", "1", "[0, -2147483648, 2147483647]", "[2147483648, -2147483649, 0.1, 2147483648.0]"),
    spec("int", "exclusive_minimum: 0, exclusive_maximum: 100", "5", "[1, 99, 1.0]", "[0, 100, 0.5, 100.0, 99.5]"),
    spec("int", "allowed_values: [1, 2, 3]", "1", "[1, 2.0, 3]", r#"[4, 0, "1", 1.5, 1.0000000001]"#),
    spec("bigint", "", "1", "[0, 9223372036854775807, -9223372036854775808, 9007199254740991.0]",
        r#"[9223372036854775808, 18446744073709551615, 9007199254740994.0, 1e18, 1e19, -1e19, 0.1, "1"]"#),
    spec("bigint", "minimum: 9007199254740993", "9007199254740993", "[9007199254740993, 9007199254740995]",
        "[9007199254740992, 9007199254740991.0, 9007199254740994.0, 9007199254740991]"),
    spec("real", "", "1.5", "[0, 1.5, -3.4028234e38, 3.4028234e38]",
        r#"[3.4028235e38, 3.4028234663852886e38, -3.4028235e38, 3.5e38, 1e300, "1.5", true]"#),
    spec("real", "minimum: 0.1, maximum: 0.9", "0.5", "[0.1, 0.5, 0.9]", "[0.09999999999, 0.05, 0.90000000001, 1, 0]"),
    spec("real", "allowed_values: [0.5, 0.1]", "0.5", "[0.5, 0.1]", "[0.10000000001, 0.2, 0]"),
    spec("double", "", "1.5", "[0, 1e308, -1.5, 18446744073709551615]", r#"["NaN", "1", false, [1]]"#),
    spec("double", "exclusive_minimum: 0, maximum: 0.3", "0.2", "[0.3, 1e-300]", "[0, -0.0, 0.30000000000000004, 0.5]"),
    spec("double", "allowed_values: [0.1, 2]", "2", "[0.1, 2, 2.0]", "[0.10000000000000002, 0, 3]"),
    spec("decimal(10,2)", "", "'1.50'", r#"["0", "-1.50", "12345678.99", "00.5", "-0"]"#,
        r#"[" 1.5", "1.5 ", "\t1", "1.505", "1.500", "+1", "1e2", ".5", "1.", 1.5, 1, "123456789", "000000001", "", "-", "--1", "1,5"]"#),
    spec("decimal(5,0)", "", "'1'", r#"["0", "99999", "-1"]"#, r#"["100000", "1.0", "1.", "000001", 1]"#),
    spec("decimal(2,2)", "", "'0.5'", r#"["0.5", "-0.99", "0"]"#, r#"["1", "1.0", "0.555", "00.5", ".5", "0.500"]"#),
    spec("decimal(38,10)", "", "'1'", r#"["9999999999999999999999999999.9999999999"]"#, r#"["10000000000000000000000000000"]"#),
    spec("decimal(10,2)", "minimum: '0.01', exclusive_maximum: '1000.00'", "'1'", r#"["0.01", "999.99", "1"]"#,
        r#"["0.00", "0", "1000", "1000.00", "-1", "0.001"]"#),
    spec("decimal(10,2)", "allowed_values: ['1.50', '2']", "'2'", r#"["1.50", "2"]"#, r#"["1.5", "2.0", "2.00", "02", "3"]"#),
    spec("text", "", "a", r#"["", "a", "\u0000", "\u65e5\u672c", "<< a >>"]"#, r#"[1, true, [], {}, ["a"]]"#),
    spec("text", "min_length: 2, max_length: 4", "ab", r#"["ab", "abcd", "\ud83d\ude00\ud83d\ude00", "e\u0301"]"#,
        r#"["", "a", "abcde", "\ud83d\ude00", "\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00"]"#),
    spec("text", r"pattern: '^\d{4}$'", "'2024'", r#"["2024", "0000"]"#,
        r#"["202", "20245", "2024\n", "\u0662\u0660\u0662\u0664", "x2024", " 2024"]"#),
    spec("text", "pattern: '[a-c]+x', max_length: 5", "ax", r#"["ax", "-cx-"]"#, r#"["AX", "x", "", "a x", "aaaaax"]"#),
    spec("text", "allowed_values: [open, shipped]", "open", r#"["open", "shipped"]"#,
        r#"["Open", "OPEN", " open", "open ", "opem", "", "open\u0000", ["open"]]"#),
    spec("date", "", "2024-01-01", r#"["2024-02-29", "0001-01-01", "9999-12-31", "0000-01-01"]"#,
        r#"["2023-02-29", "2024-13-01", "2024-1-01", "2024-01-1", "2024-01-01T00:00:00", " 2024-01-01", "20240101", "+024-01-01", "2024/01/01", "2024-00-10", "1900-02-29", 20240101]"#),
    spec("date", "minimum: 2024-01-01, exclusive_maximum: 2025-01-01", "2024-06-01", r#"["2024-01-01", "2024-12-31"]"#,
        r#"["2023-12-31", "2025-01-01", "2024-02-30"]"#),
    spec("date", "allowed_values: [2024-01-01, 2024-02-01]", "2024-01-01", r#"["2024-01-01"]"#, r#"["2024-01-02", "2024-1-1"]"#),
    spec("time", "", "'08:00'", r#"["17:45", "17:45:00", "23:59:59.999999", "00:00:00.1"]"#,
        r#"["24:00", "17:60", "17:45:60", "17:45:00.1234567", "17:45:00.1000000", "17:45:00.000000000", "9:05", "17:45:00.", "17:45:", "17", " 17:45", "17:45Z"]"#),
    spec("time", "minimum: '08:00'", "'08:00'", r#"["08:00", "08:00:00", "23:59"]"#, r#"["07:59:59.999999", "07:59"]"#),
    spec("time", "allowed_values: ['08:00', '09:30']", "'08:00'", r#"["08:00", "09:30"]"#, r#"["08:00:00", "08:00:00.0", "08:01"]"#),
    spec("timestamp", "", "'2024-01-01T00:00:00'", r#"["2024-02-29T17:45:00", "2024-01-01", "2024-01-01 17:45", "2024-01-01T00:00:00.123456"]"#,
        r#"["2024-01-01T24:00", "2024-02-30", "2024-01-01T10:00:00Z", "2024-01-01t10:00", "2024-01-01T10:00:00.1000000", "2024-01-01T10:00:00.1234567", "2024-01-01T10:00:60", "2024-01-01T10", "2024-13-01T00:00", " 2024-01-01", "2024-01-01T"]"#),
    spec("timestamp(0)", "", "'2024-01-01'", r#"["2024-01-01T10:00:00"]"#, r#"["2024-01-01T10:00:00.0", "2024-01-01T10:00:00.5"]"#),
    spec("timestamp(3)", "", "'2024-01-01'", r#"["2024-01-01T10:00:00.123"]"#, r#"["2024-01-01T10:00:00.1230", "2024-01-01T10:00:00.1234"]"#),
    spec("timestamp(9)", "", "'2024-01-01'", r#"["2024-01-01T10:00:00.123456789"]"#, r#"["1500-01-01", "9999-12-31T00:00", "2024-01-01T10:00:00.1234567890"]"#),
    spec("timestamp", "minimum: '2024-01-01T00:00:00'", "'2024-01-01T00:00:00'", r#"["2024-01-01", "2024-01-01T00:00"]"#, r#"["2023-12-31T23:59:59.999999", "2023-12-31"]"#),
    spec("timestamp", "allowed_values: ['2024-01-01T00:00:00']", "'2024-01-01T00:00:00'", r#"["2024-01-01T00:00:00"]"#, r#"["2024-01-01", "2024-01-01 00:00"]"#),
    spec("timestamptz", "", "'2024-01-01T00:00:00Z'", r#"["2024-01-01T00:00:00Z", "2024-01-01T00:00:00.123456+02:00", "2016-12-31T23:59:59-11:30"]"#,
        r#"["2024-01-01 00:00:00Z", "2024-01-01t00:00:00z", "2024-01-01T00:00:00", "2016-12-31T23:59:60Z", "2024-01-01T10:10:60Z", "2024-01-01T00:00:00.1234567Z", "2024-01-01T00:00:00.1000000Z", "2024-02-30T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+0200", "2024-01-01T00:00Z", "2024-01-01", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+02:60"]"#),
    spec("timestamptz(9)", "", "'2024-01-01T00:00:00Z'", r#"["2024-01-01T00:00:00.123456789Z"]"#, r#"["1500-01-01T00:00:00Z", "2024-01-01T00:00:00.1234567891Z"]"#),
    spec("timestamptz", "maximum: '2024-12-31T23:59:59Z'", "'2024-01-01T00:00:00Z'", r#"["2025-01-01T01:59:59+02:00"]"#, r#"["2025-01-01T00:00:00Z", "2024-12-31T23:59:59-01:00"]"#),
    spec("interval", "", "P1D", r#"["P1D", "PT1.5S", "P1Y2M3W4DT5H6M7S", "PT-0.5S", "P-1M", "P0D"]"#,
        r#"["P1M1Y", "P1D1D", "PT1.S", "PT1S1H", " P1D", "P1D ", "P", "PT", "P1DT", "P1.5D", "1 day", "-P1D", "P+1D", "P99999999999Y", "PT99999999999H", "PT0.1234567890S", "p1d", "", 1]"#),
    spec("interval", "allowed_values: [P1D, PT1H]", "P1D", r#"["P1D"]"#, r#"["PT24H", "PT1H", "PT60M", "PT3600S", "P2D"]"#),
    spec("uuid", "", "123e4567-e89b-12d3-a456-426614174000", r#"["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"]"#,
        r#"["123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}", "123e4567-e89b-12d3-a456-42661417400", "123g4567-e89b-12d3-a456-426614174000", "urn:uuid:123e4567-e89b-12d3-a456-426614174000", ""]"#),
    spec("uuid", "allowed_values: [123e4567-e89b-12d3-a456-426614174000]", "123e4567-e89b-12d3-a456-426614174000",
        r#"["123e4567-e89b-12d3-a456-426614174000"]"#, r#"["123E4567-E89B-12D3-A456-426614174000", "023e4567-e89b-12d3-a456-426614174000"]"#),
    spec("bytea", "", "AA==", r#"["", "AA==", "AP8="]"#, r#"["AA", "AA=", "!!", "A A=", "AB==", "_-8=", "AA==\n", 1, [0]]"#),
    spec("json", "", "1", r#"[{"a": [1]}, 1, "x", [], false, "{\"a\": 1}"]"#, "[null]"),
    spec("json", "allowed_values: [1, x]", "1", r#"[1, "x"]"#, r#"["1", 1.0, "\"x\"", 2, "X"]"#),
    spec("int[]", "", "[1, 2]", "[[], [1, 2], [1.0]]", r#"[1, "[1]", [1, null], ["1"], [1.5], [[1]], {}, [2147483648]]"#),
    spec("int[]", "minimum: 1, maximum: 100, min_items: 1, max_items: 3", "[1]", "[[1], [100, 1, 1]]", "[[], [0], [101], [1, 1, 1, 1], [1, 0]]"),
    spec("text[]", "allowed_values: [open, shipped]", "[open]", r#"[["open"], [], ["shipped", "open"]]"#, r#"[["Open"], ["open", null], "open", ["open", ""]]"#),
    spec("text[]", "min_length: 2, pattern: '^[a-z]+$', max_items: 2", "[ab]", r#"[["ab"], []]"#, r#"[["a"], ["AB"], ["ab", "ab", "ab"], ["ab", 1]]"#),
    spec("text[][]", "", "[[a]]", r#"[[["a"]], [[]], []]"#, r#"[["a"], [[1]], [null], [[null]], "a"]"#),
    spec("decimal(10,2)[]", "minimum: '0.01'", "['1']", r#"[["0.01"], []]"#, r#"[["0"], [1], ["0.001"], ["1", "0.00"], [" 1"]]"#),
    spec("date[]", "maximum: 2024-12-31", "[2024-01-01]", r#"[["2024-12-31"], []]"#, r#"[["2025-01-01"], ["2024-02-30"], ["2024-01-01", null]]"#),
    spec("int", "multiple_of: 5", "5", "[0, 5, -10, 5.0]", r#"[1, 4, 6, 2.5, "5", 2147483645.5]"#),
    spec("bigint", "multiple_of: 3, minimum: 0", "{ sql: 1 + 2 }", "[0, 3, 9007199254740993]", "[1, -3, 9007199254740994, 4.5]"),
    spec("double", "multiple_of: 0.5", "1.5", "[0, 0.5, -2, 1e15]", r#"[0.25, 0.6, 1.4999, "1"]"#),
    spec("decimal(10,2)", "multiple_of: 0.05", "'0.10'", r#"["0.05", "-1.10", "0"]"#, r#"["0.01", "0.06", "1.055", 0.05]"#),
    spec("int[]", "multiple_of: 10, max_items: 3", "[10]", "[[10, -20], [], [30.0]]", "[[5], [10, 11], [10, 10, 10, 10]]"),
    spec("text", "format: email", "a@example.org", r#"["a@example.org", "x.y+z@example.com"]"#,
        r#"["a", "a@", "@b", "a b@example.org", "a@example.org\n", "a@b@c", ""]"#),
    spec("text", "format: uri", "https://example.org/", r#"["https://example.org/", "mailto:a@example.org", "urn:x:y"]"#,
        r#"["example.org", "/a/b", "http://[", "https://example.org/ a", ""]"#),
    spec("text", "format: hostname", "example.org", r#"["example.org", "localhost", "a-b.c"]"#, r#"["-a", "a..b", "a_b", "a b", ""]"#),
    spec("text", "format: ipv4", "127.0.0.1", r#"["127.0.0.1", "255.255.255.255"]"#, r#"["256.0.0.1", "1.2.3", "01.2.3.4", "::1", ""]"#),
    spec("text", "format: ipv6", "'::1'", r#"["::1", "2001:db8::1"]"#, r#"["127.0.0.1", ":::1", "::1%eth0", "12345::", ""]"#),
    spec("text[]", "format: ipv4", "[127.0.0.1]", r#"[["127.0.0.1"], []]"#, r#"[["127.0.0.1", "1"], ["::1"], "127.0.0.1"]"#),
    spec("text", "format: regex", "a+", r#"["a+", "", "^[a-z]{2}$"]"#, r#"["(", "[a", "a{2,1}", "*"]"#),
    spec("text", "format: json-pointer", "/a", r#"["", "/a/0", "/a~1b"]"#, r#"["a", "/~2", "a/b"]"#),
    spec("text", "choices: { first: label, 'the other': upper(label) }", "first", r#"["first", "the other"]"#,
        r#"["First", "the_other", "label", "", "first ", ["first"], 1]"#),
    spec("smallint", "allowed_values: { query: 'SELECT * FROM generate_series(1, 100)' }", "1", "[1, 100, 7.0]", r#"[0, 101, "1", 1.5]"#),
    spec("bigint", "allowed_values: { query: 'SELECT * FROM generate_series(1, 101)' }", "101", "[1, 101]", r#"[0, 102, "1", 1.5]"#),
    spec("text[]", "allowed_values: { query: 'SELECT label FROM types' }, max_items: 2", "[]", "[[]]", r#"[["no such"], "x", [1]]"#),
    spec("struct(a int, b text[])", "", "{ a: 1, b: [x] }", r#"[{"a": 1, "b": []}, {"b": ["x"], "a": 2.0}]"#,
        r#"[{"a": 1}, {"a": 1, "b": [], "c": 1}, {"a": "1", "b": []}, {"a": 1, "b": [1]}, {"a": null, "b": []}, {"A": 1, "b": []}, [], "{\"a\": 1, \"b\": []}", {}]"#),
    spec("struct(a int, b struct(c timestamp, d json))[]", "", "[{ a: 1, b: { c: '2024-01-01', d: 1 } }]",
        r#"[[], [{"a": 1, "b": {"c": "2024-01-01T00:00:00", "d": null}}]]"#,
        r#"[[{"a": 1, "b": {"c": "2024-02-30", "d": 1}}], [{"a": 1, "b": {"c": "x", "d": 1}}], [{"a": 1, "b": {"d": 1}}], [{"a": 1, "b": null}], {"a": 1, "b": {"c": "2024-01-01", "d": 1}}]"#),
];

/// How a parameter stands in its tool.
#[derive(Clone, Copy, PartialEq)]
enum Presence {
    Required,
    Optional,
    Default,
    Clause,
}

const PRESENCES: [Presence; 3] = [Presence::Required, Presence::Optional, Presence::Default];

/// What is sent where something else is due.
const JUNK: &str = r#"[null, true, 0, -1, 1.5, 1e300, "", "x", "1", "null", [], [null], [[]], {}, {"a": 1}]"#;
const LIMITS: (&str, &str) =
    ("[1, 20, 3.0]", r#"[0, -1, 21, 1.5, "2", null, 9223372036854775808, 1e300, true, 9007199254740994.0, []]"#);
const FORMATS: (&str, &str) = (r#"["markdown", "toon"]"#, r#"["Markdown", "json", 1, null, "", ["csv"], "csv "]"#);

/// A parameter as a call fills it.
struct Slot {
    name: String,
    valid: Vec<Value>,
    near: Vec<Value>,
    is_automatic: bool,
}

fn values(list: &str) -> Vec<Value> {
    serde_json::from_str(list).unwrap_or_else(|error| panic!("{list}: {error}"))
}

/// What was tried, and what went wrong.
#[derive(Default)]
struct Found {
    accepted: usize,
    refused: usize,
    excused: usize,
    /// By what was said, an example and how often.
    problems: BTreeMap<String, (String, usize)>,
}

/// Tries all tools.
pub(crate) fn run() -> crate::Outcome {
    let mut random = Random::new(SEED);
    let drawn = draw(&mut random);
    let folder = tempfile::tempdir()?;
    lay_out(folder.path(), &drawn)?;
    let outcome = Outcome::of(folder.path());
    let errors: Vec<_> =
        outcome.diagnostics.iter().filter(|found| found.severity == Severity::Error).cloned().collect();
    if !errors.is_empty() {
        return Err(render(&errors, &outcome.sources, Format::Text, false).into());
    }
    let tools = outcome.compilation.map(|made| made.tools).unwrap_or_default();
    let mut found = Found::default();
    for (at, (_, slots)) in drawn.iter().enumerate() {
        let name = format!("tool_{at}");
        let tool = tools.iter().find(|tool| tool.contract.name == name).ok_or("a tool is missing")?;
        Checked::new(tool)?.try_all(slots, &mut random, &mut found);
    }
    if !found.problems.is_empty() {
        let told: Vec<String> =
            found.problems.values().take(TOLD).map(|(example, times)| format!("({times} times) {example}")).collect();
        return Err(format!("{} kinds of disagreement:\n\n{}", found.problems.len(), told.join("\n\n")).into());
    }
    // Else the property would say little.
    let all = found.accepted + found.refused + found.excused;
    if all < 5_000 || found.accepted * 6 < all || found.refused * 6 < all || found.excused * 10 > all {
        let Found { accepted, refused, excused, .. } = found;
        return Err(format!("{accepted} calls accepted, {refused} refused and {excused} excused").into());
    }
    Ok(())
}

/// The SQL of every tool, with what to send to it: each parameter in each presence, in random company.
fn draw(random: &mut Random) -> Vec<(String, Vec<Slot>)> {
    let mut left: Vec<(&Spec, Presence)> = Vec::new();
    for spec in SPECS {
        // A choice is made in every call.
        let is_choice = spec.settings.contains("choices");
        let presences = PRESENCES.into_iter().filter(|presence| !is_choice || *presence != Presence::Optional);
        left.extend(presences.map(|presence| (spec, presence)));
        // Compared in an optional clause, where its type can be compared at all.
        if matches!(spec.ty, "int" | "text" | "date" | "timestamp") && !is_choice {
            left.push((spec, Presence::Clause));
        }
    }
    for at in (1..left.len()).rev() {
        left.swap(at, random.below(at + 1));
    }
    left.chunks(PARAMETERS).enumerate().map(|(at, chosen)| tool(at, chosen)).collect()
}

fn tool(at: usize, chosen: &[(&Spec, Presence)]) -> (String, Vec<Slot>) {
    let (limit, has_bound) = (if at.is_multiple_of(3) { "none" } else { "20" }, at.is_multiple_of(2));
    let mut params = String::new();
    let mut columns = vec!["id".to_owned()];
    let mut clauses = String::new();
    let mut slots = Vec::new();
    for (number, (spec, presence)) in chosen.iter().enumerate() {
        let Spec { ty, settings, default, .. } = spec;
        let name = format!("p{number}");
        let mark = if *presence == Presence::Optional { "?" } else { "" };
        let written = format!("<< {name}{mark}: {ty} >>");
        if *presence == Presence::Clause {
            let column = match *ty {
                "int" => "medium",
                "text" => "label",
                "date" => "day",
                _ => "moment",
            };
            clauses.push_str(&format!("\n  [[ AND {column} = {written} ]]"));
        } else {
            columns.push(format!("{written} AS c{number}"));
        }
        let default = if *presence == Presence::Default { format!(", default: {default}") } else { String::new() };
        let comma = if settings.is_empty() { "" } else { ", " };
        params.push_str(&format!("  {name}: {{ description: A value{comma}{settings}{default} }}\n"));
        slots.push(Slot { name, valid: values(spec.valid), near: values(spec.near), is_automatic: false });
    }
    if has_bound {
        params.push_str("  tenant: { from: claim.tenant, minimum: 1 }\n");
        columns.push("<< tenant: int >> AS tenant".to_owned());
    }
    for (name, (valid, near)) in [("limit", LIMITS), ("table_format", FORMATS)] {
        slots.push(Slot { name: name.to_owned(), valid: values(valid), near: values(near), is_automatic: true });
    }
    let columns = columns.join(",\n  ");
    let header = format!("/*---\ndescription: A tool.\nstrict: true\nresult_limit: {limit}\nparams:\n{params}---*/\n");
    (format!("{header}SELECT\n  {columns}\nFROM types\nWHERE true{clauses}\nORDER BY id\n"), slots)
}

/// The project of the cases with these tools.
fn lay_out(dir: &Path, tools: &[(String, Vec<Slot>)]) -> std::io::Result<()> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::copy(shared.join("qtool.yaml"), dir.join("qtool.yaml"))?;
    copy_all(&shared.join("snapshots"), &dir.join("snapshots"))?;
    copy_all(&shared.join("data"), &dir.join("data"))?;
    for (at, (sql, _)) in tools.iter().enumerate() {
        std::fs::write(dir.join(format!("queries/tool_{at}.sql")), sql)?;
    }
    Ok(())
}

/// A tool with its published schema.
struct Checked<'a> {
    tool: &'a Tool,
    schema: Value,
    validator: Validator,
    caller: Caller,
    coercion: Coercion,
}

impl<'a> Checked<'a> {
    fn new(tool: &'a Tool) -> Result<Checked<'a>, Box<dyn std::error::Error>> {
        let published = emit::mcp::tool(&tool.contract);
        let schema = published.get("inputSchema").cloned().ok_or("no input schema is published")?;
        let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
        let validator = options.build(&schema).map_err(|error| format!("{}: {error}", tool.contract.name))?;
        let mut claims = Map::new();
        claims.insert("tenant".to_owned(), json!(7));
        let caller = Caller { claims, ..Caller::default() };
        let coercion = Coercion { strictness: Strictness::Strict, time_zone: TimeZoneName::default() };
        Ok(Checked { tool, schema, validator, caller, coercion })
    }

    fn try_all(&self, slots: &[Slot], random: &mut Random, found: &mut Found) {
        // Every listed value once, with all else right.
        for slot in slots {
            for (value, is_valid) in
                slot.valid.iter().map(|value| (value, true)).chain(slot.near.iter().map(|value| (value, false)))
            {
                let mut sent = right(slots, random);
                sent.insert(slot.name.clone(), value.clone());
                self.check(&sent, found);
                if is_valid && let Err(error) = self.engine(&sent) {
                    let what = format!("a valid value is refused: {}", error.line());
                    self.problem(&what, &sent, found);
                }
            }
        }
        let mut without_all = Arguments::new();
        self.check(&without_all, found);
        without_all.insert("tenant".to_owned(), json!(7));
        self.check(&without_all, found);
        let junk = values(JUNK);
        for _ in 0..CALLS {
            let mut sent = right(slots, random);
            for _ in 0..random.below(3) {
                spoil(&mut sent, slots, &junk, random);
            }
            self.check(&sent, found);
        }
    }

    fn engine(&self, sent: &Arguments) -> Result<(), CallError> {
        bind(&self.tool.contract, sent, &self.caller, &Defaults::default(), Ok(None)).map(|_| ())
    }

    /// Asks both.
    fn check(&self, sent: &Arguments, found: &mut Found) {
        // An explicit null for what may be absent is absence, as the book has it; the schema has no word for it.
        let mut told = sent.clone();
        told.retain(|name, value| !(value.is_null() && self.may_be_absent(name)));
        let told = Value::Object(told);
        let by_schema: Vec<String> =
            self.validator.iter_errors(&told).map(|error| format!("{error} (at {})", error.instance_path())).collect();
        match (by_schema.is_empty(), self.engine(sent)) {
            (true, Ok(())) => found.accepted += 1,
            (false, Err(_)) => found.refused += 1,
            (false, Ok(())) => {
                let what = format!("the engine accepts, the schema refuses: {}", by_schema.join("; "));
                self.problem(&what, sent, found);
            }
            (true, Err(error)) => {
                let parts = if error.errors.is_empty() { vec![error.clone()] } else { error.errors.clone() };
                match parts.iter().find(|part| !self.is_excused(part, sent)) {
                    Some(part) => {
                        let what = format!("the schema accepts, the engine refuses: {}", part.line());
                        self.problem(&what, sent, found);
                    }
                    None => found.excused += 1,
                }
            }
        }
    }

    fn may_be_absent(&self, name: &str) -> bool {
        let published = self.tool.contract.published().find(|parameter| parameter.name == name);
        published.map_or(matches!(name, "limit" | "table_format"), |parameter| !parameter.required)
    }

    fn problem(&self, what: &str, sent: &Arguments, found: &mut Found) {
        let properties = self.schema.get("properties").cloned().unwrap_or_default();
        // One of each kind is enough: the parameters' names and numbers are the tool's own.
        let kind = what.replace(['0', '1', '2', '3'], "n");
        let sent = Value::Object(sent.clone());
        let example = || {
            format!(
                "{what}\n  tool `{}`: {}\n  arguments: {sent}\n  published: {properties}",
                self.tool.contract.name,
                self.types()
            )
        };
        found.problems.entry(kind).or_insert_with(|| (example(), 0)).1 += 1;
    }

    fn types(&self) -> String {
        let one = |parameter: &Parameter| {
            let required = if parameter.required { "" } else { "?" };
            format!("{}{required}: {}", parameter.name, parameter.ty)
        };
        self.tool.contract.parameters().iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// Whether an error of the engine is one that no JSON Schema could have foreseen.
    fn is_excused(&self, error: &CallError, sent: &Arguments) -> bool {
        if error.code.as_str() != "invalid-argument" {
            return false;
        }
        let Some((name, value)) = error.parameter.as_ref().and_then(|name| Some((name, sent.get(name)?))) else {
            return false;
        };
        match self.tool.contract.parameter(name) {
            Some(parameter) if parameter.ty.coerce(value, &self.coercion).is_err() => {
                self.only_beyond_schema(&parameter.ty, value)
            }
            Some(parameter) => breaks_other_bounds(parameter, value, &self.coercion),
            // Without a result limit the schema has no maximum, and no program that many rows.
            None => name == "limit" && value.as_f64().is_some_and(|rows| rows.fract() == 0.0 && rows > EXACT),
        }
    }

    /// Whether all that is wrong in a value of the wrong type is beyond JSON Schema.
    fn only_beyond_schema(&self, ty: &Type, value: &Value) -> bool {
        let inside: Vec<(&Type, &Value)> = match (ty, value) {
            (Type::List(item), Value::Array(items)) => items.iter().map(|one| (item.as_ref(), one)).collect(),
            (Type::Struct(fields), Value::Object(map)) => {
                if map.len() != fields.len() {
                    return false;
                }
                let found = fields.iter().map(|(name, ty)| Some((ty, map.get(name)?)));
                let Some(found): Option<Vec<_>> = found.collect() else { return false };
                found
            }
            _ => return is_beyond_schema(ty, value),
        };
        let wrong: Vec<_> =
            inside.into_iter().filter(|(ty, value)| ty.coerce(value, &self.coercion).is_err()).collect();
        !wrong.is_empty() && wrong.into_iter().all(|(ty, value)| self.only_beyond_schema(ty, value))
    }
}

/// Beyond it a float no longer says which integer is meant.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The values that a schema of the type accepts though they are none: the whole list. Told from the text alone, not by
/// the code that is tested.
fn is_beyond_schema(ty: &Type, value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    match ty {
        // A whole number to JSON Schema, but one that stands for several.
        Type::Bigint => value.is_f64() && value.as_f64().is_some_and(|n| n.fract() == 0.0 && n.abs() >= EXACT),
        // The validator takes a sign for a digit of the year.
        Type::Date => text.starts_with('+'),
        // A pattern counts digits, and knows no calendar; nanoseconds since 1970 have 64 bits.
        Type::Timestamp(digits) => !is_in_calendar(text) || (*digits == 9 && !is_near(text)),
        // `date-time` takes any number of digits, and leap seconds.
        Type::Timestamptz(digits) => {
            let behind = text.split_once('.').map_or("", |(_, behind)| behind);
            let fraction = behind.bytes().take_while(u8::is_ascii_digit).count();
            fraction > usize::from(*digits) || text.get(17..19) == Some("60") || (*digits == 9 && !is_near(text))
        }
        // More than fits 32 bits of months and days or 64 bits of nanoseconds: 2562048 hours are too many.
        Type::Interval => {
            let mut runs = text.split(|c: char| !c.is_ascii_digit());
            runs.any(|run| run.len() >= 7) || text.len() > 100
        }
        // `contentEncoding` is no assertion.
        Type::Bytea => !is_base64(text),
        _ => false,
    }
}

/// Whether `YYYY-MM-DD`, with `hh:mm` or `hh:mm:ss` behind it or not, is a point in time.
fn is_in_calendar(text: &str) -> bool {
    let number = |from: usize, to: usize| text.get(from..to).and_then(|part| part.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (number(0, 4), number(5, 7), number(8, 10)) else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    let (hour, minute, second) = (number(11, 13), number(14, 16), number(17, 19));
    let is_time = hour.is_none_or(|hour| hour < 24)
        && minute.is_none_or(|minute| minute < 60)
        && second.is_none_or(|second| second < 60);
    (1..=days).contains(&day) && is_time
}

/// Whether the year is surely one that nanoseconds reach.
fn is_near(text: &str) -> bool {
    text.get(..4).and_then(|year| year.parse::<u32>().ok()).is_some_and(|year| (1678..=2261).contains(&year))
}

fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let padding = text.len() - body.len();
    let digit = |c: char| "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".find(c);
    let digits: Option<Vec<usize>> = body.chars().map(digit).collect();
    let Some(digits) = digits else { return false };
    // Bits that stand for nothing are zero.
    let spare = match padding {
        0 => 0,
        1 => 0b11,
        2 => 0b1111,
        _ => return false,
    };
    text.len().is_multiple_of(4) && digits.last().is_none_or(|last| last & spare == 0)
}

/// Whether a value is refused for its bounds, of a type whose bounds JSON Schema cannot say, and for nothing else.
fn breaks_other_bounds(parameter: &Parameter, value: &Value, coercion: &Coercion) -> bool {
    let ty = match &parameter.ty {
        Type::List(item) => item.as_ref(),
        ty => ty,
    };
    let all = &parameter.constraints;
    if all.allowed_values.as_ref().is_some_and(|values| values.len() > emit::mcp::MAX_ENUM) {
        return Constraints { allowed_values: None, ..all.clone() }.check(&parameter.ty, value, coercion).is_ok();
    }
    let unsaid = matches!(ty, Type::Decimal(..) | Type::Date | Type::Time | Type::Timestamp(_) | Type::Timestamptz(_));
    let others = Constraints {
        minimum: None,
        maximum: None,
        exclusive_minimum: None,
        exclusive_maximum: None,
        multiple_of: None,
        ..all.clone()
    };
    let bounds = Constraints {
        minimum: all.minimum.clone(),
        maximum: all.maximum.clone(),
        exclusive_minimum: all.exclusive_minimum.clone(),
        exclusive_maximum: all.exclusive_maximum.clone(),
        multiple_of: all.multiple_of.clone(),
        ..Constraints::default()
    };
    unsaid
        && others.check(&parameter.ty, value, coercion).is_ok()
        && bounds.check(&parameter.ty, value, coercion).is_err()
}

/// A call with a valid value for every parameter, and at times for the automatic ones.
fn right(slots: &[Slot], random: &mut Random) -> Arguments {
    let mut sent = Arguments::new();
    for slot in slots {
        if !slot.is_automatic || random.one_in(3) {
            sent.insert(slot.name.clone(), random.pick(&slot.valid).clone());
        }
    }
    sent
}

/// Makes one thing else.
fn spoil(sent: &mut Arguments, slots: &[Slot], junk: &[Value], random: &mut Random) {
    let slot = random.pick(slots);
    let name = slot.name.clone();
    let value = match random.below(10) {
        0 => {
            sent.remove(&name);
            return;
        }
        1 => {
            let odd = ["extra", "tenant", "P0", "p0 ", "", "cursors", "__proto__"];
            sent.insert((*random.pick(&odd)).to_owned(), random.pick(junk).clone());
            return;
        }
        2 => Value::Null,
        3 => random.pick(junk).clone(),
        4 => {
            // What is right elsewhere.
            let other = random.pick(slots);
            random.pick(&other.valid).clone()
        }
        5 | 6 => random.pick(&slot.near).clone(),
        _ => mutated(random.pick(&slot.valid).clone(), junk, random),
    };
    sent.insert(name, value);
}

/// A value that is nearly the same.
fn mutated(value: Value, junk: &[Value], random: &mut Random) -> Value {
    match value {
        Value::Null => random.pick(junk).clone(),
        Value::Bool(is) => random.pick(&[json!(!is), json!(is.to_string()), json!(u8::from(is))]).clone(),
        Value::Number(number) => {
            let float = number.as_f64().unwrap_or_default();
            let next = number.as_i64().map_or(json!(float + 1.0), |whole| json!(whole.saturating_add(1)));
            let before = number.as_i64().map_or(json!(float - 1.0), |whole| json!(whole.saturating_sub(1)));
            let text = json!(number.to_string());
            let same = Value::Number(number);
            let near = json!(float * (1.0 + 1e-9));
            let forms = [next, before, text, json!(float + 0.5), json!(-float), json!(float), near, json!([same])];
            random.pick(&forms).clone()
        }
        Value::String(text) => json!(misspelt(&text, random)),
        Value::Array(mut items) => {
            match random.below(5) {
                0 => items.push(random.pick(junk).clone()),
                1 => items.extend(items.clone()),
                2 => return json!(Value::Array(items).to_string()),
                _ if items.is_empty() => items.push(Value::Null),
                3 => {
                    items.pop();
                }
                _ => {
                    let at = random.below(items.len());
                    items[at] = mutated(items[at].clone(), junk, random);
                }
            }
            Value::Array(items)
        }
        Value::Object(mut map) => {
            let names: Vec<String> = map.keys().cloned().collect();
            if names.is_empty() {
                return json!([]);
            }
            let name = random.pick(&names).clone();
            match random.below(5) {
                0 => {
                    map.remove(&name);
                }
                1 => {
                    map.insert("z".to_owned(), random.pick(junk).clone());
                }
                2 => {
                    map.insert(name, Value::Null);
                }
                3 => return json!(Value::Object(map).to_string()),
                _ => {
                    let inner = mutated(map[&name].clone(), junk, random);
                    map.insert(name, inner);
                }
            }
            Value::Object(map)
        }
    }
}

fn misspelt(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let odd = ['0', '9', '-', '+', '.', ':', 'T', 'Z', 'z', ' ', '=', 'e', '\u{e9}', '\n', '\u{660}'];
    let at = random.below(chars.len() + 1);
    match random.below(7) {
        0 => return text.to_uppercase(),
        1 => return text.to_lowercase(),
        2 => chars.insert(0, ' '),
        3 => chars.push(*random.pick(&odd)),
        4 => {
            chars.pop();
        }
        5 if at < chars.len() => chars[at] = *random.pick(&odd),
        _ => chars.insert(at, *random.pick(&odd)),
    }
    chars.into_iter().collect()
}
