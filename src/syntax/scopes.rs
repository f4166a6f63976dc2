//! Which common table expression a name in a FROM means: the innermost one in sight.

use super::ast::normalized;
use sqlparser::ast::Query;

/// The queries that are open, the outermost first. Each is known by its number, in the order in which they are entered.
#[derive(Default)]
pub(crate) struct Scopes {
    open: Vec<Scope>,
    entered: usize,
}

/// The common table expressions of one query.
struct Scope {
    /// Their names, in order.
    names: Vec<String>,
    /// The numbers of their bodies, as far as they were entered. A query's syntax tree has them before all else, so that
    /// the first queries inside of it are these.
    bodies: Vec<usize>,
    recursive: bool,
    /// Which of the surrounding query's expressions this query is the body of: it sees only those before it, and itself
    /// where they are recursive.
    within: Option<usize>,
    /// The innermost common table expression that this query is the body of, or stands in the body of.
    body: Option<usize>,
}

impl Scopes {
    /// Enters a query.
    pub(crate) fn enter(&mut self, query: &Query) {
        let number = self.entered;
        self.entered += 1;
        let around = self.open.last_mut();
        let outer = around.as_ref().and_then(|around| around.body);
        let within = around.and_then(|around| around.next_body(number));
        let with = query.with.iter();
        self.open.push(Scope {
            recursive: with.clone().any(|with| with.recursive),
            names: with.flat_map(|with| &with.cte_tables).map(|table| normalized(&table.alias.name)).collect(),
            bodies: Vec::new(),
            within,
            body: within.map(|_| number).or(outer),
        });
    }

    /// Leaves the query that was entered last.
    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }

    /// The innermost common table expression that is open: the number of its body.
    pub(crate) fn body(&self) -> Option<usize> {
        self.open.last().and_then(|scope| scope.body)
    }

    /// The common table expression that the innermost scope with the name has: the number of its body.
    pub(crate) fn common_table(&self, name: &str) -> Option<usize> {
        let mut visible = usize::MAX;
        for (at, scope) in self.open.iter().enumerate().rev() {
            let known = scope.names.iter().zip(&scope.bodies).take(visible);
            if let Some((_, body)) = known.into_iter().find(|(known, _)| *known == name) {
                return Some(*body);
            }
            let around = at.checked_sub(1).and_then(|below| self.open.get(below));
            let itself = usize::from(around.is_some_and(|around| around.recursive));
            visible = scope.within.map_or(usize::MAX, |within| within + itself);
        }
        None
    }
}

impl Scope {
    /// Takes a query for the next body, if one is still to come; its position.
    fn next_body(&mut self, number: usize) -> Option<usize> {
        let at = self.bodies.len();
        (at < self.names.len()).then(|| {
            self.bodies.push(number);
            at
        })
    }
}
