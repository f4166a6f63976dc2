//! The server as a library: a project's folder, tools of one's own beside it, and a service to put into a program.

use super::{Access, Publication, Server, ServerInfo};
use crate::bundle::contract;
use crate::catalog::Catalog;
use crate::compile;
use crate::diagnostic::Diagnostics;
use crate::diagnostic::render::{Format, render};
use crate::engine::native::NativeTool;
use crate::engine::{Engine, Tables};
use crate::load::{self, Disk, Loaded};
use crate::project::Project;
use std::path::Path;

impl Server {
    /// Compiles the project in a folder, and serves its tools and these. Tables and allowed values without a lock are
    /// read; nothing is written.
    ///
    /// Errors, in words for the author: the project has errors, or a table cannot be opened.
    pub async fn of_project(dir: &Path, natives: Vec<NativeTool>) -> Result<(Server, Access), String> {
        let loaded = load::load(&Disk::new(dir));
        let Loaded { mut project, unlocked, diagnostics } =
            loaded.map_err(|failed| said(failed.diagnostics, &failed.sources))?;
        read(dir, &mut project, &unlocked).await?;
        let compilation = compile::compile(&project, diagnostics);
        if compilation.errors > 0 {
            return Err(render(&compilation.diagnostics, &project.sources, Format::Text, false));
        }
        let tables = Tables::open(dir, &project.file, &project.catalog).await;
        let tables = tables.map_err(|errors| {
            let each =
                errors.iter().map(|error| format!("table `{}` cannot be opened: {:?}", error.table, error.error));
            each.collect::<Vec<_>>().join("\n")
        })?;
        let mut tools = compilation.tools;
        let mut engine = Engine::prepare(tables, tools.clone());
        for native in natives {
            if tools.iter().any(|tool| tool.contract.name == native.tool.contract.name) {
                return Err(format!("there are two tools `{}`", native.tool.contract.name));
            }
            tools.push(native.tool.clone());
            engine.add(native);
        }
        tools.sort_by(|a, b| a.contract.name.cmp(&b.contract.name));
        engine.refresh().await;
        let file = &project.file;
        let access = Access::of(file, &tools)?;
        let info = ServerInfo {
            name: file.name.clone(),
            version: file.version.clone().unwrap_or_else(|| "0.0.0".to_owned()),
            description: file.description.clone(),
            icons: file.icons.clone(),
            contract: contract::of(&tools, &compilation.prompts),
        };
        let publication = Publication::of(file, &project.catalog, tools, compilation.prompts);
        let server = Server::new(engine, publication, info, &file.limits).map_err(|error| error.to_string())?;
        Ok((server, access))
    }
}

/// Reads what is not locked.
async fn read(dir: &Path, project: &mut Project, unlocked: &[String]) -> Result<(), String> {
    let names: Vec<&str> = unlocked.iter().map(String::as_str).collect();
    let opened = Tables::open_some(dir, &project.file, &Catalog::default(), &names).await;
    let opened = opened.map_err(|errors| {
        let each = errors.iter().map(|error| format!("table `{}` cannot be read: {:?}", error.table, error.error));
        each.collect::<Vec<_>>().join("\n")
    })?;
    project.catalog.tables.extend(opened.catalog().tables);
    for of in compile::allowed_queries(project) {
        let values = match load::locked_values(&Disk::new(dir), &of) {
            Some(values) => Ok(values),
            None => Tables::read_allowed_values(dir, &project.file, &project.catalog, &of).await,
        };
        project.allowed_values.insert(of.key, values);
    }
    Ok(())
}

fn said(diagnostics: Diagnostics, sources: &crate::source::Sources) -> String {
    render(&diagnostics.into_sorted(), sources, Format::Text, false)
}
