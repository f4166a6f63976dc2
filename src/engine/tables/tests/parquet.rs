//! Types of Parquet that its reader takes for others.

use super::*;
use arrow::array::{ArrayRef, FixedSizeBinaryArray, IntervalDayTimeArray, RecordBatch};
use arrow::datatypes::IntervalDayTime;
use datafusion::parquet::arrow::ArrowWriter;

fn written(column: ArrayRef) -> TempDir {
    let dir = TempDir::new().unwrap();
    let batch = RecordBatch::try_from_iter([("v", column)]).unwrap();
    let file = fs::File::create(dir.path().join("a.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    dir
}

#[tokio::test]
async fn sixteen_bytes_that_are_declared_uuid_are_read_as_one() {
    let bytes: Vec<u8> = (0xA0..0xB0).collect();
    let values = FixedSizeBinaryArray::try_from_sparse_iter_with_size([Some(bytes), None].into_iter(), 16).unwrap();
    let dir = written(Arc::new(values));
    let rows = rows(dir.path(), json!({"path": "a.parquet", "columns": {"v": "uuid"}}), "SELECT v FROM t").await;
    assert_eq!(rows, ["a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf", ""]);
}

#[tokio::test]
async fn a_span_without_its_months_is_not_read() {
    let dir = written(Arc::new(IntervalDayTimeArray::from(vec![IntervalDayTime::new(1, 0)])));
    let why = message(dir.path(), json!({"path": "a.parquet"})).await;
    let expected = "`a.parquet` cannot be read: column `v` is an INTERVAL of Parquet, whose months would be lost: write it as \
                    text, as numbers, or in an Arrow file";
    assert_eq!(why, expected);
}
