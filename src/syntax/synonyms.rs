//! Calls as other databases write them, in the form that they have here: `year(day)` is `date_part('year', day)`.
//!
//! What is only called otherwise is an alias of the function, and no matter of the tree. Here stands what takes other
//! arguments, or is no function at all. The tree is rewritten as soon as it is parsed, so that nothing else has to know.

mod formats;
mod nested;
mod table;
mod template;
#[cfg(test)]
mod tests;
mod units;

use super::arrows;
use super::written_call::{call, is_bare, plain_args};
use formats::{formatted, read_by_hours};
use nested::{of_items, packed};
use sqlparser::ast::{
    AccessExpr, BinaryOperator, CastKind, DataType, Expr, Function, Ident, ObjectNamePart, OrderBy, OrderByExpr,
    OrderByKind, Query, SelectItem, SetExpr, Spanned, Statement, Subscript, TableFactor, Value, Visit, VisitMut,
    Visitor, VisitorMut,
};
use std::ops::ControlFlow;
use table::{LARGEST, SMALLEST, SYNONYMS};
use template::{carried_over, filled};
use units::{bucket, quote_unit};

/// Writes every such call in the form that it has here.
pub(super) fn write_out(statement: &mut Statement) {
    let _ = VisitMut::visit(statement, &mut Calls);
}

/// The calls of a name that are written in another form: the number of arguments of each, the call, and what it is here.
pub(crate) fn written_forms(name: &str) -> Vec<(usize, String, String)> {
    const SHOWN: [(&str, &str); 3] = [("arg_0", "a"), ("arg_1", "b"), ("arg_2", "c")];
    let forms = SYNONYMS.iter().filter(|(theirs, ..)| *theirs == name);
    let told = |(_, args, template): &(&str, &'static [&'static str], &str)| {
        let shown = SHOWN.iter().fold((*template).to_owned(), |text, (arg, shown)| text.replace(arg, shown));
        let letters: Vec<&str> = SHOWN.iter().map(|(_, shown)| *shown).take(args.len()).collect();
        (args.len(), format!("{name}({})", letters.join(", ")), shown)
    };
    forms.map(told).collect()
}

/// The names of the calls that are written in another form, for whoever lists functions.
#[cfg(test)]
pub(crate) fn synonym_names() -> impl Iterator<Item = &'static str> {
    SYNONYMS.iter().map(|(name, ..)| *name).chain([
        "strftime",
        "struct_pack",
        "time_bucket",
        "list_aggregate",
        "list_aggr",
    ])
}

struct Calls;

impl VisitorMut for Calls {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        order_by_places(query);
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        super::pivot::write_out(factor);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            // Of whole numbers, a division leaves the rest out anyway.
            Expr::BinaryOp { op, .. } if *op == BinaryOperator::DuckIntegerDivide => *op = BinaryOperator::Divide,
            Expr::BinaryOp { .. } => arrows::to_call(expr),
            Expr::CompoundFieldAccess { root, access_chain } => fields_by_name(root, access_chain),
            Expr::Lambda(lambda) => super::item_fields::by_name(lambda),
            Expr::Tuple(items) => {
                if let Some(record) = record(items) {
                    *expr = record;
                }
            }
            // A document is a text, and is read where it is looked into.
            Expr::Cast { kind: CastKind::Cast | CastKind::DoubleColon, data_type, .. } if is_document(data_type) => {
                *data_type = DataType::Text;
            }
            Expr::Function(function) => {
                if let Some(here) = here(function) {
                    *expr = here;
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// A row as a record, where it begins with something that the planner takes at the beginning of none: `(-1, 2)`.
fn record(items: &[Expr]) -> Option<Expr> {
    let first = items.first()?;
    let is_taken = matches!(first, Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_));
    let name = Ident::with_span(first.span(), "struct");
    (!is_taken).then(|| call(name, items.iter().cloned()))
}

fn is_document(ty: &DataType) -> bool {
    matches!(ty, DataType::JSON | DataType::JSONB)
}

/// `ORDER BY ALL` as the places of the columns, where they can be counted.
fn order_by_places(query: &mut Query) {
    let Query { body, order_by: Some(OrderBy { kind, .. }), .. } = query else { return };
    let (SetExpr::Select(select), OrderByKind::All(options)) = (body.as_ref(), &*kind) else { return };
    let is_one = |item: &SelectItem| matches!(item, SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. });
    if !select.projection.iter().all(is_one) {
        return;
    }
    let place = |at: usize| OrderByExpr {
        expr: Expr::value(Value::Number((at + 1).to_string(), false)),
        options: *options,
        with_fill: None,
    };
    *kind = OrderByKind::Expressions((0..select.projection.len()).map(place).collect());
}

/// `(x).field` and `x[1].field` as `(x)['field']` and `x[1]['field']`. What begins with names is a path of them.
fn fields_by_name(root: &Expr, chain: &mut [AccessExpr]) {
    let mut is_path = matches!(root, Expr::Identifier(_));
    for access in chain {
        let field = match &*access {
            AccessExpr::Dot(Expr::Identifier(name)) if !is_path => name,
            AccessExpr::Dot(_) => continue,
            AccessExpr::Subscript(_) => {
                is_path = false;
                continue;
            }
        };
        let name = Value::SingleQuotedString(super::ast::normalized(field)).with_span(field.span);
        *access = AccessExpr::Subscript(Subscript::Index { index: Expr::Value(name) });
    }
}

/// What a call is here; `None` where it is nothing else.
fn here(function: &mut Function) -> Option<Expr> {
    let [ObjectNamePart::Identifier(name)] = function.name.0.as_slice() else { return None };
    let (written, span) = (super::ast::normalized(name), name.span);
    match written.as_str() {
        "strftime" => return formatted(function, span),
        "struct_pack" => return packed(function, span),
        "time_bucket" => return bucket(function, span),
        "to_timestamp" | "to_timestamp_micros" => return read_by_hours(function, span),
        "list_aggregate" | "list_aggr" => return of_items(function),
        "date_diff" | "datediff" => {
            quote_unit(function, 3);
            return None;
        }
        "datepart" => {
            quote_unit(function, 2);
            return None;
        }
        _ => {}
    }
    let mut named = SYNONYMS.iter().filter(|(name, ..)| *name == written).peekable();
    named.peek()?;
    let args = plain_args(function)?;
    let (_, names, template) = named.find(|(_, names, _)| names.len() == args.len())?;
    // Arguments that are written several times must not hold others of that kind: the text would double with each.
    if matches!(*template, LARGEST | SMALLEST) && args.iter().any(calls_first_value) {
        return None;
    }
    let form = filled(template, names, &args)?;
    match form {
        Expr::Function(form) => carried_over(form, function, span),
        form if is_bare(function) => Some(form),
        _ => None,
    }
}

fn calls_first_value(arg: &Expr) -> bool {
    Visit::visit(arg, &mut FirstValue).is_break()
}

struct FirstValue;

impl Visitor for FirstValue {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(call) if call.name.to_string() == "first_value" => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}
