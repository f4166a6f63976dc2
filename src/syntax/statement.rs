//! The statement: exactly one, a query, parsed.

use super::ast::{joined_name, located, naming_select, normalized, place, place_of_name};
use super::dialect::QueryDialect;
use super::familiar_names::{named_users, without_schema};
use super::ignored::{self, FunctionClause};
use super::lexer::{Lexed, Written, char_at, decode, lower_first};
use super::renames::{Given, Rename};
use super::scopes::Scopes;
use super::spellings;
use super::{arrows, filters, struct_types, synonyms};
use crate::diagnostic::codes::Connective;
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::name::shown_name;
use crate::source::{FileId, SourceFile, Sources, Span, Spanned};
use sqlparser::ast::{
    Expr, ObjectName, ObjectNamePart, Query, Select, SelectItem, SetExpr, Spanned as _, Statement, TableFactor, Value,
    ValueWithSpan, Visit, Visitor,
};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};
use std::ops::ControlFlow;

/// How many tokens before the place where the parser stopped tell what was meant.
const NEAR: usize = 24;

/// A table or query that is selected from.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// The name, in lower case where it was not quoted; with new names for parameters, that of the use.
    pub name: String,
    /// The table or query: the name without those new names.
    pub query: String,
    /// The new names for its parameters.
    pub renames: Vec<Rename>,
    /// The values that it gives to others of them.
    pub given: Vec<Given>,
    /// Whether it has an alias.
    pub aliased: bool,
    /// The optional clause that it stands in; known only where it has new names.
    pub clause: Option<Connective>,
    /// Where it stands.
    pub span: Span,
}

/// A statement, and the tokens that it was parsed from.
#[derive(Debug)]
pub(crate) struct Tree {
    pub statement: Statement,
    pub tokens: Vec<Lexed>,
    /// The file that its places are told by.
    pub file: FileId,
}

/// What the parser found that later stages ask for.
pub(super) struct Outline {
    pub outputs: Vec<Spanned<String>>,
    pub references: Vec<Reference>,
    pub functions: Vec<Spanned<String>>,
    pub table_functions: Vec<Spanned<String>>,
    pub function_clauses: Vec<FunctionClause>,
}

/// Checks that there is one statement and that it begins as a query does; its span, and that of its first word.
pub(super) fn extent(file: &SourceFile, tokens: &[Lexed], sink: &mut Diagnostics) -> Option<(Span, Span)> {
    let mut statements =
        tokens.split(|token| token.token == Token::SemiColon).filter_map(|part| Some((part.first()?, part.last()?)));
    let Some((first, last)) = statements.next() else {
        sink.push(codes::empty_query(file.span(0, 0)));
        return None;
    };
    let mut fine = true;
    if let Some((second, _)) = statements.next() {
        sink.push(codes::multiple_statements(second.span, first.span));
        fine = false;
    }
    if !begins_query(first) {
        let word = file.slice(first.span).to_uppercase();
        let diagnostic = codes::not_a_query(first.span, &word);
        sink.push(match word.as_str() {
            "PIVOT" => diagnostic.help(
                "a pivot stands behind what it reads: `SELECT * FROM orders PIVOT (sum(total) FOR status IN ('open', 'paid'))`",
            ),
            "UNPIVOT" => diagnostic.help(codes::ROWS_OF_COLUMNS),
            _ => diagnostic,
        });
        fine = false;
    }
    fine.then(|| (first.span.to(last.span), first.span))
}

fn begins_query(first: &Lexed) -> bool {
    match &first.token {
        Token::LParen => true,
        Token::Word(word) if word.quote_style.is_none() => match word.keyword {
            Keyword::SELECT | Keyword::WITH | Keyword::VALUES | Keyword::FROM | Keyword::TABLE => true,
            // Not SQL at all: the parser says better what it expected.
            Keyword::NoKeyword => true,
            _ => false,
        },
        _ => true,
    }
}

/// Parses the tokens of one file.
pub(super) fn parse(file: &SourceFile, tokens: &[Lexed], sink: &mut Diagnostics) -> Option<Statement> {
    let located = tokens.iter().map(|token| located(file, token)).collect();
    parse_tokens(located).map_err(|error| report(error, file, tokens, sink)).ok()
}

/// Says what the parser did not understand, at the token where it stopped.
pub(super) fn report(error: ParserError, file: &SourceFile, tokens: &[Lexed], sink: &mut Diagnostics) {
    match error {
        ParserError::RecursionLimitExceeded => {
            let span = tokens.first().map_or(file.whole(), |token| token.span);
            sink.push(codes::query_too_deep(span, "expressions are nested too deep"));
        }
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => {
            let (message, at) = split_location(&message);
            let span = match at {
                Some((line, column)) => {
                    let offset = file.offset(decode(line, column).1);
                    let token = tokens.iter().find(|token| token.span.start == offset);
                    // Behind the last token: the statement ends too early.
                    token.or(tokens.last()).map_or_else(|| char_at(file, offset), |token| token.span)
                }
                None => tokens.last().map_or(file.whole().before(), |token| token.span),
            };
            let value = value_for_name(tokens, span, message);
            let told = || of_others(codes::syntax_error(span, &worded(file, span, message)), file, tokens, span);
            sink.push(value.unwrap_or_else(told));
        }
    }
}

/// With what is written here for the syntax of another database, before the place where the parser stopped.
fn of_others(diagnostic: Diagnostic, file: &SourceFile, tokens: &[Lexed], place: Span) -> Diagnostic {
    let Some(at) = tokens.iter().position(|token| token.span == place) else { return diagnostic };
    let before = tokens.get(..at).unwrap_or_default().iter().rev().take(NEAR);
    let before: Vec<String> = before.map(|token| file.slice(token.span).to_uppercase()).collect();
    let next = tokens.get(at + 1).map_or("", |token| file.slice(token.span));
    codes::syntax_of_others(diagnostic, &before, file.slice(place), next)
}

/// What is told of a placeholder where the parser wants a name.
fn value_for_name(tokens: &[Lexed], place: Span, message: &str) -> Option<Diagnostic> {
    let at = tokens.iter().position(|token| token.span.start == place.start && token.written != Written::Inserted)?;
    let first = tokens.get(at)?;
    let span = match first.token {
        // Where no operand can stand, the signs are no placeholder.
        Token::ShiftLeft => {
            let end = tokens.iter().skip(at).take(12).find(|token| token.token == Token::ShiftRight)?;
            first.span.to(end.span)
        }
        _ if matches!(first.written, Written::Placeholder(_)) => first.span,
        _ => return None,
    };
    if message.starts_with("Expected: an identifier after AS") {
        return Some(codes::placeholder_for_alias(span));
    }
    message.starts_with("Expected: identifier").then(|| codes::placeholder_for_table(span))
}

/// Parses tokens that may stand in several files, for what is wrong with them.
pub(super) fn check(tokens: &[Lexed], sources: &Sources, sink: &mut Diagnostics) {
    let placed = tokens.iter().filter_map(|token| Some(located(sources.get(token.span.file)?, token))).collect();
    let message = match parse_tokens(placed) {
        Ok(statement) => {
            if let Some(first) = tokens.first() {
                ignored::check(&statement, tokens, &|span| place_in(sources, span).unwrap_or(first.span), sink);
            }
            return;
        }
        Err(ParserError::RecursionLimitExceeded) => {
            if let Some(first) = tokens.first() {
                sink.push(codes::query_too_deep(first.span, "expressions are nested too deep"));
            }
            return;
        }
        Err(ParserError::TokenizerError(message) | ParserError::ParserError(message)) => message,
    };
    let (message, at) = split_location(&message);
    let found = at.and_then(|(line, column)| {
        let (file, location) = decode(line, column);
        let file = sources.iter().nth(file)?;
        let place = file.span(file.offset(location), file.offset(location));
        let starts = |token: &&Lexed| token.span.file == place.file && token.span.start == place.start;
        tokens.iter().find(starts).map(|token| token.span)
    });
    let Some(span) = found.or_else(|| tokens.last().map(|token| token.span)) else { return };
    let Some(file) = sources.get(span.file) else { return };
    sink.push(codes::syntax_error(span, &worded(file, span, message)));
}

/// Parses one statement and nothing behind it.
pub(super) fn parse_tokens(tokens: Vec<TokenWithSpan>) -> Result<Statement, ParserError> {
    let mut tokens = named_users(tokens);
    arrows::mark(&mut tokens);
    struct_types::mark(&mut tokens);
    let mut statement = match filters::tokens_with_where(&tokens) {
        // An alias may be called so: only where it is nothing else.
        Some(with_where) => parse_whole(tokens).or_else(|error| parse_whole(with_where).map_err(|_| error))?,
        None => parse_whole(tokens)?,
    };
    without_schema(&mut statement);
    synonyms::write_out(&mut statement);
    Ok(statement)
}

fn parse_whole(tokens: Vec<TokenWithSpan>) -> Result<Statement, ParserError> {
    let mut parser = Parser::new(&QueryDialect).with_tokens_with_locations(tokens);
    let statement = parser.parse_statement()?;
    while parser.consume_token(&Token::SemiColon) {}
    let next = parser.peek_token();
    if next.token != Token::EOF {
        return parser.expected("end of statement", next);
    }
    Ok(statement)
}

/// Parses an expression and nothing behind it.
pub(super) fn parse_expression(tokens: &[Lexed]) -> Option<Expr> {
    let tokens = tokens.iter().map(|token| TokenWithSpan::wrap(token.token.clone())).collect();
    let mut parser = Parser::new(&QueryDialect).with_tokens_with_locations(tokens);
    let expr = parser.parse_expr().ok()?;
    (parser.peek_token().token == Token::EOF).then_some(expr)
}

/// As [`place`], of tokens that may stand in several files; none where the parser keeps none.
fn place_in(sources: &Sources, span: sqlparser::tokenizer::Span) -> Option<Span> {
    let end = |location: sqlparser::tokenizer::Location| {
        let (file, location) = decode(location.line, location.column);
        let file = sources.iter().nth(file)?;
        let offset = file.offset(location);
        Some(file.span(offset, offset))
    };
    if span.start.line == 0 {
        return None;
    }
    let (start, end) = (end(span.start)?, end(span.end)?);
    Some(start.to(end))
}

/// sqlparser ends its messages with ` at Line: 1, Column: 2`.
fn split_location(message: &str) -> (&str, Option<(u64, u64)>) {
    let Some((text, place)) = message.rsplit_once(" at Line: ") else {
        return (message, None);
    };
    let numbers = place
        .split_once(", Column: ")
        .and_then(|(line, column)| Some((line.trim().parse().ok()?, column.trim().parse().ok()?)));
    (text, numbers)
}

/// `Expected: an expression, found: FROM` → ``expected an expression, found `FROM` ``.
fn worded(file: &SourceFile, span: Span, message: &str) -> String {
    match message.strip_prefix("Expected: ").and_then(|rest| rest.split_once(", found: ")) {
        Some((expected, "EOF")) => format!("expected {expected}, found the end of the statement"),
        Some((expected, _)) => format!("expected {expected}, found `{}`", shown_name(file.slice(span))),
        None => lower_first(message.strip_prefix("sql parser error: ").unwrap_or(message)),
    }
}

/// Collects what is referred to, and refuses what changes data in the middle of a query.
pub(super) fn outline(
    statement: &Statement,
    file: &SourceFile,
    tokens: &[Lexed],
    sink: &mut Diagnostics,
) -> Option<Outline> {
    let mut walk = Walk {
        file,
        references: Vec::new(),
        functions: Vec::new(),
        table_functions: Vec::new(),
        scopes: Scopes::default(),
        writes: Vec::new(),
        raw: Vec::new(),
    };
    let _ = statement.visit(&mut walk);
    if !matches!(statement, Statement::Query(_)) {
        walk.writes.push((file.whole().before(), "this statement".to_owned()));
    }
    for (span, what) in &walk.writes {
        sink.push(codes::not_a_query(*span, what));
    }
    for placeholder in &walk.raw {
        sink.push(spellings::raw_placeholder(file, placeholder.span, &placeholder.value));
    }
    let errors = sink.errors();
    let function_clauses = ignored::check(statement, tokens, &|span| place(file, span), sink);
    let outputs = match statement {
        Statement::Query(query) => walk.outputs(&query.body),
        _ => Vec::new(),
    };
    (walk.writes.is_empty() && walk.raw.is_empty() && sink.errors() == errors).then_some(Outline {
        outputs,
        references: walk.references,
        functions: walk.functions,
        table_functions: walk.table_functions,
        function_clauses,
    })
}

struct Walk<'a> {
    file: &'a SourceFile,
    references: Vec<Reference>,
    functions: Vec<Spanned<String>>,
    table_functions: Vec<Spanned<String>>,
    scopes: Scopes,
    writes: Vec<(Span, String)>,
    raw: Vec<Spanned<String>>,
}

impl Walk<'_> {
    fn span(&self, span: sqlparser::tokenizer::Span) -> Span {
        place(self.file, span)
    }
}

impl Visitor for Walk<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.scopes.enter(query);
        if let SetExpr::Insert(body) | SetExpr::Update(body) | SetExpr::Delete(body) | SetExpr::Merge(body) =
            query.body.as_ref()
        {
            let what = body.to_string();
            let word = what.split(' ').next().unwrap_or_default().to_uppercase();
            self.writes.push((self.span(body.span()), word));
        }
        if !query.locks.is_empty() {
            self.writes.push((self.span(query.span()), "SELECT with a lock".to_owned()));
        }
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.scopes.leave();
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        if let Some(into) = &select.into {
            self.writes.push((self.span(into.name.span()), "SELECT INTO".to_owned()));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, args, alias, .. } = factor {
            match args {
                None => self.reference(name, alias.is_some()),
                Some(_) => self.table_functions.extend(self.called(name)),
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_value(&mut self, value: &ValueWithSpan) -> ControlFlow<()> {
        // `:name` is two tokens; the parser makes a placeholder of them that no one would fill.
        if let Value::Placeholder(written) = &value.value
            && !written.starts_with('$')
        {
            self.raw.push(Spanned::new(written.clone(), self.span(value.span)));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expr {
            self.functions.extend(self.called(&function.name));
        }
        ControlFlow::Continue(())
    }
}

impl Walk<'_> {
    fn reference(&mut self, name: &ObjectName, aliased: bool) {
        let written = name;
        let Some(name) = joined_name(written) else { return };
        if self.scopes.common_table(&name).is_some() {
            return;
        }
        let span = place_of_name(self.file, written, &name);
        let query = name.clone();
        let (renames, given) = Default::default();
        self.references.push(Reference { query, name, renames, given, aliased, clause: None, span });
    }

    /// The columns of the result that have a name of their own: a plain column's, or one given with AS. Of a set
    /// operation the first query names the columns.
    fn outputs(&self, body: &SetExpr) -> Vec<Spanned<String>> {
        let Some(select) = naming_select(body) else { return Vec::new() };
        let mut named = Vec::new();
        for item in &select.projection {
            let span = self.span(item.span());
            let ident = match item {
                SelectItem::ExprWithAlias { alias, .. } => Some(alias),
                SelectItem::UnnamedExpr(Expr::Identifier(ident)) => Some(ident),
                SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => parts.last(),
                _ => None,
            };
            named.extend(ident.map(|ident| Spanned::new(normalized(ident), span)));
        }
        named
    }

    fn called(&self, name: &ObjectName) -> Option<Spanned<String>> {
        match name.0.as_slice() {
            [ObjectNamePart::Identifier(ident)] => Some(Spanned::new(normalized(ident), self.span(ident.span))),
            _ => None,
        }
    }
}
