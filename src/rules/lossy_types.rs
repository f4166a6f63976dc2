//! A column of a database whose values lose something when they are read.
//!
//! Bad: `NUMERIC` without digits in SQLite, which is read as `double`: it has no exact cents. `POINT` in MySQL, which is read
//! as its text: MariaDB rounds the numbers in it.

use crate::catalog::{DatabaseKind, is_of_places};
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
            if declared(&column.name) {
                continue;
            }
            let is_loss = match native.kind {
                DatabaseKind::Sqlite => {
                    let is_number = NUMBERS.iter().any(|word| own.declared.to_ascii_uppercase().starts_with(word));
                    is_number && column.arrow == DataType::Float64
                }
                // There, a number without digits comes as a text, with all of them.
                DatabaseKind::Postgres => false,
                DatabaseKind::Mysql => is_of_places(&own.declared),
            };
            if is_loss {
                let place = project.table_span(name);
                sink.push(match native.kind {
                    DatabaseKind::Mysql => codes::lossy_place(place, name, &column.name, &own.declared),
                    _ => codes::lossy_number(place, name, &column.name, &own.declared),
                });
            }
        }
    }
}
