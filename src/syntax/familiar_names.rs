//! Names as people bring them from PostgreSQL: `public.orders` is the table `orders`, and `user` is a column.

use super::normalized;
use sqlparser::ast::{
    Expr, ObjectName, ObjectNamePart, Select, SelectItem, SelectItemQualifiedWildcardKind, Statement, TableFactor,
    VisitMut, VisitorMut,
};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// The schema that tables are in where none is written.
const PUBLIC: &str = "public";

/// Makes a name of `user`, which sqlparser takes for a function. There is no such function.
pub(super) fn named_users(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    for token in &mut tokens {
        if let Token::Word(word) = &mut token.token
            && word.keyword == Keyword::USER
        {
            word.keyword = Keyword::NoKeyword;
        }
    }
    tokens
}

/// Takes `public.` away from tables, and from their columns.
pub(super) fn without_schema(statement: &mut Statement) {
    let mut tables = Tables::default();
    let _ = statement.visit(&mut tables);
    if !tables.0.is_empty() {
        let _ = statement.visit(&mut Columns(tables.0));
    }
}

/// The tables that are written with their schema.
#[derive(Default)]
struct Tables(HashSet<String>);

impl VisitorMut for Tables {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, args: None, .. } = factor
            && let Some(table) = table_in_public(name)
        {
            name.0.remove(0);
            self.0.insert(table);
        }
        ControlFlow::Continue(())
    }
}

/// What names columns of those tables.
struct Columns(HashSet<String>);

impl VisitorMut for Columns {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::CompoundIdentifier(parts) = expr
            && let [schema, table, _, ..] = parts.as_slice()
            && normalized(schema) == PUBLIC
            && self.0.contains(&normalized(table))
        {
            parts.remove(0);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        for item in &mut select.projection {
            if let SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) = item
                && table_in_public(name).is_some_and(|table| self.0.contains(&table))
            {
                name.0.remove(0);
            }
        }
        ControlFlow::Continue(())
    }
}

/// The table that `public.table` names.
fn table_in_public(name: &ObjectName) -> Option<String> {
    match name.0.as_slice() {
        [ObjectNamePart::Identifier(schema), ObjectNamePart::Identifier(table)] if normalized(schema) == PUBLIC => {
            Some(normalized(table))
        }
        _ => None,
    }
}
