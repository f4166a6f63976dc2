//! Which columns of a CSV text hold codes, and not numbers: texts of digits with zeros in front, such as `01234`.

use super::offsets::columns_with;
use super::whole::exact::has_more_signs;
use arrow::csv::reader::Format;
use arrow::datatypes::{DataType, FieldRef, Schema};
use std::sync::Arc;

/// The schema that was inferred from a text, with text in the place of numbers that would lose zeros.
pub(super) fn with_codes(schema: &Schema, format: &Format, text: &[u8]) -> Schema {
    let is_number = |field: &FieldRef| matches!(field.data_type(), DataType::Int64 | DataType::Float64);
    let numbers: Vec<usize> =
        schema.fields().iter().enumerate().filter(|(_, field)| is_number(field)).map(|(at, _)| at).collect();
    if numbers.is_empty() || !may_hold_codes(text) {
        return schema.clone();
    }
    let codes = columns_with(schema, format, (text, numbers), has_more_signs);
    let field = |(at, field): (usize, &FieldRef)| {
        let is_code = codes.contains(&at);
        if is_code { Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8)) } else { Arc::clone(field) }
    };
    Schema::new(schema.fields().iter().enumerate().map(field).collect::<Vec<_>>())
}

/// Whether a zero stands before a digit anywhere, where no digit and no point is before it: most texts have none.
fn may_hold_codes(text: &[u8]) -> bool {
    let is_front = |byte: u8| !byte.is_ascii_digit() && !matches!(byte, b'.' | b':');
    text.windows(3).any(|part| matches!(part, [front, b'0', b'0'..=b'9'] if is_front(*front)))
        || matches!(text, [b'0', b'0'..=b'9', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(text: &str) -> Vec<String> {
        let format = Format::default().with_header(true);
        let (schema, _) = format.infer_schema(text.as_bytes(), None).unwrap();
        let schema = with_codes(&schema, &format, text.as_bytes());
        schema.fields().iter().map(|field| field.data_type().to_string()).collect()
    }

    #[test]
    fn a_column_with_zeros_in_front_holds_codes() {
        let text = "zip,n,d,x,y,z\n10001,10,0.05,1.5,-7,2024-01-05\n01234,0,-0.5,007.5,-07,2024-01-06\n";
        assert_eq!(types(text), ["Utf8", "Int64", "Float64", "Utf8", "Utf8", "Date32"]);
        assert_eq!(types("a\n\"01\"\n"), ["Utf8"]);
        assert_eq!(types("a,b\n0,0.0\n-0,100\n"), ["Int64", "Float64"]);
    }
}
