//! What a rule says that a server checks each row by: the texts that a column may hold.

use super::super::survey::MOST_TEXTS;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::tokenizer::{Token, Tokenizer};

/// The words that types of texts are called by. Others may be those of another condition.
const TYPES: [&str; 6] = ["text", "character", "varying", "bpchar", "name", "citext"];

/// The only texts that a column may hold by a rule in the words of `pg_get_constraintdef`, and the column: `VALUE` where it is
/// the rule of a domain. `None` where the rule says something else, or more.
pub(super) fn allowed_texts(rule: &str) -> Option<(String, Vec<String>)> {
    let tokens = Tokenizer::new(&PostgreSqlDialect {}, rule).tokenize().ok()?;
    // A rule that says this and nothing else says it with any brackets.
    let is_word = |token: &Token| !matches!(token, Token::Whitespace(_) | Token::LParen | Token::RParen);
    let mut rest = Rest { tokens: tokens.into_iter().filter(is_word).collect(), at: 0 };
    rest.keyword("CHECK")?;
    let Some(Token::Word(column)) = rest.next() else { return None };
    let column = column.value.clone();
    rest.skip_cast();
    (*rest.next()? == Token::Eq).then_some(())?;
    let mut texts = Vec::new();
    match rest.keyword("ANY") {
        None => texts.push(rest.text()?),
        Some(()) => {
            rest.keyword("ARRAY")?;
            (*rest.next()? == Token::LBracket).then_some(())?;
            loop {
                texts.push(rest.text()?);
                match rest.next()? {
                    Token::Comma => {}
                    Token::RBracket => break,
                    _ => return None,
                }
            }
            rest.skip_cast();
        }
    }
    (rest.next().is_none() && texts.len() <= MOST_TEXTS).then_some((column, texts))
}

/// Whether a word, or a number in brackets, is of the name of such a type.
fn is_type_of_texts(token: &Token) -> bool {
    match token {
        Token::Word(word) => TYPES.contains(&word.value.as_str()),
        token => matches!(token, Token::Number(..)),
    }
}

/// What is not read yet.
struct Rest {
    tokens: Vec<Token>,
    at: usize,
}

impl Rest {
    fn next(&mut self) -> Option<&Token> {
        self.at += 1;
        self.tokens.get(self.at - 1)
    }

    /// A word of the language, where it comes next.
    fn keyword(&mut self, keyword: &str) -> Option<()> {
        match self.tokens.get(self.at) {
            Some(Token::Word(word)) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(keyword) => {
                self.at += 1;
                Some(())
            }
            _ => None,
        }
    }

    /// A text with its type.
    fn text(&mut self) -> Option<String> {
        let Some(Token::SingleQuotedString(text)) = self.next() else { return None };
        let text = text.clone();
        self.skip_cast();
        Some(text)
    }

    /// A type behind a value: `::text`, `::character varying`, `::text[]`.
    fn skip_cast(&mut self) {
        while self.tokens.get(self.at) == Some(&Token::DoubleColon) {
            self.at += 1;
            while self.tokens.get(self.at).is_some_and(is_type_of_texts) {
                self.at += 1;
            }
            if self.tokens.get(self.at..self.at + 2) == Some(&[Token::LBracket, Token::RBracket]) {
                self.at += 2;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules are in the words of PostgreSQL 15.
    #[test]
    fn lists_of_texts_are_read_and_nothing_else() {
        for (rule, column, texts) in [
            ("CHECK ((state = ANY (ARRAY['new'::text, 'it''s'::text])))", "state", vec!["new", "it's"]),
            (
                "CHECK (((state)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])))",
                "state",
                vec!["a", "b"],
            ),
            ("CHECK ((\"Odd name\" = 'a'::bpchar))", "Odd name", vec!["a"]),
            ("CHECK ((VALUE = ANY (ARRAY['x'::text, 'y'::text])))", "VALUE", vec!["x", "y"]),
        ] {
            let texts = texts.into_iter().map(str::to_owned).collect();
            assert_eq!(allowed_texts(rule), Some((column.to_owned(), texts)), "{rule}");
        }
        for rule in [
            "CHECK ((n = ANY (ARRAY[1, 2])))",
            "CHECK ((n > 0))",
            "CHECK (((state = ANY (ARRAY['a'::text, 'b'::text])) OR (n = 1)))",
            "CHECK ((NOT (state = ANY (ARRAY['a'::text, 'b'::text]))))",
            "CHECK (((state = 'a'::text) OR flag))",
            "CHECK ((state <> ALL (ARRAY['a'::text, 'b'::text])))",
            "CHECK ((state = ANY (ARRAY['a'::text, NULL::text])))",
            "CHECK ((lower(state) = 'a'::text))",
            "CHECK ((state = 'a'::text)) NOT VALID",
        ] {
            assert_eq!(allowed_texts(rule), None, "{rule}");
        }
    }
}
