//! Statements that change data as queries that compare what is written with the columns that it is written into: the walk
//! that finds types knows queries alone.
//!
//! `UPDATE t SET a = $1 WHERE id = $2` becomes `SELECT 1 FROM t WHERE id = $2 AND a = $1`. Types are read off it, and nothing
//! else.

use crate::syntax::statement::parse_tokens;
use sqlparser::ast::{
    Assignment, AssignmentTarget, BinaryOperator, Delete, Expr, FromTable, Ident, Insert, Merge, MergeAction,
    MergeInsertKind, ObjectName, OnConflictAction, OnInsert, OutputClause, Query, Select, SelectItem, SetExpr,
    SetOperator, SetQuantifier, Statement, TableAlias, TableFactor, TableObject, TableWithJoins, Update,
    UpdateTableFromKind, With,
};
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

/// What the row is called that was to be inserted, where another stands in its way.
const EXCLUDED: &str = "excluded";

/// A query with all that the statements compare; `None` where one is none of those that change data.
pub(super) fn comparing(statements: Vec<Statement>) -> Option<Statement> {
    let mut queries = statements.into_iter().map(query).collect::<Option<Vec<Query>>>()?;
    if queries.len() == 1 {
        return queries.pop().map(|query| Statement::Query(Box::new(query)));
    }
    let exists = |query: Query| Expr::Exists { subquery: Box::new(query), negated: false };
    let all = queries.into_iter().map(exists).reduce(both)?;
    Some(Statement::Query(Box::new(selecting(Vec::new(), Some(all), None)?)))
}

fn query(statement: Statement) -> Option<Query> {
    match statement {
        Statement::Insert(insert) => of_insert(insert),
        Statement::Update(update) => of_update(update),
        Statement::Delete(delete) => of_delete(delete),
        Statement::Merge(merge) => of_merge(merge),
        Statement::Query(mut query) => {
            query.with = query.with.and_then(reading);
            query.body = Box::new(body(*query.body)?);
            Some(*query)
        }
        _ => None,
    }
}

/// Common table expressions, those that change data as what they compare.
fn reading(with: With) -> Option<With> {
    let With { with_token, recursive, cte_tables } = with;
    let cte_tables = cte_tables.into_iter().map(|mut cte| {
        cte.query = Box::new(query(Statement::Query(cte.query))?);
        Some(cte)
    });
    Some(With { with_token, recursive, cte_tables: cte_tables.collect::<Option<_>>()? })
}

fn body(body: SetExpr) -> Option<SetExpr> {
    match body {
        SetExpr::Insert(statement)
        | SetExpr::Update(statement)
        | SetExpr::Delete(statement)
        | SetExpr::Merge(statement) => Some(SetExpr::Query(Box::new(query(statement)?))),
        other => Some(other),
    }
}

/// `SELECT … FROM … WHERE …`, with another SELECT's list or `1`.
fn selecting(from: Vec<TableWithJoins>, selection: Option<Expr>, returning: Option<Vec<SelectItem>>) -> Option<Query> {
    let mut query = template()?;
    let select = select_of(&mut query)?;
    select.from = from;
    select.selection = selection;
    if let Some(returning) = returning {
        select.projection = returning;
    }
    Some(query)
}

/// `SELECT 1`.
fn template() -> Option<Query> {
    let tokens = Tokenizer::new(&sqlparser::dialect::GenericDialect {}, "SELECT 1").tokenize().ok()?;
    let tokens = tokens.into_iter().filter(|token| !matches!(token, Token::Whitespace(_)));
    match parse_tokens(tokens.map(TokenWithSpan::wrap).collect()).ok()? {
        Statement::Query(query) => Some(*query),
        _ => None,
    }
}

fn select_of(query: &mut Query) -> Option<&mut Select> {
    match query.body.as_mut() {
        SetExpr::Select(select) => Some(select),
        _ => None,
    }
}

/// The two, as one condition.
fn both(left: Expr, right: Expr) -> Expr {
    let nested = |one: Expr| Box::new(Expr::Nested(Box::new(one)));
    Expr::BinaryOp { left: nested(left), op: BinaryOperator::And, right: nested(right) }
}

fn is(column: Expr, value: Expr) -> Expr {
    let value = Box::new(Expr::Nested(Box::new(value)));
    Expr::BinaryOp { left: Box::new(column), op: BinaryOperator::Eq, right: value }
}

/// A column of a table that is called so.
fn column_of(of: &Option<Ident>, name: &ObjectName) -> Option<Expr> {
    let ident = name.0.last()?.as_ident()?.clone();
    Some(match of {
        Some(of) => Expr::CompoundIdentifier(vec![of.clone(), ident]),
        None => Expr::Identifier(ident),
    })
}

/// What assignments compare.
fn assignments(assignments: Vec<Assignment>, of: &Option<Ident>) -> Vec<Expr> {
    let compared = assignments.into_iter().filter_map(|assignment| match assignment.target {
        AssignmentTarget::ColumnName(name) => Some(is(column_of(of, &name)?, assignment.value)),
        AssignmentTarget::Tuple(names) => match assignment.value {
            Expr::Tuple(values) => {
                let pairs = names.iter().zip(values);
                pairs.filter_map(|(name, value)| Some(is(column_of(of, name)?, value))).reduce(both)
            }
            other => Some(other),
        },
    });
    compared.collect()
}

/// What columns of a table are called by.
fn called(factor: &TableFactor) -> Option<Ident> {
    match factor {
        TableFactor::Table { alias: Some(alias), .. } => Some(alias.name.clone()),
        TableFactor::Table { name, .. } => name.0.last()?.as_ident().cloned(),
        _ => None,
    }
}

/// A table, under another name where one is given.
fn table(name: ObjectName, alias: Option<Ident>) -> Option<TableWithJoins> {
    let mut query = template_from()?;
    let mut found = select_of(&mut query)?.from.pop()?;
    if let TableFactor::Table { name: own, alias: other, .. } = &mut found.relation {
        *own = name;
        *other = alias.map(|name| TableAlias { explicit: true, name, columns: Vec::new(), at: None });
    }
    Some(found)
}

/// `SELECT 1 FROM t`.
fn template_from() -> Option<Query> {
    let tokens = Tokenizer::new(&sqlparser::dialect::GenericDialect {}, "SELECT 1 FROM t").tokenize().ok()?;
    let tokens = tokens.into_iter().filter(|token| !matches!(token, Token::Whitespace(_)));
    match parse_tokens(tokens.map(TokenWithSpan::wrap).collect()).ok()? {
        Statement::Query(query) => Some(*query),
        _ => None,
    }
}

fn of_update(update: Update) -> Option<Query> {
    let own = called(&update.table.relation);
    let mut from = vec![update.table];
    match update.from {
        Some(UpdateTableFromKind::AfterSet(others) | UpdateTableFromKind::BeforeSet(others)) => from.extend(others),
        None => {}
    }
    let compared = assignments(update.assignments, &own);
    let all = update.selection.into_iter().chain(compared).reduce(both);
    selecting(from, all, update.returning)
}

fn of_delete(delete: Delete) -> Option<Query> {
    let (FromTable::WithFromKeyword(mut from) | FromTable::WithoutKeyword(mut from)) = delete.from;
    from.extend(delete.using.into_iter().flatten());
    selecting(from, delete.selection, delete.returning)
}

fn of_insert(insert: Insert) -> Option<Query> {
    let TableObject::TableName(name) = insert.table else { return None };
    let alias = insert.table_alias.map(|alias| alias.alias);
    let own = alias.clone().or_else(|| name.0.last().and_then(|part| part.as_ident()).cloned());
    let mut from = vec![table(name.clone(), alias)?];
    let mut compared = assignments(insert.assignments, &own);
    let mut with = None;
    let mut beside = None;
    if let Some(source) = insert.source {
        let mut source = *source;
        with = source.with.take();
        match *source.body {
            SetExpr::Values(values) if !insert.columns.is_empty() => {
                for row in values.rows {
                    let pairs = insert.columns.iter().zip(row.content);
                    compared.extend(pairs.filter_map(|(name, value)| Some(is(column_of(&own, name)?, value))));
                }
            }
            other => {
                source.body = Box::new(other);
                beside = Some(beside_columns(&insert.columns, &own, from.first()?.clone(), source)?);
            }
        }
    }
    let on = match insert.on {
        Some(OnInsert::OnConflict(conflict)) => match conflict.action {
            OnConflictAction::DoUpdate(update) => {
                from.push(table(name, Some(Ident::new(EXCLUDED)))?);
                compared.extend(update.selection);
                update.assignments
            }
            OnConflictAction::DoNothing => Vec::new(),
        },
        Some(OnInsert::DuplicateKeyUpdate(assignments)) => assignments,
        _ => Vec::new(),
    };
    compared.extend(assignments(on, &own));
    compared.extend(beside.map(|query| Expr::Exists { subquery: Box::new(query), negated: false }));
    let mut query = selecting(from, compared.into_iter().reduce(both), insert.returning)?;
    query.with = with.and_then(reading);
    Some(query)
}

/// The columns that are written, above the rows that are written into them.
fn beside_columns(columns: &[ObjectName], own: &Option<Ident>, from: TableWithJoins, rows: Query) -> Option<Query> {
    let items = columns.iter().map(|name| Some(SelectItem::UnnamedExpr(column_of(own, name)?)));
    let items = items.collect::<Option<Vec<_>>>()?;
    let every = || vec![SelectItem::Wildcard(sqlparser::ast::WildcardAdditionalOptions::default())];
    let written = selecting(vec![from], None, Some(if items.is_empty() { every() } else { items }))?;
    let mut query = template()?;
    query.body = Box::new(SetExpr::SetOperation {
        left: written.body,
        op: SetOperator::Union,
        set_quantifier: SetQuantifier::All,
        right: Box::new(SetExpr::Query(Box::new(rows))),
    });
    Some(query)
}

fn of_merge(merge: Merge) -> Option<Query> {
    let own = called(&merge.table);
    let from = [merge.table, merge.source].map(|relation| TableWithJoins { relation, joins: Vec::new() });
    let mut compared = vec![*merge.on];
    for clause in merge.clauses {
        compared.extend(clause.predicate);
        match clause.action {
            MergeAction::Update(update) => compared.extend(assignments(update.assignments, &own)),
            MergeAction::Insert(insert) => {
                if let MergeInsertKind::Values(values) = insert.kind {
                    for row in values.rows {
                        let pairs = insert.columns.iter().zip(row.content);
                        compared.extend(pairs.filter_map(|(name, value)| Some(is(column_of(&own, name)?, value))));
                    }
                }
            }
            MergeAction::Delete { .. } => {}
        }
    }
    let returning = match merge.output {
        Some(OutputClause::Returning { select_items, .. }) => Some(select_items),
        _ => None,
    };
    selecting(from.into(), compared.into_iter().reduce(both), returning)
}
