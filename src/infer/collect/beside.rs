//! Notes where a text stands beside a number or a point in time, or a number beside a point in time: the engine compares
//! them, reads the text of every row as what it stands beside, and a number as days since 1970.

use super::Collector;
use super::call::value_of;
use super::parts::element_type;
use crate::infer::constraint::Term;
use crate::infer::sides::{Beside, CastSide, Distance, Kind, Side, Written, is_text, kind, records_clash};
use crate::infer::signature::Callee;
use arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use sqlparser::ast::{Expr, SelectItem, SetExpr, Spanned, UnaryOperator, Value, ValueWithSpan};
use sqlparser::tokenizer::Span;

impl Collector<'_> {
    /// Notes expressions that become one type: compared, or alternatives.
    pub(super) fn beside<'e>(&mut self, what: &'static str, exprs: impl IntoIterator<Item = &'e Expr>, terms: &[Term]) {
        if may_differ(terms) {
            let side =
                |(expr, term): (&Expr, &Term)| Side { term: term.clone(), place: expr.span(), written: written(expr) };
            let sides = exprs.into_iter().zip(terms).map(side).collect();
            self.found.beside.push(Beside { what: what.to_owned(), sides });
        }
    }

    /// Notes things that have a place and are no expressions.
    pub(super) fn beside_at(&mut self, what: &'static str, places: [Span; 2], terms: [&Term; 2]) {
        if may_differ(&terms.map(Term::clone)) {
            let side = |(place, term): (Span, &Term)| Side { term: term.clone(), place, written: Written::Otherwise };
            let sides = places.into_iter().zip(terms).map(side).collect();
            self.found.beside.push(Beside { what: what.to_owned(), sides });
        }
    }

    /// Notes a column of two queries that are put together.
    pub(super) fn beside_column(&mut self, what: &'static str, at: usize, sides: [(&SetExpr, &Term); 2]) {
        if may_differ(&sides.map(|(_, term)| term.clone())) {
            let side = |(query, term): (&SetExpr, &Term)| {
                let (place, written) = match item(query, at) {
                    Some(expr) => (expr.span(), written(expr)),
                    None => (query.span(), Written::Otherwise),
                };
                // A text in quotes is read as what it stands beside here as well, though it is a column.
                let term = match (&written, term) {
                    (Written::Text(_), Term::Typed(ty)) => Term::Constant(ty.clone()),
                    _ => term.clone(),
                };
                Side { term, place, written }
            };
            let sides = sides.map(side).into();
            self.found.beside.push(Beside { what: what.to_owned(), sides });
        }
    }

    /// Notes a value that is looked for among the items of a list.
    pub(super) fn beside_items(&mut self, what: &'static str, value: (&Expr, &Term), list: (&Expr, &Term)) {
        let Some(item) = list.1.ground().and_then(element_type).map(Term::Typed) else { return };
        if may_differ(&[value.1.clone(), item.clone()]) {
            let value = Side { term: value.1.clone(), place: value.0.span(), written: written(value.0) };
            let list = Side { term: item, place: list.0.span(), written: Written::Items };
            self.found.beside.push(Beside { what: what.to_owned(), sides: vec![value, list] });
        }
    }

    /// Notes what a function gives where there is no row, which is made what it gives otherwise.
    pub(super) fn beside_default(&mut self, what: &'static str, value: (&Expr, &Term), default: (&Expr, &Term)) {
        let side =
            |(expr, term): (&Expr, &Term)| Side { term: term.clone(), place: expr.span(), written: written(expr) };
        self.found.beside.push(Beside { what: what.to_owned(), sides: vec![side(value), side(default)] });
    }

    /// Notes what is cast to a point in time, and may be a number.
    pub(super) fn cast_side(&mut self, (expr, term): (&Expr, &Term), to: &DataType) {
        let may_be_wrong = term.ground().is_none_or(|ty| matches!(kind(ty), Some(Kind::Number | Kind::Boolean)));
        if may_be_wrong && matches!(kind(to), Some(Kind::Moment | Kind::Time)) {
            let side = Side { term: term.clone(), place: expr.span(), written: written(expr) };
            self.found.casts.push(CastSide { side, to: to.clone() });
        }
    }

    /// Notes a distance between the values that rows are ordered by.
    pub(super) fn distance(&mut self, order: (&Expr, &Term), bound: (&Expr, &Term)) {
        let side =
            |(expr, term): (&Expr, &Term)| Side { term: term.clone(), place: expr.span(), written: written(expr) };
        // The parser takes a text there for an interval: it is one only with a unit.
        let text = Term::Constant(DataType::Utf8);
        let bound = match bound.0 {
            Expr::Interval(span) if span.leading_field.is_none() => (span.value.as_ref(), &text),
            _ => bound,
        };
        self.found.distances.push(Distance { order: side(order), bound: side(bound) });
    }

    /// Notes texts that a function takes as numbers.
    pub(super) fn beside_numbers(&mut self, callee: &Callee, terms: &[Term], args: &[&Expr]) {
        let is_row_text = |term: &Term| matches!(term, Term::Typed(ty) if is_text(ty));
        // What is looked for in a list is looked at beside its items.
        if callee.name() == "array_has" || !terms.iter().any(is_row_text) {
            return;
        }
        let Some(types) = terms.iter().map(|term| term.ground().cloned()).collect::<Option<Vec<_>>>() else { return };
        for ((term, arg), to) in terms.iter().zip(args).zip(callee.coerced(&types).unwrap_or_default()) {
            if is_row_text(term) && to.data_type().is_numeric() {
                let number = Term::Typed(to.data_type().clone());
                let sides = [(term.clone(), written(arg)), (number, Written::Otherwise)];
                let side = |(term, written)| Side { term, place: arg.span(), written };
                let what = format!("`{}`", callee.name());
                self.found.beside.push(Beside { what, sides: sides.map(side).into() });
            }
        }
    }
}

/// Whether values of different kinds may be among the terms. Constants count: some are wrong.
fn may_differ(terms: &[Term]) -> bool {
    let mut known = terms.iter().filter_map(Term::ground);
    if terms.iter().any(|term| matches!(term, Term::Open(_))) {
        return known.next().is_some();
    }
    let types: Vec<&DataType> = known.collect();
    let mut kinds = types.iter().filter_map(|ty| kind(ty));
    let first = kinds.next();
    first.is_some_and(|first| kinds.any(|kind| kind != first))
        || types.split_first().is_some_and(|(first, others)| others.iter().any(|other| records_clash(first, other)))
}

/// What is written for a column of a query, in the last of its parts that tells a type.
fn item(query: &SetExpr, at: usize) -> Option<&Expr> {
    match query {
        SetExpr::Select(select) => {
            let mut found = None;
            for item in select.projection.get(..=at)? {
                found = match item {
                    SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
                    // It has as many columns as there are.
                    _ => return None,
                };
            }
            found
        }
        SetExpr::Query(query) => item(&query.body, at),
        SetExpr::SetOperation { left, right, .. } => {
            let is_null = |expr: &&Expr| matches!(expr, Expr::Value(ValueWithSpan { value: Value::Null, .. }));
            item(right, at).filter(|expr| !is_null(expr)).or_else(|| item(left, at))
        }
        _ => None,
    }
}

/// What an expression is to somebody who writes another one in its place.
fn written(expr: &Expr) -> Written {
    match expr {
        Expr::Nested(inner) => written(inner),
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => Written::Column,
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match expr.as_ref() {
            Expr::Value(ValueWithSpan { value: Value::Number(digits, _), .. }) => Written::Number(format!("-{digits}")),
            _ => Written::Otherwise,
        },
        Expr::Value(ValueWithSpan { value: Value::Number(digits, _), .. }) => Written::Number(digits.clone()),
        Expr::Value(_) => match value_of(expr) {
            Some(ScalarValue::Utf8(Some(text))) => Written::Text(text),
            _ => Written::Otherwise,
        },
        _ => Written::Otherwise,
    }
}
