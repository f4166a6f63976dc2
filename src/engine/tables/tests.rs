mod changed;
mod parquet;
mod rewritten;
mod zones;

use super::endings::{Ending, compression_of, format_of, is_bare};
use super::selection::{Selection, Wanted};
use super::{Budget, Extent, OpenFiles, Opener, Roots, TableError, files, glob, remote};
use crate::catalog::Table;
use crate::plan::session_sql::select;
use crate::project::{Compression, FileFormat, FilesSource};
use datafusion::datasource::TableProvider;
use datafusion::physical_plan::ExecutionPlanProperties;
use datafusion::prelude::SessionContext;
use object_store::path::Path as Location;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

fn source(value: Value) -> FilesSource {
    serde_json::from_value(value).unwrap()
}

/// Opens the files of a table, and reads as much of a text as a server does.
async fn open(
    ctx: &SessionContext,
    roots: &Roots,
    source: &FilesSource,
    locked: Option<&Table>,
) -> Result<OpenFiles, TableError> {
    let opener = Opener { ctx, roots, extent: Extent::Cheap, budget: Budget::new(0) };
    opener.open_files("t", source, locked).await
}

fn project(files: &[(&str, &str)]) -> TempDir {
    let dir = TempDir::new().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

async fn try_open(dir: &Path, value: Value, locked: Option<&Table>) -> Result<Arc<dyn TableProvider>, TableError> {
    let roots = Roots::new(dir, &[]).unwrap();
    Ok(open(&SessionContext::new(), &roots, &source(value), locked).await?.provider)
}

async fn columns(dir: &Path, value: Value) -> String {
    let table = try_open(dir, value, None).await.unwrap();
    let fields: Vec<String> =
        table.schema().fields().iter().map(|field| format!("{} {}", field.name(), field.data_type())).collect();
    fields.join(", ")
}

/// The rows of `SELECT <what> FROM t <rest>`, values separated by commas.
async fn rows(dir: &Path, value: Value, query: &str) -> Vec<String> {
    let ctx = SessionContext::new();
    let table = open(&ctx, &Roots::new(dir, &[]).unwrap(), &source(value), None).await.unwrap().provider;
    ctx.register_table("t", table).unwrap();
    let batches = select(&ctx, query).await.unwrap().collect().await.unwrap();
    let mut rows = Vec::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            let cells =
                batch.columns().iter().map(|column| arrow::util::display::array_value_to_string(column, row).unwrap());
            rows.push(cells.collect::<Vec<_>>().join(","));
        }
    }
    rows
}

async fn message(dir: &Path, value: Value) -> String {
    try_open(dir, value, None).await.unwrap_err().message()
}

#[test]
fn an_ending_says_the_format_through_its_compression() {
    let cases = [
        ("a.csv", Some(FileFormat::Csv), Compression::None),
        ("day=2024-01-01/a.CSV.gz", Some(FileFormat::Csv), Compression::Gzip),
        ("a.tsv.bz2", Some(FileFormat::Tsv), Compression::Bzip2),
        ("a.jsonl", Some(FileFormat::Ndjson), Compression::None),
        ("a.ndjson.zst", Some(FileFormat::Ndjson), Compression::Zstd),
        ("a.json.xz", Some(FileFormat::Json), Compression::Xz),
        ("a.parquet", Some(FileFormat::Parquet), Compression::None),
        ("a.XLSX", Some(FileFormat::Excel), Compression::None),
        ("a.parquet.gz", None, Compression::Gzip),
        ("a.b/part-0", None, Compression::None),
        ("a.txt", None, Compression::None),
    ];
    for (path, format, compression) in cases {
        assert_eq!((format_of(path), compression_of(path)), (format, compression), "{path}");
    }
    assert!(is_bare("a.b/part-0.gz") && !is_bare("a.txt"));
}

#[tokio::test]
async fn the_address_of_a_table_is_its_name() {
    let address = |name| files::address(name).unwrap().to_string();
    let names = ["orders", "Orders", "größe"];
    assert_eq!(names.map(address), ["qtool://orders/", "qtool://Orders/", "qtool://gr%C3%B6%C3%9Fe/"]);
    let dir = project(&[("0.csv", "x\n0\n"), ("1.csv", "x\n1\n"), ("2.csv", "x\n2\n")]);
    let (ctx, roots) = (SessionContext::new(), Roots::new(dir.path(), &[]).unwrap());
    let opener = Opener { ctx: &ctx, roots: &roots, extent: Extent::Cheap, budget: Budget::new(0) };
    for (at, name) in names.iter().enumerate() {
        let source = source(json!({ "path": format!("{at}.csv") }));
        let table = opener.open_files(name, &source, None).await.unwrap();
        ctx.register_table(format!("t{at}"), table.provider).unwrap();
    }
    let rows = select(&ctx, "SELECT t0.x, t1.x, t2.x FROM t0, t1, t2").await.unwrap().collect().await.unwrap();
    let cell = |at: usize| arrow::util::display::array_value_to_string(rows[0].column(at), 0).unwrap();
    assert_eq!([0, 1, 2].map(cell), ["0", "1", "2"], "each is read through a store of its own");
}

#[test]
fn a_pattern_starts_at_the_first_segment_with_a_wildcard() {
    assert_eq!(glob::split("data/a.csv"), ("data/a.csv", None));
    assert_eq!(glob::split("data/*.csv"), ("data", Some("*.csv")));
    assert_eq!(glob::split("*.csv"), ("", Some("*.csv")));
    assert_eq!(glob::split("a/b-?/c/**/d"), ("a", Some("b-?/c/**/d")));
    assert_eq!(glob::split("/*.csv"), ("/", Some("*.csv")));
}

#[test]
fn a_star_stays_in_its_segment_and_two_cross_folders() {
    let matches = |pattern: &str, path: &str| glob::compile(pattern).unwrap().is_match(path);
    assert!(matches("*.csv", "a.csv") && !matches("*.csv", "b/a.csv") && !matches("*.csv", "a.csv.gz"));
    assert!(matches("**/*.csv", "a.csv") && matches("**/*.csv", "b/c/a.csv"));
    assert!(matches("a/**", "a/b/c.csv") && !matches("a/**", "b/c.csv"));
    assert!(matches("[ab]-?.csv", "b-1.csv") && !matches("[!ab].csv", "a.csv") && !matches("[!a]", "/"));
    assert!(matches("{a,b}/x.csv", "b/x.csv") && !matches("a+.csv", "aa.csv"));
    assert!(glob::compile("[ab").is_none() && glob::compile("{a,b").is_none());
}

#[test]
fn the_files_of_a_folder_are_those_of_its_one_format() {
    let undeclared = Wanted { format: None, compression: None, named: false };
    let csv = Ending { format: FileFormat::Csv, compression: Compression::None };
    assert_eq!(undeclared.choose(&["a.csv", "b/c.csv", "README.md"]), Ok(csv));
    assert!(
        undeclared.choose(&["a.csv", "b.parquet"]).unwrap_err().message().ends_with("several formats: csv, parquet")
    );
    assert!(undeclared.choose(&["a.csv", "b.csv.gz"]).is_err());
    assert!(undeclared.choose(&["README.md"]).is_err());
    let declared = Wanted { format: Some(FileFormat::Csv), ..undeclared };
    assert_eq!(declared.choose(&["part-0", "part-1", "b.parquet"]), Ok(csv));
    let selection = Selection { start: Location::from("t"), pattern: None, wanted: declared, chosen: Some(csv) };
    let taken =
        ["t/part-0", "t/x/a.csv", "t/b.parquet", "t/_SUCCESS", "t/.a.csv.crc", "t/_x/a.csv", "tt/a.csv", "t/a.txt"];
    let taken: Vec<&str> = taken.into_iter().filter(|path| selection.takes(&Location::from(*path))).collect();
    assert_eq!(taken, ["t/part-0", "t/x/a.csv"]);
}

#[test]
fn a_url_holds_no_credential() {
    for url in ["s3://key:secret@bucket/a.csv", "https://user@host/a.csv", "abfs://a:b@c.dfs.core.windows.net/x"] {
        let message = remote::place(url).unwrap_err().message();
        assert!(message.contains("credentials belong in the environment") && !message.contains("secret"), "{message}");
    }
    assert!(remote::place("ftp://host/a.csv").unwrap_err().message().contains("scheme `ftp`"));
    assert!(remote::place("https://host/data/*.csv").is_err());
    let message = remote::place("https://host/data/?token=secret").unwrap_err().message();
    assert!(!message.contains("secret"), "{message}");
    assert_eq!(remote::place("https://host/a%20b.csv?token=secret").unwrap().shown, "https://host/a%20b.csv");
}

#[tokio::test]
async fn no_path_leaves_the_roots() {
    let outer = project(&[("secret.csv", "a\n1\n"), ("in/a.csv", "a\n1\n"), ("shared/b.csv", "b\n2\n")]);
    let dir = outer.path().join("in");
    let absolute = outer.path().join("secret.csv");
    for path in ["../secret.csv", "../missing.csv", "x/../../secret.csv", "../*.csv", absolute.to_str().unwrap()] {
        let error = try_open(&dir, json!({ "path": path }), None).await.unwrap_err();
        assert_eq!(error, TableError::OutsideRoots { path: path.to_owned() });
    }
    assert_eq!(message(&dir, json!({ "path": "b.csv" })).await, "no file found at `b.csv`");
    assert_eq!(message(&dir, json!({ "path": "*.parquet" })).await, "no file found at `*.parquet`");
    assert!(message(&dir, json!({ "path": "a\u{0}.csv" })).await.contains("control character"));
    assert_eq!(columns(&dir, json!({ "path": "./../in/a.csv" })).await, "a Int64");

    let roots = Roots::new(&dir, &["../shared".to_owned()]).unwrap();
    let ctx = SessionContext::new();
    assert!(open(&ctx, &roots, &source(json!({ "path": "../shared/b.csv" })), None).await.is_ok());
    assert!(open(&ctx, &roots, &source(json!({ "path": "a.csv" })), None).await.is_err());
    assert!(Roots::new(&dir, &["missing".to_owned()]).is_err());
}

#[cfg(unix)]
#[tokio::test]
async fn no_link_leaves_the_roots() {
    use std::os::unix::fs::symlink;
    let outer = project(&[("secret.csv", "a\n1\n"), ("in/v1/a.csv", "a\n1\n"), ("in/links/b.csv", "a\n1\n")]);
    let dir = outer.path().join("in");
    symlink(outer.path().join("secret.csv"), dir.join("out.csv")).unwrap();
    symlink(outer.path().join("secret.csv"), dir.join("links/out.csv")).unwrap();
    symlink(outer.path(), dir.join("up")).unwrap();
    symlink("v1", dir.join("latest")).unwrap();
    for path in ["out.csv", "links", "links/*.csv", "up/secret.csv", "up"] {
        let error = try_open(&dir, json!({ "path": path }), None).await.unwrap_err();
        assert_eq!(error, TableError::OutsideRoots { path: path.to_owned() });
    }
    assert_eq!(columns(&dir, json!({ "path": "latest" })).await, "a Int64");
    assert_eq!(columns(&dir, json!({ "path": "latest/a.csv" })).await, "a Int64");
}

#[tokio::test]
async fn the_whole_of_a_small_csv_file_decides_its_types() {
    let mut text = String::from("id,at,code,none\n");
    for id in 0..5_000 {
        text.push_str(&format!("{id},2024-01-01 10:00:00,{id},\n"));
    }
    text.push_str("5000,2024-01-01 10:00:00.250,x1,\n");
    let dir = project(&[("a.csv", &text)]);
    let expected = "id Int64, at Timestamp(ms), code Utf8, none Utf8";
    assert_eq!(columns(dir.path(), json!({ "path": "a.csv" })).await, expected);
    let value = json!({ "path": "a.csv", "columns": { "code": "int" } });
    let expected = "`a.csv` cannot be read: column `code` holds `x1` in line 5002, which is not a value of type int";
    assert_eq!(message(dir.path(), value).await, expected);
    let value = json!({ "path": "a.csv", "columns": { "cod": "int" } });
    assert_eq!(message(dir.path(), value).await, "column `cod` does not exist in the data");
}

#[tokio::test]
async fn a_null_value_is_null_in_columns_of_every_type() {
    let dir = project(&[("a.tsv", "name\tsize\tday\nNA\t1\t2024-01-01\nb.x\tNA\tNA\nNAB\t\t2024-01-02\n")]);
    let value = json!({ "path": "a.tsv", "null_value": "NA", "columns": { "size": "smallint" } });
    assert_eq!(columns(dir.path(), value.clone()).await, "name Utf8, size Int16, day Date32");
    let query = "SELECT count(name), count(size), sum(size), max(day) FROM t";
    assert_eq!(rows(dir.path(), value, query).await, ["2,1,1,2024-01-02"]);
}

#[tokio::test]
async fn json_is_a_list_or_lines_and_columns_keep_their_order() {
    let lines = "{\"z\": 1, \"a\": {\"y\": true, \"b\": null}}\n{\"z\": 2.5, \"n\": null}\n";
    let list = "[ {\"z\": 1, \"a\": \"x\"},\n {\"z\": 2, \"a\": \"]\"} ]";
    let dir =
        project(&[("l.json", lines), ("a.json", list), ("bad.json", "[{\"z\": 1}\n,{\"z\"}]"), ("o.json", "{\"a\":")]);
    let columns_of_lines = columns(dir.path(), json!({ "path": "l.json" })).await;
    assert!(
        columns_of_lines.starts_with("z Float64, a Struct(") && columns_of_lines.ends_with("n Utf8"),
        "{columns_of_lines}"
    );
    assert_eq!(columns(dir.path(), json!({ "path": "a.json" })).await, "z Int64, a Utf8");
    let query = "SELECT a, z FROM t ORDER BY z";
    assert_eq!(rows(dir.path(), json!({ "path": "a.json" }), query).await, ["x,1", "],2"]);
    let value = json!({ "path": "a.json", "columns": { "z": "text" } });
    assert_eq!(rows(dir.path(), value, "SELECT z || '!' FROM t ORDER BY z").await, ["1!", "2!"]);
    let expected = "`bad.json` cannot be read: line 2 is not valid JSON";
    assert_eq!(message(dir.path(), json!({ "path": "bad.json" })).await, expected);
    assert!(message(dir.path(), json!({ "path": "o.json" })).await.contains("line 1 is not valid JSON"));
}

#[tokio::test]
async fn folders_and_patterns_take_the_files_below_them() {
    let dir = project(&[
        ("t/a.csv", "x\n1\n"),
        ("t/deep/er/b.csv", "x\n2.5\n"),
        ("t/_SUCCESS", ""),
        ("t/notes.md", "# no\n"),
    ]);
    assert_eq!(columns(dir.path(), json!({ "path": "t" })).await, "x Float64");
    assert_eq!(rows(dir.path(), json!({ "path": "t/" }), "SELECT sum(x) FROM t").await, ["3.5"]);
    assert_eq!(rows(dir.path(), json!({ "path": "t/*.csv" }), "SELECT sum(x) FROM t").await, ["1"]);
    assert_eq!(rows(dir.path(), json!({ "path": "t/**/*.csv" }), "SELECT sum(x) FROM t").await, ["3.5"]);
}

#[tokio::test]
async fn folders_name_partition_columns() {
    let dir = project(&[("t/year=2023/month=12/a.csv", "x\n1\n"), ("t/year=2024/month=03/b.csv", "x\n2\n")]);
    let inferred = json!({ "path": "t" });
    assert_eq!(columns(dir.path(), inferred.clone()).await, "x Int64, year Utf8, month Utf8");
    assert_eq!(rows(dir.path(), inferred, "SELECT x FROM t WHERE month = '03'").await, ["2"]);
    let declared = json!({ "path": "t", "partitioned_by": { "year": "int", "month": "int" } });
    assert_eq!(columns(dir.path(), declared.clone()).await, "x Int64, year Int32, month Int32");
    assert_eq!(rows(dir.path(), declared, "SELECT x FROM t WHERE month = 3 AND year = 2024").await, ["2"]);
    let wrong = json!({ "path": "t", "partitioned_by": { "day": "date" } });
    assert!(message(dir.path(), wrong).await.contains("does not lie in a folder `day=`"));
    let wrong = json!({ "path": "t", "partitioned_by": { "year": "boolean" } });
    assert!(message(dir.path(), wrong).await.contains("`2023` in `year=2023/month=12/a.csv`"));
}

#[tokio::test]
async fn a_locked_schema_is_used_as_it_is() {
    let dir = project(&[("t/day=1/a.csv", "x,y\n1,2\n"), ("b.csv", "y,z\n1,2\n")]);
    let value = json!({ "path": "t", "columns": { "y": "text" } });
    let table = try_open(dir.path(), value.clone(), None).await.unwrap();
    let locked = Table::from_arrow(&table.schema());
    let again = try_open(dir.path(), value, Some(&locked)).await.unwrap();
    assert_eq!(Table::from_arrow(&again.schema()), locked);
    let lock = Table::of_columns(locked.columns.iter().take(2).cloned().collect());
    let other = try_open(dir.path(), json!({ "path": "b.csv" }), Some(&lock)).await.unwrap();
    let difference = lock.difference(&Table::from_arrow(&other.schema()));
    assert_eq!(difference.as_deref(), Some("column `x` is gone"));
}

#[tokio::test]
async fn an_option_of_another_format_is_refused() {
    let dir = project(&[("a.json", "[]"), ("a.csv", "x\n1\n")]);
    let error = try_open(dir.path(), json!({ "path": "a.json", "delimiter": ";" }), None).await.unwrap_err();
    assert!(matches!(error, TableError::InvalidOption { option, .. } if option == "delimiter"));
    let error = try_open(dir.path(), json!({ "path": "a.csv", "delimiter": "→" }), None).await.unwrap_err();
    assert!(matches!(error, TableError::InvalidOption { option, .. } if option == "delimiter"));
    let error = try_open(dir.path(), json!({ "path": "a.csv", "columns": { "x": "int[]" } }), None).await.unwrap_err();
    assert!(matches!(error, TableError::InvalidOption { option, .. } if option == "columns.x"));
}

#[tokio::test]
async fn renamed_columns_keep_the_order_of_their_file() {
    let dir = project(&[("a.csv", "Order Id,n\n1,x\n2,y\n")]);
    let source = source(json!({"path": "a.csv", "rename": {"Order Id": "id"}, "columns": {"n": "bytea"}}));
    let ctx = SessionContext::new();
    let table = open(&ctx, &Roots::new(dir.path(), &[]).unwrap(), &source, None).await.unwrap();
    let ordered = table.ordered.unwrap();
    let by = async |column: &str| {
        let table = ordered(&[column.to_owned()])?;
        Some(table.scan(&ctx.state(), None, &[], None).await.unwrap().output_ordering()?.to_string())
    };
    assert_eq!(by("id").await.unwrap(), "id@0 ASC NULLS LAST");
    // What is made of a column may come in another order.
    assert_eq!(by("n").await, None);
}
