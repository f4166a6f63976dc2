//! The other MCP servers of a project: a client of each, and what is known of whether they still are what they were when they were
//! locked.

mod asked;

use crate::project::{LockedTool, LockedUpstream, ProjectFile, UpstreamConfig, Variables};
use crate::upstreams::{Definition, Definitions, Failure, Upstream};
pub use asked::NotAsked;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A server that could not be looked at is asked again no sooner.
const AGAIN: Duration = Duration::from_millis(500);

/// The servers, by their names.
#[derive(Clone, Default)]
pub(super) struct Upstreams(Arc<HashMap<String, Arc<Watched>>>);

impl Upstreams {
    /// Those of a project in a folder. None of them is started or asked.
    pub(super) fn new(folder: &Path, file: &ProjectFile) -> Upstreams {
        let of = |(name, config): (&String, &UpstreamConfig)| {
            (name.clone(), Arc::new(Watched::new(name, config.clone(), folder.to_owned())))
        };
        Upstreams(Arc::new(file.upstreams.iter().map(of).collect()))
    }

    /// That of a name.
    pub(super) fn get(&self, name: &str) -> Option<Arc<Watched>> {
        self.0.get(name).cloned()
    }
}

/// A server, and what it says of itself now.
pub(super) struct Watched {
    name: String,
    config: UpstreamConfig,
    folder: std::path::PathBuf,
    /// The client; or why there can be none, as long as nobody has tried again.
    client: Mutex<Option<Arc<Upstream>>>,
    /// One looks at a time.
    looking: tokio::sync::Mutex<()>,
    seen: Mutex<Option<Seen>>,
}

/// What a server said when it was looked at.
#[derive(Clone)]
struct Seen {
    /// The digests of its tools; or why it said nothing, and when.
    outcome: Result<Arc<HashMap<String, String>>, (Failure, Instant)>,
}

impl Watched {
    fn new(name: &str, config: UpstreamConfig, folder: std::path::PathBuf) -> Watched {
        let (client, seen) = (Mutex::new(None), Mutex::new(None));
        Watched { name: name.to_owned(), config, folder, client, looking: tokio::sync::Mutex::default(), seen }
    }

    /// The client. It is made at the first use, with the variables of that moment.
    ///
    /// Errors: a variable is not set.
    pub(super) fn client(&self) -> Result<Arc<Upstream>, NotAsked> {
        let mut client = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = &*client {
            return Ok(Arc::clone(client));
        }
        let variables = |name: &str| std::env::var(name).ok();
        let made = Arc::new(asked::client(&self.name, &self.config, &self.folder, &variables)?);
        *client = Some(Arc::clone(&made));
        Ok(made)
    }

    /// The client, if the tool is there and what it was when it was locked.
    ///
    /// Errors: the server cannot be asked; or it says something else of the tool than what is locked.
    pub(super) async fn unchanged(&self, tool: &str, definition: &str) -> Result<Arc<Upstream>, Refusal> {
        let client = self.client().map_err(Refusal::NotAsked)?;
        let seen = self.look(&client).await.map_err(Refusal::Failed)?;
        match seen.get(tool) {
            Some(now) if now == definition => Ok(client),
            Some(_) => Err(Refusal::Changed),
            None => Err(Refusal::Gone),
        }
    }

    /// What the server says of its tools: it is asked at the first use, when it was started anew, and when it tells that something has
    /// changed.
    async fn look(&self, client: &Upstream) -> Result<Arc<HashMap<String, String>>, Failure> {
        if let Some(known) = self.known(client) {
            return known;
        }
        let _one = self.looking.lock().await;
        if let Some(known) = self.known(client) {
            return known;
        }
        let outcome = client.definitions().await.map(|read| Arc::new(digests(read)));
        let seen = Seen { outcome: outcome.clone().map_err(|failure| (failure, Instant::now())) };
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(seen);
        outcome
    }

    fn known(&self, client: &Upstream) -> Option<Result<Arc<HashMap<String, String>>, Failure>> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        match seen.outcome {
            Ok(_) if client.changed() => None,
            Ok(digests) => Some(Ok(digests)),
            Err((failure, when)) => (when.elapsed() < AGAIN).then_some(Err(failure)),
        }
    }
}

/// Why a tool of another server is not called.
pub(super) enum Refusal {
    /// The server cannot be asked.
    NotAsked(NotAsked),
    /// It does not answer.
    Failed(Failure),
    /// It says something else of the tool than what is locked.
    Changed,
    /// It has no such tool any more.
    Gone,
}

fn digests(read: Definitions) -> HashMap<String, String> {
    read.tools.into_iter().map(|tool| (tool.name.clone(), locked_tool(tool).digest())).collect()
}

/// What a server says of a tool, in the form in which it is locked.
fn locked_tool(tool: Definition) -> LockedTool {
    let claims = [
        ("readOnlyHint", tool.annotations.read_only),
        ("destructiveHint", tool.annotations.destructive),
        ("idempotentHint", tool.annotations.idempotent),
        ("openWorldHint", tool.annotations.open_world),
    ];
    let claimed = claims.into_iter().filter_map(|(hint, claim)| Some((hint.to_owned(), json!(claim?))));
    LockedTool {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        input_schema: tool.input_schema,
        output_schema: tool.output_schema,
        annotations: claimed.collect::<Map<String, Value>>(),
    }
}

/// What the tools of a server are that a project takes, asked now. The server is started for it where it is a program, and ended again.
///
/// Errors: it cannot be asked.
pub fn asked_upstream(
    dir: &Path,
    (name, config): (&str, &UpstreamConfig),
    variables: Variables<'_>,
) -> impl Future<Output = Result<LockedUpstream, NotAsked>> + Send + use<> {
    // Whoever waits may be on another thread: the variables are read here.
    let (client, config) = (asked::client(name, config, dir, variables), config.clone());
    async move {
        let client = client?;
        let read = client.definitions().await;
        client.close();
        let read = read.map_err(|failure| NotAsked::of(&failure, &client.said()))?;
        let taken = read.tools.into_iter().filter(|tool| config.takes(&tool.name));
        let mut tools: Vec<LockedTool> = taken.map(locked_tool).collect();
        tools.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(LockedUpstream { server: read.server, version: read.version, tools })
    }
}
