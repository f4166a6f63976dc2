//! What HTTP asks of those who call.

use super::auth::{self, Authenticator};
use crate::project::{ByteSize, HttpConfig, ProjectFile};
use crate::serve::setup::SetupError;
use crate::tool::Tool;
use serde_json::Value;
use std::net::IpAddr;

/// Who may talk to the server, and how it tells who they are.
pub struct Access {
    pub(super) http: HttpConfig,
    pub(super) authenticator: Option<Authenticator>,
    /// Where a client learns who gives out tokens.
    pub(super) metadata_url: String,
    pub(super) metadata: Option<Value>,
    pub(super) max_request_bytes: usize,
}

impl Access {
    /// What a project asks for.
    ///
    /// Errors: settings of `auth` that do not go together, in words for its author.
    pub fn of(file: &ProjectFile, tools: &[Tool]) -> Result<Access, SetupError> {
        let mut scopes: Vec<String> = tools.iter().flat_map(|tool| tool.contract.scopes.iter().cloned()).collect();
        scopes.sort();
        scopes.dedup();
        let authenticator = file.auth.as_ref().map(Authenticator::new).transpose()?;
        Ok(Access {
            http: file.http.clone(),
            authenticator,
            metadata_url: file.auth.as_ref().and_then(auth::metadata_url).unwrap_or_default(),
            metadata: file.auth.as_ref().map(|config| auth::metadata(config, &scopes)),
            max_request_bytes: file.limits.max_request_bytes.map_or(1 << 20, ByteSize::bytes),
        })
    }

    /// The path of the metadata, where it has one of its own.
    pub(super) fn metadata_path(&self) -> Option<String> {
        let url = url::Url::parse(&self.metadata_url).ok()?;
        // What a router takes for a pattern is served nowhere.
        (!url.path().contains(['{', '}', '*', ':'])).then(|| url.path().to_owned())
    }

    /// Whether it may be served at an address: beyond this machine only to callers who say who they are.
    pub fn may_listen(&self, address: IpAddr) -> bool {
        address.is_loopback() || self.authenticator.is_some()
    }
}
