//! Walks the statements and writes down what every place asks of types.
//!
//! Names are resolved as the planner resolves them, on the syntax tree, because the planner gives up at the first thing
//! it cannot type. What is not understood here asks for nothing: the planner has the last word on every statement.

mod beside;
mod call;
mod casts;
mod comparisons;
mod expr;
mod joins;
mod known_calls;
mod operators;
mod order;
mod parts;
mod query;
mod row_values;
mod window;
mod written_numbers;

use super::checked::{Check, Checked};
use super::constraint::{Cell, Constraint, Constraints, Strength, Term};
use super::evidence::beside_literal;
use super::functions::{self, Functions};
use super::scope::{Field, Scope};
use super::sides::{Beside, CastSide, Distance};
use super::{Context, Declaration};
use crate::source::Span;
use crate::syntax::link::{self, LinkedQuery};
use crate::syntax::{Placeholder, normalized};
use crate::ty::Type;
use arrow::datatypes::DataType;
use sqlparser::ast::{Expr, Ident, Statement};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What the walk brings back.
#[derive(Debug)]
pub(super) struct Collected {
    /// The cells and constraints.
    pub constraints: Constraints,
    /// The occurrences that are a number of rows, or a distance, and not below 0.
    pub row_counts: HashSet<usize>,
    /// The occurrences that stand in arithmetic, where text is never right.
    pub arithmetic: HashSet<usize>,
    /// The occurrences that bound a series of days or points in time, and nothing says which.
    pub series: HashSet<usize>,
    /// The occurrences that name one of these units of time.
    pub units: HashMap<usize, &'static [&'static str]>,
    /// The occurrences that are a share of all rows, from 0 to 1.
    pub shares: HashSet<usize>,
    /// The occurrences that are the position of a row, from 1.
    pub positions: HashSet<usize>,
    /// The occurrences that are the format that a time is written in.
    pub formats: HashSet<usize>,
    /// The cells beside something that refers to nothing.
    pub beside_wrong: HashSet<usize>,
    /// Columns that several relations have.
    pub ambiguous: Vec<(Span, String)>,
    /// Names in expressions of ORDER BY that are both a column of the result and one of a table.
    pub orders: Vec<(Span, String)>,
    /// Columns that do not exist, as far as this walk can tell.
    pub unknown: Vec<UnknownColumn>,
    /// Things of different kinds that may stand beside one another.
    pub beside: Vec<Beside>,
    /// What is cast to a point in time, and may be a number.
    pub casts: Vec<CastSide>,
    /// The distances of window frames.
    pub distances: Vec<Distance>,
}

/// A reference to a column that no relation in scope has.
#[derive(Debug, Clone)]
pub(super) struct UnknownColumn {
    /// Where it stands.
    pub span: Span,
    /// The column.
    pub name: String,
    /// What is written in front of it.
    pub qualifier: Option<String>,
    /// The relations that it was looked for in.
    pub relations: Vec<String>,
    /// The columns that there are.
    pub columns: Vec<String>,
    /// Whether a join has made it one with that of its other side.
    pub is_merged: bool,
}

/// Walks all statements of a linked query.
pub(super) fn collect(linked: &LinkedQuery<'_>, declarations: &[Declaration], context: Context<'_>) -> Collected {
    walk(linked, declarations, context, None).0
}

/// Walks them, and writes down everything that types have to fit.
pub(super) fn with_checks(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    context: Context<'_>,
) -> (Collected, Vec<Check>) {
    let (collected, checks) = walk(linked, declarations, context, Some(Vec::new()));
    (collected, checks.unwrap_or_default())
}

fn walk(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    context: Context<'_>,
    checks: Option<Vec<Check>>,
) -> (Collected, Option<Vec<Check>>) {
    let mut collector = Collector {
        context,
        functions: functions::all(),
        occurrences: &linked.occurrences,
        tables: Vec::new(),
        windows: Vec::new(),
        views: HashMap::new(),
        checks,
        found: Collected {
            constraints: Constraints { cells: cells(linked, declarations), list: Vec::new() },
            row_counts: HashSet::new(),
            arithmetic: HashSet::new(),
            series: HashSet::new(),
            units: HashMap::new(),
            shares: HashSet::new(),
            positions: HashSet::new(),
            formats: HashSet::new(),
            beside_wrong: HashSet::new(),
            ambiguous: Vec::new(),
            orders: Vec::new(),
            unknown: Vec::new(),
            beside: Vec::new(),
            casts: Vec::new(),
            distances: Vec::new(),
        },
    };
    for part in &linked.parts {
        if let Statement::Query(query) = &part.by_occurrence {
            let fields = collector.query(query, None);
            collector.views.insert(&part.query.name.value, fields);
        }
    }
    for rule in &linked.rules {
        if let Statement::Query(query) = &rule.by_occurrence {
            let holds = collector.query(query, None).into_iter().next().map(|field| field.term);
            if let Some(holds) = holds {
                collector.must_be(&holds, Type::Boolean);
            }
        }
    }
    (collector.found, collector.checks)
}

/// One cell an occurrence, with the type that is declared for its parameter.
fn cells(linked: &LinkedQuery<'_>, declarations: &[Declaration]) -> Vec<Cell> {
    let declared = |placeholder: &Placeholder| {
        let declaration = declarations.iter().find(|one| one.name == placeholder.name.value)?;
        let ty = &declaration.ty.as_ref()?.value;
        Some((item_of(ty, placeholder.list).to_arrow(), Strength::Use))
    };
    let cell = |(at, placeholder): (usize, &&Placeholder)| Cell {
        occurrence: Some(at),
        known: declared(placeholder),
        asks: Vec::new(),
    };
    linked.occurrences.iter().enumerate().map(cell).collect()
}

/// The type of one occurrence of a parameter: behind `IN` it stands for one item of its list.
pub(super) fn item_of(ty: &Type, list: bool) -> &Type {
    match ty {
        Type::List(item) if list => item,
        ty => ty,
    }
}

/// The walk. `'a` is the life of the catalog and of the statements.
struct Collector<'a> {
    context: Context<'a>,
    functions: &'static Functions,
    occurrences: &'a [&'a Placeholder],
    /// The common table expressions in sight, the innermost last.
    tables: Vec<(String, Vec<Field<'a>>)>,
    /// The windows with names in sight, and what their rows are ordered by at first.
    windows: Vec<(String, &'a Expr, Term)>,
    /// The columns of the queries that are selected from.
    views: HashMap<&'a str, Vec<Field<'a>>>,
    /// What types have to fit, where that is asked for.
    checks: Option<Vec<Check>>,
    found: Collected,
}

impl Collector<'_> {
    fn ask(&mut self, term: &Term, ty: Type, strength: Strength) {
        self.found.constraints.ask(term, ty, strength);
    }

    /// Asks a term to be of a type, as a matter of fact.
    fn must_be(&mut self, term: &Term, ty: Type) {
        self.ask(term, ty, Strength::Use);
    }

    fn alike(&mut self, what: &'static str, terms: impl IntoIterator<Item = Term>) {
        let mut terms: Vec<Term> = terms.into_iter().collect();
        self.mark_beside_wrong(&terms);
        terms.retain(|term| !matches!(term, Term::Unknown | Term::Wrong));
        leave_out_misfits(&mut terms);
        let any_open = terms.iter().any(|term| matches!(term, Term::Open(_)));
        if any_open && terms.len() > 1 {
            self.found.constraints.list.push(Constraint::Alike { what, terms });
        }
    }

    /// Writes down what the types at a place have to fit.
    fn check(&mut self, at: &impl sqlparser::ast::Spanned, what: impl FnOnce() -> Checked) {
        if self.checks.is_none() {
            return;
        }
        let span = at.span();
        let (start, end) = ((span.start.line, span.start.column), (span.end.line, span.end.column));
        let place = link::place(self.context.sources, start, end);
        if let (Some(span), Some(checks)) = (place, &mut self.checks) {
            checks.push(Check { span, what: what() });
        }
    }

    /// Notes the cells among terms of which another is wrong by itself.
    fn mark_beside_wrong(&mut self, terms: &[Term]) {
        let is_wrong = |term: &Term| match term {
            Term::Wrong => true,
            Term::Open(cell) => self.found.beside_wrong.contains(cell),
            _ => false,
        };
        if terms.iter().any(is_wrong) {
            let open = terms.iter().filter_map(|term| match term {
                Term::Open(cell) => Some(*cell),
                _ => None,
            });
            self.found.beside_wrong.extend(open);
        }
    }

    /// The term that alternatives merge into.
    fn merged(&mut self, what: &'static str, terms: Vec<Term>) -> Term {
        if terms.iter().any(|term| matches!(term, Term::Open(_))) {
            let result = Term::Open(self.found.constraints.cell());
            self.alike(what, terms.into_iter().chain([result.clone()]));
            return result;
        }
        let constant = terms.iter().all(|term| matches!(term, Term::Constant(_)));
        let types: Option<Vec<DataType>> = terms.iter().map(|term| term.ground().cloned()).collect();
        match types.and_then(|types| super::signature::merged(&types)) {
            Some(ty) if constant => Term::Constant(ty),
            Some(ty) => Term::Typed(ty),
            None => Term::Unknown,
        }
    }

    /// The type of a term, declared or its own.
    fn known(&self, term: &Term) -> Option<DataType> {
        match term {
            Term::Open(cell) => self.found.constraints.cells.get(*cell)?.known.as_ref().map(|(ty, _)| ty.clone()),
            term => term.ground().cloned(),
        }
    }

    /// The occurrence that a term is, where it is a bare placeholder.
    fn occurrence(&self, term: &Term) -> Option<usize> {
        match term {
            Term::Open(cell) => self.found.constraints.cells.get(*cell)?.occurrence,
            _ => None,
        }
    }

    fn place(&self, start: &Ident, end: &Ident) -> Option<Span> {
        let (start, end) = (start.span.start, end.span.end);
        link::place(self.context.sources, (start.line, start.column), (end.line, end.column))
    }

    /// Notes a column that no relation has.
    fn unknown(&mut self, path: &[Ident], scope: &Scope<'_, '_>) {
        let (Some(first), Some(last)) = (path.first(), path.last()) else { return };
        let qualifier = match path {
            [table, _] => Some(normalized(table)),
            _ => None,
        };
        let Some(span) = self.place(first, last) else { return };
        let candidates = scope.candidates(qualifier.as_deref());
        let columns: Vec<String> =
            candidates.iter().flat_map(|relation| &relation.fields).map(|field| field.name.to_string()).collect();
        let relations = candidates.iter().filter_map(|relation| relation.qualifier.as_deref().map(str::to_owned));
        let relations = relations.collect();
        let name = normalized(last);
        let is_merged = qualifier.as_deref().is_some_and(|table| scope.is_gone(table, &name));
        self.found.unknown.push(UnknownColumn { span, name, qualifier, relations, columns, is_merged });
    }
}

/// Takes away the constants that do not go with a column beside them: those are wrong by themselves, and the column
/// decides.
fn leave_out_misfits(terms: &mut Vec<Term>) {
    let of_column = |term: &Term| match term {
        Term::Typed(ty) => Type::from_arrow(ty),
        _ => None,
    };
    let Some(column) = terms.iter().find_map(of_column) else { return };
    terms.retain(|term| match term {
        Term::Constant(ty) => Type::from_arrow(ty).is_none_or(|ty| beside_literal(&column, &ty).is_some()),
        _ => true,
    });
}

/// A column of a name.
fn field<'a>(name: impl Into<Cow<'a, str>>, term: Term) -> Field<'a> {
    Field { name: name.into(), term }
}
