//! `qtool diff`: what changed of the tools, and for whom.

mod base;
mod formats;

use super::workspace::{self, Data, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::review::{Bump, Class, Contract, bump, compare, render};
use base::Base;
use clap::ValueEnum;

/// Show what changed of the tools since a revision, a folder or a built server, and whom it breaks
#[derive(clap::Args)]
pub(super) struct Diff {
    /// What to compare with: a revision of git, a project's folder, or a built server [default: what was accepted]
    #[arg(long, value_name = "BASE")]
    base: Option<String>,
    /// How changes are written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: DiffFormat,
    /// Exit with 1 where there are changes of that class
    #[arg(long, value_name = "CLASS", default_value = "breaking")]
    fail_on: FailOn,
    /// Exit with 1 where the project's version has not made the step that the changes ask for
    #[arg(long)]
    require_bump: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// For a terminal
    Text,
    /// For a pull request
    Markdown,
    /// For programs
    Json,
    /// For code hosts
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// What callers or readers rely on
    Breaking,
    /// What adds to that, too
    Compatible,
    /// Words, too
    Any,
    /// Never
    Never,
}

impl Diff {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.try_run(global).unwrap_or_else(|outcome| outcome)
    }

    fn try_run(self, global: &Global) -> Result<Outcome, Outcome> {
        let workspace = workspace::open(global, Data::MayBeRead)?;
        let compilation = workspace.compile();
        if compilation.errors > 0 {
            print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
            terminal::error("a project with errors is compared with nothing", &[]);
            return Err(Outcome::Problems);
        }
        let base = Base::read(self.base.as_deref(), &workspace.dir)?;
        let after = Contract { tools: compilation.tools, offered: compilation.offered };
        let changes = compare(&base.contract, &after);
        let step = bump(&changes);
        match self.format {
            DiffFormat::Text => terminal::out(&render::text(&changes, true)),
            DiffFormat::Markdown => terminal::out(&render::markdown(&changes)),
            DiffFormat::Json => terminal::out(&render::json(&changes)),
            DiffFormat::Sarif => terminal::out(&formats::sarif(&changes, &workspace)),
            DiffFormat::Github => terminal::out(&formats::github(&changes, &workspace)),
        }
        let fails = |class: Class| match self.fail_on {
            FailOn::Breaking => class == Class::Breaking,
            FailOn::Compatible => class != Class::Documentation,
            FailOn::Any => true,
            FailOn::Never => false,
        };
        let mut outcome =
            if changes.iter().any(|change| fails(change.class)) { Outcome::Problems } else { Outcome::Fine };
        if self.require_bump {
            let now = workspace.project.file.version.clone();
            if !stepped(base.version.as_deref(), now.as_deref(), step)? {
                outcome = Outcome::Problems;
            }
        }
        Ok(outcome)
    }
}

/// Whether a version has made a step since another; says so where it has not.
fn stepped(before: Option<&str>, after: Option<&str>, step: Bump) -> Result<bool, Outcome> {
    if step == Bump::None {
        return Ok(true);
    }
    let (Some(before), Some(after)) = (before, after) else {
        let which = if before.is_none() { "what is compared with" } else { "the project" };
        terminal::error(&format!("{which} has no version"), &["`version` in qtool.yaml, e.g. 1.2.0"]);
        return Err(Outcome::CouldNotRun);
    };
    let (Some(old), Some(new)) = (numbers(before), numbers(after)) else {
        terminal::error(&format!("`{before}` and `{after}` are not both versions of three numbers"), &[]);
        return Err(Outcome::CouldNotRun);
    };
    // Before 1.0.0 anything may change (https://semver.org/, 4): the second number counts as the first.
    let made = match (new[0] > old[0], new[1] > old[1], new[2] > old[2]) {
        (true, ..) => Bump::Major,
        _ if new[0] < old[0] => Bump::None,
        (_, true, _) if old[0] == 0 => Bump::Major,
        (_, true, _) => Bump::Minor,
        _ if new[1] < old[1] => Bump::None,
        (.., true) => Bump::Patch,
        _ => Bump::None,
    };
    if made < step {
        let asked = match step {
            Bump::Major if old[0] == 0 => format!("0.{}.0", old[1] + 1),
            Bump::Major => format!("{}.0.0", old[0] + 1),
            Bump::Minor => format!("{}.{}.0", old[0], old[1] + 1),
            Bump::Patch | Bump::None => format!("{}.{}.{}", old[0], old[1], old[2] + 1),
        };
        terminal::error(&format!("the version is {after} and was {before}: these changes ask for {asked}"), &[]);
    }
    Ok(made >= step)
}

/// The three numbers of a version.
fn numbers(text: &str) -> Option<[u64; 3]> {
    let plain = text.split(['-', '+']).next()?;
    let mut parts = plain.split('.').map(|part| part.parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}
