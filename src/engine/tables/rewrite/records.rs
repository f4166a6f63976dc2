//! The records of a CSV text, taken to pieces as the engine's reader does it, with their lines.

use super::super::quoting::{Broken, Place, Step};
use super::super::whole::Flaw;
use super::Dialect;
use std::mem;

/// What can be done about a quote.
const QUOTES: &str = "write it twice for one in it, or say `quote: \"\"` where quotes are signs as any other";

/// The values of a row. An empty line has none.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::engine::tables) struct Record {
    pub(in crate::engine::tables) values: Vec<String>,
    /// The line that it begins in, from 1.
    pub(in crate::engine::tables) line: usize,
    /// How many lines it has.
    pub(in crate::engine::tables) ends: usize,
}

/// Takes a text to pieces. The first lines are skipped, whatever they hold: they are empty records.
pub(in crate::engine::tables) fn records(text: &str, dialect: Dialect, skipped: usize) -> Records<'_> {
    Records { rest: text, line: 1, dialect, skipped }
}

/// The records of a text, up to the first that cannot be told.
pub(in crate::engine::tables) struct Records<'a> {
    rest: &'a str,
    line: usize,
    dialect: Dialect,
    skipped: usize,
}

impl Records<'_> {
    fn skip_line(&mut self) -> Record {
        let (_, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.skipped -= 1;
        let line = self.line;
        self.line += 1;
        Record { values: Vec::new(), line, ends: 1 }
    }

    fn record(&mut self) -> Result<Record, Flaw> {
        let mut reading = Reading { dialect: self.dialect, place: Place::Before, value: String::new(), values: vec![] };
        let begins = self.line;
        let mut ends = 0;
        let mut quote = begins;
        for (at, sign) in self.rest.char_indices() {
            let before = reading.place;
            if sign == '\n' {
                ends += 1;
            }
            if reading.take(sign).map_err(|Broken| broken(quote))? {
                let rest = self.rest.get(at..).unwrap_or_default();
                // A line end of two signs is one.
                let length = if rest.starts_with("\r\n") { 2 } else { 1 };
                self.rest = rest.get(length..).unwrap_or_default();
                let ends = if sign == '\r' { ends + 1 } else { ends };
                self.line += ends;
                return Ok(Record { values: reading.ended(), line: begins, ends });
            }
            if before == Place::Before && reading.place == Place::Quoted {
                quote = begins + ends;
            }
        }
        self.rest = "";
        self.line += ends;
        if reading.place == Place::Quoted {
            return Err(format!("the quote that begins in line {quote} never ends; {QUOTES}").into());
        }
        Ok(Record { values: reading.ended(), line: begins, ends: ends + 1 })
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, Flaw>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        if self.skipped > 0 {
            return Some(Ok(self.skip_line()));
        }
        let record = self.record();
        if record.is_err() {
            self.rest = "";
        }
        Some(record)
    }
}

fn broken(line: usize) -> Flaw {
    format!("the quote that begins in line {line} ends within its value; {QUOTES}").into()
}

struct Reading {
    dialect: Dialect,
    place: Place,
    value: String,
    values: Vec<String>,
}

impl Reading {
    /// Takes the next sign; whether it ends the record.
    fn take(&mut self, sign: char) -> Result<bool, Broken> {
        let (step, behind) = self.place.step(self.dialect.sign(sign))?;
        match step {
            Step::Quotes => {}
            Step::Kept => self.value.push(sign),
            Step::EndsValue => self.values.push(mem::take(&mut self.value)),
            Step::EndsRecord => return Ok(true),
        }
        self.place = behind;
        Ok(false)
    }

    /// The values of the record; none of an empty line.
    fn ended(mut self) -> Vec<String> {
        if self.place != Place::Before || !self.values.is_empty() {
            self.values.push(self.value);
        }
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAS: Dialect = Dialect { delimiter: b',', quote: Some(b'"') };

    fn read(text: &str, skipped: usize) -> Result<Vec<(usize, Vec<String>)>, String> {
        let read = records(text, COMMAS, skipped).map(|record| record.map(|record| (record.line, record.values)));
        read.collect::<Result<_, _>>().map_err(|flaw| flaw.to_string())
    }

    #[test]
    fn records_know_their_lines() {
        let text = "a,b\r\n1,\"x\ny\"\r\n\r\n\"say \"\"hi\"\"\",\n,\n";
        let values = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
        let expected = vec![
            (1, values(&["a", "b"])),
            (2, values(&["1", "x\ny"])),
            (4, vec![]),
            (5, values(&["say \"hi\"", ""])),
            (6, values(&["", ""])),
        ];
        assert_eq!(read(text, 0), Ok(expected));
        assert_eq!(read("x\na\n1", 1), Ok(vec![(1, vec![]), (2, values(&["a"])), (3, values(&["1"]))]));
        assert_eq!(read("", 3), Ok(vec![]));
    }

    #[test]
    fn quotes_end_their_values() {
        assert!(read("a\n\"x", 0).unwrap_err().starts_with("the quote that begins in line 2 never ends"));
        assert!(read("a,b\n1,\"x\"y\n", 0).unwrap_err().starts_with("the quote that begins in line 2 ends within"));
        assert_eq!(read("5\" pipe", 0).unwrap().len(), 1);
    }
}
