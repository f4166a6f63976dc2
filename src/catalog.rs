//! The tables' schemas as qtool's own types: what the compiler knows of the data.
//!
//! A catalog does not know where the data lies. It is read from the data once, locked under `snapshots/tables/`, and
//! from then on read from there ([`lock`]).

pub mod lock;
mod native;
pub mod statement_lock;
pub mod table_list;
pub mod values;

pub use native::{DatabaseKind, Native, NativeColumn, is_of_places};
pub use statement_lock::{Origin, StatementAnswer, StatementColumn, StatementParameter, WrittenColumn};
pub use table_list::TableList;

use crate::ty::Type;
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use indexmap::IndexMap;
use std::sync::Arc;

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name, in the letter case of the data.
    pub name: String,
    /// The Arrow type that the data has.
    pub arrow: DataType,
    /// Whether it may hold nulls.
    pub nullable: bool,
}

impl Column {
    /// The type in words: its SQL name, and Arrow's where the SQL name does not say all.
    pub fn named(&self) -> String {
        match self.ty() {
            Some(ty) if ty.to_arrow() == self.arrow => ty.to_string(),
            Some(ty) => format!("{ty} [{}]", self.arrow),
            None => self.arrow.to_string(),
        }
    }

    /// The type as a person names it; `None` for one that has no SQL name.
    pub fn ty(&self) -> Option<Type> {
        Type::from_arrow(&self.arrow)
    }
}

/// A table: its columns in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// What its database says of it, where it lies in one.
    pub native: Option<Box<Native>>,
}

impl Table {
    /// A table of these columns.
    pub fn of_columns(columns: Vec<Column>) -> Table {
        Table { columns, native: None }
    }

    /// The columns that its database says identify a row; none where it says none, or where one of them may be null: SQLite
    /// takes any number of such rows.
    pub fn native_key(&self) -> Vec<String> {
        let Some(native) = &self.native else { return Vec::new() };
        let here = |name: &String| {
            let at = native.columns.iter().position(|column| column.name == *name)?;
            let column = self.columns.get(at).filter(|column| !column.nullable)?;
            Some(column.name.clone())
        };
        native.key.iter().map(here).collect::<Option<_>>().unwrap_or_default()
    }

    /// Takes over an Arrow schema; metadata is left out, so that equal tables compare equal.
    pub fn from_arrow(schema: &Schema) -> Table {
        let columns = schema
            .fields()
            .iter()
            .map(|field| Column {
                name: field.name().clone(),
                arrow: field.data_type().clone(),
                nullable: field.is_nullable(),
            })
            .collect();
        Table::of_columns(columns)
    }

    /// The first difference to what the table is now, in words.
    pub fn difference(&self, now: &Table) -> Option<String> {
        let find = |table: &Table, name: &str| table.columns.iter().find(|column| column.name == name).cloned();
        for column in &self.columns {
            match find(now, &column.name) {
                None => return Some(format!("column `{}` is gone", column.name)),
                Some(other) if plain_type(&other.arrow) != plain_type(&column.arrow) => {
                    return Some(format!("column `{}` was {} and is {}", column.name, column.named(), other.named()));
                }
                Some(other) if other.nullable && !column.nullable => {
                    return Some(format!("column `{}` may now be null", column.name));
                }
                Some(_) => {}
            }
        }
        let added = now.columns.iter().find(|column| find(self, &column.name).is_none());
        added.map(|column| format!("column `{}` is new", column.name))
    }

    /// The Arrow schema.
    pub fn to_arrow(&self) -> SchemaRef {
        let fields: Vec<Field> =
            self.columns.iter().map(|column| Field::new(&column.name, column.arrow.clone(), column.nullable)).collect();
        Arc::new(Schema::new(fields))
    }
}

/// The tables of a project by name, in the order of `qtool.yaml`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Catalog {
    /// The tables.
    pub tables: IndexMap<String, Table>,
}

/// What stands behind the name of a use of a program in FROM, in that of the table that its rows are. No table of a project is named so.
pub const ROWS_OF_PROGRAM: &str = "()";

impl Catalog {
    /// The table of a name; of a use of a program, that which the rows of the program are, whatever the use gives it.
    pub fn scanned(&self, name: &str) -> Option<(&String, &Table)> {
        let of_program = || {
            let of_use = name.strip_suffix(ROWS_OF_PROGRAM)?;
            let base = of_use.split('(').next().unwrap_or(of_use);
            self.tables.get_key_value(&format!("{base}{ROWS_OF_PROGRAM}"))
        };
        self.tables.get_key_value(name).or_else(of_program)
    }

    /// Whether a table of the project has that name.
    pub fn has_own(&self, name: &str) -> bool {
        !name.ends_with(ROWS_OF_PROGRAM) && self.tables.contains_key(name)
    }
}

/// The type with lists that call their items as all others do: what a format calls them is nothing of the data.
fn plain_type(ty: &DataType) -> DataType {
    let item = |item: &FieldRef| Arc::new(Field::new_list_field(plain_type(item.data_type()), true));
    let field = |field: &FieldRef| Arc::new(field.as_ref().clone().with_data_type(plain_type(field.data_type())));
    match ty {
        DataType::List(inner) => DataType::List(item(inner)),
        DataType::LargeList(inner) => DataType::LargeList(item(inner)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_items_are_no_difference() {
        let list = |name: &str, ty: DataType| DataType::List(Arc::new(Field::new(name, ty, false)));
        let table = |arrow: DataType| Table::of_columns(vec![Column { name: "l".to_owned(), arrow, nullable: true }]);
        let locked = table(list("element", list("element", DataType::Int64)));
        assert_eq!(locked.difference(&table(list("item", list("item", DataType::Int64)))), None);
        assert!(locked.difference(&table(list("item", DataType::Int64))).is_some());
    }
}
