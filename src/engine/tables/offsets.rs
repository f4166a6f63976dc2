//! Which columns of a CSV text hold instants: times with an offset or a `Z`.

use arrow::array::AsArray;
use arrow::csv::ReaderBuilder;
use arrow::csv::reader::Format;
use arrow::datatypes::{DataType, Field, FieldRef, Schema};
use std::collections::HashSet;
use std::sync::Arc;

/// The schema that was inferred from a text, with an instant where a value of a column of times says which one it is. The
/// inference takes such values for local times.
pub(super) fn with_instants(schema: &Schema, format: &Format, text: &[u8]) -> Schema {
    let is_time = |field: &FieldRef| matches!(field.data_type(), DataType::Timestamp(..));
    let times: Vec<usize> =
        schema.fields().iter().enumerate().filter(|(_, field)| is_time(field)).map(|(at, _)| at).collect();
    if times.is_empty() {
        return schema.clone();
    }
    let instants = columns_with(schema, format, (text, times), has_offset);
    let field = |(at, field): (usize, &FieldRef)| match field.data_type() {
        DataType::Timestamp(unit, _) if instants.contains(&at) => {
            let instant = DataType::Timestamp(*unit, Some("+00:00".into()));
            Arc::new(field.as_ref().clone().with_data_type(instant))
        }
        _ => Arc::clone(field),
    };
    Schema::new(schema.fields().iter().enumerate().map(field).collect::<Vec<_>>())
}

/// Those of the columns of a text that have a value of that kind.
pub(super) fn columns_with(
    schema: &Schema,
    format: &Format,
    (text, columns): (&[u8], Vec<usize>),
    is_one: fn(&str) -> bool,
) -> HashSet<usize> {
    let texts: Vec<Field> =
        schema.fields().iter().map(|field| Field::new(field.name(), DataType::Utf8, true)).collect();
    let reader = ReaderBuilder::new(Arc::new(Schema::new(texts)))
        .with_format(format.clone())
        .with_projection(columns.clone())
        .build(text);
    let mut found = HashSet::new();
    // What cannot be read is reported by whoever reads the table.
    for batch in reader.into_iter().flatten().map_while(Result::ok) {
        for (at, column) in columns.iter().zip(batch.columns()) {
            if !found.contains(at) && column.as_string::<i32>().iter().flatten().any(is_one) {
                found.insert(*at);
            }
        }
    }
    found
}

/// Whether anything stands behind the time of day.
pub(super) fn has_offset(time: &str) -> bool {
    let clock = time.bytes().skip("2024-03-10T".len());
    clock.into_iter().any(|byte| !byte.is_ascii_digit() && !matches!(byte, b':' | b'.' | b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_with_an_offset_holds_instants() {
        let text = "a,b,c,d,e\n\
            2024-03-10T01:30:00Z,2024-03-10 01:30:00,2024-03-10 01:30:00.5,2024-03-10,x+1\n\
            ,2024-03-10 01:30:00,2024-03-10 01:30:00+05:30,2024-03-11,y\n";
        let format = Format::default().with_header(true);
        let (schema, _) = format.infer_schema(text.as_bytes(), None).unwrap();
        let schema = with_instants(&schema, &format, text.as_bytes());
        let types: Vec<String> = schema.fields().iter().map(|field| field.data_type().to_string()).collect();
        assert_eq!(types, ["Timestamp(s, \"+00:00\")", "Timestamp(s)", "Timestamp(ms, \"+00:00\")", "Date32", "Utf8"]);
    }
}
