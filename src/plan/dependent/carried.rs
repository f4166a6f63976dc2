//! A subquery asked for many outer rows at once: each of its operators takes the outer rows along.
//!
//! What comes out has the columns of the outer rows, those of the subquery, and a mark. Where only matches are wanted, an
//! outer row stands beside each row that the subquery has for it. Where all outer rows are wanted, one that the subquery has
//! no row for is there once, without the mark: then an aggregate counts nothing for it, and a LIMIT of it is not reached.

use super::frame::{Frame, Numbered, filtered, projected, renamed_columns, subquery_of, where_there, with_number};
use datafusion::common::alias::AliasGenerator;
use datafusion::common::tree_node::TreeNode;
use datafusion::common::{Column, JoinType, NullHandling, Result, not_impl_err};
use datafusion::functions_nested::empty::array_empty;
use datafusion::logical_expr::expr::{AggregateFunction, Case, Sort};
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{
    Aggregate, Distinct, EmptyRelation, Expr, FetchType, Join, Limit, LogicalPlan, LogicalPlanBuilder, Projection,
    SkipType, SubqueryAlias, Unnest, Values, Window, lit,
};
use std::sync::Arc;

/// Which outer rows come out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Those that the subquery has rows for.
    Matched,
    /// All.
    All,
}

/// Whether the subquery has exactly one row, or none, for each outer row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rows {
    One,
    Any,
}

/// The rows of a subquery beside the outer rows.
#[derive(Debug)]
pub(super) struct Carried {
    /// The rows.
    pub plan: LogicalPlan,
    /// What is null where the subquery has no row; `None` where it has one everywhere.
    pub mark: Option<Column>,
    /// The number that an ORDER BY gave the rows of each outer row.
    order: Option<Order>,
    rows: Rows,
}

/// Numbers of rows in an order.
#[derive(Debug, Clone)]
struct Order {
    number: Column,
    gaps: Gaps,
}

/// Whether numbers are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gaps {
    None,
    Possible,
}

/// Carries outer rows through a subquery.
#[derive(Clone, Copy)]
pub(super) struct Carrier<'a> {
    /// The outer rows.
    pub frame: &'a Frame,
    /// Which of them come out.
    pub keep: Keep,
    /// Names that nothing else has.
    pub unique: &'a AliasGenerator,
}

/// Whether rows have to be told apart for a subquery. `keep` is for those that go through it.
pub(super) fn numbered_for(plan: &LogicalPlan, keep: Keep, is_tied: &dyn Fn(&LogicalPlan) -> bool) -> Numbered {
    if !is_tied(plan) {
        return Numbered::No;
    }
    match plan {
        LogicalPlan::Projection(_)
        | LogicalPlan::SubqueryAlias(_)
        | LogicalPlan::Subquery(_)
        | LogicalPlan::Unnest(_) => {
            plan.inputs().first().map_or(Numbered::No, |input| numbered_for(input, keep, is_tied))
        }
        LogicalPlan::Filter(filter)
            if keep == Keep::Matched || !is_tied(&filter.input) && !has_subquery(&filter.predicate) =>
        {
            numbered_for(&filter.input, keep, is_tied)
        }
        LogicalPlan::Values(_) => Numbered::No,
        _ => Numbered::Yes,
    }
}

impl Carrier<'_> {
    /// The rows of a subquery, beside each outer row those that it has for it.
    ///
    /// Errors: a part that goes by the outer rows and that they cannot be carried through.
    pub(super) fn carried(&self, node: &LogicalPlan) -> Result<Carried> {
        if !self.frame.ties(node) {
            return self.joined(node, Vec::new());
        }
        match node {
            LogicalPlan::Subquery(it) => self.carried(&it.subquery),
            LogicalPlan::SubqueryAlias(it) => self.renamed(node, it),
            LogicalPlan::Projection(it) => self.computed(node, it),
            LogicalPlan::Filter(it) => {
                let conditions = split_conjunction_owned(it.predicate.clone());
                if !self.frame.ties(&it.input) {
                    return self.joined(&it.input, conditions);
                }
                let below = self.carried(&it.input)?;
                self.kept(below, self.frame.inside(it.predicate.clone(), &it.input)?)
            }
            LogicalPlan::Sort(it) => {
                let below = self.carried(&it.input)?;
                let sorted = self.sorted(below, &it.expr, &it.input)?;
                match it.fetch {
                    Some(fetch) => self.cut(sorted, 0, Some(fetch)),
                    None => Ok(sorted),
                }
            }
            LogicalPlan::Limit(it) => {
                let (skip, fetch) = bounds(it)?;
                let below = self.carried(&it.input)?;
                self.cut(below, skip, fetch)
            }
            LogicalPlan::Aggregate(it) => self.aggregated(node, it),
            LogicalPlan::Window(it) => self.windowed(node, it),
            LogicalPlan::Distinct(Distinct::All(input)) => {
                let below = self.carried(input)?;
                let columns = self.columns(&below, node);
                let plan = LogicalPlanBuilder::from(projected(columns, below.plan)?).distinct()?.build()?;
                Ok(Carried { plan, mark: below.mark, order: None, rows: below.rows })
            }
            LogicalPlan::Unnest(it) => self.unnested(node, it),
            LogicalPlan::Join(it) => self.both(it),
            LogicalPlan::Values(it) => self.values(node, it),
            LogicalPlan::Union(_) => not_impl_err!("a correlated subquery of UNION"),
            _ => not_impl_err!("a correlated subquery of this kind"),
        }
    }

    /// The columns of the outer rows, of an operator of the subquery, and the mark.
    fn columns(&self, carried: &Carried, node: &LogicalPlan) -> Vec<Expr> {
        let mut columns = self.frame.columns();
        columns.extend(node.schema().columns().into_iter().map(Expr::Column));
        columns.extend(carried.mark.clone().map(Expr::Column));
        columns
    }

    /// Other columns for those of the subquery, called as those of an operator. The order of the rows stays.
    fn replaced(&self, carried: Carried, node: &LogicalPlan, own: Vec<Expr>) -> Result<Carried> {
        let mut columns = self.frame.columns();
        for (expr, column) in own.into_iter().zip(node.schema().columns()) {
            columns.push(match expr {
                Expr::Column(same) if same == column => Expr::Column(same),
                expr => expr.alias_qualified(column.relation, column.name),
            });
        }
        columns.extend(carried.mark.clone().map(Expr::Column));
        columns.extend(carried.order.as_ref().map(|order| Expr::Column(order.number.clone())));
        Ok(Carried { plan: projected(columns, carried.plan)?, ..carried })
    }

    fn renamed(&self, node: &LogicalPlan, alias: &SubqueryAlias) -> Result<Carried> {
        let below = self.carried(&alias.input)?;
        let own = alias.input.schema().columns().into_iter().map(Expr::Column).collect();
        self.replaced(below, node, own)
    }

    fn computed(&self, node: &LogicalPlan, projection: &Projection) -> Result<Carried> {
        let below = self.carried(&projection.input)?;
        let own = projection.expr.iter().map(|expr| self.where_marked(expr, &below, &projection.input));
        let own = own.collect::<Result<Vec<_>>>()?;
        self.replaced(below, node, own)
    }

    /// An expression of the subquery. It is not evaluated for outer rows without a row of it.
    fn where_marked(&self, expr: &Expr, below: &Carried, input: &LogicalPlan) -> Result<Expr> {
        let expr = self.frame.inside(expr.clone().unalias(), input)?;
        Ok(match (&below.mark, expr) {
            (_, expr @ (Expr::Column(_) | Expr::Literal(..))) | (None, expr) => expr,
            (Some(mark), expr) => where_there(mark, expr),
        })
    }

    /// The outer rows joined with what does not go by them.
    fn joined(&self, inner: &LogicalPlan, conditions: Vec<Expr>) -> Result<Carried> {
        if let LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row: true, schema }) = inner
            && schema.fields().is_empty()
        {
            let alone = Carried { plan: self.frame.plan.clone(), mark: None, order: None, rows: Rows::One };
            return match conjunction(conditions) {
                Some(condition) => self.kept(alone, self.frame.inside(condition, inner)?),
                None => Ok(alone),
            };
        }
        let is_own = |expr: &Expr| {
            !self.frame.ties_expr(expr)
                && expr.column_refs().into_iter().all(|column| inner.schema().has_column(column))
        };
        let (own, others): (Vec<_>, Vec<_>) = conditions.into_iter().partition(is_own);
        let (behind, on): (Vec<_>, Vec<_>) = others.into_iter().partition(has_subquery);
        let right = match conjunction(own) {
            Some(condition) => filtered(inner.clone(), condition)?,
            None => inner.clone(),
        };
        let on = on.into_iter().map(|expr| self.frame.inside(expr, inner)).collect::<Result<Vec<_>>>()?;
        let left = LogicalPlanBuilder::from(self.frame.plan.clone());
        let carried = match self.keep {
            Keep::Matched => {
                let plan = left.join_on(right, JoinType::Inner, on)?.build()?;
                Carried { plan, mark: None, order: None, rows: Rows::Any }
            }
            Keep::All => {
                let mark = Column::new_unqualified(self.unique.next("qtool_found"));
                let mut columns: Vec<Expr> = right.schema().columns().into_iter().map(Expr::Column).collect();
                columns.push(lit(true).alias(&mark.name));
                // An outer join without a condition has no operator.
                let on = if on.is_empty() { vec![lit(true)] } else { on };
                let plan = left.join_on(projected(columns, right)?, JoinType::Left, on)?.build()?;
                Carried { plan, mark: Some(mark), order: None, rows: Rows::Any }
            }
        };
        match conjunction(behind) {
            Some(condition) => self.kept(carried, self.frame.inside(condition, inner)?),
            None => Ok(carried),
        }
    }

    /// The rows of which a condition holds. An outer row of which none does stays without the mark, where all are wanted.
    pub(super) fn kept(&self, carried: Carried, condition: Expr) -> Result<Carried> {
        let order = carried.order.map(|order| Order { gaps: Gaps::Possible, ..order });
        let carried = Carried { order, ..carried };
        if self.keep == Keep::Matched {
            return Ok(Carried { plan: filtered(carried.plan, condition)?, ..carried });
        }
        let condition = match &carried.mark {
            Some(mark) => where_there(mark, condition),
            None => condition,
        };
        let holds = Column::new_unqualified(self.unique.next("qtool_holds"));
        let mark = Column::new_unqualified(self.unique.next("qtool_found"));
        let mut columns: Vec<Expr> = carried.plan.schema().columns().into_iter().map(Expr::Column).collect();
        columns.push(condition.is_true().alias(&holds.name));
        let mut plan = projected(columns, carried.plan)?;
        if carried.rows == Rows::Any {
            let number = Column::new_unqualified(self.unique.next("qtool_number"));
            let first = Expr::Column(holds.clone()).sort(false, false);
            plan = with_number(plan, self.parts()?, vec![first], &number)?;
            let is_first = Expr::Column(number).eq(lit(1_u64));
            plan = filtered(plan, Expr::Column(holds.clone()).or(is_first))?;
        }
        let found = Case {
            expr: None,
            when_then_expr: vec![(Box::new(Expr::Column(holds)), Box::new(lit(true)))],
            else_expr: None,
        };
        let mut columns: Vec<Expr> = plan.schema().columns().into_iter().map(Expr::Column).collect();
        columns.push(Expr::Case(found).alias(&mark.name));
        Ok(Carried { plan: projected(columns, plan)?, mark: Some(mark), ..carried })
    }

    /// What the rows of one outer row have in common.
    fn parts(&self) -> Result<Vec<Expr>> {
        match self.frame.key.clone() {
            Some(key) => Ok(vec![Expr::Column(key)]),
            None => not_impl_err!("a correlated subquery of which the outer rows are not told apart"),
        }
    }

    fn sorted(&self, below: Carried, by: &[Sort], input: &LogicalPlan) -> Result<Carried> {
        if self.frame.key.is_none() {
            return Ok(below);
        }
        let by = by
            .iter()
            .map(|sort| {
                let expr = self.where_marked(&sort.expr, &below, input)?;
                Ok(Sort { expr, asc: sort.asc, nulls_first: sort.nulls_first })
            })
            .collect::<Result<Vec<_>>>()?;
        let number = Column::new_unqualified(self.unique.next("qtool_number"));
        let plan = with_number(below.plan, self.parts()?, by, &number)?;
        Ok(Carried { plan, order: Some(Order { number, gaps: Gaps::None }), ..below })
    }

    /// So many rows of each outer row, behind those that are skipped.
    fn cut(&self, below: Carried, skip: usize, fetch: Option<usize>) -> Result<Carried> {
        let is_whole = skip == 0 && fetch.is_none_or(|fetch| fetch > 0 && below.rows == Rows::One);
        if is_whole {
            return Ok(below);
        }
        let (plan, number) = match below.order.clone() {
            Some(Order { number, gaps: Gaps::None }) => (below.plan, number),
            order => {
                let number = Column::new_unqualified(self.unique.next("qtool_number"));
                let by = order.map(|order| Expr::Column(order.number).sort(true, true));
                (with_number(below.plan, self.parts()?, by.into_iter().collect(), &number)?, number)
            }
        };
        let below = Carried { plan, ..below };
        let (skipped, number) = (skip as u64, Expr::Column(number));
        let last = fetch.map(|fetch| number.clone().lt_eq(lit(skipped.saturating_add(fetch as u64))));
        let rows = if fetch == Some(1) { Rows::One } else { below.rows };
        if skip == 0 && fetch != Some(0) {
            let plan = match last {
                Some(last) => filtered(below.plan, last)?,
                None => below.plan,
            };
            return Ok(Carried { plan, rows, ..below });
        }
        let first = (skip > 0).then(|| number.gt(lit(skipped)));
        let condition = conjunction(first.into_iter().chain(last)).unwrap_or_else(|| lit(true));
        Ok(Carried { rows, ..self.kept(below, condition)? })
    }

    fn aggregated(&self, node: &LogicalPlan, aggregate: &Aggregate) -> Result<Carried> {
        let is_one = aggregate.group_expr.is_empty();
        let keep = if is_one { Keep::All } else { self.keep };
        let below = Carrier { keep, ..*self }.carried(&aggregate.input)?;
        let mut columns: Vec<Expr> = below.plan.schema().columns().into_iter().map(Expr::Column).collect();
        let mut groups = self.frame.columns();
        if !is_one {
            groups.extend(below.mark.clone().map(Expr::Column));
        }
        let given = groups.len();
        for group in &aggregate.group_expr {
            if matches!(group, Expr::GroupingSet(_)) {
                return not_impl_err!("a correlated subquery of grouping sets");
            }
            let name = self.unique.next("qtool_group");
            columns.push(self.where_marked(group, &below, &aggregate.input)?.alias(&name));
            groups.push(Expr::Column(Column::new_unqualified(name)));
        }
        let functions = aggregate.aggr_expr.iter().map(|expr| self.aggregate(expr, &below, &aggregate.input));
        let functions = functions.collect::<Result<Vec<_>>>()?;
        let input = projected(columns, below.plan)?;
        let plan = LogicalPlan::Aggregate(Aggregate::try_new(Arc::new(input), groups, functions)?);
        let own = plan.schema().columns().into_iter().skip(given).map(Expr::Column).collect();
        let (mark, rows) = if is_one { (None, Rows::One) } else { (below.mark, Rows::Any) };
        self.replaced(Carried { plan, mark, order: None, rows }, node, own)
    }

    /// An aggregate function of the rows that the subquery has.
    fn aggregate(&self, expr: &Expr, below: &Carried, input: &LogicalPlan) -> Result<Expr> {
        let Expr::AggregateFunction(AggregateFunction { func, mut params }) = expr.clone().unalias() else {
            return not_impl_err!("a correlated subquery of an aggregate of this kind");
        };
        let there = |expr: &Expr| self.where_marked(expr, below, input);
        params.args = params.args.iter().map(there).collect::<Result<_>>()?;
        for sort in &mut params.order_by {
            sort.expr = there(&sort.expr)?;
        }
        let own = params.filter.take().map(|filter| there(&filter)).transpose()?;
        let found = below.mark.clone().map(|mark| Expr::Column(mark).is_not_null());
        params.filter = conjunction(found.into_iter().chain(own)).map(Box::new);
        Ok(Expr::AggregateFunction(AggregateFunction { func, params }))
    }

    fn windowed(&self, node: &LogicalPlan, window: &Window) -> Result<Carried> {
        let below = self.carried(&window.input)?;
        let given: Vec<Expr> = window.input.schema().columns().into_iter().map(Expr::Column).collect();
        let mut functions = Vec::new();
        for expr in &window.window_expr {
            let Expr::WindowFunction(mut function) = self.frame.inside(expr.clone().unalias(), &window.input)? else {
                return not_impl_err!("a correlated subquery of a window of this kind");
            };
            function.params.partition_by.extend(self.parts()?);
            functions.push(Expr::WindowFunction(function));
        }
        let before = below.plan.schema().fields().len();
        let plan = LogicalPlan::Window(Window::try_new(functions, Arc::new(below.plan))?);
        let computed = plan.schema().columns().into_iter().skip(before).map(Expr::Column);
        let computed = computed.map(|column| match &below.mark {
            Some(mark) => where_there(mark, column),
            None => column,
        });
        let own = given.into_iter().chain(computed).collect();
        self.replaced(Carried { plan, order: None, ..below }, node, own)
    }

    fn unnested(&self, node: &LogicalPlan, unnest: &Unnest) -> Result<Carried> {
        if unnest.list_type_columns.iter().any(|(_, list)| list.depth != 1) {
            return not_impl_err!("a correlated subquery of lists of lists that are taken apart at once");
        }
        let below = self.carried(&unnest.input)?;
        let schema = unnest.input.schema();
        let mut options = unnest.options.clone();
        let is_list = |at: &usize| unnest.list_type_columns.iter().any(|(list, _)| list == at);
        let lists = (0..schema.fields().len()).filter(is_list).map(|at| Column::from(schema.qualified_field(at)));
        let lists: Vec<Expr> = lists.map(Expr::Column).collect();
        let vanishes = options.null_handling == NullHandling::Drop && !lists.is_empty();
        let rows = if lists.is_empty() { below.rows } else { Rows::Any };
        let mut columns: Vec<Expr> = self.frame.columns();
        columns.extend(schema.columns().into_iter().map(Expr::Column));
        let mark = if self.keep == Keep::All && vanishes {
            // One row stays for lists without items: without the mark, as it has none.
            options.null_handling = NullHandling::PreserveAndExpandEmpty;
            let has_items = lists.into_iter().map(|list| array_empty(list).is_false()).reduce(Expr::or);
            let there = below.mark.clone().map(|mark| Expr::Column(mark).is_not_null());
            let condition = conjunction(there.into_iter().chain(has_items)).unwrap_or_else(|| lit(true));
            let found = vec![(Box::new(condition), Box::new(lit(true)))];
            let mark = Column::new_unqualified(self.unique.next("qtool_found"));
            columns.push(Expr::Case(Case { expr: None, when_then_expr: found, else_expr: None }).alias(&mark.name));
            Some(mark)
        } else {
            columns.extend(below.mark.clone().map(Expr::Column));
            below.mark
        };
        let input = projected(columns, below.plan)?;
        let plan = LogicalPlan::Unnest(Unnest::try_new(Arc::new(input), unnest.exec_columns.clone(), options)?);
        let own = node.schema().columns().into_iter().map(Expr::Column).collect();
        self.replaced(Carried { plan, mark, order: None, rows }, node, own)
    }

    /// A join in the subquery: the outer rows are carried through its left side, and what comes out through its right one.
    fn both(&self, join: &Join) -> Result<Carried> {
        if !matches!(join.join_type, JoinType::Inner | JoinType::Left) {
            return not_impl_err!("a correlated subquery of a join that keeps other rows than a LEFT JOIN");
        }
        let left = self.carried(&join.left)?;
        let on = join.on.iter().map(|(left, right)| left.clone().eq(right.clone()));
        let conditions: Vec<Expr> =
            on.chain(join.filter.clone().into_iter().flat_map(split_conjunction_owned)).collect();
        let keep = if join.join_type == JoinType::Left { Keep::All } else { self.keep };
        let mut given: Vec<Expr> = join.left.schema().columns().into_iter().map(Expr::Column).collect();
        let right = if self.frame.ties(&join.right) {
            // Within the right side there may be columns that are called as those of the left one.
            let own = |column: Column| (column, Column::new_unqualified(self.unique.next("qtool_left")));
            let names: Vec<(Column, Column)> = join.left.schema().columns().into_iter().map(own).collect();
            let mut columns = self.frame.columns();
            columns.extend(left.mark.clone().map(Expr::Column));
            columns.extend(names.iter().map(|(from, to)| Expr::Column(from.clone()).alias(&to.name)));
            given = names.iter().map(|(_, to)| Expr::Column(to.clone())).collect();
            let plan = projected(columns, left.plan)?;
            let frame = Frame { plan, names: self.frame.names.clone(), key: None }.numbered(self.unique)?;
            let inner = Carrier { frame: &frame, keep, ..*self };
            let below = inner.carried(&join.right)?;
            match conjunction(conditions) {
                Some(condition) => {
                    let condition = renamed_columns(self.frame.inside(condition, &join.right)?, &names)?;
                    inner.kept(below, condition)?
                }
                None => below,
            }
        } else {
            let frame = Frame { plan: left.plan, names: self.frame.names.clone(), key: None };
            Carrier { frame: &frame, keep, ..*self }.joined(&join.right, conditions)?
        };
        let node = LogicalPlan::Join(join.clone());
        let found = join.right.schema().columns().into_iter().map(Expr::Column).map(|column| match &right.mark {
            Some(mark) => where_there(mark, column),
            None => column,
        });
        let own: Vec<Expr> = given.into_iter().chain(found).collect();
        if join.join_type == JoinType::Left || self.keep == Keep::Matched {
            let both = Carried { plan: right.plan, mark: left.mark, order: None, rows: Rows::Any };
            return self.replaced(both, &node, own);
        }
        let marks = [left.mark, right.mark].into_iter().flatten().map(|mark| Expr::Column(mark).is_not_null());
        let both = Carried { plan: right.plan, mark: None, order: None, rows: Rows::Any };
        let kept = self.kept(both, conjunction(marks).unwrap_or_else(|| lit(true)))?;
        self.replaced(kept, &node, own)
    }

    /// `VALUES (t.a), (t.b)`: the outer rows beside the numbers of the rows.
    fn values(&self, node: &LogicalPlan, values: &Values) -> Result<Carried> {
        let number = Column::new_unqualified(self.unique.next("qtool_number"));
        let numbers = (0_i64..).zip(&values.values).map(|(at, _)| vec![lit(at)]).collect();
        let numbers = LogicalPlanBuilder::values(numbers)?.build()?;
        let Some(only) = numbers.schema().columns().pop() else { return not_impl_err!("VALUES without a column") };
        let numbers = projected(vec![Expr::Column(only).alias(&number.name)], numbers)?;
        let plan = LogicalPlanBuilder::from(self.frame.plan.clone()).cross_join(numbers)?.build()?;
        let nothing = LogicalPlan::EmptyRelation(EmptyRelation {
            produce_one_row: true,
            schema: Arc::new(datafusion::common::DFSchema::empty()),
        });
        let mut own = Vec::new();
        for column in 0..node.schema().fields().len() {
            let mut cells = Vec::new();
            for (at, row) in (0_i64..).zip(&values.values) {
                let Some(cell) = row.get(column) else { continue };
                let is_row = Expr::Column(number.clone()).eq(lit(at));
                cells.push((Box::new(is_row), Box::new(self.frame.inside(cell.clone(), &nothing)?)));
            }
            own.push(Expr::Case(Case { expr: None, when_then_expr: cells, else_expr: None }));
        }
        let rows = if values.values.len() == 1 { Rows::One } else { Rows::Any };
        self.replaced(Carried { plan, mark: None, order: None, rows }, node, own)
    }
}

/// How many rows a LIMIT skips, and how many it lets through.
fn bounds(limit: &Limit) -> Result<(usize, Option<usize>)> {
    match (limit.get_skip_type()?, limit.get_fetch_type()?) {
        (SkipType::Literal(skip), FetchType::Literal(fetch)) => Ok((skip, fetch)),
        _ => not_impl_err!("a correlated subquery with a LIMIT that is computed"),
    }
}

fn has_subquery(expr: &Expr) -> bool {
    expr.exists(|expr| Ok(subquery_of(expr).is_some())).unwrap_or(true)
}
