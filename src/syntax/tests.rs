#![allow(clippy::string_slice)]

use super::*;
use crate::name;
use crate::project::QueryFile;
use proptest::prelude::*;

fn parsed(text: &str) -> (Option<ParsedQuery>, Diagnostics) {
    let mut sources = Sources::default();
    let file = sources.add("queries/query.sql", text);
    let mut sink = Diagnostics::default();
    let query = QueryFile::alone(file, "query");
    let parsed = parse(&query, &Document::empty(sources.get(query.file).unwrap().whole()), &sources, &mut sink);
    (parsed.map(|(query, _)| query), sink)
}

/// Parsing recurses; the stack of a test thread is small.
fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(crate::compile::STACK_SIZE);
        thread.spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

fn literal() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i32>().prop_map(|n| n.to_string()),
        "[a-zé >'<=:?-]{0,12}".prop_map(|text| format!("'{}'", text.replace('\'', "''"))),
        Just("true".to_owned()),
        Just("DATE '2013-01-31'".to_owned()),
        (-1000i32..1000).prop_map(|n| format!("{}.5", n)),
        Just("ARRAY[1, 2]".to_owned()),
    ]
}

fn type_name() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("int"),
        Just("bigint[]"),
        Just("decimal(10,2)"),
        Just("timestamptz"),
        Just("struct(a int, b text)"),
        Just("double"),
    ]
}

proptest! {
    #[test]
    fn a_printed_placeholder_reads_back_as_itself(
        name in "[a-z][a-z0-9_]{0,8}",
        optional in any::<bool>(),
        ty in proptest::option::of(type_name()),
        default in proptest::option::of(literal()),
        place in prop_oneof![Just("SELECT 1 WHERE x = "), Just("SELECT "), Just("SELECT f(1, "), Just("SELECT 1 + ")],
    ) {
        prop_assume!(!name::RESERVED.contains(&name.as_str()));
        let mut written = format!("<< {name}");
        if optional { written.push('?'); }
        if let Some(ty) = ty { written.push_str(&format!(": {ty}")); }
        if let Some(default) = &default { written.push_str(&format!(" = {default}")); }
        written.push_str(" >>");
        let close = if place.ends_with("(1, ") { ")" } else { "" };
        let (query, sink) = parsed(&format!("{place}{written}{close}"));
        let query = query.ok_or_else(|| TestCaseError::fail(format!("{written}: {sink:?}")))?;
        prop_assert_eq!(query.placeholders.len(), 1);
        let first = &query.placeholders[0];
        prop_assert_eq!(&first.name.value, &name);
        prop_assert_eq!(first.optional, optional);
        prop_assert_eq!(first.to_sql(), written);
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>()) {
        on_a_large_stack(|| parsed(&text));
    }

    #[test]
    fn any_sequence_of_fragments_is_read_without_a_panic(
        parts in proptest::collection::vec(prop_oneof![
            Just("<<"), Just(">>"), Just("<< a >>"), Just("<< a: int = 1 >>"), Just("[["), Just("]]"), Just("AND"), Just("IN"),
            Just("/*---"), Just("---*/"), Just("description: x\n"), Just("params: {a: {default: 1}}\n"), Just("'"), Just("\""),
            Just("$$"), Just("--"), Just("/*"), Just("*/"), Just("SELECT"), Just("FROM t"), Just("WHERE"), Just("("), Just(")"),
            Just("["), Just("]"), Just(","), Just(";"), Just("="), Just("?"), Just(":"), Just("é"), Just("\u{202e}"), Just("\n"),
        ], 0..40),
        glue in prop_oneof![Just(""), Just(" ")],
    ) {
        on_a_large_stack(|| parsed(&parts.join(glue)));
    }
}

#[test]
fn a_chain_or_a_nest_of_any_length_is_a_diagnostic_and_no_overflow() {
    let texts = [
        format!("SELECT 1 WHERE {}", vec!["1 = 1"; 20_000].join(" OR ")),
        format!("SELECT {}1{}", "(".repeat(10_000), ")".repeat(10_000)),
        vec!["SELECT 1"; 5_000].join(" UNION ALL "),
        format!("SELECT {}1", "- ".repeat(20_000)),
        format!("SELECT {}1", "NOT ".repeat(20_000)),
        format!("SELECT {}1{}", "CASE WHEN 1 = 1 THEN ".repeat(3_000), " END".repeat(3_000)),
        format!("SELECT {}1{}", "f(".repeat(10_000), ")".repeat(10_000)),
        format!("SELECT {}", "[".repeat(10_000)),
    ];
    for text in texts {
        let (query, sink) = on_a_large_stack(|| parsed(&text));
        assert!(query.is_none(), "{}", &text[..60]);
        assert!(sink.errors() > 0, "{}", &text[..60]);
    }
}

#[test]
fn a_long_list_is_not_deep() {
    let list: Vec<String> = (0..20_000).map(|n| format!("-{n}")).collect();
    let (query, sink) = on_a_large_stack(|| parsed(&format!("SELECT 1 WHERE 1 IN ({})", list.join(", "))));
    assert!(query.is_some(), "{sink:?}");
}

#[test]
fn linking_numbers_parameters_over_all_statements() {
    let mut sources = Sources::default();
    let view = sources.add("queries/v.sql", "/*---\nkind: view\n---*/\nSELECT 1 AS a WHERE 1 = << y >> -- no end\n");
    let main = sources.add("queries/m.sql", "SELECT a FROM v\nWHERE a LIKE<<x>>OR a = << x >> AND a IN<< y >>;");
    let mut sink = Diagnostics::default();
    let queries: Vec<ParsedQuery> = [(view, "v"), (main, "m")]
        .into_iter()
        .map(|(file, stem)| QueryFile::alone(file, stem))
        .map(|query| {
            parse(&query, &Document::empty(sources.get(query.file).unwrap().whole()), &sources, &mut sink).unwrap().0
        })
        .collect();
    let linked = link::link(&queries[1], &[&queries[0]], &[], &sources).unwrap();
    let texts: Vec<&str> = linked.parts.iter().map(|part| part.text.as_str()).collect();
    assert_eq!(texts, ["SELECT 1 AS a WHERE 1 = $1", "SELECT a FROM v\nWHERE a LIKE $2 OR a = $2 AND a IN ( $3 )"]);
    assert_eq!(linked.slots.len(), 3);
    assert_eq!(linked.occurrences.len(), 4);
    for part in &linked.parts {
        assert_eq!(link::parse_text(&part.text, &|_| None).unwrap().to_string(), part.statement.to_string());
    }
}
