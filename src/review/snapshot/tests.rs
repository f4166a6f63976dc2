use super::*;
use crate::tool::{Body, PlaceholderUse, flat};
use serde_json::json;

fn tool() -> Tool {
    let value = json!({
        "name": "late_orders", "title": "Late orders", "description": "Orders\nthat are late.", "tags": ["orders"],
        "version": null, "meta": {"z": 1, "a": {"y": 1.0, "b": null}},
        "parameters": [
            {"name": "state", "type": "text", "description": "Hides\u{200b}", "required": true,
             "constraints": {"allowed_values": ["9E", "no", "x y"]}, "examples": ["a: b"]},
            {"name": "ids", "type": "bigint[]", "description": null, "required": false,
             "constraints": {"min_items": 1, "multiple_of": 0.1}, "examples": []},
            {"name": "sort", "type": "text", "description": null, "required": false, "default": "new",
             "constraints": {"allowed_values": ["new"]}, "examples": [],
             "choices": [{"key": "new", "sql": "(day  DESC)"}]},
            {"name": "tenant", "type": "int", "description": null, "required": true, "constraints": {},
             "examples": [], "from": "claim.tenant"},
        ],
        "columns": [
            {"name": "id", "type": "bigint", "nullable": false, "description": null},
            {"name": "a b: \"c\"", "type": "struct(a int, b text[])", "nullable": true, "description": "not null"},
        ],
        "views": [{"name": "open_orders", "statement": "SELECT id, day FROM orders WHERE state = $1"}],
        "statement": "SELECT id, \"a b: \"\"c\"\"\" FROM open_orders\nWHERE tenant = $4 AND '$1' <> $1\n\
            AND qtool_optional_and ( id IN ( $2 ) OR qtool_optional_or ( day > $1, '$1' ), '$2' )\nORDER BY $3",
        "placeholders": [{"parameter": "state", "list": false}, {"parameter": "ids", "list": true},
            {"parameter": "sort", "list": false}, {"parameter": "tenant", "list": false}],
        "rules": [{"statement": "SELECT ($1 <> 'x') AS holds", "message": "No x."}],
        "tables": ["orders"], "result_limit": "none", "default_limit": null, "table_format": "toon",
        "expose": [], "timeout": "1500ms", "count_total": true, "strict": false, "structured_output": false,
        "annotations": {"read_only": true, "destructive": false, "idempotent": false, "open_world": false},
    });
    flat::read(value).unwrap()
}

fn about() -> About<'static> {
    About { source: "queries/late_orders.sql", tokens: Some(321), plan: Some("Sort: day\n  Filter: state") }
}

#[test]
fn a_tool_reads_back_as_itself_and_its_snapshot_as_the_same() {
    let tool = tool();
    let text = write(&tool, &about());
    let again = read(&text).unwrap();
    assert_eq!(write(&again, &about()), text);
    let mut written = again.clone();
    written.body = tool.body.clone();
    written.contract.rules = tool.contract.rules.clone();
    written.contract.placeholders = tool.contract.placeholders.clone();
    assert_eq!(written, tool, "all but the layout of statements is as it was");
    let uses = |name: &str, list| PlaceholderUse { parameter: name.to_owned(), list };
    assert_eq!(
        again.contract.placeholders,
        [("state", false), ("tenant", false), ("ids", true), ("sort", false)].map(|(n, l)| uses(n, l))
    );
    let statement = again.statement();
    assert!(
        statement.contains("qtool_optional_and(id IN ($3) OR qtool_optional_or(day > $1, '$1'), '$3')"),
        "{}",
        statement
    );
}

#[test]
fn a_person_reads_what_is_published_and_sees_what_is_hidden() {
    let text = write(&tool(), &about());
    for line in [
        "source: queries/late_orders.sql",
        "expression: tools.late_orders",
        "signature: late_orders(state, ids?, sort = new)",
        "    description: \"Hides\\u200B\"",
        "    allowed_values: [\"9E\", \"no\", x y]",
        "  ids: {type: \"bigint[]\", multiple_of: 0.1, min_items: 1}",
        "  id: bigint not null",
        "  - {check: $state <> 'x', message: No x.}",
        "  tenant = $tenant",
        "  AND '$1' <> $state",
        "  [[ AND id IN $ids [[ OR day > $state ]] ]]",
        "ORDER BY $sort",
    ] {
        assert!(text.lines().any(|found| found.trim_start() == line.trim_start()), "{line}\n{text}");
    }
    assert!(!text.contains('\u{200b}'), "{text}");
}

#[test]
fn what_names_cannot_say_is_kept_with_numbers() {
    let mut tool = tool();
    // `IN $ids` would be a list.
    let Body::Query(query) = &mut tool.body else { unreachable!() };
    query.statement = "SELECT position('x' IN $1 ) AS id FROM orders".to_owned();
    query.views.clear();
    let text = write(&tool, &about());
    assert!(text.contains("placeholders: [state, \"ids[]\", sort, tenant]"), "{text}");
    assert_eq!(read(&text).map(|tool| tool.contract.placeholders), Ok(tool.contract.placeholders));
}

#[test]
fn a_snapshot_that_was_changed_by_hand_is_refused() {
    let text = write(&tool(), &about());
    assert_eq!(read(&text.replace("timeout: \"1500ms\"", "timeout: \"2s\"")), Err(Unread::Edited));
    assert!(matches!(read("---\nsource: x\n---\nname: y\n"), Err(Unread::Malformed(_))));
    let (head, _) = text.split_once("contract: ").unwrap();
    assert!(matches!(read(head), Err(Unread::Malformed(_))));
    assert!(matches!(read(""), Err(Unread::Malformed(_))));
    // Not part of the contract.
    assert!(read(&text.replace("tokens: 321", "tokens: 322")).is_ok());
    assert!(read(&text.replace("source: queries/late_orders.sql", "source: queries/all/late.sql")).is_ok());
    assert_eq!(contract(&read(&text).unwrap()), contract(&tool()));
}

/// A snapshot as a later version might write it, with the hash that is its own.
fn later(replace: [&str; 2]) -> String {
    let text = write(&tool(), &Default::default());
    let content = content(&text);
    let (body, _) = content.split_once("contract: ").unwrap();
    assert!(body.contains(replace[0]), "{body}");
    let body = body.replacen(replace[0], replace[1], 1);
    format!("---\nsource: x\nexpression: y\n---\n{body}contract: {}\n", hash(&body))
}

#[test]
fn what_a_snapshot_says_and_nobody_knows_does_not_fall_away() {
    assert!(read(&later(["title: Late orders", "title: Later orders"])).is_ok());
    for (replace, key) in [
        (["from: claim.tenant", "bound: claim.tenant"], "parameters.tenant.bound"),
        (["annotations: [read_only]", "annotations: [read_only, guarded]"], "annotations.1"),
        (["title: Late orders", "title: Late orders\nguard: claim.tenant"], "guard"),
    ] {
        match read(&later(replace)) {
            Err(Unread::Later(found)) => assert_eq!(found, key),
            // What serde does not know it may refuse itself.
            other => assert!(matches!(other, Err(Unread::Malformed(_))), "{key}: {other:?}"),
        }
    }
}

#[test]
fn a_snapshot_under_the_name_of_another_tool_is_refused() {
    let text = write(&tool(), &about());
    assert!(read_named("late_orders", &text).is_ok());
    assert_eq!(read_named("own", &text), Err(Unread::Another("late_orders".to_owned())));
}
