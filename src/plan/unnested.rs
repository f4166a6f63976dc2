//! `unnest` in FROM: what its columns are called, its place in LATERAL, and the numbers of its items.
//!
//! A column without a name of its own is called as the table, as in PostgreSQL, so that the fields of a record are
//! `u.name`. `LATERAL unnest(…)` is `unnest(…)`, which sees the tables before it anyway. WITH ORDINALITY takes a second
//! list apart beside the first: 1, 2, 3, …

use crate::syntax::link::parse_text;
use crate::syntax::normalized;
use datafusion::common::{Result, plan_err};
use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, SelectItem, SetExpr, Statement, TableAlias, TableAliasColumnDef,
    TableFactor, Visit, VisitMut, Visitor, VisitorMut,
};
use std::ops::ControlFlow;

/// What the numbers of the items are called.
const ORDINALITY: &str = "ordinality";
/// What stands for a list in the expression of its length.
const LIST: &str = "qtool_list";
/// How many items a list has.
const LENGTH: &str = "coalesce(CAST(array_length(qtool_list) AS BIGINT), 0)";
/// The numbers of the items of lists of which the longest has so many.
const NUMBERS: &str = "generate_series(1, qtool_list)";

/// Lists whose items are rows of FROM.
pub(crate) struct Unnested<'a> {
    /// The lists.
    pub lists: Vec<&'a Expr>,
    /// Whether their items are numbered.
    with_ordinality: bool,
    alias: Option<&'a TableAlias>,
}

/// The lists that a part of FROM takes apart; `None` for another part.
pub(crate) fn unnested_lists(factor: &TableFactor) -> Option<Unnested<'_>> {
    match factor {
        TableFactor::UNNEST { alias, array_exprs, with_offset: false, with_offset_alias: None, with_ordinality } => {
            let lists = array_exprs.iter().collect();
            Some(Unnested { lists, with_ordinality: *with_ordinality, alias: alias.as_ref() })
        }
        TableFactor::Function { name, args, with_ordinality, alias, .. }
            if name.to_string().eq_ignore_ascii_case("unnest") =>
        {
            let lists: Option<Vec<&Expr>> = args
                .iter()
                .map(|arg| match arg {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(list)) => Some(list),
                    _ => None,
                })
                .collect();
            Some(Unnested { lists: lists?, with_ordinality: *with_ordinality, alias: alias.as_ref() })
        }
        _ => None,
    }
}

impl Unnested<'_> {
    /// What stands in front of the columns.
    pub(crate) fn table(&self) -> String {
        self.alias.map_or_else(|| "unnest".to_owned(), |alias| normalized(&alias.name))
    }

    /// The names of the columns, that of the numbers last; `None` where several lists have no names.
    pub(crate) fn columns(&self) -> Option<Vec<String>> {
        let given = self.alias.map(|alias| alias.columns.as_slice()).unwrap_or_default();
        let mut columns: Vec<String> = given.iter().map(|column| normalized(&column.name)).collect();
        if columns.is_empty() && self.lists.len() == 1 {
            columns.push(self.table());
        }
        if self.with_ordinality && columns.len() == self.lists.len() {
            columns.push(ORDINALITY.to_owned());
        }
        (!columns.is_empty()).then_some(columns)
    }

    /// Whether items are numbered inside of the lists, whose own are: they would be written out twice, and what is inside
    /// of them four times, and so on.
    fn is_nested(&self) -> bool {
        self.with_ordinality && self.lists.iter().any(|list| list.visit(&mut HasNumbers).is_break())
    }

    fn rewritten(&self) -> Result<TableFactor> {
        let Some(columns) = self.columns() else {
            return plan_err!("the columns of several lists need names: `unnest(a, b) AS u(x, y)`");
        };
        let mut array_exprs: Vec<Expr> = self.lists.iter().copied().cloned().collect();
        if self.with_ordinality {
            let Some(numbers) = numbers(&self.lists) else { return plan_err!("WITH ORDINALITY of nothing") };
            array_exprs.push(numbers);
        }
        let quoted = |name: String| Ident::with_quote('"', name);
        let column = |name: String| TableAliasColumnDef { name: quoted(name), data_type: None };
        let alias = TableAlias {
            explicit: true,
            name: quoted(self.table()),
            columns: columns.into_iter().map(column).collect(),
            at: None,
        };
        Ok(TableFactor::UNNEST {
            alias: Some(alias),
            array_exprs,
            with_offset: false,
            with_offset_alias: None,
            with_ordinality: false,
        })
    }
}

/// Writes out what is meant by every `unnest` in FROM.
///
/// Errors: several lists whose columns have no names.
pub(super) fn write_out(statement: &mut Statement) -> Result<()> {
    let mut found = Lists::default();
    let _ = Visit::visit(&*statement, &mut found);
    if found.are_nested {
        return plan_err!("WITH ORDINALITY stands inside of the list of another: move the inner query into WITH");
    }
    if found.count == 0 {
        return Ok(());
    }
    match VisitMut::visit(statement, &mut WriteOut) {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(()),
    }
}

#[derive(Default)]
struct Lists {
    count: usize,
    are_nested: bool,
}

impl Visitor for Lists {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        if let Some(lists) = unnested_lists(factor) {
            self.count += 1;
            self.are_nested |= lists.is_nested();
        }
        ControlFlow::Continue(())
    }
}

/// Whether the items of a list are numbered anywhere.
struct HasNumbers;

impl Visitor for HasNumbers {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        match unnested_lists(factor) {
            Some(lists) if lists.with_ordinality => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

struct WriteOut;

impl VisitorMut for WriteOut {
    type Break = datafusion::common::DataFusionError;

    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<Self::Break> {
        match unnested_lists(factor).map(|lists| lists.rewritten()) {
            Some(Ok(rewritten)) => *factor = rewritten,
            Some(Err(error)) => return ControlFlow::Break(error),
            None => {}
        }
        ControlFlow::Continue(())
    }
}

/// The list 1, 2, 3, … of as many as the longest of some lists has.
fn numbers(lists: &[&Expr]) -> Option<Expr> {
    let lengths = lists.iter().map(|list| with_list(LENGTH, (*list).clone()));
    let mut lengths = lengths.collect::<Option<Vec<Expr>>>()?.into_iter();
    let mut longest = lengths.next()?;
    for length in lengths {
        let other = with_list("greatest(qtool_list, qtool_other)", longest)?;
        longest = with_name("qtool_other", length, other)?;
    }
    with_list(NUMBERS, longest)
}

fn with_list(template: &str, list: Expr) -> Option<Expr> {
    let Statement::Query(query) = parse_text(&format!("SELECT {template}"), &|_| None).ok()? else { return None };
    let SetExpr::Select(select) = *query.body else { return None };
    match select.projection.into_iter().next()? {
        SelectItem::UnnamedExpr(expr) => with_name(LIST, list, expr),
        _ => None,
    }
}

/// An expression with another in the place of a name.
fn with_name(name: &str, with: Expr, mut expr: Expr) -> Option<Expr> {
    let mut replace = Replace { name, with: Some(with) };
    let _ = VisitMut::visit(&mut expr, &mut replace);
    replace.with.is_none().then_some(expr)
}

struct Replace<'n> {
    name: &'n str,
    with: Option<Expr>,
}

impl VisitorMut for Replace<'_> {
    type Break = ();

    // Behind what is inside: nothing is looked for in what has been put in.
    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if matches!(expr, Expr::Identifier(ident) if ident.value == self.name)
            && let Some(with) = self.with.take()
        {
            *expr = with;
        }
        ControlFlow::Continue(())
    }
}
