//! What the statement that made a table says of it, and no pragma: the texts that a column may hold, and comments.

use sqlparser::dialect::SQLiteDialect;
use sqlparser::tokenizer::{Token, Tokenizer, Whitespace, Word};
use std::collections::HashMap;

/// Of more texts nobody chooses from a list.
const MOST_TEXTS: usize = 20;

/// A comment that is longer is more than what a column is.
const LONGEST: usize = 200;

/// What is said of columns, by their names.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The only texts that they may hold.
    pub allowed: HashMap<String, Vec<String>>,
    /// What they are.
    pub comments: HashMap<String, String>,
}

/// Reads a statement about these columns. What is not understood says nothing.
pub(super) fn read_statement(sql: &str, columns: &[&str]) -> Said {
    let Ok(tokens) = Tokenizer::new(&SQLiteDialect {}, sql).tokenize() else { return Said::default() };
    Said { allowed: allowed(&tokens, columns), comments: comments(&tokens, columns) }
}

/// The column that a word names: SQLite does not tell letters from capitals.
fn named<'a>(word: &Word, columns: &[&'a str]) -> Option<&'a str> {
    columns.iter().copied().find(|column| column.eq_ignore_ascii_case(&word.value))
}

/// The lists of `CHECK (column IN ('a', 'b'))`.
fn allowed(tokens: &[Token], columns: &[&str]) -> HashMap<String, Vec<String>> {
    let bare: Vec<&Token> = tokens.iter().filter(|token| !matches!(token, Token::Whitespace(_))).collect();
    let found = (0..bare.len()).filter_map(|at| {
        let (word, texts) = check_in(bare.get(at..)?)?;
        Some((named(word, columns)?.to_owned(), texts))
    });
    found.collect()
}

/// The column and the texts of a `CHECK` that begins here, where it says this and nothing else.
fn check_in<'a>(tokens: &[&'a Token]) -> Option<(&'a Word, Vec<String>)> {
    let [check, open, column, is_in, list, rest @ ..] = tokens else { return None };
    let (Token::Word(check), Token::Word(column), Token::Word(is_in)) = (check, column, is_in) else { return None };
    let is_keyword =
        |word: &Word, keyword: &str| word.quote_style.is_none() && word.value.eq_ignore_ascii_case(keyword);
    let is_list = is_keyword(check, "check") && is_keyword(is_in, "in");
    if !is_list || **open != Token::LParen || **list != Token::LParen {
        return None;
    }
    let (mut rest, mut texts) = (rest.iter(), Vec::new());
    loop {
        let Token::SingleQuotedString(text) = rest.next()? else { return None };
        texts.push(text.clone());
        match rest.next()? {
            Token::Comma => {}
            Token::RParen => break,
            _ => return None,
        }
    }
    let is_all = matches!(rest.next(), Some(Token::RParen));
    (is_all && texts.len() <= MOST_TEXTS).then_some((column, texts))
}

/// The comments that stand behind a column in its line, where it is the only one in it.
fn comments(tokens: &[Token], columns: &[&str]) -> HashMap<String, String> {
    let mut comments = HashMap::new();
    let (mut depth, mut begins) = (0_usize, false);
    let (mut column, mut in_line): (Option<&str>, Vec<&str>) = (None, Vec::new());
    for token in tokens {
        match token {
            Token::Whitespace(Whitespace::Newline) => in_line.clear(),
            Token::Whitespace(Whitespace::SingleLineComment { comment, .. }) => {
                if let ([only], Some(text)) = (in_line.as_slice(), description(comment)) {
                    comments.entry((*only).to_owned()).or_insert(text);
                }
                in_line.clear();
            }
            Token::Whitespace(Whitespace::MultiLineComment(_)) => in_line.clear(),
            Token::Whitespace(_) => {}
            Token::LParen => {
                depth += 1;
                begins |= depth == 1;
            }
            Token::RParen => depth = depth.saturating_sub(1),
            Token::Comma if depth == 1 => begins = true,
            token => {
                if begins {
                    column = if let Token::Word(word) = token { named(word, columns) } else { None };
                    begins = false;
                }
                in_line.extend(column.filter(|column| depth > 0 && !in_line.contains(column)));
            }
        }
    }
    comments
}

/// A comment as a description, where it is one.
fn description(comment: &str) -> Option<String> {
    let text = comment.trim();
    let is_one = text.starts_with(char::is_alphanumeric)
        && !text.ends_with([',', ';', '('])
        && text.chars().count() <= LONGEST
        && !text.contains(char::is_control);
    is_one.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_texts_are_read_and_nothing_else() {
        let sql = "CREATE TABLE film (id INTEGER, rating TEXT CHECK (Rating IN ('G', 'it''s')), [kind] TEXT, n INT,
            CHECK(\"kind\" in('a')), CHECK (n IN (1, 2)), CHECK (rating IN ('x') OR n = 1), CHECK (n > 0))";
        let said = read_statement(sql, &["id", "rating", "kind", "n"]);
        assert_eq!(said.allowed["rating"], ["G", "it's"]);
        assert_eq!(said.allowed["kind"], ["a"]);
        assert_eq!(said.allowed.len(), 2);
        let many: Vec<String> = (0..21).map(|number| format!("'{number}'")).collect();
        let sql = format!("CREATE TABLE t (a TEXT CHECK (a IN ({})))", many.join(", "));
        assert!(read_statement(&sql, &["a"]).allowed.is_empty());
    }

    #[test]
    fn a_comment_behind_a_column_is_of_it() {
        let sql = "CREATE TABLE t ( -- the table
            id INTEGER PRIMARY KEY, -- number of the order
            -- name TEXT,
            a INT, b INT, -- two of them
            state TEXT
                CHECK (state IN ('x', 'y')), -- where it is now
            \"odd name\" NUMERIC(10, 2) -- euros
        ) -- made by hand";
        let said = read_statement(sql, &["id", "a", "b", "state", "odd name"]);
        assert_eq!(said.comments["id"], "number of the order");
        assert_eq!(said.comments["state"], "where it is now");
        assert_eq!(said.comments["odd name"], "euros");
        assert_eq!(said.comments.len(), 3);
    }
}
