//! Comparisons: what is on their sides is of one type.

use super::Collector;
use super::expr::BOOLEAN;
use super::row_values::{by_position, placeholder, record_parts};
use super::written_numbers::exact_beside_decimals;
use crate::infer::checked::Checked;
use crate::infer::constraint::Term;
use crate::infer::scope::Scope;
use crate::ty::Type;
use arrow::datatypes::DataType;
use sqlparser::ast::{BinaryOperator, Expr, Query, Spanned};

impl<'a> Collector<'a> {
    /// `a = b` and its like, where the operator is one; also of rows.
    pub(super) fn comparison<'s>(
        &mut self,
        whole: &'a Expr,
        (left, what, right): (&'a Expr, &'static str, &'a Expr),
        scope: &'s Scope<'s, 'a>,
    ) -> Term {
        match by_position([left, right]) {
            Some(columns) => self.rows(what, columns, scope),
            None => self.compared(what, whole, &[left, right], scope),
        }
        BOOLEAN
    }

    /// Values that are compared, each with all others.
    pub(super) fn compared<'s>(
        &mut self,
        what: &'static str,
        whole: &'a Expr,
        values: &[&'a Expr],
        scope: &'s Scope<'s, 'a>,
    ) {
        let terms: Vec<Term> = values.iter().map(|value| self.expr(value, scope)).collect();
        self.beside(what, values.iter().copied(), &terms);
        self.fields_alike(what, values, &terms);
        self.told_alike(what, whole, terms);
    }

    /// Records that are compared with what a record is made of: the placeholders in it are alike the other's fields.
    fn fields_alike(&mut self, what: &'static str, values: &[&Expr], terms: &[Term]) {
        for (at, value) in values.iter().enumerate() {
            let Some(parts) = record_parts(value) else { continue };
            let is_record = |(_, term): &(usize, &Term)| matches!(term.ground(), Some(DataType::Struct(_)));
            let other = terms.iter().enumerate().filter(|(other, _)| *other != at).find(is_record);
            let Some(DataType::Struct(fields)) = other.and_then(|(_, term)| term.ground()).cloned() else { continue };
            for ((name, part), field) in parts.iter().zip(fields.iter()) {
                let named = name.as_ref().and_then(|name| fields.iter().find(|field| field.name() == name));
                let ty = named.unwrap_or(field).data_type().clone();
                if let Some(cell) = placeholder(part).filter(|at| *at < self.occurrences.len()) {
                    self.alike(what, [Term::Open(cell), Term::Typed(ty)]);
                }
            }
        }
    }

    fn told_alike(&mut self, what: &'static str, whole: &Expr, terms: Vec<Term>) {
        self.check(whole, || Checked::Alike(what, terms.clone()));
        self.alike(what, terms);
    }

    /// Rows that are compared: the items at each position.
    fn rows<'s>(&mut self, what: &'static str, columns: Vec<Vec<&'a Expr>>, scope: &'s Scope<'s, 'a>) {
        for column in columns {
            let terms: Vec<Term> = column.iter().map(|item| self.expr(item, scope)).collect();
            self.beside(what, column, &terms);
            self.alike(what, terms);
        }
    }

    /// `a IN (1, 2)`, also of rows.
    pub(super) fn in_list<'s>(
        &mut self,
        whole: &'a Expr,
        (value, list): (&'a Expr, &'a [Expr]),
        scope: &'s Scope<'s, 'a>,
    ) {
        let all = || std::iter::once(value).chain(list);
        match by_position(all()) {
            Some(columns) => self.rows("IN", columns, scope),
            None => self.compared("IN", whole, &all().collect::<Vec<_>>(), scope),
        }
    }

    /// `a IN (SELECT …)`.
    pub(super) fn in_subquery<'s>(
        &mut self,
        whole: &Expr,
        (value, query): (&'a Expr, &'a Query),
        scope: &'s Scope<'s, 'a>,
    ) {
        let left = self.expr(value, scope);
        let fields = self.query(query, Some(scope));
        let (columns, is_row) = (fields.len(), by_position([value]).is_some_and(|items| items.len() > 1));
        self.check(query, || if is_row && columns > 1 { Checked::RowInQuery } else { Checked::Columns(columns) });
        let terms = [left, fields.into_iter().next().map_or(Term::Unknown, |field| field.term)];
        self.beside_at("IN", [value.span(), query.span()], terms.each_ref());
        self.told_alike("IN", whole, terms.into());
    }

    /// `a = ANY (…)` and `a = ALL (…)`, of a list or a subquery.
    pub(super) fn any_or_all<'s>(&mut self, value: &'a Expr, items: &'a Expr, scope: &'s Scope<'s, 'a>) {
        let left = self.expr(value, scope);
        match items {
            Expr::Subquery(subquery) => {
                let column = self.subquery(subquery, scope);
                self.beside_at("ANY", [value.span(), subquery.span()], [&left, &column]);
                self.alike("ANY", [left, column]);
            }
            items => {
                let list = self.expr(items, scope);
                self.beside_items("ANY", (value, &left), (items, &list));
                self.element(list, left);
            }
        }
    }

    /// Texts that are matched with patterns, and the patterns.
    pub(super) fn matched<'s>(&mut self, sides: [&'a Expr; 2], scope: &'s Scope<'s, 'a>) -> Term {
        let terms = sides.map(|side| self.expr(side, scope));
        for (side, term) in sides.into_iter().zip(terms) {
            self.must_be(&term, Type::Text);
            self.check(side, || Checked::Matched(term));
        }
        BOOLEAN
    }

    /// `CASE a WHEN 1 THEN … END` and `CASE WHEN a = 1 THEN … END`.
    pub(super) fn case<'s>(&mut self, whole: &'a Expr, scope: &'s Scope<'s, 'a>) -> Term {
        let Expr::Case { operand, conditions, else_result, .. } = whole else { return Term::Unknown };
        match operand {
            Some(operand) => {
                let mut terms = vec![self.expr(operand, scope)];
                terms.extend(conditions.iter().map(|when| self.expr(&when.condition, scope)));
                let whens = conditions.iter().map(|when| &when.condition);
                self.beside("CASE … WHEN", std::iter::once(operand.as_ref()).chain(whens), &terms);
                self.alike("CASE … WHEN", terms);
            }
            None => {
                for when in conditions {
                    self.condition(&when.condition, scope);
                }
            }
        }
        let branches = || conditions.iter().map(|when| &when.result).chain(else_result.as_deref());
        let mut results: Vec<Term> = branches().map(|result| self.expr(result, scope)).collect();
        exact_beside_decimals(branches(), &mut results);
        self.beside("CASE", branches(), &results);
        self.check(whole, || Checked::Alike("CASE", results.clone()));
        self.merged("CASE", results)
    }
}

/// How an operator that compares is called.
pub(super) fn comparison(op: &BinaryOperator) -> Option<&'static str> {
    use BinaryOperator as Op;
    Some(match op {
        Op::Eq => "=",
        Op::NotEq => "<>",
        Op::Lt => "<",
        Op::LtEq => "<=",
        Op::Gt => ">",
        Op::GtEq => ">=",
        Op::Spaceship => "<=>",
        _ => return None,
    })
}
