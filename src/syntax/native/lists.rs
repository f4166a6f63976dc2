//! Rows that a call brings: `INSERT INTO t (a, b) VALUES << rows >>`.
//!
//! The list becomes one row of placeholders, `VALUES (<< rows.a >>, << rows.b >>)`, each of which is typed by its column like any
//! other. What is sent has the row as often as the call has rows, each with its own values bound.

use super::super::lexer::{Lexed, Written};
use super::super::placeholder::{Folded, Placeholder};
use crate::diagnostic::{Diagnostics, codes};
use crate::name::{is_legal, snake_case};
use crate::source::{Span, Spanned};
use crate::ty::Type;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;
use std::collections::BTreeSet;

/// A parameter that is a list of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowList {
    /// Its name, where it is first used.
    pub name: Spanned<String>,
    /// The fields of its rows, in the order in which they are first written.
    pub fields: Vec<RowField>,
}

/// A field of the rows of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowField {
    /// Its name in a row.
    pub name: String,
    /// What its placeholder is called: the list's name, a dot, and its own.
    pub parameter: String,
}

/// A statement in which every list is a row of placeholders.
pub(super) struct Spread {
    pub folded: Folded,
    pub lists: Vec<RowList>,
    /// The placeholders that stand in rows.
    pub occurrences: BTreeSet<usize>,
}

/// A column that a list is written into.
struct Target {
    name: String,
    span: Span,
}

/// Why a list is none.
struct Flaw {
    place: Span,
    why: String,
    instead: Option<&'static str>,
}

/// Puts a row of placeholders in the place of every list. `None` where one of them cannot be written; all is told.
pub(super) fn spread(folded: Folded, sink: &mut Diagnostics) -> Option<Spread> {
    let errors = sink.errors();
    let Folded { tokens, placeholders } = folded;
    let mut spread = Spread {
        folded: Folded { tokens: Vec::with_capacity(tokens.len()), placeholders: Vec::new() },
        lists: Vec::new(),
        occurrences: BTreeSet::new(),
    };
    let mut values: Vec<Spanned<String>> = Vec::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let Written::Placeholder(at) = token.written else {
            spread.folded.tokens.push(token);
            continue;
        };
        let placeholder = placeholders.get(at)?.clone();
        let is_list = spread.folded.tokens.last().is_some_and(|last| last.is_keyword(Keyword::VALUES));
        if is_list && rest.peek().is_some_and(|next: &Lexed| next.token == Token::Comma) {
            let why = "a list of rows stands alone behind VALUES: the rows of a call are all there are";
            sink.push(codes::foreign_change(
                placeholder.span,
                why,
                Some("write the other rows in a statement of their own"),
            ));
        }
        if !is_list {
            values.push(placeholder.name.clone());
            spread.push(token, placeholder);
        } else if let Err(flaw) = spread.row(&token, &placeholder) {
            sink.push(codes::foreign_change(flaw.place, &flaw.why, flaw.instead));
        }
    }
    for value in values.iter().filter(|value| spread.lists.iter().any(|list| list.name.value == value.value)) {
        let why = format!("`{}` is a list of rows behind VALUES, and a value here", value.value);
        sink.push(codes::foreign_change(value.span, &why, Some("give one of the two another name")));
    }
    (sink.errors() == errors).then_some(spread)
}

impl Spread {
    fn push(&mut self, token: Lexed, placeholder: Placeholder) {
        let at = self.folded.placeholders.len();
        let (named, written) = (Token::Placeholder(format!("${}", at + 1)), Written::Placeholder(at));
        self.folded.tokens.push(Lexed { token: named, written, ..token });
        self.folded.placeholders.push(placeholder);
    }

    /// Writes the row of a list.
    fn row(&mut self, token: &Lexed, list: &Placeholder) -> Result<(), Flaw> {
        let flaw = |place: Span, why: &str, instead| Err(Flaw { place, why: why.to_owned(), instead });
        let Some(columns) = columns(&self.folded.tokens) else {
            let why = "a list of rows needs to know the columns that it is written into";
            return flaw(token.span, why, Some("write `INSERT INTO table (column, …) VALUES << rows >>`"));
        };
        if list.optional || list.default.is_some() {
            return flaw(list.span, "a list of rows is sent with every call", Some("leave out `?` and the default"));
        }
        let names: Vec<String> = columns.iter().map(|column| snake_case(&column.name)).collect();
        for (at, (name, column)) in names.iter().zip(&columns).enumerate() {
            if !is_legal(name) {
                let why = format!("`{}` is no name that a field of a row can have", column.name);
                return flaw(column.span, &why, Some("write `VALUES (…)` with a placeholder for each column"));
            }
            if names.iter().take(at).any(|before| before == name) {
                let why = format!("two columns would be the field `{name}` of a row");
                return flaw(column.span, &why, Some("write `VALUES (…)` with a placeholder for each column"));
            }
        }
        let types = types(list, &names)?;
        let inserted = |token: Token, span: Span| Lexed { token, span, written: Written::Inserted };
        self.folded.tokens.push(inserted(Token::LParen, token.span.before()));
        for (at, name) in names.iter().enumerate() {
            if at > 0 {
                self.folded.tokens.push(inserted(Token::Comma, token.span));
            }
            let parameter = format!("{}.{name}", list.name.value);
            self.occurrences.insert(self.folded.placeholders.len());
            let field = Placeholder {
                name: Spanned::new(parameter.clone(), list.name.span),
                declared: types.get(at).cloned(),
                also: Vec::new(),
                ..list.clone()
            };
            self.push(token.clone(), field);
            self.note(&list.name, RowField { name: name.clone(), parameter });
        }
        self.folded.tokens.push(inserted(Token::RParen, token.span.after()));
        Ok(())
    }

    /// Notes a field of a list.
    fn note(&mut self, list: &Spanned<String>, field: RowField) {
        match self.lists.iter_mut().find(|one| one.name.value == list.value) {
            Some(known) if known.fields.contains(&field) => {}
            Some(known) => known.fields.push(field),
            None => self.lists.push(RowList { name: list.clone(), fields: vec![field] }),
        }
    }
}

/// The types of the fields, where the list declares some.
fn types(list: &Placeholder, names: &[String]) -> Result<Vec<Spanned<Type>>, Flaw> {
    let Some(declared) = &list.declared else { return Ok(Vec::new()) };
    let flaw = |why: String, instead| Flaw { place: declared.span, why, instead };
    let of_rows = match &declared.value {
        Type::List(item) if list.also.is_empty() => item.as_ref(),
        _ => &Type::Json,
    };
    let Type::Struct(fields) = of_rows else {
        let why = format!("rows are of the type `struct(…)[]`, and `{}` is `{}`", list.name.value, declared.value);
        return Err(flaw(why, Some("leave out the type: the columns say it")));
    };
    if let Some((extra, _)) = fields.iter().find(|(field, _)| !names.contains(field)) {
        let why =
            format!("the type has the field `{extra}`, and no column of that name is written: {}", names.join(", "));
        return Err(flaw(why, Some("leave out the type: the columns say it")));
    }
    let of = |name: &String| match fields.iter().find(|(field, _)| field == name) {
        Some((_, ty)) => Ok(Spanned::new(ty.clone(), declared.span)),
        None => Err(flaw(format!("the type has no field `{name}`, and the column is written"), None)),
    };
    names.iter().map(of).collect()
}

/// The columns between the brackets before the VALUES that ends these tokens, of an INSERT that names its table.
fn columns(tokens: &[Lexed]) -> Option<Vec<Target>> {
    let (_, before) = tokens.split_last()?;
    let (close, inside) = before.split_last().filter(|(close, _)| close.token == Token::RParen)?;
    let open = inside.iter().rposition(|token| token.token == Token::LParen)?;
    let (named, listed) = (inside.get(..open)?, inside.get(open + 1..)?);
    let of_table = named.iter().rev().take_while(|token| matches!(token.token, Token::Word(_) | Token::Period));
    if close.written != Written::AsIs || !of_table.take(12).any(|token| token.is_keyword(Keyword::INTO)) {
        return None;
    }
    let mut columns = Vec::new();
    for (at, token) in listed.iter().enumerate() {
        match (&token.token, at % 2) {
            (Token::Word(word), 0) => columns.push(Target { name: word.value.clone(), span: token.span }),
            (Token::Comma, 1) => {}
            _ => return None,
        }
    }
    (listed.len() % 2 == 1).then_some(columns)
}
