//! A text as it is read back from how it is escaped, and where each byte of it came from.

use std::ops::Range;

/// What `\x` of more than ASCII stands for: a letter, as `repr` of a text in Python writes it, or a byte, as that of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    OfLetters,
    OfBytes,
}

/// The names of HTML that texts are escaped by.
const NAMED: [(&[u8], u8); 5] = [(b"amp", b'&'), (b"lt", b'<'), (b"gt", b'>'), (b"quot", b'"'), (b"apos", b'\'')];
/// The longest reference of HTML that is read, without `&` and `;`.
const LONGEST_REFERENCE: usize = 8;

/// A text, read back.
pub(super) struct View {
    bytes: Vec<u8>,
    /// Where in the text at the bottom each byte begins; those of one letter begin at one place.
    starts: Vec<usize>,
    /// Where that text ends.
    end: usize,
}

impl View {
    /// A text, read back once; `None` where nothing in it is escaped.
    pub(super) fn decoded(text: &[u8], escapes: Escapes) -> Option<View> {
        read_back(text, escapes, &|at| at, text.len())
    }

    /// The same once more.
    pub(super) fn again(&self, escapes: Escapes) -> Option<View> {
        read_back(&self.bytes, escapes, &|at| self.starts.get(at).copied().unwrap_or(self.end), self.end)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where some bytes stand in the text at the bottom.
    pub(super) fn source(&self, part: Range<usize>) -> Range<usize> {
        let at = |at: usize| self.starts.get(at).copied().unwrap_or(self.end);
        let last = at(part.end.saturating_sub(1));
        let rest = self.starts.get(part.end..).unwrap_or_default();
        // Those behind it that are of the same letter stand for nothing of their own.
        let end = rest.iter().copied().find(|start| *start > last).unwrap_or(self.end);
        at(part.start)..end
    }
}

fn read_back(text: &[u8], escapes: Escapes, source: &dyn Fn(usize) -> usize, end: usize) -> Option<View> {
    // Most texts have no escape, and need no copy.
    let first = memchr::memchr3_iter(b'\\', b'%', b'&', text)
        .find(|at| escape(text.get(*at..).unwrap_or_default(), escapes).is_some())?;
    let mut view = View { bytes: Vec::with_capacity(text.len()), starts: Vec::with_capacity(text.len()), end };
    view.bytes.extend_from_slice(text.get(..first).unwrap_or_default());
    view.starts.extend((0..first).map(source));
    let mut at = first;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let byte = (Stands::Byte(rest.first().copied().unwrap_or_default()), 1);
        let (stands_for, length) = escape(rest, escapes).unwrap_or(byte);
        let mut letter = [0; 4];
        let bytes = match &stands_for {
            Stands::Byte(byte) => std::slice::from_ref(byte),
            Stands::Letter(one) => one.encode_utf8(&mut letter).as_bytes(),
        };
        view.bytes.extend_from_slice(bytes);
        view.starts.extend(std::iter::repeat_n(source(at), bytes.len()));
        at += length;
    }
    Some(view)
}

/// What an escape stands for.
enum Stands {
    Byte(u8),
    Letter(char),
}

/// What the escape at the beginning of a text stands for, and how long it is: of JSON, Python and C, of addresses, and of HTML.
fn escape(text: &[u8], escapes: Escapes) -> Option<(Stands, usize)> {
    match *text {
        [b'%', ..] => Some((Stands::Byte(u8::try_from(hex(text, 1..3)?).ok()?), 3)),
        [b'&', ..] => reference(text),
        [b'\\', kind, ..] => {
            let letter = |code: u32, length: usize| Some((Stands::Letter(char::from_u32(code)?), length));
            let byte = match kind {
                b'x' if escapes == Escapes::OfLetters => return letter(hex(text, 2..4)?, 4),
                b'x' => return Some((Stands::Byte(u8::try_from(hex(text, 2..4)?).ok()?), 4)),
                b'U' => return letter(hex(text, 2..10)?, 10),
                b'u' => return unit(text),
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'b' => 8,
                b'f' => 12,
                b'\\' | b'"' | b'\'' | b'/' => kind,
                _ => return None,
            };
            Some((Stands::Byte(byte), 2))
        }
        _ => None,
    }
}

/// `\u` and four digits, or two of them, which are one letter.
fn unit(text: &[u8]) -> Option<(Stands, usize)> {
    let first = u16::try_from(hex(text, 2..6)?).ok()?;
    let second = || match text.get(6..8)? {
        b"\\u" => u16::try_from(hex(text, 8..12)?).ok(),
        _ => None,
    };
    match char::decode_utf16([first]).next()? {
        Ok(letter) => Some((Stands::Letter(letter), 6)),
        Err(_) => Some((Stands::Letter(char::decode_utf16([first, second()?]).next()?.ok()?), 12)),
    }
}

/// `&amp;`, `&#39;` and `&#x27;`.
fn reference(text: &[u8]) -> Option<(Stands, usize)> {
    let longest = text.get(1..text.len().min(LONGEST_REFERENCE + 2))?;
    let name = longest.get(..longest.iter().position(|byte| *byte == b';')?)?;
    let length = name.len() + 2;
    let code = match name {
        [b'#', b'x' | b'X', digits @ ..] => hex(digits, 0..digits.len())?,
        [b'#', digits @ ..] => std::str::from_utf8(digits).ok()?.parse().ok()?,
        name => u32::from(NAMED.iter().find(|(known, _)| *known == name)?.1),
    };
    Some((Stands::Letter(char::from_u32(code)?), length))
}

/// The number of some digits, all of which must be there.
fn hex(text: &[u8], digits: Range<usize>) -> Option<u32> {
    let digits = text.get(digits).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
