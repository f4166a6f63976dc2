//! `count(DISTINCT a, b)`, which the engine does not have: it counts different records.

use super::Context;
use super::places::{closed, place};
use crate::diagnostic::{Diagnostics, codes};
use crate::source::Span;
use crate::syntax::{ParsedQuery, normalized};
use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArgumentList, FunctionArguments, Spanned, Visit, Visitor,
};
use std::ops::ControlFlow;

/// Says of each how it is written.
pub(super) fn check(query: &ParsedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    let _ = query.trees.statement.statement.visit(&mut Search { context, sink });
}

struct Search<'a, 's> {
    context: Context<'a>,
    sink: &'s mut Diagnostics,
}

impl Visitor for Search<'_, '_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(call) = expr
            && let FunctionArguments::List(list) = &call.args
            && counts_several(call, list)
            && let Some(name) = place(call.name.span(), self.context)
        {
            let edits = self.record(name).filter(|_| list.clauses.is_empty());
            self.sink.push(codes::counted_records(name, edits));
        }
        ControlFlow::Continue(())
    }
}

impl Search<'_, '_> {
    /// The edits that make a record of the arguments of a call; `None` where their places are not sure.
    fn record(&self, name: Span) -> Option<Vec<(Span, String)>> {
        let file = self.context.sources.get(name.file)?;
        let open = file.text.get(name.end..)?.find('(')? + name.end;
        let whole = closed(Span { end: open + 1, ..name }, self.context);
        let inside = file.text.get(open + 1..whole.end.checked_sub(1)?)?;
        if !file.slice(whole).ends_with(')') || ["--", "/*", "\""].iter().any(|sign| inside.contains(sign)) {
            return None;
        }
        let (word, arguments) = inside.trim_start().split_at_checked("distinct".len())?;
        let (arguments, is_distinct) = (arguments.trim(), word.eq_ignore_ascii_case("distinct"));
        let start = whole.end - 1 - inside.len() + inside.find(arguments).filter(|_| is_distinct)?;
        let at = |byte: usize| Span { start: byte, end: byte, ..name };
        Some(vec![(at(start), "struct(".to_owned()), (at(start + arguments.len()), ")".to_owned())])
    }
}

fn counts_several(call: &Function, list: &FunctionArgumentList) -> bool {
    let is_count = match call.name.0.as_slice() {
        [part] => part.as_ident().is_some_and(|name| normalized(name) == "count"),
        _ => false,
    };
    is_count && list.duplicate_treatment == Some(DuplicateTreatment::Distinct) && list.args.len() > 1
}
