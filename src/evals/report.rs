//! What came of evaluations, for a terminal and for programs.

use super::dialogue::Usage;
use super::judge::Failure;
use super::transcript::Call;
use super::{Eval, plain_line};
use serde::Serialize;
use serde_json::{Value, json};

/// What came of all evaluations.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The API that the model was reached by.
    pub api: &'static str,
    /// The model.
    pub model: String,
    /// The evaluations, in the order in which they were given.
    pub evals: Vec<Judged>,
}

/// What came of an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// What was asked.
    pub question: String,
    /// The share of repetitions that must pass.
    pub threshold: f64,
    /// The repetitions, in their order.
    pub runs: Vec<Run>,
}

/// What came of one repetition.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Run {
    /// What was wrong.
    pub failures: Vec<Failure>,
    /// The calls of the model.
    pub calls: Vec<Call>,
    /// Its last words.
    pub answer: String,
    /// What it took.
    #[serde(flatten)]
    pub usage: Usage,
    /// Why there was no conversation, or none that ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// As many repetitions passed as must.
    Passed,
    /// Fewer did.
    Failed,
    /// Fewer did, and some had no conversation that could be judged.
    NotRun,
}

impl Run {
    /// Whether nothing was wrong.
    pub fn passed(&self) -> bool {
        self.failures.is_empty() && self.error.is_none()
    }
}

impl Judged {
    pub(super) fn new(eval: &Eval) -> Judged {
        let Eval { name, question, threshold, .. } = eval.clone();
        Judged { name, question, threshold, runs: Vec::new() }
    }

    /// How many repetitions passed.
    pub fn passes(&self) -> usize {
        self.runs.iter().filter(|run| run.passed()).count()
    }

    /// What was wrong, and in which repetitions, counted from 1.
    fn problems(&self) -> Vec<(&str, Vec<String>)> {
        let mut problems: Vec<(&str, Vec<String>)> = Vec::new();
        for (at, run) in self.runs.iter().enumerate() {
            for words in run.failures.iter().map(|failure| failure.message.as_str()).chain(run.error.as_deref()) {
                let number = (at + 1).to_string();
                match problems.iter_mut().find(|(known, _)| *known == words) {
                    Some((_, of)) => of.push(number),
                    None => problems.push((words, vec![number])),
                }
            }
        }
        problems
    }

    /// How it ended.
    pub fn verdict(&self) -> Verdict {
        let share = self.passes() as f64 / self.runs.len().max(1) as f64;
        // 0.3 is no number of a machine.
        if share + 1e-9 >= self.threshold {
            return Verdict::Passed;
        }
        if self.runs.iter().any(|run| run.error.is_some()) { Verdict::NotRun } else { Verdict::Failed }
    }
}

impl Report {
    /// How all of them ended: the worst decides.
    pub fn verdict(&self) -> Verdict {
        self.evals.iter().map(Judged::verdict).max().unwrap_or(Verdict::Passed)
    }

    /// The report for a terminal, ending in a line break. Colours are those of a terminal's own palette (ECMA-48, SGR).
    pub fn text(&self) -> String {
        let mut out = String::new();
        for eval in &self.evals {
            let (word, colour) = match eval.verdict() {
                Verdict::Passed => ("pass", "32"),
                Verdict::Failed => ("FAIL", "1;31"),
                Verdict::NotRun => ("ERROR", "1;31"),
            };
            let (passes, runs) = (eval.passes(), eval.runs.len());
            let share = match (runs, eval.verdict()) {
                (1, _) => String::new(),
                (_, Verdict::Passed) => format!("  {passes} of {runs}"),
                _ => format!("  {passes} of {runs}, {} % must pass", (eval.threshold * 100.0).round()),
            };
            let name = plain_line(&eval.name, 200);
            out.push_str(&format!("\u{1b}[{colour}m{word:5}\u{1b}[0m {name}{share}\n"));
            for (words, of) in eval.problems() {
                let of = if runs > 1 { format!("{}: ", of.join(", ")) } else { String::new() };
                out.push_str(&format!("        {of}{}\n", plain_line(words, 600)));
            }
        }
        out + &format!("\n{}\n", self.summary())
    }

    fn summary(&self) -> String {
        let count = |verdict| self.evals.iter().filter(|eval| eval.verdict() == verdict).count();
        let counted = [(Verdict::Passed, "passed"), (Verdict::Failed, "failed"), (Verdict::NotRun, "could not run")];
        let counts = counted.into_iter().map(|(verdict, words)| (count(verdict), words));
        let counts: Vec<String> =
            counts.filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}")).collect();
        let (mut usage, mut calls) = (Usage::default(), 0);
        for run in self.evals.iter().flat_map(|eval| &eval.runs) {
            usage.add(run.usage);
            calls += run.calls.len();
        }
        let evals = if self.evals.len() == 1 { "evaluation" } else { "evaluations" };
        let calls_are = if calls == 1 { "call" } else { "calls" };
        let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
        let Usage { input_tokens, output_tokens } = usage;
        format!(
            "{} {evals} of {}{counts}; {calls} {calls_are}, {input_tokens} tokens read and {output_tokens} written",
            self.evals.len(),
            plain_line(&self.model, 100)
        )
    }

    /// One JSON document, ending in a line break.
    pub fn json(&self) -> String {
        let eval = |eval: &Judged| {
            json!({
                "name": eval.name,
                "question": eval.question,
                "verdict": verdict(eval.verdict()),
                "passes": eval.passes(),
                "repetitions": eval.runs.len(),
                "threshold": eval.threshold,
                "runs": eval.runs,
            })
        };
        let evals: Value = self.evals.iter().map(eval).collect();
        let document =
            json!({"api": self.api, "model": self.model, "verdict": verdict(self.verdict()), "evaluations": evals});
        // Strings, numbers and lists only: this serialisation has no way to fail.
        serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::NotRun => "not-run",
    }
}
