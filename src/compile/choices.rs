//! A query with choices is one tool: planned with every combination, it has the same columns and parameters.

use super::LinkInput;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::{self, Context, TypedQuery};
use crate::source::Span;
use crate::syntax::choice::{Choice, MAX_COMBINATIONS, are_too_many, combinations};
use crate::syntax::link::LinkedQuery;
use crate::tool::OutputColumn;
use crate::ty::Type;
use std::collections::HashMap;

/// Infers a query with all combinations of its choices. `first` has the first ones.
pub(super) fn infer(
    first: &LinkedQuery<'_>,
    input: &LinkInput,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<TypedQuery> {
    let counts: Vec<usize> = first.choices.iter().map(|choice| choice.all.len()).collect();
    if are_too_many(&counts) {
        let all = counts.iter().try_fold(1_usize, |all, count| all.checked_mul(*count).filter(|all| *all < 1_000_000));
        let all = all.map_or_else(|| "a million or more".to_owned(), |all| all.to_string());
        let why = format!("{all} combinations of choices are more than the {MAX_COMBINATIONS} that are planned");
        let place = first.choices.last().and_then(|choice| choice.all.first()).map_or(input.query.head, |one| one.span);
        sink.push(codes::invalid_choice(place, &why));
        return None;
    }
    let mut all = Vec::new();
    for picks in combinations(&counts) {
        let Some(linked) = input.link(&picks, context.sources) else {
            let place = picked(first, &picks).next().map_or(input.query.head, |choice| choice.span);
            sink.push(codes::invalid_choice(
                place,
                "it cannot stand where a query puts it that has no such choices itself",
            ));
            return None;
        };
        all.push((picks, linked));
    }
    let (typed, known) = joined(&all, &HashMap::new(), context, sink)?;
    match known {
        None => Some(typed),
        // Again, with what every combination asks of the parameters.
        Some(known) => joined(&all, &known, context, sink).map(|(typed, _)| typed),
    }
}

/// The choices that are put in.
fn picked<'a>(linked: &'a LinkedQuery<'_>, picks: &'a [usize]) -> impl Iterator<Item = &'a Choice> {
    linked.choices.iter().zip(picks).filter_map(|(choice, pick)| choice.all.get(*pick))
}

/// Infers every combination; also the types that are to be taken for granted, where they differ but can be joined.
fn joined(
    all: &[(Vec<usize>, LinkedQuery<'_>)],
    known: &HashMap<String, Type>,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<(TypedQuery, Option<HashMap<String, Type>>)> {
    let errors = sink.errors();
    let mut typed: Option<TypedQuery> = None;
    let mut types: HashMap<String, Type> = HashMap::new();
    let mut differ = false;
    for (picks, linked) in all {
        let Some(one) = infer::infer_with(linked, known, context, sink) else { continue };
        let Some(whole) = &mut typed else {
            types = one.parameters.iter().map(|it| (it.declaration.name.clone(), it.ty.clone())).collect();
            typed = Some(one);
            continue;
        };
        let head = linked.own()?.head;
        let (here, there) = places(linked, picks, head);
        for parameter in &one.parameters {
            let Some(ty) = types.get_mut(&parameter.declaration.name) else { continue };
            if *ty == parameter.ty {
                continue;
            }
            differ = true;
            let name = &parameter.declaration.name;
            match ty.join(&parameter.ty) {
                Some(both) => *ty = both,
                None => sink.push(codes::choices_differ(
                    here,
                    &format!("with this, `{name}` is of type {}", parameter.ty),
                    there,
                    &format!("with this, it is of type {ty}"),
                )),
            }
        }
        if let Some((ours, theirs)) = difference(&one.columns, &whole.columns) {
            sink.push(codes::choices_differ(here, &ours, there, &theirs));
        }
        for (column, other) in whole.columns.iter_mut().zip(&one.columns) {
            column.nullable |= other.nullable;
        }
        whole.tables.extend(one.tables);
        one.lineage.into_iter().for_each(|(column, outputs)| whole.lineage.entry(column).or_default().extend(outputs));
        whole.pages = whole.pages.clone().and(one.pages);
        whole.annotations.read_only &= one.annotations.read_only;
        whole.annotations.idempotent &= one.annotations.idempotent;
    }
    let mut typed = typed?;
    typed.tables.sort();
    typed.tables.dedup();
    (sink.errors() == errors).then_some((typed, differ.then_some(types)))
}

/// The first choice that is not the first of its kind, and that first one.
fn places(linked: &LinkedQuery<'_>, picks: &[usize], head: Span) -> (Span, Span) {
    let changed = linked.choices.iter().zip(picks).find(|(_, pick)| **pick > 0);
    let spans = changed.and_then(|(choice, pick)| Some((choice.all.get(*pick)?.span, choice.all.first()?.span)));
    spans.unwrap_or((head, head))
}

/// The first difference between the columns of two combinations, in words for each.
fn difference(one: &[OutputColumn], other: &[OutputColumn]) -> Option<(String, String)> {
    let columns = |count: usize| if count == 1 { "1 column".to_owned() } else { format!("{count} columns") };
    if one.len() != other.len() {
        return Some((
            format!("with this, the result has {}", columns(one.len())),
            format!("with this, {}", other.len()),
        ));
    }
    one.iter().zip(other).find_map(|(one, other)| {
        if one.name != other.name {
            let words = |column: &OutputColumn| format!("with this, a column is named `{}`", column.name);
            return Some((words(one), words(other)));
        }
        let words = |column: &OutputColumn| format!("with this, column `{}` is of type {}", column.name, column.ty);
        (one.ty != other.ty).then(|| (words(one), words(other)))
    })
}
