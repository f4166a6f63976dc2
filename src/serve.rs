//! Tools over MCP: the only module that names the MCP SDK. It plans nothing; every call goes to the engine.

mod access;
mod admitted;
mod api;
mod asked;
mod asking;
pub mod audit;
pub mod auth;
mod batch;
mod body;
mod caller;
mod completion;
mod confirm;
mod connections;
mod cursors;
mod direct;
mod discovery;
mod edge;
mod following;
mod forward;
mod front;
mod gatekeeper;
mod handler;
mod http;
mod index;
mod listen;
mod logging;
mod made_up;
pub mod metrics;
mod missing;
mod object;
mod offers;
mod open_question;
mod paced;
mod passed_on;
mod progress;
mod prompts;
mod relayed;
mod repeated;
mod resources;
pub mod setup;
mod state;
mod stdio;
mod tasks;
pub mod telemetry;
mod traced;
mod visible;
mod way;

pub use access::Access;
pub use auth::Principal;
pub use resources::{Resources, TableData};
pub use state::{ServerInfo, Toolsets};

use crate::catalog::Catalog;
use crate::emit::profile::Profile;
use crate::engine::Engine;
use crate::engine::bind::Caller;
use crate::project::{DiscoveryConfig, Limits, ProjectFile};
use crate::prompts::Prompt;
use crate::tool::{Offered, Tool};
use audit::{Audit, Transport};
use confirm::Questions;
use relayed::WaitingCalls;
use state::{Served, Shared};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tasks::Tasks;
use telemetry::Telemetry;

/// How long the end of a process waits for the record of calls.
const SETTLED: Duration = Duration::from_millis(300);

/// The MCP server: an engine, what it publishes, and how it is reached. Clones share all of it.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
    /// The tools that this connection is about; all where it names no toolset.
    toolset: Option<Arc<str>>,
    transport: Transport,
    /// Who calls over standard input: nobody says so there but who starts the process.
    stdio_caller: Arc<Caller>,
    /// Whether tools that change data are left out.
    is_read_only: bool,
    /// Whether nobody need agree to what tools change whose callers cannot be asked.
    waives_consent: bool,
    /// What is asked, and answered later.
    questions: Arc<Questions>,
    /// The calls that wait for answers to what other servers ask.
    waiting: Arc<WaitingCalls>,
    /// The calls that go on behind their answers.
    tasks: Arc<Tasks>,
}

impl Server {
    /// Publishes the tools, in their order, over the engine that runs them.
    ///
    /// Errors: a tool whose JSON the SDK does not take, which no compiled tool has.
    pub fn new(
        engine: Engine,
        publication: Publication,
        info: ServerInfo,
        limits: &Limits,
    ) -> Result<Server, serde_json::Error> {
        let served = Served::new(engine, publication)?;
        Ok(Server {
            shared: Arc::new(Shared::new(served, info, limits)),
            toolset: None,
            transport: Transport::Stdio,
            stdio_caller: Arc::default(),
            is_read_only: false,
            waives_consent: false,
            questions: Arc::default(),
            waiting: Arc::default(),
            tasks: Arc::default(),
        })
    }

    /// The same server for the tools of one toolset.
    #[must_use]
    pub fn of_toolset(self, toolset: &str) -> Server {
        Server { toolset: Some(toolset.into()), ..self }
    }

    /// The same server with what is known of who calls over standard input.
    #[must_use]
    pub fn serving_over_stdio(self, caller: Caller) -> Server {
        Server { stdio_caller: Arc::new(caller), ..self }
    }

    /// The same server without the tools that change data, now and behind a reload.
    #[must_use]
    pub fn read_only(self) -> Server {
        Server { is_read_only: true, ..self }
    }

    /// The same server, where calls of tools that a person must agree to are made for clients that cannot ask anybody.
    #[must_use]
    pub fn waiving_consent(self) -> Server {
        Server { waives_consent: true, ..self }
    }

    /// Serves other tools from now on; calls under way are not disturbed, and clients are told.
    ///
    /// Errors: as [`Server::new`].
    pub fn replace(&self, engine: Engine, publication: Publication) -> Result<(), serde_json::Error> {
        self.shared.replace(Served::new(engine, publication)?);
        Ok(())
    }

    /// The same server with a record of every call.
    #[must_use]
    pub fn recording(self, audit: Audit) -> Server {
        self.shared.record(audit);
        self
    }

    /// The same server with a span and a measurement of every operation.
    #[must_use]
    pub fn reporting(self, telemetry: Arc<Telemetry>) -> Server {
        self.shared.report(telemetry);
        self
    }

    /// Waits a moment for what is to be recorded of calls that were given up: for the end of the process.
    pub async fn settled(&self) {
        if let Some(audit) = self.shared.audit() {
            audit.settled(SETTLED).await;
        }
    }

    /// Notes that a reload was tried, and whether it is served now.
    pub fn reloaded(&self, ok: bool) {
        self.shared.metrics.reloaded(ok);
    }

    /// Takes a tool out of service, or puts it back.
    pub fn set_enabled(&self, tool: &str, enabled: bool) {
        self.shared.set_enabled(tool, enabled);
    }
}

/// What a server publishes.
pub struct Publication {
    /// The tools, in the order they are listed.
    pub tools: Vec<Tool>,
    /// The toolsets.
    pub toolsets: Toolsets,
    /// The prompts.
    pub prompts: Vec<Prompt>,
    /// What is passed on of other servers beside their tools.
    pub offered: Vec<Offered>,
    /// What can be read beside calling tools.
    pub resources: Option<Resources>,
    /// When a caller sees a search instead of all tools.
    pub discovery: DiscoveryConfig,
    /// Whose rules the published schemas are held to.
    pub profile: Option<Profile>,
    /// The tools that are aliases, with the names of those that they are aliases of.
    aliases: HashMap<String, String>,
    /// The tools that are out of service, with what a caller needs to hear of them.
    quarantined: Vec<(Quarantined, Vec<String>)>,
}

/// A tool that is not served, because the data is not what it was compiled for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quarantined {
    /// Its name.
    pub tool: String,
    /// Why, in words for agents.
    pub reason: String,
}

impl Publication {
    /// What a project publishes with these tools and prompts.
    pub fn of(file: &ProjectFile, catalog: &Catalog, tools: Vec<Tool>, prompts: Vec<Prompt>) -> Publication {
        let resources = Resources::new(&file.resources, file, catalog, &tools);
        let quarantined = Vec::new();
        let (toolsets, discovery, profile) = (toolsets(file, &tools), file.discovery, None);
        let alias = |tool: &Tool| Some((tool.contract.name.clone(), tool.contract.alias_of.clone()?));
        let aliases = tools.iter().filter_map(alias).collect();
        let offered = Vec::new();
        Publication { toolsets, tools, prompts, offered, resources, discovery, profile, aliases, quarantined }
    }

    /// The same with what is passed on of other servers beside their tools.
    #[must_use]
    pub fn offering(self, offered: Vec<Offered>) -> Publication {
        Publication { offered, ..self }
    }

    /// The same with schemas as a client of that profile takes them; all that they no longer say is still enforced.
    #[must_use]
    pub fn lowered(self, profile: Option<Profile>) -> Publication {
        Publication { profile, ..self }
    }

    /// The same without some of the tools: they are not listed, and a call of one is told why.
    #[must_use]
    pub fn without(mut self, quarantined: Vec<Quarantined>) -> Publication {
        let is_fine = |tool: &Tool| !quarantined.iter().any(|one| one.tool == tool.contract.name);
        let (fine, broken) = std::mem::take(&mut self.tools).into_iter().partition(is_fine);
        let broken: Vec<Tool> = broken;
        self.tools = fine;
        self.quarantined = quarantined
            .into_iter()
            .filter_map(|one| {
                let scopes = broken.iter().find(|tool| tool.contract.name == one.tool)?.contract.scopes.clone();
                Some((one, scopes))
            })
            .collect();
        self
    }
}

/// The toolsets of a project: what is named, and what has one of the tags.
fn toolsets(file: &ProjectFile, tools: &[Tool]) -> Toolsets {
    let all = file.toolsets.iter().map(|(name, config)| {
        let of = |tool: &&Tool| config.has(tool.contract.names(), &tool.contract.tags);
        (name.clone(), tools.iter().filter(of).map(|tool| tool.contract.name.clone()).collect())
    });
    all.collect()
}
