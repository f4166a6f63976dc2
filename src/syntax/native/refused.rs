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
const TRANSACTIONS: &str = "uses up a number of the server's transactions";
const OTHER_ROWS: &str = "gives other rows than those of the query";

/// Functions of PostgreSQL and of its extensions by the start of their names, in small letters.
const STARTS: [(&str, &str); 40] = [
    ("pg_read_", FILES),
    ("pg_ls_", FILES),
    ("pg_stat_file", FILES),
    ("pg_file_", FILES),
    ("pg_current_logfile", FILES),
    ("pg_hba_file_rules", FILES),
    ("pg_ident_file_mappings", FILES),
    ("pg_show_all_file_settings", FILES),
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
const NAMES: [(&str, &str); 38] = [
    // Not by their start: columns of orders and lines begin with it, too.
    ("lo_import", FILES),
    ("lo_export", FILES),
    ("lo_open", FILES),
    ("lo_close", FILES),
    ("lo_creat", FILES),
    ("lo_create", FILES),
    ("lo_get", FILES),
    ("lo_put", FILES),
    ("lo_from_bytea", FILES),
    ("lo_lseek", FILES),
    ("lo_lseek64", FILES),
    ("lo_tell", FILES),
    ("lo_tell64", FILES),
    ("lo_truncate", FILES),
    ("lo_truncate64", FILES),
    ("lo_unlink", FILES),
    ("lo_manage", FILES),
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
    ("txid_current", TRANSACTIONS),
    ("pg_current_xact_id", TRANSACTIONS),
];

/// Views of PostgreSQL that show lines of the server's files, by functions that are not called either.
const VIEWS_OF_FILES: [&str; 4] = ["pg_hba_file_rules", "pg_ident_file_mappings", "pg_file_settings", "pg_config"];

/// Functions of MySQL and MariaDB by their whole names, in small letters.
const NAMES_OF_MYSQL: [(&str, &str); 21] = [
    ("load_file", FILES),
    ("sleep", WAITS),
    ("benchmark", WAITS),
    ("master_pos_wait", WAITS),
    ("source_pos_wait", WAITS),
    ("master_gtid_wait", WAITS),
    ("wait_for_executed_gtid_set", WAITS),
    ("wait_until_sql_thread_after_gtids", WAITS),
    ("wsrep_sync_wait_upto_gtid", WAITS),
    ("get_lock", LOCKS),
    ("release_lock", LOCKS),
    ("release_all_locks", LOCKS),
    ("nextval", SEQUENCES),
    ("setval", SEQUENCES),
    ("last_insert_id", SESSIONS),
    ("sys_exec", SERVER),
    ("sys_eval", SERVER),
    ("sys_get", SERVER),
    ("sys_set", SERVER),
    ("asynchronous_connection_failover_add_source", SERVER),
    ("group_replication_set_as_primary", SERVER),
];

/// The function of MySQL that gives the number of the row that was inserted last in the session.
const OWN_NUMBER: &str = "last_insert_id";

/// What begins a comment that MySQL, or MariaDB, reads as a part of the statement.
const READ_COMMENTS: [&str; 3] = ["/*!", "/*M!", "/*m!"];

/// Reports what is not called, wherever it stands. `None` where there is any.
///
/// What changes data may ask for the number that it has just made.
pub(super) fn check(
    file: &SourceFile,
    tokens: &[&Lexed],
    (kind, is_change): (DatabaseKind, bool),
    sink: &mut Diagnostics,
) -> Option<()> {
    let errors = sink.errors();
    match kind {
        // It asks about each part of a statement when it prepares it.
        DatabaseKind::Sqlite => {}
        DatabaseKind::Mysql => check_mysql(file, tokens, is_change, sink),
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
                let name = dialect::name(word, kind);
                let before = at.checked_sub(1).and_then(|before| tokens.get(before));
                if VIEWS_OF_FILES.contains(&name.as_str()) && names_relation(before) {
                    sink.push(codes::foreign_statement_reads(token.span, file.slice(token.span)));
                    continue;
                }
                let Some(why) = why(&name) else { continue };
                if is(next(1), &Token::LParen) {
                    sink.push(codes::foreign_statement_calls(token.span, file.slice(token.span), why));
                } else if is(before, &Token::Period) {
                    sink.push(codes::foreign_statement_calls_behind(token.span, file.slice(token.span), why));
                }
            }
        }
    }
    (sink.errors() == errors).then_some(())
}

/// Reports what a session of MySQL that only reads would let pass.
fn check_mysql(file: &SourceFile, tokens: &[&Lexed], is_change: bool, sink: &mut Diagnostics) {
    let own = || tokens.iter().filter(|token| token.span.file == file.id).map(|token| token.span);
    let (start, end) = (own().map(|span| span.start).min(), own().map(|span| span.end).max());
    let text = start.zip(end).and_then(|(start, end)| file.text.get(start..end)).unwrap_or_default();
    // What stands in such a comment is read as tokens, whose places are others.
    let is_text = |token: &&&Lexed| matches!(token.token, Token::SingleQuotedString(_) | Token::DoubleQuotedString(_));
    for (at, sign) in READ_COMMENTS.iter().flat_map(|sign| text.match_indices(sign)) {
        let at = start.unwrap_or_default() + at;
        let is_inside = |token: &&Lexed| token.span.start < at && at < token.span.end;
        if !tokens.iter().filter(is_text).any(is_inside) {
            sink.push(codes::foreign_statement_comments(file.span(at, at + sign.len())));
            return;
        }
    }
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(|next| &next.token);
        match &token.token {
            // A variable of the session, whose name may be in quotes; those of the server have two signs and no quotes.
            Token::Assignment | Token::AtSign => sink.push(codes::foreign_statement_assigns(token.span)),
            Token::Word(word) => {
                let name = word.value.to_lowercase();
                let is_bare = word.quote_style.is_none();
                if is_bare && name.starts_with('@') && !name.starts_with("@@") {
                    sink.push(codes::foreign_statement_assigns(token.span));
                }
                if is_bare && (is_lock(tokens, at) || is_words(tokens, at, &["lock", "in", "share"])) {
                    sink.push(codes::foreign_statement_locks(token.span));
                }
                let is_next_value = is_bare && is_words(tokens, at, &["next", "value", "for"]);
                if is_bare && is_words(tokens, at, &["procedure", "analyse"]) {
                    sink.push(codes::foreign_statement_calls(token.span, "PROCEDURE ANALYSE", OTHER_ROWS));
                }
                let is_refused = |whole: &str| name == whole && !(is_change && whole == OWN_NUMBER);
                let called = NAMES_OF_MYSQL.iter().find(|(whole, _)| is_refused(whole)).map(|(_, why)| *why);
                let why = called.filter(|_| next == Some(&Token::LParen)).or(is_next_value.then_some(SEQUENCES));
                if let Some(why) = why {
                    sink.push(codes::foreign_statement_calls(token.span, file.slice(token.span), why));
                }
            }
            _ => {}
        }
    }
}

/// Whether what stands behind a token may be a table: behind a point, the name of one in a schema.
fn names_relation(before: Option<&&Lexed>) -> bool {
    match before.map(|before| &before.token) {
        Some(Token::Word(word)) => {
            word.quote_style.is_none()
                && ["from", "join", "only", "table"].iter().any(|one| word.value.eq_ignore_ascii_case(one))
        }
        Some(Token::Comma | Token::Period | Token::LParen) => true,
        _ => false,
    }
}

/// Whether these words stand there, in no quotes.
fn is_words(tokens: &[&Lexed], at: usize, words: &[&str]) -> bool {
    words.iter().enumerate().all(|(further, wanted)| match tokens.get(at + further).map(|token| &token.token) {
        Some(Token::Word(word)) => word.quote_style.is_none() && word.value.eq_ignore_ascii_case(wanted),
        _ => false,
    })
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
