//! Asks a program in Fractalic's convention what it takes: first whether it answers in JSON at all, then for the JSON Schema of its
//! arguments. It is run for that where locks are written, and never for a call.

use super::program::{Surroundings, python_interpreter, too_much};
use super::python::NotDescribed;
use crate::engine::error::CallError;
use crate::engine::program_place::ProgramPlace;
use crate::programs::{Ended, How, Launch, Most};
use crate::project::{RunArgument, SimpleJsonConfig, description_of_script};
use serde_json::Value;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What a program is asked with: one that answers in JSON takes its arguments so.
const PING: &str = r#"{"__test__": true}"#;
/// What it prints the schema of its arguments for.
const DUMP: &str = "--fractalic-dump-schema";
/// How long it has for each of both. Fractalic gives it 0.2 s.
const ASKING: Duration = Duration::from_secs(10);
/// How much of what a program says is told, in lines and in letters of each.
const LINES: usize = 4;
const LETTERS: usize = 200;

/// What a program says of itself.
pub struct ProgramDescribed {
    /// What it dumps: an object that may have `parameters` and `description`. `None` of one that knows nothing of dumping.
    pub dumped: Option<Value>,
    /// What its text says of it, of a script.
    pub in_script: Option<String>,
}

/// What a program says of itself.
///
/// Errors: it does not answer, or not in JSON; in words for its author.
pub(in crate::engine) fn describe_program(
    program: &SimpleJsonConfig,
    place: &ProgramPlace,
) -> Result<ProgramDescribed, NotDescribed> {
    let described = Asked { program, place }.described();
    described.map_err(|why| match place.folder() {
        // Where the project lies is nobody's business.
        Ok(project) => why.to_string().replace(&format!("{}/", project.display()), "").into(),
        Err(_) => why,
    })
}

/// What a program dumped; `None` where it failed or wrote nothing, as one does that knows nothing of dumping.
fn dumped(ended: &Ended) -> Result<Option<Value>, NotDescribed> {
    let failed_by_itself = matches!(ended.how, How::Exited(code) if code != 0);
    if failed_by_itself || ended.output.trim_ascii().is_empty() && ended.how == How::Exited(0) {
        return Ok(None);
    }
    check_end(ended, DUMP, "a JSON object")?;
    match serde_json::from_slice::<Value>(&ended.output) {
        Ok(said) if said.is_object() => Ok(Some(said)),
        _ => Err(wrote(ended, DUMP, "a JSON object")),
    }
}

/// That a program wrote something else than it was asked for.
fn wrote(ended: &Ended, asked: &str, expected: &str) -> NotDescribed {
    let says = end_of(&ended.output).unwrap_or_else(|| "nothing".to_owned());
    format!("to `{asked}`, it must answer with {expected}, and wrote {says}").into()
}

/// Whether it ended well.
fn check_end(ended: &Ended, asked: &str, expected: &str) -> Result<(), NotDescribed> {
    let how = match ended.how {
        How::Exited(0) => return Ok(()),
        How::Exited(code) => format!("ended with exit code {code}"),
        How::TimedOut => format!("took longer than {} s", ASKING.as_secs()),
        How::OutputTooLarge => "wrote too much".to_owned(),
        How::Limit(limit) => format!("took {}", too_much(limit)),
        How::Signalled(signal) => format!("was ended by signal {signal}"),
        How::Stopped => "was stopped".to_owned(),
    };
    let says = end_of(&ended.errors).map_or_else(|| "it says nothing".to_owned(), |says| format!("it says {says}"));
    Err(format!("to `{asked}`, it must answer with {expected}, and {how}; {says}").into())
}

/// The last lines of what a program wrote, each cut; `None` where it wrote nothing.
fn end_of(written: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(written);
    let lines: Vec<String> = text
        .lines()
        .map(|line| line.chars().filter(|letter| !letter.is_control()).take(LETTERS).collect::<String>())
        .filter(|line| !line.trim().is_empty())
        .collect();
    let from = lines.len().saturating_sub(LINES);
    let kept: Vec<&str> = lines.iter().skip(from).map(|line| line.trim()).collect();
    (!kept.is_empty()).then(|| format!("`{}`", kept.join(" / ")))
}

/// A program that is asked.
struct Asked<'a> {
    program: &'a SimpleJsonConfig,
    place: &'a ProgramPlace,
}

impl Asked<'_> {
    fn described(&self) -> Result<ProgramDescribed, NotDescribed> {
        if let Some(path) = self.program.texts().first().filter(|_| self.program.is_python())
            && self.script().is_none()
        {
            return Err(format!("there is no file `{path}`").into());
        }
        let ping = match self.program.stdin {
            None => self.ended(Some(PING), None)?,
            Some(_) => self.ended(None, Some(format!("{PING}\n").into_bytes()))?,
        };
        check_end(&ping, PING, "JSON")?;
        if serde_json::from_slice::<Value>(&ping.output).is_err() {
            return Err(wrote(&ping, PING, "JSON"));
        }
        let dump = self.ended(Some(DUMP), None)?;
        let in_script = self.script().and_then(|file| description_of_script(&std::fs::read_to_string(file).ok()?));
        Ok(ProgramDescribed { dumped: dumped(&dump)?, in_script })
    }

    /// How it ends with that argument behind its own.
    fn ended(&self, argument: Option<&str>, input: Option<Vec<u8>>) -> Result<Ended, NotDescribed> {
        let told = |error: CallError| -> NotDescribed {
            error.detail.as_ref().map_or(error.message.clone(), |detail| detail.text().to_owned()).into()
        };
        let interpreter = python_interpreter(self.program.interpreter.as_deref(), self.place).map_err(told)?;
        let program = self.program.as_program(&interpreter);
        let own = program.run.iter().skip(1).flat_map(RunArgument::texts);
        let own = own.map(|(_, text)| text.replace("<<<<", "<<"));
        let arguments: Vec<OsString> = own.chain(argument.map(str::to_owned)).map(OsString::from).collect();
        let launch = Surroundings { program: &program, place: self.place }.launch(arguments, input, ASKING);
        let launch = launch.map_err(told)?;
        let launch = Launch { most: Most { time: ASKING, ..launch.most }, ..launch };
        let ended = crate::programs::run(&launch, &|| false);
        ended.map_err(|error| NotDescribed::from(format!("it cannot be started: {error}")))
    }

    /// The file of a script, if it is one that is there.
    fn script(&self) -> Option<PathBuf> {
        let path = self.program.texts().first().filter(|_| self.program.is_python())?;
        self.place.roots().ok()?.resolve_file(path).ok().filter(|file| file.is_file())
    }
}

#[cfg(test)]
mod tests {
    use super::end_of;

    #[test]
    fn what_is_told_of_an_answer_is_short() {
        let errors = "Traceback:\n  a\n  b\n\n  c\n  d\u{1b}[1m\nValueError: é\n".as_bytes();
        assert_eq!(end_of(errors).unwrap(), "`b / c / d[1m / ValueError: é`");
        assert_eq!(end_of(" \n\n".as_bytes()), None);
        assert!(end_of("x".repeat(5000).as_bytes()).unwrap().len() < 300);
    }
}
