//! Why the planner refuses a statement, place by place.
//!
//! The planner stops at the first type error and tells no place. When it does, the statement is walked once more with
//! everything written down that types have to fit, and whatever does not is reported where it stands.

use super::checked::Checked;
use super::collect::{self, Collected};
use super::constraint::Term;
use super::places::closed;
use super::sides::any_clash;
use super::signature::{self, Callee, Choice};
use super::{Context, Declaration, TypedParameter, beside, solve};
use crate::diagnostic::{Diagnostics, codes};
use crate::plan::bits;
use crate::syntax::link::LinkedQuery;
use crate::ty::Type;
use arrow::datatypes::DataType;
use sqlparser::ast::BinaryOperator;

/// Reports everything in the statement that does not fit; nothing where all seems to.
pub(super) fn report(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    parameters: &[TypedParameter],
    context: Context<'_>,
    sink: &mut Diagnostics,
) {
    let (mut collected, checks) = collect::with_checks(linked, declarations, context);
    solve::solve(&mut collected, &linked.occurrences, declarations);
    let types = Types { linked, collected: &collected, parameters };
    for check in &checks {
        if let Some((why, note)) = types.misfit(&check.what) {
            let diagnostic = codes::invalid_query(check.span, &why);
            let diagnostic = match note {
                Some(note) => diagnostic.note(note),
                None => diagnostic,
            };
            let whole = closed(check.span, context);
            let written = context.sources.get(whole.file).map(|file| file.slice(whole));
            sink.push(match (&check.what, written) {
                (Checked::Matched(_), Some(text)) if is_name(text) => {
                    diagnostic.certain_fix("cast it to text", whole, format!("CAST({text} AS text)"))
                }
                (Checked::Matched(_), Some(text)) => {
                    diagnostic.fix("cast it to text", whole, format!("CAST({text} AS text)"))
                }
                (Checked::Alike(what, _), _) => match beside::booleans(&collected, what, check.span, context) {
                    Some(edits) => diagnostic.certain_fixes("write a boolean", edits),
                    None => diagnostic,
                },
                (Checked::Operator(op, ..), _) if bits::is_of_bits(op) => diagnostic.help(bits::WHOLE),
                (Checked::RowInQuery, _) => diagnostic.help(
                    "compare each value: `EXISTS (SELECT 1 FROM b WHERE b.x = a.x AND b.y = a.y)`, or `NOT EXISTS`",
                ),
                _ => diagnostic,
            });
        }
    }
}

/// Whether a text is the name of a column and no more: of other expressions, a sign or a cast may not be in their places.
fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '"'))
}

struct Types<'a> {
    linked: &'a LinkedQuery<'a>,
    collected: &'a Collected,
    parameters: &'a [TypedParameter],
}

impl Types<'_> {
    /// The type of a term, in the end.
    fn of(&self, term: &Term) -> Option<DataType> {
        let Term::Open(cell) = term else { return term.ground().cloned() };
        let found = self.collected.constraints.cells.get(*cell)?;
        if let Some(at) = found.occurrence {
            let one = self.linked.occurrences.get(at)?;
            let parameter = self.parameters.iter().find(|parameter| parameter.declaration.name == one.name.value)?;
            return Some(collect::item_of(&parameter.ty, one.list).to_arrow());
        }
        match &found.known {
            Some((ty, _)) => Some(ty.clone()),
            None => found.asks.iter().max_by_key(|ask| ask.strength).map(|ask| ask.ty.to_arrow()),
        }
    }

    fn named(&self, term: &Term) -> Option<String> {
        self.of(term).as_ref().and_then(Type::from_arrow).map(|ty| ty.to_string())
    }

    /// What does not fit, and what would.
    fn misfit(&self, what: &Checked) -> Option<(String, Option<String>)> {
        match what {
            Checked::Condition(term) => {
                let ty = self.named(term).filter(|ty| ty != "boolean")?;
                Some((format!("a condition is a boolean, and this is {ty}"), None))
            }
            Checked::Matched(term) => {
                let ty = self.named(term).filter(|ty| ty != "text")?;
                Some((format!("a pattern is matched with text, and this is {ty}"), None))
            }
            Checked::RowCount(term) => {
                let ty = self.of(term).filter(|ty| !ty.is_integer() && !ty.is_null())?;
                let ty = Type::from_arrow(&ty)?;
                Some((format!("a number of rows is a whole number, and this is {ty}"), None))
            }
            Checked::Alike(what, terms) => {
                let types: Vec<DataType> = terms.iter().filter_map(|term| self.of(term)).collect();
                // What stands beside one another tells that itself, at the smaller place.
                if any_clash(&types) {
                    return None;
                }
                let (first, rest) = types.split_first()?;
                let other = rest.iter().find(|ty| !signature::comparable(first, ty))?;
                let (one, other) = (Type::from_arrow(first)?, Type::from_arrow(other)?);
                Some((format!("{what} does not go with {one} and {other}"), None))
            }
            Checked::Operator(op, left, right) => {
                let (one, other) = (self.of(left)?, self.of(right)?);
                let are_bits = bits::is_of_bits(op);
                let is_taken = match are_bits {
                    true => ![&one, &other].into_iter().any(bits::is_inexact),
                    false => signature::of_operator(&one, op, &other).is_some(),
                };
                if is_taken {
                    return None;
                }
                let intervals = [&one, &other].into_iter().any(|ty| matches!(ty, DataType::Interval(_)));
                let note = (intervals && matches!(op, BinaryOperator::Multiply | BinaryOperator::Divide)).then(|| {
                    "an interval has no multiples: let the parameter be the interval, or add whole days to a date as an \
                     `int`"
                    .to_owned()
                });
                let (left, right) = (self.named(left)?, self.named(right)?);
                let are_texts = *op == BinaryOperator::Plus && left == "text" && right == "text";
                let note = note.or(are_texts.then(|| "texts are put together with `||`".to_owned()));
                Some((format!("`{op}` does not take {left} and {right}"), note))
            }
            Checked::Call(callee, terms) => self.misfit_call(callee, terms),
            Checked::Columns(1) => None,
            Checked::Together(_, left, right) if left == right => None,
            Checked::Together(what, left, right) => Some((
                format!("{what} puts queries of as many columns together, and these have {left} and {right}"),
                None,
            )),
            Checked::Fetch => Some(("FETCH is not supported; write LIMIT".to_owned(), None)),
            Checked::RowInQuery => Some(("a row of several values is looked up in no subquery".to_owned(), None)),
            Checked::Columns(columns) => {
                Some((format!("a subquery that stands for a value has one column, and this has {columns}"), None))
            }
        }
    }

    fn misfit_call(&self, callee: &Callee, terms: &[Term]) -> Option<(String, Option<String>)> {
        let types: Vec<DataType> = terms.iter().map(|term| self.of(term)).collect::<Option<_>>()?;
        if callee.takes(&types) {
            return None;
        }
        let name = callee.name();
        let numbers = callee.arities();
        if !numbers.is_empty() && !numbers.contains(&terms.len()) {
            let takes = numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
            let plural = if takes == "1" { "" } else { "s" };
            let given = terms.len();
            return Some((format!("`{name}` takes {takes} argument{plural}, and {given} are given"), None));
        }
        let given: Vec<String> = terms.iter().map(|term| self.named(term)).map(Option::unwrap_or_default).collect();
        let wanted: Vec<String> = (0..terms.len())
            .map(|at| match callee.choice(&vec![None; terms.len()], at, None) {
                Choice::Only(ty) => ty.to_string(),
                Choice::Several(types) if types.len() < 6 => {
                    types.iter().map(Type::to_string).collect::<Vec<_>>().join("|")
                }
                Choice::Several(_) | Choice::Nothing => "…".to_owned(),
            })
            .collect();
        let note = wanted.iter().any(|ty| ty != "…").then(|| format!("it takes `{name}({})`", wanted.join(", ")));
        Some((format!("`{name}` does not take ({})", given.join(", ")), note))
    }
}
