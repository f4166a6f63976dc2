//! `qtool new`

mod address;
mod database;
mod files;
mod from;
mod origin;

use super::{Outcome, terminal};
use crate::load::{io_reason, write_atomically};
use minijinja::{Environment, context};
use origin::{Origin, origin_of};
use std::path::{Path, PathBuf};

/// Make a project to begin with
#[derive(clap::Args)]
pub(super) struct New {
    /// The folder; it must be empty or not exist
    dir: PathBuf,
    /// A folder of data, whose files become tables, or a database: `sqlite:PATH`, or its file, `postgres://USER@HOST/NAME`,
    /// or `mysql://USER@HOST/NAME`; then the folder of the project may hold files, the data too
    #[arg(long, value_name = "DATA")]
    from: Option<PathBuf>,
}

/// The files of a new project; `name` is filled in.
const FILES: [(&str, &str); 6] = [
    ("qtool.yaml", include_str!("new/qtool.yaml")),
    ("data/orders.csv", include_str!("new/orders.csv")),
    ("queries/orders_by_status.sql", include_str!("new/orders_by_status.sql")),
    ("queries/revenue_by_month.sql", include_str!("new/revenue_by_month.sql")),
    (".gitattributes", "snapshots/** text eol=lf\n"),
    // What is built, and what waits for review.
    (".gitignore", "/dist/\n*.snap.new\n"),
];

impl New {
    pub(super) fn run(self) -> Outcome {
        if let Some(from) = &self.from {
            return project_over(&self.dir, from);
        }
        match self.write() {
            Ok(()) => {
                let dir = self.dir.display();
                terminal::out(&format!(
                    "made a project in {dir}\n\n  cd {dir}\n  qtool check\n  qtool call orders_by_status status=open\n  qtool serve\n"
                ));
                Outcome::Fine
            }
            Err(why) => {
                terminal::error(&why, &[]);
                Outcome::CouldNotRun
            }
        }
    }

    fn write(&self) -> Result<(), String> {
        let shown = self.dir.display();
        match std::fs::read_dir(&self.dir).map(Iterator::count) {
            Ok(0) => {}
            Ok(_) => return Err(format!("`{shown}` is not empty")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("cannot use `{shown}`: {}", io_reason(&error))),
        }
        let absolute = std::path::absolute(&self.dir).unwrap_or_else(|_| self.dir.clone());
        let name = absolute.file_name().map_or_else(|| "tools".into(), |name| name.to_string_lossy());
        for (path, template) in FILES {
            let text = Environment::new()
                .render_str(template, context! { name => serde_json::Value::from(name.as_ref()).to_string() })
                .map_err(|error| format!("cannot write {path}: {error}"))?;
            let text = if text.ends_with('\n') { text } else { text + "\n" };
            write_atomically(&self.dir.join(path), text.as_bytes())
                .map_err(|error| format!("cannot write `{shown}/{path}`: {}", io_reason(&error)))?;
        }
        Ok(())
    }
}

/// Makes a project over data that is there.
fn project_over(dir: &Path, from: &Path) -> Outcome {
    let made = origin_of(from).and_then(|origin| match origin {
        Origin::Folder => from::project_from(dir, from),
        Origin::Sqlite(file) => database::project_from_sqlite(dir, &file),
        Origin::Server(kind, address) => database::project_from_server(dir, kind, &address),
    });
    made.unwrap_or_else(|(message, helps)| {
        let helps: Vec<&str> = helps.iter().map(String::as_str).collect();
        terminal::error(&message, &helps);
        Outcome::CouldNotRun
    })
}
