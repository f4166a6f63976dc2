//! What a database itself says of a table: its own names and types, by which its rows are asked for.
//!
//! Locked with the schema, so that calls can be made ready while the database is down. What is compiled does not depend on
//! it.

use crate::ty::Type;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DatabaseKind {
    /// SQLite 3.
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// MySQL, and MariaDB.
    Mysql,
}

impl DatabaseKind {
    /// Every kind.
    pub const ALL: [DatabaseKind; 3] = [DatabaseKind::Sqlite, DatabaseKind::Postgres, DatabaseKind::Mysql];

    /// How many values a statement takes at most.
    pub fn most_values(self) -> usize {
        match self {
            DatabaseKind::Sqlite => 32_766,
            DatabaseKind::Postgres | DatabaseKind::Mysql => 65_535,
        }
    }

    /// The word for it in `qtool.yaml` and in locks.
    pub fn as_str(self) -> &'static str {
        match self {
            DatabaseKind::Sqlite => "sqlite",
            DatabaseKind::Postgres => "postgres",
            DatabaseKind::Mysql => "mysql",
        }
    }

    /// The name of the product.
    pub fn title(self) -> &'static str {
        match self {
            DatabaseKind::Sqlite => "SQLite",
            DatabaseKind::Postgres => "PostgreSQL",
            DatabaseKind::Mysql => "MySQL",
        }
    }

    /// Whether it is asked over a network, and no file.
    pub fn is_server(self) -> bool {
        match self {
            DatabaseKind::Sqlite => false,
            DatabaseKind::Postgres | DatabaseKind::Mysql => true,
        }
    }

    /// Whether its tables lie in schemas, which their names begin with.
    pub fn has_schemas(self) -> bool {
        match self {
            // What is called a schema there is a database, and the address says which.
            DatabaseKind::Sqlite | DatabaseKind::Mysql => false,
            DatabaseKind::Postgres => true,
        }
    }

    /// Whether a column may be read as of a type, as far as that can be said of all its columns alike.
    pub fn can_read(self, ty: &Type) -> bool {
        match self {
            // Nobody sees to it that a UUID is written in small letters, as arguments are.
            DatabaseKind::Sqlite => !matches!(
                ty,
                Type::Interval | Type::List(_) | Type::Struct(_) | Type::Map(..) | Type::Ubigint | Type::Uuid
            ),
            DatabaseKind::Postgres | DatabaseKind::Mysql => true,
        }
    }

    /// The kind of that word.
    pub fn parse(word: &str) -> Option<DatabaseKind> {
        DatabaseKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A table as its database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Native {
    /// The kind of database.
    pub kind: DatabaseKind,
    /// The name, with the schema before it where there is one.
    pub name: Vec<String>,
    /// The columns of the primary key, by their names there; none where there is no key.
    pub key: Vec<String>,
    /// Whether it is a view.
    pub is_view: bool,
    /// Whether the database sees to it that each value is of its column's type. SQLite does in `STRICT` tables alone.
    pub is_strict: bool,
    /// The columns, in the order of the table's.
    pub columns: Vec<NativeColumn>,
}

impl Native {
    /// Whether it is meant by a name, which may leave out what stands before its last part. Databases do not tell letters
    /// from capitals.
    pub fn is_named(&self, written: &[String]) -> bool {
        let own = self.name.iter().rev();
        // The one database of a file has that name.
        let written = match (self.kind, written) {
            (DatabaseKind::Sqlite, [schema, rest @ ..]) if !rest.is_empty() && schema.eq_ignore_ascii_case("main") => {
                rest
            }
            _ => written,
        };
        written.len() <= self.name.len()
            && written.iter().rev().zip(own).all(|(one, own)| one.eq_ignore_ascii_case(own))
    }
}

/// A column as its database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeColumn {
    /// The name.
    pub name: String,
    /// The type, in the words of the database; empty where there is none.
    pub declared: String,
    /// How its texts are compared there, where that is not byte by byte.
    pub collation: Option<String>,
}

/// Types of MySQL whose values are places in a plane.
const PLACES: [&str; 9] = [
    "geometry",
    "point",
    "linestring",
    "polygon",
    "multipoint",
    "multilinestring",
    "multipolygon",
    "geometrycollection",
    "geomcollection",
];

/// Whether the values of a type of MySQL are places in a plane, which are neither texts nor bytes themselves.
pub fn is_of_places(declared: &str) -> bool {
    PLACES.contains(&declared.split(' ').next().unwrap_or_default())
}
