//! Text in which some characters must not stand as they are: clean stretches are found eight bytes at a time and copied
//! as a whole.

use std::fmt::Write as _;

/// The given byte in every place of a word.
const fn every(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Marks the places of a word that are zero: the high bit of their byte, and no other.
const fn zeros(word: u64) -> u64 {
    !(((word & every(0x7f)) + every(0x7f)) | word | every(0x7f))
}

/// Marks the places of a word that hold a byte.
pub(super) const fn equal(word: u64, byte: u8) -> u64 {
    zeros(word ^ every(byte))
}

/// Marks the places of a word that hold a control character of ASCII, but for DEL.
pub(super) const fn controls(word: u64) -> u64 {
    zeros(word & every(0xe0))
}

/// Divides a text before the first byte that `marks` marks in a word: the clean stretch and the rest.
///
/// The marked bytes are such that a character begins with.
pub(super) fn divide(text: &str, marks: impl Fn(u64) -> u64) -> (&str, &str) {
    let (words, tail) = text.as_bytes().as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let found = marks(u64::from_le_bytes(*word));
        if found != 0 {
            return at_byte(text, at * 8 + place(found));
        }
    }
    // Filled up with a letter, which no format escapes.
    let last = tail.iter().rev().fold(every(b'x'), |word, byte| (word << 8) | u64::from(*byte));
    match marks(last) {
        0 => (text, ""),
        found => at_byte(text, words.len() * 8 + place(found)),
    }
}

/// The first place that is marked.
fn place(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

fn at_byte(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or((text, ""))
}

/// Appends a text as a string of JSON, byte for byte as `serde_json` does.
pub(crate) fn push_json(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    loop {
        let (clean, marked) = divide(rest, |word| controls(word) | equal(word, b'"') | equal(word, b'\\'));
        out.push_str(clean);
        let mut characters = marked.chars();
        match characters.next() {
            None => break,
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some('\u{8}') => out.push_str("\\b"),
            Some('\u{c}') => out.push_str("\\f"),
            // Writing to a string does not fail.
            Some(control) => _ = write!(out, "\\u{:04x}", u32::from(control)),
        }
        rest = characters.as_str();
    }
    out.push('"');
}
