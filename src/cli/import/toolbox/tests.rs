use super::*;

const FLAT: &str = r#"
kind: source
name: wh
type: sqlite
database: wh.db
---
kind: tool
name: orders-by-region
type: sqlite-sql
source: wh
description: 'Orders of one region: above an amount. */'
statement: |
  SELECT id, amount FROM orders WHERE region = ? AND amount >= ? AND (city = ? OR ? IS NULL);
parameters:
  - {name: region, type: string, description: Region, allowedValues: [EU, US]}
  - {name: min_amount, type: float, description: Minimum, default: 0, minValue: 0}
  - {name: city, type: string, description: City, required: false}
  - {name: city2, type: string, description: City again, required: false}
authRequired: [google]
"#;

const NESTED: &str = r#"
sources:
  pg: { kind: postgres, host: 127.0.0.1 }
authServices:
  google: { kind: google, clientId: x }
tools:
  mine:
    kind: postgres-sql
    source: pg
    description: My orders.
    parameters:
      - { name: user_id, type: string, description: User, authServices: [{ name: google, field: sub }] }
      - { name: limit, type: integer, description: Rows, excludedValues: ["0"] }
    templateParameters:
      - { name: order, type: string, description: Order, allowedValues: [id, total] }
      - { name: table, type: string, description: Table }
    statement: SELECT id FROM {{.table}} WHERE user_id = $1 ORDER BY {{.order}} LIMIT $2
  wipe: { kind: postgres-sql, source: pg, description: Wipes., statement: DELETE FROM orders }
  any: { kind: postgres-execute-sql, source: pg, description: Any. }
toolsets:
  all: [mine, wipe]
"#;

fn header_and_statement(imported: &Imported, at: usize) -> (String, String) {
    let text = imported.queries[at].text.strip_prefix("/*---\n").unwrap();
    let (header, statement) = text.split_once("---*/\n").unwrap();
    (header.to_owned(), statement.to_owned())
}

#[test]
fn a_document_for_each_tool_is_read() {
    let imported = read(FLAT).unwrap();
    let (header, statement) = header_and_statement(&imported, 0);
    assert_eq!(imported.queries[0].name, "orders_by_region");
    assert_eq!(
        statement,
        "SELECT id, amount FROM orders WHERE region = << region >> AND amount >= << min_amount >> \
         AND (city = << city? >> OR << city2? >> IS NULL)\n"
    );
    let read: Value = serde_yaml::from_str(&header).unwrap();
    assert_eq!(read["description"], "Orders of one region: above an amount. */");
    assert_eq!(read["params"]["region"]["allowed_values"], serde_json::json!(["EU", "US"]));
    assert_eq!(read["params"]["min_amount"]["minimum"], 0);
    assert!(
        !imported.queries[0]
            .text
            .trim_end()
            .strip_prefix("/*---")
            .unwrap()
            .split("---*/")
            .next()
            .unwrap()
            .contains("*/")
    );
    let left = imported.left.join("\n");
    assert!(left.contains("source `wh` (sqlite)") && left.contains("asks for a token"), "{left}");
    assert_eq!(imported.project_text("shop").lines().last(), Some("  orders: { path: data/orders.parquet }"));
}

#[test]
fn one_mapping_is_read() {
    let imported = read(NESTED).unwrap();
    assert_eq!(imported.queries.len(), 1);
    let (header, statement) = header_and_statement(&imported, 0);
    assert_eq!(
        statement,
        "SELECT id FROM << table >> WHERE user_id = << user_id >> ORDER BY << order >> LIMIT << limit_value >>\n"
    );
    let read: Value = serde_yaml::from_str(&header).unwrap();
    assert_eq!(read["params"]["user_id"]["from"], "claim.sub");
    assert_eq!(read["params"]["order"]["choices"], serde_json::json!({"id": "id", "total": "total"}));
    let left = imported.left.join("\n");
    for words in ["`excludedValues`", "`limit_value`", "`wipe`: DELETE", "`any`", "`choices`", "authService `google`"] {
        assert!(left.contains(words), "{words}: {left}");
    }
    assert!(imported.project_text("shop").contains("toolsets:\n  all: { tools: [mine] }\n"));
}

#[test]
fn what_has_no_tools_is_refused() {
    for text in ["", "a: 1", "sources: { a: { kind: sqlite } }", "- 1", "a: ["] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn a_parameter_may_be_called_n() {
    let text = "tools:\n  few:\n    kind: postgres-sql\n    description: Few.\n    parameters:\n      - { name: n, type: integer, description: How many. }\n    statement: SELECT id FROM orders WHERE id < $1\n";
    let imported = read(text).unwrap();
    let (_, statement) = header_and_statement(&imported, 0);
    assert_eq!(statement.trim(), "SELECT id FROM orders WHERE id < << n >>");
}

#[test]
fn statements_that_write_somewhere_are_listed() {
    for statement in [
        "SELECT 1; DROP TABLE nv",
        "WITH x AS (DELETE FROM t RETURNING id) SELECT id FROM x",
        "WITH x AS (SELECT 1) DELETE FROM t",
    ] {
        assert!(writes(statement).is_some(), "{statement}");
    }
    for statement in
        ["SELECT 'a; DROP TABLE b' AS x", "SELECT (\"delete\") AS x FROM t", "WITH x AS (SELECT 1) SELECT 1 FROM x"]
    {
        assert!(writes(statement).is_none(), "{statement}");
    }
}
