//! Intervals whose number is a parameter or a column: `INTERVAL << n >> DAY`. The planner reads what is written out alone.
//!
//! Where it has the value itself, in the frame of a window and in the arguments of a function in FROM, a parameter may
//! stand there.

use super::Context;
use super::places::place;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::{SourceFile, Span};
use crate::syntax::{ParsedQuery, Placeholder};
use sqlparser::ast::{
    Expr, Interval, NamedWindowExpr, Select, Spanned, TableFactor, Value, Visit, Visitor, WindowFrameBound, WindowSpec,
    WindowType,
};
use std::ops::ControlFlow;

/// Says of each how it is written.
pub(super) fn check(query: &ParsedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    let mut search = Search { query, context, sink, frames: Vec::new(), functions: 0 };
    let _ = query.trees.statement.statement.visit(&mut search);
}

struct Search<'a, 's> {
    query: &'a ParsedQuery,
    context: Context<'a>,
    sink: &'s mut Diagnostics,
    /// The places of the bounds of frames.
    frames: Vec<sqlparser::tokenizer::Span>,
    /// How many functions in FROM are open.
    functions: usize,
}

impl Visitor for Search<'_, '_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        for window in &select.named_window {
            if let NamedWindowExpr::WindowSpec(spec) = &window.1 {
                self.frame(spec);
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        self.functions += usize::from(is_function(factor));
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        self.functions = self.functions.saturating_sub(usize::from(is_function(factor)));
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(call) => {
                if let Some(WindowType::WindowSpec(spec)) = &call.over {
                    self.frame(spec);
                }
            }
            Expr::Interval(interval) if self.functions == 0 => self.interval(interval),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

impl Search<'_, '_> {
    fn frame(&mut self, spec: &WindowSpec) {
        let Some(frame) = &spec.window_frame else { return };
        for bound in [Some(&frame.start_bound), frame.end_bound.as_ref()].into_iter().flatten() {
            if let WindowFrameBound::Preceding(Some(bound)) | WindowFrameBound::Following(Some(bound)) = bound
                && let Expr::Interval(interval) = bound.as_ref()
            {
                self.frames.push(interval.value.span());
            }
        }
    }

    fn interval(&mut self, interval: &Interval) {
        let mut value = interval.value.as_ref();
        while let Expr::Nested(inner) = value {
            value = inner;
        }
        let what = match value {
            Expr::Value(value) if matches!(value.value, Value::Placeholder(_)) => "parameter",
            // In double quotes, a text may be meant.
            Expr::Identifier(name) if name.quote_style.is_none() => "column",
            Expr::CompoundIdentifier(_) => "column",
            _ => return,
        };
        if self.frames.contains(&interval.value.span()) {
            return;
        }
        let Some(span) = place(value.span(), self.context) else { return };
        let is_plain = interval.last_field.is_none() && interval.leading_precision.is_none();
        let has_unit = interval.leading_field.is_some();
        let edit = || {
            let file = self.context.sources.get(span.file).filter(|_| is_plain)?;
            let number = Number { file, span, placeholder: self.placeholder(span), has_unit };
            number.edit()
        };
        let edit = edit();
        self.sink.push(codes::written_interval(span, what, has_unit, edit));
    }

    fn placeholder(&self, span: Span) -> Option<&Placeholder> {
        self.query.placeholders.iter().find(|one| one.span == span)
    }
}

fn is_function(factor: &TableFactor) -> bool {
    matches!(factor, TableFactor::Table { args: Some(_), .. } | TableFactor::Function { .. })
}

/// What stands between INTERVAL and the unit.
struct Number<'a> {
    file: &'a SourceFile,
    span: Span,
    placeholder: Option<&'a Placeholder>,
    has_unit: bool,
}

impl Number<'_> {
    /// The same as it can be written; `None` where that is not sure.
    fn edit(&self) -> Option<(Span, String)> {
        let (start, behind) = self.extent()?;
        let whole = Span { start, end: behind, ..self.span };
        if self.has_unit {
            let rest = self.file.text.get(behind..)?;
            let blank = rest.len() - rest.trim_start().len();
            let unit: String = rest.trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
            let whole = Span { end: behind + blank + unit.len(), ..whole };
            let number = self.of_type("int")?;
            return (!unit.is_empty()).then(|| (whole, format!("CAST({number} || ' {unit}' AS INTERVAL)")));
        }
        match self.placeholder {
            Some(_) => Some((whole, self.of_type("interval")?)),
            None => Some((whole, format!("CAST({} AS INTERVAL)", self.file.slice(self.span)))),
        }
    }

    /// From the word INTERVAL to the end of the brackets around the number.
    fn extent(&self) -> Option<(usize, usize)> {
        let mut before = self.file.text.get(..self.span.start)?.trim_end();
        let mut end = self.span.end;
        while let Some(outside) = before.strip_suffix('(') {
            let rest = self.file.text.get(end..)?;
            end += rest.len() - rest.trim_start().strip_prefix(')')?.len();
            before = outside.trim_end();
        }
        let start = before.len().checked_sub("interval".len())?;
        before.get(start..)?.eq_ignore_ascii_case("interval").then_some((start, end))
    }

    /// The number with a type; a column has one, and of a parameter that of an interval stands in the place of another.
    fn of_type(&self, ty: &str) -> Option<String> {
        let text = |start: usize, end: usize| self.file.text.get(start..end);
        let Some(one) = self.placeholder else { return Some(text(self.span.start, self.span.end)?.to_owned()) };
        let end = match &one.declared {
            Some(_) if self.has_unit => return Some(self.file.slice(one.span).to_owned()),
            Some(declared) => declared.span.end,
            None => one.head.end,
        };
        if one.default.is_some() && !self.has_unit {
            return None;
        }
        Some(format!("{}: {ty}{}", text(one.span.start, one.head.end)?, text(end, one.span.end)?))
    }
}
