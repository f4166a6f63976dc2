//! Values of text files that their readers would change, and damage that they would not see, wherever it lies.

use super::*;

async fn open_whole_text(dir: &Path, value: Value, locked: Option<&Table>) -> Result<Table, TableError> {
    let roots = Roots::new(dir, &[]).unwrap();
    let ctx = SessionContext::new();
    let opener = Opener { ctx: &ctx, roots: &roots, extent: Extent::Whole, budget: Budget::new(0) };
    let table = opener.open_files("t", &source(value), locked).await?;
    Ok(Table::from_arrow(&table.provider.schema()))
}

/// The error that a query over a table meets which is opened with its lock.
async fn failure_of_query(dir: &Path, value: Value, locked: &Table, query: &str) -> String {
    let ctx = SessionContext::new();
    let table = open(&ctx, &Roots::new(dir, &[]).unwrap(), &source(value), Some(locked)).await.unwrap().provider;
    ctx.register_table("t", table).unwrap();
    select(&ctx, query).await.unwrap().collect().await.unwrap_err().to_string()
}

/// Enough lines that a table with a lock is not looked at when it is opened, and one that differs.
fn long(line: &str, last: &str) -> String {
    format!("{}{last}\n", format!("{line}\n").repeat(2 * (1 << 20) / line.len()))
}

#[tokio::test]
async fn a_value_that_would_be_changed_is_an_error() {
    let dir = project(&[
        ("n.ndjson", "{\"n\": 1, \"d\": 1.5}\n{\"n\": 1.9, \"d\": 1.5}\n"),
        ("n.json", "[{\"n\": 1, \"d\": 1.5}, {\"n\": 1.0, \"d\": 1.555}]"),
        ("at.ndjson", "{\"at\": \"2024-01-01\"}\n{\"at\": \"2024-01-01T00:00:00+02:00\"}\n"),
        ("d.csv", "d\n1.50\nNA\n1.555\n"),
    ]);
    let columns = json!({ "n": "bigint", "d": "decimal(10,2)" });
    let told = message(dir.path(), json!({ "path": "n.ndjson", "columns": columns })).await;
    assert_eq!(
        told,
        "`n.ndjson` cannot be read: column `n` holds `1.9` in line 2, which is not a value of type bigint"
    );
    let too_long = "which has more digits than type decimal(10,2) has places for";
    let told = message(dir.path(), json!({ "path": "n.json", "columns": columns })).await;
    assert_eq!(told, format!("`n.json` cannot be read: column `d` holds `1.555` in row 2, {too_long}"));
    let csv = json!({ "path": "d.csv", "null_value": "NA", "columns": { "d": "decimal(10,2)" } });
    let told = message(dir.path(), csv).await;
    assert_eq!(told, format!("`d.csv` cannot be read: column `d` holds `1.555` in line 4, {too_long}"));
    for ty in ["date", "timestamp"] {
        let told = message(dir.path(), json!({ "path": "at.ndjson", "columns": { "at": ty } })).await;
        assert!(
            told.contains("column `at` holds `2024-01-01T00:00:00+02:00` in line 2, which has an offset"),
            "{told}"
        );
    }
}

#[tokio::test]
async fn a_quote_that_never_ends_is_an_error() {
    let dir = project(&[("a.csv", "id,name\n1,\"b\n2,c\n3,d\n")]);
    let told = message(dir.path(), json!({ "path": "a.csv" })).await;
    assert_eq!(
        told,
        "`a.csv` cannot be read: the quote that begins in line 2 never ends; write `\"\"` for one in it, or say `quote: \"\"` where quotes are signs as any other"
    );
}

#[tokio::test]
async fn damage_far_behind_is_an_error_of_calls_and_of_drift() {
    let files = [
        (
            "a.ndjson",
            long("{\"n\": 1}", "{\"n\": 1.9}"),
            json!({ "n": "bigint" }),
            "which is not a value of type bigint",
        ),
        ("a.csv", long("n\n2024-01-01", "2024-01-01T00:00:00Z"), json!({ "n": "date" }), "which has an offset"),
        ("b.csv", long("n\nx", "\"x"), json!({}), "never ends"),
    ];
    for (path, text, columns, why) in files {
        let text = if path.ends_with("csv") { format!("n\n{}", text.replace("n\n", "")) } else { text };
        let dir = project(&[(path, &text)]);
        let value = json!({ "path": path, "columns": columns });
        let ty = columns["n"].as_str().unwrap_or("text");
        let ty = crate::ty::Type::parse(ty).unwrap().to_arrow();
        let column = crate::catalog::Column { name: "n".to_owned(), arrow: ty, nullable: true };
        let locked = Table::of_columns(vec![column]);
        let told = failure_of_query(dir.path(), value.clone(), &locked, "SELECT n FROM t LIMIT 1").await;
        assert!(told.contains(why), "{path}: {told}");
        let told = open_whole_text(dir.path(), value, Some(&locked)).await.unwrap_err().message();
        assert!(told.contains(why), "{path}: {told}");
    }
}

/// A lock holds what was inferred as well as what is declared.
#[tokio::test]
async fn zeros_in_front_are_told_where_nobody_declared_a_number() {
    let dir = project(&[("a.csv", &format!("n\n{}", long("7", "007"))), ("b.csv", &format!("n\n{}", long("7", "x7")))]);
    let column =
        crate::catalog::Column { name: "n".to_owned(), arrow: arrow::datatypes::DataType::Int64, nullable: true };
    let locked = Table::of_columns(vec![column]);
    let told = failure_of_query(dir.path(), json!({ "path": "a.csv" }), &locked, "SELECT n FROM t").await;
    assert!(told.contains("`007`") && told.contains("declare `text` to keep it, or `bigint`"), "{told}");
    let declared = json!({ "path": "a.csv", "columns": { "n": "bigint" } });
    assert!(open_whole_text(dir.path(), declared, Some(&locked)).await.is_ok());
    let told = failure_of_query(dir.path(), json!({ "path": "b.csv" }), &locked, "SELECT n FROM t").await;
    assert!(told.contains("`x7`") && told.contains("declare `text` to have all as they are"), "{told}");
}

#[tokio::test]
async fn a_text_of_json_is_what_is_written() {
    let lines = "{\"a\": 1, \"b\": [1.10, true]}\n{\"a\": 2.50}\n{\"a\": \"x\", \"b\": [\"y\"]}\n";
    let list = "[{\"a\": 1, \"b\": [1.10, true]},\n{\"a\": 2.50}, {\"a\": \"x\", \"b\": [\"y\"]}]";
    let dir = project(&[("a.ndjson", lines), ("a.json", list)]);
    for path in ["a.ndjson", "a.json"] {
        let value = json!({ "path": path, "columns": { "a": "text", "b": "text[]" } });
        let found = rows(dir.path(), value.clone(), "SELECT a, b FROM t ORDER BY a").await;
        assert_eq!(found, ["1,[1.10, true]", "2.50,", "x,[y]"], "{path}");
        assert_eq!(rows(dir.path(), value, "SELECT count(*) FROM t WHERE a = '1'").await, ["1"], "{path}");
    }
}

#[tokio::test]
async fn the_root_of_a_project_is_a_folder() {
    let dir = project(&[("t1.csv", "x\n1\n"), ("t2.csv", "x\n2\n"), ("below/t3.csv", "x\n4\n")]);
    for (path, sum) in [("t*.csv", "3"), ("**/*.csv", "7"), (".", "7"), ("./t?.csv", "3")] {
        assert_eq!(rows(dir.path(), json!({ "path": path }), "SELECT sum(x) FROM t").await, [sum], "{path}");
    }
}

#[tokio::test]
async fn the_file_that_is_damaged_is_named() {
    let dir = project(&[
        ("t/a.csv", "id,day\n1,2024-01-01\n"),
        ("t/b.csv", "id,day\n2,soon\n"),
        ("u/a.csv", "x,y\n1,2\n"),
        ("u/b.csv", "y,x\n1,2\n"),
        ("w/a.csv", "x\n1.5\n"),
        ("w/b.csv", "x\n1.25\n"),
    ]);
    let told = message(dir.path(), json!({ "path": "t", "columns": { "day": "date" } })).await;
    assert_eq!(
        told,
        "`t/b.csv` cannot be read: column `day` holds `soon` in line 2, which is not a value of type date"
    );
    let told = message(dir.path(), json!({ "path": "u" })).await;
    assert!(told.contains("`u/b.csv` does not have the columns of `u/a.csv` in the same order"), "{told}");
    let told = message(dir.path(), json!({ "path": "w", "columns": { "x": "decimal(5,1)" } })).await;
    assert!(told.contains("w/b.csv") && told.contains("`1.25`"), "{told}");
}

#[tokio::test]
async fn another_order_than_that_of_the_lock_is_told() {
    let dir = project(&[("a.csv", &long("2,1", "2,1").replacen("2,1", "y,x", 1))]);
    let column = |name: &str| crate::catalog::Column {
        name: name.to_owned(),
        arrow: arrow::datatypes::DataType::Int64,
        nullable: true,
    };
    let locked = Table::of_columns(vec![column("x"), column("y")]);
    let told = open_whole_text(dir.path(), json!({ "path": "a.csv" }), Some(&locked)).await.unwrap_err().message();
    assert_eq!(told, "`a.csv` cannot be read: its columns have another order than those of the locked schema");
    let now = open_whole_text(dir.path(), json!({ "path": "a.csv" }), None).await.unwrap();
    assert_eq!(now.columns, [column("y"), column("x")]);
}

#[tokio::test]
async fn a_large_object_over_several_lines_is_a_row() {
    let items = vec!["\"an item of a list\""; 200_000].join(",\n  ");
    let dir = project(&[("a.json", &format!("{{\n \"a\": 1,\n \"b\": [\n  {items}\n ]\n}}\n"))]);
    assert_eq!(rows(dir.path(), json!({ "path": "a.json" }), "SELECT a FROM t").await, ["1"]);
}
