//! `qtool serve`

mod options;
mod watch;

pub(super) use options::{Options, log_as_text, tell_quarantined};

use super::workspace::{self, Data, block_on, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::engine::keep_connections_here;
use crate::workspace::{Application, Opened, Workspace};

/// Serve the tools over MCP, on standard input and output or over HTTP
#[derive(clap::Args)]
pub(super) struct Serve {
    #[command(flatten)]
    options: Options,
    /// Compile again when files change
    #[arg(long)]
    watch: bool,
}

impl Serve {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.options.log_to_stderr();
        let workspace = match workspace::open(global, Data::MayBeReadWithoutAsking) {
            Ok(workspace) => workspace,
            Err(outcome) => return outcome,
        };
        let compilation = workspace.compile();
        if compilation.errors > 0 {
            print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
            terminal::error("a project with errors is not served", &[]);
            return Outcome::Problems;
        }
        for left in workspace.accepted_offers(compilation.offered.clone()).1 {
            tracing::error!(target: "qtool::serve", "out of service: {left}: nobody has accepted it as it is");
        }
        let passed_on = (compilation.prompts, compilation.offered);
        let application = Application::of_project(&workspace, compilation.tools, passed_on);
        let access = match self.options.access(&application) {
            Ok(access) => access,
            Err(outcome) => return outcome,
        };
        let served = block_on(async move {
            keep_connections_here();
            let Opened { engine, quarantined, .. } = engine(&workspace, &application).await?;
            let (dir, tools, watched) = (workspace.dir.clone(), application.tools.clone(), self.watch);
            let profile = self.options.profile();
            let after = |server: &crate::serve::Server| match watched {
                true => watch::start(&dir, server.clone(), tools, profile).map(Some).map_err(|why| {
                    terminal::error(&format!("the project cannot be watched: {why}"), &[]);
                    Outcome::CouldNotRun
                }),
                false => Ok(None),
            };
            self.options.serve(application, engine, quarantined, access, after).await
        });
        match served {
            Some(Ok(())) => Outcome::Fine,
            Some(Err(outcome)) => outcome,
            None => Outcome::CouldNotRun,
        }
    }
}

/// What runs the tools. What is out of service is told, and what keeps the rest from being served is printed.
async fn engine(workspace: &Workspace, application: &Application) -> Result<Opened, Outcome> {
    let sources = &workspace.project.sources;
    let (opened, warnings) = workspace.engine_to_serve(application).await.map_err(|problems| {
        print(&problems, sources);
        Outcome::Problems
    })?;
    print(&warnings, sources);
    tell_quarantined(&opened.quarantined);
    Ok(opened)
}
