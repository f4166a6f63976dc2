//! What an `.xls` file holds, before it is read: the reader makes room for every place between the first and the last cell of
//! each sheet, and a text of its own for every cell that shares one.

use super::super::super::whole::Flaw;
use super::unpacked::ENCRYPTED;
use cfb::{CompoundFile, Version};
use std::io::{Cursor, Read, Write};

/// The most bytes of the stream that holds the sheets.
const MOST: u64 = 512 << 20;
/// The bytes that the cells of all sheets may take.
const MOST_CELLS: u64 = 1 << 30;
/// The bytes that a cell takes beside its text, with that of its formula.
const CELL: u64 = 64;
/// The rows and columns that a sheet has at the most.
const ROWS: u64 = 1 << 16;
const COLUMNS: u64 = 1 << 8;
/// The longest text that cells share, in bytes of UTF-8.
const LONGEST: u64 = 3 * (1 << 16);

/// The kinds of records that are looked at.
const END: u16 = 0x000A;
const BEGIN: u16 = 0x0809;
const CONTINUED: u16 = 0x003C;
const SHEET: u16 = 0x0085;
const SHARED: u16 = 0x00FC;
const SHARED_TEXT: u16 = 0x00FD;
const DIMENSIONS: u16 = 0x0200;
const NUMBERS: u16 = 0x00BD;
const CELLS: [u16; 7] = [0x0006, 0x0203, 0x0204, 0x00D6, 0x0205, 0x027E, SHARED_TEXT];

/// The workbook in a file that holds nothing else: what was looked at is what is read.
///
/// Errors: it is encrypted, damaged, no workbook, or would take too much room.
pub(super) fn checked(bytes: &[u8]) -> Result<Vec<u8>, Flaw> {
    let damaged = |_| Flaw::from("the workbook is damaged: its parts cannot be found");
    let mut file = CompoundFile::open(Cursor::new(bytes)).map_err(damaged)?;
    if file.exists("/EncryptedPackage") {
        return Err(ENCRYPTED.into());
    }
    let name = ["/Workbook", "/Book"].into_iter().find(|name| file.is_stream(name));
    let name = name.ok_or("it is a document of another program, and no workbook")?;
    let mut stream = Vec::new();
    let read = file.open_stream(name).and_then(|open| open.take(MOST + 1).read_to_end(&mut stream)).map_err(damaged)?;
    if read as u64 > MOST {
        let most = MOST >> 20;
        return Err(format!("of workbooks at most {most} MiB are read; write it as Parquet").into());
    }
    check(&stream)?;
    let alone = || {
        let mut file = CompoundFile::create_with_version(Version::V3, Cursor::new(Vec::new()))?;
        file.create_stream(name)?.write_all(&stream)?;
        file.flush()?;
        Ok(file.into_inner().into_inner())
    };
    alone().map_err(damaged)
}

/// A record: its kind and its bytes.
struct Records<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Records<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<(u16, &'a [u8])> {
        let kind = u16_at(self.rest, 0)?;
        let length = usize::from(u16_at(self.rest, 2)?);
        let data = self.rest.get(4..4 + length)?;
        self.rest = self.rest.get(4 + length..)?;
        Some((kind, data))
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn check(stream: &[u8]) -> Result<(), Flaw> {
    let mut sheets = Vec::new();
    let mut shared: Vec<&[u8]> = Vec::new();
    let mut last = END;
    for (kind, data) in (Records { rest: stream }) {
        match kind {
            SHEET => sheets.push(u32_at(data, 0).unwrap_or(u32::MAX) as usize),
            SHARED => shared = vec![data],
            CONTINUED if last == SHARED => shared.push(data),
            END => break,
            _ => {}
        }
        last = if kind == CONTINUED { last } else { kind };
    }
    let shared = lengths(&shared);
    let mut bytes = 0_u64;
    for at in sheets {
        let Some(rest) = stream.get(at..) else { return Err("the workbook is damaged: a sheet is missing".into()) };
        bytes = bytes.saturating_add(size(Records { rest }, &shared)?);
        if bytes > MOST_CELLS {
            let most = MOST_CELLS >> 20;
            return Err(format!("the cells of its sheets take more than {most} MiB; write it as Parquet").into());
        }
    }
    Ok(())
}

/// What the cells of a sheet take.
///
/// Errors: it says that it is larger than any is.
fn size(records: Records, shared: &[u64]) -> Result<u64, Flaw> {
    let (mut top, mut bottom, mut left, mut right) = (u64::MAX, 0, u64::MAX, 0);
    let (mut depth, mut texts) = (0_usize, 0_u64);
    for (kind, data) in records {
        match kind {
            BEGIN => depth += 1,
            END if depth <= 1 => break,
            END => depth -= 1,
            DIMENSIONS => check_dimensions(data)?,
            kind if kind == NUMBERS || CELLS.contains(&kind) => {
                let place = |at: usize| u16_at(data, at).map(u64::from);
                let (Some(row), Some(column)) = (place(0), place(2)) else { continue };
                let last = if kind == NUMBERS { data.len().checked_sub(2).and_then(place) } else { None };
                (top, bottom) = (top.min(row), bottom.max(row + 1));
                (left, right) = (left.min(column), right.max(last.unwrap_or(column).max(column) + 1));
                if kind == SHARED_TEXT {
                    let text = u32_at(data, 6).and_then(|index| shared.get(index as usize));
                    texts = texts.saturating_add(text.copied().unwrap_or(LONGEST));
                }
            }
            _ => {}
        }
    }
    let places = bottom.saturating_sub(top).saturating_mul(right.saturating_sub(left));
    Ok(places.saturating_mul(CELL).saturating_add(texts))
}

fn check_dimensions(data: &[u8]) -> Result<(), Flaw> {
    let (rows, columns) = match data.len() {
        10 => {
            (u16_at(data, 0).map(u32::from).zip(u16_at(data, 2).map(u32::from)), u16_at(data, 4).zip(u16_at(data, 6)))
        }
        _ => (u32_at(data, 0).zip(u32_at(data, 4)), u16_at(data, 8).zip(u16_at(data, 10))),
    };
    let (Some((first, end)), Some((_, right))) = (rows, columns) else { return Ok(()) };
    // What the reader takes for no rows, and what it takes for columns from the first on.
    let is_empty = end == 0 || right == 0;
    if is_empty || (first < end && u64::from(end) <= ROWS && u64::from(right) <= COLUMNS) {
        return Ok(());
    }
    Err("the workbook is damaged: a sheet says that it is larger than any can be".into())
}

/// The lengths of the texts that cells share, in bytes of UTF-8 at the most; of those that can be told.
fn lengths(parts: &[&[u8]]) -> Vec<u64> {
    let mut lengths = Vec::new();
    let mut texts = Texts { parts, part: 0, at: 8 };
    while let Some(length) = texts.next_length() {
        lengths.push(length);
    }
    lengths
}

/// Texts that go on in the records behind.
struct Texts<'a> {
    parts: &'a [&'a [u8]],
    part: usize,
    at: usize,
}

impl Texts<'_> {
    fn left(&self) -> usize {
        self.parts.get(self.part).map_or(0, |part| part.len().saturating_sub(self.at))
    }

    fn go_on(&mut self) -> Option<()> {
        (self.part, self.at) = (self.part + 1, 0);
        self.parts.get(self.part).map(|_| ())
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let found = *self.parts.get(self.part)?.get(self.at..)?.first_chunk()?;
        self.at += N;
        Some(found)
    }

    fn next_length(&mut self) -> Option<u64> {
        if self.left() == 0 {
            self.go_on()?;
        }
        let count = u16::from_le_bytes(self.bytes()?);
        let [flags] = self.bytes()?;
        let runs = if flags & 8 != 0 { u16::from_le_bytes(self.bytes()?).into() } else { 0 };
        let more = if flags & 4 != 0 { u32::from_le_bytes(self.bytes()?) as usize } else { 0 };
        let (mut rest, mut width) = (usize::from(count), usize::from(flags & 1) + 1);
        loop {
            let here = rest.min(self.left() / width);
            self.at += here * width;
            rest -= here;
            if rest == 0 {
                break;
            }
            self.go_on()?;
            let [flags] = self.bytes()?;
            width = usize::from(flags & 1) + 1;
        }
        self.skip(4 * runs + more)?;
        Some(3 * u64::from(count))
    }

    fn skip(&mut self, mut rest: usize) -> Option<()> {
        while rest > self.left() {
            rest -= self.left();
            self.go_on()?;
        }
        self.at += rest;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u16, data: &[u8]) -> Vec<u8> {
        let length = u16::try_from(data.len()).unwrap();
        [&kind.to_le_bytes(), &length.to_le_bytes(), data].concat()
    }

    fn cell(kind: u16, row: u16, column: u16) -> Vec<u8> {
        record(kind, &[&row.to_le_bytes()[..], &column.to_le_bytes(), &[0; 10]].concat())
    }

    fn stream(shared: &[u8], cells: &[Vec<u8>]) -> Vec<u8> {
        let globals = [record(BEGIN, &[0; 16]), record(SHARED, shared)].concat();
        let at = u32::try_from(globals.len() + 12 + 4).unwrap();
        let sheet = record(SHEET, &[&at.to_le_bytes()[..], &[0, 0, 0, 0]].concat());
        [globals, sheet, record(END, &[]), record(BEGIN, &[0; 16]), cells.concat(), record(END, &[])].concat()
    }

    #[test]
    fn room_is_not_made_for_two_corners() {
        let near = [cell(0x0203, 0, 0), cell(0x0203, 1000, 100)];
        assert_eq!(check(&stream(&[0; 8], &near)), Ok(()));
        let far = [cell(0x0203, 0, 0), cell(0x0203, 65535, 65535)];
        assert!(check(&stream(&[0; 8], &far)).is_err());
        let sized = |end: u32| record(DIMENSIONS, &[&[0; 4][..], &end.to_le_bytes(), &[0, 0, 9, 0, 0, 0]].concat());
        assert_eq!(check(&stream(&[0; 8], &[sized(65536)])), Ok(()));
        assert!(check(&stream(&[0; 8], &[sized(u32::MAX)])).is_err());
    }

    #[test]
    fn a_text_that_many_share_is_counted_for_each() {
        let text = |length: u16| [&[0; 8][..], &length.to_le_bytes(), &[0], &vec![b'a'; length.into()]].concat();
        let cells: Vec<Vec<u8>> = (0..20_000).map(|row| cell(SHARED_TEXT, row, 0)).collect();
        assert_eq!(lengths(&[&text(9)]), [27]);
        assert_eq!(check(&stream(&text(100), &cells)), Ok(()));
        assert!(check(&stream(&text(60_000), &cells)).is_err());
    }

    #[test]
    fn a_text_goes_on_in_the_next_record() {
        let first = [&[0; 8][..], &[4, 0, 0], b"ab"].concat();
        assert_eq!(lengths(&[&first, b"\x01c\0d\0\x01\0\0e"]), [12, 3]);
    }
}
