//! A sheet of a workbook as an Arrow file: the cells say the types of their columns, so that `007` in a cell of text stays a
//! text, and nothing is inferred from how a number looks.

mod column;

use super::super::TableError;
use super::super::columns;
use super::super::whole::{Flaw, forms};
use super::header::numbered_names;
use super::repairs::Repairs;
use super::workbook::{Cell, Value, Workbook, place};
use crate::name::nearest;
use crate::project::{FilesSource, OnError};
use crate::ty::Type;
use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::datatypes::{Field, Schema};
use arrow::error::ArrowError;
use arrow::ipc::MetadataVersion;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions};
use column::{Problem, Typed};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The most places of a table that are written out, also where there is nothing in them.
const MOST_PLACES: usize = 64 << 20;
/// The rows of a batch.
const BATCH: usize = 8192;

/// How the sheet of a workbook is read.
#[derive(Debug)]
pub(super) struct SheetReading {
    sheet: Option<String>,
    header: bool,
    skipped_rows: u32,
    nulls: Vec<String>,
    on_error: OnError,
    /// The columns whose type is declared, by their names in the data.
    columns: HashMap<String, Declared>,
}

/// The type that a column is declared to be of.
#[derive(Debug)]
struct Declared {
    ty: Type,
    field: Field,
}

/// The cells of a table, by columns.
struct Grid {
    /// The rows of the sheet that are rows of the table, counted from 0.
    rows: Vec<u32>,
    columns: Vec<Column>,
}

struct Column {
    name: String,
    /// The column of the sheet, counted from 0.
    at: u32,
    /// Which row of the table holds what.
    cells: Vec<(usize, Value)>,
}

impl SheetReading {
    pub(super) fn of(source: &FilesSource) -> Result<SheetReading, TableError> {
        let mut named = HashMap::new();
        for (name, ty) in columns::declared_in_data(source)? {
            let field = forms::declared_as(&Field::new(&name, ty.to_arrow(), true), &ty);
            named.insert(name, Declared { ty, field });
        }
        Ok(SheetReading {
            sheet: source.sheet.clone(),
            header: source.header.unwrap_or(true),
            skipped_rows: source.skip_lines.unwrap_or(0),
            nulls: source.null_values().into_iter().map(str::to_owned).collect(),
            on_error: source.on_error.unwrap_or_default(),
            columns: named,
        })
    }

    /// The sheet as an Arrow file. `opened` are the columns of the table that it is a file of, where that is open already.
    ///
    /// Errors: the workbook cannot be read, it is not clear which sheet is wanted, or a cell holds what its column cannot.
    pub(super) fn rewritten(&self, bytes: &[u8], opened: Option<&Schema>) -> Result<(Vec<u8>, Repairs), Flaw> {
        let mut workbook = Workbook::open(bytes)?;
        let sheet = self.chosen(&mut workbook)?;
        let cells = workbook.cells(&sheet)?;
        drop(workbook);
        let mut grid = self.grid(cells, &sheet)?;
        let mut repairs = Repairs::default();
        self.repair(&mut grid, &mut repairs)?;
        Ok((self.written(&grid, opened)?, repairs))
    }

    /// The sheet that is named, or the only one that holds anything.
    fn chosen(&self, workbook: &mut Workbook) -> Result<String, Flaw> {
        let Some(wanted) = &self.sheet else {
            let mut filled = workbook.filled()?;
            return match filled.pop() {
                Some(only) if filled.is_empty() => Ok(only),
                Some(last) => {
                    filled.push(last);
                    Err(format!("it has several sheets; say with `sheet` which one is the table: {}", list(&filled))
                        .into())
                }
                None => Err("none of its sheets that are shown holds anything".into()),
            };
        };
        let names = workbook.names();
        if names.contains(wanted) {
            return Ok(wanted.clone());
        }
        let near = nearest(wanted, names.iter().map(String::as_str)).map(|near| format!("; there is `{near}`"));
        let near = near.unwrap_or_default();
        let why = format!("the workbook has no sheet `{wanted}`{near}; its sheets are {}", list(&names));
        Err(Flaw::from(why).of_option("sheet"))
    }

    /// The header and the rows. Rows and columns that hold nothing are left out.
    fn grid(&self, cells: Vec<Cell>, sheet: &str) -> Result<Grid, Flaw> {
        let mut cells = cells.into_iter().filter(|cell| cell.row >= self.skipped_rows).peekable();
        let Some(first) = cells.peek().map(|cell| cell.row) else {
            return Err(match self.skipped_rows {
                0 => format!("the sheet `{sheet}` holds nothing").into(),
                rows => {
                    Flaw::from(format!("the sheet `{sheet}` holds nothing behind row {rows}")).of_option("skip_lines")
                }
            });
        };
        let mut named: BTreeMap<u32, String> = BTreeMap::new();
        let mut held: BTreeMap<u32, Vec<(usize, Value)>> = BTreeMap::new();
        let mut rows: Vec<u32> = Vec::new();
        for cell in cells {
            if self.header && cell.row == first {
                if let Value::Broken(what) = &cell.value {
                    return Err(format!("the header holds {what} in `{}`", cell.place()).into());
                }
                named.insert(cell.column, cell.value.shown());
                continue;
            }
            if rows.last() != Some(&cell.row) {
                rows.push(cell.row);
            }
            let values = held.entry(cell.column).or_default();
            if !self.is_null(&cell.value) {
                values.push((rows.len() - 1, cell.value));
            }
        }
        let places = self.places(&named, &held);
        if places.len().saturating_mul(rows.len()) > MOST_PLACES {
            let (columns, rows, most) = (places.len(), rows.len(), MOST_PLACES >> 20);
            let why = format!("the sheet `{sheet}` has {rows} rows and {columns} columns, mostly empty");
            return Err(format!("{why}: at most {most} million places are read").into());
        }
        let names = match self.header {
            true => {
                let names: Vec<String> = places.iter().map(|at| named.remove(at).unwrap_or_default()).collect();
                numbered_names(&names)
            }
            false => (1..=places.len()).map(|number| format!("column_{number}")).collect(),
        };
        let columns = names.into_iter().zip(places);
        let columns = columns.map(|(name, at)| Column { name, at, cells: held.remove(&at).unwrap_or_default() });
        Ok(Grid { columns: columns.collect(), rows })
    }

    /// The columns of the sheet that are columns of the table.
    fn places(&self, named: &BTreeMap<u32, String>, held: &BTreeMap<u32, Vec<(usize, Value)>>) -> Vec<u32> {
        let both: BTreeSet<u32> = named.keys().chain(held.keys()).copied().collect();
        match (both.first(), both.last()) {
            // Without names they are told apart by where they stand.
            (Some(first), Some(last)) if !self.header => (*first..=*last).collect(),
            _ => both.into_iter().collect(),
        }
    }

    fn is_null(&self, value: &Value) -> bool {
        matches!(value, Value::Text(text) if self.nulls.contains(text))
    }

    /// Deals with cells that hold what no value of their column can be.
    fn repair(&self, grid: &mut Grid, repairs: &mut Repairs) -> Result<(), Flaw> {
        let mut problems: BTreeMap<(usize, u32), String> = BTreeMap::new();
        for column in &grid.columns {
            let declared = self.columns.get(&column.name);
            for (row, value) in &column.cells {
                let checked = column::check(value, declared.map(|declared| (&declared.ty, &declared.field)));
                if let Err(Problem { what, why }) = checked {
                    let at = place(grid.rows.get(*row).copied().unwrap_or_default(), column.at);
                    problems.insert((*row, column.at), format!("column `{}` holds {what} in `{at}`{why}", column.name));
                }
            }
        }
        match self.on_error {
            OnError::Fail => match problems.into_values().next() {
                Some(first) => return Err(first.into()),
                None => return Ok(()),
            },
            OnError::Null => {
                for column in &mut grid.columns {
                    column.cells.retain(|(row, _)| !problems.contains_key(&(*row, column.at)));
                }
                problems.into_values().for_each(|why| repairs.add_null(why));
            }
            OnError::Skip => {
                let mut left_out: BTreeMap<usize, String> = BTreeMap::new();
                for ((row, _), why) in problems {
                    left_out.entry(row).or_insert(why);
                }
                grid.leave_out(&left_out);
                left_out.into_values().for_each(|why| repairs.add_skipped(why));
            }
        }
        Ok(())
    }

    fn written(&self, grid: &Grid, opened: Option<&Schema>) -> Result<Vec<u8>, Flaw> {
        let is_gone = |name: &str| !grid.columns.iter().any(|column| column.name == name);
        if let Some(gone) = opened.and_then(|opened| opened.fields().iter().find(|field| is_gone(field.name()))) {
            return Err(format!("the sheet has no column `{}` any more", gone.name()).into());
        }
        let mut fields = Vec::new();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        // The engine reads Arrow by the places of columns.
        let order = |column: &&Column| opened.and_then(|opened| opened.index_of(&column.name).ok());
        let mut columns: Vec<&Column> = grid.columns.iter().collect();
        columns.sort_by_key(|column| order(column).unwrap_or(usize::MAX));
        for column in columns {
            let typed = Typed { cells: &column.cells, rows: grid.rows.len() };
            let array = match self.columns.get(&column.name) {
                Some(declared) => typed.declared(&declared.ty),
                None => {
                    let at = |row: usize| place(grid.rows.get(row).copied().unwrap_or_default(), column.at);
                    let opened = opened.and_then(|opened| opened.field_with_name(&column.name).ok());
                    let inferred = typed.inferred(opened.map(Field::data_type), &at);
                    inferred.map_err(|why| Flaw::from(format!("column `{}` holds {why}", column.name)))?
                }
            };
            let array = array.map_err(|error| unwritten(&error))?;
            fields.push(Field::new(&column.name, array.data_type().clone(), true));
            arrays.push(array);
        }
        let write = || -> Result<Vec<u8>, ArrowError> {
            let schema = Arc::new(Schema::new(fields));
            let options = RecordBatchOptions::new().with_row_count(Some(grid.rows.len()));
            let all = RecordBatch::try_new_with_options(Arc::clone(&schema), arrays, &options)?;
            // Aligned to eight bytes, the schema stands where the engine looks for it in what is no local file.
            let options = IpcWriteOptions::try_new(8, false, MetadataVersion::V5)?;
            let mut writer = FileWriter::try_new_with_options(Vec::new(), &schema, options)?;
            for start in (0..all.num_rows()).step_by(BATCH) {
                writer.write(&all.slice(start, BATCH.min(all.num_rows() - start)))?;
            }
            writer.finish()?;
            writer.into_inner()
        };
        write().map_err(|error| unwritten(&error))
    }
}

impl Grid {
    /// Leaves rows out, by their numbers in the table.
    fn leave_out(&mut self, left_out: &BTreeMap<usize, String>) {
        if left_out.is_empty() {
            return;
        }
        let mut kept = Vec::new();
        let mut numbers: Vec<Option<usize>> = Vec::new();
        for (row, at) in self.rows.iter().enumerate() {
            let is_kept = !left_out.contains_key(&row);
            numbers.push(is_kept.then_some(kept.len()));
            if is_kept {
                kept.push(*at);
            }
        }
        self.rows = kept;
        for column in &mut self.columns {
            let cells = std::mem::take(&mut column.cells).into_iter();
            let kept = cells.filter_map(|(row, value)| Some((numbers.get(row).copied().flatten()?, value)));
            column.cells = kept.collect();
        }
    }
}

fn unwritten(error: &ArrowError) -> Flaw {
    format!("it cannot be rewritten: {error}").into()
}

/// `` `Orders`, `Customers` ``
fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
