//! `qtool check`

mod emit;
mod fix;

use super::workspace::{self, Data, count, errors_only};
use super::{Global, Outcome, terminal};
use crate::compile::Compilation;
use crate::diagnostic::render::{Format, render};
use crate::emit::profile::{Profile, Severity};
use crate::source::Sources;
use clap::ValueEnum;
use fix::Fixes;
use std::collections::HashSet;
use std::path::Path;

/// Compile all queries and report every problem
#[derive(clap::Args)]
pub(super) struct Check {
    /// Compile against the locked schemas only, and hold the tools to their accepted snapshots; do not touch the data
    #[arg(long)]
    locked: bool,
    /// Carry out the corrections that are certain, and report what remains
    #[arg(long)]
    fix: bool,
    /// How problems are written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: CheckFormat,
    /// Hold the tools to what a client takes: openai, openai-strict, claude, gemini or cursor
    #[arg(long, value_name = "CLIENT")]
    profile: Vec<Profile>,
    /// Print what a stage of the compiler makes of QUERY
    #[arg(long, value_name = "STAGE", requires = "query", conflicts_with = "fix")]
    emit: Option<Stage>,
    /// The query that `--emit` prints
    #[arg(value_name = "QUERY", requires = "emit")]
    query: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// What was read: placeholders and statement
    Parsed,
    /// What every place asks of the types
    Constraints,
    /// The types that were found, and why
    Typed,
    /// The plan
    Plan,
    /// The tool, as it is published and executed
    Tool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// With the source, for people
    Text,
    /// One line each, for editors
    Short,
    /// One JSON object a line, for programs
    Json,
    /// One SARIF document, for code hosts
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

impl Check {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let data = if self.locked { Data::Untouched } else { Data::MayBeRead };
        let dir = match workspace::find(global) {
            Ok(dir) => dir,
            Err(outcome) => return outcome,
        };
        if let (Some(stage), Some(query)) = (self.emit, &self.query) {
            return emit::run(&dir, data, stage, query);
        }
        let checked = Checked::of(&dir, data);
        let (checked, fixes) = if self.fix {
            let (checked, fixes) = Fixes::carry_out(checked, &dir, data);
            (checked, Some(fixes))
        } else {
            (checked, None)
        };
        self.print(&checked);
        if let Some(fixes) = &fixes {
            fixes.print();
        }
        let mut is_taken = true;
        for profile in &self.profile {
            let tools = &checked.compilation.tools;
            is_taken &= super::emit::findings(&checked.name, tools, *profile, Severity::Note).is_ok();
        }
        if self.locked && checked.compilation.errors == 0 {
            // What was accepted is compared with what compiled.
            let is_accepted = workspace::load(&dir, data)
                .map_or(Ok(None), |workspace| super::review::check_locked(&workspace, &checked.compilation));
            match is_accepted {
                Ok(is_accepted) => is_taken &= is_accepted.unwrap_or(true),
                Err(outcome) => return outcome,
            }
        }
        // What was said of the tools' contract is the end of it.
        if is_taken || checked.compilation.errors > 0 {
            self.print_summary(&checked.compilation);
        }
        if fixes.is_some_and(|fixes| fixes.failed) {
            Outcome::CouldNotRun
        } else if checked.compilation.errors > 0 || !is_taken {
            Outcome::Problems
        } else {
            Outcome::Fine
        }
    }

    fn print(&self, checked: &Checked) {
        let written = |format| render(&checked.compilation.diagnostics, &checked.sources, format, true);
        match self.format {
            CheckFormat::Text => terminal::err(&written(Format::Text)),
            CheckFormat::Short => terminal::out(&written(Format::Short)),
            CheckFormat::Json => terminal::out(&written(Format::Json)),
            CheckFormat::Sarif => terminal::out(&written(Format::Sarif)),
            CheckFormat::Github => terminal::out(&written(Format::Github)),
        }
    }

    fn print_summary(&self, compilation: &Compilation) {
        let mut found = Vec::new();
        if compilation.errors > 0 {
            found.push(count(compilation.errors, "error"));
        }
        if compilation.warnings > 0 {
            found.push(count(compilation.warnings, "warning"));
        }
        let found = if found.is_empty() { "no problems".to_owned() } else { found.join(", ") };
        let views =
            if compilation.views > 0 { format!(", {}", count(compilation.views, "view")) } else { String::new() };
        terminal::err(&format!("{}{views}: {found}\n", count(compilation.tools.len(), "tool")));
        if self.format == CheckFormat::Text
            && let Some(first) = errors_only(&compilation.diagnostics).first()
        {
            terminal::err(&format!("`qtool explain {}` says more of a code\n", first.code));
        }
    }
}

/// A project after compiling it, as far as it can be loaded.
struct Checked {
    name: String,
    sources: Sources,
    compilation: Compilation,
}

impl Checked {
    fn of(dir: &Path, data: Data) -> Checked {
        match workspace::load(dir, data) {
            Ok(workspace) => {
                let mut compilation = workspace.compile();
                if data == Data::MayBeRead {
                    let mut unrunnable = workspace.unrunnable_programs(&compilation.tools);
                    if unrunnable.is_empty() {
                        unrunnable = workspace.function_flaws(&compilation.tools);
                    }
                    compilation.warnings += unrunnable.len();
                    compilation.diagnostics.extend(unrunnable);
                }
                Checked { name: workspace.project.file.name, sources: workspace.project.sources, compilation }
            }
            Err(failed) => {
                let compilation = Compilation {
                    tools: Vec::new(),
                    prompts: Vec::new(),
                    offered: Vec::new(),
                    no_tools: HashSet::new(),
                    lineage: Default::default(),
                    views: 0,
                    errors: failed.diagnostics.errors(),
                    warnings: failed.diagnostics.warnings(),
                    diagnostics: failed.diagnostics.into_sorted(),
                    unread: HashSet::new(),
                };
                Checked { name: String::new(), sources: failed.sources, compilation }
            }
        }
    }
}
