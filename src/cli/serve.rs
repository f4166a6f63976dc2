//! `qtool serve`

use super::workspace::{Data, Workspace, block_on, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::serve::{Server, ServerInfo};

/// Serve the tools over MCP on standard input and output
#[derive(clap::Args)]
pub(super) struct Serve {}

impl Serve {
    pub(super) fn run(self, global: &Global) -> Outcome {
        log_to_stderr();
        let workspace = match Workspace::open(global, Data::MayBeRead) {
            Ok(workspace) => workspace,
            Err(outcome) => return outcome,
        };
        let compilation = workspace.compile();
        if compilation.errors > 0 {
            print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
            terminal::error("a project with errors is not served", &[]);
            return Outcome::Problems;
        }
        let info = ServerInfo {
            name: workspace.project.file.name.clone(),
            version: workspace.project.file.version.clone().unwrap_or_else(|| "0.0.0".to_owned()),
            description: workspace.project.file.description.clone(),
        };
        let served = block_on(async move {
            let tools = compilation.tools;
            let engine = workspace.engine(tools.clone()).await?;
            engine.refresh().await;
            let server = Server::new(engine, &tools, info).map_err(|error| {
                terminal::error(&format!("the tools cannot be published: {error}"), &[]);
                Outcome::CouldNotRun
            })?;
            server.serve_stdio().await.map_err(|error| {
                terminal::error(&format!("the connection failed: {error}"), &[]);
                Outcome::CouldNotRun
            })
        });
        match served {
            Some(Ok(())) => Outcome::Fine,
            Some(Err(outcome)) => outcome,
            None => Outcome::CouldNotRun,
        }
    }
}

/// Standard output belongs to the protocol.
fn log_to_stderr() {
    let subscriber = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        // Errors only: what a client does wrong is answered to the client, and rmcp would warn of each.
        .with_max_level(tracing::Level::ERROR)
        .finish();
    // A second subscriber in one process (a test) is no reason to stop.
    let _ = tracing::subscriber::set_global_default(subscriber);
}
