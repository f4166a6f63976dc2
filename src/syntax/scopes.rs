//! Which common table expression a name in a FROM means: the innermost one in sight.

use super::ast::normalized;
use sqlparser::ast::Query;

/// The queries that are open, the outermost first.
#[derive(Default)]
pub(crate) struct Scopes {
    open: Vec<Scope>,
}

/// The common table expressions of one query.
struct Scope {
    /// Their names and bodies, in order. The address of a body tells it apart; it is never followed.
    tables: Vec<(String, *const Query)>,
    recursive: bool,
    /// Which of the surrounding query's expressions this query is the body of: it sees only those before it, and itself
    /// where they are recursive.
    within: Option<usize>,
    /// The innermost common table expression that this query is the body of, or stands in the body of.
    body: Option<*const Query>,
}

impl Scopes {
    /// Enters a query.
    pub(crate) fn enter(&mut self, query: &Query) {
        let scope = Scope::of(query, self.open.last());
        self.open.push(scope);
    }

    /// Leaves the query that was entered last.
    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }

    /// Whether the query that was entered last is the body of a common table expression.
    pub(crate) fn is_body(&self) -> bool {
        self.open.last().is_some_and(|scope| scope.within.is_some())
    }

    /// The innermost common table expression that is open: the address of its body.
    pub(crate) fn body(&self) -> Option<*const Query> {
        self.open.last().and_then(|scope| scope.body)
    }

    /// The common table expression that the innermost scope with the name has: the address of its body.
    pub(crate) fn common_table(&self, name: &str) -> Option<*const Query> {
        let mut visible = usize::MAX;
        for (at, scope) in self.open.iter().enumerate().rev() {
            if let Some((_, body)) = scope.tables.iter().take(visible).find(|(known, _)| known == name) {
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
    fn of(query: &Query, around: Option<&Scope>) -> Scope {
        let body_of = |table: &(String, *const Query)| std::ptr::eq(table.1, query);
        let within = around.and_then(|around| around.tables.iter().position(body_of));
        let body = match within {
            Some(_) => Some(std::ptr::from_ref(query)),
            None => around.and_then(|around| around.body),
        };
        let with = query.with.iter();
        Scope {
            recursive: with.clone().any(|with| with.recursive),
            tables: with
                .flat_map(|with| &with.cte_tables)
                .map(|table| (normalized(&table.alias.name), std::ptr::from_ref(table.query.as_ref())))
                .collect(),
            within,
            body,
        }
    }
}
