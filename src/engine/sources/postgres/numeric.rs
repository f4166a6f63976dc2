//! Exact numbers as PostgreSQL sends and takes them: groups of four digits, with the place of the first of them.

use bytes::{BufMut, BytesMut};

/// The digits of a group.
const PER_GROUP: i32 = 4;

/// A group holds the numbers below this one.
const GROUP: i128 = 10_000;

/// What the sign says.
const POSITIVE: u16 = 0x0000;
const NEGATIVE: u16 = 0x4000;
const INFINITY: u16 = 0xD000;
const MINUS_INFINITY: u16 = 0xF000;

/// The bytes before the groups.
const HEAD: usize = 8;

/// A number as it was sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numeric<'a> {
    /// How many groups stand before the point behind the first of them.
    weight: i32,
    /// The sign, or that it is no number.
    sign: u16,
    /// How many digits are written behind the point.
    places: usize,
    /// The groups, two bytes each. Those of nothing but zeros are left out at both ends.
    groups: &'a [u8],
}

impl<'a> Numeric<'a> {
    /// Reads one; `None` where the bytes are none.
    pub(super) fn read(raw: &'a [u8]) -> Option<Numeric<'a>> {
        let (head, groups) = raw.split_at_checked(HEAD)?;
        let word = |at: usize| Some(u16::from_be_bytes(head.get(at..at + 2)?.try_into().ok()?));
        let is_whole = groups.len() == usize::from(word(0)?) * 2;
        let weight = i32::from(word(2)?.cast_signed());
        is_whole.then_some(Numeric { weight, sign: word(4)?, places: usize::from(word(6)?), groups })
    }

    /// What it is called where it is no number.
    pub(super) fn special(&self) -> Option<&'static str> {
        match self.sign {
            POSITIVE | NEGATIVE => None,
            INFINITY => Some("Infinity"),
            MINUS_INFINITY => Some("-Infinity"),
            _ => Some("NaN"),
        }
    }

    fn groups(&self) -> impl Iterator<Item = i128> + 'a {
        self.groups.chunks_exact(2).map(|pair| match pair {
            [high, low] => i128::from(u16::from_be_bytes([*high, *low])),
            _ => 0,
        })
    }

    /// The number without its point, where it has no other digits than those: `12.5` with two places is 1250.
    pub(super) fn decimal(&self, precision: u8, scale: i8) -> Option<i128> {
        if self.special().is_some() {
            return None;
        }
        let last = -i32::from(scale);
        let (mut number, mut place) = (0_i128, (self.weight + 1) * PER_GROUP);
        for group in self.groups() {
            place -= PER_GROUP;
            // The digits of the group that stand behind the last place have to be zeros.
            let cut = 10_i128.pow(u32::try_from((last - place).clamp(0, PER_GROUP)).ok()?);
            if group % cut != 0 {
                return None;
            }
            number = number.checked_mul(GROUP / cut)?.checked_add(group / cut)?;
        }
        let missing = u32::try_from((place - last).max(0)).ok()?;
        if number != 0 && missing > 0 {
            number = number.checked_mul(10_i128.checked_pow(missing)?)?;
        }
        let fits = 10_u128.checked_pow(u32::from(precision)).is_some_and(|end| number.unsigned_abs() < end);
        fits.then_some(if self.sign == NEGATIVE { -number } else { number })
    }

    /// The number as the server writes it, with all its digits.
    pub(super) fn text(&self) -> String {
        use std::fmt::Write;
        if let Some(special) = self.special() {
            return special.to_owned();
        }
        let mut written = String::with_capacity(self.groups.len() * 2 + self.places + 3);
        let mut groups = self.groups();
        let mut group = |place: i32| if place > self.weight { 0 } else { groups.next().unwrap_or_default() };
        for place in (0..=self.weight).rev() {
            // Writing to a string does not fail.
            let _ = if place == self.weight {
                write!(written, "{}", group(place))
            } else {
                write!(written, "{:04}", group(place))
            };
        }
        if written.is_empty() {
            written.push('0');
        }
        if self.places > 0 {
            written.push('.');
            let (end, mut place) = (written.len() + self.places, -1);
            while written.len() < end {
                let _ = write!(written, "{:04}", group(place));
                place -= 1;
            }
            written.truncate(end);
        }
        if self.sign == NEGATIVE {
            written.insert(0, '-');
        }
        written
    }

    /// The nearest floating-point number.
    pub(super) fn double(&self) -> Option<f64> {
        match self.special() {
            Some("NaN") => Some(f64::NAN),
            // Rust reads `-Infinity` too.
            _ => self.text().parse().ok(),
        }
    }
}

/// Writes a number as the server takes it.
pub(super) fn write(digits: i128, scale: i8, to: &mut BytesMut) {
    let places = usize::from(scale.max(0).unsigned_abs());
    let mut written = digits.unsigned_abs().to_string();
    // The places of a negative scale are zeros before the point.
    written.extend(std::iter::repeat_n('0', usize::from(scale.min(0).unsigned_abs())));
    let written = format!("{written:0>width$}", width = places + 1);
    let (whole, behind) = written.split_at(written.len() - places);
    let whole = format!("{whole:0>width$}", width = whole.len().next_multiple_of(4));
    let behind = format!("{behind:0<width$}", width = behind.len().next_multiple_of(4));
    let of_text = |text: &str| -> Vec<u16> {
        let digits: Vec<u16> = text.bytes().map(|digit| u16::from(digit - b'0')).collect();
        digits.chunks_exact(4).map(|group| group.iter().fold(0, |number, digit| number * 10 + digit)).collect()
    };
    let before = of_text(&whole).len();
    let mut groups = of_text(&format!("{whole}{behind}"));
    let zeros = groups.iter().take_while(|group| **group == 0).count();
    groups.drain(..zeros);
    groups.truncate(groups.iter().rposition(|group| *group != 0).map_or(0, |last| last + 1));
    let weight = if groups.is_empty() { 0 } else { before as i16 - 1 - zeros as i16 };
    to.put_u16(groups.len() as u16);
    to.put_i16(weight);
    to.put_u16(if digits < 0 { NEGATIVE } else { POSITIVE });
    to.put_u16(places as u16);
    groups.into_iter().for_each(|group| to.put_u16(group));
}
