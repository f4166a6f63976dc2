//! How a connection is made: the program is started or the address asked, and the era of the protocol is found out.

use super::client::Client;
use super::config::{Config, Era, Reach, Timeouts};
use super::desk::Desk;
use super::failure::Failure;
use super::http::Poster;
use super::link::{self, Link};
use super::news::News;
use super::send_failure::{Reached, SendFailure};
use super::stdio::{Pipes, Process, Said};
use super::watched::Watched;
use rmcp::RoleClient;
use rmcp::model::{ProtocolVersion, ServerPeerInfo, SubscriptionFilter};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, Peer, RunningService, serve_client_with_lifecycle};
use rmcp::transport::Transport;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::task::AbortHandle;

type Running = RunningService<RoleClient, Client>;

/// What a connection shares with the ones before and after it.
#[derive(Clone)]
pub(super) struct Shared {
    /// What the server tells of changed lists.
    pub(super) news: News,
    /// What the program writes to its standard error.
    pub(super) said: Said,
    /// How many connections there were.
    pub(super) connections: Arc<AtomicU64>,
}

/// Makes a connection.
///
/// Errors: the server is not reached within its time, or speaks no revision that is known here.
pub(super) async fn open(config: &Config, era: Era, shared: &Shared) -> Result<Link, Failure> {
    let opened = tokio::time::timeout(config.timeouts.connect, async {
        match (attempt(config, era, shared).await, era) {
            // Some older servers end when they are asked something that they do not know.
            (Err((_, Next::Older)), Era::Either) => attempt(config, Era::Handshake, shared).await,
            (outcome, _) => outcome,
        }
    });
    match opened.await {
        Ok(outcome) => outcome.map_err(|(failure, _)| failure),
        Err(_) => Err(Failure::Unreachable("it does not answer to the first message".to_owned())),
    }
}

/// What is worth trying after a failure.
enum Next {
    Older,
    Nothing,
}

async fn attempt(config: &Config, era: Era, shared: &Shared) -> Result<Link, (Failure, Next)> {
    let news = shared.news.clone();
    let desk = Desk::default();
    let client = || Client::new(config.passed_on, desk.clone());
    let for_good = |failure| (failure, Next::Nothing);
    let (running, process) = match &config.reach {
        Reach::Command(command) => {
            let (process, ends) = Process::start(command, shared.said.clone()).map_err(for_good)?;
            let process = Arc::new(process);
            // A server that is known to speak the newest revision has all of its time to start.
            let patience = if era == Era::Stateless { config.timeouts.connect } else { config.timeouts.probe };
            let pipes = Pipes::new(process.clone(), ends, (config.most_bytes, patience), shared.said.clone());
            match serve(client(), Watched::new(pipes, news), era).await {
                Ok(running) => (running, Some(process)),
                Err(error) => return Err(refined(failure(error), &process).await),
            }
        }
        Reach::Http(address) => {
            let transport = Poster::transport(config, address).map_err(for_good)?;
            (serve(client(), Watched::new(transport, news), era).await.map_err(failure)?, None)
        }
    };
    let listening = listen(&running, shared.news.clone());
    let number = shared.connections.fetch_add(1, Ordering::Relaxed);
    Ok(Link::new(running, process, listening, (number, desk)))
}

async fn serve<T>(client: Client, transport: Watched<T>, era: Era) -> Result<Running, ClientInitializeError>
where
    T: Transport<RoleClient> + 'static,
    T::Error: Into<SendFailure>,
{
    let newest = || vec![ProtocolVersion::V_2026_07_28];
    let mode = match era {
        Era::Handshake => ClientLifecycleMode::Initialize,
        Era::Stateless => ClientLifecycleMode::Discover { preferred_versions: newest() },
        Era::Either => ClientLifecycleMode::Auto {
            preferred_versions: newest(),
            legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
        },
    };
    serve_client_with_lifecycle(client, transport, mode).await
}

/// How a program ended says more than that its output did.
async fn refined((failure, next): (Failure, Next), process: &Process) -> (Failure, Next) {
    match failure {
        Failure::Unreachable(_) => (Failure::Unreachable(process.words_of_its_end().await), next),
        failure => (failure, next),
    }
}

fn failure(error: ClientInitializeError) -> (Failure, Next) {
    let protocol = |words: &str| (Failure::Protocol(words.to_owned()), Next::Older);
    match error {
        ClientInitializeError::TransportError { error, .. } => match error.error.downcast_ref::<SendFailure>() {
            Some(failure) => (
                Failure::Unreachable(failure.words.clone()),
                if failure.reached == Reached::Never { Next::Nothing } else { Next::Older },
            ),
            None => (Failure::Unreachable("the first message could not be sent".to_owned()), Next::Older),
        },
        ClientInitializeError::ConnectionClosed(_) => {
            (Failure::Unreachable("the connection was closed before the first answer".to_owned()), Next::Older)
        }
        ClientInitializeError::JsonRpcError(error) => (link::of_rpc(error), Next::Older),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => (failure_of(*fallback), Next::Nothing),
        ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
            protocol("it speaks no revision of the protocol that is known here")
        }
        _ => protocol("it does not answer to the first message as an MCP server does"),
    }
}

fn failure_of(error: ClientInitializeError) -> Failure {
    failure(error).0
}

/// Servers of the newest revision tell of changes only to those that listen.
fn listen(running: &Running, news: News) -> Option<AbortHandle> {
    let peer = running.peer();
    let server = peer.peer_info()?;
    let filter = wanted(&server)?;
    let task = tokio::spawn(hear(peer.clone(), filter, news));
    Some(task.abort_handle())
}

fn wanted(server: &ServerPeerInfo) -> Option<SubscriptionFilter> {
    if server.protocol_version < ProtocolVersion::V_2026_07_28 {
        return None;
    }
    let capabilities = &server.capabilities;
    let tools = capabilities.tools.as_ref().and_then(|tools| tools.list_changed) == Some(true);
    let prompts = capabilities.prompts.as_ref().and_then(|prompts| prompts.list_changed) == Some(true);
    let resources = capabilities.resources.as_ref().and_then(|resources| resources.list_changed) == Some(true);
    if !(tools || prompts || resources) {
        return None;
    }
    let mut filter = SubscriptionFilter::default();
    filter.tools_list_changed = tools.then_some(true);
    filter.prompts_list_changed = prompts.then_some(true);
    filter.resources_list_changed = resources.then_some(true);
    Some(filter)
}

async fn hear(peer: Peer<RoleClient>, filter: SubscriptionFilter, news: News) {
    let Ok(mut heard) = peer.listen(filter).await else { return };
    while let Ok(Some(_)) = heard.next().await {
        news.tell();
    }
    // What it would have told from now on is not heard.
    news.note(true);
}

/// What of the waiting times belongs together: a probe must leave time for the handshake.
pub(super) fn consistent(timeouts: Timeouts) -> Timeouts {
    Timeouts { probe: timeouts.probe.min(timeouts.connect / 2), ..timeouts }
}
