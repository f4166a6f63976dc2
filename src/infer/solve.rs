//! Finds a type for every cell.
//!
//! Evidence is passed along the constraints until nothing changes; only then the next weaker kind of evidence is let in:
//!
//! 1. what places ask for by themselves, and what signatures leave no choice about,
//! 2. arithmetic and calls with a choice, from the outside in, so that what is around decides,
//! 3. what other occurrences of the same parameter have been found to be,
//! 4. casts, and what is likely,
//! 5. defaults and allowed values,
//! 6. guesses.
//!
//! Nothing is ever taken back, and the order of constraints of one kind does not matter. The work is linear in the number
//! of cells and constraints, times the number of times a cell's type changes, which is a few.

mod operand;

use super::Declaration;
use super::collect::{Collected, item_of};
use super::constraint::{Argument, Ask, CellId, Constraint, Strength, Term};
use super::evidence::{decide, is_widened, weak_evidence, whole};
use super::signature::{self, Choice};
use crate::syntax::Placeholder;
use crate::ty::Type;
use arrow::datatypes::DataType;
use operand::{Operand, both, width};
use sqlparser::ast::BinaryOperator;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// Solves in place: afterwards the occurrences' cells hold all that is asked of them.
pub(super) fn solve(collected: &mut Collected, occurrences: &[&Placeholder], declarations: &[Declaration]) {
    let constraints = &mut collected.constraints;
    let mut users = vec![Vec::new(); constraints.cells.len()];
    for (at, constraint) in constraints.list.iter().enumerate() {
        for cell in constraint.cells() {
            if let Some(users) = users.get_mut(cell)
                && users.last() != Some(&at)
            {
                users.push(at);
            }
        }
    }
    let list = std::mem::take(&mut constraints.list);
    let mut solver = Solver {
        cells: &mut constraints.cells,
        users,
        queue: (0..list.len()).collect(),
        queued: vec![true; list.len()],
        pushed: vec![false; list.len()],
        list: &list,
        floor: Strength::Literal,
        occurrences,
        arithmetic: &collected.arithmetic,
        by_name: by_name(occurrences, declarations).into(),
    };
    solver.run();
    constraints.list = list;
}

/// The occurrences of every parameter, in order.
pub(super) fn by_name<'a>(
    occurrences: &[&Placeholder],
    declarations: &'a [Declaration],
) -> Vec<(&'a Declaration, Vec<usize>)> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, one) in occurrences.iter().enumerate() {
        places.entry(&one.name.value).or_default().push(at);
    }
    declarations.iter().map(|one| (one, places.remove(one.name.as_str()).unwrap_or_default())).collect()
}

struct Solver<'a> {
    cells: &'a mut Vec<super::constraint::Cell>,
    /// The constraints that speak of each cell.
    users: Vec<Vec<usize>>,
    list: &'a [Constraint],
    /// Constraints to look at again, because a cell of theirs has changed.
    queue: VecDeque<usize>,
    queued: Vec<bool>,
    /// Constraints that have told their operands or arguments all they can.
    pushed: Vec<bool>,
    /// The weakest evidence that counts as yet.
    floor: Strength,
    occurrences: &'a [&'a Placeholder],
    /// Those that stand in arithmetic.
    arithmetic: &'a HashSet<usize>,
    /// The occurrences of every parameter.
    by_name: Rc<[(&'a Declaration, Vec<usize>)]>,
}

impl Solver<'_> {
    fn run(&mut self) {
        let mut defaults = false;
        loop {
            self.propagate();
            // Weaker evidence comes in only when what counts more has nothing further to say. Let in at the same time, it
            // would have to be taken back later, and the result would depend on the order of the query's text.
            if self.push() || self.share_names() {
                continue;
            }
            if self.floor > Strength::Cast {
                self.lower(Strength::Cast);
            } else if !defaults {
                defaults = true;
                self.take_defaults();
            } else if self.floor > Strength::Guess {
                self.lower(Strength::Guess);
            } else {
                break;
            }
        }
    }

    fn propagate(&mut self) {
        while let Some(at) = self.queue.pop_front() {
            if let Some(queued) = self.queued.get_mut(at) {
                *queued = false;
            }
            if let Some(constraint) = self.list.get(at) {
                self.step(constraint);
            }
        }
    }

    /// Lets weaker evidence in.
    fn lower(&mut self, floor: Strength) {
        self.floor = floor;
        // Asks below the old floor were passed over by every constraint, so each of them may have something new to say.
        self.queue = (0..self.list.len()).collect();
        self.queued = vec![true; self.list.len()];
        self.pushed = vec![false; self.list.len()];
    }

    /// The type of a term as far as it is known, and how much that counts.
    fn of(&self, term: &Term) -> Option<(DataType, Strength)> {
        match term {
            Term::Typed(ty) => Some((ty.clone(), Strength::Use)),
            Term::Constant(ty) => Some((ty.clone(), Strength::Literal)),
            Term::Open(cell) => self.of_cell(*cell),
            Term::Unknown | Term::Wrong => None,
        }
        // A NULL goes with every type: it tells none.
        .filter(|(ty, _)| *ty != DataType::Null)
    }

    fn of_cell(&self, cell: CellId) -> Option<(DataType, Strength)> {
        let found = self.cells.get(cell)?;
        if let Some(known) = &found.known {
            return Some(known.clone());
        }
        self.asked(cell).map(|(ty, strength)| (ty.to_arrow(), strength))
    }

    /// What the place of a cell asks for.
    fn asked(&self, cell: CellId) -> Option<(Type, Strength)> {
        let asks = self.cells.get(cell)?.asks.iter().filter(|ask| ask.strength >= self.floor);
        let asks: Vec<&Ask> = asks.collect();
        let strength = asks.iter().map(|ask| ask.strength).max()?;
        match decide(&asks) {
            Ok(ty) => ty.map(|ty| (ty, strength)),
            // The conflict is reported when the parameter is unified; the first will do for the others.
            Err(_) => asks.iter().find(|ask| ask.strength == strength).map(|ask| (ask.ty.clone(), strength)),
        }
    }

    fn ask(&mut self, term: &Term, ty: Type, strength: Strength) {
        let Term::Open(at) = term else { return };
        let before = self.of_cell(*at);
        let ask = Ask { ty, strength };
        match self.cells.get_mut(*at) {
            Some(cell) if !cell.asks.contains(&ask) => cell.asks.push(ask),
            _ => return,
        }
        // A cell whose type is known keeps it, whatever is asked. Those beside it look again: they may contradict it.
        if self.of_cell(*at) != before || self.cells.get(*at).is_some_and(|cell| cell.known.is_some()) {
            self.changed(*at);
        }
    }

    fn know(&mut self, at: CellId, ty: DataType, strength: Strength) {
        let known = Some((ty, strength));
        if let Some(cell) = self.cells.get_mut(at)
            && cell.known != known
        {
            cell.known = known;
            self.changed(at);
        }
    }

    fn changed(&mut self, cell: CellId) {
        for user in self.users.get(cell).into_iter().flatten() {
            if let Some(queued) = self.queued.get_mut(*user)
                && !*queued
            {
                *queued = true;
                self.queue.push_back(*user);
            }
        }
    }

    fn step(&mut self, constraint: &Constraint) {
        match constraint {
            Constraint::Alike { terms, .. } => self.alike(terms),
            Constraint::Element { list, item } => self.element(list, item),
            Constraint::Arithmetic { op, left, right, exact, result } => {
                if let (Some((one, strength)), Some((other, of_other))) = (self.of(left), self.of(right)) {
                    match signature::of_operator_with(&one, op, &other, exact.as_ref()) {
                        Some(ty) => {
                            self.know(*result, ty, strength.min(of_other));
                            self.overruled(op, (left, &one, strength), (&other, of_other));
                            self.overruled(op, (right, &other, of_other), (&one, strength));
                        }
                        None => self.contradicted_operand(op, left, right, *result),
                    }
                }
            }
            Constraint::Concat { left, right, result } => self.concat(left, right, *result),
            Constraint::Call { .. } => self.call(constraint),
        }
    }

    /// Tells every open term what the others are, by each kind of evidence: which of the kinds counts is decided where
    /// the term's own place is known, and a conflict is one of two kinds that are equally strong.
    fn alike(&mut self, terms: &[Term]) {
        let types: Vec<Option<(Type, Strength)>> = terms
            .iter()
            .map(|term| self.of(term).and_then(|(ty, strength)| Some((self.beside(term, &ty)?, strength))))
            .collect();
        for strength in [Strength::Use, Strength::Literal, Strength::Likely, Strength::Cast, Strength::Guess] {
            // How often each type occurs: a list behind IN may have thousands of items, of one type.
            let mut distinct: Vec<(&Type, usize)> = Vec::new();
            for (ty, _) in types.iter().flatten().filter(|(_, one)| *one == strength) {
                match distinct.iter_mut().find(|(known, _)| *known == ty) {
                    Some((_, count)) => *count += 1,
                    None => distinct.push((ty, 1)),
                }
            }
            if distinct.is_empty() {
                continue;
            }
            for (term, own) in terms.iter().zip(&types) {
                if !matches!(term, Term::Open(_)) {
                    continue;
                }
                // Not its own type back: a cell that once was told `int` would be evidence for `int` from then on, and what
                // comes later could not widen it.
                let own = own.as_ref().filter(|(_, one)| *one == strength).map(|(ty, _)| ty);
                let others = distinct.iter().filter(|(ty, count)| *count > 1 || own != Some(*ty));
                let joined = others.map(|(ty, _)| (*ty).clone()).reduce(|a, b| signature::joined(&a, &b).unwrap_or(a));
                if let Some(ty) = joined {
                    self.ask(term, ty, strength);
                }
            }
        }
    }

    /// The type of what stands beside a term of that type. Counts and ranks are never beyond a `bigint`, but columns are.
    fn beside(&self, term: &Term, ty: &DataType) -> Option<Type> {
        let is_value = match term {
            Term::Typed(_) => true,
            Term::Open(cell) => self.cells.get(*cell).is_some_and(|cell| cell.occurrence.is_some()),
            _ => false,
        };
        if is_value { Type::beside_column(ty) } else { Type::from_arrow(ty) }
    }

    fn element(&mut self, list: &Term, item: &Term) {
        if let Some((DataType::List(of) | DataType::LargeList(of) | DataType::FixedSizeList(of, _), strength)) =
            self.of(list)
            && let Some(ty) = self.beside(list, of.data_type())
        {
            self.ask(item, ty, strength);
        }
        if let Some((ty, strength)) = self.of(item)
            && let Some(ty) = self.beside(item, &ty)
        {
            self.ask(list, Type::List(Box::new(ty)), strength);
        }
    }

    fn concat(&mut self, left: &Term, right: &Term, result: CellId) {
        let lists = [self.of(left), self.of(right), self.of_cell(result)];
        let list = lists.into_iter().flatten().find(|(ty, _)| matches!(ty, DataType::List(_) | DataType::LargeList(_)));
        let ty = list.and_then(|(ty, _)| Type::from_arrow(&ty)).unwrap_or(Type::Text);
        // A number beside `||` becomes text by itself; only what has no type yet is told.
        for side in [left, right] {
            if self.of(side).is_none() {
                self.ask(side, ty.clone(), Strength::Use);
            }
        }
        self.know(result, ty.to_arrow(), Strength::Use);
    }

    fn call(&mut self, constraint: &Constraint) {
        let Constraint::Call { callee, arguments, result } = constraint else { return };
        let known: Vec<Option<DataType>> = arguments.iter().map(|argument| self.argument(argument)).collect();
        let values: Vec<_> = arguments.iter().map(|argument| argument.value.clone()).collect();
        let all: Option<Vec<DataType>> = known.iter().cloned().collect();
        // A signature is asked with all types or with one missing, never with two: what it would take in one place
        // depends on what stands in the other, and trying all pairs of types is quadratic for each overload.
        if let Some(types) = &all {
            if let Some(ty) = callee.result(types, &values) {
                self.know(*result, ty, Strength::Use);
            }
            self.contradicted(constraint, types);
            return;
        }
        for (at, argument) in arguments.iter().enumerate() {
            if matches!(argument.term, Term::Open(_))
                && known.get(at).is_some_and(Option::is_none)
                && let Choice::Only(ty) = callee.choice(&known, at, None)
            {
                self.ask(&argument.term, ty, Strength::Use);
            }
        }
    }

    fn argument(&self, argument: &Argument) -> Option<DataType> {
        match &argument.term {
            Term::Constant(DataType::Null) => Some(DataType::Null),
            term => self.of(term).map(|(ty, _)| ty),
        }
    }

    /// A declared type that no overload takes: the place says what it would take.
    fn contradicted(&mut self, constraint: &Constraint, types: &[DataType]) {
        let Constraint::Call { callee, arguments, .. } = constraint else { return };
        if callee.takes(types) {
            return;
        }
        for (at, argument) in arguments.iter().enumerate() {
            let Term::Open(cell) = &argument.term else { continue };
            if self.cells.get(*cell).is_none_or(|cell| cell.occurrence.is_none()) {
                continue;
            }
            let others: Vec<Option<DataType>> =
                types.iter().enumerate().map(|(here, ty)| (here != at).then(|| ty.clone())).collect();
            if let Choice::Only(ty) = callee.choice(&others, at, None) {
                self.ask(&argument.term, ty, Strength::Use);
            }
        }
    }

    /// A whole number that only constants speak of gives way to what it is computed with, as a number that is written
    /// there would: in `price / nullif(<< parts >>, 0)` that is a double.
    fn overruled(
        &mut self,
        op: &BinaryOperator,
        (term, own, strength): (&Term, &DataType, Strength),
        (other, of_other): (&DataType, Strength),
    ) {
        if !matches!(term, Term::Open(_)) || strength != Strength::Literal || of_other != Strength::Use {
            return;
        }
        if own.is_integer()
            && let Some(ty) = Type::from_arrow(other).filter(|ty| ty.is_numeric() && !ty.is_integer())
        {
            self.ask(term, width(&ty, op), Strength::Use);
        }
    }

    /// A placeholder whose type does not go with what stands beside it: the place says what would.
    fn contradicted_operand(&mut self, op: &BinaryOperator, left: &Term, right: &Term, result: CellId) {
        let expected = self.asked(result);
        let operand = Operand { op, expected: expected.as_ref(), likely: true, guessing: true };
        for (term, sibling, is_left) in [(left, right, true), (right, left, false)] {
            let Term::Open(cell) = term else { continue };
            if self.cells.get(*cell).is_none_or(|cell| cell.occurrence.is_none()) {
                continue;
            }
            let sibling = self.of(sibling).and_then(|(ty, strength)| Some((Type::from_arrow(&ty)?, strength)));
            if let Some((ty, _)) = sibling.and_then(|sibling| operand.beside(&sibling, is_left)) {
                self.ask(term, ty, Strength::Use);
            }
        }
    }

    /// Lets expressions that have something to say tell their operands, the outermost first. Whether one had.
    fn push(&mut self) -> bool {
        let mut any = false;
        // An inner expression was written down before the one around it, so this goes from the outermost inwards.
        for at in (0..self.list.len()).rev() {
            if self.pushed.get(at).copied().unwrap_or(true) {
                continue;
            }
            let told = match self.list.get(at) {
                Some(Constraint::Arithmetic { op, left, right, result, .. }) => self.operands(op, left, right, *result),
                Some(constraint @ Constraint::Call { .. }) => self.arguments(constraint),
                _ => Vec::new(),
            };
            if told.is_empty() {
                continue;
            }
            if let Some(pushed) = self.pushed.get_mut(at) {
                *pushed = true;
            }
            for (term, ty, strength) in told {
                self.ask(&term, ty, strength);
            }
            // At once: the expressions inside are to see what this one has decided, not decide beside it.
            self.propagate();
            any = true;
        }
        any
    }

    /// What a call with a choice asks of its arguments: the type with which it gives what its result is used as.
    fn arguments(&self, constraint: &Constraint) -> Vec<(Term, Type, Strength)> {
        let Constraint::Call { callee, arguments, result } = constraint else { return Vec::new() };
        let known: Vec<Option<DataType>> = arguments.iter().map(|argument| self.argument(argument)).collect();
        let values: Vec<_> = arguments.iter().map(|argument| argument.value.clone()).collect();
        let expected = self.asked(*result);
        let mut told = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            if !matches!(argument.term, Term::Open(_)) || known.get(at).is_none_or(Option::is_some) {
                continue;
            }
            let Choice::Several(types) = callee.choice(&known, at, expected.as_ref().map(|(ty, _)| ty)) else {
                continue;
            };
            let gives = |ty: &Type| {
                let types: Vec<DataType> = known
                    .iter()
                    .enumerate()
                    .map(
                        |(here, known)| {
                            if here == at { ty.to_arrow() } else { known.clone().unwrap_or(DataType::Null) }
                        },
                    )
                    .collect();
                callee.result(&types, &values).as_ref().and_then(Type::from_arrow)
            };
            let fitting = expected.as_ref().and_then(|(wanted, strength)| {
                // Where every type gives the same, the result says nothing of the argument.
                if types.len() > 1 && types.iter().all(|ty| gives(ty).as_ref() == Some(wanted)) {
                    return None;
                }
                let exact = types.iter().find(|ty| *ty == wanted && gives(ty).as_ref() == Some(wanted));
                let any = || types.iter().find(|ty| gives(ty).as_ref() == Some(wanted));
                Some((exact.or_else(any)?.clone(), *strength))
            });
            match fitting {
                Some((ty, strength)) => told.push((argument.term.clone(), ty, strength)),
                None if self.floor == Strength::Guess => {
                    let likeliest = signature::likeliest(callee, &types);
                    told.extend(likeliest.map(|ty| (argument.term.clone(), ty, Strength::Guess)));
                }
                None => {}
            }
        }
        told
    }

    /// What an arithmetic expression asks of the operands that have no type yet.
    fn operands(&self, op: &BinaryOperator, left: &Term, right: &Term, result: CellId) -> Vec<(Term, Type, Strength)> {
        let side = |term: &Term| self.of(term).and_then(|(ty, strength)| Some((Type::from_arrow(&ty)?, strength)));
        let expected = self.asked(result);
        let floor = self.floor;
        let operand = Operand {
            op,
            expected: expected.as_ref(),
            likely: floor <= Strength::Likely,
            guessing: floor == Strength::Guess,
        };
        match (side(left), side(right)) {
            // Other places of the two may tell more: the difference of two days is a number as well.
            (None, None) if self.floor > Strength::Likely => Vec::new(),
            (None, None) => {
                let Some(asked) = expected.as_ref().and_then(|expected| both(op, expected)) else {
                    return Vec::new();
                };
                let sides = [left, right].into_iter().zip(asked).filter(|(term, _)| matches!(term, Term::Open(_)));
                sides.map(|(term, (ty, strength))| (term.clone(), ty, strength)).collect()
            }
            (None, Some(sibling)) => {
                let asked = operand.beside(&sibling, true);
                asked.map(|(ty, strength)| (left.clone(), ty, strength)).into_iter().collect()
            }
            (Some(sibling), None) => {
                let asked = operand.beside(&sibling, false);
                asked.map(|(ty, strength)| (right.clone(), ty, strength)).into_iter().collect()
            }
            (Some(_), Some(_)) => Vec::new(),
        }
    }

    /// Gives occurrences that nothing is asked of the type of the other occurrences of their parameter.
    fn share_names(&mut self) -> bool {
        let mut shared = false;
        for (_, places) in Rc::clone(&self.by_name).iter() {
            let untyped: Vec<usize> = places.iter().copied().filter(|at| self.of_cell(*at).is_none()).collect();
            if untyped.is_empty() || untyped.len() == places.len() {
                continue;
            }
            let asks: Vec<Ask> = places
                .iter()
                .flat_map(|at| {
                    let asks = self.cells.get(*at).map(|cell| cell.asks.as_slice()).unwrap_or_default();
                    let list = self.is_list(*at);
                    asks.iter().filter(|ask| ask.strength >= self.floor).map(move |ask| whole(ask, list))
                })
                .collect();
            let asks: Vec<&Ask> = asks.iter().collect();
            // Where the others are in conflict, that is reported; a type taken from one of them would add a second report.
            if let Ok(Some(ty)) = decide(&asks) {
                for at in untyped {
                    // Known, and not asked: it is no evidence of its own for what the parameter is.
                    self.know(at, item_of(&ty, self.is_list(at)).to_arrow(), Strength::Use);
                    shared = true;
                }
            }
        }
        shared
    }

    fn is_list(&self, occurrence: usize) -> bool {
        self.occurrences.get(occurrence).is_some_and(|one| one.list)
    }

    /// Where nothing else speaks: the default, else the allowed values.
    fn take_defaults(&mut self) {
        for (declaration, places) in Rc::clone(&self.by_name).iter() {
            let Some(ty) = weak_evidence(declaration) else { continue };
            for at in places.iter().copied() {
                let found = self.of_cell(at).and_then(|(found, _)| Type::from_arrow(&found));
                let widens = found.as_ref().is_some_and(|found| is_widened(found, &ty, places, self.arithmetic));
                if declaration.ty.is_none() && (found.is_none() || widens) {
                    self.know(at, item_of(&ty, self.is_list(at)).to_arrow(), Strength::Use);
                }
            }
        }
    }
}
