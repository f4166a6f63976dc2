//! Queries in the header that give the allowed values of a parameter.

use super::lexer::Lexed;
use super::statement::{self, Outline};
use super::{FunctionClause, depth, embedded, spellings};
use crate::diagnostic::{Diagnostics, codes};
use crate::project::{AllowedValues, Header, Refresh};
use crate::source::{SourceFile, Sources, Span, Spanned};
use crate::yaml::Document;
use indexmap::IndexMap;
use sqlparser::ast::Statement;
use sqlparser::tokenizer::Token;

/// A query of one column, whose values a parameter may have.
#[derive(Debug, Clone)]
pub struct AllowedQuery {
    /// The parameter, as its own file calls it.
    pub parameter: String,
    /// Where it stands.
    pub span: Span,
    /// The SQL, without comments.
    pub text: String,
    /// The same, parsed.
    pub statement: Statement,
    /// When a server reads the values again.
    pub refresh: Option<Refresh>,
    /// The tables it selects from, one an occurrence.
    pub tables: Vec<Spanned<String>>,
    /// The functions it calls, one an occurrence.
    pub functions: Vec<Spanned<String>>,
    /// The functions it selects from, likewise.
    pub table_functions: Vec<Spanned<String>>,
    /// The clauses of its calls that not every function has.
    pub function_clauses: Vec<FunctionClause>,
}

/// Reads the queries of a header, by parameter.
pub(super) fn read(
    header: &Header,
    document: &Document,
    sources: &Sources,
    sink: &mut Diagnostics,
) -> Option<IndexMap<String, AllowedQuery>> {
    let errors = sink.errors();
    let mut all = IndexMap::new();
    for (name, config) in &header.params {
        let Some(AllowedValues::Query(config)) = &config.allowed_values else { continue };
        let written = document.value_span(&["params", name, "allowed_values", "query"]);
        let Some(file) = sources.get(written.file) else { continue };
        let span = embedded::inside(file, written, &config.query);
        let Some(tokens) = embedded::tokenize(file, span, &config.query, sink) else { continue };
        if let Some((statement, outline)) = read_query(file, &tokens, span, name, sink) {
            let tables = outline.references.into_iter().map(|one| Spanned::new(one.name, one.span)).collect();
            let query = AllowedQuery {
                parameter: name.clone(),
                span,
                text: embedded::text(file, without_end(&tokens)),
                statement,
                refresh: config.refresh,
                tables,
                functions: outline.functions,
                table_functions: outline.table_functions,
                function_clauses: outline.function_clauses,
            };
            all.insert(name.clone(), query);
        }
    }
    (sink.errors() == errors).then_some(all)
}

/// What is said to be invalid.
const WHAT: &str = "query of allowed values";

fn read_query(
    file: &SourceFile,
    tokens: &[Lexed],
    span: Span,
    name: &str,
    sink: &mut Diagnostics,
) -> Option<(Statement, Outline)> {
    let errors = sink.errors();
    for token in tokens {
        if let Token::Placeholder(written) = &token.token {
            sink.push(spellings::raw_placeholder(file, token.span, written));
        }
    }
    if let Some(open) = embedded::placeholder(tokens) {
        let why = "it is read without a call, and knows no placeholders";
        sink.push(codes::invalid_allowed_value(open, name, WHAT, why));
    } else if let Some(open) = embedded::optional_clause(tokens) {
        let why = "it is read without a call, and knows no optional clauses";
        sink.push(codes::invalid_allowed_value(open, name, WHAT, why));
    }
    if sink.errors() > errors {
        return None;
    }
    if tokens.is_empty() {
        sink.push(codes::invalid_allowed_value(span, name, WHAT, "it is empty"));
        return None;
    }
    statement::extent(file, tokens, sink)?;
    depth::check(tokens, sink)?;
    let tokens = without_end(tokens);
    let statement = statement::parse(file, tokens, sink)?;
    let outline = statement::outline(&statement, file, tokens, sink)?;
    Some((statement, outline))
}

/// The tokens without the semicolons behind the statement.
fn without_end(tokens: &[Lexed]) -> &[Lexed] {
    let end = tokens.iter().rposition(|token| token.token != Token::SemiColon).map_or(0, |at| at + 1);
    tokens.get(..end).unwrap_or_default()
}
