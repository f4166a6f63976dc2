//! Names that lead elsewhere a moment later, and connections that are kept.

use super::super::guard::Guard;
use super::server::TestServer;
use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi";
const PRIVATE: Reach = Reach { private: true, hosts: Vec::new() };

/// Every address but the first is private.
fn rebinding() -> impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static {
    let asked = AtomicUsize::new(0);
    move |_| match asked.fetch_add(1, Ordering::SeqCst) {
        0 => vec![HERE],
        _ => vec![[127, 0, 0, 2].into()],
    }
}

#[tokio::test]
async fn a_name_that_leads_elsewhere_later_is_refused_then() {
    let server = TestServer::answering(OK);
    let client = client(rebinding());
    let url = server.url_of("rebinding.example", "/");
    assert_eq!(client.send(get(&url), &Reach::default(), &BOUNDS).await.unwrap().body, "hi");
    let failure = client.send(get(&url), &Reach::default(), &BOUNDS).await.unwrap_err();
    let Failure::Refused(address) = failure else { panic!("{failure}") };
    assert_eq!((address.host.as_str(), address.address), ("rebinding.example", [127, 0, 0, 2].into()));
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_name_that_leads_elsewhere_during_redirects_is_refused() {
    let server = TestServer::answering("HTTP/1.1 302 Found\r\nlocation: /again\r\nconnection: close\r\n\r\n");
    let url = server.url_of("rebinding.example", "/");
    let failure = client(rebinding()).send(get(&url), &Reach::default(), &BOUNDS).await.unwrap_err();
    assert!(matches!(failure, Failure::Refused(_)), "{failure}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_name_is_asked_for_once_for_each_connection() {
    let server = TestServer::answering(OK);
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let client = client(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        vec![HERE]
    });
    client.send(get(&server.url_of("once.example", "/")), &Reach::default(), &BOUNDS).await.unwrap();
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn only_the_public_ones_of_several_addresses_are_connected_to() {
    let several = |_: &str| vec![[10, 0, 0, 1].into(), HERE, "fd00::1".parse().unwrap()];
    let guard = Guard::new(Arc::new(Names(several)), judge);
    let found: Vec<SocketAddr> = guard.resolve("several.example".parse().unwrap()).await.ok().unwrap().collect();
    assert_eq!(found, [SocketAddr::new(HERE, 0)]);
}

#[tokio::test]
async fn a_name_without_addresses_leads_nowhere() {
    let failure = client(|_| Vec::new()).send(get("http://a.example/"), &Reach::default(), &BOUNDS).await.unwrap_err();
    assert_eq!(failure, Failure::Dns);
}

#[tokio::test]
async fn private_addresses_are_reached_where_they_may_be() {
    let server = TestServer::answering(OK);
    let client = Client::over(Trust::Only(Vec::new()), Arc::new(Names(|_: &str| vec![HERE])), address::kind_of_address);
    let client = client.unwrap();
    for url in [server.url("/"), server.url_of("intranet.example", "/")] {
        assert_eq!(client.send(get(&url), &PRIVATE, &BOUNDS).await.unwrap().body, "hi");
        let failure = client.send(get(&url), &Reach::default(), &BOUNDS).await.unwrap_err();
        assert!(matches!(failure, Failure::Refused(_)), "{failure}");
    }
}

/// The first request leaves a connection behind that the second could use.
#[tokio::test]
async fn a_kept_connection_to_a_private_address_serves_no_request_that_may_not_go_there() {
    let server = TestServer::serving(|_, line| {
        use std::io::{Read, Write};
        line.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi").unwrap();
        // Until the client hangs up.
        let _ = line.read_to_end(&mut Vec::new());
    });
    let client = Client::over(Trust::Only(Vec::new()), Arc::new(Names(|_: &str| vec![HERE])), address::kind_of_address);
    let (client, url) = (client.unwrap(), server.url_of("intranet.example", "/"));
    client.send(get(&url), &PRIVATE, &BOUNDS).await.unwrap();
    let failure = client.send(get(&url), &Reach::default(), &BOUNDS).await.unwrap_err();
    assert!(matches!(failure, Failure::Refused(_)), "{failure}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn nobody_listening_is_no_connection() {
    let listener = std::net::TcpListener::bind((HERE, 0)).unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    assert_eq!(fetched(&url).await.unwrap_err(), Failure::Connect);
}
