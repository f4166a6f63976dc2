//! What the data is now, whatever is locked.

use super::Workspace;
use super::data::name_of_values;
use crate::catalog::Catalog;
use crate::compile;
use crate::engine::{OpenError, Tables};
use crate::load::{self, Disk};
use crate::project::{NoValues, UnreadValues};
use serde_json::Value;

/// Allowed values that are locked.
#[derive(Debug)]
pub struct ValuesNow {
    /// The name of their query and of the parameter: `flights.carrier`.
    pub name: String,
    /// What gives them.
    pub of: UnreadValues,
    /// The values that are locked.
    pub locked: Vec<Value>,
    /// Those that the data gives now; or why it gives none.
    pub now: Result<Vec<Value>, NoValues>,
}

impl Workspace {
    /// The schemas of all locked tables as the data has them, and the tables that cannot be read. Texts are read to their
    /// end.
    pub async fn schemas_now(&self) -> (Catalog, Vec<OpenError>) {
        let (dir, file, locked) = (&self.dir, &self.project.file, &self.project.catalog);
        let (mut now, mut unreadable) = (Catalog::default(), Vec::new());
        for name in locked.tables.keys() {
            let mut opened = Tables::open_whole(dir, file, locked, &[name.as_str()]).await;
            let mut with_lock = Vec::new();
            if let Err(errors) = opened {
                // A schema that does not fit the data any more is no help in reading it.
                opened = Tables::open_whole(dir, file, &Catalog::default(), &[name.as_str()]).await;
                with_lock = errors;
            }
            let errors = match opened {
                Ok(tables) => {
                    let is_told = !tables.changes(locked).is_empty();
                    now.tables.extend(tables.catalog().tables);
                    // Where no column says why calls fail, the error does.
                    if is_told { Vec::new() } else { with_lock }
                }
                Err(errors) => errors,
            };
            unreadable.extend(errors);
        }
        (now, unreadable)
    }
    /// The allowed values that are locked, and those that the data gives now. `progress` is told what is read.
    pub async fn locked_values_now(&self, progress: fn(&str)) -> Vec<ValuesNow> {
        let mut found = Vec::new();
        for of in compile::allowed_queries(&self.project) {
            let Some(locked) = load::locked_values(&Disk::new(&self.dir), &of) else { continue };
            let name = name_of_values(&of);
            progress(&format!("reading the allowed values of {name}"));
            let now = self.values_now(&of).await;
            found.push(ValuesNow { name, of, locked, now });
        }
        found
    }
}
