//! Decimals of files as the one kind that the engine calculates with.
//!
//! Arrow has decimals of 32, 64, 128 and 256 bits, and digits behind the point that are fewer than none. The engine knows
//! what becomes of those of 128 bits beside other numbers. The others it rounds to whole numbers beside an integer, makes
//! doubles of beside a number with a point, and panics where what is behind the point is below 0.

use arrow::datatypes::{DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, DataType, Field, FieldRef};
use datafusion::logical_expr::{Expr, cast};
use std::sync::Arc;

/// The type with decimals of 128 bits in the place of all others, inside of lists and records too. What is longer gets the
/// 38 digits that there are: a value that does not fit is an error when it is read.
pub(super) fn of_128_bits(ty: &DataType) -> DataType {
    match ty {
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
        | DataType::Decimal256(precision, scale) => {
            DataType::Decimal128(digits(*precision, *scale).min(DECIMAL128_MAX_PRECISION), (*scale).max(0))
        }
        DataType::List(item) => DataType::List(field_of_128_bits(item)),
        DataType::LargeList(item) => DataType::LargeList(field_of_128_bits(item)),
        DataType::FixedSizeList(item, length) => DataType::FixedSizeList(field_of_128_bits(item), *length),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field_of_128_bits).collect()),
        DataType::Map(entries, sorted) => DataType::Map(field_of_128_bits(entries), *sorted),
        DataType::Dictionary(_, values) if is_decimal(values) && of_128_bits(values) != **values => of_128_bits(values),
        other => other.clone(),
    }
}

fn field_of_128_bits(field: &FieldRef) -> FieldRef {
    let ty = of_128_bits(field.data_type());
    if ty == *field.data_type() { Arc::clone(field) } else { Arc::new(with_type(field, ty)) }
}

fn with_type(field: &FieldRef, ty: DataType) -> Field {
    field.as_ref().clone().with_data_type(ty)
}

/// The digits of a decimal that are written: where fewer than none are behind the point, zeros end it.
fn digits(precision: u8, scale: i8) -> u8 {
    if scale < 0 { precision.saturating_add(scale.unsigned_abs()) } else { precision }
}

fn is_decimal(ty: &DataType) -> bool {
    matches!(
        ty,
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) | DataType::Decimal256(..)
    )
}

/// The first decimal in a type that has more digits behind the point than one of 38 digits: it would be rounded.
pub(super) fn too_fine(ty: &DataType) -> Option<&DataType> {
    match ty {
        DataType::Decimal256(_, scale) if u8::try_from(*scale).is_ok_and(|s| s > DECIMAL128_MAX_PRECISION) => Some(ty),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => too_fine(item.data_type()),
        DataType::Struct(fields) => fields.iter().find_map(|field| too_fine(field.data_type())),
        DataType::Dictionary(_, values) => too_fine(values),
        _ => None,
    }
}

/// A column of a file before it is cast. The optimizer takes a cast off a decimal that is compared, and panics on one with
/// fewer than no digits behind the point; it leaves one of 256 bits alone.
pub(super) fn before_cast(column: Expr, read: &DataType) -> Expr {
    match read {
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
        | DataType::Decimal256(precision, scale)
            if *scale < 0 =>
        {
            cast(column, DataType::Decimal256(digits(*precision, *scale).min(DECIMAL256_MAX_PRECISION), 0))
        }
        _ => column,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_decimals_are_of_128_bits() {
        use DataType::{Decimal32, Decimal64, Decimal128, Decimal256};
        assert_eq!(of_128_bits(&Decimal32(5, 2)), Decimal128(5, 2));
        assert_eq!(of_128_bits(&Decimal64(15, 2)), Decimal128(15, 2));
        assert_eq!(of_128_bits(&Decimal128(12, 2)), Decimal128(12, 2));
        assert_eq!(of_128_bits(&Decimal128(5, -2)), Decimal128(7, 0));
        assert_eq!(of_128_bits(&Decimal256(20, 2)), Decimal128(20, 2));
        assert_eq!(of_128_bits(&Decimal256(50, 2)), Decimal128(38, 2));
        assert_eq!(of_128_bits(&Decimal256(70, -2)), Decimal128(38, 0));
    }

    #[test]
    fn decimals_inside_of_others_are_found() {
        let list = |ty| DataType::new_list(ty, true);
        let row = |ty| DataType::Struct(vec![Field::new("a", ty, true), Field::new("b", DataType::Utf8, true)].into());
        let (narrow, plain) = (DataType::Decimal64(9, 2), DataType::Decimal128(9, 2));
        assert_eq!(of_128_bits(&list(row(narrow.clone()))), list(row(plain.clone())));
        let coded = |ty| DataType::Dictionary(Box::new(DataType::Int32), Box::new(ty));
        assert_eq!(of_128_bits(&coded(narrow)), plain);
        assert_eq!(of_128_bits(&coded(plain.clone())), coded(plain));
        assert_eq!(of_128_bits(&coded(DataType::Utf8)), coded(DataType::Utf8));
        let fine = DataType::Decimal256(76, 40);
        assert_eq!(too_fine(&list(row(fine.clone()))), Some(&fine));
        assert_eq!(too_fine(&DataType::Decimal256(76, 38)), None);
    }
}
