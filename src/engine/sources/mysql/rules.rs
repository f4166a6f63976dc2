//! What a column may hold by its type, or by a rule that a server checks each row by: the only texts.

use super::super::survey::MOST_TEXTS;
use sqlparser::dialect::MySqlDialect;
use sqlparser::tokenizer::{Token, Tokenizer};

/// The labels of an enumeration, in the words of its type; none where there are too many, and of other types.
pub(super) fn labels(declared: &str) -> Vec<String> {
    let labels = declared.strip_prefix("enum").and_then(tokens).and_then(|tokens| texts(&tokens));
    labels.unwrap_or_default()
}

/// The only texts that a column may hold by a rule, and the column. `None` where the rule says something else, or more.
pub(super) fn allowed_texts(rule: &str) -> Option<(String, Vec<String>)> {
    // MySQL tells its rules as the inside of a text, which MariaDB does not.
    let rule = match rule.contains("_utf8mb4\\'") || rule.contains("_latin1\\'") {
        true => rule.replace("\\'", "'").replace("\\\\", "\\"),
        false => rule.to_owned(),
    };
    let tokens = tokens(&rule)?;
    let [Token::Word(column), Token::Word(word), rest @ ..] = tokens.as_slice() else { return None };
    let is_in = word.quote_style.is_none() && word.value.eq_ignore_ascii_case("in");
    Some((column.value.clone(), texts(rest).filter(|_| is_in && column.quote_style.is_some())?))
}

/// The words of a rule: one that says a list and nothing else says it with any brackets.
fn tokens(rule: &str) -> Option<Vec<Token>> {
    // A character set before a text says nothing of it.
    let is_charset =
        |token: &Token| matches!(token, Token::Word(word) if word.quote_style.is_none() && word.value.starts_with('_'));
    let is_word =
        |token: &Token| !matches!(token, Token::Whitespace(_) | Token::LParen | Token::RParen) && !is_charset(token);
    let tokens = Tokenizer::new(&MySqlDialect {}, rule).tokenize().ok()?;
    Some(tokens.into_iter().filter(is_word).collect())
}

/// Texts with commas between them.
fn texts(tokens: &[Token]) -> Option<Vec<String>> {
    let text = |(at, token): (usize, &Token)| match token {
        Token::SingleQuotedString(text) if at % 2 == 0 => Some(Some(text.clone())),
        Token::Comma if at % 2 == 1 => Some(None),
        _ => None,
    };
    let texts: Option<Vec<Option<String>>> = tokens.iter().enumerate().map(text).collect();
    let texts: Vec<String> = texts?.into_iter().flatten().collect();
    (!texts.is_empty() && texts.len() <= MOST_TEXTS && tokens.len() == texts.len() * 2 - 1).then_some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules are in the words of MariaDB 10.11 and MySQL 8.
    #[test]
    fn lists_of_texts_are_read_and_nothing_else() {
        for (rule, column, texts) in [
            (r"`state` in ('new','it\'s','c\\d')", "state", vec!["new", "it's", r"c\d"]),
            (r"(`state` in (_utf8mb4\'new\',_utf8mb4\'paid\'))", "state", vec!["new", "paid"]),
            ("`in` in ('a')", "in", vec!["a"]),
        ] {
            let texts = texts.into_iter().map(str::to_owned).collect();
            assert_eq!(allowed_texts(rule), Some((column.to_owned(), texts)), "{rule}");
        }
        for rule in [
            "`n` > 1",
            "`n` in (1,2)",
            "`state` not in ('a','b')",
            "`state` in ('a','b') or `n` is null",
            "`state` = 'new' or `n` is null",
            "`state` in ('a',NULL)",
            "lower(`state`) in ('a','b')",
            "json_valid(`j`)",
        ] {
            assert_eq!(allowed_texts(rule), None, "{rule}");
        }
        assert_eq!(labels("enum('a','b''c','d,e')"), ["a", "b'c", "d,e"]);
        assert_eq!(labels("varchar(3)"), Vec::<String>::new());
    }
}
