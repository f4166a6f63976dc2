//! Expressions: the type of each, and what it asks of those inside it.

use super::row_values::by_position;
use super::{Collector, query};
use crate::infer::checked::Checked;
use crate::infer::constraint::{Constraint, Strength, Term};
use crate::infer::scope::{Found, Scope};
use crate::infer::signature;
use crate::syntax::link::number;
use crate::syntax::normalized;
use crate::ty::Type;
use arrow::datatypes::{DataType, Field as ArrowField, IntervalUnit};
use sqlparser::ast::{
    AccessExpr, BinaryOperator, DateTimeField, Expr, Ident, Query, Spanned, Subscript, UnaryOperator, Value,
};
use std::sync::Arc;

const BOOLEAN: Term = Term::Typed(DataType::Boolean);

impl<'a> Collector<'a> {
    /// The type of an expression.
    pub(super) fn expr<'s>(&mut self, expr: &'a Expr, scope: &'s Scope<'s, 'a>) -> Term {
        match expr {
            Expr::Nested(inner) => self.expr(inner, scope),
            Expr::Identifier(ident) => self.column(std::slice::from_ref(ident), scope),
            Expr::CompoundIdentifier(path) => self.column(path, scope),
            Expr::Value(value) => self.value(&value.value),
            Expr::TypedString(typed) => {
                let ty = Type::from_sql(&typed.data_type);
                ty.map_or(Term::Unknown, |ty| Term::Constant(of_cast(&typed.data_type, ty)))
            }
            Expr::Interval(interval) => {
                let inner = self.expr(&interval.value, scope);
                self.must_be(&inner, Type::Text);
                Term::Constant(DataType::Interval(IntervalUnit::MonthDayNano))
            }
            Expr::BinaryOp { left, op, right } => self.binary(expr, (left, op, right), scope),
            Expr::UnaryOp { op, expr } => self.unary(*op, expr, scope),
            Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
                let terms = vec![self.expr(left, scope), self.expr(right, scope)];
                self.beside("IS DISTINCT FROM", [left.as_ref(), right], &terms);
                self.compared("IS DISTINCT FROM", expr, terms);
                BOOLEAN
            }
            Expr::IsTrue(inner)
            | Expr::IsNotTrue(inner)
            | Expr::IsFalse(inner)
            | Expr::IsNotFalse(inner)
            | Expr::IsUnknown(inner)
            | Expr::IsNotUnknown(inner) => {
                self.condition(inner, scope);
                BOOLEAN
            }
            Expr::IsNull(inner) | Expr::IsNotNull(inner) => {
                self.expr(inner, scope);
                BOOLEAN
            }
            Expr::Between { expr: value, low, high, .. } => {
                let terms = vec![self.expr(value, scope), self.expr(low, scope), self.expr(high, scope)];
                self.beside("BETWEEN", [value.as_ref(), low, high], &terms);
                self.compared("BETWEEN", expr, terms);
                BOOLEAN
            }
            Expr::InList { expr: value, list, .. } => {
                if let Some(columns) = by_position(std::iter::once(value.as_ref()).chain(list)) {
                    self.rows("IN", columns, scope);
                    return BOOLEAN;
                }
                let mut terms = vec![self.expr(value, scope)];
                terms.extend(list.iter().map(|item| self.expr(item, scope)));
                self.beside("IN", std::iter::once(value.as_ref()).chain(list), &terms);
                self.compared("IN", expr, terms);
                BOOLEAN
            }
            Expr::InSubquery { expr: value, subquery, .. } => {
                let terms = [self.expr(value, scope), self.subquery(subquery, scope)];
                self.beside_at("IN", [value.span(), subquery.span()], terms.each_ref());
                self.compared("IN", expr, terms.into());
                BOOLEAN
            }
            Expr::InUnnest { expr, array_expr, .. } => {
                let (item, list) = (self.expr(expr, scope), self.expr(array_expr, scope));
                self.element(list, item);
                BOOLEAN
            }
            Expr::Exists { subquery, .. } => {
                self.query(subquery, Some(scope));
                BOOLEAN
            }
            Expr::Subquery(subquery) => self.subquery(subquery, scope),
            Expr::AnyOp { left, right, .. } | Expr::AllOp { left, right, .. } => {
                let (value, place) = (left.as_ref(), left.span());
                let left = self.expr(left, scope);
                match right.as_ref() {
                    Expr::Subquery(subquery) => {
                        let column = self.subquery(subquery, scope);
                        self.beside_at("ANY", [place, subquery.span()], [&left, &column]);
                        self.alike("ANY", [left, column]);
                    }
                    items => {
                        let list = self.expr(items, scope);
                        self.beside_items("ANY", (value, &left), (items, &list));
                        self.element(list, left);
                    }
                }
                BOOLEAN
            }
            Expr::Like { expr, pattern, .. }
            | Expr::ILike { expr, pattern, .. }
            | Expr::SimilarTo { expr, pattern, .. }
            | Expr::RLike { expr, pattern, .. } => {
                for text in [expr, pattern] {
                    let term = self.expr(text, scope);
                    self.must_be(&term, Type::Text);
                    self.check(text.as_ref(), || Checked::Matched(term));
                }
                BOOLEAN
            }
            Expr::Cast { kind: _, expr, data_type, .. } => {
                let inner = self.expr(expr, scope);
                let Some(ty) = Type::from_sql(data_type) else { return Term::Unknown };
                self.ask(&inner, ty.clone(), Strength::Cast);
                let arrow = of_cast(data_type, ty);
                if matches!(inner, Term::Constant(_)) { Term::Constant(arrow) } else { Term::Typed(arrow) }
            }
            Expr::AtTimeZone { timestamp, time_zone } => {
                let time = self.expr(timestamp, scope);
                let zone = self.expr(time_zone, scope);
                self.must_be(&zone, Type::Text);
                // An instant becomes a local time, and a local time an instant.
                match time.ground() {
                    Some(DataType::Timestamp(unit, Some(_))) => Term::Typed(DataType::Timestamp(*unit, None)),
                    Some(DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => {
                        Term::Typed(Type::Timestamp(9).to_arrow())
                    }
                    Some(_) => Term::Typed(Type::Timestamptz(9).to_arrow()),
                    None => Term::Unknown,
                }
            }
            Expr::Case { operand, conditions, else_result, .. } => {
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
                let mut results: Vec<Term> = conditions.iter().map(|when| self.expr(&when.result, scope)).collect();
                results.extend(else_result.iter().map(|result| self.expr(result, scope)));
                let branches = conditions.iter().map(|when| &when.result).chain(else_result.as_deref());
                self.beside("CASE", branches, &results);
                self.check(expr, || Checked::Alike("CASE", results.clone()));
                self.merged("CASE", results)
            }
            Expr::Array(array) => {
                let items: Vec<Term> = array.elem.iter().map(|item| self.expr(item, scope)).collect();
                self.beside("ARRAY", &array.elem, &items);
                let item = self.merged("ARRAY", items);
                self.list_of(item)
            }
            Expr::CompoundFieldAccess { root, access_chain } => {
                // `i.tags[1]` is read as the item `i`, its field `tags`, and the subscript.
                let mut path = Vec::new();
                if let Expr::Identifier(first) = root.as_ref() {
                    path.push(first.clone());
                    path.extend(access_chain.iter().map_while(|access| match access {
                        AccessExpr::Dot(Expr::Identifier(name)) => Some(name.clone()),
                        _ => None,
                    }));
                }
                let (mut term, further) = match path.len().checked_sub(1) {
                    Some(dots) => (self.column(&path, scope), dots),
                    None => (self.expr(root, scope), 0),
                };
                for access in access_chain.iter().skip(further) {
                    term = self.access(term, access, scope);
                }
                term
            }
            Expr::Function(function) => self.function(function, scope),
            Expr::Extract { field, expr, .. } => {
                let inner = self.expr(expr, scope);
                self.ask(&inner, Type::Timestamp(6), Strength::Guess);
                Term::Typed(match field {
                    DateTimeField::Epoch => DataType::Float64,
                    DateTimeField::Nanosecond | DateTimeField::Nanoseconds => DataType::Int64,
                    _ => DataType::Int32,
                })
            }
            Expr::Ceil { expr, .. } => self.called("ceil", &[expr], scope),
            Expr::Floor { expr, .. } => self.called("floor", &[expr], scope),
            Expr::Position { expr, r#in } => self.called("strpos", &[r#in, expr], scope),
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                let mut args: Vec<&'a Expr> = vec![expr];
                args.extend(substring_from.as_deref());
                args.extend(substring_for.as_deref());
                self.called("substr", &args, scope)
            }
            Expr::Trim { expr, trim_what, trim_characters, .. } => {
                let mut args: Vec<&'a Expr> = vec![expr];
                args.extend(trim_what.as_deref());
                args.extend(trim_characters.iter().flatten());
                self.called("btrim", &args, scope)
            }
            Expr::Overlay { expr, overlay_what, overlay_from, overlay_for } => {
                let mut args: Vec<&'a Expr> = vec![expr, overlay_what, overlay_from];
                args.extend(overlay_for.as_deref());
                self.called("overlay", &args, scope)
            }
            Expr::Tuple(values) | Expr::Struct { values, .. } => {
                for value in values {
                    self.expr(value, scope);
                }
                Term::Unknown
            }
            Expr::Named { expr, .. } | Expr::Collate { expr, .. } => self.expr(expr, scope),
            Expr::Dictionary(fields) => {
                for field in fields {
                    self.expr(&field.value, scope);
                }
                Term::Unknown
            }
            Expr::Map(map) => {
                let (mut keys, mut values) = (Vec::new(), Vec::new());
                for entry in &map.entries {
                    keys.push(self.expr(&entry.key, scope));
                    values.push(self.expr(&entry.value, scope));
                }
                self.map_of(keys, values)
            }
            Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => {
                for expr in sets.iter().flatten() {
                    self.expr(expr, scope);
                }
                Term::Unknown
            }
            _ => Term::Unknown,
        }
    }

    fn subquery<'s>(&mut self, query: &'a Query, scope: &'s Scope<'s, 'a>) -> Term {
        let fields = self.query(query, Some(scope));
        self.check(query, || Checked::Columns(fields.len()));
        fields.into_iter().next().map_or(Term::Unknown, |field| field.term)
    }

    fn value(&mut self, value: &Value) -> Term {
        match value {
            Value::Number(digits, _) => {
                let integer = digits.parse::<i64>().is_ok();
                Term::Constant(if integer { DataType::Int64 } else { DataType::Float64 })
            }
            Value::Boolean(_) => Term::Constant(DataType::Boolean),
            Value::Null => Term::Constant(DataType::Null),
            Value::HexStringLiteral(_) => Term::Constant(DataType::Binary),
            Value::Placeholder(id) => {
                let cell = number(id).filter(|at| *at < self.occurrences.len());
                cell.map_or(Term::Unknown, Term::Open)
            }
            _ => Term::Constant(DataType::Utf8),
        }
    }

    /// `column`, `table.column`, or either with fields of a struct behind it.
    fn column<'s>(&mut self, path: &[Ident], scope: &'s Scope<'s, 'a>) -> Term {
        let names = query::names(path);
        let (found, fields) = match names.as_slice() {
            [] => return Term::Unknown,
            [name] => (scope.find(None, name), 1),
            [table, name, ..] => match scope.find(Some(table), name) {
                found @ (Found::Column(_) | Found::Several) => (found, 2),
                // Not a table's column: perhaps a field of a column.
                found => match scope.find(None, table) {
                    column @ Found::Column(_) if !scope.has_relation(table) => (column, 1),
                    _ => (found, 2),
                },
            },
        };
        match found {
            Found::Column(mut term) => {
                for name in names.iter().skip(fields) {
                    term = field_of(&term, name);
                }
                term
            }
            Found::Nothing => {
                self.unknown(path, scope);
                Term::Wrong
            }
            Found::Several => {
                let place = path.first().zip(path.last()).and_then(|(first, last)| self.place(first, last));
                let name = names.last().cloned().unwrap_or_default();
                self.found.ambiguous.extend(place.map(|place| (place, name)));
                Term::Wrong
            }
            Found::Unclear => Term::Unknown,
        }
    }

    /// Values that are compared.
    fn compared(&mut self, what: &'static str, whole: &Expr, terms: Vec<Term>) {
        self.check(whole, || Checked::Alike(what, terms.clone()));
        self.alike(what, terms);
    }

    /// Rows that are compared: the items at each position.
    fn rows<'s>(&mut self, what: &'static str, columns: Vec<Vec<&'a Expr>>, scope: &'s Scope<'s, 'a>) {
        for column in columns {
            let terms: Vec<Term> = column.iter().map(|item| self.expr(item, scope)).collect();
            self.beside(what, column, &terms);
        }
    }

    fn binary<'s>(
        &mut self,
        whole: &Expr,
        (left, op, right): (&'a Expr, &'a BinaryOperator, &'a Expr),
        scope: &'s Scope<'s, 'a>,
    ) -> Term {
        use BinaryOperator as Op;
        let (one, other) = (left, right);
        if let Some(what) = comparison(op)
            && let Some(columns) = by_position([one, other])
        {
            self.rows(what, columns, scope);
            return BOOLEAN;
        }
        let (left, right) = (self.expr(left, scope), self.expr(right, scope));
        let constant = matches!((&left, &right), (Term::Constant(_), Term::Constant(_)));
        let typed = |ty: DataType| if constant { Term::Constant(ty) } else { Term::Typed(ty) };
        match op {
            Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq | Op::Spaceship => {
                let what = comparison(op).unwrap_or("<=>");
                let terms = vec![left, right];
                self.beside(what, [one, other], &terms);
                self.compared(what, whole, terms);
                BOOLEAN
            }
            Op::And | Op::Or | Op::Xor => {
                self.must_be(&left, Type::Boolean);
                self.must_be(&right, Type::Boolean);
                BOOLEAN
            }
            Op::PGRegexMatch
            | Op::PGRegexIMatch
            | Op::PGRegexNotMatch
            | Op::PGRegexNotIMatch
            | Op::Regexp
            | Op::PGLikeMatch
            | Op::PGILikeMatch
            | Op::PGNotLikeMatch
            | Op::PGNotILikeMatch => {
                self.must_be(&left, Type::Text);
                self.must_be(&right, Type::Text);
                for (side, term) in [(one, left), (other, right)] {
                    self.check(side, || Checked::Matched(term));
                }
                BOOLEAN
            }
            Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo => {
                self.check(whole, || Checked::Operator(op.clone(), left.clone(), right.clone()));
                let occurrences: Vec<usize> =
                    [&left, &right].into_iter().filter_map(|term| self.occurrence(term)).collect();
                self.found.arithmetic.extend(occurrences);
                match (left.ground(), right.ground()) {
                    (Some(l), Some(r)) => signature::of_operator(l, op, r).map_or(Term::Unknown, typed),
                    _ => {
                        let result = self.found.constraints.cell();
                        self.mark_beside_wrong(&[left.clone(), right.clone(), Term::Open(result)]);
                        let constraint = Constraint::Arithmetic { op: op.clone(), left, right, result };
                        self.found.constraints.list.push(constraint);
                        Term::Open(result)
                    }
                }
            }
            Op::StringConcat => match (left.ground(), right.ground()) {
                (Some(l), Some(r)) => match [l, r].into_iter().find(|ty| is_list(ty)) {
                    Some(list) => Term::Typed(list.clone()),
                    None => typed(DataType::Utf8),
                },
                _ => {
                    let result = self.found.constraints.cell();
                    self.mark_beside_wrong(&[left.clone(), right.clone(), Term::Open(result)]);
                    self.found.constraints.list.push(Constraint::Concat { left, right, result });
                    Term::Open(result)
                }
            },
            Op::BitwiseAnd
            | Op::BitwiseOr
            | Op::BitwiseXor
            | Op::PGBitwiseXor
            | Op::PGBitwiseShiftLeft
            | Op::PGBitwiseShiftRight => {
                self.must_be(&left, Type::Bigint);
                self.must_be(&right, Type::Bigint);
                match (left.ground(), right.ground()) {
                    (Some(l), _) if l.is_integer() => typed(l.clone()),
                    (_, Some(r)) if r.is_integer() => typed(r.clone()),
                    _ => typed(DataType::Int64),
                }
            }
            Op::AtArrow | Op::ArrowAt => {
                self.alike("@>", [left, right]);
                BOOLEAN
            }
            _ => Term::Unknown,
        }
    }

    fn unary<'s>(&mut self, op: UnaryOperator, inner: &'a Expr, scope: &'s Scope<'s, 'a>) -> Term {
        let term = self.expr(inner, scope);
        match op {
            UnaryOperator::Not => {
                self.must_be(&term, Type::Boolean);
                BOOLEAN
            }
            UnaryOperator::Minus | UnaryOperator::Plus => {
                self.found.arithmetic.extend(self.occurrence(&term));
                if let Term::Open(_) = term {
                    self.ask(&term, Type::Double, Strength::Guess);
                    let result = Term::Open(self.found.constraints.cell());
                    self.alike("-", [term, result.clone()]);
                    return result;
                }
                term
            }
            _ => term,
        }
    }

    /// `x[1]`, `x[1:2]`, `x['field']`, `x.field`.
    fn access<'s>(&mut self, root: Term, access: &'a AccessExpr, scope: &'s Scope<'s, 'a>) -> Term {
        match access {
            AccessExpr::Dot(Expr::Identifier(name)) => field_of(&root, &normalized(name)),
            AccessExpr::Dot(other) => {
                self.expr(other, scope);
                Term::Unknown
            }
            AccessExpr::Subscript(Subscript::Index { index }) => {
                let at = self.expr(index, scope);
                match root.ground().cloned() {
                    Some(DataType::Struct(_)) => match index {
                        Expr::Value(value) => match &value.value {
                            Value::SingleQuotedString(name) => field_of(&root, name),
                            _ => Term::Unknown,
                        },
                        _ => Term::Unknown,
                    },
                    Some(DataType::Map(entries, _)) => {
                        let DataType::Struct(fields) = entries.data_type() else { return Term::Unknown };
                        let [key, value] = fields.as_ref() else { return Term::Unknown };
                        let key = Term::Typed(key.data_type().clone());
                        self.alike("[]", [at, key]);
                        Term::Typed(value.data_type().clone())
                    }
                    _ => {
                        self.must_be(&at, Type::Bigint);
                        self.item_of(root)
                    }
                }
            }
            AccessExpr::Subscript(Subscript::Slice { lower_bound, upper_bound, stride }) => {
                for bound in [lower_bound, upper_bound, stride].into_iter().flatten() {
                    let term = self.expr(bound, scope);
                    self.must_be(&term, Type::Bigint);
                }
                root
            }
        }
    }

    /// The items of a list.
    pub(super) fn item_of(&mut self, list: Term) -> Term {
        match &list {
            Term::Typed(ty) | Term::Constant(ty) => element_type(ty).map_or(Term::Unknown, Term::Typed),
            Term::Open(_) => {
                let item = Term::Open(self.found.constraints.cell());
                self.element(list, item.clone());
                item
            }
            Term::Unknown | Term::Wrong => list,
        }
    }

    pub(super) fn element(&mut self, list: Term, item: Term) {
        self.mark_beside_wrong(&[list.clone(), item.clone()]);
        let open = |term: &Term| matches!(term, Term::Open(_));
        let says = |term: &Term| !matches!(term, Term::Unknown | Term::Wrong);
        if (open(&list) || open(&item)) && says(&list) && says(&item) {
            self.found.constraints.list.push(Constraint::Element { list, item });
        }
    }

    /// A list of such items.
    fn list_of(&mut self, item: Term) -> Term {
        match item {
            Term::Typed(ty) | Term::Constant(ty) => {
                Term::Typed(DataType::List(Arc::new(ArrowField::new_list_field(ty, true))))
            }
            Term::Open(_) => {
                let list = Term::Open(self.found.constraints.cell());
                self.element(list.clone(), item);
                list
            }
            Term::Unknown | Term::Wrong => item,
        }
    }

    /// A map of such keys and values.
    pub(super) fn map_of(&mut self, keys: Vec<Term>, values: Vec<Term>) -> Term {
        let (key, value) = (self.merged("MAP key", keys), self.merged("MAP value", values));
        match (key.ground().and_then(Type::from_arrow), value.ground().and_then(Type::from_arrow)) {
            (Some(key), Some(value)) => Term::Typed(Type::Map(Box::new(key), Box::new(value)).to_arrow()),
            _ => Term::Unknown,
        }
    }
}

/// How an operator that compares is called.
fn comparison(op: &BinaryOperator) -> Option<&'static str> {
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

pub(super) fn is_list(ty: &DataType) -> bool {
    element_type(ty).is_some()
}

/// The type of a list's items.
pub(super) fn element_type(ty: &DataType) -> Option<DataType> {
    match ty {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => Some(item.data_type().clone()),
        _ => None,
    }
}

fn field_of(term: &Term, name: &str) -> Term {
    if *term == Term::Wrong {
        return Term::Wrong;
    }
    match term.ground() {
        Some(DataType::Struct(fields)) => {
            let field = fields.iter().find(|field| field.name() == name);
            field.map_or(Term::Unknown, |field| Term::Typed(field.data_type().clone()))
        }
        _ => Term::Unknown,
    }
}

/// What the engine makes of a type's name: `TIMESTAMP` has nanoseconds there.
fn of_cast(sql: &sqlparser::ast::DataType, ty: Type) -> DataType {
    use sqlparser::ast::DataType as Sql;
    match (sql, ty) {
        (Sql::Timestamp(None, _) | Sql::Datetime(None), Type::Timestamp(_)) => Type::Timestamp(9),
        (Sql::Timestamp(None, _) | Sql::Datetime(None), Type::Timestamptz(_)) => Type::Timestamptz(9),
        (_, ty) => ty,
    }
    .to_arrow()
}
