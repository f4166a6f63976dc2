//! What an OpenDocument sheet repeats: a cell, a row and a blank say how often they stand there, and the reader writes all of
//! them out.

use super::super::super::whole::Flaw;

/// The bytes that the cells of all sheets may take.
const MOST: u64 = 1 << 30;
/// The bytes that a cell takes beside its text.
const CELL: u64 = 64;
/// The rows and columns that a sheet has at the most; the reader leaves out what is beyond.
const MOST_ROWS: u64 = 1 << 20;
const MOST_COLUMNS: u64 = 1 << 14;

/// Counts what the cells of a part of a workbook take when they are all written out.
///
/// Errors: too much.
pub(super) fn check(part: &[u8]) -> Result<(), Flaw> {
    let text = String::from_utf8_lossy(part);
    let mut count = Count::default();
    for piece in text.split('<').skip(1) {
        count.take(piece)?;
        if count.bytes() > MOST {
            let most = MOST >> 20;
            return Err(format!("the cells of its sheets take more than {most} MiB; write it as Parquet").into());
        }
    }
    Ok(())
}

#[derive(Default)]
struct Count {
    /// Of the sheets before.
    sheets: u64,
    /// The rows of this sheet, up to the last that holds something, and those behind it.
    rows: u64,
    empty_rows: u64,
    columns: u64,
    texts: u64,
    row: Row,
}

/// A row that is being counted.
#[derive(Default)]
struct Row {
    repeats: u64,
    columns: u64,
    empty_columns: u64,
    texts: u64,
    /// How often the cell stands there, and the bytes of its text.
    cell: u64,
}

impl Count {
    fn bytes(&self) -> u64 {
        let cells = self.rows.saturating_mul(self.columns).saturating_mul(CELL);
        self.sheets.saturating_add(cells).saturating_add(self.texts)
    }

    /// Takes what stands between one `<` and the next.
    fn take(&mut self, piece: &str) -> Result<(), Flaw> {
        let tag = piece.split('>').next().unwrap_or_default();
        let name = tag.split(|sign: char| sign.is_whitespace() || sign == '/').next().unwrap_or_default();
        let (rows, columns) = (number(tag, "number-rows-repeated"), number(tag, "number-columns-repeated"));
        match name {
            "table:table" => {
                let bytes = self.bytes();
                *self = Count { sheets: bytes, ..Count::default() };
            }
            "table:table-row" => self.begin_row(rows.unwrap_or(1).min(MOST_ROWS)),
            "table:table-cell" | "table:covered-table-cell" => {
                self.begin_cell(tag, columns.unwrap_or(1).min(MOST_COLUMNS));
            }
            "table:table-column" => {}
            _ if rows.is_some() || columns.is_some() => {
                return Err("the workbook is damaged: something is repeated that is no cell".into());
            }
            _ => {}
        }
        let blanks = number(tag, "text:c").unwrap_or(0);
        let text = blanks.saturating_add(piece.len() as u64);
        self.row.texts = self.row.texts.saturating_add(text.saturating_mul(self.row.cell));
        self.add_row();
        Ok(())
    }

    fn begin_row(&mut self, repeats: u64) {
        self.row = Row { repeats, ..Row::default() };
        self.empty_rows = self.empty_rows.saturating_add(repeats);
    }

    fn begin_cell(&mut self, tag: &str, repeats: u64) {
        let is_filled = ["office:", "value-type", "formula"].iter().any(|sign| tag.contains(sign));
        if is_filled {
            self.row.columns += std::mem::take(&mut self.row.empty_columns) + repeats;
            self.row.cell = repeats;
        } else {
            self.row.empty_columns += repeats;
            self.row.cell = 0;
        }
    }

    /// Adds what the row has by now to the sheet.
    fn add_row(&mut self) {
        if self.row.columns > 0 {
            self.rows = self.rows.saturating_add(std::mem::take(&mut self.empty_rows));
            self.columns = self.columns.max(self.row.columns);
        }
        let texts = std::mem::take(&mut self.row.texts).saturating_mul(self.row.repeats);
        self.texts = self.texts.saturating_add(texts);
    }
}

/// The number that an attribute says; one that cannot be read is as large as any.
fn number(tag: &str, attribute: &str) -> Option<u64> {
    let said = |(at, name): (usize, &str)| {
        let value = tag.get(at + name.len()..)?.trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|sign| matches!(sign, '"' | '\''))?;
        let digits = value.get(1..)?.split(quote).next()?;
        Some(digits.parse().unwrap_or(u64::MAX))
    };
    tag.match_indices(attribute).filter_map(said).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUE: &str = r#"office:value-type="float" office:value="1""#;

    fn sheet(rows: &str) -> Result<(), Flaw> {
        check(format!(r#"<table:table table:name="A"><table:table-column table:number-columns-repeated="16384"/>{rows}</table:table>"#).as_bytes())
    }

    #[test]
    fn what_stands_behind_all_values_is_not_counted() {
        let rows = format!(
            r#"<table:table-row><table:table-cell {VALUE}/><table:table-cell table:number-columns-repeated="16383"/></table:table-row>
               <table:table-row table:number-rows-repeated="1048575"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>"#
        );
        assert_eq!(sheet(&rows), Ok(()));
    }

    #[test]
    fn what_is_repeated_is_counted() {
        let wide = format!(
            r#"<table:table-row><table:table-cell table:number-columns-repeated="16384" {VALUE}/></table:table-row>"#
        );
        assert_eq!(sheet(&wide), Ok(()));
        assert!(sheet(&wide.repeat(2000)).is_err());
        let high = wide.replace("<table:table-row>", r#"<table:table-row table:number-rows-repeated="1048576">"#);
        assert!(sheet(&high).is_err());
        let escaped =
            wide.replace("<table:table-row>", r#"<table:table-row table:number-rows-repeated="&#49;000000">"#);
        assert!(sheet(&escaped).is_err());
        let blanks = r#"<table:table-row><table:table-cell office:value-type="string"><text:p>a<text:s text:c="4000000000"/></text:p></table:table-cell></table:table-row>"#;
        assert!(sheet(blanks).is_err());
        assert!(sheet(r#"<x y="<" table:number-columns-repeated="9"/>"#).is_err());
        assert!(sheet(r#"<x table:number-columns-repeated="9"/>"#).is_err());
    }
}
