//! Workbooks of Excel and LibreOffice: their sheets, cell by cell.
//!
//! Calamine reads them. It takes a file at its word for how much is in it, so what a few bytes could be blown up to is looked
//! at before: all that a zip archive unpacks to (`unpacked`), what OpenDocument repeats (`repeated`), and which places the
//! records of an `.xls` file name (`records`). Sheets of `.xlsx` and `.xlsb` are read cell by cell and never as a whole
//! rectangle, which two cells in opposite corners would make as large as a sheet can be.

mod records;
mod repeated;
mod unpacked;
mod value;

pub(in crate::engine::tables) use value::Value;

use super::super::whole::Flaw;
use calamine::{Data, Ods, Reader, Sheet, SheetType, SheetVisible, Xls, Xlsb, Xlsx};
use std::fmt::Display;
use std::io::Cursor;
use std::ops::ControlFlow;
use unpacked::{Archive, ENCRYPTED};

/// The most cells that are read of a sheet.
const MOST_CELLS: usize = 16 << 20;
/// The most text that is read of a sheet.
const MOST_TEXT: usize = 512 << 20;

/// A cell that holds something.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::engine::tables) struct Cell {
    /// Its row, counted from 0.
    pub(in crate::engine::tables) row: u32,
    /// Its column, counted from 0.
    pub(in crate::engine::tables) column: u32,
    /// What it holds.
    pub(in crate::engine::tables) value: Value,
}

/// A workbook that is open.
pub(in crate::engine::tables) struct Workbook<'a> {
    sheets: Sheets<'a>,
}

enum Sheets<'a> {
    Xlsx(Box<Xlsx<Cursor<&'a [u8]>>>),
    Xlsb(Box<Xlsb<Cursor<&'a [u8]>>>),
    Ods(Box<Ods<Cursor<&'a [u8]>>>),
    Xls(Box<Xls<Cursor<Vec<u8>>>>),
}

impl<'a> Workbook<'a> {
    /// Opens a workbook. What it is shows in its bytes: `.xls` files hold all kinds of things.
    ///
    /// Errors: it is none, is damaged or encrypted, or would be too large.
    pub(in crate::engine::tables) fn open(bytes: &'a [u8]) -> Result<Workbook<'a>, Flaw> {
        let sheets = match bytes {
            [b'P', b'K', ..] => Workbook::unpacked(bytes)?,
            [0xD0, 0xCF, 0x11, 0xE0, ..] => {
                let checked = records::checked(bytes)?;
                Sheets::Xls(Box::new(Xls::new(Cursor::new(checked)).map_err(damaged)?))
            }
            _ => return Err(no_workbook(bytes)),
        };
        Ok(Workbook { sheets })
    }

    fn unpacked(bytes: &'a [u8]) -> Result<Sheets<'a>, Flaw> {
        let reader = Cursor::new(bytes);
        Ok(match unpacked::check(bytes)? {
            Archive::Xlsx => Sheets::Xlsx(Box::new(Xlsx::new(reader).map_err(damaged)?)),
            Archive::Xlsb => Sheets::Xlsb(Box::new(Xlsb::new(reader).map_err(damaged)?)),
            Archive::Ods => Sheets::Ods(Box::new(Ods::new(reader).map_err(damaged)?)),
        })
    }

    fn metadata(&self) -> &[Sheet] {
        match &self.sheets {
            Sheets::Xlsx(workbook) => workbook.sheets_metadata(),
            Sheets::Xlsb(workbook) => workbook.sheets_metadata(),
            Sheets::Ods(workbook) => workbook.sheets_metadata(),
            Sheets::Xls(workbook) => workbook.sheets_metadata(),
        }
    }

    /// The sheets that may be a table: not diagrams, nor macros.
    pub(in crate::engine::tables) fn names(&self) -> Vec<String> {
        let of_cells = self.metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
        of_cells.map(|sheet| sheet.name.clone()).collect()
    }

    /// Those of them that are shown and hold something.
    pub(in crate::engine::tables) fn filled(&mut self) -> Result<Vec<String>, Flaw> {
        let is_shown =
            |sheet: &&Sheet| sheet.typ == SheetType::WorkSheet && matches!(sheet.visible, SheetVisible::Visible);
        let names: Vec<String> = self.metadata().iter().filter(is_shown).map(|sheet| sheet.name.clone()).collect();
        let mut filled = Vec::new();
        for name in names {
            let mut is_filled = false;
            self.visit(&name, &mut |_| {
                is_filled = true;
                Ok(ControlFlow::Break(()))
            })?;
            if is_filled {
                filled.push(name);
            }
        }
        Ok(filled)
    }

    /// The cells of a sheet that hold something, row by row.
    ///
    /// Errors: it is damaged, or there are too many.
    pub(in crate::engine::tables) fn cells(&mut self, sheet: &str) -> Result<Vec<Cell>, Flaw> {
        let mut cells: Vec<Cell> = Vec::new();
        let mut text = 0;
        self.visit(sheet, &mut |cell| {
            text += cell.value.length();
            if cells.len() >= MOST_CELLS || text > MOST_TEXT {
                let (cells, text) = (MOST_CELLS >> 20, MOST_TEXT >> 20);
                let why = format!("of a sheet at most {cells} million cells and {text} MiB of text are read");
                return Err(format!("{why}; write it as Parquet").into());
            }
            cells.push(cell);
            Ok(ControlFlow::Continue(()))
        })?;
        let place = |cell: &Cell| (cell.row, cell.column);
        cells.sort_by_key(place);
        match cells.windows(2).find(|pair| matches!(pair, [one, other] if place(one) == place(other))) {
            Some([twice, ..]) => Err(format!("it is damaged: the cell `{}` stands twice", twice.place()).into()),
            _ => Ok(cells),
        }
    }

    fn visit(&mut self, sheet: &str, visit: &mut Visit) -> Result<(), Flaw> {
        let range = match &mut self.sheets {
            Sheets::Xlsx(workbook) => {
                let mut cells = workbook.worksheet_cells_reader(sheet).map_err(damaged)?;
                while let Some(cell) = cells.next_cell().map_err(damaged)? {
                    if visited(cell.get_position(), cell.get_value().clone().into(), visit)?.is_break() {
                        break;
                    }
                }
                return Ok(());
            }
            Sheets::Xlsb(workbook) => {
                let mut cells = workbook.worksheet_cells_reader(sheet).map_err(damaged)?;
                while let Some(cell) = cells.next_cell().map_err(damaged)? {
                    if visited(cell.get_position(), cell.get_value().clone().into(), visit)?.is_break() {
                        break;
                    }
                }
                return Ok(());
            }
            Sheets::Ods(workbook) => workbook.worksheet_range(sheet).map_err(damaged)?,
            Sheets::Xls(workbook) => workbook.worksheet_range(sheet).map_err(damaged)?,
        };
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, value) in range.used_cells() {
            let place =
                (top + u32::try_from(row).unwrap_or(u32::MAX), left + u32::try_from(column).unwrap_or(u32::MAX));
            if visited(place, value.clone(), visit)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Takes a cell, and says whether that is enough.
type Visit<'v> = dyn FnMut(Cell) -> Result<ControlFlow<()>, Flaw> + 'v;

fn visited((row, column): (u32, u32), data: Data, visit: &mut Visit) -> Result<ControlFlow<()>, Flaw> {
    match Value::of(data) {
        Some(value) => visit(Cell { row, column, value }),
        None => Ok(ControlFlow::Continue(())),
    }
}

impl Cell {
    /// Where it is, as people say it: `B7`.
    pub(in crate::engine::tables) fn place(&self) -> String {
        place(self.row, self.column)
    }
}

/// Where a cell is, as people say it: `B7`.
pub(in crate::engine::tables) fn place(row: u32, column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        let letter = u8::try_from((rest - 1) % 26).unwrap_or_default();
        letters.push(char::from(b'A' + letter));
        rest = (rest - 1) / 26;
    }
    let letters: String = letters.into_iter().rev().collect();
    format!("{letters}{}", u64::from(row) + 1)
}

/// The reader's own words, shortened.
fn damaged(error: impl Display) -> Flaw {
    let words = error.to_string();
    if words.contains("password protected") {
        return ENCRYPTED.into();
    }
    let words: String = words.lines().next().unwrap_or_default().chars().take(120).collect();
    format!("the workbook is damaged, or of a kind that is not read: {words}").into()
}

/// What a file is that is no workbook.
fn no_workbook(bytes: &[u8]) -> Flaw {
    let head = bytes.get(..512).unwrap_or(bytes).trim_ascii_start();
    let begins = |with: &str| head.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()));
    if begins("<html") || begins("<!doctype html") || begins("<table") {
        return "it is no workbook but a page of HTML, which some programs call `.xls`; save it as `.xlsx`".into();
    }
    if begins("<?xml") {
        return "it is no workbook but a text in XML; save it as `.xlsx`".into();
    }
    if !head.is_empty() && !head.contains(&0) && std::str::from_utf8(head).is_ok() {
        return "it is no workbook but a text: say how it is to be read, such as `format: csv`".into();
    }
    "it is no workbook, or damaged at its beginning".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_called_as_people_call_them() {
        for (row, column, name) in [(0, 0, "A1"), (6, 1, "B7"), (9, 25, "Z10"), (0, 26, "AA1"), (0, 16383, "XFD1")] {
            assert_eq!(place(row, column), name);
        }
    }

    #[test]
    fn what_is_no_workbook_is_told() {
        let why = |bytes: &[u8]| Workbook::open(bytes).map(|_| ()).unwrap_err().to_string();
        assert!(why(b"<html><table>").contains("a page of HTML"));
        assert!(why(b"id;name\n1;x\n").contains("`format: csv`"));
        assert!(why(&[0, 1, 2, 3]).contains("no workbook"));
        assert!(why(b"PK\x03\x04cut off").contains("damaged"));
        assert!(why(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1]).contains("damaged"));
    }
}
