//! A statement in a database's own SQL that changes data: what it writes, and what bounds it.
//!
//! Here the parser must know the grammar: of what cannot be read, nobody can say that it writes what it may and nothing else.

use super::condition::{self, Target, WriteBounds, parts};
use super::returned::{Returned, returned, shows_written_rows};
use super::{dialect, words};
use crate::catalog::DatabaseKind;
use crate::diagnostic::{Diagnostics, codes};
use crate::project::WriteOperation;
use crate::source::{SourceFile, Span, Spanned};
use crate::syntax::ast::{self, number, place};
use crate::syntax::lexer::Lexed;
use crate::syntax::statement::report;
use sqlparser::ast::{
    Assignment, AssignmentTarget, BinaryOperator, ConflictTarget, Delete, Expr, FromTable, Ident, Insert, Merge,
    MergeAction, MergeInsertKind, ObjectName, OnConflictAction, OnInsert, Query, Select, SetExpr, Statement,
    TableFactor, TableObject, TableWithJoins, Update, Value, Visit, Visitor,
};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// One of the statements of a tool that changes data.
#[derive(Debug, Clone)]
pub struct ChangeStatement {
    /// Where it stands.
    pub span: Span,
    /// What it writes; nothing where it reads.
    pub writes: Vec<Write>,
    /// The rows that it gives; `None` where it gives none.
    pub returned: Option<Returned>,
    /// Whether columns of theirs are null only where they are in their table: they are of rows that were written, and of no other.
    pub keeps_not_null: bool,
}

/// What is written into one table by one statement.
#[derive(Debug, Clone)]
pub struct Write {
    /// What is done.
    pub operation: WriteOperation,
    /// The table, by the parts of its name there.
    pub table: Spanned<Vec<String>>,
    /// The columns that are written; `None` for all of them, and none where rows are removed.
    pub columns: Option<Vec<Spanned<String>>>,
    /// Which values are placeholders and nothing else: the number of the column among those, and of the occurrence.
    pub values: Vec<(usize, usize)>,
    /// How many rows it is at most.
    pub bounds: WriteBounds,
    /// Whether the same again changes nothing more.
    pub repeats: bool,
}

/// Why a statement is none that may run.
struct Refusal {
    place: Option<Span>,
    why: &'static str,
    instead: Option<&'static str>,
}

impl Refusal {
    fn of(why: &'static str) -> Refusal {
        Refusal { place: None, why, instead: None }
    }

    fn instead(self, instead: &'static str) -> Refusal {
        Refusal { instead: Some(instead), ..self }
    }
}

/// The statements of a tool that changes data. `in_rows` are the placeholders that stand in rows of a list. `None` where one of them cannot be read, or does what no tool does.
pub(super) fn read(
    file: &SourceFile,
    (tokens, in_rows): (&[Lexed], &BTreeSet<usize>),
    kind: DatabaseKind,
    sink: &mut Diagnostics,
) -> Option<Vec<ChangeStatement>> {
    let errors = sink.errors();
    let mut found = Vec::new();
    for part in tokens.split(|token| token.token == Token::SemiColon) {
        let (Some(first), Some(last)) = (part.first(), part.last()) else { continue };
        let span = first.span.to(last.span);
        let known = words::in_known_words(part.to_vec(), kind);
        let placed = known.iter().map(|token| ast::located(file, token)).collect();
        match parsed(placed, kind) {
            Ok(statement) => match change_of(&statement, (file, in_rows), span) {
                Ok(change) => found.push(change),
                Err(refusal) => {
                    let place = refusal.place.unwrap_or(first.span);
                    sink.push(codes::foreign_change(place, refusal.why, refusal.instead));
                }
            },
            Err(error) => report(error, file, part, sink),
        }
    }
    refuse_lost_rows(&found, file, sink);
    (sink.errors() == errors).then_some(found)
}

/// The answer is the rows of the last statement: those of another would be read by nobody.
fn refuse_lost_rows(statements: &[ChangeStatement], file: &SourceFile, sink: &mut Diagnostics) {
    let Some((_, others)) = statements.split_last() else { return };
    for lost in others {
        let instead = match &lost.returned {
            None => continue,
            Some(Returned::Query) => "leave it out, or write it behind the others",
            Some(Returned::Written(_)) => "leave out `RETURNING`, or write the statement behind the others",
        };
        let why = "its rows would be lost: the answer is those of the last statement";
        let word = file.slice(lost.span).bytes().take_while(u8::is_ascii_alphabetic).count();
        let place = file.span(lost.span.start, lost.span.start + word);
        sink.push(codes::foreign_change(place, why, Some(instead)));
    }
}

/// The tree of one statement, all of whose tokens it is made of.
pub(super) fn parsed(tokens: Vec<TokenWithSpan>, kind: DatabaseKind) -> Result<Statement, ParserError> {
    let mut parser = Parser::new(dialect::of_statements(kind)).with_tokens_with_locations(tokens);
    let statement = parser.parse_statement()?;
    match parser.peek_token().token {
        Token::EOF => Ok(statement),
        _ => parser.expected("the end of the statement", parser.peek_token()),
    }
}

/// What a statement does.
fn change_of(
    statement: &Statement,
    (file, in_rows): (&SourceFile, &BTreeSet<usize>),
    span: Span,
) -> Result<ChangeStatement, Refusal> {
    let mut found = Found { file, in_rows, writes: Vec::new(), refusal: None, statements: 0 };
    let _ = statement.visit(&mut found);
    match found.refusal {
        Some(refusal) => Err(refusal),
        None if found.statements > 0 && !is_outermost(statement) => Err(inside_of_another()),
        None => Ok(ChangeStatement {
            span,
            writes: found.writes,
            returned: returned(statement),
            keeps_not_null: shows_written_rows(statement),
        }),
    }
}

fn is_change(statement: &Statement) -> bool {
    matches!(statement, Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) | Statement::Merge(_))
}

/// Whether what changes data is the statement itself, perhaps with common table expressions before it.
fn is_outermost(statement: &Statement) -> bool {
    match statement {
        Statement::Query(query) => matches!(
            query.body.as_ref(),
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_)
        ),
        other => is_change(other),
    }
}

fn inside_of_another() -> Refusal {
    Refusal::of("nobody counts the rows that a statement inside of another changes")
        .instead("write a statement for each, with `;` between them")
}

/// What is found on the way through a statement.
struct Found<'a> {
    file: &'a SourceFile,
    in_rows: &'a BTreeSet<usize>,
    /// How many statements there are, with those inside of others.
    statements: usize,
    writes: Vec<Write>,
    refusal: Option<Refusal>,
}

impl Visitor for Found<'_> {
    type Break = ();

    fn pre_visit_statement(&mut self, statement: &Statement) -> ControlFlow<()> {
        self.statements += usize::from(is_change(statement));
        let writes = match statement {
            // The database counts the rows of the outermost alone.
            inside if is_change(inside) && self.statements > 1 => Err(inside_of_another()),
            Statement::Insert(insert) => inserted(insert, self.file, self.in_rows),
            Statement::Update(update) => updated(update, self.file),
            Statement::Delete(delete) => deleted(delete, self.file),
            Statement::Merge(merge) => merged(merge, self.file),
            Statement::Query(_) => Ok(Vec::new()),
            _ => Err(Refusal::of("a tool changes rows, and nothing else")
                .instead("write `INSERT`, `UPDATE`, `DELETE`, `MERGE` or `SELECT`")),
        };
        self.take(writes)
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let into = |select: &Select| select.into.is_some();
        let has_into = matches!(query.body.as_ref(), SetExpr::Select(select) if into(select));
        let refused = has_into.then(|| Refusal::of("`INTO` makes a table").instead("write `INSERT INTO … SELECT`"));
        self.take(refused.map_or(Ok(Vec::new()), Err))
    }
}

impl Found<'_> {
    fn take(&mut self, writes: Result<Vec<Write>, Refusal>) -> ControlFlow<()> {
        match writes {
            Ok(writes) => {
                self.writes.extend(writes);
                ControlFlow::Continue(())
            }
            Err(refusal) => {
                self.refusal = Some(refusal);
                ControlFlow::Break(())
            }
        }
    }
}

/// A name with its place, as it is written.
fn named(name: &ObjectName, file: &SourceFile) -> Result<Spanned<Vec<String>>, Refusal> {
    let idents: Option<Vec<&Ident>> = name.0.iter().map(|part| part.as_ident()).collect();
    let idents = idents.filter(|idents| !idents.is_empty()).ok_or_else(|| Refusal::of("its table has no name"))?;
    let spans = idents.iter().map(|ident| place(file, ident.span)).reduce(Span::to);
    let parts = idents.iter().map(|ident| ident.value.clone()).collect();
    Ok(Spanned::new(parts, spans.unwrap_or_else(|| file.span(0, 0))))
}

/// The last part of a column's name.
fn column(name: &ObjectName, file: &SourceFile) -> Result<Spanned<String>, Refusal> {
    let ident = name.0.last().and_then(|part| part.as_ident()).ok_or_else(|| Refusal::of("a column has no name"))?;
    Ok(Spanned::new(ident.value.clone(), place(file, ident.span)))
}

/// The columns that are assigned to.
fn assigned(assignments: &[Assignment], file: &SourceFile) -> Result<Vec<Spanned<String>>, Refusal> {
    let mut columns = Vec::new();
    for assignment in assignments {
        match &assignment.target {
            AssignmentTarget::ColumnName(name) => columns.push(column(name, file)?),
            AssignmentTarget::Tuple(names) => {
                for name in names {
                    columns.push(column(name, file)?);
                }
            }
        }
    }
    Ok(columns)
}

fn inserted(insert: &Insert, file: &SourceFile, in_rows: &BTreeSet<usize>) -> Result<Vec<Write>, Refusal> {
    if insert.replace_into || insert.or.is_some() || insert.ignore {
        let why = "what stands in its way is removed, or ignored, without a word";
        return Err(Refusal::of(why).instead(
            "say what is to happen: `ON CONFLICT (key) DO UPDATE SET …` or `DO NOTHING`, \
             in MySQL `ON DUPLICATE KEY UPDATE`",
        ));
    }
    if insert.priority.is_some() {
        return Err(Refusal::of("it is written at another time").instead("leave out the word behind `INSERT`"));
    }
    let TableObject::TableName(name) = &insert.table else {
        return Err(Refusal::of("it writes into what is no table"));
    };
    let table = named(name, file)?;
    let mut columns: Vec<Spanned<String>> =
        insert.columns.iter().map(|name| column(name, file)).collect::<Result<_, _>>()?;
    columns.extend(assigned(&insert.assignments, file)?);
    let (mut values, mut bounds) = (Vec::new(), WriteBounds::Rows(1));
    for (at, assignment) in insert.assignments.iter().enumerate() {
        values.extend(placeholder(&assignment.value).map(|occurrence| (at, occurrence)));
    }
    if let Some(source) = &insert.source {
        bounds = match source.body.as_ref() {
            SetExpr::Values(rows) => {
                let rows: Vec<&[Expr]> = rows.rows.iter().map(|row| row.content.as_slice()).collect();
                refuse_bracketed_list(&rows, &columns)?;
                let found = rows.iter().flat_map(|row| row.iter().enumerate());
                values.extend(found.filter_map(|(at, value)| Some((at, placeholder(value)?))));
                match values.iter().any(|(_, occurrence)| in_rows.contains(occurrence)) {
                    true => WriteBounds::List,
                    false => WriteBounds::Rows(rows.len() as u64),
                }
            }
            _ => WriteBounds::Query,
        };
    }
    let is_listed = !columns.is_empty();
    let repeats = insert.on.as_ref().is_some_and(|on| is_about(on, &columns));
    let own = Write {
        operation: WriteOperation::Insert,
        table: table.clone(),
        columns: is_listed.then_some(columns),
        values,
        bounds,
        repeats,
    };
    let beside = |assignments: &[Assignment]| {
        Ok(Write {
            operation: WriteOperation::Update,
            table: table.clone(),
            columns: Some(assigned(assignments, file)?),
            values: Vec::new(),
            bounds: WriteBounds::Beside,
            repeats: assignments.iter().all(|assignment| is_constant(&assignment.value, true)),
        })
    };
    Ok(match &insert.on {
        Some(OnInsert::OnConflict(conflict)) => match &conflict.action {
            OnConflictAction::DoUpdate(update) => vec![own, beside(&update.assignments)?],
            OnConflictAction::DoNothing => vec![own],
        },
        Some(OnInsert::DuplicateKeyUpdate(assignments)) => vec![own, beside(assignments)?],
        Some(_) => return Err(Refusal::of("what it does with rows that are there cannot be read")),
        None => vec![own],
    })
}

/// `(a, b) VALUES (<< rows >>)`: one value for several columns is a list of rows with brackets around it.
fn refuse_bracketed_list(rows: &[&[Expr]], columns: &[Spanned<String>]) -> Result<(), Refusal> {
    match rows {
        [[value]] if columns.len() > 1 && placeholder(value).is_some() => {
            Err(Refusal::of("one value is written into several columns")
                .instead("a list of rows has no brackets: `VALUES << rows >>`; else write a value for each column"))
        }
        _ => Ok(()),
    }
}

/// The one table of a list.
fn only_table(tables: &[TableWithJoins], file: &SourceFile) -> Result<Spanned<Vec<String>>, Refusal> {
    match tables {
        [TableWithJoins { relation: TableFactor::Table { name, .. }, joins }] if joins.is_empty() => named(name, file),
        _ => Err(Refusal::of("it changes several tables at once")
            .instead("write a statement for each, with `;` between them")),
    }
}

fn updated(update: &Update, file: &SourceFile) -> Result<Vec<Write>, Refusal> {
    if update.or.is_some() {
        let why = "what stands in its way is removed, or ignored, without a word";
        return Err(Refusal::of(why).instead("leave out `OR …`: then it fails, and nothing is changed"));
    }
    let table = only_table(std::slice::from_ref(&update.table), file)?;
    let columns = assigned(&update.assignments, file)?;
    let values = update.assignments.iter().enumerate();
    let values = values.filter_map(|(at, assignment)| Some((at, placeholder(&assignment.value)?))).collect();
    let target = target_of(&update.table.relation, &table, update.from.is_none());
    let is_constant = update.assignments.iter().all(|assignment| is_constant(&assignment.value, false));
    Ok(vec![Write {
        operation: WriteOperation::Update,
        table,
        columns: Some(columns),
        values,
        bounds: target.bounds(update.selection.as_ref()),
        repeats: is_constant && update.limit.is_none() && !has_query(update.selection.as_ref()),
    }])
}

fn deleted(delete: &Delete, file: &SourceFile) -> Result<Vec<Write>, Refusal> {
    let (FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables)) = &delete.from;
    let table = match delete.tables.is_empty() {
        true => only_table(tables, file)?,
        false => only_table(&[], file)?,
    };
    let target = match tables.first() {
        Some(first) => target_of(&first.relation, &table, delete.using.is_none()),
        None => return Err(Refusal::of("its table has no name")),
    };
    let bounds = target.bounds(delete.selection.as_ref());
    let (operation, columns) = (WriteOperation::Delete, Some(Vec::new()));
    // Rows that are gone are not removed again, but where others come to be meant.
    let repeats = delete.limit.is_none() && !has_query(delete.selection.as_ref());
    Ok(vec![Write { operation, table, columns, values: Vec::new(), bounds, repeats }])
}

fn merged(merge: &Merge, file: &SourceFile) -> Result<Vec<Write>, Refusal> {
    let TableFactor::Table { name, .. } = &merge.table else {
        return Err(Refusal::of("it writes into what is no table"));
    };
    let table = named(name, file)?;
    let target = target_of(&merge.table, &table, false);
    let is_joined = is_joined(merge.on.as_ref(), &target) && !parts(&merge.source).placeholders.is_empty();
    let is_bound = is_joined || target.bounds(Some(merge.on.as_ref())) != WriteBounds::Nothing;
    let bounds = if is_bound { WriteBounds::Query } else { WriteBounds::Nothing };
    let mut writes = Vec::new();
    for clause in &merge.clauses {
        let (operation, columns) = match &clause.action {
            MergeAction::Insert(insert) => {
                if !matches!(insert.kind, MergeInsertKind::Values(_)) {
                    return Err(Refusal::of("it inserts rows whose columns are not written out"));
                }
                let columns: Vec<Spanned<String>> =
                    insert.columns.iter().map(|name| column(name, file)).collect::<Result<_, _>>()?;
                (WriteOperation::Insert, (!columns.is_empty()).then_some(columns))
            }
            MergeAction::Update(update) => (WriteOperation::Update, Some(assigned(&update.assignments, file)?)),
            MergeAction::Delete { .. } => (WriteOperation::Delete, Some(Vec::new())),
        };
        let (table, bounds) = (table.clone(), bounds.clone());
        writes.push(Write { operation, table, columns, values: Vec::new(), bounds, repeats: false });
    }
    Ok(writes)
}

/// Whether what is in the way of a row is told by columns that it brings: then the same row is in the way of itself.
fn is_about(on: &OnInsert, columns: &[Spanned<String>]) -> bool {
    let OnInsert::OnConflict(conflict) = on else { return false };
    let Some(ConflictTarget::Columns(key)) = &conflict.conflict_target else { return false };
    key.iter().all(|column| columns.iter().any(|one| one.value.eq_ignore_ascii_case(&column.value)))
}

/// The occurrence of a placeholder that an expression is, counted from 0.
fn placeholder(expression: &Expr) -> Option<usize> {
    match expression {
        Expr::Value(value) => match &value.value {
            Value::Placeholder(id) => number(id),
            _ => None,
        },
        _ => None,
    }
}

/// The table that is changed, as its columns are written. `is_only` says whether no other is beside it.
fn target_of(factor: &TableFactor, table: &Spanned<Vec<String>>, is_only: bool) -> Target {
    let alias = match factor {
        TableFactor::Table { alias: Some(alias), .. } => Some(alias.name.value.clone()),
        _ => None,
    };
    let called = alias.or_else(|| table.value.last().cloned()).unwrap_or_default();
    Target { called, is_only }
}

/// Whether a condition says which row of the table another row is about.
fn is_joined(condition: &Expr, target: &Target) -> bool {
    match condition {
        Expr::Nested(inside) => is_joined(inside, target),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => is_joined(left, target) || is_joined(right, target),
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
            let is_own = |side: &Expr| {
                let of = condition::bare(side).and_then(|column| column.of);
                of.map(|of| of.eq_ignore_ascii_case(&target.called))
            };
            matches!((is_own(left), is_own(right)), (Some(true), Some(false)) | (Some(false), Some(true)))
        }
        _ => false,
    }
}

fn has_query(condition: Option<&Expr>) -> bool {
    condition.is_some_and(|condition| parts(condition).has_query)
}

/// Whether an expression has the same value again: no function is called in it, and no column read but, where that is so, those
/// of a row that was to be inserted.
fn is_constant(expression: &Expr, is_beside: bool) -> bool {
    let parts = parts(expression);
    let is_excluded = |column: &condition::Column| {
        is_beside && column.of.as_ref().is_some_and(|of| of.eq_ignore_ascii_case("excluded"))
    };
    !parts.has_function && !parts.has_query && parts.columns.iter().all(is_excluded)
}
