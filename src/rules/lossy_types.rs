//! A column of a database whose values lose something when they are read.
//!
//! Bad: `NUMERIC` without digits in SQLite, which is read as `double`: it has no exact cents.

use crate::catalog::DatabaseKind;
use crate::diagnostic::{Diagnostics, codes};
use crate::project::Project;
use arrow::datatypes::DataType;

/// Words for numbers of so many digits. Without the digits, nobody knows how many places there are.
const NUMBERS: [&str; 4] = ["NUMERIC", "DECIMAL", "NUMBER", "MONEY"];

/// Says which columns those are. One whose type is declared is read as its author wants it.
pub(super) fn check(project: &Project, sink: &mut Diagnostics) {
    for (name, source) in &project.file.tables {
        let Some(table) = project.catalog.tables.get(name) else { continue };
        let Some(native) = &table.native else { continue };
        let declared = |column: &str| source.columns().get(column).is_some_and(|column| column.ty().is_some());
        for (column, own) in table.columns.iter().zip(&native.columns) {
            let is_number = match native.kind {
                DatabaseKind::Sqlite => NUMBERS.iter().any(|word| own.declared.to_ascii_uppercase().starts_with(word)),
                // There, a number without digits comes as a text, with all of them.
                DatabaseKind::Postgres => false,
            };
            if is_number && column.arrow == DataType::Float64 && !declared(&column.name) {
                let place = project.table_span(name);
                sink.push(codes::lossy_number(place, name, &column.name, &own.declared));
            }
        }
    }
}
