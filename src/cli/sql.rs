//! `qtool sql`

use super::call::Calling;
use super::draft::{Compiled, Draft};
use super::{Global, Outcome, saved, terminal, workspace};
use crate::load::io_reason;
use crate::project::ResultLimit;
use std::io::Read as _;

/// Run SQL over the tables and queries of the project, or make a query file of it
#[derive(clap::Args)]
pub(super) struct Sql {
    /// One SELECT, with placeholders or without; `-` reads it from standard input
    sql: String,
    #[command(flatten)]
    calling: Calling,
    /// Most rows, or `none` for all [default: what qtool.yaml says, else 100]
    #[arg(long, value_name = "ROWS", value_parser = rows)]
    limit: Option<ResultLimit>,
    /// Write it to queries/NAME.sql, with placeholders for the literals of its conditions, instead of running it
    #[arg(long, value_name = "NAME", conflicts_with_all = ["arguments", "json", "claim", "header", "scopes", "now", "explain", "format", "limit"])]
    save: Option<String>,
}

/// Reads a number of rows.
fn rows(text: &str) -> Result<ResultLimit, &'static str> {
    match text.parse::<u64>() {
        Ok(rows) if rows > 0 => Ok(ResultLimit::Rows(rows)),
        _ if text == "none" => Ok(ResultLimit::None),
        _ => Err("expected a number of at least 1, or `none`"),
    }
}

impl Sql {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.try_run(global).unwrap_or_else(|outcome| outcome)
    }

    fn try_run(self, global: &Global) -> Result<Outcome, Outcome> {
        let sql = self.text()?;
        if let Some(name) = &self.save {
            saved::save(global, name, &sql, None)?.print();
            return Ok(Outcome::Fine);
        }
        let Compiled { workspace, tool } = Draft::to_run(global, self.limit)?.compile(&sql)?;
        let only = tool.clone();
        self.calling.answer(tool, async move { workspace::engine(&workspace, vec![only]).await })
    }

    /// What was typed, or what standard input has.
    fn text(&self) -> Result<String, Outcome> {
        if self.sql != "-" {
            return Ok(self.sql.clone());
        }
        let mut text = String::new();
        match std::io::stdin().lock().read_to_string(&mut text) {
            Ok(_) => Ok(text),
            Err(error) => {
                terminal::error(&format!("standard input cannot be read: {}", io_reason(&error)), &[]);
                Err(Outcome::CouldNotRun)
            }
        }
    }
}
