//! `qtool eval`

use super::emit::findings;
use super::workspace::{self, Data, block_on, count, errors_only, print};
use super::{Global, Outcome, terminal, typed};
use crate::emit::profile::{Profile, Severity};
use crate::engine::Engine;
use crate::engine::bind::Caller;
use crate::evals::provider::{Api, Endpoint, Key, Patience, Provider};
use crate::evals::report::{Report, Verdict};
use crate::evals::run::{Session, ToolCaller, ToolFailure, run};
use crate::evals::{Eval, file};
use crate::load;
use crate::tool::Tool;
use crate::ty::coerce::TimeZoneName;
use crate::workspace::Workspace;
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use clap::ValueEnum;
use serde_json::{Map, Value, json};

/// Have a model answer the questions under evals/, and judge the calls that it makes
#[derive(clap::Args)]
pub(super) struct EvalCommand {
    /// Only evaluations whose names have one of these texts in them
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// The URL of the model's API, such as https://api.openai.com/v1 or http://localhost:11434/v1
    #[arg(long, value_name = "URL", required_unless_present = "dry_run")]
    url: Option<String>,
    /// The model's name there
    #[arg(long, value_name = "MODEL", required_unless_present = "dry_run")]
    model: Option<String>,
    /// What the API is
    #[arg(long, value_name = "API", default_value = "openai")]
    api: ApiName,
    /// The environment variable that has the key [default: OPENAI_API_KEY or ANTHROPIC_API_KEY, for their makers' own
    /// hosts only]
    #[arg(long, value_name = "NAME")]
    key_env: Option<String>,
    /// How often every question is asked, instead of what the files say
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    repetitions: Option<u64>,
    /// The share of repetitions that must pass, from 0 to 1, instead of what the files say
    #[arg(long, value_name = "SHARE", value_parser = share)]
    threshold: Option<f64>,
    /// How many conversations go on at a time
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
    /// The model has the tools of one toolset only
    #[arg(long, value_name = "NAME")]
    toolset: Option<String>,
    /// A claim of the caller's token, for parameters that are bound to one
    #[arg(long, value_name = "NAME=VALUE")]
    claim: Vec<String>,
    /// What the caller's token is good for, for policies; several with commas, or by repeating it
    #[arg(long, value_name = "SCOPES", value_delimiter = ',')]
    scopes: Vec<String>,
    /// What `now()` is, in RFC 3339 [default: the time of the clock]
    #[arg(long, value_name = "INSTANT")]
    now: Option<DateTime<Utc>>,
    /// How the report is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: ReportFormat,
    /// Check the files, and ask nobody
    #[arg(long)]
    dry_run: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ApiName {
    /// POST {url}/chat/completions, as OpenAI has it and most others
    Openai,
    /// POST {url}/v1/messages, as Anthropic has it
    Anthropic,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    Text,
    Json,
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("not from 0 to 1".to_owned()) }
}

impl EvalCommand {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.try_run(global).unwrap_or_else(|outcome| outcome)
    }

    fn try_run(self, global: &Global) -> Result<Outcome, Outcome> {
        let mut workspace = workspace::open(global, Data::MayBeReadWithoutAsking)?;
        let compilation = workspace.compile();
        if compilation.errors > 0 {
            print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
            return Err(Outcome::Problems);
        }
        let tools = match &self.toolset {
            Some(name) => workspace::toolset(&workspace, name, compilation.tools)?,
            None => compilation.tools,
        };
        let evals = self.evals(&mut workspace, &tools)?;
        if self.dry_run {
            self.show_checked(&evals);
            return Ok(Outcome::Fine);
        }
        if evals.is_empty() {
            terminal::error("there is nothing to evaluate", &["write a question into a file `evals/NAME.yaml`"]);
            return Err(Outcome::CouldNotRun);
        }
        let provider = self.provider()?;
        let profile = match self.api {
            ApiName::Openai => Profile::OpenAi,
            ApiName::Anthropic => Profile::Claude,
        };
        findings(&workspace.project.file.name, &tools, profile, Severity::Error)?;
        let report = self.evaluate(workspace, tools, evals, provider)?;
        terminal::out(&match self.format {
            ReportFormat::Text => report.text(),
            ReportFormat::Json => report.json(),
        });
        Ok(match report.verdict() {
            Verdict::Passed => Outcome::Fine,
            Verdict::Failed => Outcome::Problems,
            Verdict::NotRun => Outcome::CouldNotRun,
        })
    }

    /// The evaluations that were asked for; what is wrong with the files is printed.
    fn evals(&self, workspace: &mut Workspace, tools: &[Tool]) -> Result<Vec<Eval>, Outcome> {
        let mut sink = crate::diagnostic::Diagnostics::default();
        let files = load::eval_files(&load::Disk::new(&workspace.dir), &mut workspace.project.sources, &mut sink);
        let zone = time_zone(workspace);
        let (mut evals, found) = file::compile(&files, &workspace.project.sources, tools, &zone);
        sink.extend(found);
        if sink.errors() > 0 {
            print(&sink.into_sorted(), &workspace.project.sources);
            return Err(Outcome::Problems);
        }
        if !self.filters.is_empty() {
            evals.retain(|eval| self.filters.iter().any(|filter| eval.name.contains(filter.as_str())));
            if evals.is_empty() {
                let filters = self.filters.join("` or `");
                let help = "`qtool eval --dry-run` lists the evaluations";
                terminal::error(&format!("no evaluation has `{filters}` in its name"), &[help]);
                return Err(Outcome::CouldNotRun);
            }
        }
        for eval in &mut evals {
            eval.repetitions = self.repetitions.unwrap_or(eval.repetitions);
            eval.threshold = self.threshold.unwrap_or(eval.threshold);
        }
        Ok(evals)
    }

    fn show_checked(&self, evals: &[Eval]) {
        let entry = |eval: &Eval| {
            let Eval { name, question, repetitions, threshold, .. } = eval;
            json!({"name": name, "question": question, "repetitions": repetitions, "threshold": threshold})
        };
        terminal::out(&match self.format {
            ReportFormat::Text => {
                let mut text: String = evals.iter().map(|eval| format!("{}\n", eval.name)).collect();
                let are = if evals.len() == 1 { "is" } else { "are" };
                text.push_str(&format!("{} {are} valid\n", count(evals.len(), "evaluation")));
                text
            }
            ReportFormat::Json => {
                let evals: Value = evals.iter().map(entry).collect();
                serde_json::to_string_pretty(&json!({"evaluations": evals})).unwrap_or_default() + "\n"
            }
        });
    }

    fn provider(&self) -> Result<Provider, Outcome> {
        let (Some(url), Some(model)) = (self.url.clone(), self.model.clone()) else {
            return Err(Outcome::CouldNotRun);
        };
        let api = match self.api {
            ApiName::Openai => Api::OpenAi,
            ApiName::Anthropic => Api::Anthropic,
        };
        let key = match &self.key_env {
            Some(name) => {
                let key = std::env::var(name).ok().as_deref().and_then(Key::new);
                Some(key.ok_or_else(|| {
                    terminal::error(&format!("the environment variable `{name}` has no key"), &[]);
                    Outcome::CouldNotRun
                })?)
            }
            // Nobody else is given a key that was meant for somebody.
            None => {
                let own = api.key_variable(&url).and_then(|name| std::env::var(name).ok());
                own.as_deref().and_then(Key::new)
            }
        };
        Provider::new(Endpoint { api, url, model, key }, Patience::default()).map_err(|why| {
            terminal::error(&format!("the model cannot be asked: {why}"), &[]);
            Outcome::CouldNotRun
        })
    }

    fn evaluate(
        &self,
        workspace: Workspace,
        tools: Vec<Tool>,
        evals: Vec<Eval>,
        provider: Provider,
    ) -> Result<Report, Outcome> {
        let zone = time_zone(&workspace);
        let caller = Caller {
            claims: typed::claims(&self.claim, tools.iter().map(|tool| &tool.contract))?,
            scopes: self.scopes.iter().cloned().collect(),
            now: self.now,
            tries_only: true,
            ..Caller::default()
        };
        let jobs = usize::try_from(self.jobs).unwrap_or(1);
        let report = block_on(async move {
            let engine = workspace::engine(&workspace, tools.clone()).await?;
            engine.refresh().await;
            let caller = ToolsOfProject { engine, caller };
            let done = |eval: &Eval, repetition: u64, passed: bool| {
                let word = if passed { "pass" } else { "fail" };
                terminal::progress(&format!("{word} {} ({repetition} of {})", eval.name, eval.repetitions));
            };
            let session =
                Session { provider: &provider, tools: &tools, caller: &caller, time_zone: &zone, jobs, done: &done };
            Ok(run(&evals, &session).await)
        });
        report.unwrap_or_else(|| {
            terminal::error("the evaluation failed inside the engine", &[]);
            Err(Outcome::CouldNotRun)
        })
    }
}

fn time_zone(workspace: &Workspace) -> TimeZoneName {
    // A zone that is none was reported when the project was loaded.
    workspace.project.file.time_zone.as_deref().and_then(TimeZoneName::parse).unwrap_or_default()
}

/// The tools, carried out as for a client of the server.
struct ToolsOfProject {
    engine: Engine,
    caller: Caller,
}

#[async_trait]
impl ToolCaller for ToolsOfProject {
    async fn call(&self, tool: &str, arguments: &Map<String, Value>) -> Result<String, ToolFailure> {
        let outcome = self.engine.call_as(tool, arguments, &self.caller).await;
        outcome.map(|result| result.text()).map_err(|error| error.line().into())
    }
}
