//! The encoding of a text.

use crate::in_words::in_words;
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, IBM866, KOI8_R, MACINTOSH, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1257,
};

in_words! {
    /// Why the encoding of a text cannot be told.
    pub(super) struct Untold;
}

/// What a text may be in that is neither UTF-8 nor windows-1252.
const OTHERS: [&Encoding; 13] = [
    SHIFT_JIS,
    EUC_JP,
    GB18030,
    BIG5,
    EUC_KR,
    WINDOWS_1251,
    WINDOWS_1250,
    WINDOWS_1253,
    WINDOWS_1254,
    WINDOWS_1257,
    KOI8_R,
    IBM866,
    MACINTOSH,
];

/// How many of them are named.
const NAMED: usize = 4;

/// How much of a text is looked at for what else it may be.
const LOOKED_AT: usize = 1 << 20;

/// The encoding of texts that are read in the same way, and why.
///
/// Errors: they are in none that can be told.
pub(super) fn encoding_of(texts: &[&[u8]]) -> Result<(&'static Encoding, &'static str), Untold> {
    let mut all = Vec::new();
    for text in texts {
        all.push(of_one(text)?);
    }
    let first = all.first().copied().unwrap_or((UTF_8, ""));
    // What is written in ASCII alone is so in any of them.
    let other = texts.iter().zip(&all).find(|(text, _)| !text.is_ascii()).map(|(_, encoding)| *encoding);
    Ok(if first.0 == UTF_8 { other.unwrap_or(first) } else { first })
}

fn of_one(bytes: &[u8]) -> Result<(&'static Encoding, &'static str), Untold> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return Ok((encoding, "a byte order mark says so"));
    }
    let head = bytes.get(..4096).unwrap_or(bytes);
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count() * 4 > head.len();
    match (zeros(0), zeros(1)) {
        (false, true) => return Ok((UTF_16LE, "every second byte is zero")),
        (true, false) => return Ok((UTF_16BE, "every second byte is zero")),
        _ => {}
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => Ok((UTF_8, "")),
        // Cut off inside of a sign.
        Err(error) if error.error_len().is_none() => Ok((UTF_8, "")),
        Err(_) => match bytes.iter().position(|byte| is_none_of_text(*byte)) {
            None => Ok((WINDOWS_1252, "it is no UTF-8; a guess: look at a text with letters that are not English")),
            Some(at) => Err(refusal_of(bytes, at).into()),
        },
    }
}

/// Whether windows-1252 has no sign for a byte, or one that no text has.
fn is_none_of_text(byte: u8) -> bool {
    matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D | 0..=8 | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F)
}

fn refusal_of(bytes: &[u8], at: usize) -> String {
    let line = bytes.iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
    let head = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    // Up to a line end, none of which lies inside of a sign.
    let end = head.iter().rposition(|byte| *byte == b'\n').unwrap_or(head.len());
    let head = if head.len() < bytes.len() { head.get(..end).unwrap_or(head) } else { head };
    let fits = |encoding: &&&'static Encoding| {
        let (text, _, had_errors) = encoding.decode(head);
        !had_errors && !text.chars().any(|sign| sign.is_control() && !sign.is_ascii_whitespace())
    };
    let fitting: Vec<String> = OTHERS
        .iter()
        .filter(fits)
        .take(NAMED)
        .map(|encoding| format!("`{}`", encoding.name().to_lowercase()))
        .collect();
    let which = match fitting.as_slice() {
        [] => "; it may be no text at all".to_owned(),
        fitting => format!("; it would be a text in {}", fitting.join(", ")),
    };
    format!("line {line} holds bytes that are neither UTF-8 nor windows-1252: `encoding` says what it is{which}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_text_has_is_no_guess() {
        let (jis, _, _) = SHIFT_JIS.encode("番号,名前\n1,東京\n2,大阪\nソ,能\n");
        let why = encoding_of(&[&jis]).unwrap_err().to_string();
        assert!(why.contains("`encoding` says what it is; it would be a text in `shift_jis`"), "{why}");
        assert!(why.starts_with("line "), "{why}");
        let why = encoding_of(&[b"a,\xFF\0\x01\x02b\n"]).unwrap_err().to_string();
        assert!(why.ends_with("it may be no text at all"), "{why}");
    }

    #[test]
    fn the_encoding_is_that_of_all_texts() {
        let of = |texts: &[&[u8]]| encoding_of(texts).unwrap().0;
        assert_eq!(of(&[b"a,b\n", b"K\xF6ln\n"]), WINDOWS_1252);
        assert_eq!(of(&["Köln\n".as_bytes(), b"K\xF6ln\n"]), UTF_8);
        assert_eq!(of(&[b"a\n", b"b\n"]), UTF_8);
        assert_eq!(of(&[b"a\0,\0b\0\n\0"]), UTF_16LE);
    }
}
