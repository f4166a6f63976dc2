//! Texts with placeholders in a manifest: `--city=<< city >>`. A placeholder is a name and nothing more; `<<<<` is `<<`
//! itself.

use crate::name::is_legal;
use std::ops::Range;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// What stands there.
    Text(String),
    /// The value of a parameter.
    Value {
        /// Its name.
        name: String,
        /// The bytes of the placeholder, with its signs.
        range: Range<usize>,
    },
}

/// Why a text with placeholders cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PieceFlaw {
    /// `<<` without `>>` behind it.
    Unclosed(Range<usize>),
    /// What stands between is no name.
    NoName(Range<usize>, String),
    /// It says more than a name: a type, a default, a `?`.
    MoreThanName(Range<usize>, String),
}

impl PieceFlaw {
    /// The bytes that it is about.
    pub fn range(&self) -> Range<usize> {
        let (PieceFlaw::Unclosed(range) | PieceFlaw::NoName(range, _) | PieceFlaw::MoreThanName(range, _)) = self;
        range.clone()
    }
}

/// What opens a placeholder, and what closes it.
const OPEN: &str = "<<";
const CLOSE: &str = ">>";

/// The parts of a text, one after the other.
///
/// Errors: the first placeholder that cannot be read.
pub fn pieces(text: &str) -> Result<Vec<Piece>, PieceFlaw> {
    let (mut pieces, mut plain, mut at) = (Vec::new(), String::new(), 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(before) = rest.find(OPEN) else {
            plain.push_str(rest);
            break;
        };
        plain.push_str(rest.get(..before).unwrap_or_default());
        let start = at + before;
        let inside = text.get(start + OPEN.len()..).unwrap_or_default();
        if inside.starts_with(OPEN) {
            plain.push_str(OPEN);
            at = start + 2 * OPEN.len();
            continue;
        }
        let Some(length) = inside.find(CLOSE) else { return Err(PieceFlaw::Unclosed(start..text.len())) };
        let end = start + OPEN.len() + length + CLOSE.len();
        let name = inside.get(..length).unwrap_or_default().trim();
        if !is_legal(name) {
            let has_more = name.contains([':', '=', '?']);
            let first = name.split([':', '=', '?']).next().unwrap_or_default().trim().to_owned();
            let flaw = if has_more && is_legal(&first) { PieceFlaw::MoreThanName } else { PieceFlaw::NoName };
            let shown = if has_more && is_legal(&first) { first } else { name.to_owned() };
            let inner = start + OPEN.len();
            let blank = inside.get(..length).map_or(0, |inside| inside.len() - inside.trim_start().len());
            let range = match has_more || name.is_empty() {
                true => start..end,
                false => inner + blank..inner + blank + name.len(),
            };
            return Err(flaw(range, shown));
        }
        if !plain.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
        }
        pieces.push(Piece::Value { name: name.to_owned(), range: start..end });
        at = end;
    }
    if !plain.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

/// The name of the parameter that a text is, and nothing else.
pub fn lone_name(pieces: &[Piece]) -> Option<&str> {
    match pieces {
        [Piece::Value { name, .. }] => Some(name),
        _ => None,
    }
}

/// The names in a text, one an occurrence.
pub fn names_in(pieces: &[Piece]) -> impl Iterator<Item = &str> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Value { name, .. } => Some(name.as_str()),
        Piece::Text(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => format!("'{text}'"),
            Piece::Value { name, range } => format!("{name}@{}..{}", range.start, range.end),
        };
        match pieces(text) {
            Ok(pieces) => pieces.iter().map(piece).collect::<Vec<_>>().join(" "),
            Err(flaw) => format!("{flaw:?}"),
        }
    }

    #[test]
    fn a_text_is_read_into_parts() {
        for (text, parts) in [
            ("", "''"),
            ("plain >> text", "'plain >> text'"),
            ("<< city >>", "city@0..10"),
            ("--city=<<city>>!", "'--city=' city@7..15 '!'"),
            ("<<a>><<b>>", "a@0..5 b@5..10"),
            ("1 <<<< 2", "'1 << 2'"),
            ("<<<<<< a >>", "'<<' a@4..11"),
            ("<< a", "Unclosed(0..4)"),
            ("<< A b >>", "NoName(3..6, \"A b\")"),
            ("<< >>", "NoName(0..5, \"\")"),
            ("<< a: int >>", "MoreThanName(0..12, \"a\")"),
            ("x << a? >>", "MoreThanName(2..10, \"a\")"),
            ("ü<< a >>", "'ü' a@2..9"),
        ] {
            assert_eq!(shape(text), parts, "{text}");
        }
    }
}
