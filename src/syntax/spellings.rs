//! Whether a parameter's name is spelt in one way only.
//!
//! `orderId` is to become `order_id`. Where the file has both, they may be two parameters, and nobody but its author
//! knows whether they may become one.

use super::lexer::Lexed;
use crate::diagnostic::{Diagnostic, codes};
use crate::name::snake_case;
use crate::source::{SourceFile, Span};
use sqlparser::tokenizer::Token;

/// Says that a placeholder is one of another system.
pub(super) fn raw_placeholder(file: &SourceFile, place: Span, written: &str) -> Diagnostic {
    let diagnostic = codes::raw_placeholder(place, written);
    if is_one_of_several(file, codes::name_in(written)) { diagnostic.uncertain() } else { diagnostic }
}

/// Placeholders of other systems that are several tokens of SQL, with `n` for a name: those of Jinja, shells, psycopg,
/// Python, MyBatis and of manuals.
const TEMPLATES: [&str; 7] = ["{{n}}", "${n}", "%(n)n", "%n", "{n}", "#}", "<n>"];

/// How many tokens the placeholder has of another system that they begin with.
pub(super) fn template(tokens: &[Lexed]) -> Option<usize> {
    tokens.first().and_then(|first| sign(&first.token)).filter(|sign| "{$%#<".contains(*sign))?;
    let is_template = |template: &&&str| {
        let signs = tokens.iter().map(|token| sign(&token.token));
        template.len() <= tokens.len() && template.chars().zip(signs).all(|(wanted, found)| found == Some(wanted))
    };
    TEMPLATES.iter().find(is_template).map(|template| template.len())
}

/// The sign of a token, `n` for a name.
fn sign(token: &Token) -> Option<char> {
    match token {
        Token::LBrace => Some('{'),
        Token::RBrace => Some('}'),
        Token::LParen => Some('('),
        Token::RParen => Some(')'),
        Token::Mod => Some('%'),
        Token::Lt => Some('<'),
        Token::Gt => Some('>'),
        Token::Placeholder(text) if text == "$" => Some('$'),
        Token::Word(word) if word.quote_style.is_none() && word.value.starts_with("#{") => Some('#'),
        Token::Word(word) if word.quote_style.is_none() => Some('n'),
        _ => None,
    }
}

/// Says that a placeholder's name is none.
pub(super) fn invalid_name(file: &SourceFile, place: Span, written: &str) -> Diagnostic {
    let diagnostic = codes::invalid_parameter_name(place, written);
    if is_one_of_several(file, written) { diagnostic.uncertain() } else { diagnostic }
}

/// Whether the file has another spelling of the same name behind a sign that begins a placeholder, of ours or of another
/// system; in comments and texts as well, for it is enough that a person may have meant it.
fn is_one_of_several(file: &SourceFile, written: &str) -> bool {
    let text = file.text.as_ref();
    let name = snake_case(written);
    let behind_signs = text.split([':', '$', '@']).chain(text.split("<<").map(str::trim_start));
    behind_signs.map(first_word).any(|other| other != written && snake_case(other) == name)
}

/// The letters, digits and `_` that a text begins with.
fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Applicability;
    use crate::source::Sources;

    fn is_certain(text: &str, written: &str) -> bool {
        let mut sources = Sources::default();
        let id = sources.add("queries/a.sql", text);
        let file = sources.get(id).unwrap();
        let start = file.text.find(written).unwrap();
        let place = file.span(start, start + written.len());
        let is_ours = written.starts_with(char::is_alphabetic);
        let diagnostic =
            if is_ours { invalid_name(file, place, written) } else { raw_placeholder(file, place, written) };
        diagnostic.helps.iter().any(|help| help.applicability == Applicability::Certain)
    }

    #[test]
    fn names_that_would_become_one_are_left_to_a_person() {
        assert!(is_certain("id = << orderId >>", "orderId"));
        assert!(is_certain("id = << orderId >> OR << orderId? >> = 1", "orderId"));
        assert!(is_certain("id = :order_id OR << order_id >> = 1", ":order_id"));
        assert!(is_certain("id = :orderId OR customer = :customer", ":orderId"));
        assert!(!is_certain("id = << orderId >> OR << order_id >> = 1", "orderId"));
        assert!(!is_certain("id = :orderId OR <<order_id>> = 1", ":orderId"));
        assert!(!is_certain("id = :orderId OR total = $order_id", ":orderId"));
        assert!(!is_certain("id = << orderId >> OR total = << OrderID >>", "orderId"));
    }
}
