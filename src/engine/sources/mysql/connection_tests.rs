//! Connections with and without a server. The variable `QTOOL_TEST_MARIADB` holds the address of one.

use super::session::Server;
use super::{Connections, Lease};
use crate::engine::sources::error::SourceError;
use crate::engine::sources::server::typed;
use crate::engine::tables::Roots;
use crate::project::{MysqlConfig, ServerAddress, Timeout};
use mysql_async::Error;
use mysql_async::prelude::Queryable;
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time;

/// The variable that holds the address of a server for tests.
const SERVER: &str = "QTOOL_TEST_MARIADB";

fn config(variable: &str, most: u32) -> MysqlConfig {
    MysqlConfig {
        address: ServerAddress::of_variable(variable),
        tls: None,
        max_connections: Some(most),
        connect_timeout: Some(Timeout(Duration::from_secs(1))),
        tables: None,
        idempotency: None,
    }
}

fn connections(variable: &str, most: u32) -> Connections {
    Connections::new("shop", Server::new(&config(variable, most), Roots::new(Path::new("."), &[]).unwrap()))
}

/// The connections to a server for tests, where there is one.
fn with_server(most: u32) -> Option<Connections> {
    std::env::var_os(SERVER).map(|_| connections(SERVER, most))
}

async fn text(lease: &mut Lease, statement: &str) -> String {
    lease.connection().query_first::<String, _>(statement).await.unwrap().unwrap_or_default()
}

async fn number_of(lease: &mut Lease) -> String {
    text(lease, "SELECT CAST(connection_id() AS CHAR)").await
}

#[tokio::test]
async fn what_is_no_address_is_told_and_not_tried_again_at_once() {
    let connections = connections("QTOOL_NO_SUCH_VARIABLE", 2);
    let why = "the variable `QTOOL_NO_SUCH_VARIABLE` is not set".to_owned();
    let down = SourceError::Refusing { source: "shop".to_owned(), why };
    for _ in 0..3 {
        assert_eq!(connections.lease().await.unwrap_err(), down);
    }
    assert!(!connections.is_reachable() && connections.waits());
}

#[tokio::test]
async fn a_connection_that_rests_is_used_again() {
    let Some(connections) = with_server(2) else { return };
    let mut lease = connections.lease().await.unwrap();
    let number = number_of(&mut lease).await;
    lease.give_back();
    let mut lease = connections.lease().await.unwrap();
    assert_eq!(number_of(&mut lease).await, number);
    drop(lease);
    let mut lease = connections.lease().await.unwrap();
    assert_ne!(number_of(&mut lease).await, number, "it was not given back");
    assert!(connections.is_reachable());
}

#[tokio::test]
async fn sessions_read_alone_and_are_reset() {
    let Some(connections) = with_server(1) else { return };
    let mut lease = connections.lease().await.unwrap();
    for _ in 0..2 {
        let error = lease.connection().query_drop("CREATE TABLE nobody_writes (n int)").await.unwrap_err();
        assert!(matches!(&error, Error::Server(told) if told.code == 1792), "{error}");
        lease.connection().query_drop("SET @left = 7, time_zone = '+05:00', sql_mode = 'ANSI_QUOTES'").await.unwrap();
        lease.reset().await.unwrap();
        assert_eq!(text(&mut lease, "SELECT coalesce(@left, 'nothing')").await, "nothing");
        let settings = "SELECT concat(@@time_zone, ' ', @@sql_mode, ' ', @@autocommit + 0, ' ', @@max_sort_length)";
        assert_eq!(text(&mut lease, settings).await, "+00:00 STRICT_ALL_TABLES 0 8388608");
    }
}

#[tokio::test]
async fn a_statement_is_ended_from_beside_it() {
    let Some(connections) = with_server(2) else { return };
    let mut lease = connections.lease().await.unwrap();
    let number = number_of(&mut lease).await;
    let ending = lease.ending();
    let began = Instant::now();
    let statement =
        "SELECT count(*) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c";
    let (outcome, is_ended) = futures::join!(lease.connection().query_drop(statement), async {
        time::sleep(Duration::from_millis(200)).await;
        ending.end().await
    });
    let error = outcome.unwrap_err();
    assert!(matches!(&error, Error::Server(told) if told.code == 1317), "{error}");
    assert!(is_ended && began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(number_of(&mut lease).await, number, "the connection takes the next statement");
    lease.cancel();
    // Who comes next waits until it has ended.
    let mut next = connections.lease().await.unwrap();
    assert_ne!(number_of(&mut next).await, number);
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

#[test]
fn a_connection_outlives_the_runtime_that_asked_for_it() {
    let Some(connections) = with_server(1) else { return };
    let runtime = || tokio::runtime::Builder::new_current_thread().build().unwrap();
    let number = runtime().block_on(async {
        let mut lease = connections.lease().await.unwrap();
        let number = number_of(&mut lease).await;
        lease.give_back();
        number
    });
    let again = runtime().block_on(async { number_of(&mut connections.lease().await.unwrap()).await });
    assert_eq!(again, number);
}

/// How a connection over an address is encrypted, or why there is none. `tls` is what `qtool.yaml` says.
async fn encrypted(name: &str, address: &str, tls: serde_json::Value) -> Result<bool, String> {
    let variable = format!("QTOOL_TEST_MYSQL_{name}");
    typed::use_address(&variable, address);
    let config = MysqlConfig { tls: serde_json::from_value(tls).unwrap(), ..config(&variable, 2) };
    let folder = std::env::var_os("QTOOL_TEST_MARIADB_DIR").unwrap_or_default();
    let roots = Roots::new(Path::new(&folder), &[]).or_else(|_| Roots::new(Path::new("."), &[])).unwrap();
    let mut lease = match Connections::new("shop", Server::new(&config, roots)).lease().await {
        Ok(lease) => lease,
        Err(SourceError::Down { why, .. } | SourceError::Refusing { why, .. }) => return Err(why),
        Err(other) => return Err(other.to_string()),
    };
    let status: Option<(String, String)> =
        lease.connection().query_first("SHOW SESSION STATUS LIKE 'Ssl_cipher'").await.unwrap();
    Ok(status.is_some_and(|(_, cipher)| !cipher.is_empty()))
}

#[tokio::test]
async fn a_server_is_who_it_says_or_is_not_spoken_to() {
    let Ok(place) = std::env::var("QTOOL_TEST_MARIADB_TCP") else { return };
    // The integration tests say that they are left out.
    if !Path::new(&std::env::var_os("QTOOL_TEST_MARIADB_DIR").unwrap_or_default()).join("ca.pem").exists() {
        return;
    }
    let port = place.rsplit(':').next().unwrap_or_default();
    let (trusted, none) = (json!({ "ca": "ca.pem" }), json!({}));
    let mode = |mode: &str| json!({ "mode": mode });
    for (at, (host, options, tls, expected)) in [
        ("localhost", "", &none, Ok(false)),
        ("localhost", "", &trusted, Ok(true)),
        ("localhost", "?ssl-mode=REQUIRED", &none, Err("its certificate is not trusted: nobody")),
        ("127.0.0.1", "", &trusted, Err("its certificate is not trusted: it is for another name")),
        ("127.0.0.1", "?ssl-mode=VERIFY_CA", &trusted, Ok(true)),
        ("127.0.0.1", "", &json!({ "ca": "ca.pem", "mode": "verify-ca" }), Ok(true)),
        ("localhost", "", &json!({ "ca": "client.pem" }), Err("its certificate is not trusted: nobody")),
        ("127.0.0.1", "", &json!({ "ca": "client.pem", "mode": "verify-ca" }), Err("its certificate is not trusted")),
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
        ("localhost", "?ssl-cert=none", &trusted, Err("there is `ssl-cert` and no `ssl-key`")),
    ]
    .into_iter()
    .enumerate()
    {
        let address = format!("mysql://reader:only%20for%20tests@{host}:{port}/shop{options}");
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
    let Ok(place) = std::env::var("QTOOL_TEST_MARIADB_TCP") else { return };
    for (at, (address, expected)) in [
        (format!("mysql://reader:canary@{place}/shop"), "the password is not right"),
        (format!("mysql://canary:canary@{place}/shop"), "the password is not right"),
        (format!("mysql://reader@{place}/shop"), "the password is not right"),
        (format!("mysql://reader:only%20for%20tests@{place}/canary"), "it has no database"),
        ("mysql://canary@127.0.0.1:1/canary".to_owned(), "nothing listens"),
        ("mysql://canary@%2Fcanary/canary".to_owned(), "there is no such socket"),
        ("mysql://canary@canary.invalid/canary".to_owned(), "nobody knows its name"),
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
    let address = format!("mysql://reader@{}/shop", listener.local_addr().unwrap());
    typed::use_address("QTOOL_TEST_MYSQL_SILENT", &address);
    let connections = connections("QTOOL_TEST_MYSQL_SILENT", 2);
    let began = Instant::now();
    let down = connections.lease().await.unwrap_err();
    assert_eq!(down.to_string(), "source `shop` cannot be read: it does not answer within 1000 ms");
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let began = Instant::now();
    assert_eq!(connections.lease().await.unwrap_err(), down);
    assert!(began.elapsed() < Duration::from_millis(500), "{:?}", began.elapsed());
    assert!(!connections.is_reachable());
}

/// A server that lets everybody in, and asks for a file of the machine in the place of an answer.
async fn thief(listener: tokio::net::TcpListener) -> Vec<u8> {
    const GREETING: &[u8] = b"\x0a8.0.30\0\x01\0\0\0abcdefgh\0\xff\xf7\xff\x02\0\xff\xdf\x15\0\0\0\0\0\0\0\0\0\0\
                              ijklmnopqrst\0mysql_native_password\0";
    let (mut stream, _) = listener.accept().await.unwrap();
    let message = |number: u8, body: &[u8]| [&[u8::try_from(body.len()).unwrap(), 0, 0, number], body].concat();
    stream.write_all(&message(0, GREETING)).await.unwrap();
    let mut taken = [0; 4_096];
    assert!(stream.read(&mut taken).await.unwrap() > 0);
    stream.write_all(&message(2, b"\0\0\0\x02\0\0\0")).await.unwrap();
    assert!(stream.read(&mut taken).await.unwrap() > 0);
    stream.write_all(&message(1, b"\xfb/etc/passwd")).await.unwrap();
    let mut given = Vec::new();
    // It may have been closed already.
    let _ = stream.read_to_end(&mut given).await;
    given
}

#[tokio::test]
async fn no_server_is_given_a_file() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("mysql://reader@{}/shop", listener.local_addr().unwrap());
    typed::use_address("QTOOL_TEST_MYSQL_THIEF", &address);
    let thief = tokio::spawn(thief(listener));
    let connections = connections("QTOOL_TEST_MYSQL_THIEF", 1);
    assert!(connections.lease().await.is_err());
    drop(connections);
    let given = time::timeout(Duration::from_secs(5), thief).await.unwrap().unwrap();
    assert!(given.len() < 32 && !given.windows(4).any(|part| part == b"root"), "{given:?}");
}
