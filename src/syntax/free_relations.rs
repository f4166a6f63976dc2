//! The tables that a statement reads, whatever its SQL: names in a FROM that are none of its own common table expressions.

use super::ast::joined_name;
use super::scopes::Scopes;
use sqlparser::ast::{Ident, ObjectName, ObjectNamePart, Query, SetExpr, Statement, TableFactor, Visit, Visitor};
use std::ops::ControlFlow;

/// The names, an occurrence each, as they are written. Functions that are selected from are none.
pub fn free_relations(statement: &Statement) -> Vec<ObjectName> {
    let mut walk = Walk { scopes: Scopes::default(), called: Vec::new(), found: Vec::new() };
    let _ = statement.visit(&mut walk);
    walk.found
}

struct Walk {
    scopes: Scopes,
    /// Functions that are selected from, whose names are visited next.
    called: Vec<ObjectName>,
    found: Vec<ObjectName>,
}

impl Visitor for Walk {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.scopes.enter(query);
        self.bare(&query.body);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.scopes.leave();
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, args: Some(_), .. } = factor {
            self.called.push(name.clone());
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        if self.called.last() == Some(relation) {
            self.called.pop();
        } else {
            self.relation(relation);
        }
        ControlFlow::Continue(())
    }
}

impl Walk {
    fn relation(&mut self, relation: &ObjectName) {
        let is_common = match relation.0.as_slice() {
            [ObjectNamePart::Identifier(_)] => {
                joined_name(relation).is_some_and(|name| self.scopes.common_table(&name).is_some())
            }
            _ => false,
        };
        if !is_common {
            self.found.push(relation.clone());
        }
    }

    /// `TABLE orders`, which is a query by itself.
    fn bare(&mut self, body: &SetExpr) {
        match body {
            SetExpr::Table(table) => {
                let parts = table.schema_name.iter().chain(&table.table_name);
                self.relation(&ObjectName(parts.map(|part| ObjectNamePart::Identifier(Ident::new(part))).collect()));
            }
            SetExpr::SetOperation { left, right, .. } => {
                self.bare(left);
                self.bare(right);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlparser::dialect::PostgreSqlDialect;
    use sqlparser::parser::Parser;

    fn read(sql: &str) -> Vec<String> {
        let statements = Parser::parse_sql(&PostgreSqlDialect {}, sql).unwrap();
        free_relations(&statements[0]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn tables_are_told_from_common_table_expressions() {
        assert_eq!(read("WITH a AS (SELECT * FROM b) SELECT * FROM a JOIN public.a ON true"), ["b", "public.a"]);
        // One that is not recursive does not see itself.
        assert_eq!(read("WITH orders AS (SELECT * FROM orders) SELECT * FROM orders"), ["orders"]);
        assert_eq!(read("WITH RECURSIVE o AS (SELECT 1 UNION ALL SELECT * FROM o) SELECT * FROM o"), [""; 0]);
        assert_eq!(
            read("SELECT (SELECT max(x) FROM c) FROM generate_series(1, 2) WHERE EXISTS (SELECT 1 FROM d)"),
            ["c", "d"]
        );
        assert_eq!(read("SELECT 1 UNION ALL TABLE orders"), ["orders"]);
        assert_eq!(read("SELECT * FROM (SELECT * FROM a) x, LATERAL (SELECT * FROM b) y"), ["a", "b"]);
    }
}
