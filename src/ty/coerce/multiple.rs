//! Multiples, counted in exact decimals as JSON Schema does: 0.3 is a multiple of 0.1.

use crate::ty::Type;
use crate::ty::coerce::Coercion;
use serde_json::{Number, Value};

impl Type {
    /// Whether a value of the type is a multiple of a number.
    pub fn is_multiple(&self, value: &Value, step: &Number, coercion: &Coercion) -> bool {
        let text = match value {
            Value::Number(number) => number.to_string(),
            Value::String(text) => text.trim().to_owned(),
            _ => return true,
        };
        if self.coerce(value, coercion).is_err() {
            return false;
        }
        match exact(&text).zip(exact(&step.to_string())) {
            Some((value, step)) => remainder(value, step).map_or_else(
                // Further apart than 128 bits: floats say all that can be said.
                || {
                    let read = |(mantissa, exponent): (i128, i32)| mantissa as f64 * 10_f64.powi(exponent);
                    read(value) % read(step) == 0.0
                },
                |rest| rest == 0,
            ),
            None => false,
        }
    }
}

/// A decimal as a whole number and a power of ten.
fn exact(text: &str) -> Option<(i128, i32)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    Some((format!("{whole}{fraction}").parse().ok()?, exponent))
}

fn remainder((value, of): (i128, i32), (step, at): (i128, i32)) -> Option<i128> {
    let least = of.min(at);
    let scaled = |mantissa: i128, exponent: i32| {
        let power = 10_i128.checked_pow(u32::try_from(exponent.checked_sub(least)?).ok()?)?;
        mantissa.checked_mul(power)
    };
    if value == 0 {
        return Some(0);
    }
    scaled(value, of)?.checked_rem(scaled(step, at)?)
}
