//! Connections with and without a server. The variable `QTOOL_TEST_POSTGRES` holds the address of one.

use super::*;
use crate::project::Timeout;
use std::path::Path;

/// The variable that holds the address of a server for tests.
const SERVER: &str = "QTOOL_TEST_POSTGRES";

fn connections(variable: &str, most: u32) -> Connections {
    let config = PostgresConfig {
        url_env: variable.to_owned(),
        tls: None,
        named_statements: None,
        max_connections: Some(most),
        connect_timeout: Some(Timeout(Duration::from_secs(1))),
    };
    Connections::new("shop", &config, Roots::new(Path::new("."), &[]).unwrap())
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
    let down = SourceError::Down { source: "shop".to_owned(), why };
    for _ in 0..3 {
        assert_eq!(connections.lease().await.unwrap_err(), down);
    }
    assert!(!connections.is_reachable());
    assert!(connections.shared.breaker.attempt().is_err());
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
