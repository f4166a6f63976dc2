//! A region of inner joins, taken apart into relations and conditions.

use super::estimate::Estimate;
use super::search::{Class, CompositeKey, Condition, Graph, Set, Tree};
use super::selectivity::selectivity;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::TreeNode;
use datafusion::common::{Column, JoinType, NullEquality};
use datafusion::logical_expr::utils::{conjunction, split_conjunction};
use datafusion::logical_expr::{BinaryExpr, Expr, LogicalPlan, Operator};
use std::collections::HashMap;

/// A column whose values are nearly as many as the rows of its relation may be what others refer to.
const NEARLY: f64 = 0.9;

/// A region of inner joins.
pub(super) struct Region {
    /// What is joined, in the order of the query.
    pub(super) relations: Vec<LogicalPlan>,
    /// Columns that are equal, with their relations; of a relation at most one.
    pub(super) classes: Vec<Vec<(Column, usize)>>,
    /// All other conditions on several relations.
    pub(super) conditions: Vec<(Expr, Condition)>,
    /// The conditions on one relation, by relation.
    pub(super) filters: Vec<Vec<Expr>>,
    /// The conditions on none.
    pub(super) constants: Vec<Expr>,
    /// The query's own order.
    pub(super) tree: Tree,
}

/// Whether a node belongs to a region: an inner join, or a filter or a choice of columns above one.
pub(super) fn is_part(plan: &LogicalPlan) -> bool {
    match plan {
        // Keys where null equals null are equalities of another kind.
        LogicalPlan::Join(join) => {
            let has_usual_keys = join.on.is_empty() || join.null_equality == NullEquality::NullEqualsNothing;
            join.join_type == JoinType::Inner && has_usual_keys
        }
        LogicalPlan::Filter(filter) => is_part(&filter.input),
        LogicalPlan::Projection(projection) => {
            // A column keeps its name, so that conditions above speak of the same one.
            let is_same = |(expr, name): (&Expr, Column)| expr.try_as_col().is_some_and(|column| *column == name);
            projection.expr.iter().zip(projection.schema.columns()).all(is_same) && is_part(&projection.input)
        }
        _ => false,
    }
}

impl Region {
    /// The region below a node of one; `None` where it must stay as it is.
    pub(super) fn of(plan: &LogicalPlan) -> Option<Region> {
        let mut found = Found::default();
        let tree = found.take(plan);
        found.region(tree)
    }

    /// What the search is to know.
    pub(super) fn graph(&mut self, estimates: &[Estimate]) -> Option<Graph> {
        let with_filter = |(estimate, filters): (&Estimate, &Vec<Expr>)| {
            estimate.clone().filtered(conjunction(filters.iter().cloned()))
        };
        let estimates: Vec<Estimate> = estimates.iter().zip(&self.filters).map(with_filter).collect();
        let classes: Vec<Class> =
            self.classes.iter().map(|class| class_of(class, &estimates)).collect::<Option<_>>()?;
        let all = Estimate {
            rows: 1.0,
            base: estimates.iter().map(|estimate| estimate.base).fold(1.0, f64::max),
            columns: estimates.iter().flat_map(|estimate| estimate.columns.clone()).collect(),
            key: Vec::new(),
        };
        for (expr, condition) in &mut self.conditions {
            condition.selectivity = match condition.sides {
                // As if the side with fewer rows was referred to by the other.
                Some((left, right)) => 1.0 / rows(left, &estimates).min(rows(right, &estimates)).max(1.0),
                None => selectivity(expr, &all),
            };
        }
        let keys = estimates.iter().enumerate();
        let keys = keys.filter_map(|(at, estimate)| self.composite_key((at, estimate), &classes)).collect();
        let conditions = self.conditions.iter().map(|(_, condition)| condition.clone()).collect();
        Some(Graph { rows: estimates.iter().map(|estimate| estimate.rows).collect(), classes, conditions, keys })
    }

    fn composite_key(&self, (at, owner): (usize, &Estimate), classes: &[Class]) -> Option<CompositeKey> {
        if owner.key.len() < 2 {
            return None;
        }
        let class = |key: &Column| self.classes.iter().position(|class| class.iter().any(|(column, _)| column == key));
        let of_key = owner.key.iter().map(|key| classes.get(class(key)?)).collect::<Option<Vec<&Class>>>()?;
        let owner_set: Set = 1 << at;
        // Only where all columns of the key are told: part of a key finds many rows, as the classes say by themselves.
        let referring = of_key.iter().fold(!owner_set, |set, class| set & class.members);
        let gain = of_key.iter().map(|class| class.distinct).product::<f64>() / owner.base.max(1.0);
        Some(CompositeKey { owner: owner_set, referring, gain }).filter(|key| key.gain > 1.0)
    }
}

/// The rows before any filter of the largest relation of a set.
fn rows(set: Set, estimates: &[Estimate]) -> f64 {
    let rows = estimates.iter().enumerate().filter(|(at, _)| set & (1 << at) != 0).map(|(_, estimate)| estimate.base);
    rows.fold(1.0, f64::max)
}

/// The columns of a class refer to one of them: to a declared key; else to the smallest that may be one.
fn class_of(columns: &[(Column, usize)], estimates: &[Estimate]) -> Option<Class> {
    let (mut members, mut keys, mut candidates, mut others) = (0, 0.0_f64, f64::INFINITY, 1.0_f64);
    for (column, at) in columns {
        let estimate = estimates.get(*at)?;
        members |= 1 << at;
        let distinct = estimate.distinct(column).unwrap_or(estimate.base);
        if estimate.key.as_slice() == [column.clone()] {
            keys = keys.max(distinct);
        }
        if distinct >= estimate.base * NEARLY {
            candidates = candidates.min(distinct);
        }
        others = others.max(distinct);
    }
    let distinct = if keys > 0.0 { keys } else { Some(candidates).filter(|most| most.is_finite()).unwrap_or(others) };
    Some(Class { members, distinct })
}

/// A region on the way.
#[derive(Default)]
struct Found {
    relations: Vec<LogicalPlan>,
    conditions: Vec<Expr>,
}

impl Found {
    fn take(&mut self, plan: &LogicalPlan) -> Tree {
        if !is_part(plan) {
            self.relations.push(plan.clone());
            return Tree::Relation(self.relations.len() - 1);
        }
        match plan {
            LogicalPlan::Join(join) => {
                self.conditions.extend(join.on.iter().map(|(left, right)| left.clone().eq(right.clone())));
                self.conditions.extend(join.filter.iter().flat_map(split_conjunction).cloned());
                Tree::Join(Box::new(self.take(&join.left)), Box::new(self.take(&join.right)))
            }
            LogicalPlan::Filter(filter) => {
                self.conditions.extend(split_conjunction(&filter.predicate).into_iter().cloned());
                self.take(&filter.input)
            }
            LogicalPlan::Projection(projection) => self.take(&projection.input),
            other => {
                self.relations.push(other.clone());
                Tree::Relation(self.relations.len() - 1)
            }
        }
    }

    fn region(self, tree: Tree) -> Option<Region> {
        let Found { relations, conditions } = self;
        if relations.len() > Set::BITS as usize - 1 {
            return None;
        }
        let owners = Owners::of(&relations)?;
        // One condition that is bound to its place keeps the whole region as it is: moved joins would move it as well.
        let filters = vec![Vec::new(); relations.len()];
        let mut region =
            Region { relations, classes: Vec::new(), conditions: Vec::new(), filters, constants: Vec::new(), tree };
        let mut classes: Vec<Vec<(Column, usize)>> = Vec::new();
        for condition in conditions {
            if !is_movable(&condition) {
                return None;
            }
            match owners.equality(&condition) {
                Some((one, other)) => unite(&mut classes, one, other),
                None => region.add(condition, &owners)?,
            }
        }
        for class in classes {
            region.add_class(class);
        }
        Some(region)
    }
}

impl Region {
    fn add(&mut self, expr: Expr, owners: &Owners) -> Option<()> {
        let relations = owners.set(&expr)?;
        if relations == 0 {
            self.constants.push(expr);
        } else if relations.count_ones() == 1 {
            self.filters.get_mut(relations.trailing_zeros() as usize)?.push(expr);
        } else {
            let sides = owners.sides(&expr);
            self.conditions.push((expr, Condition { relations, sides, selectivity: 1.0 }));
        }
        Some(())
    }

    /// Takes one column of every relation; what is equal within a relation is a filter of it.
    fn add_class(&mut self, class: Vec<(Column, usize)>) {
        let mut kept: Vec<(Column, usize)> = Vec::new();
        for (column, at) in class {
            match kept.iter().find(|(_, owner)| *owner == at) {
                Some((first, _)) => {
                    let filter = Expr::Column(first.clone()).eq(Expr::Column(column));
                    self.filters.get_mut(at).into_iter().for_each(|filters| filters.push(filter.clone()));
                }
                None => kept.push((column, at)),
            }
        }
        if kept.len() > 1 {
            self.classes.push(kept);
        }
    }
}

/// Puts two columns into one class.
fn unite(classes: &mut Vec<Vec<(Column, usize)>>, one: (Column, usize), other: (Column, usize)) {
    let (touched, mut rest): (Vec<_>, Vec<_>) =
        std::mem::take(classes).into_iter().partition(|class| class.contains(&one) || class.contains(&other));
    let mut united: Vec<(Column, usize)> = touched.into_iter().flatten().collect();
    for column in [one, other] {
        if !united.contains(&column) {
            united.push(column);
        }
    }
    rest.push(united);
    *classes = rest;
}

/// Whether a condition means the same wherever it stands.
fn is_movable(condition: &Expr) -> bool {
    let is_bound = |expr: &Expr| {
        expr.is_volatile_node()
            || match expr {
                Expr::OuterReferenceColumn(..) => true,
                Expr::ScalarSubquery(subquery) => !subquery.outer_ref_columns.is_empty(),
                Expr::Exists(_) | Expr::InSubquery(_) | Expr::SetComparison(_) => true,
                _ => false,
            }
    };
    !condition.exists(|expr| Ok(is_bound(expr))).unwrap_or(true)
}

/// Which relation a column is from.
struct Owners(HashMap<Column, (usize, DataType)>);

impl Owners {
    /// `None` where two relations have a column of the same name.
    fn of(relations: &[LogicalPlan]) -> Option<Owners> {
        let mut owners = HashMap::new();
        for (at, relation) in relations.iter().enumerate() {
            for (qualifier, field) in relation.schema().iter() {
                let column = Column::new(qualifier.cloned(), field.name());
                owners.insert(column, (at, field.data_type().clone())).is_none().then_some(())?;
            }
        }
        Some(Owners(owners))
    }

    /// The relations that an expression speaks of; `None` where it speaks of something else.
    fn set(&self, expr: &Expr) -> Option<Set> {
        let owner = |column: &&Column| self.0.get(*column).map(|(at, _)| 1 << at);
        expr.column_refs().iter().map(owner).try_fold(0, |set, owner| Some(set | owner?))
    }

    /// The two columns that a condition takes for equal.
    fn equality(&self, condition: &Expr) -> Option<((Column, usize), (Column, usize))> {
        let (left, right) = equality(condition)?;
        let (left, right) = (left.try_as_col()?, right.try_as_col()?);
        let ((one, its_type), (other, also)) = (self.0.get(left)?, self.0.get(right)?);
        // Of two types, one side is cast, and the cast stays a condition: `1` and `1.0` are equal, and no one column.
        (left != right && its_type == also).then(|| ((left.clone(), *one), (right.clone(), *other)))
    }

    /// The relations of an equality's sides, where they have none in common.
    fn sides(&self, condition: &Expr) -> Option<(Set, Set)> {
        let (left, right) = equality(condition)?;
        let (left, right) = (self.set(left)?, self.set(right)?);
        (left != 0 && right != 0 && left & right == 0).then_some((left, right))
    }
}

/// The sides of an equality.
pub(super) fn equality(condition: &Expr) -> Option<(&Expr, &Expr)> {
    match condition {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => Some((left, right)),
        _ => None,
    }
}
