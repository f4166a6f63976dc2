//! Answers without an end.

use super::server::{TestServer, flood};
use super::*;
use std::io::Write;

async fn flooded(head: &'static str, again: &'static str) -> Failure {
    let server = TestServer::serving(move |_, line| {
        // The client hangs up where it has heard enough.
        if line.write_all(head.as_bytes()).is_ok() {
            flood(line, again.as_bytes());
        }
    });
    fetched(&server.url("/")).await.unwrap_err()
}

#[tokio::test]
async fn endless_bodies_end_at_the_limit() {
    let too_large = Failure::TooLarge { limit: 1000 };
    assert_eq!(flooded("HTTP/1.1 200 OK\r\n\r\n", "aaaaaaaaaaaaaaaa").await, too_large);
    assert_eq!(flooded("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "4\r\naaaa\r\n").await, too_large);
    assert_eq!(flooded("HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n", "a").await, too_large);
    assert_eq!(flooded("HTTP/1.1 200 OK\r\ncontent-length: 18446744073709551613\r\n\r\n", "a").await, too_large);
}

#[tokio::test]
async fn a_body_may_be_as_long_as_the_limit() {
    for length in [0, 1, 999, 1000] {
        let body = "a".repeat(length);
        let server = TestServer::answering(format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}"));
        assert_eq!(fetched(&server.url("/")).await.unwrap().body.len(), length);
        let chunked = TestServer::answering(format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{body}"));
        assert_eq!(fetched(&chunked.url("/")).await.unwrap().body.len(), length);
    }
}

#[tokio::test]
async fn endless_heads_end_at_the_limit() {
    let too_large = Failure::HeadTooLarge { limit: 16 << 10 };
    assert_eq!(flooded("HTTP/1.1 200 OK\r\n", "a: b\r\n").await, too_large);
    assert_eq!(flooded("HTTP/1.1 200 OK\r\nx: ", "aaaaaaaa").await, too_large);
    assert_eq!(flooded("HTTP/1.1 200 ", "aaaaaaaa").await, too_large);
    let long = TestServer::answering(format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "a".repeat(16 << 10)));
    assert_eq!(fetched(&long.url("/")).await.unwrap_err(), too_large);
    let short = TestServer::answering(format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "a".repeat((16 << 10) - 1)));
    assert!(fetched(&short.url("/")).await.is_ok());
}

#[tokio::test]
async fn endless_packing_of_chunks_ends() {
    let extension = flooded("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;", "aaaaaaaa").await;
    assert_eq!(extension, Failure::Broken(super::super::Fault::Cut));
    let trailer = flooded("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n", "a: b\r\n").await;
    assert_eq!(trailer, Failure::Broken(super::super::Fault::Cut));
}

/// With pauses: without, a build that is not optimised reads for seconds what is already there.
#[tokio::test]
async fn endless_interim_answers_end_in_time() {
    let server = TestServer::serving(|_, line| {
        while line.write_all(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nx: y\r\n\r\n").is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    let bounds = Bounds { time: Duration::from_millis(300), ..BOUNDS };
    assert_eq!(sent(get(&server.url("/")), &bounds).await.unwrap_err(), Failure::TimedOut);
}

#[tokio::test]
async fn of_what_is_said_with_an_error_only_the_beginning_is_read() {
    let server = TestServer::serving(|_, line| {
        line.write_all(b"HTTP/1.1 500 No\r\n\r\n").unwrap();
        flood(line, b"abcdefgh");
    });
    let failure = fetched(&server.url("/")).await.unwrap_err();
    let Failure::Status { status: 500, body, .. } = failure else { panic!("{failure}") };
    assert_eq!(body, "abcdefgh".repeat(125));
    let failure = sent(get(&server.url("/")), &Bounds { bytes: 1 << 30, ..BOUNDS }).await.unwrap_err();
    let Failure::Status { body, .. } = failure else { panic!("{failure}") };
    assert_eq!(body.len(), 16 << 10);
}
