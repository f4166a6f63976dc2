//! Functions that the server itself calls volatile: they do more than compute from what they are given and what is read.
//!
//! A read-only transaction lets pass whatever writes no row: what reads files, changes settings or statistics, asks other servers,
//! cleans up an index. Those of the server and of its extensions are refused by what the catalog says of them, so that no list
//! has to know the next extension. A function that the database's own people have made is theirs, and cannot write.

use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::tokenizer::{Token, Tokenizer};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Error};

/// Asks which of some names are those of such functions.
const VOLATILE: &str = "SELECT p.proname::text FROM pg_catalog.pg_proc p WHERE p.provolatile = 'v' \
     AND p.proname = ANY ($1) AND (p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace OR EXISTS (SELECT FROM pg_catalog.pg_depend d \
     WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e')) ORDER BY 1";

/// The same of all functions, whoever has made them. Words of the grammar, tables and columns have such names, too: they are none
/// of a function.
const ANYBODYS: &str = "SELECT p.proname::text FROM pg_catalog.pg_proc p WHERE p.provolatile = 'v' \
     AND p.prokind <> 'p' AND p.proname = ANY ($1) ORDER BY 1";

/// The same of what calls a function without its name: operators of somebody else, casts from and to types, and aggregates.
const BEHIND: &str = "SELECT o.oprname::text FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode \
     WHERE p.provolatile = 'v' AND o.oprname = ANY ($1) \
     UNION ALL SELECT t.typname::text FROM pg_catalog.pg_cast c JOIN pg_catalog.pg_proc p ON p.oid = c.castfunc \
     JOIN pg_catalog.pg_type t ON t.oid IN (c.castsource, c.casttarget) AND t.typnamespace <> 'pg_catalog'::pg_catalog.regnamespace \
     WHERE p.provolatile = 'v' AND t.typname = ANY ($1) \
     UNION ALL SELECT p.proname::text FROM pg_catalog.pg_aggregate a JOIN pg_catalog.pg_proc p ON p.oid = a.aggfnoid \
     JOIN pg_catalog.pg_proc f ON f.oid IN (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggmtransfn, a.aggmfinalfn) \
     WHERE f.provolatile = 'v' AND p.proname = ANY ($1) ORDER BY 1";

/// Of which functions it is asked whether they are volatile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// Those of the server and of its extensions.
    Servers,
    /// Those of the database's own people, too.
    Anybodys,
}

/// Those that only tell something that is another one each time.
const HARMLESS: [&str; 24] = [
    "clock_timestamp",
    "currval",
    "gen_random_bytes",
    "gen_random_uuid",
    "gen_salt",
    "lastval",
    "normal_rand",
    "pg_database_size",
    "pg_indexes_size",
    "pg_is_in_recovery",
    "pg_relation_size",
    "pg_table_size",
    "pg_tablespace_size",
    "pg_total_relation_size",
    "random",
    "random_normal",
    "st_generatepoints",
    "timeofday",
    "uuid_generate_v1",
    "uuid_generate_v1mc",
    "uuid_generate_v4",
    "uuidv4",
    "uuidv7",
    "pg_stat_statements",
];

/// The first function of a text that is refused; `None` where there is none.
///
/// Errors: the server cannot be asked.
pub(super) async fn refused(client: &Client, text: &str, whose: Whose) -> Result<Option<String>, Error> {
    if whose == Whose::Anybodys {
        let found = client.query_typed(BEHIND, &[(&words(text), Type::TEXT_ARRAY)]).await?;
        if let Some(name) = found.first() {
            return name.try_get(0).map(Some);
        }
    }
    let called = called(text);
    if called.is_empty() {
        return Ok(None);
    }
    let question = match whose {
        Whose::Servers => VOLATILE,
        Whose::Anybodys => ANYBODYS,
    };
    let found = client.query_typed(question, &[(&called, Type::TEXT_ARRAY)]).await?;
    let names = found.iter().filter_map(|row| row.try_get::<_, String>(0).ok());
    Ok(names.into_iter().find(|name| !HARMLESS.contains(&name.as_str())))
}

/// All words and all signs: names of types and aggregates, and operators, which are made of several signs.
fn words(text: &str) -> Vec<String> {
    let dialect = PostgreSqlDialect {};
    let Ok(tokens) = Tokenizer::new(&dialect, text).tokenize() else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    let mut signs = String::new();
    for token in tokens {
        let written = token.to_string();
        match token {
            Token::Word(word) => {
                let name = if word.quote_style.is_none() { word.value.to_lowercase() } else { word.value };
                found.extend([name, std::mem::take(&mut signs)]);
            }
            _ if written.chars().all(|sign| "+-*/<>=~!@#%^&|`?".contains(sign)) => {
                signs.push_str(&written);
                found.push(written);
            }
            _ => found.push(std::mem::take(&mut signs)),
        }
    }
    found.push(signs);
    found.retain(|word| !word.is_empty());
    found.sort();
    found.dedup();
    found
}

/// The names that may be those of functions that are called: before a bracket, and behind a point.
fn called(text: &str) -> Vec<String> {
    let dialect = PostgreSqlDialect {};
    let Ok(tokens) = Tokenizer::new(&dialect, text).tokenize() else { return Vec::new() };
    let tokens: Vec<Token> = tokens.into_iter().filter(|token| !matches!(token, Token::Whitespace(_))).collect();
    let mut names: Vec<String> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let is_behind = at.checked_sub(1).and_then(|before| tokens.get(before)) == Some(&Token::Period);
        let is_before = tokens.get(at + 1) == Some(&Token::LParen);
        let name = if word.quote_style.is_none() { word.value.to_lowercase() } else { word.value.clone() };
        if (is_behind || is_before) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_before_brackets_and_behind_points_may_be_functions() {
        let text = "SELECT Random ( ), (a).\"Pg_x\", b.c, d /* e() */ FROM f('g()') WHERE h = $1 -- i()";
        assert_eq!(called(text), ["random", "Pg_x", "c", "f"]);
    }
}
