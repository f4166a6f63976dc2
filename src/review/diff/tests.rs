use super::*;
use crate::review::change::Class;
use crate::review::snapshot;
use crate::tool::{Body, Input, Output, Query, flat};
use serde_json::{Map, json};

/// A tool with something of everything.
fn tool() -> Tool {
    let parameter = |name: &str, ty: &str, more: Value| {
        let mut all = json!({"name": name, "type": ty, "description": "Words.", "required": false, "constraints": {},
            "examples": []});
        for (key, value) in more.as_object().unwrap() {
            all[key] = value.clone();
        }
        all
    };
    let value = json!({
        "name": "sales",
        "title": "Sales",
        "description": "Sales of a region.",
        "tags": ["sales", "money"],
        "version": "1.0.0",
        "scopes": ["sales.read", "money.read"],
        "meta": {"team": "sales", "more": {"a": [1, 2]}},
        "parameters": [
            parameter("region", "text", json!({"required": true, "constraints": {"allowed_values": ["north", "south"]},
                "allowed_query": {"query": "SELECT region FROM regions", "refresh": "1h"}})),
            parameter("least", "double", json!({"default": 1.5, "examples": [2, 3], "constraints": {"minimum": 0,
                "exclusive_maximum": 100, "multiple_of": 0.5}})),
            parameter("words", "text", json!({"constraints": {"min_length": 1, "max_length": 9, "pattern": "^a",
                "format": "hostname"}})),
            parameter("ids", "bigint[]", json!({"constraints": {"min_items": 1, "max_items": 5, "minimum": 1,
                "maximum": 10, "exclusive_minimum": 0}})),
            parameter("since", "date", json!({"default_expression": "current_date - 7"})),
            parameter("tenant", "int", json!({"required": true, "from": "claim.tenant"})),
            parameter("sort", "text", json!({"required": true, "constraints": {"allowed_values": ["new", "large"]},
                "choices": [{"key": "new", "sql": "(day DESC)"}, {"key": "large", "sql": "amount"}]})),
            parameter("unit", "text", json!({"required": true, "constraints": {"allowed_values": ["day", "month"],
                "any_unit": true}})),
        ],
        "columns": [
            {"name": "id", "type": "bigint", "nullable": false, "description": "Number."},
            {"name": "amount", "type": "decimal(10,2)", "nullable": true, "description": null},
        ],
        "views": [{"name": "large", "statement": "SELECT * FROM sales WHERE amount >= $2"}],
        "statement": "SELECT id, round(amount) AS amount FROM large WHERE region = $1 AND tenant = $6 \
            AND qtool_optional_and(id IN ($4), '$4') AND qtool_optional_and(note = $3 AND day > $5, '$3 $5') \
            AND date_trunc($8, day) = day ORDER BY $7, id",
        "placeholders": [{"parameter": "region", "list": false}, {"parameter": "least", "list": false},
            {"parameter": "words", "list": false}, {"parameter": "ids", "list": true},
            {"parameter": "since", "list": false}, {"parameter": "tenant", "list": false},
            {"parameter": "sort", "list": false}, {"parameter": "unit", "list": false}],
        "rules": [{"statement": "SELECT ($2 > 1) AS holds", "message": "More than 1."},
            {"statement": "SELECT ($2 < 90) AS holds", "message": "Less than 90."}],
        "tables": ["regions", "sales"],
        "result_limit": 100,
        "default_limit": 20,
        "table_format": "markdown",
        "expose": ["limit", "table_format"],
        "timeout": "30s",
        "count_total": false,
        "max_bytes": "64KiB",
        "calls_per_second": 5,
        "cache_ttl": "60s",
        "strict": false,
        "parameters_in_description": false,
        "structured_output": true,
        "definition": "full",
        "annotations": {"read_only": true, "destructive": false, "idempotent": true, "open_world": false},
    });
    read(value).unwrap()
}

fn read(value: Value) -> Option<Tool> {
    flat::read(value).ok()
}

fn statements(tool: &mut Tool) -> &mut Query {
    let Body::Query(query) = &mut tool.body else { unreachable!() };
    query
}

fn changes(before: &Tool, after: &Tool) -> Vec<Change> {
    let contract = |tool: &Tool| Contract { tools: vec![tool.clone()], ..Contract::default() };
    compare(&contract(before), &contract(after))
}

/// One line a change.
fn lines(before: &Tool, after: &Tool) -> Vec<String> {
    changes(before, after).iter().map(ToString::to_string).collect()
}

/// Every value that differs from this one in one place.
fn neighbours(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Bool(is) => found.push(json!(!is)),
        Value::Number(number) => found.push(json!(number.as_f64().unwrap() + 1.0)),
        Value::String(text) => {
            found.push(json!(format!("{text}x")));
            found.extend([json!("text"), json!("5s"), json!("csv"), json!("email"), json!("compact"), json!("cursor")]);
        }
        Value::Array(items) => {
            found.push(items.iter().rev().cloned().collect());
            for (at, item) in items.iter().enumerate() {
                let with = |new: Option<Value>| {
                    let mut items = items.clone();
                    items.splice(at..=at, new);
                    Value::Array(items)
                };
                found.push(with(None));
                found.extend(neighbours(item).into_iter().map(|new| with(Some(new))));
            }
        }
        Value::Object(map) => {
            for (key, value) in map {
                let with = |new: Value| {
                    let mut map: Map<String, Value> = map.clone();
                    map.insert(key.clone(), new);
                    Value::Object(map)
                };
                found.push(with(Value::Null));
                found.extend(neighbours(value).into_iter().map(with));
            }
        }
        Value::Null => found.push(json!("text")),
    }
    found
}

#[test]
fn a_change_anywhere_is_a_change_and_seen_in_the_snapshot() {
    let before = tool();
    let was = snapshot::write(&before, &Default::default());
    let all = neighbours(&Value::Object(flat::write(&before)));
    let tools: Vec<Tool> = all.into_iter().filter_map(read).collect();
    assert!(tools.len() > 250, "{}", tools.len());
    for after in tools {
        let is = snapshot::write(&after, &Default::default());
        for (found, which) in [(changes(&before, &after), "forth"), (changes(&after, &before), "back")] {
            let difference = similar::TextDiff::from_lines(&was, &is);
            assert_eq!(found.is_empty(), was == is, "{which}: {found:?}\n{}", difference.unified_diff());
        }
    }
}

#[test]
fn hints_that_no_query_of_a_file_changes_are_compared() {
    let (safe, mut writing) = (tool(), tool());
    writing.contract.annotations.read_only = false;
    writing.contract.annotations.destructive = true;
    writing.contract.annotations.open_world = true;
    let weakened = ["destructive", "open_world", "read_only"];
    assert_eq!(lines(&safe, &writing), weakened.map(|hint| format!("breaking annotation-weakened sales.{hint}")));
    assert_eq!(lines(&writing, &safe), weakened.map(|hint| format!("compatible annotation-strengthened sales.{hint}")));
}

#[test]
fn numbers_of_placeholders_say_nothing() {
    let (before, mut after) = (tool(), tool());
    after.contract.placeholders.swap(1, 5);
    let swapped = |text: &str| text.replace("$2", "$x").replace("$6", "$2").replace("$x", "$6");
    let query = statements(&mut after);
    query.statement = swapped(&query.statement);
    query.views[0].statement = swapped(&query.views[0].statement);
    after.contract.rules.iter_mut().for_each(|rule| rule.statement = swapped(&rule.statement));
    assert_eq!(changes(&before, &after), []);
    assert_eq!(snapshot::contract(&before), snapshot::contract(&after));
}

fn native(schema: Value) -> Tool {
    let contract = crate::tool::Contract { input: Input::Schema(schema), output: Output::Rows, ..tool().contract };
    Tool { contract, body: Body::Native }
}

#[test]
fn schemas_that_are_written_by_hand_are_compared_by_property() {
    let before = native(json!({"type": "object", "required": ["a"], "properties": {
        "a": {"type": "string", "description": "A."}, "b": {"type": "integer"}, "c": {"type": "integer"}}}));
    let after = native(json!({"type": "object", "required": ["b", "d"], "properties": {
        "a": {"type": "string", "description": "Another."}, "b": {"type": "number"}, "d": {}, "e": {}}, "$defs": {}}));
    assert_eq!(
        lines(&before, &after),
        [
            "breaking required-parameter-added sales.d",
            "breaking parameter-removed sales.c",
            "breaking parameter-became-required sales.b",
            "breaking parameter-schema-changed sales.b",
            "breaking input-schema-changed sales",
            "compatible optional-parameter-added sales.e",
            "compatible parameter-became-optional sales.a",
            "documentation parameter-description-changed sales.a",
        ]
    );
    assert_eq!(changes(&before, &before), []);
}

#[test]
fn what_was_and_what_is_are_shown_where_they_differ() {
    let (mut before, mut after) = (tool(), tool());
    before.contract.description = Some(format!("{}the end is old.", "The same words. ".repeat(20)));
    after.contract.description = Some(format!("{}the end is new.", "The same words. ".repeat(20)));
    let found = changes(&before, &after);
    let change = found.first().unwrap();
    assert_eq!(change.kind, Kind::DescriptionChanged);
    assert_eq!(change.class, Class::Documentation);
    let shown = change.after.as_deref().unwrap();
    assert!(shown.starts_with('…') && shown.ends_with("the end is new."), "{shown}");
    assert!(shown.chars().count() <= MAX_SHOWN + 2, "{shown}");
}

#[test]
fn long_lists_of_values_are_shown_by_what_differs() {
    let (mut before, mut after) = (tool(), tool());
    let values: Vec<Value> = (0..5_000).map(|at| json!(format!("v{at}"))).collect();
    before.contract.parameters_mut()[0].constraints.allowed_values = Some(values.clone());
    after.contract.parameters_mut()[0].constraints.allowed_values = Some(values[1..].to_vec());
    let found = changes(&before, &after);
    assert_eq!(
        found.first().map(|change| change.sentence.as_str()),
        Some("Parameter `region` takes fewer values: `v0, of 5000 values` became `4999 values`.")
    );
}
