//! The columns of tables that statements of an author write into.

use super::rules::{allowed_texts, labels};
use crate::catalog::WrittenColumn;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error};
use sqlparser::dialect::MySqlDialect;
use sqlparser::tokenizer::{Token, Tokenizer};
use std::collections::HashMap;

/// The columns of a table of the database of the session, or of the one that is named: whether each may be null, what stands in
/// it where nothing is written, what is said of it besides, and its type.
const COLUMNS: &str = "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME), COLUMN_NAME, IS_NULLABLE = 'YES', COLUMN_DEFAULT, EXTRA, COLUMN_TYPE \
     FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION";

/// What each row of a table is checked by.
const RULES: &str = "SELECT c.CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS c \
     JOIN information_schema.TABLE_CONSTRAINTS t ON t.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA \
     AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME AND t.CONSTRAINT_TYPE = 'CHECK' \
     WHERE t.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND t.TABLE_NAME = ?";

/// The engine of a table whose rows cannot be taken back.
const WITHOUT_TRANSACTIONS: &str = "SELECT CONCAT(t.TABLE_NAME, ' is kept by ', t.ENGINE) FROM information_schema.TABLES t \
     LEFT JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE \
     WHERE t.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND t.TABLE_NAME = ? AND COALESCE(e.TRANSACTIONS, 'NO') <> 'YES'";

/// The names of routines that somebody has made, of some. What one does nobody knows: what is declared of it is not held to.
const ROUTINES: &str = "SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE LOWER(ROUTINE_NAME) IN ";

/// Why a statement that changes these tables may not run, and the word of the text that it is about; `None` where it may.
pub(super) async fn refusal(
    conn: &mut Conn,
    tables: &[Vec<String>],
    text: &str,
) -> Result<Option<(String, Option<String>)>, Error> {
    for name in tables {
        let Some((table, schema)) = name.split_last() else { continue };
        let told: Option<String> =
            conn.exec_first(WITHOUT_TRANSACTIONS, (schema.last().cloned(), table.clone())).await?;
        if let Some(told) = told {
            let why = format!("{told}, which has no transactions: what is changed could not be taken back");
            return Ok(Some((why, Some(table.clone()))));
        }
    }
    let called = called(text);
    if called.is_empty() {
        return Ok(None);
    }
    let places = vec!["?"; called.len()].join(", ");
    let found: Option<String> = conn.exec_first(format!("{ROUTINES}({places})"), called).await?;
    Ok(found.map(|name| {
        let why = format!("`{name}` is not called by a tool that changes data: nobody knows what else it changes");
        (why, Some(name))
    }))
}

/// The names before brackets, in small letters.
fn called(text: &str) -> Vec<String> {
    let Ok(tokens) = Tokenizer::new(&MySqlDialect {}, text).tokenize() else { return Vec::new() };
    let tokens: Vec<Token> = tokens.into_iter().filter(|token| !matches!(token, Token::Whitespace(_))).collect();
    let mut names: Vec<String> = Vec::new();
    for pair in tokens.windows(2) {
        if let [Token::Word(word), Token::LParen] = pair {
            let name = word.value.to_lowercase();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// What is said of a column: the table, the name, whether it may be null, its default, what else, and its type.
type Told = (String, String, bool, Option<String>, Option<String>, String);

/// The columns of these tables. One that is not there has none: the statement says so itself.
pub(super) async fn columns(conn: &mut Conn, tables: &[Vec<String>]) -> Result<Vec<WrittenColumn>, Error> {
    let mut found = Vec::new();
    for name in tables {
        let Some((table, schema)) = name.split_last() else { continue };
        let values = (schema.last().cloned(), table.clone());
        // A server that is older has no such list.
        let rules: Vec<String> = conn.exec(RULES, values.clone()).await.unwrap_or_default();
        let allowed: HashMap<String, Vec<String>> = rules.iter().filter_map(|rule| allowed_texts(rule)).collect();
        let told: Vec<Told> = conn.exec(COLUMNS, values).await?;
        found.extend(told.into_iter().map(|told| column(told, &allowed)));
    }
    Ok(found)
}

fn column(
    (table, column, nullable, default, extra, ty): Told,
    allowed: &HashMap<String, Vec<String>>,
) -> WrittenColumn {
    let extra = extra.unwrap_or_default().to_lowercase();
    // MariaDB writes the word for a column that is null where nothing is written.
    let default = default.filter(|default| !default.eq_ignore_ascii_case("null"));
    let counts = extra.contains("auto_increment");
    let is_generated = extra.contains("generated") && !extra.contains("default_generated");
    WrittenColumn {
        nullable,
        default: default.or(counts.then(|| "DEFAULT".to_owned())),
        is_generated: is_generated || extra.contains("virtual") || extra.contains("persistent"),
        allowed: Some(labels(&ty))
            .filter(|labels| !labels.is_empty())
            .or_else(|| allowed.get(&column).cloned())
            .unwrap_or_default(),
        table,
        column,
    }
}
