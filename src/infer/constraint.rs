//! What the places of a query ask of types: terms, cells, and the constraints between them.
//!
//! A term that depends on no parameter has its type already; one that does is a cell, whose type is found by solving.

use crate::syntax::Placeholder;
use crate::ty::Type;
use arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use sqlparser::ast::BinaryOperator;
use std::fmt::{self, Write};

use super::signature::Callee;

/// The number of a cell.
pub(super) type CellId = usize;

/// What is known of an expression's type.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    /// It has this type, whatever the parameters are.
    Typed(DataType),
    /// It is made of constants only.
    Constant(DataType),
    /// It depends on parameters.
    Open(CellId),
    /// Nothing can be said.
    Unknown,
    /// It refers to nothing, which is reported by itself.
    Wrong,
}

impl Term {
    /// The type of a term that needs no solving.
    pub(super) fn ground(&self) -> Option<&DataType> {
        match self {
            Term::Typed(ty) | Term::Constant(ty) => Some(ty),
            Term::Open(_) | Term::Unknown | Term::Wrong => None,
        }
    }

    /// The same term seen from a place where it no longer counts as a constant.
    pub(super) fn as_column(&self) -> Term {
        match self {
            Term::Constant(ty) => Term::Typed(ty.clone()),
            other => other.clone(),
        }
    }
}

/// How much a piece of evidence counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// One of several types that would do.
    Guess,
    /// The target of a cast: anything that can be cast would do.
    Cast,
    /// What is meant unless somebody says otherwise: an interval beside a date.
    Likely,
    /// Constants only.
    Literal,
    /// Something that has its type by itself: a column, a signature, a condition.
    Use,
}

/// One piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ask {
    /// The type.
    pub ty: Type,
    /// How much it counts.
    pub strength: Strength,
}

/// A term whose type depends on parameters.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    /// The occurrence that it is, where it is a bare placeholder.
    pub occurrence: Option<usize>,
    /// Its type where that does not come from its place: declared, told by another occurrence, or computed; and how much
    /// that counts for others. What is computed with a constant counts as little as that.
    pub known: Option<(DataType, Strength)>,
    /// What its place asks for.
    pub asks: Vec<Ask>,
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub(super) struct Argument {
    /// Its type.
    pub term: Term,
    /// Its value, where it is a literal: some results depend on it.
    pub value: Option<ScalarValue>,
}

/// What must hold between terms.
#[derive(Debug, Clone)]
pub(super) enum Constraint {
    /// All are of one type: they are compared, merged or alternatives. `what` says how, for people.
    Alike { what: &'static str, terms: Vec<Term> },
    /// `left op right` is `result`. `exact`: the decimal that the side made of constants is beside a decimal.
    Arithmetic { op: BinaryOperator, left: Term, right: Term, exact: Option<DataType>, result: CellId },
    /// `left || right` is `result`: texts or lists.
    Concat { left: Term, right: Term, result: CellId },
    /// `item` is an element of `list`.
    Element { list: Term, item: Term },
    /// A function of these arguments gives `result`.
    Call { callee: Callee, arguments: Vec<Argument>, result: CellId },
}

impl Constraint {
    /// The cells that it speaks of.
    pub(super) fn cells(&self) -> Vec<CellId> {
        let open = |term: &Term| match term {
            Term::Open(cell) => Some(*cell),
            _ => None,
        };
        match self {
            Constraint::Alike { terms, .. } => terms.iter().filter_map(open).collect(),
            Constraint::Arithmetic { left, right, result, .. } | Constraint::Concat { left, right, result } => {
                open(left).into_iter().chain(open(right)).chain([*result]).collect()
            }
            Constraint::Element { list, item } => open(list).into_iter().chain(open(item)).collect(),
            Constraint::Call { arguments, result, .. } => {
                arguments.iter().filter_map(|argument| open(&argument.term)).chain([*result]).collect()
            }
        }
    }
}

/// Everything that is asked of a linked query.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    /// The cells; those of the occurrences come first, by their numbers.
    pub cells: Vec<Cell>,
    /// What must hold between them. An inner expression comes before the one around it.
    pub list: Vec<Constraint>,
}

impl Constraints {
    /// Adds a cell for an expression.
    pub(super) fn cell(&mut self) -> CellId {
        self.cells.push(Cell::default());
        self.cells.len() - 1
    }

    /// Asks a term to be of a type; of a term that has one already, nothing.
    pub(super) fn ask(&mut self, term: &Term, ty: Type, strength: Strength) {
        if let Term::Open(cell) = term
            && let Some(cell) = self.cells.get_mut(*cell)
        {
            let ask = Ask { ty, strength };
            if !cell.asks.contains(&ask) {
                cell.asks.push(ask);
            }
        }
    }

    /// Lists everything for people: one line a constraint, then one line a cell that is asked for something.
    pub(super) fn listing(&self, occurrences: &[&Placeholder]) -> String {
        let mut out = String::new();
        for constraint in &self.list {
            let _ = writeln!(out, "{}", Shown { constraint, all: self, occurrences });
        }
        for (at, cell) in self.cells.iter().enumerate() {
            let name = self.named(&Term::Open(at), occurrences);
            if let Some(known) = cell.known.as_ref().and_then(|(ty, _)| Type::from_arrow(ty)) {
                let _ = writeln!(out, "{name} is {known}");
            }
            for ask in &cell.asks {
                let how = how(ask.strength);
                let _ = writeln!(out, "{name} {how} {}", ask.ty);
            }
        }
        out
    }

    fn named(&self, term: &Term, occurrences: &[&Placeholder]) -> String {
        match term {
            Term::Typed(ty) => shown_type(ty),
            Term::Constant(ty) => format!("constant {}", shown_type(ty)),
            Term::Unknown | Term::Wrong => "?".to_owned(),
            Term::Open(cell) => {
                let occurrence = self.cells.get(*cell).and_then(|cell| cell.occurrence);
                match occurrence.and_then(|at| Some((at, occurrences.get(at)?))) {
                    Some((at, placeholder)) => format!("<< {} >>{}", placeholder.name.value, subscript(at + 1)),
                    None => format!("t{cell}"),
                }
            }
        }
    }
}

/// How evidence of a strength is worded.
pub(super) fn how(strength: Strength) -> &'static str {
    match strength {
        Strength::Guess => "may be",
        Strength::Cast => "is cast to",
        Strength::Likely => "is likely",
        Strength::Literal => "stands beside a constant of",
        Strength::Use => "is used as",
    }
}

/// A type that a person may read, for a list of terms.
fn shown_type(ty: &DataType) -> String {
    Type::from_arrow(ty).map_or_else(|| ty.to_string(), |ty| ty.to_string())
}

/// `12` → `₁₂`: which occurrence is meant.
fn subscript(number: usize) -> String {
    number.to_string().chars().filter_map(|digit| char::from_u32(0x2080 + digit.to_digit(10)?)).collect()
}

struct Shown<'a> {
    constraint: &'a Constraint,
    all: &'a Constraints,
    occurrences: &'a [&'a Placeholder],
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |term: &Term| self.all.named(term, self.occurrences);
        let joined = |terms: &[Term], with: &str| terms.iter().map(named).collect::<Vec<_>>().join(with);
        match self.constraint {
            Constraint::Alike { what, terms } => write!(f, "{what}: {}", joined(terms, " ~ ")),
            Constraint::Arithmetic { op, left, right, result, .. } => {
                write!(f, "{} = {} {op} {}", named(&Term::Open(*result)), named(left), named(right))
            }
            Constraint::Concat { left, right, result } => {
                write!(f, "{} = {} || {}", named(&Term::Open(*result)), named(left), named(right))
            }
            Constraint::Element { list, item } => write!(f, "{} is an item of {}", named(item), named(list)),
            Constraint::Call { callee, arguments, result } => {
                let terms: Vec<Term> = arguments.iter().map(|argument| argument.term.clone()).collect();
                write!(f, "{} = {}({})", named(&Term::Open(*result)), callee.name(), joined(&terms, ", "))
            }
        }
    }
}
