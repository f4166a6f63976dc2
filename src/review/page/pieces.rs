//! Texts of authors in pieces: what is plain, what is a name or value, and what nobody would see.

use crate::review::change::Change;
use crate::review::hidden::is_hidden;
use serde::Serialize;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Piece {
    pub(super) text: String,
    /// Whether it stands for a character that shows nothing.
    pub(super) hidden: bool,
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Phrase {
    /// Whether it is a name or a value, not one of the sentence's own words.
    pub(super) code: bool,
    pub(super) pieces: Vec<Piece>,
}

/// A hidden character by its number, as Rust and JavaScript write it: `\u{200b}`.
fn number(c: char) -> String {
    format!("\\u{{{:x}}}", u32::from(c))
}

/// Whether a character is shown by its number. Lines and columns are what they are.
fn is_told(c: char) -> bool {
    is_hidden(c) && c != '\n' && c != '\t'
}

/// The pieces of a text. Joined they are [`visible`].
pub(super) fn pieces_of(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for c in text.chars() {
        match pieces.last_mut() {
            _ if is_told(c) => pieces.push(Piece { text: number(c), hidden: true }),
            Some(last) if !last.hidden => last.text.push(c),
            _ => pieces.push(Piece { text: c.to_string(), hidden: false }),
        }
    }
    pieces
}

/// A text with its hidden characters by their numbers.
pub(super) fn visible(text: &str) -> String {
    pieces_of(text).into_iter().map(|piece| piece.text).collect()
}

/// What stands around names and values while a sentence is put together: none of its own words has it.
const QUOTE: char = '\u{1}';
/// What stands for the same character in a name or value, where it is hidden and would be told by its number anyway.
const REPLACED: char = '\u{2}';

/// The sentence of a change.
pub(super) fn sentence(change: &Change) -> Vec<Phrase> {
    let quoted = change.say(&|text| format!("{QUOTE}{}{QUOTE}", text.replace(QUOTE, &REPLACED.to_string())));
    let phrases =
        quoted.split(QUOTE).enumerate().map(|(at, text)| Phrase { code: at % 2 == 1, pieces: pieces_of(text) });
    phrases.filter(|phrase| !phrase.pieces.is_empty() || phrase.code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::change::{Kind, Of};

    #[test]
    fn what_nobody_sees_is_told_by_its_number() {
        assert_eq!(
            visible("a\u{200b}b\u{202e}\u{1}\u{e0041}\n\tc\r"),
            "a\\u{200b}b\\u{202e}\\u{1}\\u{e0041}\n\tc\\u{d}"
        );
        let hidden: Vec<bool> = pieces_of("\u{feff}a\u{ad}\u{ad}").iter().map(|piece| piece.hidden).collect();
        assert_eq!(hidden, [true, false, true, true]);
    }

    #[test]
    fn no_value_ends_itself_in_a_sentence() {
        let of = Of { subject: None, before: Some("a\u{1}b".into()), after: Some(String::new()) };
        let phrases = sentence(&Change::new(Kind::TitleChanged, "t", of));
        let codes: Vec<String> = phrases
            .iter()
            .filter(|phrase| phrase.code)
            .map(|phrase| phrase.pieces.iter().map(|piece| piece.text.as_str()).collect())
            .collect();
        assert_eq!(codes, ["a\\u{2}b", ""]);
    }
}
