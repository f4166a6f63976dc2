//! `qtool emit`

use super::workspace::{self, Data, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::emit::about::About;
use crate::emit::format::Format;
use crate::emit::profile::{self, Profile, Severity};
use crate::load::{io_reason, write_output};
use crate::tool::Tool;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// Write the tools in a format of others: of providers, for search, for people, as a client
#[derive(clap::Args)]
pub(super) struct Emit {
    /// The format
    #[arg(value_parser = PossibleValuesParser::new(Format::ALL.map(Format::as_str)))]
    format: String,
    /// Write the schemas of the format mcp as a client takes them: openai, openai-strict, claude, gemini or cursor
    #[arg(long, value_name = "CLIENT")]
    profile: Option<Profile>,
    /// The tools of one toolset only
    #[arg(long, value_name = "NAME")]
    toolset: Option<String>,
    /// A template for the Markdown reference, instead of qtool's own
    #[arg(long, value_name = "PATH")]
    template: Option<PathBuf>,
    /// Where to write [default: standard output]
    #[arg(long, short, value_name = "PATH")]
    out: Option<PathBuf>,
}

impl Emit {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.try_run(global).unwrap_or_else(|outcome| outcome)
    }

    fn try_run(self, global: &Global) -> Result<Outcome, Outcome> {
        let Some(format) = Format::ALL.into_iter().find(|format| format.as_str() == self.format) else {
            return Err(Outcome::CouldNotRun);
        };
        if self.template.is_some() && format != Format::Markdown {
            terminal::error("`--template` is for the format markdown", &[]);
            return Err(Outcome::CouldNotRun);
        }
        let template = self.template.as_ref().map(|path| {
            std::fs::read_to_string(path).map_err(|error| {
                terminal::error(&format!("cannot read `{}`: {}", path.display(), io_reason(&error)), &[]);
                Outcome::CouldNotRun
            })
        });
        let template = template.transpose()?;
        let workspace = workspace::open(global, Data::MayBeRead)?;
        let compilation = workspace.compile();
        if compilation.errors > 0 {
            print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
            return Err(Outcome::Problems);
        }
        let file = &workspace.project.file;
        let tools = match &self.toolset {
            Some(name) => workspace::toolset(&workspace, name, compilation.tools)?,
            None => compilation.tools,
        };
        let about = About {
            name: &file.name,
            version: file.version.as_deref(),
            description: file.description.as_deref(),
            authenticated: file.auth.is_some(),
        };
        if self.profile.is_some() && format != Format::Mcp {
            terminal::error("`--profile` is for the format mcp: the others are of one provider each", &[]);
            return Err(Outcome::CouldNotRun);
        }
        let text =
            format.write_for(&about, &Tool::contracts(&tools), template.as_deref(), self.profile).map_err(|why| {
                terminal::error(&format!("the tools cannot be written: {why}"), &[]);
                Outcome::Problems
            })?;
        if let Some(profile) = self.profile.or(profile(format)) {
            findings(&file.name, &tools, profile, Severity::Warning)?;
        }
        match &self.out {
            None => terminal::out(&text),
            Some(path) => write_output(path, text.as_bytes()).map_err(|error| {
                terminal::error(&format!("cannot write `{}`: {}", path.display(), io_reason(&error)), &[]);
                Outcome::CouldNotRun
            })?,
        }
        Ok(Outcome::Fine)
    }
}

/// The profile whose limits a format is held to.
fn profile(format: Format) -> Option<Profile> {
    match format {
        Format::OpenAi | Format::OpenAiChat => Some(Profile::OpenAi),
        Format::OpenAiStrict => Some(Profile::OpenAiStrict),
        Format::Anthropic => Some(Profile::Claude),
        Format::Gemini => Some(Profile::Gemini),
        _ => None,
    }
}

/// Prints what a client of that profile does not take; an error where it takes none of it.
pub(super) fn findings(server: &str, tools: &[Tool], profile: Profile, least: Severity) -> Result<(), Outcome> {
    let found = profile::check(server, &Tool::contracts(tools), profile);
    for finding in found.iter().filter(|finding| finding.severity >= least) {
        let helps: Vec<&str> = finding.hint.iter().map(String::as_str).collect();
        let of = finding.tool.as_ref().map(|tool| format!("`{tool}`: ")).unwrap_or_default();
        let message = format!("{of}{}", finding.what);
        match finding.severity {
            Severity::Error => terminal::error(&message, &helps),
            Severity::Warning => terminal::warning(&message, &helps),
            Severity::Note => terminal::err(&format!("note: {message}\n")),
        }
    }
    if found.iter().any(|finding| finding.severity == Severity::Error) { Err(Outcome::Problems) } else { Ok(()) }
}
