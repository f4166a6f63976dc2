//! Statements as they are shown: `$name` for a parameter, `[[ AND … ]]` for an optional clause, `IN $names` for a list.
//! Much as in the query file, so that a reviewer knows them again.

use super::layout::laid_out;
use crate::review::sql::{Piece, SlotLists, canonical, is_marker, pieces};
use crate::syntax::link::number;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use crate::tool::PlaceholderUse;
use sqlparser::tokenizer::Token;

/// Shows a statement with `$n` in it.
pub(super) fn shown_statement(text: &str, placeholders: &[PlaceholderUse]) -> String {
    let text = canonical(text);
    match pieces(&text) {
        Some(pieces) => {
            let mut lists = SlotLists::default();
            let lists = (0..pieces.len()).map(|at| lists.is_one(&pieces, at)).collect();
            laid_out(&Shower { pieces: &pieces, placeholders, lists }.all())
        }
        None => text,
    }
}

struct Shower<'a> {
    pieces: &'a [Piece],
    placeholders: &'a [PlaceholderUse],
    /// Which pieces are lists of the values that an optional clause needs.
    lists: Vec<bool>,
}

/// An optional clause: the places of the bracket behind its marker, of the comma before the list of values, and of the
/// bracket that closes it.
struct Clause {
    open: usize,
    comma: usize,
    close: usize,
}

impl Shower<'_> {
    fn all(&self) -> String {
        let mut out = String::new();
        self.range(0, self.pieces.len(), &mut out);
        out
    }

    fn range(&self, from: usize, to: usize, out: &mut String) {
        let mut at = from;
        while let Some(piece) = self.pieces.get(at).filter(|_| at < to) {
            if let Some(clause) = self.clause(at) {
                out.push_str(&format!("[[ {} ", piece.text.trim_end()));
                self.range(clause.open + 1, clause.comma, out);
                out.push_str(" ]]");
                at = clause.close + 1;
                continue;
            }
            if let Some((name, end)) = self.list(at) {
                out.push_str(&format!("${name}"));
                at = end + 1;
                continue;
            }
            match &piece.token {
                Token::Placeholder(id) => match self.used(id) {
                    Some(used) => out.push_str(&piece.text.replacen(id.as_str(), &format!("${}", used.parameter), 1)),
                    None => out.push_str(&piece.text),
                },
                Token::SingleQuotedString(list) if self.lists.get(at) == Some(&true) => {
                    let names = list.split(' ').filter_map(|id| self.used(id));
                    let names = names.map(|used| format!("${}{}", used.parameter, if used.list { "[]" } else { "" }));
                    out.push_str(&format!("'{}'", names.collect::<Vec<_>>().join(" ")));
                }
                _ => out.push_str(&piece.text),
            }
            at += 1;
        }
    }

    fn used(&self, id: &str) -> Option<&PlaceholderUse> {
        self.placeholders.get(number(id)?)
    }

    fn next(&self, at: usize) -> Option<usize> {
        (at + 1..self.pieces.len()).find(|at| self.pieces.get(*at).is_some_and(|piece| !piece.is_blank()))
    }

    fn previous(&self, at: usize) -> Option<&Piece> {
        self.pieces.get(..at)?.iter().rev().find(|piece| !piece.is_blank())
    }

    /// `($5)` behind IN, where `$5` is a whole list.
    fn list(&self, at: usize) -> Option<(&str, usize)> {
        let open = self.pieces.get(at).filter(|piece| piece.token == Token::LParen)?;
        self.previous(at).filter(|before| before.is_word("in") && !open.is_blank())?;
        let inside = self.next(at)?;
        let Token::Placeholder(id) = &self.pieces.get(inside)?.token else { return None };
        let used = self.used(id).filter(|used| used.list)?;
        let close = self.next(inside)?;
        (self.pieces.get(close)?.token == Token::RParen).then_some((used.parameter.as_str(), close))
    }

    /// `AND qtool_optional_and(…, '$1 $2')` whose values are those that stand in it.
    fn clause(&self, at: usize) -> Option<Clause> {
        let piece = self.pieces.get(at)?;
        let marker = match (piece.is_word("and"), piece.is_word("or")) {
            (true, _) => OPTIONAL_AND,
            (_, true) => OPTIONAL_OR,
            _ => return None,
        };
        let word = self.next(at).filter(|word| self.pieces.get(*word).is_some_and(|word| word.is_word(marker)))?;
        let (clause, list) = self.call(word)?;
        (self.values(clause.open + 1, clause.comma) == list).then_some(clause)
    }

    /// The parts of the call of a marker, and its list.
    fn call(&self, word: usize) -> Option<(Clause, &str)> {
        let open = self.next(word).filter(|at| self.pieces.get(*at).is_some_and(|one| one.token == Token::LParen))?;
        let mut depth = 0_usize;
        let close = (open..self.pieces.len()).find(|at| {
            match self.pieces.get(*at).map(|piece| &piece.token) {
                Some(Token::LParen) => depth += 1,
                Some(Token::RParen) => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let before = |at: usize| (open..at).rev().find(|at| self.pieces.get(*at).is_some_and(|one| !one.is_blank()));
        let text = before(close)?;
        let Token::SingleQuotedString(list) = &self.pieces.get(text)?.token else { return None };
        let comma = before(text).filter(|at| self.pieces.get(*at).is_some_and(|one| one.token == Token::Comma))?;
        Some((Clause { open, comma, close }, list))
    }

    /// The placeholders of a clause: its own, or where it has none, those of the clauses inside it.
    fn values(&self, from: usize, to: usize) -> String {
        let (mut own, mut nested) = (Vec::new(), Vec::new());
        let mut at = from;
        while let Some(piece) = self.pieces.get(at).filter(|_| at < to) {
            let inner = matches!(&piece.token, Token::Word(word) if is_marker(&word.value));
            if let Some((clause, list)) = inner.then(|| self.call(at)).flatten() {
                nested.push(list.to_owned());
                at = clause.close + 1;
                continue;
            }
            if let Token::Placeholder(id) = &piece.token {
                own.push(id.clone());
            }
            at += 1;
        }
        (if own.is_empty() { nested } else { own }).join(" ")
    }
}

/// Reads statements that were shown, in the order in which they are numbered.
#[derive(Default)]
pub(super) struct Reader {
    /// What `$1`, `$2`, … are so far.
    pub(super) placeholders: Vec<PlaceholderUse>,
}

/// A bracket that is open.
enum Open {
    /// Of a list or an element.
    Other,
    /// Of an optional clause, with the values in it: its own, and those of clauses inside it.
    Clause(Vec<String>, Vec<String>),
}

impl Reader {
    /// The statement with `$n` in it, in the one form. `None` where it is no statement that was shown.
    pub(super) fn read(&mut self, text: &str) -> Option<String> {
        let pieces = pieces(text)?;
        let mut out = String::new();
        let mut brackets: Vec<Open> = Vec::new();
        let mut lists = SlotLists::default();
        let mut previous: Option<&Piece> = None;
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            let is_list = lists.is_one(&pieces, at);
            match &piece.token {
                Token::LBracket => match opened(&pieces, at) {
                    Some((marker, end)) => {
                        out.push_str(&marker);
                        brackets.push(Open::Clause(Vec::new(), Vec::new()));
                        at = end;
                    }
                    None => {
                        out.push('[');
                        brackets.push(Open::Other);
                    }
                },
                Token::RBracket => match brackets.pop()? {
                    Open::Other => out.push(']'),
                    Open::Clause(own, nested) => {
                        at += 1;
                        pieces.get(at).filter(|next| next.token == Token::RBracket)?;
                        let values = if own.is_empty() { nested } else { own }.join(" ");
                        out.push_str(&format!(", '{values}')"));
                        if let Some(Open::Clause(_, nested)) = innermost(&mut brackets) {
                            nested.push(values);
                        }
                    }
                },
                Token::Placeholder(name) => {
                    let list = previous.is_some_and(|before| before.is_word("in"));
                    let mut name = name.strip_prefix('$')?.to_owned();
                    // A field of a list of rows.
                    if let [dot, field, ..] = pieces.get(at + 1..).unwrap_or_default()
                        && let (Token::Period, Token::Word(_)) = (&dot.token, &field.token)
                    {
                        name.push_str(&format!(".{}", field.text.trim_end()));
                        at += 2;
                    }
                    let id = self.numbered(&name, list);
                    out.push_str(&if list { format!("({id}) ") } else { format!("{id} ") });
                    if let Some(Open::Clause(own, _)) = innermost(&mut brackets) {
                        own.push(id);
                    }
                }
                Token::SingleQuotedString(names) if is_list => {
                    let ids = names.split(' ').map(|name| {
                        let name = name.strip_prefix('$')?;
                        Some(match name.strip_suffix("[]") {
                            Some(name) => self.numbered(name, true),
                            None => self.numbered(name, false),
                        })
                    });
                    out.push_str(&format!("'{}'", ids.collect::<Option<Vec<_>>>()?.join(" ")));
                }
                _ => out.push_str(&piece.text),
            }
            if !piece.is_blank() {
                previous = pieces.get(at);
            }
            at += 1;
        }
        Some(canonical(&out))
    }

    fn numbered(&mut self, name: &str, list: bool) -> String {
        let used = PlaceholderUse { parameter: name.to_owned(), list };
        let at = self.placeholders.iter().position(|known| *known == used).unwrap_or_else(|| {
            self.placeholders.push(used);
            self.placeholders.len() - 1
        });
        format!("${}", at + 1)
    }
}

fn innermost(brackets: &mut [Open]) -> Option<&mut Open> {
    brackets.iter_mut().rev().find(|open| matches!(open, Open::Clause(..)))
}

/// Whether an optional clause opens here: what is written for its beginning, and the last piece of that.
fn opened(pieces: &[Piece], at: usize) -> Option<(String, usize)> {
    pieces.get(at + 1).filter(|next| next.token == Token::LBracket)?;
    let word = (at + 2..pieces.len()).find(|at| pieces.get(*at).is_some_and(|piece| !piece.is_blank()))?;
    let piece = pieces.get(word)?;
    match (piece.is_word("and"), piece.is_word("or")) {
        (true, _) => Some((format!("AND {OPTIONAL_AND}("), word)),
        (_, true) => Some((format!("OR {OPTIONAL_OR}("), word)),
        _ => None,
    }
}
