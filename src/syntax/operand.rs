//! Where an operand is expected, told by the token before: there `<<` opens a placeholder, and elsewhere it is an operator.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

/// Whether an operand follows that token.
pub(super) fn leaves_operand(last: Option<&Token>) -> bool {
    match last {
        None => true,
        Some(Token::Word(word)) => word.quote_style.is_none() && precedes_operand(word.keyword),
        Some(
            Token::Number(..)
            | Token::SingleQuotedString(_)
            | Token::DoubleQuotedString(_)
            | Token::DollarQuotedString(_)
            | Token::EscapedStringLiteral(_)
            | Token::NationalStringLiteral(_)
            | Token::HexStringLiteral(_)
            | Token::UnicodeStringLiteral(_)
            | Token::SingleQuotedByteStringLiteral(_)
            | Token::Placeholder(_)
            | Token::RParen
            | Token::RBracket
            | Token::RBrace,
        ) => false,
        Some(_) => true,
    }
}

/// Whether an operand follows that keyword. Every other word may be a name (`year << 2`), and a name is an operand.
fn precedes_operand(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::SELECT
            | Keyword::DISTINCT
            | Keyword::ALL
            | Keyword::ANY
            | Keyword::SOME
            | Keyword::WHERE
            | Keyword::AND
            | Keyword::OR
            | Keyword::XOR
            | Keyword::NOT
            | Keyword::IN
            | Keyword::BETWEEN
            | Keyword::LIKE
            | Keyword::ILIKE
            | Keyword::RLIKE
            | Keyword::REGEXP
            | Keyword::TO
            | Keyword::ESCAPE
            | Keyword::CASE
            | Keyword::WHEN
            | Keyword::THEN
            | Keyword::ELSE
            | Keyword::HAVING
            | Keyword::QUALIFY
            | Keyword::ON
            | Keyword::BY
            | Keyword::LIMIT
            | Keyword::OFFSET
            | Keyword::FETCH
            | Keyword::ROWS
            | Keyword::RANGE
            | Keyword::GROUPS
            | Keyword::FROM
            | Keyword::VALUES
            | Keyword::INTERVAL
            | Keyword::DIV
            | Keyword::USING
            | Keyword::FOR
            | Keyword::BOTH
            | Keyword::LEADING
            | Keyword::TRAILING
            | Keyword::PLACING
            | Keyword::ZONE
    )
}
