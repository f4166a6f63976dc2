//! Rules across parameters: conditions in the header that every call must meet.

use super::lexer::{self, Lexed, Written};
use super::placeholder::{self, Placeholder};
use super::{FunctionClause, ast, embedded, ignored, statement};
use crate::diagnostic::{Diagnostics, codes};
use crate::project::RuleConfig;
use crate::source::{SourceFile, Sources, Span};
use crate::yaml::Document;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, Word};

/// A rule as it was written.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Where its condition stands.
    pub span: Span,
    /// What an agent is told whose call breaks it.
    pub message: String,
    /// The tokens of `SELECT (condition) AS holds`.
    pub(super) tokens: Vec<Lexed>,
    /// The clauses of its calls that not every function has.
    pub function_clauses: Vec<FunctionClause>,
    /// The placeholders in it.
    pub placeholders: Vec<Placeholder>,
}

/// Reads the rules of a header.
pub(super) fn read(
    rules: &[RuleConfig],
    document: &Document,
    sources: &Sources,
    sink: &mut Diagnostics,
) -> Option<Vec<Rule>> {
    let errors = sink.errors();
    let read = rules
        .iter()
        .enumerate()
        .filter_map(|(at, rule)| {
            let written = document.value_span(&["rules", &at.to_string(), "check"]);
            let file = sources.get(written.file)?;
            read_rule(rule, embedded::inside(file, written, &rule.check), file, sink)
        })
        .collect();
    (sink.errors() == errors).then_some(read)
}

fn read_rule(rule: &RuleConfig, span: Span, file: &SourceFile, sink: &mut Diagnostics) -> Option<Rule> {
    if file.slice(span) != rule.check.trim() {
        let why = "write the condition on one line, in single quotes or none, so that its places can be told";
        sink.push(codes::invalid_rule(span, why));
        return None;
    }
    let tokens = lexer::tokenize(file, span.start, span.end, sink)?;
    let folded = placeholder::fold(file, tokens, sink)?;
    for placeholder in &folded.placeholders {
        if placeholder.declared.is_some() || placeholder.default.is_some() || placeholder.optional {
            let why = "a rule speaks of parameters by their names only; types and defaults stand where they are used";
            sink.push(codes::invalid_rule(placeholder.span, why));
        }
    }
    let inserted = |token: Token, span: Span| Lexed { token, span, written: Written::Inserted };
    let word = |text: &str, keyword: Keyword| Token::Word(Word { value: text.to_owned(), quote_style: None, keyword });
    let mut all =
        vec![inserted(word("SELECT", Keyword::SELECT), span.before()), inserted(Token::LParen, span.before())];
    all.extend(folded.tokens);
    all.extend([
        inserted(Token::RParen, span.after()),
        inserted(word("AS", Keyword::AS), span.after()),
        inserted(word("holds", Keyword::NoKeyword), span.after()),
    ]);
    super::depth::check(&all, sink)?;
    let statement = statement::parse(file, &all, sink)?;
    let errors = sink.errors();
    let function_clauses = ignored::check(&statement, &all, &|span| ast::place(file, span), sink);
    let message = rule.message.trim().to_owned();
    let placeholders = folded.placeholders;
    (sink.errors() == errors).then_some(Rule { span, message, tokens: all, function_clauses, placeholders })
}
