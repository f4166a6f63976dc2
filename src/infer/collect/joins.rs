//! Joins: which columns they bring into scope, and what their conditions ask for.

use super::Collector;
use super::query::last_of;
use crate::infer::constraint::Term;
use crate::infer::scope::{Field, Gone, Relation, Scope};
use crate::plan::merged_columns::{self, Side};
use crate::syntax::ast::join_constraint;
use sqlparser::ast::{Join, JoinConstraint, JoinOperator, Spanned, TableWithJoins};
use sqlparser::tokenizer;
use std::borrow::Cow;

/// Where the relations of a join stand among those in scope.
#[derive(Clone, Copy)]
struct Places {
    /// The first one of the left side.
    first: usize,
    /// The first one of the right side.
    right: usize,
    /// What the planner makes of columns that are joined by; `None` where both stay.
    made: Option<Side>,
}

impl<'a> Collector<'a> {
    pub(super) fn from<'s>(&mut self, item: &'a TableWithJoins, scope: &mut Scope<'s, 'a>) {
        let first = scope.relations.len();
        let relations = self.factor(&item.relation, scope);
        scope.relations.extend(relations);
        let are_made = merged_columns::are_made(&item.joins);
        for join in &item.joins {
            let made = merged_columns::side(&join.join_operator).filter(|_| are_made);
            self.join(join, Places { first, right: scope.relations.len(), made }, scope);
        }
    }

    fn join<'s>(&mut self, join: &'a Join, places: Places, scope: &mut Scope<'s, 'a>) {
        let left = places.right;
        let relations = self.factor(&join.relation, scope);
        scope.relations.extend(relations);
        if let JoinOperator::AsOf { match_condition, .. } = &join.join_operator {
            self.condition(match_condition, scope);
        }
        match join_constraint(&join.join_operator) {
            Some(JoinConstraint::On(condition)) => self.condition(condition, scope),
            Some(JoinConstraint::Using(names)) => {
                let names = names.iter().filter_map(|name| Some((last_of(name)?, name.span())));
                self.merge_all(names.collect(), places, scope);
            }
            Some(JoinConstraint::Natural) => {
                let place = join.relation.span();
                let names = shared(scope, places).into_iter().map(|name| (name, place));
                self.merge_all(names.collect(), places, scope);
            }
            Some(JoinConstraint::None) | None => {}
        }
        match &join.join_operator {
            JoinOperator::Semi(_) | JoinOperator::LeftSemi(_) | JoinOperator::Anti(_) | JoinOperator::LeftAnti(_) => {
                scope.relations.truncate(left);
            }
            JoinOperator::RightSemi(_) | JoinOperator::RightAnti(_) => {
                scope.relations.drain(..left.min(scope.relations.len()));
            }
            _ => {}
        }
    }

    fn merge_all<'s>(&mut self, names: Vec<(String, tokenizer::Span)>, places: Places, scope: &mut Scope<'s, 'a>) {
        let mut made: Vec<Relation<'a>> = Vec::new();
        for (name, place) in names {
            self.merge((&name, place), places.right, scope);
            match places.made {
                Some(side) => made.extend(self.one_of_two(&name, side, (places, &mut *scope))),
                None => scope.merged.push(name),
            }
        }
        let at = places.first.min(scope.relations.len());
        scope.relations.splice(at..at, made);
    }

    /// What is compared in a column of both sides of a join.
    fn merge<'s>(&mut self, (name, place): (&str, tokenizer::Span), left: usize, scope: &Scope<'s, 'a>) {
        let (before, behind) = scope.relations.split_at(left.min(scope.relations.len()));
        let term = |relations: &[Relation<'_>]| {
            let mut fields = relations.iter().flat_map(|relation| &relation.fields);
            fields.find(|field| field.name == name).map(|field| field.term.clone())
        };
        if let (Some(left), Some(right)) = (term(before), term(behind)) {
            self.beside_at("USING", [place; 2], [&left, &right]);
            self.alike("USING", [left, right]);
        }
    }

    /// Takes both columns of a name away; what stands for them, in front of the others.
    fn one_of_two<'s>(
        &mut self,
        name: &str,
        side: Side,
        (places, scope): (Places, &mut Scope<'s, 'a>),
    ) -> Option<Relation<'a>> {
        let end = scope.relations.len();
        let left = taken(name, scope.relations.get_mut(places.first..places.right)?);
        let right = taken(name, scope.relations.get_mut(places.right..end)?);
        let (left, right) = (left?, right?);
        let gone = match side {
            Side::Left => vec![&right],
            Side::Right => vec![&left],
            Side::Both => vec![&left, &right],
        };
        for (qualifier, _) in gone {
            if let Some(table) = qualifier {
                scope.gone.push(Gone { table: table.to_string(), column: name.to_owned() });
            }
        }
        let (qualifier, term) = match side {
            Side::Left => left,
            Side::Right => right,
            Side::Both => (None, self.merged("USING", vec![left.1, right.1])),
        };
        let fields = vec![Field { name: Cow::Owned(name.to_owned()), term }];
        Some(Relation { qualifier, fields, is_complete: true })
    }
}

/// The names of columns that both sides have.
fn shared(scope: &Scope<'_, '_>, places: Places) -> Vec<String> {
    let has = |name: &str| {
        let mut behind = scope.relations.iter().skip(places.right).flat_map(|relation| &relation.fields);
        behind.any(|field| field.name == name)
    };
    let before = scope.relations.iter().take(places.right).skip(places.first);
    let mut names: Vec<String> = Vec::new();
    for field in before.flat_map(|relation| &relation.fields) {
        if has(&field.name) && !names.contains(&field.name.to_string()) {
            names.push(field.name.to_string());
        }
    }
    names
}

/// The column of that name, out of the relation that has it.
fn taken<'a>(name: &str, relations: &mut [Relation<'a>]) -> Option<(Option<Cow<'a, str>>, Term)> {
    relations.iter_mut().find_map(|relation| {
        let at = relation.fields.iter().position(|field| field.name == name)?;
        Some((relation.qualifier.clone(), relation.fields.remove(at).term))
    })
}
