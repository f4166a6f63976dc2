//! Defaults: literals, and SQL that is evaluated at every call.
//!
//! The SQL is an expression over nothing: no columns, no tables, no placeholders. It stands in a placeholder
//! (`<< since = current_date - 7 >>`) or in the header (`default: { sql: current_date - 7 }`).

use super::ast::{self, located};
use super::dialect::QueryDialect;
use super::lexer::{Lexed, Written};
use super::literal::Literal;
use super::statement;
use super::{FunctionClause, embedded, lexer, spellings};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::project::Header;
use crate::source::{SourceFile, Sources, Span, Spanned};
use crate::ty::foreign_numbers::meant_numbers;
use crate::yaml::Document;
use indexmap::IndexMap;
use serde_json::{Value, json};
use sqlparser::ast::{Expr, Ident, Query, Spanned as _, Statement, Visit, Visitor};
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Word};
use std::fmt;
use std::ops::ControlFlow;

/// What a parameter is where the agent sends nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum DefaultValue {
    /// Always the same.
    Literal(Literal),
    /// What the expression gives at the call.
    Expression(Box<DefaultExpression>),
}

/// A default that is evaluated at every call.
#[derive(Debug, Clone, PartialEq)]
pub struct DefaultExpression {
    /// Where it stands.
    pub span: Span,
    /// The SQL, without comments.
    pub text: String,
    /// `SELECT (expression) AS value`.
    pub statement: Statement,
    /// The functions it calls, one an occurrence.
    pub functions: Vec<Spanned<String>>,
    /// The clauses of its calls that not every function has.
    pub function_clauses: Vec<FunctionClause>,
}

/// The SQL that gives the value of a default expression.
pub fn statement_of(text: &str) -> String {
    format!("SELECT ({text}) AS value")
}

impl DefaultValue {
    /// The value of a setting `default` that says the same.
    pub fn setting(&self) -> Value {
        match self {
            DefaultValue::Literal(literal) => literal.value.clone(),
            DefaultValue::Expression(expression) => json!({ "sql": expression.text }),
        }
    }
}

impl fmt::Display for DefaultValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefaultValue::Literal(literal) => literal.fmt(f),
            DefaultValue::Expression(expression) => f.write_str(&expression.text),
        }
    }
}

/// Reads the defaults of a header that are SQL, by parameter.
pub(super) fn read(
    header: &Header,
    document: &Document,
    sources: &Sources,
    sink: &mut Diagnostics,
) -> Option<IndexMap<String, DefaultExpression>> {
    let errors = sink.errors();
    let mut all = IndexMap::new();
    for (name, config) in &header.params {
        let Some(sql) = config.default.as_ref().and_then(sql) else { continue };
        let written = document.value_span(&["params", name, "default", "sql"]);
        let Some(file) = sources.get(written.file) else { continue };
        let span = embedded::inside(file, written, sql);
        let Some(tokens) = embedded::tokenize(file, span, sql, sink) else { continue };
        if let Some(expression) = expression(file, &tokens, span, name, sink) {
            all.insert(name.clone(), expression);
        }
    }
    (sink.errors() == errors).then_some(all)
}

/// The SQL of `{ sql: … }`; of any other value none.
pub fn sql(value: &Value) -> Option<&str> {
    let map = value.as_object().filter(|map| map.len() == 1)?;
    map.get("sql")?.as_str()
}

/// Reads the tokens of one expression that looks at nothing; `span` is its place, and `name` the parameter's.
pub(super) fn expression(
    file: &SourceFile,
    tokens: &[Lexed],
    span: Span,
    name: &str,
    sink: &mut Diagnostics,
) -> Option<DefaultExpression> {
    let errors = sink.errors();
    if tokens.is_empty() {
        sink.push(codes::invalid_default(span, name, "it is empty"));
        return None;
    }
    for token in tokens {
        if let Token::Placeholder(written) = &token.token {
            sink.push(spellings::raw_placeholder(file, token.span, written));
        }
    }
    if sink.errors() > errors {
        return None;
    }
    if let Some(diagnostic) = number_of_people(&embedded::text(file, tokens), span, name) {
        sink.push(diagnostic);
        return None;
    }
    super::depth::check(tokens, sink)?;
    let mut parser =
        Parser::new(&QueryDialect).with_tokens_with_locations(tokens.iter().map(|one| located(file, one)).collect());
    let expr = match parser.parse_expr() {
        Ok(expr) => expr,
        Err(error) => {
            match tokens.iter().find(|token| token.token == Token::ShiftLeft) {
                Some(open) => {
                    sink.push(codes::invalid_default(open.span, name, "it is an expression without placeholders"));
                }
                None => statement::report(error, file, tokens, sink),
            }
            return None;
        }
    };
    let next = parser.peek_token();
    if next.token != Token::EOF {
        let (line, column) = (next.span.start.line, next.span.start.column);
        let offset = file.offset(lexer::decode(line, column).1);
        let found = tokens.iter().find(|token| token.span.start == offset);
        let (place, found) = found.map_or((span, next.token.to_string()), |token| {
            (token.span, crate::name::shown_name(file.slice(token.span)).into_owned())
        });
        sink.push(codes::invalid_default(place, name, &format!("it is one expression; found `{found}` behind it")));
        return None;
    }
    let mut walk = Walk { file, span, name, lambdas: 0, sink };
    let _ = expr.visit(&mut walk);
    let inserted = |token: Token, span: Span| Lexed { token, span, written: Written::Inserted };
    let word = |text: &str, keyword: Keyword| Token::Word(Word { value: text.to_owned(), quote_style: None, keyword });
    let before = [word("SELECT", Keyword::SELECT), Token::LParen];
    let behind = [Token::RParen, word("AS", Keyword::AS), word("value", Keyword::VALUE)];
    let mut all: Vec<Lexed> = before.into_iter().map(|token| inserted(token, span.before())).collect();
    all.extend(tokens.iter().cloned());
    all.extend(behind.into_iter().map(|token| inserted(token, span.after())));
    let statement = statement::parse(file, &all, sink)?;
    let outline = statement::outline(&statement, file, &all, sink)?;
    (sink.errors() == errors).then(|| DefaultExpression {
        span,
        text: embedded::text(file, tokens),
        statement,
        functions: outline.functions,
        function_clauses: outline.function_clauses,
    })
}

/// What is told of a number as people write it: `1,1`, `110%`.
fn number_of_people(text: &str, span: Span, name: &str) -> Option<Diagnostic> {
    let numbers = meant_numbers(text);
    let told = codes::invalid_default(span, name, "no number is written like this");
    let with_number = |told: Diagnostic, (help, number): (String, String)| told.fix(help, span, number);
    (!numbers.is_empty()).then(|| numbers.into_iter().fold(told, with_number))
}

/// What is written without brackets, and is easily taken for a column where it is misspelt.
const OF_THE_CALL: [&str; 3] = ["current_date", "current_time", "current_timestamp"];

/// Reports what a default cannot look at.
struct Walk<'a> {
    file: &'a SourceFile,
    span: Span,
    name: &'a str,
    /// How many functions that the expression itself makes (`x -> x + 1`) are open: they have names of their own.
    lambdas: usize,
    sink: &'a mut Diagnostics,
}

impl Walk<'_> {
    fn place(&self, span: sqlparser::tokenizer::Span) -> Span {
        let place = ast::place(self.file, span);
        if place.start == place.end { self.span } else { place }
    }

    fn column(&mut self, parts: &[Ident]) {
        if self.lambdas > 0 {
            return;
        }
        let span = parts.iter().map(|part| part.span).reduce(|one, other| one.union(&other));
        let place = span.map_or(self.span, |span| self.place(span));
        let text = self.file.slice(place);
        let why = format!("`{}` would be a column, and a default looks at none", crate::name::shown_name(text));
        let diagnostic = codes::invalid_default(place, self.name, &why);
        let one = match parts {
            [one] => Some(one),
            _ => None,
        };
        let near = one.and_then(|one| crate::name::nearest(&one.value, OF_THE_CALL));
        self.sink.push(match (near, one) {
            (Some(near), _) => diagnostic.fix(format!("did you mean `{near}`?"), place, near),
            (None, Some(one)) if place == self.span => {
                diagnostic.fix("write a text in single quotes", place, format!("'{}'", one.value.replace('\'', "''")))
            }
            _ => diagnostic,
        });
    }
}

impl Visitor for Walk<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let place = self.place(query.span());
        let why = "a default looks at no table; it may use functions, such as `current_date`";
        self.sink.push(codes::invalid_default(place, self.name, why));
        ControlFlow::Break(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Lambda(_) => self.lambdas += 1,
            Expr::Identifier(ident) => self.column(std::slice::from_ref(ident)),
            Expr::CompoundIdentifier(parts) => self.column(parts),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if matches!(expr, Expr::Lambda(_)) {
            self.lambdas -= 1;
        }
        ControlFlow::Continue(())
    }
}
