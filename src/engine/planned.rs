//! The statements of tools, planned: with every combination of choices, once or at every call.

use super::open_table::OpenTables;
use super::policies;
use super::sources::relying_on_keys;
use super::unplanned::Unplanned;
use crate::plan::functions::Functions;
use crate::plan::group_keys::Keys;
use crate::plan::total_order::{self, Known};
use crate::plan::{constants, planner};
use crate::project::AutomaticParameter;
use crate::syntax::choice;
use crate::syntax::link::parse_text;
use crate::tool::{Contract, Parameter, PlaceholderUse, Tool};
use crate::ty::Type;
use arrow::datatypes::DataType;
use datafusion::common::{Result as PlanResult, ScalarValue, plan_err};
use datafusion::logical_expr::{LogicalPlan, TableSource};
use sqlparser::ast::Statement;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

/// When a statement is planned.
pub(super) enum Planned {
    /// Once: values are put into the plan.
    Once(LogicalPlan),
    /// At every call, because the planner itself needs values ([`constants`]).
    PerCall(Box<PerCall>),
}

/// What planning at a call takes.
pub(super) struct PerCall {
    parts: Vec<(String, Statement)>,
    types: Vec<Option<DataType>>,
    /// What stands in for a value that a call does not have: its clause is left out, but planned before.
    typical: Vec<Option<ScalarValue>>,
    tables: HashMap<String, Arc<dyn TableSource>>,
    functions: Arc<Functions>,
    /// The tables, whose primary keys are asked for where pages of the result must fit together.
    paged_over: Option<OpenTables>,
    /// The keys of the tables, where they are known.
    keys: Option<HashMap<String, Vec<String>>>,
    /// The tables of whose rows several columns are asked for, while their keys alone are grouped by.
    grouped_by_key: OnceLock<BTreeSet<String>>,
}

impl Planned {
    /// The plan, with values of the kind that calls have where the planner needs some.
    ///
    /// Errors: it cannot be planned with these.
    pub(super) fn typical(&self) -> PlanResult<LogicalPlan> {
        match self {
            Planned::Once(plan) => Ok(plan.clone()),
            Planned::PerCall(per_call) => per_call.plan_typical(),
        }
    }
}

impl PerCall {
    /// Plans with values of the kind that calls have.
    fn plan_typical(&self) -> PlanResult<LogicalPlan> {
        self.plan(&|_| None)
    }

    /// Plans with the values of a call, and typical ones where it has none.
    pub(super) fn plan(&self, sent: &dyn Fn(usize) -> Option<ScalarValue>) -> PlanResult<LogicalPlan> {
        let value = |at: usize| sent(at).or_else(|| self.typical.get(at).cloned().flatten());
        let parts = || -> Vec<(&str, Statement)> {
            self.parts
                .iter()
                .map(|(name, statement)| {
                    let mut statement = statement.clone();
                    constants::replace(&mut statement, &value);
                    (name.as_str(), statement)
                })
                .collect()
        };
        let source = |name: &str| self.tables.get(name).cloned();
        let key_of = |table: &str| self.keys.as_ref().and_then(|keys| keys.get(table)).cloned().unwrap_or_default();
        let asked = RefCell::new(BTreeSet::new());
        let declared = |table: &str| {
            let key = key_of(table);
            if !key.is_empty() {
                asked.borrow_mut().insert(table.to_owned());
            }
            key
        };
        let with = |keys: Keys<'_>| {
            let planner = planner::Planner { tables: &source, functions: &self.functions, keys };
            planner.plan(parts(), &self.types).and_then(|plan| planner.analyze(plan))
        };
        let plan = match with(Keys::Declared(&declared)) {
            // It compiled, so what is not grouped by belongs to a key.
            Err(_) if self.keys.is_none() => with(Keys::Unknown)?,
            planned => planned?,
        };
        let is_needed = |table: &String| {
            let others = |other: &str| if other == table { Vec::new() } else { key_of(other) };
            with(Keys::Declared(&others)).is_err()
        };
        let grouped = self.grouped_by_key.get_or_init(|| asked.take().into_iter().filter(is_needed).collect());
        let Some(tables) = &self.paged_over else {
            return if grouped.is_empty() { Ok(plan) } else { relying_on_keys(plan, &|table| grouped.contains(table)) };
        };
        let key = |table: &str| tables.get(table).map(|table| table.primary_key().to_vec()).unwrap_or_default();
        match total_order::apply(plan, Known { keys: &key, volatile: &|_| None })? {
            // Pages fit together by the keys of all of them.
            Ok(plan) => relying_on_keys(plan, &|_| true),
            // The compiler publishes no cursor then.
            Err(why) => plan_err!("its rows have no order: {why}"),
        }
    }
}

/// What tools are planned with.
#[derive(Clone, Copy)]
pub(super) struct PlanWith<'a> {
    pub tables: &'a HashMap<String, Arc<dyn TableSource>>,
    pub functions: &'a Arc<Functions>,
    /// The tables and their keys, as far as they are known.
    pub keyed: KeyedTables<'a>,
}

/// What is known of the keys of tables.
#[derive(Clone, Copy)]
pub(super) enum KeyedTables<'a> {
    /// Nothing.
    Unknown,
    /// The keys, by the names of their tables.
    Told(&'a HashMap<String, Vec<String>>),
    /// The opened tables, where plans are made for calls: pages of a result must fit together.
    Opened(&'a OpenTables),
}

/// Plans the statements of a tool with every combination of choices.
pub(super) fn plan_every_choice(tool: &Tool, with: PlanWith<'_>) -> Result<Vec<Planned>, Unplanned> {
    let choosing: Vec<&Parameter> = tool.contract.choosing().collect();
    let counts: Vec<usize> = choosing.iter().map(|parameter| parameter.choices.len()).collect();
    let plans = choice::combinations(&counts).into_iter().map(|picks| {
        let chosen = |at: usize| {
            let name = &tool.contract.slot(at)?.parameter;
            let which = choosing.iter().position(|parameter| parameter.name == *name)?;
            choosing.get(which)?.choices.get(*picks.get(which)?).map(|choice| choice.sql.clone())
        };
        plan_choice(tool, &chosen, with)
    });
    plans.collect()
}

/// Which of these plans is for the choices of a call. Where a choice is not made, its clause is left out, and any will do.
pub(super) fn chosen_plan(contract: &Contract, chosen: &dyn Fn(&str) -> Option<String>) -> usize {
    contract.choosing().fold(0, |at, parameter| {
        let key = chosen(&parameter.name);
        let pick = parameter.choices.iter().position(|choice| Some(&choice.key) == key.as_ref());
        at * parameter.choices.len() + pick.unwrap_or(0)
    })
}

/// The types of `$1`, `$2`, ….
pub(super) fn slot_types(contract: &Contract) -> Vec<Option<DataType>> {
    (0..contract.slots().count()).map(|at| Some(slot_type(contract, at)?.to_arrow())).collect()
}

fn slot_type(contract: &Contract, at: usize) -> Option<&Type> {
    let placeholder = contract.slot(at)?;
    match &contract.parameter(&placeholder.parameter)?.ty {
        Type::List(item) if placeholder.list => Some(item.as_ref()),
        ty => Some(ty),
    }
}

fn plan_choice(
    tool: &Tool,
    chosen: &dyn Fn(usize) -> Option<String>,
    with: PlanWith<'_>,
) -> Result<Planned, Unplanned> {
    let parts = tool.statements().map(|(name, text)| Ok((name.to_owned(), parse_text(text, chosen)?)));
    let parts: Vec<(String, Statement)> = parts.collect::<Result<_, Unplanned>>()?;
    let contract = &tool.contract;
    let early = parts.iter().any(|(_, statement)| constants::replace(&mut statement.clone(), &|_| None));
    let typical = |at: usize| {
        let units = |placeholder: &PlaceholderUse| {
            contract.parameter(&placeholder.parameter).is_some_and(|one| one.constraints.allowed_values.is_some())
        };
        Some(constants::typical(slot_type(contract, at)?, contract.slot(at).is_some_and(units)))
    };
    let typical = (0..contract.slots().count()).map(typical).collect();
    let (tables, functions) = (
        policies::shown_tables((contract, &slot_types(contract)), with.tables, with.functions)?.into_owned(),
        Arc::clone(with.functions),
    );
    let (keys, paged_over) = match with.keyed {
        KeyedTables::Unknown => (None, None),
        KeyedTables::Told(keys) => (Some(keys.clone()), None),
        KeyedTables::Opened(opened) => {
            let key = |name: &String| Some((name.clone(), opened.get(name)?.primary_key().to_vec()));
            let is_paged = contract.expose.contains(&AutomaticParameter::Cursor);
            (Some(tables.keys().filter_map(key).collect()), is_paged.then(|| opened.clone()))
        }
    };
    let (types, grouped_by_key) = (slot_types(contract), OnceLock::new());
    let per_call = PerCall { parts, types, typical, tables, functions, paged_over, keys, grouped_by_key };
    let plan = per_call.plan_typical()?;
    Ok(if early { Planned::PerCall(Box::new(per_call)) } else { Planned::Once(plan) })
}
