//! The stages of inference as text, for people who debug a query and for tests.

use super::constraint::how;
use super::{Context, collect, constants, declaration, output_columns, planner, slot_type, solve, unify};
use crate::diagnostic::Diagnostics;
use crate::source::Span;
use crate::syntax::link::LinkedQuery;
use std::fmt::Write;

/// What the stages made of a query, each as text; one that was not reached is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stages {
    /// What the places ask for: the constraints, then what each term is asked by itself.
    pub constraints: String,
    /// The types that were found, with the evidence at every occurrence.
    pub typed: String,
    /// The plan, analysed, with `$n` for the parameters.
    pub plan: String,
}

/// Runs the stages once more and writes down what each gives.
pub fn stages(linked: &LinkedQuery<'_>, context: Context<'_>) -> Stages {
    let mut unheard = Diagnostics::default();
    let mut stages = Stages::default();
    let declarations = declaration::collect(linked, &mut unheard);
    let mut solved = collect::collect(linked, &declarations, context);
    stages.constraints = solved.constraints.listing(&linked.occurrences);
    solve::solve(&mut solved, &linked.occurrences, &declarations);
    let Some(parameters) = unify::unify(linked, &declarations, &solved, &mut unheard) else { return stages };
    for parameter in &parameters {
        let _ = writeln!(stages.typed, "{}  {}", parameter.declaration.name, parameter.ty);
        for (at, one) in linked.occurrences.iter().enumerate() {
            if one.name.value != parameter.declaration.name {
                continue;
            }
            let asks = solved.constraints.cells.get(at).map(|cell| cell.asks.as_slice()).unwrap_or_default();
            let words: Vec<String> = asks.iter().map(|ask| format!("{} {}", how(ask.strength), ask.ty)).collect();
            let words = if words.is_empty() { "says nothing".to_owned() } else { words.join(", ") };
            let _ = writeln!(stages.typed, "  {}  {words}", place(one.span, context));
        }
    }
    let types: Vec<_> = linked.slots.iter().map(|slot| Some(slot_type(slot, &parameters)?.to_arrow())).collect();
    let typical = |at: usize| {
        let slot = linked.slots.get(at)?;
        let units = parameters.iter().find(|one| one.declaration.name == slot.name)?.units.is_some();
        Some(constants::typical(&slot_type(slot, &parameters)?, units))
    };
    let parts = super::with_constants(linked, &typical);
    let Ok(plan) = planner::plan_keyed(parts, &types, super::keyed(context)).and_then(planner::analyze) else {
        return stages;
    };
    stages.plan = format!("{}\n", plan.display_indent());
    if let Some(columns) = output_columns(&plan, linked, &parameters, &mut unheard) {
        let _ = writeln!(stages.typed, "returns");
        for column in columns {
            let null = if column.nullable { "" } else { "  not null" };
            let _ = writeln!(stages.typed, "  {}  {}{null}", column.name, column.ty);
        }
    }
    stages
}

fn place(span: Span, context: Context<'_>) -> String {
    context.sources.get(span.file).map_or_else(String::new, |file| {
        let at = file.location(span.start);
        format!("{}:{}:{}", file.path, at.line, at.column)
    })
}
