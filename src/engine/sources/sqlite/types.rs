//! What the types that SQLite's columns are declared with are here.

use crate::catalog::Native;
use crate::engine::sources::pushed::Affinity;
use crate::ty::Type;
use arrow::datatypes::Schema;

/// The most digits of a decimal.
const MOST_DIGITS: u8 = 38;

/// Names of the number of a row, of which a table has those that no column is called by.
const ROW_IDS: [&str; 3] = ["rowid", "_rowid_", "oid"];

/// The type of a column that is declared so; `None` where nothing is declared. SQLite takes any words for a type: those that
/// it has no use for are read as other databases mean them.
pub(in crate::engine::sources) fn column_type(declared: &str) -> Option<Type> {
    let upper = declared.trim().to_ascii_uppercase();
    let word = upper.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    // SQLite finds an `INT` in an interval.
    if word.is_empty() || word == "ANY" || word == "INTERVAL" {
        return None;
    }
    Some(match word {
        "BOOL" | "BOOLEAN" | "BIT" => Type::Boolean,
        "DATE" => Type::Date,
        "DATETIME" | "TIMESTAMP" if !upper.contains("WITH TIME ZONE") => Type::Timestamp(6),
        "DATETIME" | "TIMESTAMP" => Type::Timestamptz(6),
        "TIMESTAMPTZ" | "DATETIMEOFFSET" => Type::Timestamptz(6),
        "TIME" => Type::Time,
        "JSON" | "JSONB" => Type::Json,
        "UUID" | "GUID" | "UNIQUEIDENTIFIER" | "STRING" | "ENUM" | "NAME" | "XML" | "URL" => Type::Text,
        "DECIMAL" | "NUMERIC" | "NUMBER" | "MONEY" => digits(&upper).map_or(Type::Double, |(p, s)| Type::Decimal(p, s)),
        _ => match Affinity::declared(declared) {
            Affinity::Integer => Type::Bigint,
            Affinity::Text => Type::Text,
            Affinity::Real => Type::Double,
            Affinity::Blob => Type::Bytea,
            // A word that nobody knows: what is stored is of any kind.
            Affinity::Numeric => return None,
        },
    })
}

/// The digits of `DECIMAL(10, 2)`, and those behind the point.
fn digits(declared: &str) -> Option<(u8, i8)> {
    let (_, inside) = declared.split_once('(')?;
    let (inside, _) = inside.split_once(')')?;
    let mut numbers = inside.split(',').map(|number| number.trim().parse::<u8>().ok());
    let precision = numbers.next()??;
    let scale = numbers.next().unwrap_or(Some(0))?;
    let is_decimal = (1..=MOST_DIGITS).contains(&precision) && scale <= precision;
    is_decimal.then_some((precision, i8::try_from(scale).ok()?))
}

/// What tells a row in messages: the columns of the key, else the row's number where there is one. None where every value
/// is of its type.
pub(in crate::engine::sources) fn row_of(native: &Native, schema: &Schema) -> Vec<String> {
    let has_texts = schema.fields().iter().any(|field| field.data_type().is_string());
    if native.is_strict && !has_texts {
        return Vec::new();
    }
    if !native.key.is_empty() {
        return native.key.clone();
    }
    let is_free = |name: &&&str| !native.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
    let row_id = ROW_IDS.iter().find(is_free).filter(|_| !native.is_view);
    row_id.map(|name| (*name).to_owned()).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_types_are_what_other_databases_mean_by_them() {
        let of = |declared: &str| column_type(declared).map(|ty| ty.to_string());
        for (declared, ty) in [
            ("INTEGER", "bigint"),
            ("unsigned big int", "bigint"),
            ("NVARCHAR(40)", "text"),
            ("BOOLEAN", "boolean"),
            ("NUMERIC(10,2)", "decimal(10,2)"),
            ("numeric(10, 2)", "decimal(10,2)"),
            ("DECIMAL(5)", "decimal(5,0)"),
            ("NUMERIC", "double"),
            ("DECIMAL(60,2)", "double"),
            ("datetime", "timestamp"),
            ("timestamp with time zone", "timestamptz"),
            ("BIT", "boolean"),
            ("DATE", "date"),
            ("TIME", "time"),
            ("BLOB", "bytea"),
            ("DOUBLE PRECISION", "double"),
            ("json", "json"),
            ("STRING", "text"),
            ("POINT", "bigint"),
        ] {
            assert_eq!(of(declared).as_deref(), Some(ty), "{declared}");
        }
        for declared in ["", "ANY", "GEOMETRY", "interval"] {
            assert_eq!(of(declared), None, "{declared}");
        }
    }
}
