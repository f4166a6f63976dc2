//! Looks into a compiled project for a command; what is not there is printed.

use super::{Outcome, terminal};
use crate::engine::Engine;
use crate::serve::Quarantined;
use crate::tool::Tool;
use crate::workspace::{Application, Opened};

/// The tool of that name; that there is none is printed.
pub(crate) fn tool<'a>(application: &'a Application, name: &str) -> Result<&'a Tool, Outcome> {
    application.tools.iter().find(|tool| tool.contract.name == name).ok_or_else(|| {
        let help = match crate::name::nearest(name, application.tools.iter().map(|tool| tool.contract.name.as_str())) {
            Some(near) => format!("a tool with a similar name exists: `{near}`"),
            None => "`list` shows the tools".to_owned(),
        };
        terminal::error(&format!("there is no tool `{name}`"), &[help.as_str()]);
        Outcome::CouldNotRun
    })
}

/// What runs one tool; why it cannot run is printed.
pub(crate) async fn engine_of(application: &Application, tool: Tool) -> Result<Engine, Outcome> {
    let Opened { engine, quarantined, notes } = application.open(&[tool]).await;
    match quarantined.first() {
        None => Ok(engine),
        Some(Quarantined { tool, reason }) => {
            // Who is at the terminal may know where files lie.
            let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
            terminal::error(&format!("tool `{tool}` is out of service: {reason}"), &notes);
            Err(Outcome::Problems)
        }
    }
}
