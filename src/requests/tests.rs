//! Requests to servers that are not to be trusted, and what they may say.

mod addresses;
mod certificates;
mod endings;
mod floods;
mod hosts;
mod parts;
mod private;
mod redirects;
mod secrets;
mod server;
mod statuses;
mod text;
mod tls;

use super::address;
use super::address_kind::AddressKind;
use super::{Answer, Bounds, Client, Failure, Prepared, Reach, Trust};
use http::Method;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Where the tests' own servers are. In tests it counts as public, so that all else can be reached from there.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

const BOUNDS: Bounds = Bounds { time: Duration::from_secs(5), bytes: 1000, redirects: 3, same_host_only: true };

/// A resolver under the control of a test.
struct Names<F>(F);

impl<F: Fn(&str) -> Vec<IpAddr> + Send + Sync> Resolve for Names<F> {
    fn resolve(&self, name: Name) -> Resolving {
        let found: Vec<SocketAddr> = (self.0)(name.as_str()).into_iter().map(|ip| SocketAddr::new(ip, 0)).collect();
        Box::pin(async move { Ok(Box::new(found.into_iter()) as Addrs) })
    }
}

fn judge(address: IpAddr) -> Option<AddressKind> {
    if address == HERE { None } else { address::kind_of_address(address) }
}

/// A client to which every name leads where the test says.
fn client(names: impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static) -> Client {
    Client::over(Trust::Only(Vec::new()), Arc::new(Names(names)), judge).unwrap()
}

fn get(url: &str) -> Prepared {
    Prepared::new(Method::GET, Url::parse(url).unwrap()).unwrap()
}

async fn sent(request: Prepared, bounds: &Bounds) -> Result<Answer, Failure> {
    client(|_| vec![HERE]).send(request, &Reach::default(), bounds).await
}

async fn fetched(url: &str) -> Result<Answer, Failure> {
    sent(get(url), &BOUNDS).await
}
