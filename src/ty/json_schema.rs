//! SQL types as JSON Schema (draft 2020-12): what an agent may send, and what it gets back.
//!
//! The schemas are flat: no `$ref`, no `anyOf` with null, because several clients refuse those.

use super::coerce::LARGEST_REAL;
use super::{ExactNumbers, JsonNumber, Type};
use serde_json::{Value, json};

impl Type {
    /// The schema of an argument of this type.
    pub fn input_schema(&self) -> Value {
        match self {
            Type::Boolean => json!({"type": "boolean"}),
            Type::Smallint => json!({"type": "integer", "minimum": i16::MIN, "maximum": i16::MAX}),
            Type::Int => json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX}),
            Type::Bigint => json!({"type": "integer", "minimum": i64::MIN, "maximum": i64::MAX}),
            Type::Ubigint => json!({"type": "integer", "minimum": 0, "maximum": u64::MAX}),
            Type::Real => json!({"type": "number", "minimum": -LARGEST_REAL, "maximum": LARGEST_REAL}),
            Type::Double => json!({"type": "number"}),
            Type::Decimal(precision, scale) => {
                json!({"type": "string", "pattern": decimal_pattern(*precision, *scale)})
            }
            Type::Text => json!({"type": "string"}),
            Type::Date => json!({"type": "string", "format": "date"}),
            Type::Time => json!({"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$"}),
            Type::Timestamp(digits) => {
                let fraction = if *digits == 0 { String::new() } else { format!(r"(\.\d{{1,{digits}}})?") };
                let pattern = format!(r"^\d{{4}}-\d{{2}}-\d{{2}}([T ]\d{{2}}:\d{{2}}(:\d{{2}}{fraction})?)?$");
                json!({"type": "string", "pattern": pattern})
            }
            Type::Timestamptz(_) => json!({"type": "string", "format": "date-time"}),
            // Not `format: duration`, which is RFC 3339's: it has neither fractions nor minus signs.
            Type::Interval => json!({"type": "string", "pattern": ISO_DURATION}),
            Type::Uuid => json!({"type": "string", "format": "uuid"}),
            Type::Bytea => json!({"type": "string", "contentEncoding": "base64"}),
            Type::Json => json!({}),
            Type::List(item) => json!({"type": "array", "items": item.input_schema()}),
            Type::Struct(fields) => object(fields.iter().map(|(name, ty)| (name.as_str(), ty.input_schema()))),
            Type::Map(_, value) => json!({"type": "object", "additionalProperties": value.input_schema()}),
        }
    }

    /// The schema of a value of this type in a result. `nullable` values may be null as well.
    pub fn output_schema(&self, nullable: Nullability, numbers: ExactNumbers) -> Value {
        let below = |ty: &Type| ty.output_schema(Nullability::Nullable, numbers);
        let schema = match self {
            Type::Boolean => json!({"type": "boolean"}),
            Type::Bigint if numbers.bigint == JsonNumber::String => json!({"type": "string", "pattern": r"^-?\d+$"}),
            Type::Ubigint if numbers.bigint == JsonNumber::String => json!({"type": "string", "pattern": r"^\d+$"}),
            Type::Smallint | Type::Int | Type::Bigint | Type::Ubigint => json!({"type": "integer"}),
            // NaN and the infinities have no JSON form and are returned as null.
            Type::Real | Type::Double => return json!({"type": ["number", "null"]}),
            Type::Decimal(..) if numbers.decimal == JsonNumber::Number => json!({"type": "number"}),
            Type::Decimal(..) => json!({"type": "string", "pattern": r"^-?\d+(\.\d+)?$"}),
            Type::Date => json!({"type": "string", "format": "date"}),
            Type::Timestamptz(_) => json!({"type": "string", "format": "date-time"}),
            // Not `format: duration`: RFC 3339 has neither fractions of a second nor minus signs.
            Type::Interval => json!({"type": "string"}),
            Type::Bytea => json!({"type": "string", "contentEncoding": "base64"}),
            Type::Json => return json!({}),
            Type::Text | Type::Time | Type::Timestamp(_) | Type::Uuid => json!({"type": "string"}),
            Type::List(item) => json!({"type": "array", "items": below(item)}),
            Type::Struct(fields) => object(fields.iter().map(|(name, ty)| (name.as_str(), below(ty)))),
            Type::Map(_, value) => {
                json!({"type": "object", "additionalProperties": below(value)})
            }
        };
        match nullable {
            Nullability::NotNull => schema,
            Nullability::Nullable => or_null(schema),
        }
    }
}

/// Whether a value may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nullability {
    /// Never null.
    NotNull,
    /// May be null.
    Nullable,
}

fn or_null(mut schema: Value) -> Value {
    if let Some(kind) = schema.get_mut("type") {
        *kind = json!([kind.take(), "null"]);
    }
    schema
}

fn object<'a>(fields: impl Iterator<Item = (&'a str, Value)>) -> Value {
    let properties: serde_json::Map<String, Value> = fields.map(|(name, schema)| (name.to_owned(), schema)).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "required": required, "additionalProperties": false, "properties": properties})
}

/// ISO 8601 with whole units and a fraction of a second; every unit may have a sign.
const ISO_DURATION: &str = r"^P(?=[-0-9T])(-?[0-9]+Y)?(-?[0-9]+M)?(-?[0-9]+W)?(-?[0-9]+D)?(T(?=[-0-9])(-?[0-9]+H)?(-?[0-9]+M)?(-?[0-9]+(\.[0-9]{1,9})?S)?)?$";

/// As many digits as the type has before the point, and behind it.
fn decimal_pattern(precision: u8, scale: i8) -> String {
    let whole = i16::from(precision) - i16::from(scale);
    let whole = if whole > 0 { format!(r"\d{{1,{whole}}}") } else { "0".to_owned() };
    let fraction = if scale > 0 { format!(r"(\.\d{{1,{scale}}})?") } else { String::new() };
    format!("^-?{whole}{fraction}$")
}
