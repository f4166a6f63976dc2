//! How the SQL of a database is read: its tokens, and as much of its grammar as the parser knows.

use crate::catalog::DatabaseKind;
use sqlparser::ast::{Expr, Statement};
use sqlparser::dialect::{Dialect, MySqlDialect, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Word;
use std::any::TypeId;

/// The dialect that a text is cut into tokens by.
pub(super) fn of_tokens(kind: DatabaseKind) -> &'static dyn Dialect {
    match kind {
        DatabaseKind::Sqlite => &SqliteTokens,
        DatabaseKind::Postgres => &PostgreSqlDialect {},
        DatabaseKind::Mysql => &MysqlTokens,
    }
}

/// The dialect that tokens are parsed by.
pub(super) fn of_statements(kind: DatabaseKind) -> &'static dyn Dialect {
    match kind {
        DatabaseKind::Sqlite => &SqliteStatements,
        DatabaseKind::Postgres => &PostgreSqlDialect {},
        DatabaseKind::Mysql => &MySqlDialect {},
    }
}

/// Whether a bracket begins a name: `[Order Details]`. Then two of them begin an optional clause all the same.
pub(super) fn has_names_in_brackets(kind: DatabaseKind) -> bool {
    match kind {
        DatabaseKind::Sqlite => true,
        DatabaseKind::Postgres | DatabaseKind::Mysql => false,
    }
}

/// The operators, in small letters, that are words and that others do not have: an operand follows them.
pub(super) fn operators(kind: DatabaseKind) -> &'static [&'static str] {
    match kind {
        DatabaseKind::Sqlite => &["match", "glob", "is"],
        DatabaseKind::Postgres => &["is", "similar", "overlaps"],
        DatabaseKind::Mysql => {
            &["is", "regexp", "rlike", "div", "mod", "xor", "binary", "distinctrow", "of", "examined"]
        }
    }
}

/// What a name stands in that is a word of SQL.
pub(super) fn quote(kind: DatabaseKind) -> char {
    match kind {
        DatabaseKind::Mysql => '`',
        DatabaseKind::Sqlite | DatabaseKind::Postgres => '"',
    }
}

/// A name as the database knows it: PostgreSQL writes what stands in no quotes in small letters, SQLite does not tell them
/// apart.
pub(super) fn name(word: &Word, kind: DatabaseKind) -> String {
    match kind {
        DatabaseKind::Postgres if word.quote_style.is_none() => word.value.to_lowercase(),
        DatabaseKind::Sqlite | DatabaseKind::Postgres | DatabaseKind::Mysql => word.value.clone(),
    }
}

/// Functions that give one value for each row, of those that give no other than their arguments; in small letters. Of others
/// nobody knows: a row may become several.
pub(super) fn gives_one_value(function: &str, kind: DatabaseKind) -> bool {
    match kind {
        DatabaseKind::Sqlite | DatabaseKind::Mysql => true,
        DatabaseKind::Postgres => SINGLE.contains(&function),
    }
}

/// Such functions of PostgreSQL.
const SINGLE: [&str; 48] = [
    "abs",
    "age",
    "array_length",
    "avg",
    "btrim",
    "cardinality",
    "cast",
    "ceil",
    "ceiling",
    "char_length",
    "coalesce",
    "concat",
    "concat_ws",
    "count",
    "date_part",
    "date_trunc",
    "dense_rank",
    "extract",
    "floor",
    "format",
    "greatest",
    "initcap",
    "jsonb_build_object",
    "lag",
    "lead",
    "least",
    "left",
    "length",
    "lower",
    "ltrim",
    "max",
    "min",
    "now",
    "nullif",
    "position",
    "rank",
    "replace",
    "right",
    "round",
    "row_number",
    "rtrim",
    "split_part",
    "substr",
    "substring",
    "sum",
    "to_char",
    "trim",
    "upper",
];

/// Functions whose value is another one at every call, in small letters.
pub(super) fn volatile_functions(kind: DatabaseKind) -> &'static [&'static str] {
    match kind {
        DatabaseKind::Sqlite => &["random", "randomblob"],
        DatabaseKind::Postgres => &["random", "clock_timestamp", "gen_random_uuid", "nextval", "timeofday"],
        DatabaseKind::Mysql => &["rand", "uuid", "uuid_short", "sysdate", "random_bytes"],
    }
}

/// Functions whose value is another one in another transaction, in small letters: clocks, and numbers that the database gives.
pub(super) fn unsettled_functions(kind: DatabaseKind) -> &'static [&'static str] {
    match kind {
        // Those of time read the clock where they are asked for `now`, or for nothing.
        DatabaseKind::Sqlite => &[
            "date",
            "time",
            "datetime",
            "julianday",
            "unixepoch",
            "strftime",
            "timediff",
            "last_insert_rowid",
            "changes",
            "total_changes",
        ],
        DatabaseKind::Postgres => &[
            "now",
            "statement_timestamp",
            "transaction_timestamp",
            "age",
            "currval",
            "lastval",
            "uuidv4",
            "uuidv7",
            "uuid_generate_v1",
            "uuid_generate_v4",
            "pg_current_xact_id",
            "txid_current",
        ],
        DatabaseKind::Mysql => &[
            "now",
            "curdate",
            "curtime",
            "utc_date",
            "utc_time",
            "utc_timestamp",
            "unix_timestamp",
            "last_insert_id",
            "lastval",
            "nextval",
            "connection_id",
        ],
    }
}

/// Words that stand for the time of the transaction, with brackets behind them or without, in small letters.
pub(super) const CLOCKS: [&str; 8] = [
    "current_timestamp",
    "current_date",
    "current_time",
    "localtimestamp",
    "localtime",
    "utc_timestamp",
    "utc_date",
    "utc_time",
];

/// The tokens of SQLite, but for names in brackets: they are put together behind the tokenizer, which takes the two brackets
/// of an optional clause for such a name.
#[derive(Debug)]
struct SqliteTokens;

impl Dialect for SqliteTokens {
    fn dialect(&self) -> TypeId {
        TypeId::of::<SQLiteDialect>()
    }

    fn is_delimited_identifier_start(&self, letter: char) -> bool {
        letter == '`' || letter == '"'
    }

    fn is_identifier_start(&self, letter: char) -> bool {
        // SQLite takes every letter outside of ASCII for one of a name.
        SQLiteDialect {}.is_identifier_start(letter) || !letter.is_ascii()
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        self.is_identifier_start(letter) || letter.is_ascii_digit() || letter == '$'
    }

    fn supports_dollar_placeholder(&self) -> bool {
        true
    }
}

/// The grammar of SQLite, with another name for the table of an INSERT.
#[derive(Debug)]
struct SqliteStatements;

impl Dialect for SqliteStatements {
    fn dialect(&self) -> TypeId {
        TypeId::of::<SQLiteDialect>()
    }

    fn supports_insert_table_alias(&self) -> bool {
        true
    }

    fn is_delimited_identifier_start(&self, letter: char) -> bool {
        SQLiteDialect {}.is_delimited_identifier_start(letter)
    }

    fn identifier_quote_style(&self, identifier: &str) -> Option<char> {
        SQLiteDialect {}.identifier_quote_style(identifier)
    }

    fn is_identifier_start(&self, letter: char) -> bool {
        SQLiteDialect {}.is_identifier_start(letter)
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        SQLiteDialect {}.is_identifier_part(letter)
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        SQLiteDialect {}.supports_filter_during_aggregation()
    }

    fn supports_start_transaction_modifier(&self) -> bool {
        SQLiteDialect {}.supports_start_transaction_modifier()
    }

    fn parse_statement(&self, parser: &mut Parser<'_>) -> Option<Result<Statement, ParserError>> {
        SQLiteDialect {}.parse_statement(parser)
    }

    fn parse_infix(&self, parser: &mut Parser<'_>, left: &Expr, precedence: u8) -> Option<Result<Expr, ParserError>> {
        SQLiteDialect {}.parse_infix(parser, left, precedence)
    }

    fn supports_in_empty_list(&self) -> bool {
        SQLiteDialect {}.supports_in_empty_list()
    }

    fn supports_limit_comma(&self) -> bool {
        SQLiteDialect {}.supports_limit_comma()
    }

    fn supports_asc_desc_in_column_definition(&self) -> bool {
        SQLiteDialect {}.supports_asc_desc_in_column_definition()
    }

    fn supports_dollar_placeholder(&self) -> bool {
        SQLiteDialect {}.supports_dollar_placeholder()
    }

    fn supports_notnull_operator(&self) -> bool {
        SQLiteDialect {}.supports_notnull_operator()
    }

    fn supports_comma_separated_trim(&self) -> bool {
        SQLiteDialect {}.supports_comma_separated_trim()
    }
}

/// The tokens of MySQL, but for names that begin with a `$`: it begins a placeholder, as it does in the statements that are kept.
#[derive(Debug)]
struct MysqlTokens;

impl Dialect for MysqlTokens {
    fn dialect(&self) -> TypeId {
        TypeId::of::<MySqlDialect>()
    }

    fn is_delimited_identifier_start(&self, letter: char) -> bool {
        MySqlDialect {}.is_delimited_identifier_start(letter)
    }

    fn is_identifier_start(&self, letter: char) -> bool {
        letter != '$' && MySqlDialect {}.is_identifier_start(letter)
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        MySqlDialect {}.is_identifier_part(letter)
    }

    fn supports_string_literal_backslash_escape(&self) -> bool {
        MySqlDialect {}.supports_string_literal_backslash_escape()
    }

    fn ignores_wildcard_escapes(&self) -> bool {
        MySqlDialect {}.ignores_wildcard_escapes()
    }

    fn supports_numeric_prefix(&self) -> bool {
        MySqlDialect {}.supports_numeric_prefix()
    }

    fn supports_multiline_comment_hints(&self) -> bool {
        MySqlDialect {}.supports_multiline_comment_hints()
    }

    fn requires_single_line_comment_whitespace(&self) -> bool {
        MySqlDialect {}.requires_single_line_comment_whitespace()
    }

    fn supports_dollar_placeholder(&self) -> bool {
        true
    }
}
