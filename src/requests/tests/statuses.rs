//! Statuses, and how long a server asks to wait.

use super::super::retry_after::retry_after;
use super::server::TestServer;
use super::*;
use chrono::{DateTime, TimeDelta, Utc};
use http::header::RETRY_AFTER;
use http::{HeaderMap, HeaderValue};

fn wait(text: &str) -> Option<Duration> {
    let now: DateTime<Utc> = "1994-11-06T08:49:27Z".parse().unwrap();
    retry_after(&HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_str(text).unwrap())]), now)
}

#[test]
fn waits_are_read() {
    let ten = Some(Duration::from_secs(10));
    assert_eq!(wait("10"), ten);
    assert_eq!(wait(" 10 "), ten);
    assert_eq!(wait("0"), Some(Duration::ZERO));
    assert_eq!(wait("Sun, 06 Nov 1994 08:49:37 GMT"), ten);
    assert_eq!(wait("Sunday, 06-Nov-94 08:49:37 GMT"), ten);
    assert_eq!(wait("Sun Nov  6 08:49:37 1994"), ten);
    assert_eq!(wait("Sun, 06 Nov 1994 08:49:17 GMT"), Some(Duration::ZERO));
}

#[test]
fn long_waits_are_cut() {
    let longest = Some(Duration::from_secs(366 * 24 * 60 * 60));
    assert_eq!(wait("99999999"), longest);
    assert_eq!(wait("99999999999999999999999999999999"), longest);
    assert_eq!(wait("Fri, 31 Dec 9999 23:59:59 GMT"), longest);
}

#[test]
fn what_is_no_wait_is_none() {
    for text in ["", "-1", "+1", "1.5", "1e3", "soon", "Sun, 06 Nov 1994", "Mon, 06 Nov 1994 08:49:37 GMT", "1 2"] {
        assert_eq!(wait(text), None, "{text}");
    }
    assert_eq!(retry_after(&HeaderMap::new(), Utc::now()), None);
}

#[tokio::test]
async fn a_busy_server_is_told_with_its_wait() {
    let date = (Utc::now() + TimeDelta::seconds(100)).format("%a, %d %b %Y %H:%M:%S GMT").to_string();
    for (status, written, seconds) in [(429, "7", 7..=7), (503, "7", 7..=7), (429, date.as_str(), 90..=100)] {
        let head = format!("HTTP/1.1 {status} Busy\r\nretry-after: {written}\r\ncontent-length: 4\r\n\r\n");
        let failure = fetched(&TestServer::answering(head + "wait").url("/")).await.unwrap_err();
        let Failure::Status { status: told, retry_after: Some(wait), body } = failure else { panic!("{failure}") };
        assert_eq!((told, body.as_ref()), (status, b"wait".as_slice()));
        assert!(seconds.contains(&wait.as_secs()), "{wait:?}");
    }
}

#[tokio::test]
async fn only_statuses_of_success_are_answers() {
    for status in [200, 201, 202, 203, 206, 299] {
        let server = TestServer::answering(format!("HTTP/1.1 {status} X\r\nx: y\r\ncontent-length: 2\r\n\r\nhi"));
        let answer = fetched(&server.url("/a?b=c")).await.unwrap();
        assert_eq!((answer.status, answer.body.as_ref()), (status, b"hi".as_slice()));
        assert_eq!(answer.headers["x"], "y");
        assert_eq!(answer.final_url.as_str(), server.url("/a?b=c"));
    }
    for status in [400, 401, 403, 404, 410, 500, 502, 599, 999] {
        let server = TestServer::answering(format!("HTTP/1.1 {status} X\r\ncontent-length: 3\r\n\r\nwhy"));
        let failure = fetched(&server.url("/")).await.unwrap_err();
        assert!(failure == Failure::Status { status, retry_after: None, body: "why".into() }, "{failure}");
    }
}

#[tokio::test]
async fn requests_say_what_they_take() {
    let server = TestServer::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    fetched(&server.url("/a%20b?c=%26#not-sent")).await.unwrap();
    let asked = server.asked().remove(0);
    assert!(asked.starts_with("GET /a%20b?c=%26 HTTP/1.1\r\n"), "{asked}");
    assert!(asked.contains("accept-encoding: identity\r\n"), "{asked}");
    assert!(asked.contains("user-agent: "), "{asked}");
    assert!(asked.contains(&format!("host: 127.0.0.1:{}\r\n", server.port())), "{asked}");
}
