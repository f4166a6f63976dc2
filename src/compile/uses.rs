//! The queries that a query selects from, each under the names that it gives to their parameters.

use crate::diagnostic::codes::Connective;
use crate::diagnostic::{Diagnostics, codes};
use crate::syntax::{NewNames, ParsedQuery, Reference, name_of_use};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

/// All queries of a project, and the names of the parameters of each with those that it inherits.
pub(super) struct Uses<'a> {
    parsed: &'a [ParsedQuery],
    /// By the names that queries are selected from by.
    index: HashMap<&'a str, usize>,
    parameters: Vec<BTreeSet<String>>,
}

impl<'a> Uses<'a> {
    /// `sequence` has every query behind those that it selects from.
    pub(super) fn of(parsed: &'a [ParsedQuery], index: HashMap<&'a str, usize>, sequence: &[usize]) -> Uses<'a> {
        let mut uses = Uses { parsed, index, parameters: vec![BTreeSet::new(); parsed.len()] };
        for at in sequence {
            let Some(query) = parsed.get(*at) else { continue };
            let own = query.placeholders.iter().map(|placeholder| placeholder.name.value.clone());
            let inherited = query.references.iter().flat_map(|reference| {
                let names = reference.new_names();
                let below = uses.parameters_of(reference).into_iter().flatten();
                below.map(move |name| names.get(name).unwrap_or(name).clone())
            });
            let all: BTreeSet<String> = own.chain(inherited).collect();
            if let Some(place) = uses.parameters.get_mut(*at) {
                *place = all;
            }
        }
        uses
    }

    fn parameters_of(&self, reference: &Reference) -> Option<&BTreeSet<String>> {
        self.parameters.get(*self.index.get(reference.query.as_str())?)
    }

    /// Reports new names for parameters that do not exist.
    pub(super) fn check(&self, query: &ParsedQuery, sink: &mut Diagnostics) {
        for reference in &query.references {
            let Some(known) = self.parameters_of(reference) else { continue };
            for rename in reference.renames.iter().filter(|rename| !known.contains(&rename.parameter.value)) {
                let known = known.iter().map(String::as_str);
                sink.push(codes::unknown_parameter(
                    rename.parameter.span,
                    &rename.parameter.value,
                    &reference.query,
                    known,
                ));
            }
        }
    }

    /// What a query selects from, directly or not, each behind those that it selects from itself.
    pub(super) fn below(&self, query: &ParsedQuery, sink: &mut Diagnostics) -> Vec<Cow<'a, ParsedQuery>> {
        let mut parts = Vec::new();
        for reference in &query.references {
            self.add(reference, &NewNames::new(), None, &mut parts, sink);
        }
        let finished = parts.into_iter().map(|part: Part<'a>| {
            let Part { query, clause } = part;
            match clause {
                Some(clause) => {
                    let mut query = query.into_owned();
                    query.put_into_clause(clause);
                    Cow::Owned(query)
                }
                None => query,
            }
        });
        finished.collect()
    }

    /// Adds the query of a reference, whose new names are called otherwise where `names` say so.
    fn add(
        &self,
        reference: &Reference,
        names: &NewNames,
        clause: Option<Connective>,
        parts: &mut Vec<Part<'a>>,
        sink: &mut Diagnostics,
    ) {
        let Some(query) = self.index.get(reference.query.as_str()).and_then(|at| self.parsed.get(*at)) else { return };
        let names = self.names(reference, names);
        let clause = clause.or(reference.clause);
        let name = name_of_use(&query.name.value, &names);
        if let Some(known) = parts.iter_mut().find(|part| part.query.name.value == name) {
            // Used outside of a clause as well.
            known.clause = known.clause.and(clause);
            if clause.is_some() || known.clause.is_some() {
                return;
            }
        } else {
            let mut uses = HashMap::new();
            for below in &query.references {
                self.add(below, &names, clause, parts, sink);
                let new = name_of_use(&below.query, &self.names(below, &names));
                if new != below.name {
                    uses.insert(below.name.clone(), new);
                }
            }
            let part = if names.is_empty() && uses.is_empty() {
                Cow::Borrowed(query)
            } else {
                Cow::Owned(query.renamed(name, &names, &uses, sink))
            };
            parts.push(Part { query: part, clause });
            return;
        }
        for below in &query.references {
            self.add(below, &names, clause, parts, sink);
        }
    }

    /// The final names of the parameters of what is referred to, of those that are not called as they are there.
    fn names(&self, reference: &Reference, outer: &NewNames) -> NewNames {
        let own = reference.new_names();
        let finally = |name: &String| {
            let here = own.get(name).unwrap_or(name);
            let new = outer.get(here).unwrap_or(here);
            (new != name).then(|| (name.clone(), new.clone()))
        };
        self.parameters_of(reference).into_iter().flatten().filter_map(finally).collect()
    }
}

struct Part<'a> {
    query: Cow<'a, ParsedQuery>,
    /// Where every use of it stands in optional clauses, one of them.
    clause: Option<Connective>,
}
