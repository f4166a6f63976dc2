//! `http` of `qtool.yaml`: who may talk to the server over HTTP, and how long it waits for them.

use super::settings::Timeout;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// `http` of `qtool.yaml`: the names and origins beside this machine's own, and the bounds on connections.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpConfig {
    /// The names that the server is reached by, with a port or without: `tools.example.com`. This machine's own names
    /// are always allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub allowed_hosts: Vec<String>,
    /// The origins of pages that may call it: `https://app.example.com`. Pages of this machine are always allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub allowed_origins: Vec<String>,
    /// How many connections are open at once; never more than half of the files that the process may open.
    /// Default: 1024.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000000))]
    pub connections: Option<u32>,
    /// How many of them one address may have. Default: 256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000000))]
    pub connections_per_address: Option<u32>,
    /// How long a client may take for the head of a request. Default: 10s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_timeout: Option<Timeout>,
    /// How long a client may take for the body of a request. Default: 30s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_timeout: Option<Timeout>,
    /// How long a client may take to read an answer. Default: 60s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_timeout: Option<Timeout>,
    /// How long a connection is kept that nothing is asked on. Default: 75s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_timeout: Option<Timeout>,
}

/// How long a server waits for its clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For the head of a request.
    pub header: Duration,
    /// For its body.
    pub body: Duration,
    /// For an answer to be read.
    pub answer: Duration,
    /// For the next request of a connection.
    pub idle: Duration,
}

impl HttpConfig {
    /// How long a client is waited for, with the defaults of what is not set.
    pub fn patience(&self) -> Patience {
        let or = |set: Option<Timeout>, seconds| set.map_or(Duration::from_secs(seconds), |timeout| timeout.0);
        Patience {
            header: or(self.header_timeout, 10),
            body: or(self.body_timeout, 30),
            answer: or(self.answer_timeout, 60),
            idle: or(self.idle_timeout, 75),
        }
    }
}
