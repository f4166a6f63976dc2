//! Fields of the parameter of a function in a query: `list_transform(lines, x -> x.qty)`.
//!
//! The planner takes the first of two names for a table, and finds none. In brackets, `x['qty']`, it is a field.

use super::ast::normalized;
use sqlparser::ast::{AccessExpr, Expr, Ident, LambdaFunction, Subscript, Value, VisitMut, VisitorMut};
use std::ops::ControlFlow;

/// Writes the fields of a function's parameters in brackets.
pub(super) fn by_name(lambda: &mut LambdaFunction) {
    let parameters = lambda.params.iter().map(|parameter| normalized(&parameter.name)).collect();
    let _ = VisitMut::visit(lambda.body.as_mut(), &mut Fields(parameters));
}

struct Fields(Vec<String>);

impl VisitorMut for Fields {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            Expr::CompoundIdentifier(path) => {
                if let [parameter, fields @ ..] = path.as_slice()
                    && self.0.contains(&normalized(parameter))
                    && !fields.is_empty()
                {
                    let root = Box::new(Expr::Identifier(parameter.clone()));
                    *expr = Expr::CompoundFieldAccess { root, access_chain: fields.iter().map(in_brackets).collect() };
                }
            }
            Expr::CompoundFieldAccess { root, access_chain } => {
                if matches!(root.as_ref(), Expr::Identifier(name) if self.0.contains(&normalized(name))) {
                    for access in access_chain {
                        if let AccessExpr::Dot(Expr::Identifier(field)) = access {
                            *access = in_brackets(field);
                        }
                    }
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// `['field']`
fn in_brackets(field: &Ident) -> AccessExpr {
    let name = Value::SingleQuotedString(normalized(field)).with_span(field.span);
    AccessExpr::Subscript(Subscript::Index { index: Expr::Value(name) })
}

#[cfg(test)]
mod tests {
    use crate::syntax::link::parse_text;

    #[track_caller]
    fn becomes(text: &str, form: &str) {
        let statement = parse_text(&format!("SELECT {text}"), &|_| None).unwrap();
        assert_eq!(statement.to_string(), format!("SELECT {form}"), "{text}");
    }

    #[test]
    fn fields_of_parameters_are_in_brackets() {
        becomes("list_transform(xs, x -> x.qty * 2)", "list_transform(xs, x -> x['qty'] * 2)");
        becomes("list_transform(xs, X -> x.A.\"B\")", "list_transform(xs, X -> x['a']['B'])");
        becomes("list_transform(xs, x -> x.tags[1])", "list_transform(xs, x -> x['tags'][1])");
        becomes(
            "list_transform(xs, x -> list_filter(x.ys, y -> y.n > x.n AND t.n > 1))",
            "list_transform(xs, x -> list_filter(x['ys'], y -> y['n'] > x['n'] AND t.n > 1))",
        );
        becomes("list_transform(xs, x -> x + 1)", "list_transform(xs, x -> x + 1)");
    }
}
