//! How a client of a server is made of what `qtool.yaml` says of it.

use crate::engine::secret_variables;
use crate::engine::secrets::Secrets;
use crate::name::is_key_of_secret;
use crate::project::{UnfilledText, UpstreamConfig, Variables, filled_text, speaks_of_secrets, variables_of};
use crate::upstreams::{Address, Command, Config, Failure, Lists, PassedOn, Reach, Secret, Upstream};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// How much of what a program says to its standard error is told: so many of its last lines, and letters of each.
const LINES: usize = 4;
const LETTERS: usize = 200;

/// Why a server cannot be asked, in words for the author of a project.
#[derive(Debug, Clone)]
pub struct NotAsked(String);

impl NotAsked {
    /// That what a server says of itself cannot be kept.
    pub(super) fn of_secrets() -> NotAsked {
        NotAsked(
            "what it says of itself has a secret in it that it is given: that would be in files, and be read by agents"
                .to_owned(),
        )
    }

    /// That a server lists two things of one name.
    pub(super) fn of_ambiguous(name: &str) -> NotAsked {
        NotAsked(format!(
            "it lists `{name}` more than once, and says different things of it: nobody can tell which is called"
        ))
    }

    /// Of a failure, with the end of what its program said.
    pub(super) fn of(failure: &Failure, said: &str) -> NotAsked {
        // A program that is started a second time, to be asked in the older way, says the same again.
        let mut lines: Vec<String> = Vec::new();
        for line in said.lines().filter(|line| !line.trim().is_empty()) {
            let line: String = line.chars().take(LETTERS).collect();
            lines.retain(|known| *known != line);
            lines.push(line);
        }
        let last = lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default();
        match last {
            [] => NotAsked(failure.to_string()),
            last => NotAsked(format!("{failure}; it said: {}", last.join("\n"))),
        }
    }
}

impl fmt::Display for NotAsked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How much of a line that a program writes to its standard error is in the log, in characters.
const LOGGED: usize = 2_000;
/// The usual bound of a message, in bytes, and what there may be in one besides a largest answer.
const MESSAGE: usize = 8 << 20;
const BESIDES: usize = 64 << 10;

/// The values of variables that a server gets as secrets: what it says back of them is nobody's to see.
pub(super) fn secrets(config: &UpstreamConfig, variables: Variables<'_>) -> Secrets {
    let mut secrets = Vec::new();
    for (keys, text) in config.texts() {
        let is_secret = match keys.as_slice() {
            // What is put into a header says who asks.
            ["auth" | "headers", ..] => true,
            [_, name] => {
                is_key_of_secret(name) || speaks_of_secrets(name) || name.eq_ignore_ascii_case("authorization")
            }
            _ => false,
        };
        for name in variables_of(text) {
            let value = variables(&name);
            let holds_one = |value: &String| {
                let key = keys.last().copied().unwrap_or_default();
                secret_variables::is_secret(key, value) || secret_variables::is_secret(&name, value)
            };
            secrets.extend(value.filter(|value| is_secret || holds_one(value)));
        }
    }
    Secrets::of(secrets)
}

/// A client of a server.
///
/// Errors: a variable is not set, or nothing says where the server is.
pub(super) fn client(
    name: &str,
    config: &UpstreamConfig,
    folder: &Path,
    variables: Variables<'_>,
) -> Result<Upstream, NotAsked> {
    let filled = |text: &str| match filled_text(text, variables) {
        Ok(text) => Ok(Secret::new(text)),
        Err(UnfilledText::NotSet(name)) => {
            Err(NotAsked(format!("the variable `{name}` of the environment is not set")))
        }
        Err(UnfilledText::Unreadable(why)) => Err(NotAsked(why)),
    };
    // Its own folder is another one than that of this process.
    let folder = &std::path::absolute(folder).map_err(|error| NotAsked(format!("the project's folder: {error}")))?;
    let reach = match (config.command.split_first(), &config.url) {
        (Some((program, arguments)), _) => {
            let environment = config.env.iter().map(|(name, text)| Ok((name.into(), filled(text)?)));
            let own = config.cwd.as_ref().map_or_else(|| folder.clone(), |cwd| folder.join(cwd));
            if !own.is_dir() {
                return Err(NotAsked(format!("there is no folder `{}`", config.cwd.as_deref().unwrap_or("."))));
            }
            // A path is one from the folder of the project; a name is looked for where programs are.
            let program = match program.contains('/') && !Path::new(program).is_absolute() {
                true => folder.join(program).into_os_string(),
                false => program.into(),
            };
            Reach::Command(Command {
                program,
                arguments: arguments.iter().map(Into::into).collect(),
                environment: environment.collect::<Result<_, NotAsked>>()?,
                folder: Some(own),
            })
        }
        (None, Some(url)) => {
            let headers = config.headers.iter().map(|(name, text)| Ok((name.clone(), filled(text)?)));
            let mut headers: Vec<_> = headers.collect::<Result<_, NotAsked>>()?;
            if let Some(auth) = &config.auth {
                headers.push(("Authorization".to_owned(), filled(&format!("Bearer {}", auth.bearer))?));
            }
            Reach::Http(Address { url: url.clone(), headers })
        }
        (None, None) => return Err(NotAsked("nothing says where the server is".to_owned())),
    };
    let mut made = Config::new(name, reach);
    made.lists = Lists { prompts: !config.prompts.is_empty(), resources: !config.resources.is_empty() };
    if let Some(calls) = config.concurrency {
        made.concurrency = calls.into();
    }
    made.passed_on = PassedOn { forms: config.elicitation, samples: config.sampling };
    let largest = config.overrides.values().filter_map(|one| one.max_bytes).chain(config.max_bytes).max();
    // Data is said twice, as data and as text.
    let needed = largest.map_or(0, |size| size.bytes().saturating_mul(2).saturating_add(BESIDES));
    made.most_bytes = MESSAGE.max(needed);
    if let Some(timeout) = config.connect_timeout {
        made.timeouts.connect = timeout.0;
    }
    // Each call has a deadline of its own.
    made.timeouts.call = std::time::Duration::from_hours(1);
    let (called, secrets) = (name.to_owned(), secrets(config, variables));
    made.log = Some(Arc::new(move |line: &str| {
        // Else it might look like several.
        let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
        let line: String = secrets.hidden(line).chars().take(LOGGED).map(plain).collect();
        tracing::info!(target: "qtool::upstream", server = called.as_str(), "{line}");
    }));
    Ok(Upstream::new(made))
}
