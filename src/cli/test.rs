//! `qtool test`

use super::workspace::{self, Data, block_on, count, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::compile::Compilation;
use crate::load;
use crate::testing::{self, Bench, Case, Coverage, Ran, Report, Settings, golden, junit, report};
use crate::workspace::Workspace;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Run the tests of the tools
#[derive(clap::Args)]
pub(super) struct Test {
    /// Only tests whose `tool/name` contains one of these texts [default: all]
    filter: Vec<String>,
    /// Write the golden files anew
    #[arg(long)]
    update: bool,
    /// Ask programs, web services and functions, and keep what they answer in `snapshots/answers`; without it, what was kept is
    /// their answer
    #[arg(long)]
    record: bool,
    /// How many calls run side by side [default: the number of cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// How the report is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TestFormat,
    /// Say what of the tools no test has tried
    #[arg(long)]
    coverage: bool,
    /// Fail where something was not tried
    #[arg(long)]
    fail_uncovered: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TestFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// JUnit XML, for CI servers
    Junit,
}

/// A bar is shown of work that takes longer.
const PATIENCE: Duration = Duration::from_secs(1);

impl Test {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.try_run(global).unwrap_or_else(|outcome| outcome)
    }

    fn try_run(self, global: &Global) -> Result<Outcome, Outcome> {
        let start = Instant::now();
        let mut workspace = workspace::open(global, Data::MayBeReadWithoutAsking)?;
        let suite = testing::read(&load::Disk::new(&workspace.dir), &mut workspace.project);
        let counting = suite.counting.clone();
        let compilation = workspace.compile();
        let mut found = suite.diagnostics.clone();
        errors_only(&compilation.diagnostics).into_iter().for_each(|error| found.push(error));
        let has_errors = found.errors() > 0;
        print(&found.into_sorted(), &workspace.project.sources);
        if suite.cases.is_empty() && !has_errors && !self.fail_uncovered {
            terminal::warning("the project has no tests", &["write some into `queries/<name>.test.yaml`"]);
        }
        let named: HashSet<String> = suite.cases.iter().filter_map(|case| case.expect.golden.clone()).collect();
        let all = suite.cases.len();
        let cases = self.selected(suite.cases)?;
        let is_whole = cases.len() == all;
        let Ended { cases, ran, workspace, tools, has_problems } = self.carry_out(workspace, compilation, cases)?;
        let written = self.write_golden(&workspace, &cases, &ran)?;
        let calls: Vec<_> = cases
            .iter()
            .zip(&ran)
            .filter(|(_, ran)| ran.answered)
            .map(|(case, _)| (case.tool.as_str(), &case.arguments))
            .collect();
        let of_interest = |name: &str| is_whole || cases.iter().any(|case| case.tool == name);
        // A deprecated name is tried with the tool that it is one of.
        let is_counted = |tool: &&crate::tool::Tool| {
            let name = &tool.contract.name;
            tool.contract.alias_of.is_none() && !counting.contains(name) && of_interest(name)
        };
        let coverage =
            (self.coverage || self.fail_uncovered).then(|| Coverage::of(tools.iter().filter(is_counted), &calls));
        let report = Report {
            name: &workspace.project.file.name,
            cases: &cases,
            ran: &ran,
            sources: &workspace.project.sources,
            coverage: coverage.as_ref(),
            took: Some(start.elapsed()),
        };
        terminal::out(&match self.format {
            TestFormat::Text => report::text(&report, true),
            TestFormat::Json => report::json(&report),
            TestFormat::Junit => junit::junit(&report),
        });
        if written > 0 {
            terminal::err(&format!("{} written\n", count(written, "golden file")));
        }
        if is_whole {
            for path in golden::left_over(&workspace.dir, named.iter().map(String::as_str)) {
                terminal::warning(&format!("`{path}` belongs to no test"), &["delete it"]);
            }
        }
        let gaps = coverage.as_ref().filter(|_| self.fail_uncovered).map_or(0, |coverage| coverage.gaps.len());
        if gaps > 0 {
            let message = format!("{} of the tools not tried by any test", count(gaps, "part"));
            terminal::error(&message, &["the report says which"]);
        }
        let is_fine = report.is_fine() && !has_errors && !has_problems && gaps == 0;
        Ok(if is_fine { Outcome::Fine } else { Outcome::Problems })
    }

    /// The tests that were asked for.
    fn selected(&self, cases: Vec<Case>) -> Result<Vec<Case>, Outcome> {
        if self.filter.is_empty() {
            return Ok(cases);
        }
        let is_wanted = |case: &Case| {
            let is_of = |text: &String| case.file.as_ref().is_some_and(|file| file.contains(text.as_str()));
            self.filter.iter().any(|text| case.path().contains(text.as_str()) || is_of(text))
        };
        let selected: Vec<Case> = cases.into_iter().filter(is_wanted).collect();
        if selected.is_empty() {
            let message = format!("no test matches `{}`", self.filter.join("`, `"));
            terminal::error(&message, &["a filter is a part of `tool/name of the test`"]);
            return Err(Outcome::CouldNotRun);
        }
        Ok(selected)
    }

    /// Runs the tests. What is wrong with their tables and fixtures is printed.
    fn carry_out(&self, workspace: Workspace, compilation: Compilation, cases: Vec<Case>) -> Result<Ended, Outcome> {
        let missing = missing(&compilation, &cases);
        let workspace = Arc::new(workspace);
        let bench = Bench { workspace: Arc::clone(&workspace), tools: compilation.tools.clone(), missing };
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let settings = Settings { jobs: self.jobs.unwrap_or(cores).get(), update: self.update, record: self.record };
        let progress = Progress::new(cases.len());
        let selected = cases.clone();
        let ended = block_on(async move { testing::run(bench, (selected, settings), move || progress.step()).await });
        let Some((ran, problems)) = ended else {
            terminal::error("the tests failed inside the engine", &[]);
            return Err(Outcome::CouldNotRun);
        };
        print(&problems, &workspace.project.sources);
        Ok(Ended { cases, ran, workspace, tools: compilation.tools, has_problems: !problems.is_empty() })
    }

    /// Writes the golden files that are others now; how many.
    fn write_golden(&self, workspace: &Workspace, cases: &[Case], ran: &[Ran]) -> Result<usize, Outcome> {
        let mut written = 0;
        for (case, ran) in cases.iter().zip(ran) {
            let (Some(name), Some(text)) = (&case.expect.golden, &ran.golden) else { continue };
            if let Err(error) = load::write_atomically(&golden::path(&workspace.dir, name), text.as_bytes()) {
                let message = format!("cannot write `{}/{name}`: {}", golden::GOLDEN, load::io_reason(&error));
                terminal::error(&message, &[]);
                return Err(Outcome::CouldNotRun);
            }
            written += 1;
        }
        Ok(written)
    }
}

/// What is left when the tests are over.
struct Ended {
    cases: Vec<Case>,
    ran: Vec<Ran>,
    workspace: Arc<Workspace>,
    tools: Vec<crate::tool::Tool>,
    has_problems: bool,
}

/// Why tools that are tested are not there.
fn missing(compilation: &Compilation, cases: &[Case]) -> HashMap<String, String> {
    let why = |name: &str| {
        let why = if compilation.no_tools.contains(name) {
            "the query is no tool: it is a view, or out of service"
        } else {
            "the query does not compile"
        };
        (name.to_owned(), why.to_owned())
    };
    let is_missing = |name: &&str| !compilation.tools.iter().any(|tool| tool.contract.name == **name);
    cases.iter().map(|case| case.tool.as_str()).filter(is_missing).map(why).collect()
}

/// A bar on the terminal, once the work has taken a while.
struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    fn new(tests: usize) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(tests as u64), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:40} {pos} of {len} tests, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress { bar, start: Instant::now() }
    }

    fn step(&self) {
        // Of a target that is no terminal, indicatif shows nothing.
        if self.bar.is_hidden() && self.start.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
