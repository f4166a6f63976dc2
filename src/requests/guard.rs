//! Names and the addresses that they lead to: only those come out that a request may connect to.

use super::address::{Judge, PrivateAddress};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::fmt;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use tokio::sync::Semaphore;
use url::{Host, Url};

/// Asks another resolver, and leaves out what is not public.
pub(super) struct Guard {
    resolver: Arc<dyn Resolve>,
    judge: Judge,
}

/// Asks the system for the addresses of names.
pub(super) struct SystemNames {
    places: Arc<Semaphore>,
}

/// A name leads nowhere.
#[derive(Debug)]
pub(super) struct NoAddress;

/// Each question to the system takes a thread for as long as the system likes, also where nobody waits any more.
const MOST_QUESTIONS: usize = 32;

impl Guard {
    /// Lets through what the judge says nothing of.
    pub(super) fn new(resolver: Arc<dyn Resolve>, judge: Judge) -> Guard {
        Guard { resolver, judge }
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let (host, judge) = (name.as_str().to_owned(), self.judge);
        let resolving = self.resolver.resolve(name);
        Box::pin(async move {
            let (mut public, mut private) = (Vec::new(), None);
            for socket in resolving.await.map_err(|_| NoAddress)? {
                match judge(socket.ip()) {
                    None => public.push(socket),
                    Some(kind) => private = Some(PrivateAddress { host: host.clone(), address: socket.ip(), kind }),
                }
            }
            match private {
                Some(address) if public.is_empty() => Err(address.into()),
                _ if public.is_empty() => Err(NoAddress.into()),
                _ => Ok(Box::new(public.into_iter()) as Addrs),
            }
        })
    }
}

impl SystemNames {
    pub(super) fn new() -> SystemNames {
        SystemNames { places: Arc::new(Semaphore::new(MOST_QUESTIONS)) }
    }
}

impl Resolve for SystemNames {
    fn resolve(&self, name: Name) -> Resolving {
        let places = Arc::clone(&self.places);
        Box::pin(async move {
            let place = places.acquire_owned().await.map_err(|_| NoAddress)?;
            let asked = tokio::task::spawn_blocking(move || {
                let _place = place;
                (name.as_str(), 0).to_socket_addrs().map(Iterator::collect::<Vec<SocketAddr>>)
            });
            match asked.await {
                Ok(Ok(found)) if !found.is_empty() => Ok(Box::new(found.into_iter()) as Addrs),
                _ => Err(NoAddress.into()),
            }
        })
    }
}

/// Checks the host of a URL where it is an address: those are connected to without asking for a name.
///
/// Errors: the address is not public.
pub(super) fn check_host(url: &Url, judge: Judge) -> Result<(), PrivateAddress> {
    let address = match url.host() {
        Some(Host::Ipv4(address)) => IpAddr::V4(address),
        Some(Host::Ipv6(address)) => IpAddr::V6(address),
        Some(Host::Domain(_)) | None => return Ok(()),
    };
    match judge(address) {
        Some(kind) => Err(PrivateAddress { host: url.host_str().unwrap_or_default().to_owned(), address, kind }),
        None => Ok(()),
    }
}

impl fmt::Display for NoAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name leads nowhere")
    }
}

impl std::error::Error for NoAddress {}
