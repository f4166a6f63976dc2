//! Queries: which columns they give, and what their clauses ask for.

use super::{Collector, field};
use crate::infer::checked::Checked;
use crate::infer::constraint::Term;
use crate::infer::scope::{Field, Relation, Scope};
use crate::plan::unnested::unnested_lists;
use crate::syntax::normalized;
use crate::ty::Type;
use arrow::datatypes::DataType;
use sqlparser::ast::{
    Cte, Distinct, ExceptSelectItem, ExcludeSelectItem, Expr, FunctionArg, FunctionArgExpr, GroupByExpr, Ident,
    LimitClause, ObjectName, OrderBy, OrderByExpr, OrderByKind, Query, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, Spanned, TableAlias, TableFactor, WildcardAdditionalOptions,
};
use std::borrow::Cow;

impl<'a> Collector<'a> {
    /// The columns of a query. `outer` is what it may refer to around it.
    pub(super) fn query<'s>(&mut self, query: &'a Query, outer: Option<&'s Scope<'s, 'a>>) -> Vec<Field<'a>> {
        let tables = self.tables.len();
        if let Some(with) = &query.with {
            for table in &with.cte_tables {
                self.common_table(table, with.recursive, outer);
            }
        }
        let fields = match query.body.as_ref() {
            SetExpr::Select(select) => self.select(select, query.order_by.as_ref(), outer),
            body => {
                let fields = self.body(body, outer);
                let scope = Scope { outputs: Some(&fields), outer, ..Scope::default() };
                self.order_by(query.order_by.as_ref(), &scope);
                fields
            }
        };
        self.limits(query, outer);
        self.tables.truncate(tables);
        fields
    }

    fn limits<'s>(&mut self, query: &'a Query, outer: Option<&'s Scope<'s, 'a>>) {
        let (limit, offset) = match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
            None => (None, None),
        };
        let fetch = query.fetch.as_ref().and_then(|fetch| fetch.quantity.as_ref());
        if let Some(count) = fetch {
            self.check(count, || Checked::Fetch);
        }
        let scope = Scope::within(outer);
        for count in [limit, offset, fetch].into_iter().flatten() {
            let term = self.expr(count, &scope);
            self.row_count(&term);
            self.check(count, || Checked::RowCount(term));
        }
    }

    /// A number of rows: a bigint, and not below 0.
    pub(super) fn row_count(&mut self, term: &Term) {
        self.count(term, Type::Bigint);
    }

    /// A number of this type, and not below 0.
    pub(super) fn count(&mut self, term: &Term, ty: Type) {
        self.must_be(term, ty);
        let occurrence = self.occurrence(term);
        self.found.row_counts.extend(occurrence);
    }

    fn common_table<'s>(&mut self, table: &'a Cte, recursive: bool, outer: Option<&'s Scope<'s, 'a>>) {
        let name = normalized(&table.alias.name);
        let fields = match table.query.body.as_ref() {
            SetExpr::SetOperation { left, right, .. } if recursive && table.query.with.is_none() => {
                let fields = renamed(self.body(left, outer), &table.alias);
                self.tables.push((name.clone(), fields.clone()));
                let further = self.body(right, outer);
                self.tables.pop();
                for (at, (one, other)) in fields.iter().zip(&further).enumerate() {
                    let sides = [(left.as_ref(), &one.term), (right.as_ref(), &other.term)];
                    self.beside_column("UNION", at, sides);
                }
                self.columns_alike("UNION", &fields, &further);
                self.limits(&table.query, outer);
                fields
            }
            _ => renamed(self.query(&table.query, outer), &table.alias),
        };
        self.tables.push((name, fields));
    }

    fn body<'s>(&mut self, body: &'a SetExpr, outer: Option<&'s Scope<'s, 'a>>) -> Vec<Field<'a>> {
        match body {
            SetExpr::Select(select) => self.select(select, None, outer),
            SetExpr::Query(query) => self.query(query, outer),
            SetExpr::SetOperation { left, op, right, .. } => {
                let (first, second) = (left.as_ref(), right.as_ref());
                let (left, right) = (self.body(left, outer), self.body(right, outer));
                let what = match op {
                    sqlparser::ast::SetOperator::Union => "UNION",
                    sqlparser::ast::SetOperator::Intersect => "INTERSECT",
                    sqlparser::ast::SetOperator::Except | sqlparser::ast::SetOperator::Minus => "EXCEPT",
                };
                self.check(body, || Checked::Together(what, left.len(), right.len()));
                for (at, (one, other)) in left.iter().zip(&right).enumerate() {
                    match what {
                        "UNION" => self.beside_column(what, at, [(first, &one.term), (second, &other.term)]),
                        _ => self.beside_at(what, [first.span(), second.span()], [&one.term, &other.term]),
                    }
                }
                let merged = left.into_iter().zip(right.into_iter().map(Some).chain(std::iter::repeat(None)));
                merged
                    .map(|(left, right)| {
                        let terms = [Some(left.term), right.map(|right| right.term)].into_iter().flatten();
                        let term = self.merged(what, terms.collect());
                        Field { name: left.name, term }
                    })
                    .collect()
            }
            SetExpr::Values(values) => {
                let scope = Scope::within(outer);
                let mut columns: Vec<Vec<Term>> = Vec::new();
                for row in &values.rows {
                    for (at, value) in row.content.iter().enumerate() {
                        let term = self.expr(value, &scope);
                        match columns.get_mut(at) {
                            Some(column) => column.push(term),
                            None => columns.push(vec![term]),
                        }
                    }
                }
                let merged = columns.into_iter().enumerate();
                merged.map(|(at, terms)| field(format!("column{}", at + 1), self.merged("VALUES", terms))).collect()
            }
            SetExpr::Table(table) => {
                let name = table.table_name.clone().unwrap_or_default().to_lowercase();
                self.table(&name).map(|relation| relation.fields).unwrap_or_default()
            }
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => Vec::new(),
        }
    }

    fn columns_alike(&mut self, what: &'static str, left: &[Field<'a>], right: &[Field<'a>]) {
        for (left, right) in left.iter().zip(right) {
            self.alike(what, [left.term.clone(), right.term.clone()]);
        }
    }

    fn select<'s>(
        &mut self,
        select: &'a Select,
        order_by: Option<&'a OrderBy>,
        outer: Option<&'s Scope<'s, 'a>>,
    ) -> Vec<Field<'a>> {
        let mut scope = Scope::within(outer);
        for item in &select.from {
            self.from(item, &mut scope);
        }
        if let Some(condition) = &select.selection {
            self.condition(condition, &scope);
        }
        let windows = self.windows.len();
        for window in &select.named_window {
            self.named_window(window, &scope);
        }
        let outputs = self.projection(select, &scope);
        {
            let scope = Scope {
                relations: std::mem::take(&mut scope.relations),
                merged: std::mem::take(&mut scope.merged),
                gone: std::mem::take(&mut scope.gone),
                outputs: Some(&outputs),
                outputs_first: false,
                outer,
            };
            if let GroupByExpr::Expressions(exprs, _) = &select.group_by {
                for expr in exprs {
                    self.expr(expr, &scope);
                }
            }
            for condition in [&select.having, &select.qualify].into_iter().flatten() {
                self.condition(condition, &scope);
            }
            let scope = Scope { outputs_first: true, ..scope };
            if let Some(Distinct::On(exprs)) = &select.distinct {
                for expr in exprs {
                    self.expr(expr, &scope);
                }
            }
            for by in &select.sort_by {
                self.expr(&by.expr, &scope);
            }
            self.order_names(select, order_by, &scope);
            self.order_by(order_by, &scope);
        }
        self.windows.truncate(windows);
        outputs
    }

    fn order_by<'s>(&mut self, order_by: Option<&'a OrderBy>, scope: &'s Scope<'s, 'a>) {
        if let Some(OrderBy { kind: OrderByKind::Expressions(exprs), .. }) = order_by {
            self.sort(exprs, scope);
        }
    }

    pub(super) fn sort<'s>(&mut self, exprs: &'a [OrderByExpr], scope: &'s Scope<'s, 'a>) {
        for by in exprs {
            self.expr(&by.expr, scope);
        }
    }

    /// A condition: a boolean.
    pub(super) fn condition<'s>(&mut self, expr: &'a Expr, scope: &'s Scope<'s, 'a>) {
        let term = self.expr(expr, scope);
        self.must_be(&term, Type::Boolean);
        self.check(expr, || Checked::Condition(term));
    }

    fn projection<'s>(&mut self, select: &'a Select, scope: &'s Scope<'s, 'a>) -> Vec<Field<'a>> {
        let mut fields = Vec::new();
        for item in &select.projection {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    let term = self.expr(expr, scope).as_column();
                    fields.push(Field { name: name_of(expr), term });
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let term = self.expr(expr, scope).as_column();
                    fields.push(field(normalized(alias), term));
                }
                SelectItem::ExprWithAliases { expr, aliases } => {
                    self.expr(expr, scope);
                    fields.extend(aliases.iter().map(|alias| field(normalized(alias), Term::Unknown)));
                }
                SelectItem::Wildcard(options) => {
                    let mut all: Vec<Field<'a>> = Vec::new();
                    for field in scope.relations.iter().flat_map(|relation| &relation.fields) {
                        let is_merged = scope.merged.iter().any(|name| *name == field.name);
                        if !is_merged || !all.iter().any(|known| known.name == field.name) {
                            all.push(field.clone());
                        }
                    }
                    fields.extend(self.wildcard(all, options, scope));
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                    let qualifier = last_of(name);
                    let relation = scope.relations.iter().find(|one| one.qualifier.as_deref() == qualifier.as_deref());
                    let all = relation.map(|relation| relation.fields.clone()).unwrap_or_default();
                    fields.extend(self.wildcard(all, options, scope));
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(expr), _) => {
                    self.expr(expr, scope);
                }
            }
        }
        fields
    }

    /// The columns of a star, less those that are left out, with those that are replaced.
    fn wildcard<'s>(
        &mut self,
        mut fields: Vec<Field<'a>>,
        options: &'a WildcardAdditionalOptions,
        scope: &'s Scope<'s, 'a>,
    ) -> Vec<Field<'a>> {
        let mut left_out: Vec<&Ident> = Vec::new();
        let last = |name: &'a ObjectName| name.0.last().and_then(|part| part.as_ident());
        match &options.opt_exclude {
            Some(ExcludeSelectItem::Single(name)) => left_out.extend(last(name)),
            Some(ExcludeSelectItem::Multiple(names)) => left_out.extend(names.iter().filter_map(last)),
            None => {}
        }
        if let Some(ExceptSelectItem { first_element, additional_elements }) = &options.opt_except {
            left_out.extend([first_element].into_iter().chain(additional_elements));
        }
        // A column without a name of its own has one that only the planner knows.
        let are_named = !fields.is_empty() && fields.iter().all(|field| !field.name.is_empty());
        let are_known = are_named && scope.relations.iter().all(|relation| relation.is_complete);
        for ident in left_out {
            let name = normalized(ident);
            if are_known && !fields.iter().any(|field| field.name == name) {
                self.unknown(std::slice::from_ref(ident), scope);
            }
            fields.retain(|field| field.name != name);
        }
        for item in options.opt_replace.iter().flat_map(|replace| &replace.items) {
            let term = self.expr(&item.expr, scope).as_column();
            let name = normalized(&item.column_name);
            if let Some(field) = fields.iter_mut().find(|field| field.name == name) {
                field.term = term;
            }
        }
        fields
    }

    /// What a part of FROM brings into scope. `scope` is what stands before it, for those that may refer to it.
    pub(super) fn factor<'s>(&mut self, factor: &'a TableFactor, scope: &mut Scope<'s, 'a>) -> Vec<Relation<'a>> {
        let one = match factor {
            TableFactor::Table { name, alias, args: None, .. } => {
                let parts: Option<Vec<String>> = name.0.iter().map(|part| part.as_ident().map(normalized)).collect();
                let relation = match parts.as_deref() {
                    Some([name]) => self.table(name),
                    Some(all @ [_, .., last]) => self.table_within(&all.join("."), last),
                    _ => None,
                };
                with_alias(relation.unwrap_or_default(), alias.as_ref())
            }
            TableFactor::Table { name, alias, args: Some(args), .. } => {
                let relation = self.table_function(name, &args.args, &Scope::within(scope.outer));
                with_alias(relation, alias.as_ref())
            }
            TableFactor::Function { .. } if unnested_lists(factor).is_some() => self.unnested(factor, scope),
            TableFactor::Function { name, args, alias, .. } => {
                let relation = self.table_function(name, args, scope);
                with_alias(relation, alias.as_ref())
            }
            TableFactor::Derived { lateral, subquery, alias, .. } => {
                let fields = if *lateral {
                    let around: &Scope<'_, 'a> = scope;
                    self.query(subquery, Some(around))
                } else {
                    self.query(subquery, scope.outer)
                };
                with_alias(Relation { qualifier: None, fields, is_complete: true }, alias.as_ref())
            }
            TableFactor::UNNEST { .. } => self.unnested(factor, scope),
            TableFactor::NestedJoin { table_with_joins, alias } => {
                let mut inner = Scope::within(scope.outer);
                self.from(table_with_joins, &mut inner);
                scope.merged.append(&mut inner.merged);
                scope.gone.append(&mut inner.gone);
                if alias.is_none() {
                    return inner.relations;
                }
                let fields = inner.relations.into_iter().flat_map(|relation| relation.fields).collect();
                with_alias(Relation { qualifier: None, fields, is_complete: true }, alias.as_ref())
            }
            _ => Relation::default(),
        };
        vec![one]
    }

    /// The items of lists, and their numbers.
    fn unnested<'s>(&mut self, factor: &'a TableFactor, scope: &'s Scope<'s, 'a>) -> Relation<'a> {
        let Some(unnested) = unnested_lists(factor) else { return Relation::default() };
        let mut items = Vec::new();
        for list in &unnested.lists {
            let list = self.expr(list, scope);
            items.push(self.item_of(list));
        }
        let columns = unnested.columns().unwrap_or_default();
        let is_complete = columns.len() >= items.len();
        // Behind the items are their numbers.
        let items = items.into_iter().chain([Term::Typed(DataType::Int64)]);
        let fields = columns.into_iter().zip(items).map(|(name, item)| field(name, item)).collect();
        Relation { qualifier: Some(Cow::Owned(unnested.table())), fields, is_complete }
    }

    /// A common table expression, a query file or a table.
    fn table(&self, name: &str) -> Option<Relation<'a>> {
        let relation = |name: Cow<'a, str>, fields| Relation { qualifier: Some(name), fields, is_complete: true };
        if let Some((_, fields)) = self.tables.iter().rev().find(|(known, _)| known == name) {
            return Some(relation(Cow::Owned(name.to_owned()), fields.clone()));
        }
        if let Some((name, fields)) = self.views.get_key_value(name) {
            return Some(relation(Cow::Borrowed(*name), fields.clone()));
        }
        let (name, table) = self.context.catalog.scanned(name)?;
        let column = |column: &'a crate::catalog::Column| Field {
            name: Cow::Borrowed(column.name.as_str()),
            term: Term::Typed(column.arrow.clone()),
        };
        Some(relation(Cow::Borrowed(name), table.columns.iter().map(column).collect()))
    }

    /// The table of a catalog that is named with its schema; it is known by its `last` name from there on.
    fn table_within(&self, name: &str, last: &str) -> Option<Relation<'a>> {
        let relation = self.context.catalog.tables.contains_key(name).then(|| self.table(name))??;
        Some(Relation { qualifier: Some(Cow::Owned(last.to_owned())), ..relation })
    }

    /// `generate_series(a, b)` and `range(a, b)`: numbers, or points in time and an interval between them.
    fn table_function<'s>(
        &mut self,
        name: &ObjectName,
        args: &'a [FunctionArg],
        scope: &'s Scope<'s, 'a>,
    ) -> Relation<'a> {
        let terms: Vec<Term> = args
            .iter()
            .filter_map(|arg| match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
                | FunctionArg::Named { arg: FunctionArgExpr::Expr(expr), .. } => Some(self.expr(expr, scope)),
                _ => None,
            })
            .collect();
        let name = last_of(name).unwrap_or_default();
        let mut fields = Vec::new();
        if matches!(name.as_str(), "generate_series" | "range") {
            let known: Vec<DataType> = terms.iter().filter_map(|term| self.known(term)).collect();
            let is_temporal = |ty: &&DataType| matches!(ty, DataType::Date32 | DataType::Timestamp(..));
            let has_step = known.iter().any(|ty| matches!(ty, DataType::Interval(_)));
            let temporal = known.iter().find(is_temporal).and_then(Type::from_arrow);
            if temporal.is_none() && has_step {
                let bounds = terms.iter().take(2).filter_map(|term| self.occurrence(term)).collect::<Vec<_>>();
                self.found.series.extend(bounds);
                fields.push(field("value", Term::Unknown));
                return series(name, fields);
            }
            let (bound, step) = match &temporal {
                Some(ty) => (ty.clone(), Type::Interval),
                None => (Type::Bigint, Type::Bigint),
            };
            for (at, term) in terms.iter().enumerate() {
                self.must_be(term, if at < 2 { bound.clone() } else { step.clone() });
            }
            // Series of dates come as timestamps.
            let value = match temporal {
                Some(Type::Date) => Type::Timestamp(9),
                _ => bound,
            };
            fields.push(field("value", Term::Typed(value.to_arrow())));
        }
        series(name, fields)
    }
}

fn series<'a>(name: String, fields: Vec<Field<'a>>) -> Relation<'a> {
    Relation { qualifier: Some(Cow::Owned(format!("{name}()"))), is_complete: !fields.is_empty(), fields }
}

/// The name that a column without an alias goes by, where it has one.
fn name_of<'a>(expr: &Expr) -> Cow<'a, str> {
    match expr {
        Expr::Identifier(ident) => Cow::Owned(normalized(ident)),
        Expr::CompoundIdentifier(parts) => Cow::Owned(parts.last().map(normalized).unwrap_or_default()),
        Expr::Nested(inner) => name_of(inner),
        // The planner's rendering, which nobody refers to.
        _ => Cow::Borrowed(""),
    }
}

pub(super) fn last_of(name: &ObjectName) -> Option<String> {
    name.0.last()?.as_ident().map(normalized)
}

fn renamed<'a>(mut fields: Vec<Field<'a>>, alias: &TableAlias) -> Vec<Field<'a>> {
    for (field, column) in fields.iter_mut().zip(&alias.columns) {
        field.name = Cow::Owned(normalized(&column.name));
    }
    fields
}

fn with_alias<'a>(mut relation: Relation<'a>, alias: Option<&TableAlias>) -> Relation<'a> {
    if let Some(alias) = alias {
        relation.qualifier = Some(Cow::Owned(normalized(&alias.name)));
        if !alias.columns.is_empty() && alias.columns.len() == relation.fields.len() {
            relation.is_complete = true;
        }
        relation.fields = renamed(relation.fields, alias);
    }
    relation
}

/// The names of idents, as the planner sees them.
pub(super) fn names(idents: &[Ident]) -> Vec<String> {
    idents.iter().map(normalized).collect()
}
