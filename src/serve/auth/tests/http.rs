//! Keys fetched from a server that is not to be trusted.

use super::super::HttpKeys;
use super::*;
use std::io::{Read, Write};
use std::net::TcpListener;

/// A server that gives that answer to every request, until the test ends; and its URL.
fn answering(answer: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/keys", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut line in listener.incoming().flatten() {
            let mut request = Vec::new();
            let mut byte = [0];
            while !request.ends_with(b"\r\n\r\n") && line.read(&mut byte).is_ok_and(|read| read == 1) {
                request.push(byte[0]);
            }
            // The client hangs up where the answer is too long.
            let _ = line.write_all(answer.as_bytes());
        }
    });
    url
}

async fn fetched(answer: String) -> Result<Vec<u8>, NoKeys> {
    let keys = HttpKeys::over(reqwest::Client::builder().no_proxy()).unwrap();
    keys.fetch(&answering(answer)).await
}

#[tokio::test]
async fn an_answer_is_passed_on() {
    let answer = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"keys\":[]}".to_owned();
    assert_eq!(fetched(answer).await, Ok(b"{\"keys\":[]}".to_vec()));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let target = answering("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"keys\":[]}".to_owned());
    for status in [301, 302, 303, 307, 308] {
        let head = format!("HTTP/1.1 {status} Moved\r\nlocation: {target}\r\n");
        assert_eq!(
            fetched(format!("{head}content-length: 0\r\nconnection: close\r\n\r\n")).await,
            Err(format!("status {status}").into())
        );
    }
}

#[tokio::test]
async fn a_long_answer_is_not_read_to_its_end() {
    let body = "a".repeat(3 << 20);
    let announced = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let unannounced = format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{body}");
    for answer in [announced, unannounced] {
        assert_eq!(fetched(answer).await, Err("the answer is longer than 1 MiB".into()));
    }
}

#[tokio::test]
async fn a_failure_tells_no_query() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = listener.local_addr().unwrap();
    drop(listener);
    let keys = HttpKeys::over(reqwest::Client::builder().no_proxy()).unwrap();
    let error = keys.fetch(&format!("http://{closed}/keys?code=hunter2")).await.unwrap_err().to_string();
    assert!(!error.contains("hunter2"), "{error}");
}
