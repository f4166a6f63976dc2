//! Rows for programs say the same as rows for people, whatever piece they come in.

use super::*;
use arrow::array::Array;
use arrow::ipc::reader::StreamReader;
use bytes::Bytes;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

fn batch(ids: &[i64]) -> RecordBatch {
    let schema = Schema::new(vec![Field::new("id", DataType::Int64, false), Field::new("inner", DataType::Utf8, true)]);
    let names: Vec<Option<String>> = ids.iter().map(|id| (id % 2 == 0).then(|| format!("ü \"{id}\"\n"))).collect();
    let columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from(ids.to_vec())), Arc::new(StringArray::from(names))];
    RecordBatch::try_new(Arc::new(schema), columns).unwrap()
}

fn rows(batches: &[RecordBatch], keep: usize) -> Rows {
    let column = |name: &str, ty| OutputColumn::new(name, ty);
    let mut rows = Rows::from_batches(&[column("id", Type::Bigint), column("a name", Type::Text)], batches).unwrap();
    rows.truncate(keep);
    rows
}

fn read_back(batches: impl Iterator<Item = RecordBatch>) -> Vec<(i64, Option<String>)> {
    let mut all = Vec::new();
    for batch in batches {
        assert_eq!(batch.schema().field(1).name(), "a name", "the name that the tool publishes");
        let ids = batch.column(0).as_any().downcast_ref::<Int64Array>().unwrap().clone();
        let names = batch.column(1).as_any().downcast_ref::<StringArray>().unwrap().clone();
        all.extend(
            (0..batch.num_rows()).map(|at| (ids.value(at), names.is_valid(at).then(|| names.value(at).to_owned()))),
        );
    }
    all
}

#[test]
fn every_form_holds_the_same_rows_and_none_that_was_cut() {
    for (batches, keep) in
        [(vec![], 0), (vec![batch(&[1, 2, 3])], 2), (vec![batch(&[1, 2]), batch(&[]), batch(&[3, 4, 5])], 4)]
    {
        let rows = rows(&batches, keep);
        let expected: Vec<(i64, Option<String>)> =
            (1..=keep as i64).map(|id| (id, (id % 2 == 0).then(|| format!("ü \"{id}\"\n")))).collect();
        let pieces: Vec<Vec<u8>> = rows.clone().into_arrow_stream().unwrap().map(Result::unwrap).collect();
        assert!(pieces.iter().all(|piece| !piece.is_empty()));
        let reader = StreamReader::try_new(std::io::Cursor::new(pieces.concat()), None).unwrap();
        assert_eq!(reader.schema().field(1).name(), "a name");
        assert_eq!(read_back(reader.map(Result::unwrap)), expected);
        let parquet = Bytes::from(rows.parquet().unwrap());
        let reader = ParquetRecordBatchReaderBuilder::try_new(parquet).unwrap().build().unwrap();
        assert_eq!(read_back(reader.map(Result::unwrap)), expected);
        let lines: String = rows.clone().into_json_lines().collect();
        let objects: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let list: Vec<Value> = serde_json::from_str(&rows.write(TableFormat::Structured, usize::MAX).text).unwrap();
        assert_eq!(objects, list);
        assert_eq!(objects.len(), keep);
    }
}
