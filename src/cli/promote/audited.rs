//! The SELECT of a call, as the record of calls has it.

use crate::cli::{Outcome, terminal, workspace};
use crate::load::io_reason;
use crate::project::{AuditArguments, AuditTarget};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The SQL that a call was sent with. Why there is none is printed.
pub(super) fn sql_of_call(dir: &Path, id: u64) -> Result<String, Outcome> {
    let refused = |message: &str, helps: &[&str]| {
        terminal::error(message, helps);
        Outcome::CouldNotRun
    };
    let workspace = workspace::load_files(dir).map_err(|failed| {
        workspace::print(&failed.diagnostics.into_sorted(), &failed.sources);
        Outcome::Problems
    })?;
    let Some(audit) = &workspace.project.file.audit else {
        return Err(refused("the project has no `audit`: calls are not recorded", &["give the SELECT itself"]));
    };
    let AuditTarget::File(path) = &audit.to else {
        return Err(refused("calls are recorded on standard error, and in no file", &["give the SELECT itself"]));
    };
    if audit.arguments != AuditArguments::Values {
        let help = "`audit: { arguments: values }` keeps what is sent, from then on";
        return Err(refused("the record has no arguments of calls", &[help, "give the SELECT itself"]));
    }
    let file = File::open(dir.join(path));
    let file =
        file.map_err(|error| refused(&format!("cannot read the record of calls: {}", io_reason(&error)), &[]))?;
    let mut found = None;
    for line in BufReader::new(file).lines() {
        let line =
            line.map_err(|error| refused(&format!("cannot read the record of calls: {}", io_reason(&error)), &[]))?;
        // A line that is being written is not whole yet.
        let Ok(call) = serde_json::from_str::<Value>(&line) else { continue };
        // Numbers begin anew with each server: the last one is meant.
        if call.get("id").and_then(Value::as_u64) == Some(id) {
            found = Some(call);
        }
    }
    let Some(call) = found else {
        return Err(refused(&format!("the record has no call of the id {id}"), &[]));
    };
    let sql = call.get("arguments").and_then(|arguments| arguments.get("sql")).and_then(Value::as_str);
    sql.map(str::to_owned).ok_or_else(|| {
        let tool = call.get("tool").and_then(Value::as_str).unwrap_or_default();
        let message = format!("the call {id} was sent no SELECT: it is one of `{tool}`");
        refused(&message, &["calls of tools such as `flights_analyze` have one"])
    })
}
