//! What a query means: the type of every parameter and column.
//!
//! Evidence is taken from every occurrence of a placeholder, unified per name, and joined with what is declared; then
//! the statement is planned with those types and run through the analyzer, so that a type error anywhere is found here
//! and not at the first call. DataFusion is named by this module, `ty` and `engine` only.

pub mod declaration;
mod errors;
mod evidence;
pub mod functions;
mod names;
pub mod planner;
mod unify;

pub use declaration::{Declaration, Setting};

use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::{Sources, Span};
use crate::syntax::ParsedQuery;
use crate::syntax::link::{LinkedPart, LinkedQuery, Slot};
use crate::tool::{Annotations, OutputColumn, PlaceholderUse, ToolView};
use crate::ty::Type;
use datafusion::logical_expr::LogicalPlan;
use sqlparser::ast::Statement;

/// What is needed beside the query itself.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The tables.
    pub catalog: &'a Catalog,
    /// The names of all queries that can be selected from.
    pub queries: &'a [String],
    /// The texts, to turn places of the planner into spans.
    pub sources: &'a Sources,
}

/// A query whose every parameter and column has a type.
#[derive(Debug)]
pub struct TypedQuery {
    /// The parameters in the order of first use.
    pub parameters: Vec<TypedParameter>,
    /// The columns of the result.
    pub columns: Vec<OutputColumn>,
    /// The queries it selects from, each after those it selects from itself.
    pub views: Vec<ToolView>,
    /// The statement as text, with `$n`.
    pub statement: String,
    /// What `$1` to `$n` are.
    pub placeholders: Vec<PlaceholderUse>,
    /// The tables it reads, sorted.
    pub tables: Vec<String>,
    /// What the plan shows of its effects.
    pub annotations: Annotations,
}

/// A parameter with its type.
#[derive(Debug, Clone)]
pub struct TypedParameter {
    /// What is declared of it, with places.
    pub declaration: Declaration,
    /// Its type.
    pub ty: Type,
    /// Whether a use is a number of rows, behind LIMIT, OFFSET or FETCH.
    pub counts_rows: bool,
}

impl TypedParameter {
    /// The bound that a number of rows has by itself, where the author gives no lower one.
    pub fn least_row_count(&self) -> Option<serde_json::Value> {
        let config = &self.declaration.config;
        let free = self.counts_rows && config.minimum.is_none() && config.exclusive_minimum.is_none();
        free.then(|| 0.into())
    }
}

/// Reports tables and functions that do not exist: all that can be said of a query whose header has errors.
pub fn check_names(query: &ParsedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    names::check(query, context, sink);
}

/// Infers the types of a linked query. `None` where there are errors; all of them are in the sink.
pub fn infer(linked: &LinkedQuery<'_>, context: Context<'_>, sink: &mut Diagnostics) -> Option<TypedQuery> {
    let errors = sink.errors();
    let own = linked.own()?;
    names::check(own, context, sink);
    let declarations = declaration::collect(linked, sink);
    if sink.errors() > errors {
        return None;
    }
    let evidence = match evidence::gather(linked, &declarations, context) {
        Ok(evidence) => evidence,
        Err(error) => {
            errors::report(&error, own.head, context, sink);
            return None;
        }
    };
    let parameters = unify::unify(linked, declarations, &evidence, sink)?;
    let plan = typed_plan(linked, &parameters, own.head, context, sink)?;
    let columns = output_columns(&plan, own.head, sink)?;
    let annotations = annotations(&plan);
    let tables = planner::tables(&plan, context.catalog);
    let placeholders =
        linked.slots.iter().map(|slot| PlaceholderUse { parameter: slot.name.clone(), list: slot.list }).collect();
    let mut statements: Vec<ToolView> = linked
        .parts
        .iter()
        .map(|part| ToolView { name: part.query.name.value.clone(), statement: part.text.clone() })
        .collect();
    let statement = statements.pop()?.statement;
    Some(TypedQuery { parameters, columns, views: statements, statement, placeholders, tables, annotations })
}

/// The statements of a linked query by the names they are selected from.
fn named<'a>(
    linked: &'a LinkedQuery<'_>,
    statement: impl Fn(&'a LinkedPart<'_>) -> &'a Statement,
) -> Vec<planner::Named<'a>> {
    linked.parts.iter().map(|part| (part.query.name.value.as_str(), statement(part))).collect()
}

/// Plans with every type known, and analyses: types are coerced, functions resolved.
fn typed_plan(
    linked: &LinkedQuery<'_>,
    parameters: &[TypedParameter],
    head: Span,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<LogicalPlan> {
    let types = linked.slots.iter().map(|slot| Some(slot_type(slot, parameters)?.to_arrow())).collect::<Vec<_>>();
    let planned =
        planner::plan(&named(linked, |part| &part.statement), &types, context.catalog).and_then(planner::analyze);
    match planned {
        Ok(plan) if planner::depth(&plan) > planner::MAX_PLAN_DEPTH => {
            let what = format!("the plan is more than {} operators deep", planner::MAX_PLAN_DEPTH);
            sink.push(codes::query_too_deep(head, &what));
            None
        }
        Ok(plan) => Some(plan),
        Err(error) => {
            errors::report(&error, head, context, sink);
            None
        }
    }
}

/// The type that a `$n` is bound as: behind `IN` it is that of one item.
fn slot_type(slot: &Slot, parameters: &[TypedParameter]) -> Option<Type> {
    let parameter = parameters.iter().find(|parameter| parameter.declaration.name == slot.name)?;
    match (&parameter.ty, slot.list) {
        (Type::List(item), true) => Some((**item).clone()),
        (ty, _) => Some(ty.clone()),
    }
}

fn output_columns(plan: &LogicalPlan, head: Span, sink: &mut Diagnostics) -> Option<Vec<OutputColumn>> {
    let errors = sink.errors();
    let mut columns: Vec<OutputColumn> = Vec::new();
    for field in plan.schema().fields() {
        let name = field.name().clone();
        if columns.iter().any(|column| column.name == name) {
            sink.push(codes::duplicate_column(head, &name, None));
        }
        match Type::from_arrow(field.data_type()) {
            Some(ty) => columns.push(OutputColumn { name, ty, nullable: field.is_nullable(), description: None }),
            None => sink.push(codes::unsupported_type(head, &name, &field.data_type().to_string())),
        }
    }
    (sink.errors() == errors).then_some(columns)
}

/// Only queries get this far, so nothing is ever written. A call is repeatable unless a function is volatile.
fn annotations(plan: &LogicalPlan) -> Annotations {
    Annotations {
        read_only: planner::is_read_only(plan),
        destructive: false,
        idempotent: !planner::is_volatile(plan),
        open_world: false,
    }
}
