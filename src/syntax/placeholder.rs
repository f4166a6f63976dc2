//! Folds `<< name … >>` into one placeholder token, and `[[ AND … ]]` into a call of a marker function.
//!
//! `<<` opens a placeholder only where an operand is expected; behind an operand it stays the shift operator. `[[` opens
//! a clause only before `AND` or `OR`; elsewhere it is an array in an array.

mod bare;
mod inside;

use super::ast::{begins_clause, begins_condition};
use super::brackets::innermost_open;
use super::default::DefaultValue;
use super::lexer::{Lexed, Written};
use super::operand::leaves_operand;
use super::{OPTIONAL_AND, OPTIONAL_OR, neighbours, spellings, templates};
use crate::diagnostic::codes::Connective;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::{SourceFile, Span, Spanned};
use crate::ty::Type;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, Word};

/// One occurrence of `<< … >>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Placeholder {
    /// The parameter's name.
    pub name: Spanned<String>,
    /// The name and the `?` behind it.
    pub head: Span,
    /// The whole of it, from `<<` to `>>`.
    pub span: Span,
    /// The type written behind `:`.
    pub declared: Option<Spanned<Type>>,
    /// The default written behind `=`.
    pub default: Option<Spanned<DefaultValue>>,
    /// Whether a `?` follows the name: NULL when the agent sends nothing.
    pub optional: bool,
    /// Whether it is the whole list behind `IN`.
    pub list: bool,
    /// The types that it may be sent as beside the declared one.
    pub also: Vec<Type>,
    /// Whether it stands in an optional clause.
    pub clause: Option<Connective>,
}

/// The words of a connective that the lexer and the planner know.
trait Words {
    fn keyword(self) -> (&'static str, Keyword);
    fn marker(self) -> &'static str;
}

impl Words for Connective {
    fn keyword(self) -> (&'static str, Keyword) {
        match self {
            Connective::And => ("AND", Keyword::AND),
            Connective::Or => ("OR", Keyword::OR),
        }
    }

    fn marker(self) -> &'static str {
        match self {
            Connective::And => OPTIONAL_AND,
            Connective::Or => OPTIONAL_OR,
        }
    }
}

/// Tokens in which every placeholder is one token.
pub(super) struct Folded {
    pub tokens: Vec<Lexed>,
    pub placeholders: Vec<Placeholder>,
}

/// Folds placeholders and optional clauses; `None` where any of them is malformed (all are reported).
pub(super) fn fold(file: &SourceFile, tokens: Vec<Lexed>, sink: &mut Diagnostics) -> Option<Folded> {
    fold_behind(&[], file, tokens, sink)
}

/// The same where an operand follows these words as well, in lower case: other databases have operators of their own.
pub(super) fn fold_behind(
    operators: &'static [&'static str],
    file: &SourceFile,
    tokens: Vec<Lexed>,
    sink: &mut Diagnostics,
) -> Option<Folded> {
    let errors = sink.errors();
    let mut folder = Folder {
        file,
        tokens: &tokens,
        at: 0,
        out: Vec::with_capacity(tokens.len()),
        placeholders: Vec::new(),
        brackets: Vec::new(),
        operators,
        errors,
        sink,
    };
    folder.run();
    let Folder { out, placeholders, .. } = folder;
    (sink.errors() == errors).then_some(Folded { tokens: out, placeholders })
}

/// How many tokens behind `<<` a single `>` may be meant to close it.
const NEAR: usize = 8;

/// An open square bracket.
enum Bracket {
    Array,
    Clause { connective: Connective, open: Span, placeholders: usize },
}

struct Folder<'a> {
    file: &'a SourceFile,
    tokens: &'a [Lexed],
    at: usize,
    out: Vec<Lexed>,
    placeholders: Vec<Placeholder>,
    brackets: Vec<Bracket>,
    /// Words that an operand follows, beside those of all databases.
    operators: &'static [&'static str],
    /// How many there were before this file.
    errors: usize,
    sink: &'a mut Diagnostics,
}

impl Folder<'_> {
    fn run(&mut self) {
        while let Some(token) = self.tokens.get(self.at) {
            if let Some((span, tokens)) = self.foreign() {
                self.raw(span, self.file.slice(span));
                self.at += tokens;
                continue;
            }
            if self.tag() {
                continue;
            }
            match &token.token {
                Token::ShiftLeft if self.is_name_of_operator() => self.copy(),
                Token::ShiftLeft if self.expects_operand() => self.placeholder(),
                Token::ShiftLeft => match self.behind_operand() {
                    Some((span, tokens)) => {
                        self.sink.push(codes::placeholder_behind_operand(span));
                        self.at += tokens;
                    }
                    None => self.copy(),
                },
                Token::LBracket => self.open_bracket(),
                Token::RBracket => self.close_bracket(),
                Token::Placeholder(written) => {
                    self.raw(token.span, written);
                    self.at += 1;
                }
                Token::Word(word) if is_foreign(word) => {
                    self.sink.push(spellings::raw_placeholder(self.file, token.span, &word.value));
                    self.at += 1;
                }
                _ => self.copy(),
            }
        }
        for bracket in std::mem::take(&mut self.brackets) {
            if let Bracket::Clause { open, .. } = bracket {
                self.sink.push(codes::unclosed_clause(open, None));
            }
        }
    }

    /// Says that a placeholder is one of another system.
    fn raw(&mut self, place: Span, written: &str) {
        let diagnostic = spellings::raw_placeholder(self.file, place, written);
        let is_nameless = diagnostic.helps.iter().all(|help| help.edits.is_empty());
        let name = neighbours::name_for(&self.out).filter(|_| is_nameless);
        self.sink.push(name.map_or(diagnostic, |name| codes::nameless_placeholder(place, written, &name)));
    }

    /// Whether a tag of a template stands here; it is told and left out.
    fn tag(&mut self) -> bool {
        let Some(tag) = self.tokens.get(self.at..).and_then(|rest| templates::tag(self.file, rest)) else {
            return false;
        };
        if !tag.goes_with_another || self.sink.errors() == self.errors {
            self.sink.push(tag.diagnostic);
        }
        self.at += tag.count;
        true
    }

    /// The place and the tokens of a `<< name >>` that no operand follows, so that its signs cannot be shifts: `ORDER BY id << way >>`.
    fn behind_operand(&self) -> Option<(Span, usize)> {
        // Behind AS a name is given, which is told where the statement is parsed.
        if self.out.last().is_some_and(|last| last.is_keyword(Keyword::AS)) {
            return None;
        }
        let [open, name, behind, ..] = self.tokens.get(self.at..)? else { return None };
        let is_name = matches!(&name.token, Token::Word(word) if word.quote_style.is_none());
        let end = match behind.token {
            Token::ShiftRight => self.at + 2,
            // No shift has a type.
            Token::Colon => self.closing(self.at + 1).ok()?,
            _ => return None,
        };
        let (close, rest) = self.tokens.get(end..)?.split_first()?;
        let ends = match rest.first().map(|next| &next.token) {
            None
            | Some(
                Token::Comma
                | Token::RParen
                | Token::RBracket
                | Token::SemiColon
                | Token::Eq
                | Token::Neq
                | Token::Lt
                | Token::LtEq
                | Token::Gt
                | Token::GtEq
                | Token::Spaceship,
            ) => true,
            Some(Token::Word(word)) => word.quote_style.is_none() && begins_no_operand(word.keyword),
            Some(_) => false,
        };
        (is_name && ends).then(|| (open.span.to(close.span), end + 1 - self.at))
    }

    /// The place and the tokens of `{{ name }}`, `${name}` or `%(name)s`, where an operand is expected.
    fn foreign(&self) -> Option<(Span, usize)> {
        let tokens = self.tokens.get(self.at..)?;
        let count = spellings::template(tokens).filter(|_| self.expects_operand())?;
        Some((inside::extent(tokens.get(..count)?)?, count))
    }

    fn copy(&mut self) {
        if let Some(token) = self.tokens.get(self.at) {
            self.out.push(token.clone());
        }
        self.at += 1;
    }

    fn insert(&mut self, token: Token, span: Span) {
        self.out.push(Lexed { token, span, written: Written::Inserted });
    }

    /// Whether the innermost open bracket is that of `position(x IN text)`, where IN is no membership.
    fn is_in_position(&self) -> bool {
        let open = innermost_open(self.out.iter().map(|token| &token.token));
        let before = open.and_then(|open| self.out.get(open.checked_sub(1)?));
        before.is_some_and(|before| before.is_keyword(Keyword::POSITION))
    }

    /// Whether what was read so far leaves an operand to come.
    fn expects_operand(&self) -> bool {
        leaves_operand(self.out.last().map(|last| &last.token))
            || self.is_behind_fetch()
            || self.is_behind_operator()
            || self.is_behind_written_operator()
    }

    /// Whether the last bracket closes the name of an operator: `OPERATOR(pg_catalog.=)`.
    fn is_behind_written_operator(&self) -> bool {
        let Some((last, before)) = self.out.split_last() else { return false };
        let open = innermost_open(before.iter().map(|token| &token.token));
        let word = open.and_then(|open| before.get(open.checked_sub(1)?));
        last.token == Token::RParen && word.is_some_and(is_operator_word)
    }

    /// Whether the sign that stands here is all of an operator's name, or ends it: `OPERATOR(pg_catalog.<<)`.
    fn is_name_of_operator(&self) -> bool {
        let is_last = self.tokens.get(self.at + 1).is_some_and(|next| next.token == Token::RParen);
        let open = innermost_open(self.out.iter().map(|token| &token.token));
        is_last && open.and_then(|open| self.out.get(open.checked_sub(1)?)).is_some_and(is_operator_word)
    }

    /// Whether the last word is an operator of the database whose SQL this is.
    fn is_behind_operator(&self) -> bool {
        match self.out.last().map(|last| &last.token) {
            Some(Token::Word(word)) if word.quote_style.is_none() => {
                self.operators.iter().any(|operator| word.value.eq_ignore_ascii_case(operator))
            }
            _ => false,
        }
    }

    /// Whether a number of rows comes next: `FETCH FIRST << n >> ROWS ONLY`.
    fn is_behind_fetch(&self) -> bool {
        let [.., fetch, first] = self.out.as_slice() else { return false };
        let is_first = first.is_keyword(Keyword::FIRST) || first.is_keyword(Keyword::NEXT);
        is_first && fetch.is_keyword(Keyword::FETCH)
    }

    fn placeholder(&mut self) {
        let Some(open) = self.tokens.get(self.at).map(|token| token.span) else {
            return;
        };
        let close = match self.closing(self.at + 1) {
            Ok(close) => Some(close),
            Err(stop) => {
                let last = self.tokens.get(self.at + 1..stop).unwrap_or_default().last();
                let is_short = stop <= self.at + 8;
                self.sink.push(match self.single_sign(stop) {
                    Some(sign) => codes::half_closed_placeholder(open, sign),
                    None => codes::unclosed_placeholder(open, last.filter(|_| is_short).map(|token| token.span)),
                });
                None
            }
        };
        let Some(close) = close else {
            // Go on behind the name: the rest of the statement may hold more to report.
            self.at += 2;
            return;
        };
        let whole = self.tokens.get(close).map_or(open, |token| open.to(token.span));
        let inside = self.tokens.get(self.at + 1..close).unwrap_or_default();
        let list = self.out.last().is_some_and(|last| last.is_keyword(Keyword::IN)) && !self.is_in_position();
        let read = self.read(inside, whole, list);
        self.at = close + 1;
        let Some(placeholder) = read else {
            return;
        };
        if list {
            self.insert(Token::LParen, whole.before());
        }
        self.out.push(Lexed {
            token: Token::Placeholder(format!("${}", self.placeholders.len() + 1)),
            span: whole,
            written: Written::Placeholder(self.placeholders.len()),
        });
        if list {
            self.insert(Token::RParen, whole.after());
        }
        self.placeholders.push(placeholder);
    }

    /// The place of the `>` that was meant to close the placeholder here, which is not closed before token `stop`.
    fn single_sign(&self, stop: usize) -> Option<Span> {
        let inside = self.tokens.get(self.at + 1..stop)?;
        let sign = inside.iter().take(NEAR).position(|token| token.token == Token::Gt).filter(|at| *at > 0)?;
        Some(inside.get(sign)?.span)
    }

    /// The index of the `>>` that closes a placeholder opened before `from`; else that of the token at which it can no
    /// longer be open.
    fn closing(&self, from: usize) -> Result<usize, usize> {
        // SQL behind `=` may hold any word. Where it is never closed, the first that begins something else tells more.
        self.closing_of(from, true).or_else(|_| self.closing_of(from, false))
    }

    fn closing_of(&self, from: usize, default_is_sql: bool) -> Result<usize, usize> {
        let mut depth = 0_usize;
        let mut in_default = false;
        let mut last = None;
        for (at, token) in self.tokens.iter().enumerate().skip(from) {
            match &token.token {
                Token::LParen | Token::LBracket => depth += 1,
                Token::RParen | Token::RBracket => depth = depth.checked_sub(1).ok_or(at)?,
                Token::ShiftRight if depth == 0 => return Ok(at),
                Token::ShiftLeft if in_default && !leaves_operand(last) => {}
                Token::ShiftLeft | Token::SemiColon => return Err(at),
                Token::Eq if depth == 0 => in_default |= default_is_sql,
                // The first word is the name, and may be any.
                Token::Word(word)
                    if at > from && !in_default && word.quote_style.is_none() && ends_placeholder(word.keyword) =>
                {
                    return Err(at);
                }
                _ => {}
            }
            last = Some(&token.token);
        }
        Err(self.tokens.len())
    }

    fn open_bracket(&mut self) {
        let adjacent = |at: usize| -> Option<(&Lexed, &Lexed)> {
            let (first, second) = (self.tokens.get(at)?, self.tokens.get(at + 1)?);
            (second.token == Token::LBracket && first.span.end == second.span.start).then_some((first, second))
        };
        let clause = adjacent(self.at).and_then(|(first, second)| {
            let word = self.tokens.get(self.at + 2)?;
            let connective = [Connective::And, Connective::Or].into_iter().find(|c| word.is_keyword(c.keyword().1))?;
            Some((connective, first.span.to(second.span), word.span))
        });
        let Some((connective, open, word)) = clause else {
            match bare::find(self.tokens, self.at, self.out.last()) {
                Some((open, diagnostic)) => {
                    self.sink.push(diagnostic);
                    // It is read as one, so that what follows is.
                    self.begin_clause(Connective::And, open, open);
                    self.at += 2;
                }
                None => {
                    self.brackets.push(Bracket::Array);
                    self.copy();
                }
            }
            return;
        };
        if self.out.last().and_then(Lexed::keyword).is_some_and(begins_condition) {
            self.sink.push(codes::clause_without_condition(open, connective));
        }
        self.begin_clause(connective, open, word);
        self.at += 3;
    }

    /// Writes what an optional clause becomes up to its condition. `word` is the place of its connective.
    fn begin_clause(&mut self, connective: Connective, open: Span, word: Span) {
        let (text, keyword) = connective.keyword();
        self.insert(word_token(text, keyword), word);
        self.insert(word_token(connective.marker(), Keyword::NoKeyword), open);
        self.insert(Token::LParen, open);
        self.brackets.push(Bracket::Clause { connective, open, placeholders: self.placeholders.len() });
    }

    fn close_bracket(&mut self) {
        match self.brackets.pop() {
            Some(Bracket::Clause { open, placeholders, .. }) => {
                let second = self.tokens.get(self.at + 1).filter(|token| token.token == Token::RBracket);
                let Some((close, second)) = self.tokens.get(self.at).zip(second) else {
                    let single = self.tokens.get(self.at).map(|token| token.span);
                    self.sink.push(codes::unclosed_clause(open, single));
                    self.at += 1;
                    return;
                };
                let whole = close.span.to(second.span);
                if placeholders == self.placeholders.len() && self.sink.errors() == self.errors {
                    self.sink.push(codes::clause_without_placeholder(open.to(whole)));
                }
                self.insert(Token::RParen, whole);
                self.at += 2;
            }
            Some(Bracket::Array) => self.copy(),
            None => {
                let span = self.tokens.get(self.at).map_or(self.file.whole(), |token| token.span);
                self.sink.push(codes::syntax_error(span, "`]` without `[`"));
                self.at += 1;
            }
        }
    }
}

/// Whether a keyword stands behind an operand, and never at the beginning of one.
fn begins_no_operand(keyword: Keyword) -> bool {
    let is_between = matches!(
        keyword,
        Keyword::NULLS
            | Keyword::AS
            | Keyword::IS
            | Keyword::IN
            | Keyword::BETWEEN
            | Keyword::LIKE
            | Keyword::WHEN
            | Keyword::THEN
            | Keyword::ELSE
            | Keyword::END
            | Keyword::ASC
            | Keyword::DESC
            | Keyword::USING
    );
    // A query in brackets has its own.
    is_between || ends_placeholder(keyword) && keyword != Keyword::SELECT
}

/// Whether a word stands before the name of an operator in brackets.
fn is_operator_word(token: &Lexed) -> bool {
    matches!(&token.token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case("operator"))
}

/// `@name`, which is a word to the tokenizer.
fn is_foreign(word: &Word) -> bool {
    let name = word.value.strip_prefix('@').filter(|_| word.quote_style.is_none());
    name.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Keywords that no placeholder holds: one that is met before `>>` begins what follows.
fn ends_placeholder(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::AND | Keyword::OR) || begins_clause(keyword)
}

fn word_token(text: &str, keyword: Keyword) -> Token {
    Token::Word(Word { value: text.to_owned(), quote_style: None, keyword })
}
