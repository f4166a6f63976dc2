//! Values as PostgreSQL takes them.

use super::super::bind::{Bind, Form};
use super::numeric;
use super::sent_as;
use super::wire::{DAY, EPOCH_DAYS};
use bytes::{BufMut, BytesMut};
use std::error::Error;
use tokio_postgres::types::{Format, IsNull, ToSql, Type, to_sql_checked};

/// The days that the server has, counted from 2000-01-01.
const DAYS: std::ops::RangeInclusive<i32> = -2_451_545..=2_145_031_948;

/// The times that it has, in microseconds from there.
const MICROS: std::ops::RangeInclusive<i64> = -211_813_488_000_000_000..=9_223_371_331_199_999_999;

/// A value that is sent.
#[derive(Debug)]
pub(super) struct Parameter(Bind);

/// The values of a statement with their types, which are those that every server has: it is asked for none.
pub(super) fn parameters(binds: &[Bind]) -> Vec<(Parameter, Type)> {
    binds.iter().map(|bind| (Parameter(bind.clone()), type_of(bind))).collect()
}

fn type_of(bind: &Bind) -> Type {
    match bind {
        Bind::Null(form) => type_of_form(*form),
        Bind::Bool(_) => Type::BOOL,
        Bind::Int(_) => Type::INT8,
        Bind::Unsigned(_) => Type::NUMERIC,
        Bind::Double(_) => Type::FLOAT8,
        Bind::Numeric(..) => Type::NUMERIC,
        Bind::Text(_) => Type::TEXT,
        Bind::Bytes(_) => Type::BYTEA,
        Bind::Day(_) => Type::DATE,
        Bind::Local(_) => Type::TIMESTAMP,
        Bind::Instant(_) => Type::TIMESTAMPTZ,
        Bind::Uuid(_) => Type::UUID,
        Bind::Literal { sent_as, .. } => sent_as::own(sent_as.as_deref()),
    }
}

fn type_of_form(form: Form) -> Type {
    match form {
        Form::Int => Type::INT8,
        Form::Unsigned => Type::NUMERIC,
        Form::Bool => Type::BOOL,
        Form::Numeric => Type::NUMERIC,
        Form::Date => Type::DATE,
        Form::Local => Type::TIMESTAMP,
        Form::Instant => Type::TIMESTAMPTZ,
        Form::Uuid => Type::UUID,
        Form::Double | Form::Float | Form::Low(..) | Form::High(..) => Type::FLOAT8,
        Form::Bytes => Type::BYTEA,
        Form::Zeroless | Form::Text | Form::Day | Form::FirstOfDay | Form::NextDay => Type::TEXT,
    }
}

impl ToSql for Parameter {
    fn to_sql(&self, _: &Type, to: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match &self.0 {
            Bind::Null(_) | Bind::Literal { text: None, .. } => return Ok(IsNull::Yes),
            Bind::Bool(value) => to.put_u8(u8::from(*value)),
            Bind::Int(value) => to.put_i64(*value),
            Bind::Unsigned(value) => numeric::write(i128::from(*value), 0, to),
            Bind::Double(value) => to.put_f64(*value),
            Bind::Numeric(digits, scale) => numeric::write(*digits, *scale, to),
            Bind::Text(text) | Bind::Literal { text: Some(text), .. } => to.put_slice(text.as_bytes()),
            Bind::Bytes(bytes) => to.put_slice(bytes),
            Bind::Day(days) => to.put_i32(day(*days)),
            Bind::Local(micros) | Bind::Instant(micros) => to.put_i64(moment(*micros)),
            Bind::Uuid(bytes) => to.put_slice(bytes),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        match &self.0 {
            Bind::Literal { .. } => Format::Text,
            _ => Format::Binary,
        }
    }

    to_sql_checked!();
}

/// A day as it is counted there. One that the server does not have is without end: all that it has are on the same side of
/// both.
fn day(days: i32) -> i32 {
    match days.checked_sub(EPOCH_DAYS) {
        Some(days) if DAYS.contains(&days) => days,
        _ if days < 0 => i32::MIN,
        _ => i32::MAX,
    }
}

/// A time as it is counted there. One that the server does not have is without end.
fn moment(micros: i64) -> i64 {
    match micros.checked_sub(i64::from(EPOCH_DAYS) * DAY) {
        Some(micros) if MICROS.contains(&micros) => micros,
        _ if micros < 0 => i64::MIN,
        _ => i64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::super::numeric::Numeric;
    use super::*;
    use proptest::prelude::*;

    fn written(bind: Bind) -> Vec<u8> {
        let (mut to, ty) = (BytesMut::new(), type_of(&bind));
        let is_null = Parameter(bind).to_sql(&ty, &mut to).unwrap();
        assert!(matches!(is_null, IsNull::No));
        to.to_vec()
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// What PostgreSQL 15 gives for `encode(…_send(…), 'hex')`.
    #[test]
    fn values_are_written_as_a_server_does() {
        for (digits, scale, bytes) in [
            (0, 0, "0000000000000000"),
            (1, 0, "00010000000000000001"),
            (-1, 0, "00010000400000000001"),
            (125, 1, "0002000000000001000c1388"),
            (-12_345, 8, "0002ffff4000000800010929"),
            (10_000, 0, "00010001000000000001"),
            (999_999_999_999, 4, "0003000100000004270f270f270f"),
            (0, 2, "0000000000000002"),
            (110, 2, "0002000000000002000103e8"),
            (10_i128.pow(20), 0, "00010005000000000001"),
            (1, -20, "00010005000000000001"),
            (
                12_345_678_901_234_567_890_123_456_789_012_345_678,
                0,
                "000a000900000000000c0d801ed204d2162e23340d801ed204d2162e",
            ),
        ] {
            assert_eq!(hex(&written(Bind::Numeric(digits, scale))), bytes, "{digits} e-{scale}");
        }
        assert_eq!(hex(&written(Bind::Day(19_813))), "00002298");
        assert_eq!(hex(&written(Bind::Local(946_684_799_500_000))), "fffffffffff85ee0");
        assert_eq!(hex(&written(Bind::Day(i32::MIN))), "80000000", "a day that no server has");
        assert_eq!(hex(&written(Bind::Instant(i64::MIN))), "8000000000000000");
    }

    proptest! {
        #[test]
        fn a_decimal_comes_back_as_it_was_sent(digits in -(10_i128.pow(38) - 1)..10_i128.pow(38), cut in 0_u32..38, scale in 0_i8..=38) {
            let digits = digits / 10_i128.pow(cut);
            let raw = written(Bind::Numeric(digits, scale));
            let number = Numeric::read(&raw).unwrap();
            prop_assert_eq!(number.decimal(38, scale), Some(digits));
            let arrow = arrow::array::Decimal128Array::from(vec![digits]).with_precision_and_scale(38, scale).unwrap();
            prop_assert_eq!(number.text(), arrow.value_as_string(0));
            let whole = if scale == 0 { digits } else { 0 };
            prop_assert_eq!(number.decimal(38, 0).is_some(), digits % 10_i128.pow(scale.unsigned_abs().into()) == 0 || whole != 0);
        }

        #[test]
        fn other_bytes_are_no_number_and_do_no_harm(raw in proptest::collection::vec(any::<u8>(), 0..40), scale in 0_i8..=38) {
            if let Some(number) = Numeric::read(&raw) {
                let _ = number.decimal(38, scale);
            }
        }
    }
}
