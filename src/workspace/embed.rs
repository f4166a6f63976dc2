//! The server as a library: a project's folder, tools of one's own beside it, and a service to put into a program.

use super::{Application, Locking, StartError, Workspace};
use crate::diagnostic::Diagnostic;
use crate::engine::native::NativeTool;
use crate::serve::{Access, Server};
use std::path::Path;

impl Server {
    /// Compiles the project in a folder, and serves its tools and these, with the record of calls that the project asks
    /// for. Tables and allowed values without a lock are read; no lock is written, and no
    /// program is asked what it takes.
    ///
    /// Errors: the project has errors, a table cannot be opened or has another schema than the locked one, two tools
    /// have one name, or `auth` or `audit` cannot be used.
    pub async fn of_project(dir: &Path, natives: Vec<NativeTool>) -> Result<(Server, Access), StartError> {
        let mut workspace = Workspace::load(dir)?;
        workspace.forgo_asking_programs();
        workspace.read_data(Locking::ReadOnly, |_| {}).await;
        let compilation = workspace.compile();
        let problems = |diagnostics: Vec<Diagnostic>| {
            let sources = workspace.project.sources.clone();
            StartError::Problems { diagnostics, sources }
        };
        if compilation.errors > 0 {
            return Err(problems(compilation.diagnostics));
        }
        let mut tools = compilation.tools;
        // Which tables a function asks for is not known before it does.
        let mut engine = workspace.engine_over_all(tools.clone()).await.map_err(problems)?;
        for native in natives {
            if tools.iter().any(|tool| tool.contract.name == native.tool.contract.name) {
                return Err(StartError::TwoTools(native.tool.contract.name));
            }
            tools.push(native.tool.clone());
            engine.add(native);
        }
        tools.sort_by(|a, b| a.contract.name.cmp(&b.contract.name));
        let passed_on = (compilation.prompts, compilation.offered);
        let application = Application::of_project(&workspace, tools, passed_on);
        let access = Access::of(&application.file, &application.tools).map_err(StartError::Auth)?;
        // Nobody is served by what another server says and nobody has accepted.
        let unaccepted = workspace.unaccepted(&application.tools);
        let server = application.server(engine, unaccepted, None).await?;
        Ok((server, access))
    }
}
