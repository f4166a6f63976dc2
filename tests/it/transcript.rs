//! Transcripts through the real binary: what a person types and reads, and what an MCP client sends and gets.
//!
//! `steps.txt` holds commands (`$ qtool check`), in a copy of the folder's files; a line `< {…}` behind `$ qtool serve`
//! is sent to standard input, which ends behind the last of them, or with `< …` there once the last request is answered.
//! `$ export NAME=VALUE` holds for the commands behind it. `[postgres]` and `[mysql]` stand for the addresses of the databases
//! that are made of `data/NAME.postgres.dump` and `data/NAME.mysql.dump`. `expected.txt` is what came out, with the machine's
//! paths, addresses and times taken out.

use crate::cases::{add_upstream, copy_all};
use crate::{databases, expect};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What keeps standard input open until the last request is answered.
const UNTIL_ANSWERED: &str = "…\n";

/// Runs all steps of one transcript.
pub(crate) fn run(steps: &Path) -> crate::Outcome {
    let case = steps.parent().ok_or("a transcript is a folder")?;
    let folder = tempfile::tempdir()?;
    copy_all(case, folder.path())?;
    add_upstream(folder.path())?;
    let servers = databases::of_transcript(case)?;
    let with_addresses =
        |text: &str| servers.iter().fold(text.to_owned(), |text, (mark, address)| text.replace(mark, address));
    let text = std::fs::read_to_string(steps)?;
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    let mut place = Place { dir: folder.path().to_path_buf(), variables: Vec::new() };
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ ") else { continue };
        let mut input = String::new();
        while let Some(sent) = lines.next_if(|line| line.starts_with("< ")) {
            input.push_str(sent.trim_start_matches("< "));
            input.push('\n');
        }
        if let Some(below) = command.strip_prefix("cd ") {
            place.dir.push(below);
            continue;
        }
        out.push_str(&format!("{line}\n"));
        let command = with_addresses(command);
        match command.strip_prefix("export ").and_then(|set| set.split_once('=')) {
            Some((name, value)) => place.variables.push((name.to_owned(), value.to_owned())),
            None => out.push_str(&step(&place, &command, &input)?),
        }
        out.push('\n');
    }
    let out = servers.iter().fold(out, |out, (mark, address)| out.replace(address, mark));
    let out = out.replace(&folder.path().display().to_string(), "[folder]");
    let out: String = out.split_inclusive('\n').map(without_moment).collect();
    expect::compare(case, &BTreeMap::from([("expected.txt".to_owned(), out)]))?;
    Ok(())
}

/// A line of the log without the moment that it begins with.
fn without_moment(line: &str) -> String {
    let log = line.strip_prefix("stderr: ").and_then(|log| log.split_once(' '));
    match log.filter(|(first, _)| first.ends_with('Z') && chrono::DateTime::parse_from_rfc3339(first).is_ok()) {
        Some((_, rest)) => format!("stderr: [moment] {rest}"),
        None => line.to_owned(),
    }
}

/// Where commands are run.
pub(crate) struct Place {
    pub(crate) dir: PathBuf,
    /// What is exported there.
    pub(crate) variables: Vec<(String, String)>,
}

/// Runs a command; what came out, lines of standard error with a mark.
pub(crate) fn step(place: &Place, command: &str, input: &str) -> Result<String, Box<dyn std::error::Error>> {
    let words = words(command);
    let Some((program, arguments)) = words.split_first() else {
        return Err("an empty command".into());
    };
    let program = if program == "qtool" { env!("CARGO_BIN_EXE_qtool") } else { program.as_str() };
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(&place.dir)
        .env_remove("QTOOL_LOG")
        .envs(place.variables.iter().map(|(name, value)| (name, value)))
        .env("COLUMNS", "80")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let mut stdout = BufReader::new(child.stdout.take().ok_or("no standard output")?);
    let mut heard = Vec::new();
    match input.strip_suffix(UNTIL_ANSWERED) {
        Some(input) => {
            stdin.write_all(input.as_bytes())?;
            let last: serde_json::Value = serde_json::from_str(input.lines().last().ok_or("nothing is asked")?)?;
            let is_answered = |line: &[u8]| {
                let said: Result<serde_json::Value, _> = serde_json::from_slice(line);
                said.is_ok_and(|said| said["id"] == last["id"])
            };
            let mut begin = 0;
            while stdout.read_until(b'\n', &mut heard)? > 0 && !is_answered(&heard[begin..]) {
                begin = heard.len();
            }
        }
        None => stdin.write_all(input.as_bytes())?,
    }
    drop(stdin);
    // The other one is read meanwhile: who cannot write it would not end.
    let output = std::thread::scope(|scope| {
        let rest = scope.spawn(|| stdout.read_to_end(&mut heard));
        let output = child.wait_with_output();
        rest.join().map_err(|_| std::io::Error::other("reading has panicked"))??;
        output
    })?;
    let mut text = section("", &String::from_utf8_lossy(&heard), arguments.iter().any(|word| word == "serve"));
    text.push_str(&section("stderr: ", &String::from_utf8_lossy(&output.stderr), false));
    match output.status.code() {
        Some(0) => {}
        Some(code) => text.push_str(&format!("exit code {code}\n")),
        None => text.push_str("killed\n"),
    }
    Ok(text)
}

/// The lines with a mark in front; MCP's messages pretty-printed and sorted by their id, because answers may overtake.
fn section(mark: &str, text: &str, messages: bool) -> String {
    if !messages {
        return text.lines().map(|line| format!("{mark}{line}").trim_end().to_owned() + "\n").collect();
    }
    let mut answers: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| format!("NOT JSON: {line}").into()))
        .collect();
    // Those of no id are in the order of their texts: each refusal is written as soon as it can be.
    let text_of_refusal = |answer: &serde_json::Value| match answer["id"].is_null() && !answer["error"].is_null() {
        true => answer.to_string(),
        false => String::new(),
    };
    answers.sort_by_cached_key(|answer| (answer["id"].as_i64(), text_of_refusal(answer)));
    answers.iter().map(|answer| serde_json::to_string_pretty(answer).unwrap_or_default() + "\n").collect()
}

/// Splits as a shell does, with single and double quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut open = false;
    for character in command.chars() {
        match (quote, character) {
            (Some(mark), _) if mark == character => quote = None,
            (Some(_), _) => word.push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                open = true;
            }
            (None, ' ') => {
                if open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (None, _) => word.push(character),
        }
    }
    if open || !word.is_empty() {
        words.push(word);
    }
    words
}
