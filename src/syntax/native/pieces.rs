//! The text of a statement in a database's own SQL, in pieces: what its author has written, and where the values of a call
//! come between.
//!
//! A tool keeps the text with `$1`, `$2`, … and with the markers of optional clauses. What is sent has the same words, the
//! placeholders of the database, and of each clause either its condition in brackets or the constant that says nothing.

use super::dialect;
use crate::catalog::DatabaseKind;
use crate::syntax::ast::number;
use crate::syntax::lexer::Places;
use crate::syntax::{Connective, OPTIONAL_AND, OPTIONAL_OR};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, Tokenizer};

/// A part of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// As it was written.
    Text(String),
    /// What `$n` stands for, counted from 0.
    Slot(usize),
    /// The end of a statement, where others follow.
    End,
    /// An optional clause.
    Clause {
        /// What joins it to what stands before.
        connective: Connective,
        /// The slots whose values it needs.
        needs: Vec<usize>,
        /// Its condition.
        inside: Vec<Piece>,
    },
    /// A row, as often as a call has rows.
    Each {
        /// A slot that is a field of them.
        field: usize,
        /// What is written for each, with the brackets.
        inside: Vec<Piece>,
    },
}

/// What slots are.
pub struct Slots<'a> {
    /// Whether one is a list behind `IN`: PostgreSQL takes such a list as one value.
    pub is_list: &'a dyn Fn(usize) -> bool,
    /// Whether one is a field of a list of rows.
    pub is_field: &'a dyn Fn(usize) -> bool,
}

/// A token with its bytes.
struct Placed {
    token: Token,
    start: usize,
    end: usize,
}

/// The pieces of a statement as a tool keeps it; `None` where it is none.
pub fn pieces(statement: &str, kind: DatabaseKind, slots: &Slots<'_>) -> Option<Vec<Piece>> {
    let tokens = Tokenizer::new(dialect::of_tokens(kind), statement).tokenize_with_location().ok()?;
    let mut places = Places::new(statement, 0);
    let placed = tokens.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).map(|token| {
        let start = places.offset(token.span.start.line, token.span.start.column);
        let end = places.offset(token.span.end.line, token.span.end.column);
        Placed { token: token.token, start, end }
    });
    let tokens: Vec<Placed> = placed.collect();
    let is_array = |slot: usize| kind == DatabaseKind::Postgres && (slots.is_list)(slot);
    let slots = Slots { is_list: &is_array, ..*slots };
    let mut reader = Reader { text: statement, tokens: &tokens, slots, at: 0, written: 0 };
    let (pieces, _) = reader.until_end(false)?;
    Some(pieces)
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Placed],
    /// What slots are; a list is one that is one value.
    slots: Slots<'a>,
    /// The next token.
    at: usize,
    /// Up to where the text is in pieces.
    written: usize,
}

impl Reader<'_> {
    /// The pieces up to the end of the text, or of a clause with the slots that it needs.
    fn until_end(&mut self, is_clause: bool) -> Option<(Vec<Piece>, Vec<usize>)> {
        let mut pieces = Vec::new();
        let mut depth = 0_usize;
        while let Some(token) = self.tokens.get(self.at) {
            match &token.token {
                Token::Placeholder(id) => {
                    let slot = number(id)?;
                    self.text_until(token.start, &mut pieces)?;
                    pieces.push(Piece::Slot(slot));
                    // The tokenizer may take the blanks behind it for a part of it.
                    self.written = token.start + id.len();
                    self.at += 1;
                }
                Token::Word(_) if self.array().is_some() => {
                    let (slot, length, operator) = self.array()?;
                    self.text_until(token.start, &mut pieces)?;
                    pieces.extend([Piece::Text(operator.to_owned()), Piece::Slot(slot), Piece::Text(")".to_owned())]);
                    self.at += length;
                    self.written = self.tokens.get(self.at - 1)?.end;
                }
                Token::Word(_) if self.connective().is_some() => {
                    let connective = self.connective()?;
                    self.text_until(token.start, &mut pieces)?;
                    self.at += 3;
                    self.written = self.tokens.get(self.at - 1)?.end;
                    let (inside, needs) = self.until_end(true)?;
                    pieces.push(Piece::Clause { connective, needs, inside });
                }
                Token::Comma if is_clause && depth == 0 && self.ends_clause().is_some() => {
                    let needs = self.ends_clause()?;
                    self.text_until(token.start, &mut pieces)?;
                    self.at += 3;
                    self.written = self.tokens.get(self.at - 1)?.end;
                    return Some((pieces, needs));
                }
                Token::LParen if self.row().is_some() => {
                    let (field, length) = self.row()?;
                    self.text_until(token.start, &mut pieces)?;
                    let inside = self.pieces_of_row(length)?;
                    pieces.push(Piece::Each { field, inside });
                }
                Token::SemiColon if !is_clause && depth == 0 => {
                    self.text_until(token.start, &mut pieces)?;
                    pieces.push(Piece::End);
                    self.written = token.end;
                    self.at += 1;
                }
                other => {
                    match other {
                        Token::LParen => depth += 1,
                        Token::RParen => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    self.at += 1;
                }
            }
        }
        let end = self.text.len();
        self.text_until(end, &mut pieces)?;
        (!is_clause).then_some((pieces, Vec::new()))
    }

    fn text_until(&mut self, end: usize, pieces: &mut Vec<Piece>) -> Option<()> {
        let text = self.text.get(self.written..end)?;
        if !text.is_empty() {
            pieces.push(Piece::Text(text.to_owned()));
        }
        self.written = end;
        Some(())
    }

    /// The row of a list of rows that begins here: one of its fields, and how many tokens it is, brackets and all.
    fn row(&self) -> Option<(usize, usize)> {
        let tokens = self.tokens.get(self.at..)?;
        let length = tokens.iter().position(|token| token.token == Token::RParen)? + 1;
        let mut field = None;
        for (at, token) in tokens.get(1..length - 1)?.iter().enumerate() {
            match &token.token {
                Token::Placeholder(id) if at % 2 == 0 => {
                    field = field.or(number(id).filter(|slot| (self.slots.is_field)(*slot)));
                }
                Token::Comma if at % 2 == 1 => {}
                _ => return None,
            }
        }
        Some((field?, length))
    }

    /// The pieces of the row that begins here.
    fn pieces_of_row(&mut self, length: usize) -> Option<Vec<Piece>> {
        let mut inside = Vec::new();
        let end = self.at + length;
        while self.at < end {
            let token = self.tokens.get(self.at)?;
            if let Token::Placeholder(id) = &token.token {
                self.text_until(token.start, &mut inside)?;
                inside.push(Piece::Slot(number(id)?));
                self.written = token.start + id.len();
            }
            self.at += 1;
        }
        let end = self.tokens.get(self.at - 1)?.end;
        self.text_until(end, &mut inside)?;
        Some(inside)
    }

    /// The list behind the `IN` or `NOT IN` that begins here, where it is one value: its slot, how many tokens it is, and what
    /// is written before it.
    fn array(&self) -> Option<(usize, usize, &'static str)> {
        let is = |at: usize, keyword: Keyword| match self.tokens.get(at).map(|token| &token.token) {
            Some(Token::Word(word)) => word.quote_style.is_none() && word.keyword == keyword,
            _ => false,
        };
        let (before, operator) = if is(self.at, Keyword::NOT) { (1, "<> ALL (") } else { (0, "= ANY (") };
        let [of, open, slot, close, ..] = self.tokens.get(self.at + before..)? else { return None };
        let Token::Placeholder(id) = &slot.token else { return None };
        let is_list = matches!(of.token, Token::Word(_))
            && is(self.at + before, Keyword::IN)
            && open.token == Token::LParen
            && close.token == Token::RParen;
        let slot = number(id).filter(|slot| is_list && (self.slots.is_list)(*slot))?;
        Some((slot, before + 4, operator))
    }

    /// What joins the clause that begins here.
    fn connective(&self) -> Option<Connective> {
        let word = |at: usize| match &self.tokens.get(at)?.token {
            Token::Word(word) if word.quote_style.is_none() => Some(word.value.as_str()),
            _ => None,
        };
        let is_open = self.tokens.get(self.at + 2).is_some_and(|token| token.token == Token::LParen);
        let marked = word(self.at + 1).filter(|_| is_open)?;
        let (connective, text) = match marked {
            OPTIONAL_AND => (Connective::And, "and"),
            OPTIONAL_OR => (Connective::Or, "or"),
            _ => return None,
        };
        word(self.at)?.eq_ignore_ascii_case(text).then_some(connective)
    }

    /// The slots that a clause needs whose last argument stands here: `, '$1 $2')`.
    fn ends_clause(&self) -> Option<Vec<usize>> {
        let [_, list, close, ..] = self.tokens.get(self.at..)? else { return None };
        let Token::SingleQuotedString(list) = &list.token else { return None };
        let slots = list.split(' ').map(number).collect::<Option<Vec<usize>>>()?;
        (close.token == Token::RParen).then_some(slots)
    }
}

/// The pieces of each of several statements.
pub fn of_each(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let is_blank = |piece: &Piece| matches!(piece, Piece::Text(text) if text.trim().is_empty());
    let each = pieces.split(|piece| *piece == Piece::End).map(<[Piece]>::to_vec);
    each.filter(|statement| !statement.iter().all(is_blank)).collect()
}

/// What a statement is made of for a call.
pub trait Filling {
    /// Whether there is a value for a slot.
    fn has_value(&self, slot: usize) -> bool;
    /// What is written in the place of a slot.
    fn written(&mut self, slot: usize) -> String;
    /// How many rows the list has whose field a slot is.
    fn rows(&self, _field: usize) -> usize {
        1
    }
    /// Says which row of a list is written next; `None` behind the last.
    fn in_row(&mut self, _row: Option<usize>) {}
}

/// The text that is sent.
pub fn rendered(pieces: &[Piece], filling: &mut dyn Filling) -> String {
    let mut out = String::new();
    render(pieces, filling, &mut out);
    out
}

fn render(pieces: &[Piece], filling: &mut dyn Filling, out: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::End => out.push(';'),
            Piece::Slot(slot) => out.push_str(&filling.written(*slot)),
            Piece::Each { field, inside } => {
                for row in 0..filling.rows(*field) {
                    out.push_str(if row > 0 { ", " } else { "" });
                    filling.in_row(Some(row));
                    render(inside, filling, out);
                }
                filling.in_row(None);
            }
            Piece::Clause { connective, needs, inside } => {
                let (word, nothing) = match connective {
                    Connective::And => ("AND ", "TRUE"),
                    Connective::Or => ("OR ", "FALSE"),
                };
                out.push_str(word);
                if needs.iter().all(|slot| filling.has_value(*slot)) {
                    out.push('(');
                    render(inside, filling, out);
                    out.push(')');
                } else {
                    out.push_str(nothing);
                }
            }
        }
    }
}

/// What is written behind a statement whose rows do not end by themselves; the two are placeholders.
pub fn limited(statement: &str, limit: &str, offset: Option<&str>) -> String {
    let offset = offset.map(|offset| format!(" OFFSET {offset}")).unwrap_or_default();
    // On a line of its own: nothing that the statement ends with reaches into it.
    format!("{statement}\nLIMIT {limit}{offset}")
}

/// What is written between the brackets of a list without items: no value is in it, and each is out of it.
pub fn no_items(kind: DatabaseKind) -> &'static str {
    match kind {
        DatabaseKind::Sqlite | DatabaseKind::Postgres => "SELECT NULL WHERE FALSE",
        // MariaDB takes no `WHERE` without a table.
        DatabaseKind::Mysql => "SELECT NULL FROM DUAL WHERE FALSE",
    }
}

/// The placeholder of the value with that number, counted from 1.
pub fn placeholder(kind: DatabaseKind, number: usize) -> String {
    match kind {
        DatabaseKind::Sqlite => format!("?{number}"),
        DatabaseKind::Postgres => format!("${number}"),
        // They are counted by their places: a value that is used twice is sent twice.
        DatabaseKind::Mysql => "?".to_owned(),
    }
}

/// A placeholder for a day. The protocol of MySQL has none: one that is sent alone is midnight, and its text another one.
pub fn of_day(kind: DatabaseKind, placeholder: String) -> String {
    match kind {
        DatabaseKind::Sqlite | DatabaseKind::Postgres => placeholder,
        DatabaseKind::Mysql => format!("CAST({placeholder} AS DATE)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Values(Vec<bool>);

    impl Filling for Values {
        fn has_value(&self, slot: usize) -> bool {
            self.0[slot]
        }

        fn written(&mut self, slot: usize) -> String {
            placeholder(DatabaseKind::Sqlite, slot + 1)
        }
    }

    fn sent(statement: &str, values: &[bool]) -> String {
        let slots = Slots { is_list: &|_| true, is_field: &|_| false };
        rendered(&pieces(statement, DatabaseKind::Sqlite, &slots).unwrap(), &mut Values(values.to_vec()))
    }

    #[test]
    fn a_list_of_postgres_is_one_value() {
        let text = "SELECT 1 WHERE a IN ($1) AND qtool_optional_and(lower(b) NOT  IN ( $2), '$2') OR c IN ($3)";
        let slots = Slots { is_list: &|slot| slot < 2, is_field: &|_| false };
        let pieces = pieces(text, DatabaseKind::Postgres, &slots).unwrap();
        assert_eq!(
            rendered(&pieces, &mut Values(vec![true; 3])),
            "SELECT 1 WHERE a = ANY (?1) AND (lower(b) <> ALL (?2)) OR c IN (?3)"
        );
    }

    #[test]
    fn a_row_of_a_list_is_written_as_often_as_there_are_rows() {
        struct Rows(usize, Option<usize>);
        impl Filling for Rows {
            fn has_value(&self, _: usize) -> bool {
                true
            }
            fn written(&mut self, slot: usize) -> String {
                self.1.map_or_else(|| format!("<{slot}>"), |row| format!("<{slot} of {row}>"))
            }
            fn rows(&self, _: usize) -> usize {
                self.0
            }
            fn in_row(&mut self, row: Option<usize>) {
                self.1 = row;
            }
        }
        let text = "INSERT INTO t (a, b) VALUES ($2,  $3 ) RETURNING ($1)";
        let slots = Slots { is_list: &|_| false, is_field: &|slot| slot == 1 };
        let pieces = pieces(text, DatabaseKind::Sqlite, &slots).unwrap();
        assert_eq!(
            rendered(&pieces, &mut Rows(2, None)),
            "INSERT INTO t (a, b) VALUES (<1 of 0>,  <2 of 0> ), (<1 of 1>,  <2 of 1> ) RETURNING (<0>)"
        );
    }

    #[test]
    fn what_is_written_stays_and_clauses_come_and_go() {
        let text = "SELECT  '$1', \"a$2\"\n\tFROM `t` WHERE a->>'$.x' = $1 AND qtool_optional_and(b IN ($2) , '$2') ORDER BY 1";
        assert_eq!(
            sent(text, &[true, true]),
            "SELECT  '$1', \"a$2\"\n\tFROM `t` WHERE a->>'$.x' = ?1 AND (b IN (?2) ) ORDER BY 1"
        );
        assert_eq!(
            sent(text, &[true, false]),
            "SELECT  '$1', \"a$2\"\n\tFROM `t` WHERE a->>'$.x' = ?1 AND TRUE ORDER BY 1"
        );
        let nested =
            "SELECT 1 WHERE a OR qtool_optional_or (f(b, 'x') = $1 AND qtool_optional_and(c = $2, '$2'), '$1')";
        assert_eq!(sent(nested, &[true, false]), "SELECT 1 WHERE a OR (f(b, 'x') = ?1 AND TRUE)");
        assert_eq!(sent(nested, &[false, true]), "SELECT 1 WHERE a OR FALSE");
        assert_eq!(sent("SELECT $1", &[true]), "SELECT ?1");
    }
}
