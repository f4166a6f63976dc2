//! Rows by a plan that was kept from an earlier call of the same shape, or that is made to be kept.

use super::{Local, Selection, SelectionPlan};
use crate::engine::hurry::QUICK;
use crate::engine::limits;
use crate::engine::open_table::{PlanVersion, Wants};
use crate::engine::sources::{Identity, SourceError};
use crate::engine::template::{Found, Shape, Steps, Template};
use datafusion::arrow::array::RecordBatch;
use datafusion::common::{DataFusionError, ScalarValue, plan_err};
use datafusion::logical_expr::LogicalPlan;

/// A value that is longer than that has a plan of its own, whose batches are smaller.
const LONG_VALUE: usize = 4096;

/// What a plan that is kept must be good for, and the values to run it with.
pub(super) struct Wanted {
    shape: Shape,
    values: Vec<Option<ScalarValue>>,
    pub(super) versions: Vec<PlanVersion>,
}

/// A plan that is kept, taken out for a call.
pub(super) struct Ready {
    template: Template,
    wanted: Wanted,
}

impl Local {
    /// The rows by a plan that is kept; `None` where there is none for such calls.
    pub(super) async fn by_kept_plan(
        &self,
        selection: &Selection<'_>,
    ) -> Option<Result<Vec<RecordBatch>, DataFusionError>> {
        let (plan, mut wanted) = self.wanted(selection)?;
        let tables = &selection.contract.tables;
        if self.loads_small_tables(tables).await {
            wanted.versions = self.core.plan_versions(tables)?;
        }
        let template = match self.templates.take(&wanted.shape, &wanted.versions) {
            Found::Template(template) => template,
            Found::Refused => return None,
            Found::Nothing => match self.template(selection, plan, wanted.versions.clone()).await {
                Ok(template) => template,
                // A database is waited for once, and that it cannot be asked now says nothing of the plan.
                Err(why) if SourceError::is_any(&why) => return Some(Err(why)),
                Err(why) => {
                    let (tool, why) = (selection.contract.name.as_str(), why.strip_backtrace());
                    tracing::debug!(tool, why, "the plan is made for each call");
                    self.templates.refuse(wanted.shape, &wanted.versions);
                    return None;
                }
            },
        };
        Some(self.run_kept(selection, Ready { template, wanted }).await)
    }

    /// Reads those tables into memory that are small enough for a call to wait; whether there were any. Asked behind
    /// [`Local::wanted`], which looks at the files.
    async fn loads_small_tables(&self, tables: &[String]) -> bool {
        let mut any = false;
        for table in self.core.opened(tables).filter(|table| table.wants() == Wants::Now) {
            any = true;
            // Where that fails, it is read from its files, and the query says what is wrong.
            let _ = table.read_ahead(&self.core.session().template_state).await;
        }
        any
    }

    /// A plan that is there for the call and whose steps are short, whatever the values are.
    pub(super) fn ready(&self, selection: &Selection<'_>) -> Option<Ready> {
        let (_, wanted) = self.wanted(selection)?;
        match self.templates.take(&wanted.shape, &wanted.versions) {
            Found::Template(template) if template.steps != Steps::Long => Some(Ready { template, wanted }),
            Found::Template(template) => {
                self.templates.give_back(wanted.shape, template);
                None
            }
            Found::Nothing | Found::Refused => None,
        }
    }

    /// What a plan that is kept must be good for; `None` where none is kept for such calls.
    pub(super) fn wanted<'a>(&self, selection: &Selection<'a>) -> Option<(&'a LogicalPlan, Wanted)> {
        let SelectionPlan::Shared { plan, choices } = selection.plan else { return None };
        let (shape, values) = Shape::of(selection.contract, choices, selection.call)?;
        // A batch of rows holds a copy of each for every row.
        if values.iter().flatten().any(|value| value.size() > LONG_VALUE) {
            return None;
        }
        Some((plan, Wanted { shape, values, versions: self.core.plan_versions(&selection.contract.tables)? }))
    }

    /// Runs a plan that is kept, and keeps it on.
    pub(super) async fn run_kept(
        &self,
        selection: &Selection<'_>,
        ready: Ready,
    ) -> Result<Vec<RecordBatch>, DataFusionError> {
        let Ready { mut template, wanted } = ready;
        let environment = limits::environment(self.core.files.runtime_env().as_ref(), &self.core.limits);
        let identity = Identity::of_call(selection.contract, selection.call);
        let context = self.core.task_context(environment, identity, selection.call.deadline);
        let (batches, busy) = template.run(wanted.values, context).await?;
        // Beside other queries it says nothing of the plan that a thread had to wait for a core.
        if self.core.threads.are_quiet() {
            template.took(busy);
        }
        self.quick.put(template.steps.quick().filter(|_| busy < QUICK));
        if template.is_too_long() {
            self.templates.refuse(wanted.shape, &wanted.versions);
        } else {
            self.templates.give_back(wanted.shape, template);
        }
        Ok(batches)
    }

    /// Makes a template for the call's shape.
    pub(super) async fn template(
        &self,
        selection: &Selection<'_>,
        plan: &LogicalPlan,
        versions: Vec<PlanVersion>,
    ) -> Result<Template, DataFusionError> {
        let contract = selection.contract;
        let plan = selection.capped(selection.call.outline(contract, plan)?)?;
        let key = |table: &str| self.core.pushed_column(table);
        let state = &self.core.session().template_state;
        let template = Template::make(contract, &plan, state, &key, versions.clone()).await?;
        // Files may have changed while it was planned.
        match self.core.plan_versions(&contract.tables) {
            Some(now) if now == versions => Ok(template),
            _ => plan_err!("the tables have changed"),
        }
    }
}
