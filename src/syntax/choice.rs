//! Choices: pieces of SQL that an agent chooses by name, put in the place of a placeholder.

use super::ast::number;
use super::dialect::QueryDialect;
use super::lexer::{Lexed, Written};
use super::placeholder::Placeholder;
use super::statement::{self, Outline, Tree};
use super::{embedded, spellings};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::project::Header;
use crate::source::{SourceFile, Sources, Span};
use crate::yaml::Document;
use indexmap::IndexMap;
use sqlparser::ast::Expr;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer, Word};

/// The most combinations of the choices of one tool: each is planned when it is compiled and when it is loaded.
pub const MAX_COMBINATIONS: usize = 64;

/// One of the choices of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What the agent says.
    pub key: String,
    /// Where the SQL stands.
    pub span: Span,
    /// The SQL, in brackets where it is one expression of several words.
    pub text: String,
    pub(super) tokens: Vec<Lexed>,
}

/// The choices by parameter.
pub type Choices = IndexMap<String, Vec<Choice>>;

/// Reads the choices of a header.
pub(super) fn read(header: &Header, document: &Document, sources: &Sources, sink: &mut Diagnostics) -> Option<Choices> {
    let errors = sink.errors();
    let mut all = Choices::new();
    for (name, config) in &header.params {
        let Some(choices) = &config.choices else { continue };
        let read = choices.iter().filter_map(|(key, text)| {
            let written = document.value_span(&["params", name, "choices", key]);
            let file = sources.get(written.file)?;
            let span = embedded::inside(file, written, text);
            let (tokens, text) = read_choice(file, span, text, sink)?;
            Some(Choice { key: key.clone(), span, text, tokens })
        });
        all.insert(name.clone(), read.collect());
    }
    (sink.errors() == errors).then_some(all)
}

fn read_choice(file: &SourceFile, span: Span, text: &str, sink: &mut Diagnostics) -> Option<(Vec<Lexed>, String)> {
    let mut tokens = embedded::tokenize(file, span, text, sink)?;
    if let Some(wrong) = wrong(file, &tokens, span) {
        sink.push(wrong);
        return None;
    }
    let text = embedded::text(file, &tokens);
    // What is around it must not reach into it.
    let is_closed = |expr: &Expr| {
        matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Function(_) | Expr::Nested(_))
    };
    let bracketed = tokens.len() > 1 && statement::parse_expression(&tokens).is_some_and(|expr| !is_closed(&expr));
    if bracketed {
        tokens.insert(0, inserted(Token::LParen, span.before()));
        tokens.push(inserted(Token::RParen, span.after()));
    }
    Some((tokens, if bracketed { format!("({text})") } else { text }))
}

/// What keeps tokens from being a choice, wherever it is put. That they are SQL there is found out there.
fn wrong(file: &SourceFile, tokens: &[Lexed], span: Span) -> Option<Diagnostic> {
    if tokens.is_empty() {
        return Some(codes::invalid_choice(span, "it is empty"));
    }
    if embedded::placeholder(tokens).is_some() {
        let why = "no placeholder can stand in it: write the parameter into the query";
        return Some(codes::invalid_choice(span, why));
    }
    if embedded::optional_clause(tokens).is_some() {
        return Some(codes::invalid_choice(span, "no optional clause can stand in it: write it into the query"));
    }
    let raw = tokens.iter().find_map(|token| match &token.token {
        Token::Placeholder(written) => Some((token.span, written)),
        _ => None,
    });
    if let Some((place, written)) = raw {
        return Some(spellings::raw_placeholder(file, place, written));
    }
    // A bracket in it must not close one around it.
    let mut depth = 0_usize;
    for token in tokens {
        match token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket if depth == 0 => {
                return Some(codes::syntax_error(token.span, "a bracket closes that was not opened"));
            }
            Token::RParen | Token::RBracket => depth -= 1,
            Token::SemiColon => return Some(codes::syntax_error(token.span, "a choice is a part of one statement")),
            _ => {}
        }
    }
    (depth > 0).then(|| codes::syntax_error(span, "a bracket is not closed"))
}

fn inserted(token: Token, span: Span) -> Lexed {
    Lexed { token, span, written: Written::Inserted }
}

/// What the choices call and select from, by the places where they are written.
pub(super) fn outlines(choices: &Choices, sources: &Sources) -> Vec<(Tree, Outline)> {
    choices.values().flatten().filter_map(|choice| outline(choice, sources)).collect()
}

fn outline(choice: &Choice, sources: &Sources) -> Option<(Tree, Outline)> {
    let word = |text: &str, keyword: Keyword| Token::Word(Word { value: text.to_owned(), quote_style: None, keyword });
    let select = || word("SELECT", Keyword::SELECT);
    // It may be a list to order by, to select, or to pass to a function; what it is put into says whether it fits there.
    let around = [
        vec![select(), Token::Number("1".to_owned(), false), word("ORDER", Keyword::ORDER), word("BY", Keyword::BY)],
        vec![select()],
        vec![select(), word("f", Keyword::NoKeyword), Token::LParen],
    ];
    let file = sources.get(choice.span.file)?;
    let mut unheard = Diagnostics::default();
    around.into_iter().find_map(|before| {
        let closes = before.last() == Some(&Token::LParen);
        let before = before.into_iter().map(|token| inserted(token, choice.span.before()));
        let mut tokens: Vec<Lexed> = before.chain(choice.tokens.iter().cloned()).collect();
        tokens.extend(closes.then(|| inserted(Token::RParen, choice.span.after())));
        let statement = statement::parse(file, &tokens, &mut unheard)?;
        let mut outline = statement::outline(&statement, file, &tokens, &mut unheard)?;
        // The function around it is not its own.
        outline.functions.retain(|function| !closes || function.value != "f");
        Some((Tree { statement, tokens, file: file.id }, outline))
    })
}

/// The tokens of a statement with choices in the place of their placeholders. `at_placeholder`: every token of a choice is
/// said to stand there, and not where it is written.
pub(super) fn expand(
    tokens: &[Lexed],
    placeholders: &[Placeholder],
    picked: &dyn Fn(&str) -> Option<Choice>,
    at_placeholder: bool,
) -> Vec<Lexed> {
    let mut out = Vec::with_capacity(tokens.len());
    for token in tokens {
        let choice = match &token.written {
            Written::Placeholder(at) => placeholders.get(*at).and_then(|one| picked(&one.name.value)),
            Written::AsIs | Written::Inserted => None,
        };
        match choice {
            Some(choice) => out.extend(choice.tokens.into_iter().map(|mut one| {
                if at_placeholder {
                    one.span = token.span;
                    one.written = Written::Inserted;
                }
                one
            })),
            None => out.push(token.clone()),
        }
    }
    out
}

/// Whether so many choices each have more combinations than are planned.
pub fn are_too_many(counts: &[usize]) -> bool {
    let all = counts.iter().try_fold(1_usize, |all, count| all.checked_mul(*count));
    all.is_none_or(|all| all > MAX_COMBINATIONS)
}

/// The combinations of so many choices each; one, empty, where there are none.
pub fn combinations(counts: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for count in counts {
        all = all.iter().flat_map(|one| (0..*count).map(move |pick| [one.as_slice(), &[pick]].concat())).collect();
    }
    all
}

/// Puts choices into the text of a statement, token by token: those of `$n`, counted from 0.
pub(super) fn spliced(
    tokens: Vec<TokenWithSpan>,
    chosen: &dyn Fn(usize) -> Option<String>,
) -> Result<Vec<TokenWithSpan>, sqlparser::tokenizer::TokenizerError> {
    let mut out = Vec::with_capacity(tokens.len());
    for token in tokens {
        let text = match &token.token {
            Token::Placeholder(id) => number(id).and_then(chosen),
            _ => None,
        };
        match text {
            Some(text) => out.extend(Tokenizer::new(&QueryDialect, &text).tokenize_with_location()?),
            None => out.push(token),
        }
    }
    Ok(out)
}
