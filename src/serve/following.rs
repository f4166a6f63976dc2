//! Clients are told of what other servers change, while they are served.

use super::Server;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// What tells them so until it is dropped.
pub(super) struct Following(JoinHandle<()>);

impl Drop for Following {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Server {
    /// Tells clients which lists have changed whenever another server is heard to be what it was not before.
    pub(super) fn following(&self) -> Following {
        let shared = Arc::clone(&self.shared);
        Following(tokio::spawn(async move { shared.follow_upstreams().await }))
    }
}
