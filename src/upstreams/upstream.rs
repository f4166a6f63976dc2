//! One upstream server, as the rest of the project uses it.

use super::answer::Answer;
use super::config::{Config, Lists};
use super::decode;
use super::definition::Definitions;
use super::desk::{Attended, Put};
use super::failure::Failure;
use super::link::Link;
use super::listing::{List, Listing};
use super::mark::Mark;
use super::news::News;
use super::open::{self, Shared};
use super::rounds::{self, MOST_ROUNDS};
use super::slot::Slot;
use super::stdio::Said;
use super::watch::{Progress, Watch};
use futures::stream::{FuturesUnordered, StreamExt};
use rmcp::model::{CallToolRequest, CallToolRequestParams, ProtocolVersion, ServerResult};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use tokio::sync::mpsc::Receiver;
use tokio::sync::{Semaphore, SemaphorePermit, watch};

/// The code of an error that says that a server does not know a method.
const METHOD_NOT_FOUND: i32 = -32601;

/// How many questions are open at a time during a call, and how many there are: nobody is to be flooded. Further ones are declined.
const MOST_AT_A_TIME: usize = 2;
const MOST_QUESTIONS: usize = 16;

/// A client of one server. The program behind it, where there is one, is killed when this is dropped.
pub struct Upstream {
    config: Arc<Config>,
    slot: Slot,
    shared: Shared,
    turns: Semaphore,
    waiting: AtomicUsize,
}

impl Upstream {
    /// A client. The server is not asked or started before the first use. It is used within a Tokio runtime.
    pub fn new(mut config: Config) -> Upstream {
        config.timeouts = open::consistent(config.timeouts);
        if config.passed_on.any() {
            config.concurrency = 1;
        }
        let shared = Shared { news: News::default(), said: Said::new(config.log.clone()), connections: Arc::default() };
        let turns = Semaphore::new(config.concurrency.max(1));
        let config = Arc::new(config);
        let slot = Slot::new(config.clone(), shared.clone());
        Upstream { config, slot, shared, turns, waiting: AtomicUsize::new(0) }
    }

    /// The name that this side calls the server by.
    pub fn name(&self) -> &str {
        &self.config.name
    }

    /// All that the server offers.
    ///
    /// Errors: any failure; `TooLarge` above 1,000 items of a list or 4 MiB of all.
    pub async fn definitions(&self) -> Result<Definitions, Failure> {
        let read = async {
            match self.read().await {
                // Reading twice does no harm.
                Err(Failure::Unreachable(_)) => self.read().await,
                outcome => outcome,
            }
        };
        tokio::time::timeout(self.config.timeouts.list, read).await.unwrap_or(Err(Failure::TimedOut))
    }

    /// Calls a tool, until the deadline or for as long as a call may take, whichever is shorter. When this is dropped
    /// before its end, the server is told to stop. Where a connection is named, it is sent over that one or not at all. A call is sent a second time only where the server cannot have had
    /// it the first time.
    ///
    /// Errors: any failure. A tool that failed is an answer, not a failure.
    pub async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        watch: &dyn Watch,
        (deadline, connection): (Option<Instant>, Option<u64>),
    ) -> Result<Answer, Failure> {
        let latest = Instant::now() + self.config.timeouts.call;
        let deadline = tokio::time::Instant::from_std(deadline.map_or(latest, |deadline| deadline.min(latest)));
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = CallToolRequest::new(params);
        tokio::select! {
            biased;
            () = watch.cancelled() => Err(Failure::Cancelled),
            outcome = tokio::time::timeout_at(deadline, self.in_turn(request, watch, connection)) => match outcome {
                Ok(outcome) => outcome,
                Err(_) => Err(Failure::TimedOut),
            },
        }
    }

    /// Whether the server told of changed lists, or was started anew, since the definitions were last read.
    pub fn changed(&self) -> bool {
        self.shared.news.is_changed()
    }

    /// What tells when the server tells of changed lists. It ends with this client.
    pub fn news(&self) -> watch::Receiver<u64> {
        self.shared.news.told()
    }

    /// The end of what its program wrote to its standard error, up to 64 KiB. It may hold secrets of the program.
    pub fn said(&self) -> String {
        self.shared.said.text()
    }

    /// Ends the connection where something may still be asked over it about a call that is over.
    pub fn forget_caller(&self) {
        if self.config.passed_on.any() && self.slot.open_link().is_some_and(|link| is_older(&link)) {
            self.slot.close();
        }
    }

    /// Ends the connection, and with it the program. The next use begins anew.
    pub fn close(&self) {
        self.slot.close();
    }

    /// The connection of that number.
    ///
    /// Errors: there is none, or it is another one by now.
    pub(super) async fn link(&self, connection: u64) -> Result<Arc<Link>, Failure> {
        let link = self.slot.link().await?;
        if link.number == connection { Ok(link) } else { Err(Failure::Anew) }
    }

    async fn read(&self) -> Result<Definitions, Failure> {
        let link = self.slot.link().await?;
        // Before the lists are read: what changes meanwhile must not be lost.
        self.shared.news.note(false);
        let listing = self.listing(&link).await;
        if listing.is_err() {
            self.shared.news.note(true);
        }
        listing
    }

    async fn listing(&self, link: &Link) -> Result<Definitions, Failure> {
        let mut listing = Listing::default();
        let Some(server) = link.server() else {
            return Err(Failure::Protocol("the server said nothing of itself".to_owned()));
        };
        let Lists { prompts, resources } = self.config.lists;
        let offered = &server.capabilities;
        // Some servers have tools and forget to say so.
        if offered.tools.is_some() || (offered.prompts.is_none() && offered.resources.is_none()) {
            link.list(List::Tools, &mut listing).await?;
        }
        if prompts && offered.prompts.is_some() {
            link.list(List::Prompts, &mut listing).await?;
        }
        if resources && offered.resources.is_some() {
            link.list(List::Resources, &mut listing).await?;
            match link.list(List::Templates, &mut listing).await {
                // Most servers with resources have no templates, and many do not know the word.
                Ok(()) | Err(Failure::Rpc { code: METHOD_NOT_FOUND, .. }) => {}
                Err(failure) => return Err(failure),
            }
        }
        let who = server.server_info.as_ref();
        Ok(Definitions {
            connection: link.number,
            revision: server.protocol_version.as_str().to_owned(),
            server: who.map(|who| who.name.clone()),
            version: who.map(|who| who.version.clone()),
            instructions: server.instructions.clone(),
            ..listing.read
        })
    }

    async fn in_turn(
        &self,
        request: CallToolRequest,
        watch: &dyn Watch,
        connection: Option<u64>,
    ) -> Result<Answer, Failure> {
        let _turn = self.turn().await?;
        match self.once(request.clone(), watch, connection).await {
            Err((Failure::Unreachable(_), Sent::No)) => {
                self.once(request, watch, connection).await.map_err(|(failure, _)| failure)
            }
            outcome => outcome.map_err(|(failure, _)| failure),
        }
    }

    pub(super) async fn turn(&self) -> Result<SemaphorePermit<'_>, Failure> {
        if let Ok(turn) = self.turns.try_acquire() {
            return Ok(turn);
        }
        let _place = Place::among(&self.waiting, self.config.most_waiting)?;
        self.turns.acquire().await.map_err(|_| Failure::Busy)
    }

    async fn once(
        &self,
        request: CallToolRequest,
        watch: &dyn Watch,
        connection: Option<u64>,
    ) -> Result<Answer, (Failure, Sent)> {
        // What could not be connected is known to be so: another attempt would only take time.
        let link = self.slot.link().await.map_err(|failure| (failure, Sent::Unknown))?;
        if connection.is_some_and(|meant| meant != link.number) {
            return Err((Failure::Anew, Sent::Unknown));
        }
        let passed_on = self.config.passed_on;
        // What is asked is about the one call that is open on this connection: it is nobody's who comes later.
        let attended = (passed_on.any() && is_older(&link)).then(|| (link.desk.attend(), Forsaken(Some(&self.slot))));
        let (mut attended, forsaken) = attended.unzip();
        let (mut request, mut is_first) = (request, true);
        let outcome = 'rounds: {
            for _ in 0..MOST_ROUNDS {
                let (mark, progress) = Mark::new();
                let told = Told { progress, asked: attended.as_mut(), watch, last: f64::NEG_INFINITY };
                let result = told.during(link.call(request.clone(), &mark)).await;
                let sent = if is_first && !mark.was_sent() { Sent::No } else { Sent::Unknown };
                let failure = match result {
                    Ok(ServerResult::InputRequiredResult(wanted)) => {
                        match rounds::answered(&request, wanted, (passed_on, watch)).await {
                            Ok(again) => request = again,
                            Err(failure) => break 'rounds Err((failure, Sent::Unknown)),
                        }
                        is_first = false;
                        continue;
                    }
                    result => match result.and_then(decode::answer) {
                        Ok(answer) => break 'rounds Ok(answer),
                        Err(failure) => failure,
                    },
                };
                break 'rounds Err(match (failure, sent) {
                    (Failure::Unreachable(words), Sent::Unknown) => (Failure::Lost(words), Sent::Unknown),
                    (failure, sent) => (failure, sent),
                });
            }
            Err((Failure::Protocol("it asks again and again".to_owned()), Sent::Unknown))
        };
        forsaken.into_iter().for_each(Forsaken::end);
        outcome
    }
}

/// Whether questions come beside the calls, and not as their answers.
fn is_older(link: &Link) -> bool {
    link.server().is_none_or(|server| server.protocol_version < ProtocolVersion::V_2026_07_28)
}

/// A call whose questions are passed on. Where it is given up, the connection ends: what is asked late belongs to nobody.
struct Forsaken<'a>(Option<&'a Slot>);

impl Forsaken<'_> {
    /// It has come to its end.
    fn end(mut self) {
        self.0 = None;
    }
}

impl Drop for Forsaken<'_> {
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.close();
        }
    }
}

/// Whether the server can have had a call.
enum Sent {
    No,
    Unknown,
}

/// A place among those that wait for their turn.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn among(waiting: &'a AtomicUsize, most: usize) -> Result<Place<'a>, Failure> {
        let place = Place(waiting);
        match waiting.fetch_add(1, Ordering::AcqRel) < most {
            true => Ok(place),
            false => Err(Failure::Busy),
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Passes progress and questions on while something runs.
struct Told<'a> {
    progress: Receiver<Progress>,
    asked: Option<&'a mut Attended>,
    watch: &'a dyn Watch,
    last: f64,
}

impl Told<'_> {
    async fn during<T>(mut self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        let watch = self.watch;
        let (mut open, mut asked) = (FuturesUnordered::new(), 0);
        let outcome = loop {
            tokio::select! {
                biased;
                Some(progress) = self.progress.recv() => self.pass_on(progress),
                Some(put) = next_put(self.asked.as_deref_mut()), if open.len() < MOST_AT_A_TIME => {
                    asked += 1;
                    let is_one_too_many = asked > MOST_QUESTIONS;
                    open.push(async move {
                        let answer = if is_one_too_many { None } else { watch.ask(put.question.clone()).await };
                        put.answer(answer);
                    });
                }
                Some(()) = open.next(), if !open.is_empty() => {}
                outcome = &mut work => break outcome,
            }
        };
        while let Ok(progress) = self.progress.try_recv() {
            self.pass_on(progress);
        }
        outcome
    }

    /// What does not go forward is not told.
    fn pass_on(&mut self, progress: Progress) {
        if progress.done > self.last {
            self.last = progress.done;
            self.watch.progress(progress);
        }
    }
}

/// The next question of a call; never, where none are passed on.
async fn next_put(attended: Option<&mut Attended>) -> Option<Put> {
    match attended {
        Some(attended) => attended.puts.recv().await,
        None => std::future::pending().await,
    }
}
