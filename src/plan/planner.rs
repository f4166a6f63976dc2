//! DataFusion's SQL planner over a catalog: schemas only, no session, no files, no clock.

use super::functions::{self, Functions};
use super::group_keys::{self, Keys};
use super::merged_columns::{self, MergedColumns};
use super::{
    added_spans, array_literals, at_time_zone, cast_names, cast_numbers, casts_to_types, field_names, item_fields,
    list_numbers, long_numbers, minutes, named_windows, null_types, order_columns, order_items, outer_fields,
    rounded_casts, series, unions, unnested,
};
use crate::catalog::Catalog;
use crate::plan::zones::{self, Zone, in_zone};
use arrow::datatypes::{DECIMAL128_MAX_PRECISION, DataType, Field, FieldRef, SchemaRef, TimeUnit};
use datafusion::catalog::TableFunctionArgs;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result, TableReference, plan_err};
use datafusion::config::ConfigOptions;
use datafusion::datasource::ViewTable;
use datafusion::datasource::cte_worktable::CteWorkTable;
use datafusion::datasource::provider_as_source;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::logical_plan::builder::LogicalTableSource;
use datafusion::logical_expr::planner::{ContextProvider, ExprPlanner, RelationPlanner, TypePlanner};
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{AggregateUDF, Expr, HigherOrderUDF, LogicalPlan, ScalarUDF, TableSource, WindowUDF};
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use datafusion_sql::planner::{ParserOptions, PlannerContext, SqlToRel};
use sqlparser::ast::{self, ExactNumberInfo, Statement, TimezoneInfo};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

/// Most operators from a plan's root to a leaf; plans are walked recursively everywhere.
pub const MAX_PLAN_DEPTH: usize = 400;

/// How the planner reads SQL; the engine plans with the same options.
pub fn parser_options() -> ParserOptions {
    ParserOptions::new().with_collect_spans(true).with_parse_float_as_decimal(false)
}

/// What a statement is planned against: tables and functions.
#[derive(Clone, Copy)]
pub struct Planner<'a> {
    /// The table of a name.
    pub tables: &'a dyn Fn(&str) -> Option<Arc<dyn TableSource>>,
    /// The functions.
    pub functions: &'a Functions,
    /// The keys of the tables.
    pub keys: Keys<'a>,
}

/// A statement and the name it can be selected from by.
pub type Named<'a> = (&'a str, Statement);

/// Plans statements against a catalog, each able to select from those before it; the plan of the last. `types` are those
/// of `$1` to `$n`, where they are known.
pub fn plan(parts: Vec<Named<'_>>, types: &[Option<DataType>], catalog: &Catalog) -> Result<LogicalPlan> {
    plan_keyed(parts, types, (catalog, Keys::NONE))
}

/// The same, with the keys of the tables.
pub fn plan_keyed(
    parts: Vec<Named<'_>>,
    types: &[Option<DataType>],
    (catalog, keys): (&Catalog, Keys<'_>),
) -> Result<LogicalPlan> {
    let tables = |name: &str| -> Option<Arc<dyn TableSource>> {
        let (_, table) = catalog.scanned(name)?;
        Some(Arc::new(LogicalTableSource::new(table.to_arrow())))
    };
    Planner { tables: &tables, functions: functions::all(), keys }.plan(parts, types)
}

/// Resolves functions and coerces types, as execution would.
pub fn analyze(plan: LogicalPlan) -> Result<LogicalPlan> {
    crate::plan::analyzer().execute_and_check(plan, &functions::all().options, |_, _| {})
}

impl Planner<'_> {
    /// Plans statements, each able to select from those before it; the plan of the last, with theirs inside.
    pub fn plan(&self, parts: Vec<Named<'_>>, types: &[Option<DataType>]) -> Result<LogicalPlan> {
        let mut views: HashMap<&str, Arc<dyn TableSource>> = HashMap::new();
        let mut last = plan_err!("no statement");
        for (name, statement) in parts {
            let tables = |wanted: &str| views.get(wanted).cloned().or_else(|| (self.tables)(wanted));
            let plan =
                Planner { tables: &tables, functions: self.functions, keys: self.keys }.plan_one(statement, types)?;
            let view = provider_as_source(Arc::new(ViewTable::new(plan.clone(), None)));
            views.insert(name, view);
            last = Ok(plan);
        }
        // As long as parameters have no types, what is NULL may be one of them.
        if types.iter().all(Option::is_some) { null_types::with_texts(last?) } else { last }
    }

    /// Plans a statement; refuses all that is no query.
    fn plan_one(&self, mut statement: Statement, types: &[Option<DataType>]) -> Result<LogicalPlan> {
        let paths = field_names::selected_paths(&statement);
        order_items::by_name(&mut statement);
        order_columns::put_below(&mut statement, self.functions)?;
        at_time_zone::to_calls(&mut statement);
        list_numbers::compare_with_items(&mut statement);
        array_literals::to_calls(&mut statement);
        cast_numbers::to_texts(&mut statement);
        long_numbers::to_decimals(&mut statement);
        minutes::complete(&mut statement);
        series::tell_apart(&mut statement);
        item_fields::qualify(&mut statement);
        unnested::write_out(&mut statement)?;
        cast_names::tell_apart(&mut statement, self.functions);
        named_windows::write_out(&mut statement)?;
        let known = group_keys::Known { tables: self.tables, keys: self.keys, functions: self.functions };
        group_keys::complete_groups(&mut statement, known);
        merged_columns::mark(&mut statement)?;
        list_numbers::put_beside_lists(&mut statement);
        let fields: Vec<Option<FieldRef>> = types
            .iter()
            .enumerate()
            .map(|(at, ty)| ty.clone().map(|ty| Arc::new(Field::new(format!("${}", at + 1), ty, true)) as FieldRef))
            .collect();
        let planner = SqlToRel::new_with_options(self, parser_options());
        let plan = outer_fields::planned_with_fields(statement, &|statement| {
            let mut context = PlannerContext::new().with_prepare_param_data_types(fields.clone());
            planner.sql_statement_to_plan_with_context(statement, &mut context)
        })?;
        read_only_options().verify_plan(&plan)?;
        unions::refuse(&plan)?;
        field_names::named_by_fields(plan, &paths)
    }

    /// Resolves functions and coerces types with the functions' own options.
    pub fn analyze(&self, plan: LogicalPlan) -> Result<LogicalPlan> {
        crate::plan::analyzer().execute_and_check(plan, &self.functions.options, |_, _| {})
    }
}

/// Refuses DDL, DML and statements such as SET.
pub fn read_only_options() -> SQLOptions {
    SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false)
}

/// Whether nothing in the plan writes.
pub fn is_read_only(plan: &LogicalPlan) -> bool {
    read_only_options().verify_plan(plan).is_ok()
}

/// The tables of the catalog that a plan scans, sorted.
pub fn tables(plan: &LogicalPlan, catalog: &Catalog) -> Vec<String> {
    let mut found = BTreeSet::new();
    let _ = plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node
            && catalog.has_own(scan.table_name.table())
        {
            found.insert(scan.table_name.table().to_owned());
        }
        Ok(TreeNodeRecursion::Continue)
    });
    found.into_iter().collect()
}

/// Whether two runs over the same data may differ by themselves (`random()`).
pub fn is_volatile(plan: &LogicalPlan) -> bool {
    let mut volatile = false;
    let _ = plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            volatile |= expr.is_volatile();
            Ok(TreeNodeRecursion::Continue)
        })
    });
    volatile
}

/// The condition of a rule's plan, `SELECT (condition)` from nothing; `None` where it is of another kind: no boolean, with
/// a table or a subquery in it, or one that two calls may see differently.
pub fn condition(plan: &LogicalPlan) -> Option<Expr> {
    let is_boolean = plan.schema().field(0).data_type() == &DataType::Boolean;
    value(plan).filter(|_| is_boolean && !is_volatile(plan))
}

/// The expression of `SELECT (expression)` from nothing; `None` where there is a table or a subquery in it, or rows are
/// counted or put together.
pub fn value(plan: &LogicalPlan) -> Option<Expr> {
    let LogicalPlan::Projection(projection) = plan else { return None };
    let [expr] = projection.expr.as_slice() else { return None };
    let is_alone = matches!(projection.input.as_ref(), LogicalPlan::EmptyRelation(_));
    let has_query = expr
        .exists(|expr| {
            Ok(matches!(expr, Expr::Exists(_) | Expr::InSubquery(_) | Expr::ScalarSubquery(_) | Expr::SetComparison(_)))
        })
        .unwrap_or(true);
    (is_alone && !has_query).then(|| expr.clone().unalias_nested().data)
}

/// Operators on the longest way from the root to a leaf; subqueries count where they stand.
pub fn depth(plan: &LogicalPlan) -> usize {
    let mut deepest = 0;
    // Not recursive: the plan may be as deep as the question suspects.
    let mut open = vec![(plan, 1)];
    while let Some((node, level)) = open.pop() {
        deepest = deepest.max(level);
        open.extend(node.inputs().into_iter().map(|input| (input, level + 1)));
    }
    deepest
}

/// Types as SQL names them, where DataFusion takes others than tables and parameters have.
#[derive(Debug)]
struct Types;

impl TypePlanner for Types {
    /// `TIME` counts microseconds, as in PostgreSQL: one of nanoseconds does not go with the columns everywhere.
    ///
    /// Errors: a decimal of more than 38 digits, which calculates as a double does, or of less than none behind the point,
    /// which the optimizer panics over.
    fn plan_type_field(&self, ty: &ast::DataType) -> Result<Option<FieldRef>> {
        use ast::DataType as Sql;
        if let Sql::Decimal(info) | Sql::Numeric(info) | Sql::Dec(info) = ty
            && !has_digits(info)
        {
            return plan_err!(
                "`{}`: a decimal has 1 to 38 digits, at most all of them behind the point",
                ty.to_string().to_lowercase()
            );
        }
        let is_time = matches!(ty, ast::DataType::Time(_, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone));
        Ok(is_time.then(|| Arc::new(Field::new("", DataType::Time64(TimeUnit::Microsecond), true))))
    }
}

/// Whether there are decimals of so many digits.
fn has_digits(info: &ExactNumberInfo) -> bool {
    let (precision, scale) = match info {
        ExactNumberInfo::None => return true,
        ExactNumberInfo::Precision(precision) => (*precision, 0),
        ExactNumberInfo::PrecisionAndScale(precision, scale) => (*precision, *scale),
    };
    let most = u64::from(DECIMAL128_MAX_PRECISION);
    (1..=most).contains(&precision) && u64::try_from(scale).is_ok_and(|scale| scale <= precision)
}

impl ContextProvider for Planner<'_> {
    fn get_table_source(&self, name: TableReference) -> Result<Arc<dyn TableSource>> {
        let found = if name.schema().is_none() { (self.tables)(name.table()) } else { None };
        match found {
            Some(table) => Ok(table),
            None => plan_err!("table '{name}' not found"),
        }
    }

    fn get_table_function_source(&self, name: &str, args: Vec<Expr>) -> Result<Arc<dyn TableSource>> {
        let Some(function) = self.functions.table.get(name) else {
            return plan_err!("table function '{name}' not found");
        };
        let simplifier = ExprSimplifier::new(SimplifyContext::builder().build());
        let (schema, zone) = (DFSchema::empty(), Zone::of(&self.functions.options)?);
        let args = args
            .into_iter()
            .map(|arg| {
                let arg = casts_to_types::in_expression(arg, &schema)?.data;
                let arg = rounded_casts::in_expression(arg, &schema)?.data;
                let arg = added_spans::in_expression(arg, &schema)?.data;
                let arg = in_zone(simplifier.coerce(arg, &schema)?, &schema, &zone)?;
                simplifier.simplify(arg.data)
            })
            .collect::<Result<Vec<_>>>()?;
        if let Some(series) = zones::series(name, &args, &zone)? {
            return Ok(provider_as_source(series));
        }
        let args = TableFunctionArgs::new(&args, &self.functions.session);
        Ok(provider_as_source(function.create_table_provider_with_args(args)?))
    }

    fn create_cte_work_table(&self, name: &str, schema: SchemaRef) -> Result<Arc<dyn TableSource>> {
        Ok(provider_as_source(Arc::new(CteWorkTable::new(name, schema))))
    }

    fn get_expr_planners(&self) -> &[Arc<dyn ExprPlanner>] {
        &self.functions.planners
    }

    fn get_relation_planners(&self) -> &[Arc<dyn RelationPlanner>] {
        static PLANNERS: LazyLock<[Arc<dyn RelationPlanner>; 1]> = LazyLock::new(|| [Arc::new(MergedColumns)]);
        PLANNERS.as_slice()
    }

    fn get_type_planner(&self) -> Option<Arc<dyn TypePlanner>> {
        Some(Arc::new(Types))
    }

    fn get_function_meta(&self, name: &str) -> Option<Arc<ScalarUDF>> {
        self.functions.scalar.get(name).cloned()
    }

    fn get_higher_order_meta(&self, name: &str) -> Option<Arc<HigherOrderUDF>> {
        self.functions.higher_order.get(name).cloned()
    }

    fn get_aggregate_meta(&self, name: &str) -> Option<Arc<AggregateUDF>> {
        self.functions.aggregate.get(name).cloned()
    }

    fn get_window_meta(&self, name: &str) -> Option<Arc<WindowUDF>> {
        self.functions.window.get(name).cloned()
    }

    fn get_variable_type(&self, _: &[String]) -> Option<DataType> {
        None
    }

    fn options(&self) -> &ConfigOptions {
        &self.functions.options
    }

    fn udf_names(&self) -> Vec<String> {
        self.functions.scalar.keys().cloned().collect()
    }

    fn higher_order_function_names(&self) -> Vec<String> {
        self.functions.higher_order.keys().cloned().collect()
    }

    fn udaf_names(&self) -> Vec<String> {
        self.functions.aggregate.keys().cloned().collect()
    }

    fn udwf_names(&self) -> Vec<String> {
        self.functions.window.keys().cloned().collect()
    }
}
