//! The SQL of a tool in one form, whatever blanks, comments, letter case and numbers it was written with.
//!
//! Two statements are the same where the parser makes one tree of them; the tree is compared by how it prints, with the
//! parameters' names in the place of their numbers.

mod shape;

pub(super) use shape::Shape;

use crate::syntax::link::{number, parse_text};
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR, QueryDialect};
use crate::tool::{PlaceholderUse, Tool};
use sqlparser::ast::Statement;
use sqlparser::tokenizer::{Token, Tokenizer, Word};
use std::collections::BTreeMap;

/// A token, and the text that it was written as.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) token: Token,
    pub(super) text: String,
}

impl Piece {
    pub(super) fn is_blank(&self) -> bool {
        matches!(self.token, Token::Whitespace(_))
    }

    /// Whether it is that word, in any letter case.
    pub(super) fn is_word(&self, word: &str) -> bool {
        let is_same = |found: &Word| found.quote_style.is_none() && found.value.eq_ignore_ascii_case(word);
        matches!(&self.token, Token::Word(found) if is_same(found))
    }
}

/// The tokens of a text; put together they are the text again. `None` where it is no SQL.
pub(super) fn pieces(text: &str) -> Option<Vec<Piece>> {
    let tokens = Tokenizer::new(&QueryDialect, text).tokenize_with_location().ok()?;
    let mut offsets = Offsets { text, at: 0, line: 1, column: 1 };
    let mut starts: Vec<usize> =
        tokens.iter().map(|token| offsets.of(token.span.start.line, token.span.start.column)).collect();
    starts.push(text.len());
    let spans = starts.iter().zip(starts.iter().skip(1));
    let pieces = tokens
        .into_iter()
        .zip(spans)
        .map(|(token, (start, end))| Some(Piece { token: token.token, text: text.get(*start..*end)?.to_owned() }));
    pieces.collect()
}

/// Bytes of lines and columns, which count characters; asked in the order of the text.
struct Offsets<'t> {
    text: &'t str,
    at: usize,
    line: u64,
    column: u64,
}

impl Offsets<'_> {
    fn of(&mut self, line: u64, column: u64) -> usize {
        for character in self.text.get(self.at..).unwrap_or_default().chars() {
            if (self.line, self.column) >= (line, column) {
                break;
            }
            self.at += character.len_utf8();
            if character == '\n' {
                (self.line, self.column) = (self.line + 1, 1);
            } else {
                self.column += 1;
            }
        }
        self.at
    }
}

/// A statement in the one form: several lines, as its tree prints. One that does not read back as what it was printed
/// from has its own words, with a blank between them.
pub(super) fn canonical(text: &str) -> String {
    let folded = folded(text);
    let printed = parsed(&folded).and_then(|statement| {
        let printed = format!("{statement:#}");
        (parsed(&printed)? == statement).then_some(printed)
    });
    printed.unwrap_or_else(|| compact(&folded))
}

/// A part of a statement in one form: its words in lower case with a blank between them.
pub(super) fn compact(text: &str) -> String {
    let Some(pieces) = pieces(&folded(text)) else { return text.trim().to_owned() };
    let words: Vec<String> =
        pieces.into_iter().filter(|piece| !piece.is_blank()).map(|piece| piece.text.trim_end().to_owned()).collect();
    words.join(" ")
}

/// The engine reads names without quotes in lower case.
fn folded(text: &str) -> String {
    let Some(pieces) = pieces(text) else { return text.to_owned() };
    let fold = |piece: Piece| match &piece.token {
        Token::Word(word) if word.quote_style.is_none() => piece.text.to_lowercase(),
        _ => piece.text,
    };
    pieces.into_iter().map(fold).collect()
}

pub(super) fn parsed(text: &str) -> Option<Statement> {
    parse_text(text, &|_| None).ok()
}

/// Writes `$name` for every `$n`, also in the lists of what optional clauses need; `$name[]` there for a whole list.
pub(super) fn named(text: &str, placeholders: &[PlaceholderUse], renamed: &BTreeMap<String, String>) -> String {
    let name = |id: &str| {
        let used = placeholders.get(number(id)?)?;
        Some((renamed.get(&used.parameter).unwrap_or(&used.parameter).as_str(), used.list))
    };
    let Some(pieces) = pieces(text) else { return text.to_owned() };
    let mut out = String::with_capacity(text.len());
    let mut lists = SlotLists::default();
    for (at, piece) in pieces.iter().enumerate() {
        let is_list = lists.is_one(&pieces, at);
        match &piece.token {
            Token::Placeholder(id) => match name(id) {
                // A placeholder's text may have the blanks behind it.
                Some((name, _)) => out.push_str(&piece.text.replacen(id.as_str(), &format!("${name}"), 1)),
                None => out.push_str(&piece.text),
            },
            Token::SingleQuotedString(list) if is_list => {
                let names = list.split(' ').filter_map(name);
                let names: Vec<String> =
                    names.map(|(name, list)| if list { format!("${name}[]") } else { format!("${name}") }).collect();
                out.push_str(&format!("'{}'", names.join(" ")));
            }
            _ => out.push_str(&piece.text),
        }
    }
    out
}

/// Finds the texts that tell which values an optional clause needs: the last argument of its marker.
#[derive(Default)]
pub(super) struct SlotLists {
    /// The brackets that are open, and whether they are those of a marker.
    open: Vec<bool>,
    last: Option<Token>,
}

impl SlotLists {
    /// Whether the piece is one. Asked of every piece, in their order.
    pub(super) fn is_one(&mut self, pieces: &[Piece], at: usize) -> bool {
        let Some(piece) = pieces.get(at).filter(|piece| !piece.is_blank()) else { return false };
        let mut found = false;
        match &piece.token {
            Token::LParen => self.open.push(matches!(&self.last, Some(Token::Word(word)) if is_marker(&word.value))),
            Token::RParen => drop(self.open.pop()),
            Token::SingleQuotedString(_) => {
                let next = pieces.iter().skip(at + 1).find(|piece| !piece.is_blank());
                found = self.open.last() == Some(&true)
                    && self.last == Some(Token::Comma)
                    && next.is_some_and(|next| next.token == Token::RParen);
            }
            _ => {}
        }
        self.last = Some(piece.token.clone());
        found
    }
}

pub(super) fn is_marker(word: &str) -> bool {
    word == OPTIONAL_AND || word == OPTIONAL_OR
}

/// The statements of a tool in the one form.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ToolSql {
    pub(super) views: Vec<(String, String)>,
    pub(super) statement: String,
    pub(super) rules: Vec<(String, String)>,
}

impl ToolSql {
    /// The statements, with names for placeholders; `renamed` gives parameters other names.
    pub(super) fn of(tool: &Tool, renamed: &BTreeMap<String, String>) -> ToolSql {
        let one = |text: &str| named(&canonical(text), &tool.contract.placeholders, renamed);
        ToolSql {
            views: tool.views().iter().map(|view| (view.name.clone(), one(&view.statement))).collect(),
            statement: one(tool.statement()),
            rules: tool.contract.rules.iter().map(|rule| (one(&rule.statement), rule.message.clone())).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_comments_and_letter_case_make_no_other_statement() {
        let one = canonical("SELECT Id, 'It''s' AS \"B c\" FROM Orders WHERE a <> $1 -- why\n  AND b IN ($2)");
        let other = canonical("select id,\n 'It''s' as \"B c\" from orders where a != $1 and /* x */ b in ( $2 )");
        assert_eq!(one, other);
        assert_ne!(one, canonical("SELECT id, 'it''s' AS \"B c\" FROM orders WHERE a <> $1 AND b IN ($2)"));
        assert_eq!(canonical(&one), one);
    }

    #[test]
    fn pieces_are_the_text_again() {
        for text in ["SELECT 'größe', \"ü\" -- ö\nFROM t", "a\r\n\t+ $1::int /* x\ny */", ""] {
            let again: String = pieces(text).unwrap().into_iter().map(|piece| piece.text).collect();
            assert_eq!(again, text);
        }
    }

    #[test]
    fn numbers_of_placeholders_become_names_but_not_in_texts() {
        let uses = [("id", false), ("ids", true)].map(|(name, list)| PlaceholderUse { parameter: name.into(), list });
        let text = "SELECT '$1' FROM t WHERE a = $1 AND qtool_optional_and(b IN ($2), '$2 $1')";
        let renamed = BTreeMap::from([("id".to_owned(), "key".to_owned())]);
        assert_eq!(
            named(text, &uses, &renamed),
            "SELECT '$1' FROM t WHERE a = $key AND qtool_optional_and(b IN ($ids), '$ids[] $key')"
        );
    }
}
