//! Conditions that no row passes where a parameter is absent: a comparison with NULL is NULL.
//!
//! One of several alternatives is no such condition by itself: `a OR NULL` is `a`. Nothing is said of what stands under a
//! NOT with other conditions, or in a subquery whose rows count against a row. Nor is anything said of what leaves rows all the
//! same: one branch of a UNION, what EXCEPT takes away, a subquery that is a value of the result.

use super::arena::{Arena, Id, Kind, Query, Role};
use super::conditions::{Alternatives, Between, FilterClause, Inside, Piece, Queries, Single, SingleKind};
use super::decisive::{Reach, reaches, weight};
use super::extent::{follows_word, is_written};
use super::operands::Sense;
use super::weights::Weight;
use crate::source::Span;
use crate::syntax::Placeholder;
use crate::syntax::lexer::{Lexed, Written};
use sqlparser::keywords::Keyword;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A condition that is NULL or false where one of its placeholders is NULL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The placeholders, by their positions in [`crate::syntax::ParsedQuery::placeholders`].
    pub placeholders: Vec<usize>,
    /// The whole condition.
    pub span: Span,
    /// How to make it an optional clause, where that leaves the other conditions as they are.
    pub clause: Option<ClauseEdit>,
    /// Its parts, where it is a BETWEEN whose bounds are better asked for one by one.
    pub between: Option<Between>,
}

/// The two insertions that make an optional clause of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClauseEdit {
    /// Where the clause opens.
    pub open: Span,
    /// What is inserted there.
    pub opening: &'static str,
    /// Where the clause closes.
    pub close: Span,
    /// What is inserted there.
    pub closing: &'static str,
}

/// Every such condition of a statement, but those beside which the same filter asks whether the parameter is NULL.
pub(super) fn find(arena: &Arena, tokens: &[Lexed], placeholders: &[Placeholder]) -> Vec<Comparison> {
    let mut search = Search { arena, tokens, placeholders, reaches: reaches(arena), found: Vec::new() };
    search.query(arena.root(), &Around::default());
    search.found
}

struct Search<'a> {
    arena: &'a Arena,
    tokens: &'a [Lexed],
    placeholders: &'a [Placeholder],
    /// How far common table expressions reach.
    reaches: HashMap<Id, (Reach, Reach)>,
    found: Vec<Comparison>,
}

/// What stands around a filter or condition.
#[derive(Clone, Default)]
struct Around<'a> {
    /// The parameters of which a condition says whether they are NULL.
    tested: HashSet<&'a str>,
    edits: Edits,
}

/// Whether edits are suggested.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Edits {
    #[default]
    Given,
    /// To let more rows through might bring about the contrary of what is meant.
    Withheld,
}

impl<'a> Search<'a> {
    /// Looks at a query that is read for its rows, or as one value, or as what must not be there.
    fn query(&mut self, id: Id, around: &Around<'a>) {
        let role = self.arena.query(id).map(|query| query.role);
        let is_relation = matches!(role, Some(Role::Rows | Role::Common | Role::Set | Role::Exists { negated: false }));
        let edits = if is_relation { around.edits } else { Edits::Withheld };
        self.filters(id, &Around { tested: around.tested.clone(), edits });
    }

    /// Looks at every filter of an entry, and of those in it.
    fn filters(&mut self, id: Id, around: &Around<'a>) {
        let arena = self.arena;
        let filters = arena.filters(id);
        for filter in filters {
            self.filter(id, filter, around);
        }
        let mut alternatives = Vec::new();
        for child in arena.children(id) {
            match weight(arena, id, *child) {
                // Those in a condition are looked at with it.
                _ if arena.query(*child).is_some_and(|query| stands_in_one(query, filters)) => {}
                Weight::Decides => self.part(*child, around),
                Weight::TakesAway => {}
                Weight::Alternative => {
                    let before = self.found.len();
                    self.part(*child, around);
                    alternatives.push(self.found.split_off(before));
                }
            }
        }
        let all =
            arena.query(id).map_or(0, |query| query.weights.iter().filter(|one| **one == Weight::Alternative).count());
        if alternatives.len() == all {
            self.found.extend(self.empty_together(alternatives));
        }
    }

    /// Looks at what stands in an entry outside of its conditions.
    fn part(&mut self, id: Id, around: &Around<'a>) {
        let withheld = Around { tested: around.tested.clone(), edits: Edits::Withheld };
        match self.arena.kind(id) {
            Some(Kind::Query(query)) => match query.role {
                Role::Rows => self.query(id, around),
                Role::Common => match self.reaches.get(&id) {
                    Some((Reach::Rows, _)) => self.query(id, around),
                    Some((_, Reach::Partners | Reach::Rows)) => self.query(id, &withheld),
                    Some((_, Reach::Elsewhere)) | None => {}
                },
                // What a value comes to is not whether there are rows.
                Role::Exists { .. } | Role::Set | Role::Value => {}
            },
            Some(Kind::Table(table)) if table.is_optional => self.filters(id, &withheld),
            _ => self.filters(id, around),
        }
    }

    /// What is found in every one of several branches that make rows beside one another.
    fn empty_together(&self, branches: Vec<Vec<Comparison>>) -> Vec<Comparison> {
        let names = |comparisons: &Vec<Comparison>| -> HashSet<&str> {
            comparisons.iter().flat_map(|one| &one.placeholders).filter_map(|at| self.name(*at)).collect()
        };
        let named: Vec<HashSet<&str>> = branches.iter().map(names).collect();
        let in_all = |at: &usize| self.name(*at).is_some_and(|name| named.iter().all(|names| names.contains(name)));
        branches.into_iter().flatten().filter(|one| one.placeholders.iter().any(in_all)).collect()
    }

    fn filter(&mut self, id: Id, filter: &'a FilterClause, around: &Around<'a>) {
        let mut around = around.clone();
        around.tested.extend(self.tested_for_null(&filter.alternatives));
        let is_all = filter.keyword == Keyword::ON && !self.joins_without(&filter.alternatives);
        if is_all || filter.is_of_partners {
            around.edits = Edits::Withheld;
        }
        match filter.alternatives.as_slice() {
            [conjuncts] => self.conjuncts(id, conjuncts, &around),
            _ => {
                let span = self.span(&filter.range);
                let clause = span.map(|span| ClauseEdit {
                    open: span.before(),
                    opening: if follows_word(self.tokens, filter.range.start) {
                        " true [[ AND ("
                    } else {
                        "true [[ AND ("
                    },
                    close: span.after(),
                    closing: ") ]]",
                });
                self.either(&filter.alternatives, &filter.range, clause, &around);
            }
        }
    }

    fn span(&self, range: &Range<usize>) -> Option<Span> {
        let tokens = self.tokens.get(range.clone())?;
        Some(tokens.first()?.span.to(tokens.last()?.span))
    }

    /// Whether something is left to join on without the conditions that no row passes: else all is joined with all.
    fn joins_without(&self, alternatives: &Alternatives) -> bool {
        match alternatives.as_slice() {
            [conjuncts] => conjuncts.iter().any(|piece| self.dead(piece).is_empty()),
            _ => false,
        }
    }

    /// The parameters of which a condition says `IS NULL` or `IS NOT NULL`, on any level of its ANDs and ORs.
    fn tested_for_null(&self, alternatives: &Alternatives) -> Vec<&'a str> {
        let mut found = Vec::new();
        for piece in alternatives.iter().flatten() {
            match &piece.inside {
                Inside::Several(inside) => found.extend(self.tested_for_null(inside)),
                Inside::Single(Single { kind: SingleKind::NullTest, .. }) => {
                    found.extend(self.placeholders_in(&piece.core).into_iter().filter_map(|at| self.name(at)));
                }
                Inside::Single(_) => {}
            }
        }
        found
    }

    /// The placeholders of a range, by their positions.
    fn placeholders_in(&self, range: &Range<usize>) -> Vec<usize> {
        let tokens = self.tokens.get(range.clone()).unwrap_or_default().iter();
        let of_token = |token: &Lexed| match token.written {
            Written::Placeholder(index) => Some(index),
            Written::AsIs | Written::Inserted => None,
        };
        tokens.filter_map(of_token).collect()
    }

    fn name(&self, placeholder: usize) -> Option<&'a str> {
        let placeholders = self.placeholders;
        placeholders.get(placeholder).map(|one| one.name.value.as_str())
    }

    /// Whether a placeholder stands in no optional clause, and nothing around says whether its parameter is NULL.
    fn counts(&self, placeholder: usize, tested: &HashSet<&'a str>) -> bool {
        let placeholder = self.placeholders.get(placeholder);
        placeholder.is_some_and(|one| one.clause.is_none() && !tested.contains(one.name.value.as_str()))
    }

    /// Looks at conditions that must all hold.
    fn conjuncts(&mut self, id: Id, pieces: &'a [Piece], around: &Around<'a>) {
        for piece in pieces {
            match &piece.inside {
                Inside::Single(single) => self.condition(id, piece, single, around),
                // A NOT of several conditions may hold though one of them is NULL.
                Inside::Several(_) if piece.sense == Sense::Negated => {}
                Inside::Several(inside) => match inside.as_slice() {
                    [conjuncts] => self.conjuncts(id, conjuncts, around),
                    _ => {
                        let clause = self.span(&piece.range).and_then(|span| self.clause(piece, span));
                        self.either(inside, &piece.range, clause, around);
                    }
                },
            }
        }
    }

    /// Looks at conditions of which one must hold: no row passes where none of them can.
    fn either(
        &mut self,
        alternatives: &Alternatives,
        range: &Range<usize>,
        clause: Option<ClauseEdit>,
        around: &Around<'a>,
    ) {
        let mut placeholders = self.dead_together(alternatives);
        placeholders.retain(|index| self.counts(*index, &around.tested));
        let Some(span) = self.span(range).filter(|_| !placeholders.is_empty()) else { return };
        let in_clause = |index: &usize| self.placeholders.get(*index).is_some_and(|one| one.clause.is_some());
        let has_clause = self.placeholders_in(range).iter().any(in_clause);
        let clause = clause.filter(|_| around.edits == Edits::Given && !has_clause);
        self.found.push(Comparison { placeholders, span, clause, between: None });
    }

    /// The placeholders whose absence leaves nothing of the alternatives.
    fn dead_together(&self, alternatives: &Alternatives) -> Vec<usize> {
        let dead = |conjuncts: &Vec<Piece>| conjuncts.iter().flat_map(|piece| self.dead(piece)).collect::<Vec<usize>>();
        let each: Vec<Vec<usize>> = alternatives.iter().map(dead).collect();
        let names = |placeholders: &Vec<usize>| -> HashSet<&str> {
            placeholders.iter().filter_map(|at| self.name(*at)).collect()
        };
        let named: Vec<HashSet<&str>> = each.iter().map(names).collect();
        let in_all = |at: &usize| self.name(*at).is_some_and(|name| named.iter().all(|names| names.contains(name)));
        each.into_iter().flatten().filter(in_all).collect()
    }

    /// The placeholders whose absence makes a condition NULL or false.
    fn dead(&self, piece: &Piece) -> Vec<usize> {
        match &piece.inside {
            // Left out where any of them is absent.
            Inside::Single(Single { kind: SingleKind::OptionalOr, .. }) => self.placeholders_in(&piece.range),
            Inside::Single(single) => single.dead.clone(),
            Inside::Several(_) if piece.sense == Sense::Negated => Vec::new(),
            Inside::Several(inside) => self.dead_together(inside),
        }
    }

    /// Looks at one condition, and at the filters of the subqueries in it.
    fn condition(&mut self, id: Id, piece: &Piece, single: &Single, around: &Around<'a>) {
        let found = self.comparison(piece, single, around);
        self.found.extend(found);
        let edits = match single.queries {
            _ if piece.sense == Sense::Negated => return,
            Queries::Unknown => return,
            // More rows in the subquery are more rows of the result.
            Queries::Rows => around.edits,
            Queries::Values => Edits::Withheld,
        };
        let arena = self.arena;
        let inside = arena.children(id).iter().filter(|child| {
            let query = arena.query(**child);
            query.is_some_and(|query| query.stands_in(&piece.core))
        });
        for child in inside {
            self.query(*child, &Around { tested: around.tested.clone(), edits });
        }
    }

    fn comparison(&self, piece: &Piece, single: &Single, around: &Around<'a>) -> Option<Comparison> {
        let mut placeholders = single.dead.clone();
        placeholders.retain(|index| self.counts(*index, &around.tested));
        if placeholders.is_empty() {
            return None;
        }
        let span = self.span(&piece.range)?;
        let clause = self.clause(piece, span).filter(|_| around.edits == Edits::Given);
        let (clause, between) = match &single.kind {
            SingleKind::Between(between) => {
                // One clause around both would ask for both, or leave out a bound that is given.
                let is_whole = piece.core == piece.range && piece.sense == Sense::AsWritten;
                let between = between.clone().filter(|_| is_whole);
                (clause.filter(|_| between.is_some()), between)
            }
            // Likewise, of several items each may be given by itself.
            SingleKind::List if self.several_names(&placeholders) => (None, None),
            _ => (clause, None),
        };
        Some(Comparison { placeholders, span, clause, between })
    }

    /// What opens a clause that nothing stands before, in front of a token.
    fn opening(&self, at: usize) -> &'static str {
        if follows_word(self.tokens, at) { " true [[ AND " } else { "true [[ AND " }
    }

    fn several_names(&self, placeholders: &[usize]) -> bool {
        let names: HashSet<&str> = placeholders.iter().filter_map(|at| self.name(*at)).collect();
        names.len() > 1
    }

    /// `[[ AND x = << p >> ]]` where a condition stands before; else `true [[ AND x = << p >> ]]`, where `true` changes
    /// nothing: never beside an OR.
    fn clause(&self, piece: &Piece, span: Span) -> Option<ClauseEdit> {
        let (open, opening) = match piece.and {
            // A clause begins with the word, and not with a sign for it.
            Some(and) => (self.tokens.get(and).filter(|and| is_written(and))?.span.before(), "[[ "),
            None => (span.before(), self.opening(piece.range.start)),
        };
        Some(ClauseEdit { open, opening, close: span.after(), closing: " ]]" })
    }
}

/// Whether a query stands in one of these conditions.
fn stands_in_one(query: &Query, filters: &[FilterClause]) -> bool {
    filters.iter().any(|filter| query.stands_in(&filter.range))
}
