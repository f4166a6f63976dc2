//! What the optional clauses of a tool need: which parameters do something only together with others.
//!
//! Read off the statements as a tool keeps them, where a clause is a call of its marker whose last argument lists the
//! values that it needs.

use super::ast::number;
use super::dialect::QueryDialect;
use super::{OPTIONAL_AND, OPTIONAL_OR};
use crate::project::BoundFrom;
use crate::tool::{Clauses, Parameter, Tool};
use sqlparser::tokenizer::{Token, Tokenizer};
use std::collections::{BTreeMap, BTreeSet};

/// More ways to get to a view than that are not told apart.
const MOST_WAYS: usize = 64;

/// The values that all clauses around a place need, as numbers of `$n`.
type Needs = BTreeSet<usize>;

/// What stands in a statement, each with what is needed there.
#[derive(Default)]
struct Places {
    slots: Vec<(usize, Needs)>,
    words: Vec<(String, Needs)>,
}

/// Those of a tool. A parameter that is required, or bound to the caller, is sent whatever comes of it.
pub fn clauses_of(tool: &Tool) -> Clauses {
    let uses = uses_of(tool.statements());
    let name = |slot: usize| tool.contract.placeholders.get(slot).map(|one| one.parameter.as_str());
    let mut all: BTreeMap<String, BTreeSet<BTreeSet<&str>>> = BTreeMap::new();
    for (slot, needs) in &uses {
        let Some(own) = name(*slot) else { continue };
        // What no agent knows of is nothing that it could send as well.
        let is_told = |one: &&str| *one != own && tool.contract.parameter(one).is_none_or(is_published_or_brought);
        let others = |needs: &Needs| needs.iter().filter_map(|one| name(*one)).filter(is_told).collect();
        all.entry(own.to_owned()).or_default().extend(needs.iter().map(others));
    }
    let may_be_absent =
        |name: &str| tool.contract.parameter(name).is_some_and(|one| !one.required && one.from.is_none());
    let depends =
        |(name, ways): &(String, BTreeSet<BTreeSet<&str>>)| may_be_absent(name) && !ways.iter().any(BTreeSet::is_empty);
    Clauses(all.into_iter().filter(depends).map(|(name, ways)| (name, shortest(&ways))).collect())
}

/// The parameters that never do anything, because whatever they stand in needs a value of one that has none in any call
/// (`is_left_out`): each with that one. `parameters` are those of `$1`, `$2`, …
pub fn idle_parameters<'a>(
    statements: impl DoubleEndedIterator<Item = (&'a str, &'a str)>,
    parameters: &[&'a str],
    is_left_out: impl Fn(&str) -> bool,
) -> BTreeMap<&'a str, &'a str> {
    let mut idle: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for (slot, uses) in uses_of(statements) {
        let Some(own) = parameters.get(slot).copied().filter(|own| !is_left_out(own)) else { continue };
        for needs in uses {
            let lacks = needs.iter().filter_map(|one| parameters.get(*one).copied()).find(|one| is_left_out(one));
            let so_far = idle.entry(own).or_insert(lacks);
            *so_far = so_far.and(lacks);
        }
    }
    idle.into_iter().filter_map(|(own, lacks)| Some((own, lacks?))).collect()
}

/// What each `$n` needs wherever it stands, besides itself.
fn uses_of<'a>(statements: impl DoubleEndedIterator<Item = (&'a str, &'a str)>) -> BTreeMap<usize, Vec<Needs>> {
    let mut uses: BTreeMap<usize, Vec<Needs>> = BTreeMap::new();
    for (places, ways) in with_ways(statements) {
        for (slot, needs) in &places.slots {
            let of_slot = uses.entry(*slot).or_default();
            of_slot.extend(ways.iter().map(|way| way.union(needs).copied().collect::<Needs>()));
        }
    }
    uses
}

/// Whether it is sent, or has a value in every call.
fn is_published_or_brought(parameter: &Parameter) -> bool {
    parameter.from.as_ref() != Some(&BoundFrom::Default)
}

/// Where one list is a part of another, it alone.
fn shortest(ways: &BTreeSet<BTreeSet<&str>>) -> Vec<Vec<String>> {
    let is_shortest = |way: &&BTreeSet<&str>| !ways.iter().any(|other| other != *way && other.is_subset(way));
    ways.iter().filter(is_shortest).map(|way| way.iter().map(|name| (*name).to_owned()).collect()).collect()
}

/// The statements of a tool, views first, each with what the clauses need that it is selected from in: of the tool's own, nothing.
fn with_ways<'a>(statements: impl DoubleEndedIterator<Item = (&'a str, &'a str)>) -> Vec<(Places, Vec<Needs>)> {
    let mut found: Vec<(Places, Vec<Needs>)> = Vec::new();
    // A view stands behind those that it selects from itself.
    for (name, statement) in statements.rev() {
        let mut ways: BTreeSet<Needs> = BTreeSet::new();
        for (places, around) in &found {
            for (_, needs) in places.words.iter().filter(|(word, _)| *word == name) {
                ways.extend(around.iter().map(|way| way.union(needs).copied().collect::<Needs>()));
            }
        }
        let is_plain = ways.is_empty() || ways.len() > MOST_WAYS;
        let ways = if is_plain { vec![Needs::new()] } else { ways.into_iter().collect() };
        found.push((Places::of(statement), ways));
    }
    found
}

impl Places {
    fn of(text: &str) -> Places {
        let mut places = Places::default();
        // It was parsed before.
        let tokens = Tokenizer::new(&QueryDialect, text).tokenize().unwrap_or_default();
        // The brackets that are open: of a clause, how many places there were before it.
        let mut open: Vec<Option<(usize, usize)>> = Vec::new();
        let mut last: Option<&Token> = None;
        for token in tokens.iter().filter(|token| !matches!(token, Token::Whitespace(_))) {
            match token {
                Token::LParen => {
                    let is_clause = matches!(last, Some(Token::Word(word)) if is_marker(&word.value));
                    open.push(is_clause.then_some((places.slots.len(), places.words.len())));
                }
                Token::RParen => {
                    if let (Some(before), Some(Token::SingleQuotedString(list))) = (open.pop().flatten(), last) {
                        places.need(&list.split(' ').filter_map(number).collect(), before);
                    }
                }
                Token::Placeholder(id) => places.slots.extend(number(id).map(|slot| (slot, Needs::new()))),
                Token::Word(word) => {
                    let is_quoted = word.quote_style.is_some();
                    let name = if is_quoted { word.value.clone() } else { word.value.to_lowercase() };
                    places.words.push((name, Needs::new()));
                }
                _ => {}
            }
            last = Some(token);
        }
        places
    }

    /// Notes what a clause needs at all that stands in it.
    fn need(&mut self, needs: &Needs, (slots, words): (usize, usize)) {
        for (_, of_place) in self.slots.iter_mut().skip(slots) {
            of_place.extend(needs);
        }
        for (_, of_place) in self.words.iter_mut().skip(words) {
            of_place.extend(needs);
        }
    }
}

fn is_marker(word: &str) -> bool {
    word == OPTIONAL_AND || word == OPTIONAL_OR
}
