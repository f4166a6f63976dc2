use super::super::cache::Budget;
use super::super::store::TableStore;
use super::*;
use crate::catalog::Column;
use arrow::array::{Array, RecordBatch};
use arrow::ipc::reader::FileReader;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};

fn rewrite(source: Value) -> Rewrite {
    let source = FilesSource::deserialize(source).unwrap();
    let ending = Ending { format: FileFormat::Csv, compression: Compression::None };
    Rewrite::of(ending, &source, None).unwrap().expect("it is rewritten")
}

/// For ever.
fn wanted() -> Wanted {
    static HOLDER: LazyLock<Arc<()>> = LazyLock::new(Arc::default);
    Wanted::by(&HOLDER)
}

fn bytes(of: impl AsRef<[u8]>) -> Bytes {
    Bytes::copy_from_slice(of.as_ref())
}

fn rewritten(source: Value, text: &str) -> Result<(String, Repairs), String> {
    let rewritten = rewrite(source).rewritten(&bytes(text), None, &wanted()).map_err(|flaw| flaw.to_string())?;
    Ok((String::from_utf8(rewritten.text).unwrap(), rewritten.repairs))
}

#[test]
fn what_needs_nothing_is_not_rewritten() {
    let ending = Ending { format: FileFormat::Csv, compression: Compression::None };
    for source in
        [json!({"path": "a.csv", "null_value": "NA", "delimiter": ";", "encoding": "UTF-8"}), json!({"path": "a"})]
    {
        assert!(Rewrite::of(ending, &FilesSource::deserialize(source).unwrap(), None).unwrap().is_none());
    }
}

#[test]
fn declared_columns_are_rewritten_and_others_are_not() {
    let source = json!({
        "path": "a.csv", "delimiter": ";", "decimal_separator": ",", "date_format": "%d.%m.%Y",
        "null_value": ["-", "k.A."], "columns": {"price": "decimal(10,2)", "day": "date"},
    });
    let (text, repairs) =
        rewritten(source, "id;price;day;note\n007;1,50;31.12.2024;1,50\n-;k.A.;-;\"a;b\nc, \"\"d\"\"\"\n").unwrap();
    assert_eq!(text, "id,price,day,note\n007,1.50,2024-12-31,\"1,50\"\n,,,\"a;b\nc, \"\"d\"\"\"\n");
    assert_eq!(repairs, Repairs::default());
}

#[test]
fn a_value_that_is_not_written_so_is_told_with_its_line() {
    let source = json!({"path": "a.csv", "skip_lines": 1, "date_format": "%d/%m/%Y", "columns": {"day": "date"}});
    let why = rewritten(source, "a report\nid,day\n1,31/12/2024\n2,2024-12-31\n").unwrap_err();
    assert_eq!(why, "column `day` holds `2024-12-31` in line 4, which is not written as `%d/%m/%Y`");
}

#[test]
fn what_cannot_be_read_is_null_or_left_out_and_counted() {
    let source =
        |on_error: &str| json!({"path": "a.csv", "on_error": on_error, "columns": {"n": "bigint", "b": "boolean"}});
    let text = "n,b,t\n1,true,x\nabc,no,y\n3\n4,false,z,z\n5,FALSE,\n";
    let (nulls, repairs) = rewritten(source("null"), text).unwrap();
    assert_eq!(nulls, "n,b,t\n1,true,x\n,,y\n3,,\n\n5,FALSE,\n");
    assert_eq!((repairs.nulls, repairs.skipped), (3, 1));
    let first = "column `n` holds `abc` in line 3, which is not a value of type bigint";
    assert_eq!(repairs.first.as_deref(), Some(first));
    let (skipped, repairs) = rewritten(source("skip"), text).unwrap();
    assert_eq!(skipped, "n,b,t\n1,true,x\n\n\n\n5,FALSE,\n");
    assert_eq!((repairs.nulls, repairs.skipped), (0, 3));
    assert_eq!(repairs.words().unwrap(), "of the data, 3 rows that cannot be read are left out");
}

#[test]
fn columns_of_one_name_are_numbered() {
    let source = json!({"path": "a.csv", "rename": {"id#2": "other", "#1": "row"}});
    let (text, _) = rewritten(source, ",id,id\n1,2,3\n").unwrap();
    assert_eq!(text, "#1,id,id#2\n1,2,3\n");
}

#[test]
fn a_text_is_decoded() {
    let source = json!({"path": "a.csv", "encoding": "latin1"});
    let rewritten = rewrite(source).rewritten(&bytes(b"name\nK\xF6ln\n\n"), None, &wanted()).unwrap();
    assert_eq!(String::from_utf8(rewritten.text).unwrap(), "name\nKöln\n\n");
    let utf16: Vec<u8> = "a,b\n1,ö\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let rewritten =
        rewrite(json!({"path": "a.csv", "encoding": "utf-16le"})).rewritten(&bytes(utf16), None, &wanted()).unwrap();
    assert_eq!(String::from_utf8(rewritten.text).unwrap(), "a,b\n1,ö\n");
    let source = json!({"path": "a.csv", "quote": "'"});
    let why = rewrite(source).rewritten(&bytes(b"name\nx\nK\xF6ln\n"), None, &wanted()).unwrap_err().to_string();
    assert!(why.starts_with("line 3 holds bytes that are no utf-8"), "{why}");
}

#[test]
fn an_option_that_changes_nothing_is_refused() {
    let ending = Ending { format: FileFormat::Csv, compression: Compression::None };
    let refused =
        |source: Value| Rewrite::of(ending, &FilesSource::deserialize(source).unwrap(), None).unwrap_err().to_string();
    let why = refused(json!({"path": "a.csv", "date_format": "%d.%m.%Y"}));
    assert_eq!(why, "`date_format` is for columns that are declared `date`, and none is");
    assert!(refused(json!({"path": "a.csv", "decimal_separator": ","})).contains("declared a number"));
    assert!(refused(json!({"path": "a.csv", "encoding": "klingon"})).starts_with("`klingon` is no encoding"));
}

fn sheet(source: Value, file: &str, opened: Option<&Schema>) -> Result<(RecordBatch, Repairs), String> {
    let source = FilesSource::deserialize(source).unwrap();
    let ending = Ending { format: FileFormat::Excel, compression: Compression::None };
    let rewrite = Rewrite::of(ending, &source, None).unwrap().expect("it is rewritten");
    let file = format!("{}/tests/cases/{file}", env!("CARGO_MANIFEST_DIR"));
    let rewritten =
        rewrite.rewritten(&bytes(std::fs::read(file).unwrap()), opened, &wanted()).map_err(|flaw| flaw.to_string())?;
    let mut batches = FileReader::try_new(Cursor::new(rewritten.text), None).unwrap();
    Ok((batches.next().unwrap().unwrap(), rewritten.repairs))
}

const PLAIN: &str = "call/a_sheet_of_a_workbook_is_a_table/data/orders.xlsx";

#[test]
fn a_sheet_is_rewritten_as_arrow() {
    let (rows, _) = sheet(json!({"path": "a.xlsx"}), PLAIN, None).unwrap();
    let types: Vec<String> = rows.schema().fields().iter().map(|field| format!("{}", field.data_type())).collect();
    assert_eq!(types[..5], ["Int64", "Utf8", "Float64", "Boolean", "Date32"]);
    assert_eq!((rows.num_rows(), rows.column(1).null_count(), rows.column(8).null_count()), (3, 0, 3));
    let (rows, repairs) = sheet(
        json!({"path": "a.xlsx", "on_error": "skip"}),
        "call/cells_that_hold_errors_are_null_or_left_out_and_counted/data/orders.xlsx",
        None,
    )
    .unwrap();
    assert_eq!((rows.num_rows(), repairs.skipped), (2, 1));
    assert_eq!(repairs.first.unwrap(), "column `total` holds the error `#DIV/0!` in `B3`");
}

#[test]
fn a_sheet_of_an_open_table_has_its_columns() {
    let id = |ty: DataType| Schema::new(vec![Field::new("id", ty, true)]);
    let (rows, _) = sheet(json!({"path": "a.xlsx"}), PLAIN, Some(&id(DataType::Float64))).unwrap();
    assert_eq!(*rows.column(0).data_type(), DataType::Float64);
    let why = sheet(json!({"path": "a.xlsx"}), PLAIN, Some(&id(DataType::Utf8))).unwrap_err();
    assert_eq!(why, "column `id` holds the number 1 in `A2`, and was of type text when the table was opened");
    let gone = Schema::new(vec![Field::new("gone", DataType::Utf8, true)]);
    let why = sheet(json!({"path": "a.xlsx"}), PLAIN, Some(&gone)).unwrap_err();
    assert_eq!(why, "the sheet has no column `gone` any more");
}

#[test]
fn a_locked_type_tells_which_values_cannot_be_read() {
    let source = json!({"path": "a.csv", "on_error": "null", "date_format": "%d.%m.%Y", "columns": {"day": "date"}});
    let source = FilesSource::deserialize(source).unwrap();
    let column = |name: &str, arrow: DataType| Column { name: name.to_owned(), arrow, nullable: true };
    let columns = vec![column("n", DataType::Int64), column("at", DataType::Date32), column("t", DataType::Utf8)];
    let ending = Ending { format: FileFormat::Csv, compression: Compression::None };
    let rewrite = Rewrite::of(ending, &source, Some(&Table::of_columns(columns))).unwrap().unwrap();
    let text = "n,day,at,t\n1,31.12.2024,2024-12-31,x\nabc,1.1.2025,01.01.2025,5\n";
    let rewritten = rewrite.rewritten(&bytes(text), None, &wanted()).unwrap();
    let expected = "n,day,at,t\n1,2024-12-31,2024-12-31,x\n,2025-01-01,,5\n";
    assert_eq!((String::from_utf8(rewritten.text).unwrap().as_str(), rewritten.repairs.nulls), (expected, 2));
}

#[tokio::test]
async fn rewritten_files_are_kept_within_the_budget() {
    let files = InMemory::new();
    let paths = ["a.csv", "b.csv", "c.csv"].map(Path::from);
    for path in &paths {
        files.put(path, "n\n100\n200\n".into()).await.unwrap();
    }
    let budget = Budget::new(25);
    let files: Arc<dyn ObjectStore> = Arc::new(files);
    let source = json!({"path": "a", "on_error": "null", "columns": {"n": "bigint"}});
    let store = RewritingStore::new(TableStore::new(files, None), rewrite(source), &budget);
    let shown = super::super::read_only::ReadOnly(store);
    for (path, left) in paths.iter().zip([15, 5, 15]) {
        assert_eq!(shown.get(path).await.unwrap().bytes().await.unwrap(), "n\n100\n200\n");
        assert_eq!(budget.left(), left, "{path}");
    }
    drop(shown);
    assert_eq!(budget.left(), 25);
}
