//! `qtool stats`: what tools take of a model's context.

use super::workspace::{self, Data, count, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::emit::tokens;
use crate::project::{ByteSize, ProjectFile};
use crate::tool::Tool;
use serde_json::json;

/// The most bytes of a result where the project does not say.
const MAX_BYTES: u64 = 256 << 10;

/// Show how many tokens the tools take, and fail above the budget of qtool.yaml
#[derive(clap::Args)]
pub(super) struct Stats {
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// The tokens of a tool.
struct Size {
    name: String,
    definition: u64,
    result: u64,
}

impl Stats {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let workspace = match workspace::open(global, Data::MayBeRead) {
            Ok(workspace) => workspace,
            Err(outcome) => return outcome,
        };
        let compilation = workspace.compile();
        print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
        let file = &workspace.project.file;
        let sizes = sizes(file, &compilation.tools);
        let toolsets: Vec<(&str, u64)> = file
            .toolsets
            .iter()
            .map(|(name, config)| {
                let of = |tool: &&Tool| config.has(tool.contract.names(), &tool.contract.tags);
                let names: Vec<&str> =
                    compilation.tools.iter().filter(of).map(|tool| tool.contract.name.as_str()).collect();
                let size = |size: &&Size| names.contains(&size.name.as_str());
                (name.as_str(), sizes.iter().filter(size).map(|size| size.definition).sum())
            })
            .collect();
        let all: u64 = sizes.iter().map(|size| size.definition).sum();
        if self.json {
            let tools: Vec<_> = sizes
                .iter()
                .map(|one| json!({"name": one.name, "definition": one.definition, "largest_result": one.result}))
                .collect();
            let toolsets: Vec<_> =
                toolsets.iter().map(|(name, tokens)| json!({"name": name, "definitions": tokens})).collect();
            let text = json!({"tokenizer": "o200k_base", "definitions": all, "tools": tools, "toolsets": toolsets});
            terminal::out(&format!("{}\n", serde_json::to_string_pretty(&text).unwrap_or_default()));
        } else {
            table(&sizes, &toolsets, all);
        }
        if compilation.errors > 0 {
            return Outcome::Problems;
        }
        exceeded(file, &sizes).map_or_else(|outcome| outcome, |()| Outcome::Fine)
    }
}

fn table(sizes: &[Size], toolsets: &[(&str, u64)], all: u64) {
    let total = format!("all {}", count(sizes.len(), "tool"));
    let toolset = |name: &str| format!("toolset {name}");
    let names = sizes.iter().map(|size| size.name.len());
    let widest = names.chain(toolsets.iter().map(|(name, _)| toolset(name).len())).chain([total.len()]).max();
    let width = widest.unwrap_or(0);
    let mut text = format!("{:width$}  {:>10}  {:>14}\n", "tokens of", "definition", "largest result");
    for size in sizes {
        text.push_str(&format!(
            "{:width$}  {:>10}  {:>14}\n",
            size.name,
            grouped(size.definition),
            grouped(size.result)
        ));
    }
    text.push_str(&format!("{total:width$}  {:>10}\n", grouped(all)));
    for (name, tokens) in toolsets {
        text.push_str(&format!("{:width$}  {:>10}\n", toolset(name), grouped(*tokens)));
    }
    terminal::out(&text);
}

/// The number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn sizes(file: &ProjectFile, tools: &[Tool]) -> Vec<Size> {
    let max_bytes = file.limits.max_bytes.map_or(MAX_BYTES, |ByteSize(bytes)| bytes);
    let size = |tool: &Tool| Size {
        name: tool.contract.name.clone(),
        definition: tokens::of_definition(&tool.contract),
        result: tokens::of_largest_result(&tool.contract, tool.contract.max_bytes.map_or(max_bytes, |size| size.0)),
    };
    tools.iter().map(size).collect()
}

/// Says what takes more than the project's budget; nothing is counted where it has none.
pub(super) fn within_budget(file: &ProjectFile, tools: &[Tool]) -> Result<(), Outcome> {
    if file.budget.is_default() { Ok(()) } else { exceeded(file, &sizes(file, tools)) }
}

fn exceeded(file: &ProjectFile, sizes: &[Size]) -> Result<(), Outcome> {
    let budget = &file.budget;
    let mut problems = Vec::new();
    let all: u64 = sizes.iter().map(|size| size.definition).sum();
    if let Some(most) = budget.definitions.filter(|most| all > *most) {
        let what = format!("all definitions have {} tokens: the budget is {}", grouped(all), grouped(most));
        problems.push((what, "fewer tools, shorter descriptions, `definition: compact`"));
    }
    for size in sizes {
        if let Some(most) = budget.definition.filter(|most| size.definition > *most) {
            let (tokens, most) = (grouped(size.definition), grouped(most));
            let what = format!("the definition of `{}` has {tokens} tokens: the budget is {most}", size.name);
            problems.push((what, "shorter descriptions, fewer allowed values, `definition: compact`"));
        }
        if let Some(most) = budget.result.filter(|most| size.result > *most) {
            let (tokens, most) = (grouped(size.result), grouped(most));
            let what = format!("a result of `{}` may have {tokens} tokens: the budget is {most}", size.name);
            problems.push((
                what,
                "a lower `result_limit`, fewer columns, or `max_bytes` in the header or under `limits` of qtool.yaml",
            ));
        }
    }
    for (what, help) in &problems {
        terminal::error(what, &[help]);
    }
    if problems.is_empty() { Ok(()) } else { Err(Outcome::Problems) }
}
