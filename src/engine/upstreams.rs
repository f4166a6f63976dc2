//! The other MCP servers of a project: a client of each, and what is known of whether they still are what they were when they were
//! locked.

mod asked;
mod hiding;
mod lanes;
mod locked;
mod passed_on;

use super::home::home;
use super::secrets::Secrets;
use crate::project::{LockedTool, LockedUpstream, ProjectFile, UpstreamConfig, Variables};
use crate::upstreams::{Answer, Definitions, Failure, TemplateDefinition, Upstream, Watch};
pub use asked::NotAsked;
use futures::FutureExt;
use hiding::{Hiding, failure_without};
use lanes::Lanes;
pub(super) use locked::Item;
pub use locked::ReadBy;
use locked::{locked_prompt, locked_resource, locked_template, locked_tool};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::runtime::{Handle, Runtime};
use tokio::sync::watch;

/// A server that could not be looked at is asked again no sooner.
const AGAIN: Duration = Duration::from_millis(500);
/// How long what a server said is taken to hold where nothing is said.
const RECHECK: Duration = Duration::from_secs(10);
/// How often a call is begun anew because its server was connected anew.
const TRIES: usize = 2;

/// Where clients run that have no home: connections last longer than the calls, and the threads of queries are not theirs.
static RUNTIME: LazyLock<std::io::Result<Runtime>> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).thread_name("upstreams").enable_all().build()
});

/// Runs something where clients run: here, if that is their home. It is given up where this is dropped.
///
/// Errors: there are no threads for it, or it panicked.
async fn at_home<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Result<T, Failure> {
    struct Task<T>(tokio::task::JoinHandle<T>);
    impl<T> Drop for Task<T> {
        fn drop(&mut self) {
            self.0.abort();
        }
    }
    let runtime = match home() {
        // Another thread would have to be woken, twice a call.
        Some(home) if Handle::try_current().is_ok_and(|here| here.id() == home.id()) => return Ok(work.await),
        Some(home) => home,
        None => RUNTIME.as_ref().map_err(|error| Failure::Unreachable(error.to_string()))?.handle(),
    };
    let mut task = Task(runtime.spawn(work));
    (&mut task.0).await.map_err(|error| Failure::Unreachable(error.to_string()))
}

/// Does something where clients run, and does not wait for it.
fn in_background(work: impl Future<Output = ()> + Send + 'static) {
    // Threads of its own are not made where nobody runs on them.
    match home() {
        Some(home) => drop(home.spawn(work)),
        // Where there are none to be had, the next call says so.
        None => drop(RUNTIME.as_ref().map(|runtime| runtime.spawn(work))),
    }
}

/// The servers, by their names.
#[derive(Clone, Default)]
pub(super) struct Upstreams {
    servers: Arc<HashMap<String, Arc<Watched>>>,
    /// Counts how often one of them was heard to say something that it had not said before.
    heard: watch::Sender<u64>,
}

impl Upstreams {
    /// Those of a project in a folder. None of them is started or asked.
    pub(super) fn new(folder: &Path, file: &ProjectFile) -> Upstreams {
        let heard = watch::Sender::new(0);
        let of = |(name, config): (&String, &UpstreamConfig)| {
            (name.clone(), Arc::new(Watched::new(name, config.clone(), folder.to_owned(), &heard)))
        };
        let servers = Arc::new(file.upstreams.iter().map(of).collect());
        Upstreams { servers, heard }
    }

    /// That of a name.
    pub(super) fn get(&self, name: &str) -> Option<Arc<Watched>> {
        self.servers.get(name).cloned()
    }

    /// How often one of them was heard to say something that it had not said before. Who waits for it is told of a change.
    pub(super) fn heard(&self) -> watch::Receiver<u64> {
        self.heard.subscribe()
    }

    /// Looks at those again of which it is not known any more what they say.
    pub(super) fn look_again(&self) {
        self.servers.values().for_each(Watched::look_again);
    }
}

/// A server, and what it says of itself now.
pub(super) struct Watched {
    name: String,
    config: UpstreamConfig,
    folder: PathBuf,
    secrets: OnceLock<Arc<Secrets>>,
    /// The client, as soon as one could be made.
    client: Mutex<Option<Arc<Upstream>>>,
    /// The connections of single calls, where questions are passed on.
    lanes: Option<Lanes>,
    /// One looks at a time.
    looking: tokio::sync::Mutex<()>,
    seen: Mutex<Option<Seen>>,
    /// What the server said last, and when, whatever came of asking it again.
    told: Mutex<Option<(Instant, Arc<Told>)>>,
    heard: watch::Sender<u64>,
    /// Whether it is looked at beside its calls.
    is_looking: AtomicBool,
}

/// What a server said when it was looked at.
#[derive(Clone)]
struct Seen {
    outcome: Result<Arc<Told>, Failure>,
    when: Instant,
}

/// What a server said of its tools, and of what else of it is passed on.
struct Told {
    /// The digests, by what they are of.
    digests: HashMap<Item, String>,
    /// The connection that it said it over.
    connection: u64,
}

impl Watched {
    fn new(name: &str, config: UpstreamConfig, folder: PathBuf, heard: &watch::Sender<u64>) -> Watched {
        let of_one_connection = |config: UpstreamConfig| Watched {
            name: name.to_owned(),
            config,
            folder: folder.clone(),
            secrets: OnceLock::new(),
            client: Mutex::new(None),
            lanes: None,
            looking: tokio::sync::Mutex::default(),
            seen: Mutex::new(None),
            told: Mutex::new(None),
            heard: heard.clone(),
            is_looking: AtomicBool::new(false),
        };
        if !config.passes_questions_on() {
            return of_one_connection(config.clone());
        }
        // Who cannot be asked has a connection that asks nobody, as others do.
        let asking = UpstreamConfig { concurrency: Some(1), ..config.clone() };
        let silent = UpstreamConfig { elicitation: false, sampling: false, ..config.clone() };
        let lanes = Lanes::new(config.concurrency, || of_one_connection(asking.clone()));
        Watched { lanes: Some(lanes), ..of_one_connection(silent) }
    }

    /// The client. It is made at the first use, with the variables of that moment.
    ///
    /// Errors: a variable is not set.
    pub(super) fn client(self: &Arc<Self>) -> Result<Arc<Upstream>, NotAsked> {
        let mut client = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = &*client {
            return Ok(Arc::clone(client));
        }
        let variables = |name: &str| std::env::var(name).ok();
        let made = Arc::new(asked::client(&self.name, &self.config, &self.folder, &variables)?);
        *client = Some(Arc::clone(&made));
        in_background(follow(made.news(), Arc::downgrade(self)));
        Ok(made)
    }

    /// Calls a tool, if it is there and what it was when it was locked: over the very connection that the server said so.
    ///
    /// Errors: the server cannot be asked, or says something else of the tool than what is locked; or the call fails.
    pub(super) async fn call(
        self: Arc<Self>,
        (tool, definition): (&str, &str),
        arguments: Map<String, Value>,
        (watch, asked): (Arc<dyn Watch>, Option<Asked>),
        deadline: Option<Instant>,
    ) -> Result<Answer, Refusal> {
        let (tool, definition) = (tool.to_owned(), definition.to_owned());
        let work = async move {
            let watch = Hiding::new(watch, Arc::clone(self.secrets()));
            let lane = match (&self.lanes, asked) {
                (Some(lanes), Some(Asked { whose })) => Some(lanes.take(whose).await.map_err(Refusal::Failed)?),
                _ => None,
            };
            let server = lane.as_ref().map_or(&self, |lane| &lane.server);
            for _ in 0..TRIES {
                let (client, connection) = server.unchanged(&Item::Tool(tool.clone()), &definition).await?;
                let called = client.call(&tool, arguments.clone(), &watch, (deadline, Some(connection))).await;
                match called {
                    Err(Failure::Anew) => server.forget(),
                    Err(failure) => return Err(Refusal::Failed(self.without_secrets_of(failure))),
                    Ok(answer) => return self.without_secrets(answer).map_err(Refusal::Failed),
                }
            }
            Err(Refusal::Failed(Failure::Anew))
        }
        // A type of its own: those of calls are nested as deep as the compiler follows.
        .boxed();
        at_home(work).await.map_err(Refusal::Failed)?
    }

    /// The client and its connection, if what is asked for is there and what it was when it was locked.
    async fn unchanged(self: &Arc<Self>, item: &Item, definition: &str) -> Result<(Arc<Upstream>, u64), Refusal> {
        let client = self.client().map_err(Refusal::NotAsked)?;
        let told = self.look(&client).await.map_err(Refusal::Failed)?;
        match told.digests.get(item) {
            Some(now) if now == definition => Ok((client, told.connection)),
            Some(_) => Err(Refusal::Changed),
            None => Err(Refusal::Gone),
        }
    }

    /// Whether the server was last heard to say something else of a thing than what is locked, or to have it no more.
    pub(super) fn is_known_to_differ(&self, item: &Item, definition: &str) -> bool {
        let own = self.told.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let of_lanes = self
            .lanes
            .iter()
            .flat_map(Lanes::servers)
            .filter_map(|lane| lane.told.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let last = own.into_iter().chain(of_lanes).max_by_key(|(when, _)| *when);
        last.is_some_and(|(_, told)| told.digests.get(item).is_none_or(|now| now != definition))
    }

    /// Looks at the server again, where that has to be done before its next call: beside whoever asks for it.
    pub(super) fn look_again(self: &Arc<Self>) {
        let all = self.lanes.iter().flat_map(Lanes::servers).chain([self]);
        for server in all.filter(|server| server.is_to_be_looked_at()).map(Arc::clone) {
            if server.is_looking.swap(true, Ordering::AcqRel) {
                continue;
            }
            let beside = BesideCalls(server);
            in_background(async move {
                let server = &beside.0;
                let client = server.client.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if let Some(client) = client {
                    // What comes of it is known to whoever asks next.
                    let _ = server.look(&client).await;
                    // It may have changed meanwhile.
                    let _ = server.look(&client).await;
                }
            });
        }
    }

    /// Whether it was looked at before, and what it said need not hold any more.
    fn is_to_be_looked_at(&self) -> bool {
        let client = self.client.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let was_seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        client.is_some_and(|client| was_seen && self.known(&client).is_none())
    }

    /// What the server says of itself: it is asked at the first use, when it was started anew, when it tells that something has
    /// changed, and after some time.
    async fn look(&self, client: &Upstream) -> Result<Arc<Told>, Failure> {
        if let Some(known) = self.known(client) {
            return known;
        }
        let _one = self.looking.lock().await;
        if let Some(known) = self.known(client) {
            return known;
        }
        // What it says held at this moment at the earliest.
        let when = Instant::now();
        let read = client.definitions().await.map_err(|failure| self.without_secrets_of(failure));
        let outcome = read.map(|read| Arc::new(told_of_all(read)));
        let seen = Seen { outcome: outcome.clone(), when };
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(seen);
        if let Ok(told) = &outcome {
            let now = (when, Arc::clone(told));
            let before = self.told.lock().unwrap_or_else(PoisonError::into_inner).replace(now);
            if before.is_none_or(|(_, before)| before.digests != told.digests) {
                self.heard.send_modify(|heard| *heard += 1);
            }
        }
        outcome
    }

    fn known(&self, client: &Upstream) -> Option<Result<Arc<Told>, Failure>> {
        let Seen { outcome, when } = self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let lasts = match &outcome {
            Ok(_) if client.changed() => return None,
            Ok(_) => self.config.recheck.map_or(RECHECK, |time| time.0),
            Err(_) => AGAIN,
        };
        (when.elapsed() < lasts).then_some(outcome)
    }

    /// What the server was given as secrets. Their forms are many: they are worked out once.
    fn secrets(&self) -> &Arc<Secrets> {
        self.secrets.get_or_init(|| Arc::new(asked::secrets(&self.config, &|name| std::env::var(name).ok())))
    }

    /// An answer in which nothing stands that the server was given as a secret.
    ///
    /// Errors: it is no answer without them.
    fn without_secrets<T: Serialize + DeserializeOwned>(&self, answer: T) -> Result<T, Failure> {
        let secrets = self.secrets();
        if secrets.is_empty() {
            return Ok(answer);
        }
        // A value is found wherever it stands: as a key, in a text, in an address.
        let unfit = || Failure::Protocol("its answer cannot be told without a secret that it was given".to_owned());
        let value = serde_json::to_value(&answer).map_err(|_| unfit())?;
        if secrets.stand_encoded_in(&value) {
            return Err(unfit());
        }
        let told = secrets.hidden_in(value.clone());
        if told == value { Ok(answer) } else { serde_json::from_value(told).map_err(|_| unfit()) }
    }

    fn without_secrets_of(&self, failure: Failure) -> Failure {
        failure_without(self.secrets(), failure)
    }

    /// Ends a connection on which something may still be asked about a call that is over.
    fn forget_caller(&self) {
        let client = self.client.lock().unwrap_or_else(PoisonError::into_inner).clone();
        client.into_iter().for_each(|client| client.forget_caller());
    }

    fn forget(&self) {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// A server that is looked at beside its calls, until this is dropped, whatever comes of the look.
struct BesideCalls(Arc<Watched>);

impl Drop for BesideCalls {
    fn drop(&mut self) {
        self.0.is_looking.store(false, Ordering::Release);
    }
}

/// Looks at a server whenever it tells that it has changed, though not more often than one that fails.
async fn follow(mut news: watch::Receiver<u64>, server: Weak<Watched>) {
    while news.changed().await.is_ok() {
        tokio::time::sleep(AGAIN).await;
        news.mark_unchanged();
        let Some(server) = server.upgrade() else { return };
        server.look_again();
    }
}

/// That whoever calls can be asked.
pub(super) struct Asked {
    /// Who it is; `None` where that is not known.
    pub(super) whose: Option<Arc<str>>,
}

/// Why a tool of another server is not called, or something else of it not read.
pub(super) enum Refusal {
    /// The server cannot be asked.
    NotAsked(NotAsked),
    /// It does not answer.
    Failed(Failure),
    /// It says something else of it than what is locked.
    Changed,
    /// It has no such thing any more.
    Gone,
}

fn told_of_all(read: Definitions) -> Told {
    let connection = read.connection;
    let tools = read.tools.into_iter().map(|tool| (Item::Tool(tool.name.clone()), locked_tool(tool).digest()));
    let prompts = read.prompts.into_iter().map(|one| (Item::Prompt(one.name.clone()), locked_prompt(one).digest()));
    let resources =
        read.resources.into_iter().map(|one| (Item::Resource(one.uri.clone()), locked_resource(one).digest()));
    let templates =
        read.templates.into_iter().map(|one| (Item::Template(one.uri_template.clone()), locked_template(one).digest()));
    Told { digests: tools.chain(prompts).chain(resources).chain(templates).collect(), connection }
}

/// What a server says of all that a project takes of it, asked now. The server is started for it where it is a program, and ended again.
///
/// Errors: it cannot be asked.
pub fn asked_upstream(
    dir: &Path,
    (name, config): (&str, &UpstreamConfig),
    variables: Variables<'_>,
) -> impl Future<Output = Result<LockedUpstream, NotAsked>> + Send + use<> {
    // Whoever waits may be on another thread: the variables are read here.
    let (client, config) = (asked::client(name, config, dir, variables), config.clone());
    let secrets = asked::secrets(&config, variables);
    async move {
        let client = Arc::new(client?);
        let asked = Arc::clone(&client);
        let read = at_home(async move {
            let read = asked.definitions().await;
            asked.close();
            read
        });
        let read = read
            .await
            .and_then(|read| read)
            .map_err(|failure| NotAsked::of(&failure_without(&secrets, failure), &secrets.hidden(&client.said())))?;
        if let Some(name) = ambiguous(&read, &config) {
            return Err(NotAsked::of_ambiguous(&secrets.hidden(name)));
        }
        let locked = locked_upstream(read, &config);
        // Plain data, which always has a JSON form.
        let value = serde_json::to_value(&locked).unwrap_or_default();
        let is_told = secrets.stand_encoded_in(&value) || secrets.hidden_in(value.clone()) != value;
        if is_told { Err(NotAsked::of_secrets()) } else { Ok(locked) }
    }
}

/// Something that is taken, and that a server says different things of.
fn ambiguous<'a>(read: &'a Definitions, config: &UpstreamConfig) -> Option<&'a String> {
    let tools = read.ambiguous.tools.iter().filter(|name| config.takes(name));
    let prompts = read.ambiguous.prompts.iter().filter(|name| config.takes_prompt(name));
    let resources = read.ambiguous.resources.iter().filter(|uri| config.takes_resource(uri));
    tools.chain(prompts).chain(resources).next()
}

/// What is locked of what a server says.
fn locked_upstream(read: Definitions, config: &UpstreamConfig) -> LockedUpstream {
    let (tools, others) = chosen(read.tools, |tool| config.takes(&tool.name), |tool| tool.name);
    let mut tools: Vec<LockedTool> = tools.into_iter().map(locked_tool).collect();
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    let (prompts, other_prompts) = chosen(read.prompts, |one| config.takes_prompt(&one.name), |one| one.name);
    let mut prompts: Vec<_> = prompts.into_iter().map(locked_prompt).collect();
    prompts.sort_by(|a, b| a.name.cmp(&b.name));
    let (resources, other_uris) = chosen(read.resources, |one| config.takes_resource(&one.uri), |one| one.uri);
    let mut resources: Vec<_> = resources.into_iter().map(locked_resource).collect();
    resources.sort_by(|a, b| a.uri.cmp(&b.uri));
    let takes = |one: &TemplateDefinition| config.takes_resource(&one.uri_template);
    let (templates, other_templates) = chosen(read.templates, takes, |one| one.uri_template);
    let mut templates: Vec<_> = templates.into_iter().map(locked_template).collect();
    templates.sort_by(|a, b| a.uri_template.cmp(&b.uri_template));
    let other_resources = [other_uris, other_templates].concat();
    LockedUpstream {
        server: read.server,
        version: read.version,
        tools,
        others,
        prompts,
        other_prompts,
        resources,
        templates,
        other_resources,
    }
}

/// Those that are taken, and the names of the others, sorted.
fn chosen<T>(all: Vec<T>, takes: impl Fn(&T) -> bool, name: impl Fn(T) -> String) -> (Vec<T>, Vec<String>) {
    let (taken, others): (Vec<T>, Vec<T>) = all.into_iter().partition(takes);
    let mut others: Vec<String> = others.into_iter().map(name).collect();
    others.sort();
    (taken, others)
}
