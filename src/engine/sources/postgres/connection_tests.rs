//! Connections with and without a server. The variable `QTOOL_TEST_POSTGRES` holds the address of one.

use super::session::Server;
use super::{Connections, Lease};
use crate::engine::sources::error::SourceError;
use crate::engine::sources::server::typed;
use crate::engine::tables::Roots;
use crate::project::{PostgresConfig, ServerAddress, Timeout};
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::time;

/// The variable that holds the address of a server for tests.
const SERVER: &str = "QTOOL_TEST_POSTGRES";

fn config(variable: &str, most: u32) -> PostgresConfig {
    PostgresConfig {
        address: ServerAddress::of_variable(variable),
        tls: None,
        named_statements: None,
        max_connections: Some(most),
        connect_timeout: Some(Timeout(Duration::from_secs(1))),
        tables: None,
        idempotency: None,
        session: indexmap::IndexMap::new(),
    }
}

fn connections(variable: &str, most: u32) -> Connections {
    let roots = Roots::new(Path::new("."), &[]).unwrap();
    Connections::new("shop", Server { config: config(variable, most), roots })
}

/// The connections to a server for tests, where there is one.
fn with_server(most: u32) -> Option<Connections> {
    std::env::var_os(SERVER).map(|_| connections(SERVER, most))
}

async fn number_of(lease: &Lease) -> i32 {
    lease.client().query_one("SELECT pg_backend_pid()", &[]).await.unwrap().get(0)
}

/// How many sessions the server has whose numbers these are.
async fn left(lease: &Lease, number: i32) -> i64 {
    let statement = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1";
    lease.client().query_one(statement, &[&number]).await.unwrap().get(0)
}

#[tokio::test]
async fn what_is_no_address_is_told_and_not_tried_again_at_once() {
    let connections = connections("QTOOL_NO_SUCH_VARIABLE", 2);
    let why = "the variable `QTOOL_NO_SUCH_VARIABLE` is not set".to_owned();
    let down = SourceError::Refusing { source: "shop".to_owned(), why };
    for _ in 0..3 {
        assert_eq!(connections.lease().await.unwrap_err(), down);
    }
    assert!(!connections.is_reachable());
    assert!(connections.waits());
}

#[tokio::test]
async fn a_connection_that_rests_is_used_again() {
    let Some(connections) = with_server(2) else { return };
    let lease = connections.lease().await.unwrap();
    let number = number_of(&lease).await;
    lease.give_back();
    let lease = connections.lease().await.unwrap();
    assert_eq!(number_of(&lease).await, number);
    drop(lease);
    let lease = connections.lease().await.unwrap();
    assert_ne!(number_of(&lease).await, number, "it was not given back");
    assert!(connections.is_reachable());
}

#[tokio::test]
async fn sessions_read_alone() {
    let Some(connections) = with_server(1) else { return };
    let lease = connections.lease().await.unwrap();
    let error = lease.client().batch_execute("CREATE TABLE t (n int)").await.unwrap_err();
    assert_eq!(error.code().map(|state| state.code()), Some("25006"));
}

#[tokio::test]
async fn a_statement_that_is_cancelled_ends_in_the_server() {
    let Some(connections) = with_server(2) else { return };
    let (lease, observer) = (connections.lease().await.unwrap(), connections.lease().await.unwrap());
    let number = number_of(&lease).await;
    let sleep = lease.client().batch_execute("SELECT pg_sleep(30)");
    assert!(time::timeout(Duration::from_millis(200), sleep).await.is_err());
    assert_eq!(left(&observer, number).await, 1);
    lease.cancel();
    // Who comes next waits until it has ended.
    let next = connections.lease().await.unwrap();
    time::sleep(Duration::from_millis(300)).await;
    assert_eq!(left(&next, number).await, 0);
}

#[tokio::test]
async fn who_waits_too_long_is_told() {
    let Some(connections) = with_server(1) else { return };
    let lease = connections.lease().await.unwrap();
    let began = Instant::now();
    assert_eq!(connections.lease().await.unwrap_err(), SourceError::Exhausted { source: "shop".to_owned() });
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    lease.give_back();
    assert!(connections.lease().await.is_ok());
}

#[tokio::test]
async fn a_connection_that_the_server_closed_is_not_used() {
    let Some(connections) = with_server(2) else { return };
    let (lease, other) = (connections.lease().await.unwrap(), connections.lease().await.unwrap());
    let number = number_of(&lease).await;
    lease.give_back();
    other.client().query_one("SELECT pg_terminate_backend($1)", &[&number]).await.unwrap();
    time::sleep(Duration::from_millis(200)).await;
    let lease = connections.lease().await.unwrap();
    assert_ne!(number_of(&lease).await, number);
}

#[test]
fn a_connection_outlives_the_runtime_that_asked_for_it() {
    let Some(connections) = with_server(1) else { return };
    let runtime = || tokio::runtime::Builder::new_current_thread().build().unwrap();
    let number = runtime().block_on(async {
        let lease = connections.lease().await.unwrap();
        let number = number_of(&lease).await;
        lease.give_back();
        number
    });
    let again = runtime().block_on(async { number_of(&connections.lease().await.unwrap()).await });
    assert_eq!(again, number);
}

/// Whether a connection over an address is encrypted, or why there is none. `tls` is what `qtool.yaml` says.
async fn encrypted(name: &str, address: &str, tls: serde_json::Value) -> Result<bool, String> {
    let variable = format!("QTOOL_TEST_{name}");
    typed::use_address(&variable, address);
    let config = PostgresConfig { tls: serde_json::from_value(tls).unwrap(), ..config(&variable, 2) };
    let folder = std::env::var_os("QTOOL_TEST_POSTGRES_DIR").unwrap_or_default();
    let roots = Roots::new(Path::new(&folder), &[]).or_else(|_| Roots::new(Path::new("."), &[])).unwrap();
    let lease = match Connections::new("shop", Server { config, roots }).lease().await {
        Ok(lease) => lease,
        Err(SourceError::Down { why, .. } | SourceError::Refusing { why, .. }) => return Err(why),
        Err(other) => return Err(other.to_string()),
    };
    let asked = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    Ok(lease.client().query_one(asked, &[]).await.unwrap().get(0))
}

#[tokio::test]
async fn a_server_is_who_it_says_or_is_not_spoken_to() {
    let Ok(place) = std::env::var("QTOOL_TEST_POSTGRES_TCP") else { return };
    // The integration tests say that they are left out.
    if !Path::new(&std::env::var_os("QTOOL_TEST_POSTGRES_DIR").unwrap_or_default()).join("ca.pem").exists() {
        return;
    }
    let port = place.rsplit(':').next().unwrap_or_default();
    let (trusted, none) = (json!({ "ca": "ca.pem" }), json!({}));
    let mode = |mode: &str| json!({ "mode": mode });
    for (at, (host, options, tls, expected)) in [
        ("localhost", "", &none, Ok(false)),
        ("localhost", "", &trusted, Ok(true)),
        ("localhost", "?channel_binding=require", &trusted, Ok(true)),
        ("localhost", "?sslmode=require", &none, Err("its certificate is not trusted: nobody")),
        ("127.0.0.1", "", &trusted, Err("its certificate is not trusted: it is for another name")),
        ("127.0.0.1", "?sslmode=verify-ca", &trusted, Ok(true)),
        ("127.0.0.1", "", &json!({ "ca": "ca.pem", "mode": "verify-ca" }), Ok(true)),
        ("localhost", "", &json!({ "ca": "client.pem" }), Err("its certificate is not trusted: nobody")),
        ("localhost", "", &json!({ "ca": "client.pem", "mode": "verify-ca" }), Err("its certificate is not trusted")),
        ("localhost", "", &mode("insecure"), Ok(true)),
        ("localhost", "", &mode("disable"), Ok(false)),
        ("localhost", "", &json!({ "ca": "none.pem" }), Err("`tls.ca`: no file found")),
        ("localhost", "", &json!({ "ca": "client.key" }), Err("the file of `tls.ca` holds no certificate")),
        (
            "localhost",
            "",
            &json!({ "ca": "ca.pem", "cert": "client.pem" }),
            Err("there is `tls.cert` and no `tls.key_env`"),
        ),
        ("localhost", "?sslcert=none", &trusted, Err("there is `sslcert` and no `sslkey`")),
    ]
    .into_iter()
    .enumerate()
    {
        let address = format!("postgres://reader:only%20for%20tests@{host}:{port}/postgres{options}");
        let found = encrypted(&format!("TLS_{at}"), &address, tls.clone()).await;
        match (&found, &expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{address} {tls}"),
            (Err(why), Err(expected)) => assert!(why.starts_with(expected), "{address} {tls}: {why}"),
            _ => panic!("{address} {tls}: {found:?}"),
        }
    }
}

#[tokio::test]
async fn why_there_is_no_connection_is_told_without_the_address() {
    let Ok(place) = std::env::var("QTOOL_TEST_POSTGRES_TCP") else { return };
    for (at, (address, expected)) in [
        (format!("postgres://reader:canary@{place}/postgres"), "the password is not right"),
        (format!("postgres://canary:canary@{place}/postgres"), "the password is not right"),
        (format!("postgres://reader@{place}/postgres"), "it asks for a password"),
        (format!("postgres://reader:only%20for%20tests@{place}/canary"), "it has no database"),
        ("postgres://canary@127.0.0.1:1/canary".to_owned(), "nothing listens"),
        ("postgres://canary@%2Fcanary/canary".to_owned(), "there is no such socket"),
        ("postgres://canary@canary.invalid/canary".to_owned(), "nobody knows its name"),
    ]
    .into_iter()
    .enumerate()
    {
        let why = encrypted(&format!("WHY_{at}"), &address, json!({})).await.unwrap_err();
        assert!(why.starts_with(expected) && !why.contains("canary"), "{address}: {why}");
    }
}

#[tokio::test]
async fn a_server_that_says_nothing_is_not_asked_by_everybody() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("postgres://reader@{}/shop", listener.local_addr().unwrap());
    typed::use_address("QTOOL_TEST_SILENT", &address);
    let connections = connections("QTOOL_TEST_SILENT", 2);
    let began = Instant::now();
    let down = connections.lease().await.unwrap_err();
    assert_eq!(down.to_string(), "source `shop` cannot be read: it does not answer within 1000 ms");
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let began = Instant::now();
    assert_eq!(connections.lease().await.unwrap_err(), down);
    assert!(began.elapsed() < Duration::from_millis(500), "{:?}", began.elapsed());
    assert!(!connections.is_reachable());
}
