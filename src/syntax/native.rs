//! A statement in a database's own SQL: `source: shop` in the header.
//!
//! Placeholders, optional clauses, lists and choices are those of all queries. The rest is the database's affair: what is
//! to be known of the statement beforehand is read off its tokens, and the database itself has the last word when it
//! prepares it. A tree is made of it where the parser can: it tells types, and nothing depends on it.

mod change;
mod comparisons;
mod condition;
mod dialect;
mod glued;
mod lists;
mod look;
pub mod pieces;
mod preview;
mod refused;
mod returned;
mod words;

pub use change::{ChangeStatement, Write};
pub use condition::WriteBounds;
pub use lists::{RowField, RowList};
pub use look::OrderKey;
pub use preview::Preview;
pub use returned::Returned;

use super::body::Body;
use super::header::ReadHeader;
use super::header_sql::HeaderSql;
use super::lexer::{self, Lexed};
use super::statement::{Outline, Tree, parse_tokens};
use super::{Trees, choice, depth, placeholder, quoted, size, spellings};
use crate::catalog::DatabaseKind;
use crate::diagnostic::{Diagnostics, codes};
use crate::project::Kind;
use crate::source::{SourceFile, Span, Spanned};
use crate::tool::StatementEnd;
use crate::yaml::Document;
use serde_json::Value;
use sqlparser::ast::Statement;
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};
use std::collections::BTreeSet;

/// What is known of a statement in a database's own SQL beside its tokens.
#[derive(Debug, Clone)]
pub struct NativeStatement {
    /// The database: a name of `sources`, with its place in the header.
    pub source: Spanned<String>,
    /// What kind of database it is.
    pub kind: DatabaseKind,
    /// Where the rows end by themselves.
    pub end: StatementEnd,
    /// What the rows are sorted by, of what is a column and nothing more.
    pub order: Vec<OrderKey>,
    /// The columns of tables that it shows as they are, under their own names.
    pub bare_outputs: Vec<Spanned<String>>,
    /// Whether its rows are rows of one table, each once.
    pub is_of_one_table: bool,
    /// Whether columns that it shows are null only where they are in their tables.
    pub keeps_not_null: bool,
    /// The functions whose values the columns of the result are, from the first on.
    pub calls: Vec<Option<String>>,
    /// Whether another run of it may give other values of the same data.
    pub is_volatile: bool,
    /// Whether it gives or writes the same again only while time stands still: a clock is read, or a number of the database.
    pub is_of_the_moment: bool,
    /// What it changes, a statement behind the other; none where it only reads.
    pub changes: Vec<ChangeStatement>,
    /// The lists of rows that calls bring.
    pub lists: Vec<RowList>,
}

impl NativeStatement {
    /// Whether it changes data.
    pub fn is_change(&self) -> bool {
        !self.changes.is_empty()
    }

    /// The list whose field a parameter is.
    pub fn list_of(&self, parameter: &str) -> Option<&RowList> {
        self.lists.iter().find(|list| list.fields.iter().any(|field| field.parameter == parameter))
    }
}

/// The database that a header names, and its kind, where it names one. `None` where that is not there: then nobody knows in
/// which SQL the statement is.
pub(super) fn source(
    header: Option<&ReadHeader>,
    project: &Document,
    sink: &mut Diagnostics,
) -> Option<Option<(Spanned<String>, DatabaseKind)>> {
    let named = header.and_then(|header| Some((header, header.header.source.as_ref()?)));
    let Some((header, name)) = named else { return Some(None) };
    let place = header.document.value_span(&["source"]);
    let of = |key: &str| project.value.get(key).and_then(Value::as_object);
    let (sources, records) = (of("sources"), of("records"));
    let source = |name: &str| sources.and_then(|sources| sources.get(name));
    // Where records lie in a database, that is meant.
    let of_records = |name: &str| {
        let config = records?.get(name)?;
        Some(config.get("source").and_then(Value::as_str).unwrap_or(name).to_owned())
    };
    let Some(own) = source(name).map(|_| name.clone()).or_else(|| of_records(name)) else {
        let known: Vec<&str> =
            sources.into_iter().flatten().chain(records.into_iter().flatten()).map(|(name, _)| name.as_str()).collect();
        sink.push(codes::unknown_source(place, name, &known));
        return None;
    };
    check_settings(header, sink);
    let lies_elsewhere = records.and_then(|all| all.get(name)).is_some_and(|one| one.get("source").is_none());
    if source(name).is_some() && lies_elsewhere {
        let why = format!("`{name}` is the name of a database and of records: which of both is meant?");
        sink.push(codes::invalid_setting(place, &why).help("give one of them another name"));
        return None;
    }
    let kind = match source(&own) {
        // What is no type of a database was told.
        Some(source) => source.get("type").and_then(Value::as_str).and_then(DatabaseKind::parse)?,
        // Statements change records in a folder in the SQL of SQLite.
        None if own == *name => DatabaseKind::Sqlite,
        // That it is not there was told.
        None => return None,
    };
    Some(Some((Spanned::new(own, place), kind)))
}

/// Reports the settings that a statement of a database cannot have.
fn check_settings(header: &ReadHeader, sink: &mut Diagnostics) {
    let own = "a statement in a database's own SQL";
    if header.header.kind == Some(Kind::View) {
        let why = format!("{own} is a tool, and no view: no other query can select from it");
        let place = header.document.value_span(&["kind"]);
        sink.push(codes::invalid_setting(place, &why).help("declare a view of the database under `tables`"));
    }
    if header.header.count_total == Some(true) {
        let why = format!("the rows of {own} are not counted");
        let place = header.document.value_span(&["count_total"]);
        sink.push(codes::invalid_setting(place, &why).help("return `count(*) OVER ()` as a column"));
    }
}

/// The tokens of a statement in the SQL of a database, or in ours; white space and comments are left out.
pub(super) fn tokenize(
    kind: Option<DatabaseKind>,
    file: &SourceFile,
    sql: Span,
    sink: &mut Diagnostics,
) -> Option<Vec<Lexed>> {
    let Some(kind) = kind else { return lexer::tokenize(file, sql.start, sql.end, sink) };
    let tokens = lexer::tokenize_as(dialect::of_tokens(kind), file, (sql.start, sql.end), sink)?;
    Some(match kind {
        DatabaseKind::Postgres => glued::parted(file, tokens),
        _ if dialect::has_names_in_brackets(kind) => with_names_in_brackets(file, tokens),
        DatabaseKind::Sqlite | DatabaseKind::Mysql => tokens,
    })
}

/// The tokens with one for `[Order Details]`. Two brackets that touch begin or end an optional clause.
fn with_names_in_brackets(file: &SourceFile, tokens: Vec<Lexed>) -> Vec<Lexed> {
    let is_open = |token: &Lexed| token.token == Token::LBracket;
    let touches = |one: &Lexed, next: &Lexed| one.span.end == next.span.start;
    let mut out: Vec<Lexed> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_pair = tokens.get(at + 1).is_some_and(|next| is_open(next) && touches(token, next))
            || out.last().is_some_and(|last| is_open(last) && touches(last, token));
        let close = tokens.iter().skip(at).position(|token| token.token == Token::RBracket);
        match close {
            Some(length) if is_open(token) && !is_pair => {
                let span = tokens.get(at + length).map_or(token.span, |close| token.span.to(close.span));
                let inside = file.slice(span).trim_start_matches('[').trim_end_matches(']').to_owned();
                let word = Word { value: inside, quote_style: Some('['), keyword: Keyword::NoKeyword };
                out.push(Lexed { token: Token::Word(word), span, written: token.written.clone() });
                at += length + 1;
            }
            _ => {
                out.push(token.clone());
                at += 1;
            }
        }
    }
    out
}

/// Reads a statement; `None` where it is too broken to go on, or is none that may run.
pub(super) fn read(
    (file, sql): (&SourceFile, Span),
    tokens: Vec<Lexed>,
    said: &HeaderSql,
    (source, kind): (Spanned<String>, DatabaseKind),
    sink: &mut Diagnostics,
) -> Option<(Body, Option<NativeStatement>)> {
    size::check(&tokens, sink)?;
    let hidden = quoted::hides_signs(file.slice(sql), &tokens);
    let quoted = if hidden { quoted::find(file, sql, quoted::Home::Statement) } else { Vec::new() };
    check_parameters(kind, file, &tokens, sink)?;
    let folded = placeholder::fold_behind(dialect::operators(kind), file, tokens, sink)?;
    size::check_placeholders(&folded.placeholders, sink)?;
    let chosen = said.choices.values().flatten().flat_map(|choice| &choice.tokens);
    let chosen: Vec<&Lexed> = chosen.collect();
    let is_change = look::is_change(&folded.tokens);
    let (folded, lists, in_rows) = match is_change {
        true => {
            let spread = lists::spread(folded, sink)?;
            (spread.folded, spread.lists, spread.occurrences)
        }
        false => (folded, Vec::new(), BTreeSet::new()),
    };
    let words: Vec<&Lexed> = folded.tokens.iter().chain(chosen.iter().copied()).collect();
    refused::check(file, &words, (kind, is_change), sink)?;
    let (span, head) = match is_change {
        true => look::whole(file, &folded.tokens, sink)?,
        false => look::extent(file, &folded.tokens, kind, sink)?,
    };
    depth::check(&folded.tokens, sink)?;
    let changes = match is_change {
        true => changes(file, (&folded.tokens, &in_rows), said, kind, sink)?,
        false => Vec::new(),
    };
    let native = NativeStatement {
        source,
        kind,
        end: if is_change { StatementEnd::Closed } else { look::end(&folded.tokens) },
        order: look::order(&folded.tokens, kind),
        bare_outputs: look::bare_outputs(&folded.tokens, kind),
        is_of_one_table: look::is_of_one_table(&words) && !look::may_multiply(&folded.tokens, &chosen, kind),
        keeps_not_null: match is_change {
            true => changes.last().is_some_and(|last| last.keeps_not_null || reads_not_null(last, &words)),
            false => look::keeps_not_null(&words),
        },
        calls: look::output_calls(&folded.tokens),
        is_volatile: look::calls(&words, dialect::volatile_functions(kind)),
        is_of_the_moment: look::calls(&words, dialect::unsettled_functions(kind))
            || look::has_word(&words, &dialect::CLOCKS),
        changes,
        lists,
    };
    let first = |name: &str| said.choices.get(name).and_then(|all| all.first()).cloned();
    let tokens = choice::expand(&folded.tokens, &folded.placeholders, &first, true);
    let tokens = words::in_known_words(tokens, kind);
    let placed = tokens.iter().map(|token| super::ast::located(file, token)).collect();
    let statement = Tree { statement: tree(placed, &native)?, tokens, file: file.id };
    let outline = Outline {
        outputs: Vec::new(),
        references: Vec::new(),
        functions: Vec::new(),
        table_functions: Vec::new(),
        function_clauses: Vec::new(),
    };
    let trees = Trees { statement, apart: Vec::new() };
    Some((Body { folded, trees, outline, quoted, span, head }, Some(native)))
}

/// Whether columns of a query behind changes are null only where they are in their tables.
fn reads_not_null(last: &ChangeStatement, words: &[&Lexed]) -> bool {
    let own: Vec<&Lexed> = words
        .iter()
        .filter(|token| token.span.start >= last.span.start && token.span.end <= last.span.end)
        .copied()
        .collect();
    last.writes.is_empty() && look::keeps_not_null(&own)
}

/// Reports parameters as the database itself has them: they would be NULL at every call. `None` where there are any.
fn check_parameters(kind: DatabaseKind, file: &SourceFile, tokens: &[Lexed], sink: &mut Diagnostics) -> Option<()> {
    let errors = sink.errors();
    for pair in tokens.windows(2) {
        let [sign, name] = pair else { continue };
        let is_parameter = match kind {
            DatabaseKind::Sqlite => matches!(sign.token, Token::Colon | Token::AtSign | Token::Sharp),
            // `$1` is one token, and told as it is everywhere.
            DatabaseKind::Postgres => false,
            DatabaseKind::Mysql => sign.token == Token::Colon,
        };
        if is_parameter && matches!(name.token, Token::Word(_)) && sign.span.end == name.span.start {
            let span = sign.span.to(name.span);
            sink.push(spellings::raw_placeholder(file, span, file.slice(span)));
        }
    }
    (sink.errors() == errors).then_some(())
}

/// What a text changes, statement by statement. `None` where one of them may not run, or none changes anything.
fn changes(
    file: &SourceFile,
    (tokens, in_rows): (&[Lexed], &BTreeSet<usize>),
    said: &HeaderSql,
    kind: DatabaseKind,
    sink: &mut Diagnostics,
) -> Option<Vec<ChangeStatement>> {
    // What is proved of a statement holds for all of its calls.
    if let Some(choice) = said.choices.values().flatten().next() {
        sink.push(codes::invalid_choice(choice.span, "a statement that changes data has no choices"));
        return None;
    }
    let changes = change::read(file, (tokens, in_rows), kind, sink)?;
    if changes.iter().all(|change| change.writes.is_empty()) {
        // A name that is a word of SQL, then.
        look::check_reads(tokens, kind, sink);
        return None;
    }
    Some(changes)
}

/// A tree that tells what parameters are compared with; one of nothing where the parser does not know the grammar.
pub(super) fn tree(tokens: Vec<TokenWithSpan>, native: &NativeStatement) -> Option<Statement> {
    let kind = native.kind;
    let tokens: Vec<TokenWithSpan> = words::in_known_words(end_trimmed(tokens), kind);
    let plain = in_plain_words(&tokens);
    let parsed = match native.is_change() {
        true => each(&plain, kind).and_then(comparisons::comparing),
        false => parse_tokens(plain.clone())
            .or_else(|_| Parser::new(dialect::of_statements(kind)).with_tokens_with_locations(plain).parse_statement())
            .ok(),
    };
    match parsed {
        Some(statement @ Statement::Query(_)) => Some(statement),
        _ => {
            let word = |text: &str, keyword| Token::Word(Word { value: text.to_owned(), quote_style: None, keyword });
            let nothing = [word("SELECT", Keyword::SELECT), Token::Number("1".to_owned(), false)];
            parse_tokens(nothing.into_iter().map(TokenWithSpan::wrap).collect()).ok()
        }
    }
}

/// The trees of several statements.
fn each(tokens: &[TokenWithSpan], kind: DatabaseKind) -> Option<Vec<Statement>> {
    let parts = tokens.split(|token| token.token == Token::SemiColon).filter(|part| !part.is_empty());
    parts.map(|part| change::parsed(part.to_vec(), kind).ok()).collect()
}

/// What shows the rows that each of the statements changes, before it does; `None` of those that nothing can be said of.
/// `is_in_row` says which placeholders stand in rows of a list.
pub(super) fn previews(
    tokens: Vec<TokenWithSpan>,
    native: &NativeStatement,
    is_in_row: &dyn Fn(usize) -> bool,
) -> Vec<Option<Preview>> {
    // As they are written: the text is sent.
    let tokens = end_trimmed(tokens);
    let statements = if native.is_change() { each(&tokens, native.kind) } else { None };
    statements.into_iter().flatten().map(|one| preview::of_statement(one, native.kind, is_in_row)).collect()
}

/// The tokens without what ends the statement.
fn end_trimmed(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    while tokens.last().is_some_and(|token| token.token == Token::SemiColon) {
        tokens.pop();
    }
    tokens
}

/// The tokens as the planner's names and operators are, for what they tell of types: databases do not tell letters from
/// capitals in names, and what is matched is text like what is compared by LIKE.
fn in_plain_words(tokens: &[TokenWithSpan]) -> Vec<TokenWithSpan> {
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    for (at, placed) in tokens.iter().enumerate() {
        let is_before_value = tokens.get(at + 1).is_some_and(|next| matches!(next.token, Token::Placeholder(_)));
        let token = match &placed.token {
            Token::Word(word) if word.quote_style.is_some() => {
                let value = word.value.to_lowercase();
                Token::Word(Word { value, quote_style: Some('"'), keyword: Keyword::NoKeyword })
            }
            // What SQLite and nobody else says in one word. It holds for NULL, too.
            Token::Word(word) if word.keyword == Keyword::IS && is_before_value => {
                let words = [("IS", Keyword::IS), ("NOT", Keyword::NOT), ("DISTINCT", Keyword::DISTINCT)];
                let word = |(text, keyword): (&str, Keyword)| {
                    Token::Word(Word { value: text.to_owned(), quote_style: None, keyword })
                };
                out.extend(words.map(|said| TokenWithSpan::new(word(said), placed.span)));
                word(("FROM", Keyword::FROM))
            }
            Token::Word(word) if ["match", "glob", "regexp"].iter().any(|one| word.value.eq_ignore_ascii_case(one)) => {
                Token::Word(Word { value: "LIKE".to_owned(), quote_style: None, keyword: Keyword::LIKE })
            }
            other => other.clone(),
        };
        out.push(TokenWithSpan::new(token, placed.span));
    }
    out
}
