//! What everybody asks of sqlparser's tokens and tree: names as the planner sees them, places, and which keywords begin
//! what.

use super::lexer::{Lexed, decode, encode};
use crate::source::{SourceFile, Span};
use sqlparser::ast::{Ident, JoinConstraint, JoinOperator, ObjectName, Select, SetExpr, Spanned as _, TableFactor};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::TokenWithSpan;

/// The name as the planner sees it.
pub fn normalized(ident: &Ident) -> String {
    match ident.quote_style {
        Some(_) => ident.value.clone(),
        None => ident.value.to_lowercase(),
    }
}

/// The query that names the columns: of a set operation the first.
pub(crate) fn naming_select(mut body: &SetExpr) -> Option<&Select> {
    loop {
        match body {
            SetExpr::Select(select) => return Some(select),
            SetExpr::Query(query) => body = &query.body,
            SetExpr::SetOperation { left, .. } => body = left,
            _ => return None,
        }
    }
}

/// A table's name as it is looked up.
pub(crate) fn joined_name(name: &ObjectName) -> Option<String> {
    let parts: Option<Vec<String>> = name.0.iter().map(|part| part.as_ident().map(normalized)).collect();
    parts.map(|parts| parts.join("."))
}

/// The last part of a name, which stands for the whole in front of a column.
pub(crate) fn last_part(name: &ObjectName) -> Option<String> {
    name.0.last()?.as_ident().map(normalized)
}

/// The name that columns of a table may have in front.
pub(crate) fn exposed_name(factor: &TableFactor) -> Option<String> {
    match factor {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            Some(normalized(&alias.name))
        }
        TableFactor::Table { name, .. } => last_part(name),
        _ => None,
    }
}

/// What a join goes by; `None` for one that has no condition.
pub(crate) fn join_constraint(operator: &JoinOperator) -> Option<&JoinConstraint> {
    match operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint)
        | JoinOperator::CrossJoin(constraint)
        | JoinOperator::Semi(constraint)
        | JoinOperator::LeftSemi(constraint)
        | JoinOperator::RightSemi(constraint)
        | JoinOperator::Anti(constraint)
        | JoinOperator::LeftAnti(constraint)
        | JoinOperator::RightAnti(constraint)
        | JoinOperator::StraightJoin(constraint)
        | JoinOperator::AsOf { constraint, .. } => Some(constraint),
        _ => None,
    }
}

/// `$3` → 2.
pub fn number(id: &str) -> Option<usize> {
    id.strip_prefix('$')?.parse::<usize>().ok()?.checked_sub(1)
}

/// A token as sqlparser takes it, its place encoded to name the file as well.
pub(super) fn located(file: &SourceFile, token: &Lexed) -> TokenWithSpan {
    let span = sqlparser::tokenizer::Span::new(encode(file, token.span.start), encode(file, token.span.end));
    TokenWithSpan::new(token.token.clone(), span)
}

/// The place of a part of the statement: empty where the parser keeps none.
pub(crate) fn place(file: &SourceFile, span: sqlparser::tokenizer::Span) -> Span {
    let offset = |location: sqlparser::tokenizer::Location| file.offset(decode(location.line, location.column).1);
    if span.start.line == 0 {
        return file.span(0, 0);
    }
    file.span(offset(span.start), offset(span.end))
}

/// The place of a table's name. The parser keeps none for one that is written as a string: its text is looked for.
pub(crate) fn place_of_name(file: &SourceFile, name: &ObjectName, text: &str) -> Span {
    let span = place(file, name.span());
    match file.text.find(text) {
        Some(start) if span.start == span.end => file.span(start, start + text.len()),
        _ => span,
    }
}

/// Whether a clause of a query begins with the keyword, so that the one before it ends. LEFT and RIGHT are left out:
/// they are functions, too.
pub(crate) fn begins_clause(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::SELECT
            | Keyword::FROM
            | Keyword::INTO
            | Keyword::JOIN
            | Keyword::INNER
            | Keyword::FULL
            | Keyword::CROSS
            | Keyword::NATURAL
            | Keyword::ON
            | Keyword::WHERE
            | Keyword::GROUP
            | Keyword::HAVING
            | Keyword::QUALIFY
            | Keyword::WINDOW
            | Keyword::ORDER
            | Keyword::LIMIT
            | Keyword::OFFSET
            | Keyword::FETCH
            | Keyword::FOR
    ) || joins_queries(keyword)
}

/// Whether a condition of a query follows the keyword.
pub(crate) fn begins_condition(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::WHERE | Keyword::HAVING | Keyword::ON | Keyword::QUALIFY)
}

/// Whether the keyword stands between two queries.
fn joins_queries(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT | Keyword::MINUS)
}
