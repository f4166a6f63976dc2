//! What the engine's functions and operators take and give: the only source is the engine itself.
//!
//! Which type an argument should have is found by trying: a type that a signature takes as it is, is one it was made
//! for; one that it coerces is not. That covers every kind of signature, also those that are code.

use crate::plan::{added_spans, exact_numbers, meeting};
use crate::ty::Type;
use arrow::datatypes::{DataType, Field, FieldRef, IntervalUnit, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::binary::{BinaryTypeCoercer, comparison_coercion, type_union_resolution};
use datafusion::logical_expr::function::WindowUDFFieldArgs;
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{AggregateUDF, Operator, ReturnFieldArgs, ScalarUDF, WindowUDF};
use sqlparser::ast::BinaryOperator;
use std::borrow::Cow;
use std::sync::Arc;

/// A function that takes as many takes any number.
const MOST_ARGUMENTS: usize = 9;

/// A function that is called.
#[derive(Debug, Clone)]
pub(super) enum Callee {
    /// Of one row.
    Scalar(Arc<ScalarUDF>),
    /// Of many rows.
    Aggregate(Arc<AggregateUDF>),
    /// Of a window of rows.
    Window(Arc<WindowUDF>),
}

/// Which types an argument may have.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Choice {
    /// It is this one.
    Only(Type),
    /// One of these.
    Several(Vec<Type>),
    /// The signature does not say.
    Nothing,
}

impl Callee {
    /// The function's name.
    pub(super) fn name(&self) -> &str {
        match self {
            Callee::Scalar(function) => function.name(),
            Callee::Aggregate(function) => function.name(),
            Callee::Window(function) => function.name(),
        }
    }

    /// What the arguments are turned into before the call; `None` where there is no such overload.
    pub(super) fn coerced(&self, types: &[DataType]) -> Option<Vec<FieldRef>> {
        let fields: Vec<FieldRef> = types.iter().map(|ty| field(ty.clone())).collect();
        match self {
            Callee::Scalar(function) => fields_with_udf(&fields, function.as_ref()),
            Callee::Aggregate(function) => fields_with_udf(&fields, function.as_ref()),
            Callee::Window(function) => fields_with_udf(&fields, function.as_ref()),
        }
        .ok()
    }

    /// The type of the result.
    pub(super) fn result(&self, types: &[DataType], values: &[Option<ScalarValue>]) -> Option<DataType> {
        let coerced = self.coerced(types)?;
        let field = match self {
            Callee::Scalar(function) => {
                let mut values: Vec<Option<&ScalarValue>> = values.iter().map(Option::as_ref).collect();
                // Its result depends on the unit; all that can be parameters give the same.
                let unit = ScalarValue::from("day");
                if let ("date_part", Some(first @ None)) = (function.name(), values.first_mut()) {
                    *first = Some(&unit);
                }
                // As its result depends on the zone.
                let zone = ScalarValue::from("UTC");
                if let ("from_unixtime", Some(second @ None)) = (function.name(), values.get_mut(1)) {
                    *second = Some(&zone);
                }
                let arguments = ReturnFieldArgs { arg_fields: &coerced, scalar_arguments: &values };
                function.return_field_from_args(arguments)
            }
            Callee::Aggregate(function) => function.return_field(&coerced),
            Callee::Window(function) => function.field(WindowUDFFieldArgs::new(&coerced, function.name())),
        };
        field.ok().map(|field| field.data_type().clone())
    }

    /// The numbers of arguments that it takes, as far as can be told without their types; empty where any number will do.
    pub(super) fn arities(&self) -> Vec<usize> {
        let numbers: Vec<usize> = (0..=MOST_ARGUMENTS).filter(|n| self.takes(&vec![DataType::Null; *n])).collect();
        if numbers.contains(&MOST_ARGUMENTS) { Vec::new() } else { numbers }
    }

    /// Whether these arguments can be had, coerced or not.
    pub(super) fn takes(&self, types: &[DataType]) -> bool {
        self.coerced(types).is_some()
    }

    /// What the argument number `at` may be, beside the others as far as they are known.
    pub(super) fn choice(&self, known: &[Option<DataType>], at: usize, expected: Option<&Type>) -> Choice {
        if let ("encode" | "decode", 0) = (self.name(), at) {
            // Made for bytes, and texts are made such.
            return Choice::Several(vec![Type::Text, Type::Bytea]);
        }
        let mut exact = Vec::new();
        let mut beside_coerced = Vec::new();
        let mut targets: Vec<Type> = Vec::new();
        for candidate in candidates(known, expected) {
            let types: Vec<DataType> = known
                .iter()
                .enumerate()
                .map(|(here, ty)| match ty {
                    _ if here == at => candidate.clone(),
                    Some(ty) => ty.clone(),
                    None => DataType::Null,
                })
                .collect();
            // Where the others are open as well and NULL will not do for them, they may be of the same type.
            let coerced = self.coerced(&types).or_else(|| {
                let alike: Vec<DataType> =
                    known.iter().map(|ty| ty.clone().unwrap_or_else(|| candidate.clone())).collect();
                self.coerced(&alike)
            });
            let Some(coerced) = coerced else { continue };
            let Some(ty) = Type::from_arrow(&candidate) else { continue };
            let target = coerced.get(at).and_then(|field| Type::from_arrow(field.data_type()));
            if let Some(target) = &target
                && !targets.contains(target)
            {
                targets.push(target.clone());
            }
            if target.as_ref() != Some(&ty) {
                continue;
            }
            let others_stay = known.iter().zip(&coerced).enumerate().all(|(here, (ty, field))| {
                here == at || ty.as_ref().is_none_or(|ty| Type::from_arrow(ty) == Type::from_arrow(field.data_type()))
            });
            let set = if others_stay { &mut exact } else { &mut beside_coerced };
            if !set.contains(&ty) {
                set.push(ty);
            }
        }
        if exact.is_empty() {
            exact = beside_coerced;
        }
        if exact.is_empty() {
            // Nothing is taken as it is: what everything is turned into.
            return match targets.as_slice() {
                [only] => Choice::Only(only.clone()),
                _ => Choice::Nothing,
            };
        }
        among(exact)
    }
}

/// The one type that is meant, where there is one.
fn among(types: Vec<Type>) -> Choice {
    if types.iter().all(Type::is_integer) {
        let widest = [Type::Bigint, Type::Int, Type::Smallint].into_iter().find(|ty| types.contains(ty));
        return widest.map_or(Choice::Nothing, Choice::Only);
    }
    match types.as_slice() {
        [only] => Choice::Only(only.clone()),
        // Functions of text take bytes, too.
        [Type::Text, Type::Bytea] | [Type::Bytea, Type::Text] => Choice::Only(Type::Text),
        _ => Choice::Several(types),
    }
}

/// Functions that read texts, though their signatures take anything.
const READERS: [&str; 4] = ["to_date", "to_timestamp", "to_time", "to_unixtime"];
/// Functions that read counts of a unit, though their signatures take anything.
const COUNTERS: [&str; 4] =
    ["to_timestamp_seconds", "to_timestamp_millis", "to_timestamp_micros", "to_timestamp_nanos"];

/// The type to take where several would do and nothing speaks for one of them.
pub(super) fn likeliest(callee: &Callee, types: &[Type]) -> Option<Type> {
    if READERS.contains(&callee.name()) {
        return Some(Type::Text);
    }
    if COUNTERS.contains(&callee.name()) {
        return Some(Type::Bigint);
    }
    let any = |wanted: fn(&Type) -> bool| types.iter().any(wanted);
    let is_text = |ty: &Type| *ty == Type::Text;
    let is_temporal =
        |ty: &Type| matches!(ty, Type::Date | Type::Time | Type::Timestamp(_) | Type::Timestamptz(_) | Type::Interval);
    if any(|ty| *ty == Type::Boolean) || any(|ty| matches!(ty, Type::List(_))) {
        // It takes anything.
        None
    } else if any(is_text) {
        Some(Type::Text)
    } else if any(Type::is_numeric) {
        let numbers = [Type::Double, Type::Bigint, Type::Real];
        numbers.into_iter().find(|ty| types.contains(ty)).or_else(|| types.first().cloned())
    } else if types.iter().all(is_temporal) {
        let preferred = [Type::Timestamp(6), Type::Timestamp(9), Type::Date];
        preferred.into_iter().find(|ty| types.contains(ty)).or_else(|| types.first().cloned())
    } else {
        None
    }
}

/// The types to try: one of each kind, and what the other arguments and the result suggest.
fn candidates(known: &[Option<DataType>], expected: Option<&Type>) -> Vec<DataType> {
    let mut list = vec![
        DataType::Utf8,
        DataType::Int64,
        DataType::Int32,
        DataType::Float64,
        DataType::Boolean,
        DataType::Date32,
        DataType::Timestamp(TimeUnit::Microsecond, None),
        DataType::Timestamp(TimeUnit::Nanosecond, None),
        DataType::Interval(IntervalUnit::MonthDayNano),
        DataType::Time64(TimeUnit::Microsecond),
        DataType::Binary,
        DataType::new_list(DataType::Utf8, true),
        DataType::new_list(DataType::Int64, true),
    ];
    let mut add = |ty: DataType| {
        if !list.contains(&ty) {
            list.push(ty);
        }
    };
    let suggested = known.iter().flatten().filter_map(Type::from_arrow).chain(expected.cloned());
    for ty in suggested {
        match &ty {
            Type::List(item) => add(item.to_arrow()),
            Type::Map(key, value) => {
                add(key.to_arrow());
                add(value.to_arrow());
            }
            _ => add(DataType::new_list(ty.to_arrow(), true)),
        }
        add(ty.to_arrow());
    }
    list
}

fn field(ty: DataType) -> FieldRef {
    Arc::new(Field::new("argument", ty, true))
}

fn operator(op: &BinaryOperator) -> Option<Operator> {
    Some(match op {
        BinaryOperator::Plus => Operator::Plus,
        BinaryOperator::Minus => Operator::Minus,
        BinaryOperator::Multiply => Operator::Multiply,
        BinaryOperator::Divide => Operator::Divide,
        BinaryOperator::Modulo => Operator::Modulo,
        BinaryOperator::StringConcat => Operator::StringConcat,
        _ => return None,
    })
}

/// The type of `left op right`, of which one may be made of constants that are `exact` beside a decimal.
pub(super) fn of_operator_with(
    left: &DataType,
    op: &BinaryOperator,
    right: &DataType,
    exact: Option<&DataType>,
) -> Option<DataType> {
    let taken = |decimal: &DataType, number: &DataType| {
        *number == DataType::Float64
            && exact.zip(operator(op)).is_some_and(|(exact, op)| exact_numbers::takes(decimal, op, exact))
    };
    match exact {
        Some(exact) if taken(right, left) => of_operator(exact, op, right),
        Some(exact) if taken(left, right) => of_operator(left, op, exact),
        _ => of_operator(left, op, right),
    }
}

/// The type of `left op right`.
pub(super) fn of_operator(left: &DataType, op: &BinaryOperator, right: &DataType) -> Option<DataType> {
    let op = operator(op)?;
    if exact_numbers::is_quotient(left, op, right) {
        return Some(DataType::Float64);
    }
    let (left, right) = match op {
        Operator::Plus | Operator::Minus => added_spans::sides(left, right),
        _ => (Cow::Borrowed(left), Cow::Borrowed(right)),
    };
    BinaryTypeCoercer::new(&left, &op, &right).get_result_type().ok()
}

/// Whether values of these types can be compared.
pub(super) fn comparable(left: &DataType, right: &DataType) -> bool {
    let is_time = |ty: &DataType| matches!(ty, DataType::Time32(_) | DataType::Time64(_));
    is_time(left) && is_time(right) || comparison_coercion(left, right).is_some()
}

/// The type that values of these types are merged into, as in CASE.
pub(super) fn merged(types: &[DataType]) -> Option<DataType> {
    let is_temporal = |ty: &DataType| ty.is_temporal() && !matches!(ty, DataType::Interval(_) | DataType::Duration(_));
    let met = if types.iter().all(is_temporal) { meeting::met(types) } else { None };
    met.or_else(|| type_union_resolution(types))
}

/// The type that takes both: qtool's own where it loses nothing, else what the engine compares them as.
pub(super) fn joined(left: &Type, right: &Type) -> Option<Type> {
    match (left, right) {
        // A day is its first moment.
        (Type::Date, instant @ (Type::Timestamp(_) | Type::Timestamptz(_)))
        | (instant @ (Type::Timestamp(_) | Type::Timestamptz(_)), Type::Date) => return Some(instant.clone()),
        _ => {}
    }
    left.join(right)
        .or_else(|| comparison_coercion(&left.to_arrow(), &right.to_arrow()).as_ref().and_then(Type::from_arrow))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::functions;

    fn scalar(name: &str) -> Callee {
        Callee::Scalar(Arc::clone(&functions::all().scalar[name]))
    }

    #[test]
    fn every_signature_can_be_asked_for_every_argument() {
        let functions = functions::all();
        let scalar = functions.scalar.values().map(|function| Callee::Scalar(Arc::clone(function)));
        let aggregate = functions.aggregate.values().map(|function| Callee::Aggregate(Arc::clone(function)));
        let window = functions.window.values().map(|function| Callee::Window(Arc::clone(function)));
        let mut told = 0;
        for callee in scalar.chain(aggregate).chain(window) {
            for arity in 1..=4 {
                for at in 0..arity {
                    let known = vec![None; arity];
                    told += usize::from(matches!(callee.choice(&known, at, None), Choice::Only(_)));
                    let beside = vec![Some(DataType::Utf8); arity];
                    callee.choice(&beside, at, Some(&Type::Double));
                    callee.result(&vec![DataType::Int64; arity], &vec![None; arity]);
                }
            }
        }
        assert!(told > 350, "only {told} arguments are told by their signatures");
    }

    #[test]
    fn a_signature_tells_what_it_takes_as_it_is() {
        assert_eq!(scalar("lower").choice(&[None], 0, None), Choice::Only(Type::Text));
        assert_eq!(scalar("length").choice(&[None], 0, None), Choice::Only(Type::Text));
        assert_eq!(scalar("make_date").choice(&[None, None, None], 1, None), Choice::Only(Type::Int));
        assert_eq!(scalar("sqrt").choice(&[None], 0, None), Choice::Only(Type::Double));
        assert_eq!(scalar("repeat").choice(&[None, None], 1, None), Choice::Only(Type::Bigint));
        assert_eq!(scalar("date_bin").choice(&[None, None], 0, None), Choice::Only(Type::Interval));
        let tags = Some(DataType::new_list(DataType::Utf8, true));
        assert_eq!(scalar("array_has").choice(&[tags, None], 1, None), Choice::Only(Type::Text));
        let id = Some(DataType::Int32);
        assert_eq!(scalar("array_has").choice(&[None, id], 0, None), Choice::Only(Type::List(Box::new(Type::Int))));
        assert!(matches!(scalar("arrow_typeof").choice(&[None], 0, None), Choice::Several(_)));
    }
}
