//! What a server serves at the moment, and what all its connections share.

use super::audit::{Audit, Transport};
use super::index::Index;
use super::logging::Told;
use super::metrics::Metrics;
use super::offers::Offers;
use super::telemetry::Telemetry;
use super::{Publication, Resources, Server};
use crate::emit::profile::{Profile, definition};
use crate::engine::Engine;
use crate::project::{DiscoveryConfig, Icon, Limits};
use crate::prompts::Prompt;
use crate::tool::{Contract, Families, Tool};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use indexmap::IndexMap;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use tokio::sync::watch;

/// What clients are told of the server itself.
#[derive(Debug, Clone)]
pub struct ServerInfo {
    /// The project's name.
    pub name: String,
    /// The project's version.
    pub version: String,
    /// The project's description.
    pub description: Option<String>,
    /// The project's pictures.
    pub icons: Vec<Icon>,
    /// The hash of all that callers rely on ([`crate::bundle::contract::contract_hash`]).
    pub contract: String,
}

/// The tools by the name of their toolset.
pub type Toolsets = IndexMap<String, BTreeSet<String>>;

/// What is served: replaced as a whole by a reload. Calls that are under way keep the one they began with.
pub(super) struct Served {
    pub(super) engine: Arc<Engine>,
    pub(super) tools: Vec<Published>,
    /// Where in `tools` each is, by its name: a call costs the same among a thousand of them.
    places: HashMap<String, usize>,
    pub(super) toolsets: Toolsets,
    pub(super) prompts: Vec<Prompt>,
    pub(super) resources: Option<Resources>,
    /// What is passed on of other servers beside their tools.
    pub(super) offers: Offers,
    /// When a caller sees a search instead of all tools.
    pub(super) discovery: DiscoveryConfig,
    /// What a search looks in.
    pub(super) index: Index,
    profile: Option<Profile>,
    /// The tools that are aliases, with the names of those that they are aliases of.
    aliases: HashMap<String, String>,
    /// The tools that are out of service, by name: why, and what a caller needs to hear that.
    quarantined: HashMap<String, (String, Vec<String>)>,
}

impl Generation {
    /// Whether the lists of tools, prompts and resources have changed since.
    pub(super) fn since(self, earlier: Generation) -> [bool; 3] {
        [self.tools != earlier.tools, self.prompts != earlier.prompts, self.resources != earlier.resources]
    }
}

/// How often each list was published anew.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Generation {
    pub(super) tools: u64,
    pub(super) prompts: u64,
    pub(super) resources: u64,
}

/// What other servers are known to have changed: in none of the lists until it is what was reviewed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Withdrawn {
    tools: BTreeSet<String>,
    /// Prompts, each by its server.
    prompts: BTreeSet<(String, String)>,
    /// Resources and templates, each by its server.
    resources: BTreeSet<(String, String)>,
}

/// A tool as it is published.
pub(super) struct Published {
    pub(super) tool: rmcp::model::Tool,
    /// What a caller needs to see and call it.
    pub(super) scopes: Vec<String>,
    /// Whether its allowed values are read again, and what is published with them.
    changes: bool,
    /// Whether it changes data.
    pub(super) changes_data: bool,
    /// Whether a call of it takes values from the headers of the request.
    pub(super) reads_headers: bool,
    /// How often each principal may call it, where that is less often than others: the same under all names that it has.
    rate: Option<Arc<DefaultKeyedRateLimiter<String>>>,
}

impl Published {
    /// Whether a principal may call it now.
    pub(super) fn may_be_called(&self, principal: &str) -> bool {
        self.rate.as_ref().is_none_or(|rate| rate.check_key(&principal.to_owned()).is_ok())
    }
}

/// How often the tools may be called, by the names that calls are counted under and by what their authors allow.
struct Rates {
    families: Families,
    by_name: HashMap<(String, NonZeroU32), Arc<DefaultKeyedRateLimiter<String>>>,
}

impl Rates {
    /// What bounds the calls of a tool: shared with its aliases, and with its other versions where they allow as many.
    fn rate_of(&mut self, contract: &Contract) -> Option<Arc<DefaultKeyedRateLimiter<String>>> {
        let a_second = contract.calls_per_second.and_then(NonZeroU32::new)?;
        let counted = (self.families.counted_name(contract).to_owned(), a_second);
        Some(Arc::clone(self.by_name.entry(counted).or_insert_with(|| Arc::new(limiter(a_second)))))
    }
}

/// So many calls a second of each principal, and twice as many at once.
fn limiter(a_second: NonZeroU32) -> DefaultKeyedRateLimiter<String> {
    RateLimiter::keyed(Quota::per_second(a_second).allow_burst(a_second.saturating_mul(TWO)))
}

impl Served {
    /// Publishes the tools, in their order.
    pub(super) fn new(engine: Engine, publication: Publication) -> Result<Served, serde_json::Error> {
        let Publication { tools, toolsets, prompts, offered, resources, discovery, profile, aliases, quarantined } =
            publication;
        let mut rates = Rates { families: Families::of_tools(&tools), by_name: HashMap::new() };
        let publish = |tool: &Tool| {
            let mut queries =
                tool.contract.parameters().iter().filter_map(|parameter| parameter.allowed_query.as_ref());
            Ok(Published {
                changes: queries.any(|query| query.refresh.is_some()),
                changes_data: tool.may_change_data(),
                reads_headers: super::direct::reads_headers(&tool.contract),
                scopes: tool.contract.scopes.clone(),
                rate: rates.rate_of(&tool.contract),
                tool: serde_json::from_value(definition(&tool.contract, profile))?,
            })
        };
        let tools: Vec<Published> = tools.iter().map(publish).collect::<Result<_, serde_json::Error>>()?;
        let places = tools.iter().enumerate().map(|(at, published)| (published.tool.name.to_string(), at)).collect();
        let quarantined = quarantined.into_iter().map(|(one, scopes)| (one.tool, (one.reason, scopes))).collect();
        let (engine, index) = (Arc::new(engine), Index::default());
        let served = Served {
            engine,
            tools,
            places,
            toolsets,
            prompts,
            resources,
            offers: Offers::new(offered),
            discovery,
            index,
            profile,
            aliases,
            quarantined,
        };
        Ok(served)
    }

    /// The tool of that name, whoever may see it.
    pub(super) fn published(&self, name: &str) -> Option<&Published> {
        self.tools.get(*self.places.get(name)?)
    }

    /// The name of the tool that a name is an alias of.
    pub(super) fn alias_of(&self, name: &str) -> Option<&str> {
        self.aliases.get(name).map(String::as_str)
    }

    /// Why a tool is out of service, and what a caller needs to hear that.
    pub(super) fn quarantined(&self, name: &str) -> Option<(&str, &[String])> {
        self.quarantined.get(name).map(|(reason, scopes)| (reason.as_str(), scopes.as_slice()))
    }

    /// Whether there is something to be read, whoever may.
    pub(super) fn has_resources(&self) -> bool {
        self.resources.is_some() || self.offers.has_resources()
    }

    /// A tool as it is now.
    pub(super) fn now(&self, published: &Published) -> rmcp::model::Tool {
        let tool = self.engine.tool(&published.tool.name).filter(|_| published.changes);
        let read = tool.and_then(|tool| serde_json::from_value(definition(&tool.contract, self.profile)).ok());
        read.unwrap_or_else(|| published.tool.clone())
    }
}

impl Server {
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }
}

/// What all connections share.
pub(super) struct Shared {
    served: RwLock<Arc<Served>>,
    pub(super) info: ServerInfo,
    /// Tools that are out of service for the time being.
    disabled: RwLock<HashSet<String>>,
    /// Counts what was published; who waits for it is told of a change.
    pub(super) generation: watch::Sender<Generation>,
    rate: DefaultKeyedRateLimiter<String>,
    pub(super) metrics: Metrics,
    /// What the client on standard input is told of the log.
    pub(super) told: Told,
    /// What was last heard of other servers, and what is withdrawn by that.
    withdrawn: Mutex<(u64, Withdrawn)>,
    audit: OnceLock<Audit>,
    telemetry: OnceLock<Arc<Telemetry>>,
}

impl Shared {
    pub(super) fn new(served: Served, info: ServerInfo, limits: &Limits) -> Shared {
        let a_second = limits.calls_per_second.and_then(NonZeroU32::new).unwrap_or(THOUSAND);
        let metrics = Metrics::new(&info.version);
        metrics.published(served.tools.len());
        Shared {
            served: RwLock::new(Arc::new(served)),
            info,
            disabled: RwLock::default(),
            generation: watch::Sender::new(Generation::default()),
            rate: limiter(a_second),
            metrics,
            told: Told::default(),
            withdrawn: Mutex::default(),
            audit: OnceLock::new(),
            telemetry: OnceLock::new(),
        }
    }

    /// Records every call from now on.
    pub(super) fn record(&self, audit: Audit) {
        // Who comes first stays: there is one record.
        let _ = self.audit.set(audit);
    }

    pub(super) fn audit(&self) -> Option<&Audit> {
        self.audit.get()
    }

    /// Reports every operation from now on.
    pub(super) fn report(&self, telemetry: Arc<Telemetry>) {
        let _ = self.telemetry.set(telemetry);
    }

    pub(super) fn telemetry(&self) -> Option<&Telemetry> {
        self.telemetry.get().map(Arc::as_ref)
    }

    /// What is served now.
    pub(super) fn served(&self) -> Arc<Served> {
        Arc::clone(&self.served.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Serves something else from now on.
    pub(super) fn replace(&self, served: Served) {
        self.metrics.published(served.tools.len());
        let before = self.served();
        let is_offered_anew = before.offers != served.offers;
        let prompts = u64::from(before.prompts != served.prompts || is_offered_anew);
        let resources = u64::from(before.resources != served.resources || is_offered_anew);
        *self.served.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(served);
        self.generation.send_modify(|generation| {
            generation.tools += 1;
            generation.prompts += prompts;
            generation.resources += resources;
        });
    }

    /// Tells clients which lists have changed, where other servers were heard to be what they were not before.
    pub(super) fn hear_of_upstreams(&self, served: &Served) {
        let heard = *served.engine.heard_of_upstreams().borrow();
        let mut known = self.withdrawn.lock().unwrap_or_else(PoisonError::into_inner);
        if known.0 == heard {
            return;
        }
        let names = served.tools.iter().map(|published| published.tool.name.as_ref());
        let tools = names.filter(|name| served.engine.is_withdrawn(name)).map(str::to_owned).collect();
        let [prompts, resources] = served.offers.withdrawn(&served.engine);
        let now = Withdrawn { tools, prompts, resources };
        let before = std::mem::replace(&mut *known, (heard, now.clone())).1;
        drop(known);
        if before == now {
            return;
        }
        self.generation.send_modify(|generation| {
            generation.tools += u64::from(before.tools != now.tools);
            generation.prompts += u64::from(before.prompts != now.prompts);
            generation.resources += u64::from(before.resources != now.resources);
        });
    }

    /// Tells clients so for as long as this is waited for, whoever has heard it.
    pub(super) async fn follow_upstreams(&self) {
        let mut generation = self.generation.subscribe();
        loop {
            generation.mark_unchanged();
            let served = self.served();
            let mut heard = served.engine.heard_of_upstreams();
            self.hear_of_upstreams(&served);
            tokio::select! {
                _ = heard.changed() => {}
                // Another engine may be served.
                _ = generation.changed() => {}
            }
        }
    }

    /// Takes a tool out of service, or puts it back.
    pub(super) fn set_enabled(&self, tool: &str, enabled: bool) {
        let mut disabled = self.disabled.write().unwrap_or_else(PoisonError::into_inner);
        let changed = if enabled { disabled.remove(tool) } else { disabled.insert(tool.to_owned()) };
        drop(disabled);
        if changed {
            self.generation.send_modify(|generation| generation.tools += 1);
        }
    }

    pub(super) fn is_enabled(&self, tool: &str) -> bool {
        !self.disabled.read().unwrap_or_else(PoisonError::into_inner).contains(tool)
    }

    /// Whether a principal may make another call now. Standard input has one caller, who owns the process.
    pub(super) fn may_call(&self, transport: Transport, principal: &str) -> bool {
        transport == Transport::Stdio || self.rate.check_key(&principal.to_owned()).is_ok()
    }

    /// Forgets principals that have not called for a while.
    pub(super) fn forget_idle(&self) {
        self.rate.retain_recent();
        self.served().tools.iter().filter_map(|tool| tool.rate.as_ref()).for_each(|rate| rate.retain_recent());
    }
}

const THOUSAND: NonZeroU32 = NonZeroU32::new(1000).unwrap();
const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
