//! Parts of a value and values made of parts: items of lists, fields of records, keys of maps.

use super::Collector;
use crate::infer::constraint::{Constraint, Term};
use crate::infer::scope::Scope;
use crate::syntax::normalized;
use crate::ty::Type;
use arrow::datatypes::{DataType, Field as ArrowField};
use sqlparser::ast::{AccessExpr, Expr, Map, Subscript, Value};
use std::sync::Arc;

impl<'a> Collector<'a> {
    /// `[a, b]`.
    pub(super) fn array<'s>(&mut self, items: &'a [Expr], scope: &'s Scope<'s, 'a>) -> Term {
        let terms: Vec<Term> = items.iter().map(|item| self.expr(item, scope)).collect();
        self.array_of(items, terms)
    }

    /// A list of these items.
    pub(super) fn array_of<'e>(&mut self, items: impl IntoIterator<Item = &'e Expr>, terms: Vec<Term>) -> Term {
        self.beside("ARRAY", items, &terms);
        let item = self.merged("ARRAY", terms);
        self.list_of(item)
    }

    /// `MAP {a: 1}`.
    pub(super) fn map<'s>(&mut self, map: &'a Map, scope: &'s Scope<'s, 'a>) -> Term {
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for entry in &map.entries {
            keys.push(self.expr(&entry.key, scope));
            values.push(self.expr(&entry.value, scope));
        }
        self.map_of(keys, values)
    }

    /// `i.tags[1].name`: read as the item `i`, its field `tags`, and the rest.
    pub(super) fn accessed<'s>(&mut self, root: &'a Expr, chain: &'a [AccessExpr], scope: &'s Scope<'s, 'a>) -> Term {
        let mut path = Vec::new();
        if let Expr::Identifier(first) = root {
            path.push(first.clone());
            path.extend(chain.iter().map_while(|access| match access {
                AccessExpr::Dot(Expr::Identifier(name)) => Some(name.clone()),
                _ => None,
            }));
        }
        let (mut term, further) = match path.len().checked_sub(1) {
            Some(dots) => (self.column(&path, scope), dots),
            None => (self.expr(root, scope), 0),
        };
        for access in chain.iter().skip(further) {
            term = self.access(term, access, scope);
        }
        term
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

pub(super) fn field_of(term: &Term, name: &str) -> Term {
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
