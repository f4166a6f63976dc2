//! What a query means: the type of every parameter and column.
//!
//! What every place asks of types is written down as constraints ([`collect`]), which are solved ([`solve`]); what is
//! found of the occurrences of one parameter is unified with what is declared ([`unify`]). Then the statement is planned
//! with those types and run through the analyzer, so that a type error anywhere is found here and not at the first call.
//! DataFusion is named by this module, `ty` and `engine` only.

mod allowed_query;
mod apart;
mod beside;
mod casts;
mod checked;
mod collect;
mod constraint;
mod counted_records;
pub mod declaration;
pub mod default_expression;
mod distances;
mod errors;
mod evidence;
mod fetches;
mod foreign;
mod function_clauses;
mod is_test;
mod likely;
mod lineage;
mod misfit;
mod misplaced;
mod named_later;
mod names;
mod native;
mod nullability;
mod pages;
mod places;
mod program;
mod quoted;
mod runs;
mod scope;
mod sides;
mod signature;
mod size;
mod solve;
mod stages;
mod typed;
mod unify;
mod units;
mod written;
mod written_intervals;

pub use declaration::{Declaration, Setting};
pub use lineage::Lineage;
pub use named_later::explain_names;
pub use native::{Asked as AskedStatement, declared_columns, declared_types, infer_statement};
pub use pages::Pages;
pub use program::{columns_of_manifest, infer_manifest};
pub use stages::{Stages, stages};
pub use typed::{TypedChange, TypedParameter, TypedQuery};
pub use written::{column_of as column_of_write, is_of as is_column_of};

use crate::catalog::Catalog;
use crate::diagnostic::{Code, Diagnostics, codes};
use crate::plan::group_keys::Keys;
use crate::plan::{constants, functions, planner};
use crate::project::{Kind, ProjectFile, ReadValues};
use crate::source::{Sources, Spanned};
use crate::syntax::ParsedQuery;
use crate::syntax::link::{self, LinkedQuery, Slot};
use crate::tool::{Annotations, OutputColumn, PlaceholderUse, ToolRule, ToolView};
use crate::ty::Type;
use arrow::datatypes::DataType;
use collect::Collected;
use datafusion::common::{DataFusionError, ScalarValue};
use datafusion::logical_expr::LogicalPlan;
use errors::Asked;
use sqlparser::ast::Statement;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What is needed beside the query itself.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The tables.
    pub catalog: &'a Catalog,
    /// The names of all queries that can be selected from, sorted.
    pub queries: &'a [String],
    /// The names of those that are statements in a database's own SQL, which none can select from, sorted.
    pub statements: &'a [String],
    /// The values that queries of allowed values gave.
    pub allowed_values: &'a ReadValues,
    /// What tables lie in: the rows of some are a caller's, and are read by no check.
    pub file: &'a ProjectFile,
    /// The texts, to turn places of the planner into spans.
    pub sources: &'a Sources,
    /// The declared primary key of a table; none is no columns.
    pub primary_keys: &'a dyn Fn(&str) -> Vec<String>,
}

/// Reports tables and functions that do not exist: all that can be said of a query whose header has errors.
pub fn check_names(query: &ParsedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    names::check(query, context, sink);
}

/// Infers the types of a linked query. `None` where there are errors; all of them are in the sink.
pub fn infer(linked: &LinkedQuery<'_>, context: Context<'_>, sink: &mut Diagnostics) -> Option<TypedQuery> {
    infer_with(linked, &HashMap::new(), context, sink)
}

/// Infers the types, with some known beforehand by the names of their parameters.
pub fn infer_with(
    linked: &LinkedQuery<'_>,
    known: &HashMap<String, Type>,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<TypedQuery> {
    let errors = sink.errors();
    let own = linked.own()?;
    names::check(own, context, sink);
    size::check(linked, context, sink)?;
    let mut declarations = declaration::collect(linked, sink);
    for declaration in &mut declarations {
        let known = known.get(&declaration.name).filter(|_| declaration.ty.is_none());
        declaration.ty = declaration.ty.take().or_else(|| Some(Spanned::new(known?.clone(), declaration.first_use)));
    }
    if sink.errors() > errors {
        return None;
    }
    default_expression::check(&mut declarations, context, sink);
    allowed_query::check(&mut declarations, context, sink);
    if sink.errors() == errors {
        return of_declared(linked, &declarations, context, sink);
    }
    // What is wrong in the header says nothing of the statement; but it might have told a type.
    let mut of_statement = Diagnostics::default();
    of_declared(linked, &declarations, context, &mut of_statement);
    of_statement.forget(Code::CannotInferType);
    sink.extend(of_statement);
    None
}

/// Infers the types of what is declared.
fn of_declared(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<TypedQuery> {
    let errors = sink.errors();
    let mut solved = collect::collect(linked, declarations, context);
    solve::solve(&mut solved, &linked.occurrences, declarations);
    let Some(parameters) = unify::unify(linked, declarations, &solved, sink) else {
        report_the_rest(linked, declarations, &solved, context, errors, sink);
        return None;
    };
    check_constants(linked, &parameters, sink)?;
    let plan = typed_plan(linked, declarations, &parameters, &solved, context, sink)?;
    misread(linked, &parameters, &solved, context, sink)?;
    errors::orders(&solved, sink)?;
    let columns = output_columns(&plan, linked, &parameters, sink)?;
    let rules = typed_rules(linked, &parameters, context, sink)?;
    runs::constants::check(linked, &plan, context, sink)?;
    if linked.own()?.header.kind != Some(Kind::View) {
        runs::check(linked, &parameters, &plan, context, sink)?;
    }
    let annotations = annotations(&plan);
    let tables = planner::tables(&plan, context.catalog);
    let lineage = lineage::of_plan(&plan, context.catalog);
    let pages = pages::pages_of(plan, linked, &parameters, context);
    let placeholders =
        linked.slots.iter().map(|slot| PlaceholderUse { parameter: slot.name.clone(), list: slot.list }).collect();
    let mut statements: Vec<ToolView> = linked
        .parts
        .iter()
        .map(|part| ToolView { name: part.query.name.value.clone(), statement: part.text.clone() })
        .collect();
    let statement = statements.pop()?.statement;
    Some(TypedQuery {
        parameters,
        columns,
        views: statements,
        statement,
        placeholders,
        sent_as: BTreeMap::new(),
        as_told: BTreeSet::new(),
        rules,
        tables,
        lineage,
        annotations,
        pages,
        change: None,
    })
}

/// The statements of a linked query by the names they are selected from, with values where the planner needs them.
fn with_constants<'a>(
    linked: &'a LinkedQuery<'_>,
    value: &dyn Fn(usize) -> Option<ScalarValue>,
) -> Vec<planner::Named<'a>> {
    let constant = |statement: &Statement| {
        let mut statement = statement.clone();
        constants::replace(&mut statement, value);
        statement
    };
    linked.parts.iter().map(|part| (part.query.name.value.as_str(), constant(&part.statement))).collect()
}

/// The tables with their keys.
fn keyed(context: Context<'_>) -> (&Catalog, Keys<'_>) {
    (context.catalog, Keys::Declared(context.primary_keys))
}

/// Plans with every type known, and analyses: types are coerced, functions resolved.
fn typed_plan(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    parameters: &[TypedParameter],
    solved: &Collected,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<LogicalPlan> {
    let head = linked.own()?.head;
    let types = linked.slots.iter().map(|slot| Some(slot_type(slot, parameters)?.to_arrow())).collect::<Vec<_>>();
    let typical = |at: usize| {
        let slot = linked.slots.get(at)?;
        let units = parameters.iter().find(|one| one.declaration.name == slot.name)?.units.is_some();
        Some(constants::typical(&slot_type(slot, parameters)?, units))
    };
    let planned =
        planner::plan_keyed(with_constants(linked, &typical), &types, keyed(context)).and_then(planner::analyze);
    match planned {
        Ok(plan) if planner::depth(&plan) > planner::MAX_PLAN_DEPTH => {
            let what = format!("the plan is more than {} operators deep", planner::MAX_PLAN_DEPTH);
            sink.push(codes::query_too_deep(head, &what));
            None
        }
        Ok(plan) => Some(plan),
        Err(error) => {
            let errors = sink.errors();
            if !errors::has_place(&error) {
                foreign::check(linked, context, sink);
                misplaced::check(linked, context, sink);
                misfit::report(linked, declarations, parameters, context, sink);
            }
            if sink.errors() == errors && !errors::has_place(&error) {
                beside::check(linked, parameters, solved, context, sink);
            }
            if sink.errors() == errors && !runs::refused(&error, linked, context, sink) {
                let head = errors::only_call(&error, linked).unwrap_or(head);
                refused(&error, Asked { head, slots: &linked.slots }, solved, context, sink);
            }
            None
        }
    }
}

/// Reports what the planner takes for something else than it says; `None` where there is any.
fn misread(
    linked: &LinkedQuery<'_>,
    parameters: &[TypedParameter],
    solved: &Collected,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<()> {
    let errors = sink.errors();
    foreign::check(linked, context, sink);
    misplaced::check(linked, context, sink);
    beside::check(linked, parameters, solved, context, sink);
    (sink.errors() == errors).then_some(())
}

/// What the planner itself needs must have a value in every call.
fn check_constants(linked: &LinkedQuery<'_>, parameters: &[TypedParameter], sink: &mut Diagnostics) -> Option<()> {
    let errors = sink.errors();
    for at in linked.parts.iter().flat_map(|part| constants::never_null(&part.statement)).collect::<BTreeSet<_>>() {
        let Some(slot) = linked.slots.get(at) else { continue };
        let parameter = parameters.iter().find(|one| one.declaration.name == slot.name);
        if let Some(TypedParameter { declaration, .. }) = parameter
            && declaration.may_be_null()
            && !declaration.only_in_clauses
        {
            let why = format!("`{}` needs a value in every call here: it decides how the query is planned", slot.name);
            sink.push(codes::invalid_query(declaration.first_use, &why).help("make it required, or give it a default"));
        }
    }
    (sink.errors() == errors).then_some(())
}

/// Plans the rules: each is a boolean of parameters and nothing else.
fn typed_rules(
    linked: &LinkedQuery<'_>,
    parameters: &[TypedParameter],
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<Vec<ToolRule>> {
    let errors = sink.errors();
    let types = linked.slots.iter().map(|slot| Some(slot_type(slot, parameters)?.to_arrow())).collect::<Vec<_>>();
    let slots = linked.slots.as_slice();
    let mut rules = Vec::new();
    for linked in &linked.rules {
        let span = linked.rule.span;
        let planned = planner::plan(vec![("rule", linked.statement.clone())], &types, context.catalog);
        match planned.and_then(planner::analyze) {
            Err(error) => errors::report(&error, Asked { head: span, slots }, context, sink),
            Ok(plan) if planner::condition(&plan).is_none() => {
                sink.push(codes::invalid_rule(span, "it is no condition over parameters alone"));
            }
            Ok(_) => rules.push(ToolRule { statement: linked.text.clone(), message: linked.rule.message.clone() }),
        }
    }
    (sink.errors() == errors).then_some(rules)
}

/// Says what the planner refused. It stops at the first column that it does not find; here are all of them.
fn refused(
    error: &DataFusionError,
    asked: Asked<'_>,
    solved: &Collected,
    context: Context<'_>,
    sink: &mut Diagnostics,
) {
    let errors = sink.errors();
    if errors::is_about_a_column(error) {
        errors::columns(solved, context, sink);
    }
    if sink.errors() == errors {
        errors::report(error, asked, context, sink);
    }
}

/// Where a parameter has no type: says what else is wrong with the statement, whatever that type may be.
fn report_the_rest(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    solved: &Collected,
    context: Context<'_>,
    before: usize,
    sink: &mut Diagnostics,
) {
    let Some(head) = linked.own().map(|own| own.head) else { return };
    // NULL fits nearly everywhere.
    let declared = |slot: &Slot| {
        let declaration = declarations.iter().find(|one| one.name == slot.name)?;
        Some(collect::item_of(&declaration.ty.as_ref()?.value, slot.list).to_arrow())
    };
    let types: Vec<_> = linked.slots.iter().map(|slot| declared(slot).or(Some(DataType::Null))).collect();
    // A value that the planner needs may be of any type here; what it says of that is not worth telling.
    let needs_values = linked.parts.iter().any(|part| constants::replace(&mut part.statement.clone(), &|_| None));
    let errors = sink.errors();
    if let Err(error) = planner::plan_keyed(with_constants(linked, &|_| None), &types, keyed(context))
        && !errors::speaks_of_null(&error)
        && (errors::is_about_a_column(&error) || !needs_values)
    {
        refused(&error, Asked { head, slots: &linked.slots }, solved, context, sink);
    }
    if sink.errors() == errors && errors == before {
        // The planner takes what was held to be wrong: then nothing tells the types beside it.
        for declaration in declarations {
            sink.push(codes::cannot_infer_type(
                declaration.first_use,
                declaration.type_edit,
                &declaration.name,
                likely::ANY,
            ));
        }
    }
}

/// The type that a `$n` is bound as: behind `IN` it is that of one item.
fn slot_type(slot: &Slot, parameters: &[TypedParameter]) -> Option<Type> {
    let parameter = parameters.iter().find(|parameter| parameter.declaration.name == slot.name)?;
    Some(collect::item_of(&parameter.ty, slot.list).clone())
}

fn output_columns(
    plan: &LogicalPlan,
    linked: &LinkedQuery<'_>,
    parameters: &[TypedParameter],
    sink: &mut Diagnostics,
) -> Option<Vec<OutputColumn>> {
    let errors = sink.errors();
    let own = linked.own()?;
    let place =
        |name: &str| own.outputs.iter().find(|output| output.value == name).map_or(own.head, |output| output.span);
    let may_be_null = |id: &str| {
        let slot = link::number(id).and_then(|at| linked.slots.get(at));
        let parameter = slot.and_then(|slot| parameters.iter().find(|one| one.declaration.name == slot.name));
        parameter.is_none_or(|parameter| parameter.declaration.may_be_null())
    };
    let nullable = nullability::of_columns(plan, &may_be_null);
    let mut columns: Vec<OutputColumn> = Vec::new();
    for (at, field) in plan.schema().fields().iter().enumerate() {
        let name = field.name().clone();
        if columns.iter().any(|column| column.name == name) {
            sink.push(codes::duplicate_column(own.head, &name, None));
        }
        let nullable = nullable.get(at).copied().unwrap_or(true);
        match Type::from_arrow(field.data_type()) {
            Some(ty) => columns.push(OutputColumn { nullable, ..OutputColumn::new(name, ty) }),
            None => sink.push(codes::unsupported_type(place(&name), &name, &field.data_type().to_string())),
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
