//! Reads allowed values again, where their author asks for it.

use super::Engine;
use super::allowed_values;
use super::core::Core;
use crate::project::Refresh;
use crate::tool::{Constraints, Tool};
use crate::ty::Type;
use crate::ty::coerce::{Coercion, Strictness, TimeZoneName};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Allowed values that are read again.
pub(super) struct Refreshed {
    parameter: String,
    query: String,
    /// How old they may become; `None` where they are read at the start only.
    most: Option<Duration>,
    times: Mutex<Times>,
}

/// When values were read.
#[derive(Debug, Default)]
struct Times {
    read: Option<Instant>,
    /// Since when somebody reads them.
    begun: Option<Instant>,
}

/// Who reads for longer than this has been given up: nobody waits for it any more.
const GIVEN_UP: Duration = Duration::from_secs(60);

/// Somebody reads the values.
struct Reading<'a> {
    of: &'a Refreshed,
    begun: Instant,
}

impl Reading<'_> {
    fn is_done(&self) {
        self.of.times().read = Some(Instant::now());
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let mut times = self.of.times();
        if times.begun == Some(self.begun) {
            times.begun = None;
        }
    }
}

impl Refreshed {
    /// Those of a tool.
    pub(super) fn of(tool: &Tool) -> Vec<Refreshed> {
        let one = |parameter: &crate::tool::Parameter| {
            let query = parameter.allowed_query.as_ref()?;
            let most = match query.refresh? {
                Refresh::Startup => None,
                Refresh::Every(age) => Some(age.0),
            };
            Some(Refreshed {
                parameter: parameter.name.clone(),
                query: query.query.clone(),
                most,
                times: Mutex::default(),
            })
        };
        tool.contract.parameters().iter().filter_map(one).collect()
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to read them; `None` where they are as new as they must be, or somebody else reads them.
    fn begin(&self, starting: bool) -> Option<Reading<'_>> {
        let mut times = self.times();
        let is_fresh = match (times.read, self.most) {
            (None, None) => !starting,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(read), Some(most)) => read.elapsed() < most,
        };
        if is_fresh || times.begun.is_some_and(|begun| begun.elapsed() < GIVEN_UP) {
            return None;
        }
        let begun = Instant::now();
        times.begun = Some(begun);
        Some(Reading { of: self, begun })
    }

    /// The tool with the values of now; `None` where the present ones hold: they are as new as they must be, somebody else
    /// reads them, or they cannot be read, which the log says.
    pub(super) async fn read_again(
        &self,
        core: &Core,
        starting: bool,
        tool: &(dyn Fn() -> Arc<Tool> + Sync),
    ) -> Option<Tool> {
        let reading = self.begin(starting)?;
        let values = allowed_values::read(core.session(), &core.tables, &self.query).await;
        reading.is_done();
        // Meanwhile other values of it may have been read.
        let tool = tool();
        let values = values.map_err(|why| why.to_string());
        match values.and_then(|values| with_values(&tool, &self.parameter, values, &core.time_zone)) {
            Ok(tool) => Some(tool),
            Err(why) => {
                let (tool, parameter) = (tool.contract.name.as_str(), self.parameter.as_str());
                tracing::error!(tool, parameter, why, "the allowed values were not read; the former ones hold");
                None
            }
        }
    }
}

impl Engine {
    /// Reads the allowed values again that are to be read when a server starts. Where that fails, those of the snapshot
    /// stay, and the log says why.
    pub async fn refresh(&self) {
        for prepared in self.tools.values() {
            prepared.refresh(&self.core, true).await;
        }
    }
}

/// The tool with other values for a parameter.
fn with_values(tool: &Tool, parameter: &str, values: Vec<Value>, time_zone: &TimeZoneName) -> Result<Tool, String> {
    let mut tool = tool.clone();
    let Some(parameter) = tool.contract.parameters_mut().iter_mut().find(|one| one.name == parameter) else {
        return Ok(tool);
    };
    let item = match &parameter.ty {
        Type::List(item) => item.as_ref(),
        ty => ty,
    };
    let coercion = Coercion { strictness: Strictness::Lax, time_zone: time_zone.clone() };
    let others =
        Constraints { allowed_values: None, min_items: None, max_items: None, ..parameter.constraints.clone() };
    for value in &values {
        item.coerce(value, &coercion).map_err(|mismatch| mismatch.to_string())?;
        others.check(item, value, &coercion).map_err(|violation| format!("{value} is not {}", violation.expected))?;
    }
    parameter.constraints.allowed_values =
        Some(item.distinct(values.iter().map(|value| item.canonical(value)).collect()));
    Ok(tool)
}
