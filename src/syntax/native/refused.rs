//! What a statement in a database's own SQL may not call: what does more than compute from tables. The database sees to it
//! that nothing is written; this is what it would let pass.

use super::dialect;
use crate::catalog::DatabaseKind;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::SourceFile;
use crate::syntax::lexer::Lexed;
use sqlparser::tokenizer::Token;

/// What functions do that are not called.
const FILES: &str = "reaches files of the server";
const SERVERS: &str = "reaches other servers";
const TEXTS: &str = "runs SQL that is a text, which nobody has checked";
const WAITS: &str = "waits, and does not answer";
const SETTINGS: &str = "changes settings";
const SESSIONS: &str = "acts on other sessions";
const LOCKS: &str = "holds locks that others wait for";
const SEQUENCES: &str = "changes a sequence";
const SERVER: &str = "administers the server";

/// Functions of PostgreSQL and of its extensions by the start of their names, in small letters.
const STARTS: [(&str, &str); 41] = [
    ("pg_read_", FILES),
    ("pg_ls_", FILES),
    ("pg_stat_file", FILES),
    ("pg_file_", FILES),
    ("pg_current_logfile", FILES),
    ("pg_hba_file_rules", FILES),
    ("pg_ident_file_mappings", FILES),
    ("pg_show_all_file_settings", FILES),
    ("lo_", FILES),
    ("dblink", SERVERS),
    ("postgres_fdw_", SERVERS),
    ("query_to_xml", TEXTS),
    ("cursor_to_xml", TEXTS),
    ("table_to_xml", TEXTS),
    ("schema_to_xml", TEXTS),
    ("database_to_xml", TEXTS),
    ("crosstab", TEXTS),
    ("connectby", TEXTS),
    ("pg_sleep", WAITS),
    ("pg_advisory_", LOCKS),
    ("pg_try_advisory_", LOCKS),
    ("pg_terminate_", SESSIONS),
    ("pg_cancel_", SESSIONS),
    ("pg_log_", SESSIONS),
    ("pg_logical_", SERVER),
    ("pg_replication_", SERVER),
    ("pg_create_", SERVER),
    ("pg_drop_", SERVER),
    ("pg_copy_", SERVER),
    ("pg_sync_", SERVER),
    ("pg_backup_", SERVER),
    ("pg_start_backup", SERVER),
    ("pg_stop_backup", SERVER),
    ("pg_switch_", SERVER),
    ("pg_promote", SERVER),
    ("pg_wal_replay_", SERVER),
    ("pg_stat_reset", SERVER),
    ("pg_rotate_", SERVER),
    ("pg_reload_", SERVER),
    ("pg_import_", SERVER),
    ("pg_prewarm", SERVER),
];

/// The same by their whole names.
const NAMES: [(&str, &str); 19] = [
    ("loread", FILES),
    ("lowrite", FILES),
    ("xpath_table", TEXTS),
    ("ts_stat", TEXTS),
    ("ts_rewrite", TEXTS),
    ("set_config", SETTINGS),
    ("setseed", SETTINGS),
    ("nextval", SEQUENCES),
    ("setval", SEQUENCES),
    ("pg_notify", SESSIONS),
    ("pg_export_snapshot", SESSIONS),
    ("http", SERVERS),
    ("http_get", SERVERS),
    ("http_head", SERVERS),
    ("http_post", SERVERS),
    ("http_put", SERVERS),
    ("http_patch", SERVERS),
    ("http_delete", SERVERS),
    ("autoprewarm_start_worker", SERVER),
];

/// Reports what is not called, wherever it stands. `None` where there is any.
pub(super) fn check(file: &SourceFile, tokens: &[&Lexed], kind: DatabaseKind, sink: &mut Diagnostics) -> Option<()> {
    let errors = sink.errors();
    match kind {
        // It asks about each part of a statement when it prepares it.
        DatabaseKind::Sqlite => {}
        DatabaseKind::Postgres => {
            for (at, token) in tokens.iter().enumerate() {
                let next = |further: usize| tokens.get(at + further);
                let Token::Word(word) = &token.token else { continue };
                let is = |token: Option<&&Lexed>, wanted: &Token| token.is_some_and(|token| token.token == *wanted);
                if word.quote_style.is_none() && word.value.eq_ignore_ascii_case("u") && is(next(1), &Token::Ampersand)
                {
                    let is_quoted =
                        |token: &&&Lexed| matches!(&token.token, Token::Word(word) if word.quote_style.is_some());
                    if let Some(name) = next(2).filter(is_quoted) {
                        sink.push(codes::foreign_statement_escapes(token.span.to(name.span)));
                    }
                }
                if word.quote_style.is_none() && is_lock(tokens, at) {
                    sink.push(codes::foreign_statement_locks(token.span));
                }
                if let Some(why) = why(&dialect::name(word, kind)).filter(|_| is(next(1), &Token::LParen)) {
                    sink.push(codes::foreign_statement_calls(token.span, file.slice(token.span), why));
                }
            }
        }
    }
    (sink.errors() == errors).then_some(())
}

/// What a function does that is not called.
fn why(name: &str) -> Option<&'static str> {
    let by_start = STARTS.iter().find(|(start, _)| name.starts_with(start));
    by_start.or_else(|| NAMES.iter().find(|(whole, _)| name == *whole)).map(|(_, why)| *why)
}

/// Whether a word begins what locks rows: `FOR SHARE`, `FOR NO KEY UPDATE`, `FOR KEY SHARE`.
fn is_lock(tokens: &[&Lexed], at: usize) -> bool {
    let is = |at: usize, wanted: &[&str]| match tokens.get(at).map(|token| &token.token) {
        Some(Token::Word(word)) => {
            word.quote_style.is_none() && wanted.iter().any(|one| word.value.eq_ignore_ascii_case(one))
        }
        _ => false,
    };
    is(at, &["for"]) && (is(at + 1, &["share", "update"]) || is(at + 1, &["key", "no"]))
}
