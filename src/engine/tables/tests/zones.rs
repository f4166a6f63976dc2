//! Texts that are instants: without an offset they are local times of the project.

use super::*;
use datafusion::prelude::SessionConfig;

/// The rows of a query over a table of a project with that zone.
async fn rows_in(zone: &str, dir: &Path, value: Value, locked: Option<&Table>, query: &str) -> Vec<String> {
    let mut config = SessionConfig::new();
    config.options_mut().execution.time_zone = Some(zone.to_owned());
    let ctx = SessionContext::new_with_config(config);
    let table = open(&ctx, &Roots::new(dir, &[]).unwrap(), &source(value), locked).await.unwrap().provider;
    ctx.register_table("t", table).unwrap();
    let batches = select(&ctx, query).await.unwrap().collect().await.unwrap();
    let shown = |batch: &arrow::array::RecordBatch, row: usize| {
        let cells = batch.columns().iter();
        let cells = cells.map(|column| arrow::util::display::array_value_to_string(column, row).unwrap());
        cells.collect::<Vec<_>>().join(",")
    };
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(|row| shown(batch, row)).collect::<Vec<_>>()).collect()
}

#[tokio::test]
async fn a_text_without_an_offset_is_a_local_time() {
    let times = ["2024-07-01 00:30:00", "2024-07-01T00:30:00+05:30", "2024-03-10 02:30:00", "2024-11-03 01:30:00"];
    let csv: String = times.iter().enumerate().map(|(id, at)| format!("{id},{at}\n")).collect();
    let json: Vec<String> =
        times.iter().enumerate().map(|(id, at)| format!("{{\"id\": {id}, \"at\": \"{at}\"}}")).collect();
    let dir = project(&[
        ("a.csv", &format!("id,at\n{csv}")),
        ("n.csv", &format!("id,at\n{csv}4,NA\n")),
        ("t/a.csv", &format!("id,at\n{csv}")),
        ("t/b.csv", "id,at\n"),
        ("a.ndjson", &json.join("\n")),
        ("a.json", &format!("[{}]", json.join(","))),
    ]);
    let local = ["2024-07-01T04:30:00Z", "2024-06-30T19:00:00Z", "2024-03-10T07:30:00Z", "2024-11-03T06:30:00Z"];
    let utc = ["2024-07-01T00:30:00Z", "2024-06-30T19:00:00Z", "2024-03-10T02:30:00Z", "2024-11-03T01:30:00Z"];
    let query = "SELECT at FROM t WHERE at IS NOT NULL ORDER BY id";
    for path in ["a.csv", "n.csv", "t", "a.ndjson", "a.json"] {
        let mut value = json!({ "path": path, "columns": { "at": "timestamptz" } });
        if path == "n.csv" {
            value["null_value"] = json!("NA");
        }
        let table = try_open(dir.path(), value.clone(), None).await.unwrap();
        let lock = Table::from_arrow(&table.schema());
        for locked in [None, Some(&lock)] {
            let rows = rows_in("America/New_York", dir.path(), value.clone(), locked, query).await;
            assert_eq!(rows, local, "{path}");
            assert_eq!(rows_in("UTC", dir.path(), value.clone(), locked, query).await, utc, "{path}");
        }
    }
}

#[tokio::test]
async fn a_large_text_with_a_lock_is_read_in_the_zone_as_well() {
    let csv = format!("at\n{}", "2024-07-01 00:30:00\n".repeat(60_000));
    let lines = "{\"at\": \"2024-07-01 00:30:00\"}\n".repeat(60_000);
    let dir = project(&[("a.csv", &csv), ("a.ndjson", &lines)]);
    for path in ["a.csv", "a.ndjson"] {
        let value = json!({ "path": path, "columns": { "at": "timestamptz" } });
        let table = try_open(dir.path(), value.clone(), None).await.unwrap();
        let locked = Table::from_arrow(&table.schema());
        let query = "SELECT DISTINCT at FROM t";
        let rows = rows_in("America/New_York", dir.path(), value, Some(&locked), query).await;
        assert_eq!(rows, ["2024-07-01T04:30:00Z"], "{path}");
    }
}

#[tokio::test]
async fn instants_inside_of_json_are_local_times_too() {
    let lines = "{\"list\": [\"2024-07-01 00:30:00\", null], \"one\": {\"at\": \"2024-07-01 00:30:00\"}}\n";
    let dir = project(&[("a.ndjson", lines)]);
    let columns = json!({ "list": "timestamptz[]", "one": "struct(at timestamptz)" });
    let value = json!({ "path": "a.ndjson", "columns": columns });
    let rows = rows_in("America/New_York", dir.path(), value, None, "SELECT list, one FROM t").await;
    assert_eq!(rows, ["[2024-07-01T04:30:00Z, ],{at: 2024-07-01T04:30:00Z}"]);
}

#[tokio::test]
async fn times_with_an_offset_are_instants_undeclared() {
    let csv = "z,some,none\n2024-03-10T01:30:00Z,2024-07-01 00:30:00,2024-07-01 00:30:00\n\
        2024-03-10T01:30:00.5Z,2024-07-01 00:30:00-04:00,2024-07-01 00:30:00\n";
    let dir =
        project(&[("a.csv", csv), ("t/a.csv", "at\n2024-07-01 00:30:00\n"), ("t/b.csv", "at\n2024-07-01 00:30:00Z\n")]);
    let types = "z Timestamp(ms, \"+00:00\"), some Timestamp(s, \"+00:00\"), none Timestamp(s)";
    assert_eq!(columns(dir.path(), json!({ "path": "a.csv" })).await, types);
    let query = "SELECT max(z), count(DISTINCT some), min(some), min(none) FROM t";
    let rows = rows_in("America/New_York", dir.path(), json!({ "path": "a.csv" }), None, query).await;
    assert_eq!(rows, ["2024-03-10T01:30:00.500Z,1,2024-07-01T04:30:00Z,2024-07-01T00:30:00"]);
    let query = "SELECT at FROM t ORDER BY at";
    let rows = rows_in("America/New_York", dir.path(), json!({ "path": "t" }), None, query).await;
    assert_eq!(rows, ["2024-07-01T00:30:00Z", "2024-07-01T04:30:00Z"]);
}

#[tokio::test]
async fn an_offset_is_not_dropped() {
    let dir = project(&[("a.csv", "at\n2024-07-01T00:00:00+05:30\n")]);
    for ty in ["date", "timestamp"] {
        let value = json!({ "path": "a.csv", "columns": { "at": ty } });
        let expected = format!(
            "column `at` holds times with an offset or a `Z`, which type {ty} has no place for; declare `timestamptz`, \
             and cast it in queries"
        );
        assert_eq!(message(dir.path(), value).await, expected);
    }
    let value = json!({ "path": "a.csv", "columns": { "at": "text" } });
    assert_eq!(columns(dir.path(), value).await, "at Utf8");
}

#[tokio::test]
async fn a_text_that_is_no_time_is_told_with_its_column() {
    let dir = project(&[("a.csv", "id,x y\n1,2024-07-01\n2,soon\n")]);
    let mut config = SessionConfig::new();
    config.options_mut().execution.time_zone = Some("America/New_York".to_owned());
    let ctx = SessionContext::new_with_config(config);
    let value = source(json!({ "path": "a.csv", "columns": { "x y": "timestamptz" } }));
    let error = open(&ctx, &Roots::new(dir.path(), &[]).unwrap(), &value, None).await.err().unwrap();
    let told = error.message();
    assert_eq!(
        told,
        "`a.csv` cannot be read: column `x y` holds `soon` in line 3, which is not a value of type timestamptz"
    );
}

#[tokio::test]
async fn a_folder_without_an_offset_is_named_by_a_local_time() {
    let dir = project(&[
        ("t/at=2024-07-01/a.csv", "x\n1\n"),
        ("t/at=2024-07-02T00:30:00/a.csv", "x\n2\n"),
        ("t/at=2024-07-03T00:30:00+02:00/a.csv", "x\n3\n"),
    ]);
    let sources = [json!({ "partitioned_by": { "at": "timestamptz" } }), json!({ "columns": { "at": "timestamptz" } })];
    for mut value in sources {
        value["path"] = json!("t");
        let table = try_open(dir.path(), value.clone(), None).await.unwrap();
        let lock = Table::from_arrow(&table.schema());
        for locked in [None, Some(&lock)] {
            let rows =
                rows_in("America/New_York", dir.path(), value.clone(), locked, "SELECT at FROM t ORDER BY x").await;
            assert_eq!(rows, ["2024-07-01T04:00:00Z", "2024-07-02T04:30:00Z", "2024-07-02T22:30:00Z"]);
            let query = "SELECT x FROM t WHERE at = TIMESTAMP '2024-07-02 04:30:00Z'";
            assert_eq!(rows_in("America/New_York", dir.path(), value.clone(), locked, query).await, ["2"]);
            let rows = rows_in("UTC", dir.path(), value.clone(), locked, "SELECT at FROM t ORDER BY x").await;
            assert_eq!(rows, ["2024-07-01T00:00:00Z", "2024-07-02T00:30:00Z", "2024-07-02T22:30:00Z"]);
        }
    }
}
