//! The queries that a query selects from, each under the names that it gives to their parameters.

use crate::diagnostic::codes::Connective;
use crate::diagnostic::{Diagnostics, codes};
use crate::syntax::{NewNames, ParsedQuery, Reference, name_of_use};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// All queries of a project, and the names of the parameters of those that others may select from.
pub(super) struct Uses<'a> {
    parsed: &'a [Arc<ParsedQuery>],
    /// By the names that queries are selected from by.
    index: HashMap<&'a str, usize>,
    /// By query: its parameters with those that it inherits, once they are known.
    parameters: Vec<BTreeSet<String>>,
}

impl<'a> Uses<'a> {
    pub(super) fn new(parsed: &'a [Arc<ParsedQuery>], index: HashMap<&'a str, usize>) -> Uses<'a> {
        Uses { parsed, index, parameters: vec![BTreeSet::new(); parsed.len()] }
    }

    /// From now on, others may select from that query. Those that it selects from itself were learned before. What
    /// selects from too many is never learned: a long chain would inherit the more, the longer it is.
    pub(super) fn learn_parameters(&mut self, at: usize) {
        let Some(query) = self.parsed.get(at) else { return };
        let own = query.placeholders.iter().map(|placeholder| placeholder.name.value.clone());
        let inherited = query.references.iter().flat_map(|reference| {
            let names = reference.new_names();
            let below = self.parameters_of(reference).into_iter().flatten();
            below.map(move |name| names.get(name).unwrap_or(name).clone())
        });
        let all: BTreeSet<String> = own.chain(inherited).collect();
        if let Some(place) = self.parameters.get_mut(at) {
            *place = all;
        }
    }

    fn parameters_of(&self, reference: &Reference) -> Option<&BTreeSet<String>> {
        self.parameters.get(*self.index.get(reference.query.as_str())?)
    }

    /// Reports new names for parameters that do not exist.
    pub(super) fn check(&self, query: &ParsedQuery, sink: &mut Diagnostics) {
        for reference in &query.references {
            let Some(known) = self.parameters_of(reference) else { continue };
            let named = reference.renames.iter().map(|rename| &rename.parameter);
            let given = reference.given.iter().map(|given| &given.parameter);
            for parameter in named.chain(given).filter(|parameter| !known.contains(&parameter.value)) {
                let known = known.iter().map(String::as_str);
                sink.push(codes::unknown_parameter(parameter.span, &parameter.value, &reference.query, known));
            }
            let is_program = self.used(reference).is_some_and(|used| used.manifest.is_some());
            if let Some(given) = reference.given.first().filter(|_| !is_program) {
                let why =
                    "a value behind `=>` is for programs alone: a query takes the name of a parameter, `<< name >>`";
                sink.push(codes::invalid_query(given.place, why));
            }
        }
    }

    /// What a query selects from, directly or not, each behind those that it selects from itself.
    pub(super) fn below(&self, query: &ParsedQuery, sink: &mut Diagnostics) -> Vec<Arc<ParsedQuery>> {
        let mut parts = Parts::default();
        for reference in &query.references {
            self.add(reference, &NewNames::new(), None, &mut parts, sink);
        }
        let finished = parts.all.into_iter().map(|Part { query, clause }| match clause {
            Some(clause) => {
                let mut query = Arc::unwrap_or_clone(query);
                query.put_into_clause(clause);
                Arc::new(query)
            }
            None => query,
        });
        finished.collect()
    }

    fn used(&self, reference: &Reference) -> Option<&'a Arc<ParsedQuery>> {
        self.parsed.get(*self.index.get(reference.query.as_str())?)
    }

    /// Adds the query of a reference, whose new names are called otherwise where `names` say so.
    fn add(
        &self,
        reference: &Reference,
        names: &NewNames,
        clause: Option<Connective>,
        parts: &mut Parts,
        sink: &mut Diagnostics,
    ) {
        let Some(query) = self.used(reference) else { return };
        let names = self.names(reference, names);
        let clause = clause.or(reference.clause);
        let name = name_of_use(&query.name.value, &names, &reference.given);
        if let Some(known) = parts.get_mut(&name) {
            let was_in_clauses = known.clause.is_some();
            known.clause = known.clause.and(clause);
            if !was_in_clauses || known.clause.is_some() {
                return;
            }
            // Used outside of a clause as well, and so is what it selects from.
            for below in &query.references {
                self.add(below, &names, clause, parts, sink);
            }
            return;
        }
        let mut uses = HashMap::new();
        for below in &query.references {
            self.add(below, &names, clause, parts, sink);
            let new = name_of_use(&below.query, &self.names(below, &names), &below.given);
            if new != below.name {
                uses.insert(below.name.clone(), new);
            }
        }
        let query = if query.manifest.is_some() {
            let used = query.renamed(name.clone(), &names, &uses, sink);
            Arc::new(used.as_relation(&query.name.value, &names, &reference.given))
        } else if names.is_empty() && uses.is_empty() {
            Arc::clone(query)
        } else {
            Arc::new(query.renamed(name.clone(), &names, &uses, sink))
        };
        parts.push(name, Part { query, clause });
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

struct Part {
    query: Arc<ParsedQuery>,
    /// Where every use of it stands in optional clauses, one of them.
    clause: Option<Connective>,
}

/// Parts in their order, each name once.
#[derive(Default)]
struct Parts {
    all: Vec<Part>,
    by_name: HashMap<String, usize>,
}

impl Parts {
    fn get_mut(&mut self, name: &str) -> Option<&mut Part> {
        self.all.get_mut(*self.by_name.get(name)?)
    }

    fn push(&mut self, name: String, part: Part) {
        self.by_name.insert(name, self.all.len());
        self.all.push(part);
    }
}
