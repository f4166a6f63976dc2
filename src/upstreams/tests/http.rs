//! Servers over HTTP.

use super::room::{Watcher, Web, call, eventually, lacks_python, object, text};
use crate::upstreams::{Failure, Upstream};
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test]
async fn each_way_of_answering_is_understood() {
    if lacks_python() {
        return;
    }
    for flags in
        [&[][..], &["--sse"], &["--session"], &["--sse", "--session"], &["--sse", "--stateless"], &["--stateless"]]
    {
        let web = Web::start(flags);
        let upstream = web.upstream();
        let told = upstream.definitions().await.unwrap_or_else(|failure| panic!("{flags:?}: {failure}"));
        assert_eq!(told.tools.len(), 3);
        assert_eq!(text(&upstream, "echo", json!({"b": 1, "a": 2})).await, r#"{"b": 1, "a": 2}"#);
        assert!(call(&upstream, "fail", json!({})).await.unwrap().is_error);
        assert!(matches!(call(&upstream, "rpc", json!({})).await, Err(Failure::Rpc { code: -32602, .. })));
        assert!(matches!(
            call(&upstream, "no_message", json!({})).await,
            Err(Failure::Protocol(_) | Failure::Unreachable(_) | Failure::Lost(_))
        ));
    }
}

#[tokio::test]
async fn headers_are_sent_and_not_shown() {
    if lacks_python() {
        return;
    }
    let web = Web::start(&["--locked", "--revision", "2025-06-18"]);
    let upstream = web.upstream();
    let seen = text(&upstream, "seen", json!({})).await;
    assert!(seen.contains("Bearer secret") && seen.contains(r#""mcp-protocol-version": "2025-06-18""#), "{seen}");
    assert!(!format!("{:?}", web.config()).contains("Bearer"));
    let mut config = web.config();
    let crate::upstreams::Reach::Http(address) = &mut config.reach else { panic!() };
    address.headers.clear();
    let refused = Upstream::new(config).definitions().await;
    assert_eq!(refused, Err(Failure::Unreachable("HTTP 401: it asks for authorization".to_owned())));
}

#[tokio::test]
async fn a_session_that_is_forgotten_is_begun_anew() {
    if lacks_python() {
        return;
    }
    for flags in [&["--session"][..], &["--session", "--old-words"], &["--session", "--sse"]] {
        let web = Web::start(flags);
        let upstream = web.upstream();
        let _ = call(&upstream, "forget", json!({})).await;
        assert_eq!(text(&upstream, "echo", json!({})).await, "{}");
    }
}

#[tokio::test]
async fn progress_comes_over_events() {
    if lacks_python() {
        return;
    }
    let web = Web::start(&["--sse"]);
    let upstream = web.upstream();
    let watcher = Watcher::default();
    upstream.call("progress", object(json!({})), &watcher, (None, None)).await.unwrap();
    let done: Vec<f64> = watcher.steps.lock().unwrap().iter().map(|step| step.done).collect();
    assert_eq!(done, [1.0, 2.0, 3.0]);
}

#[tokio::test]
async fn large_answers_are_refused() {
    if lacks_python() {
        return;
    }
    for flags in [&[][..], &["--sse"]] {
        let web = Web::start(flags);
        let upstream = web.upstream();
        assert_eq!(text(&upstream, "huge", json!({"bytes": 8_000_000})).await.len(), 8_000_000);
        assert_eq!(call(&upstream, "huge", json!({"bytes": 9_000_000})).await, Err(Failure::TooLarge), "{flags:?}");
        assert_eq!(text(&upstream, "echo", json!({})).await, "{}");
    }
}

#[tokio::test]
async fn a_call_that_is_no_longer_wanted_is_cancelled_there() {
    if lacks_python() {
        return;
    }
    // Without a handshake, the end of the stream tells it, and this server notices that only when it writes.
    for (flags, seconds) in [(&["--sse"][..], 30.0), (&[], 30.0), (&["--sse", "--stateless"], 0.5)] {
        let web = Web::start(flags);
        let upstream = web.upstream();
        text(&upstream, "echo", json!({})).await;
        let soon = Some(Instant::now() + Duration::from_millis(200));
        let slow = upstream.call("slow", object(json!({"seconds": seconds})), &(), (soon, None)).await;
        assert_eq!(slow, Err(Failure::TimedOut));
        eventually(async || text(&upstream, "cancelled", json!({})).await != "0").await;
    }
}

#[tokio::test]
async fn arguments_that_go_into_headers_do_so_without_a_list_before() {
    if lacks_python() {
        return;
    }
    let web = Web::start(&["--stateless", "--routed"]);
    assert_eq!(text(&web.upstream(), "routed", json!({"region": "eu"})).await, "routed");
}

#[tokio::test]
async fn a_connection_that_breaks_is_one_failure_and_no_second_call() {
    if lacks_python() {
        return;
    }
    for flags in [&["--revision", "2025-06-18"][..], &["--stateless"]] {
        let web = Web::start(flags);
        let upstream = web.upstream();
        text(&upstream, "echo", json!({})).await;
        assert!(matches!(call(&upstream, "break", json!({})).await, Err(Failure::Lost(_))));
        assert_eq!(text(&upstream, "seen", json!({})).await.matches("broke").count(), 1);
        assert_eq!(text(&upstream, "echo", json!({})).await, "{}");
    }
}

#[tokio::test]
async fn a_server_that_is_down_fails_and_is_found_again() {
    if lacks_python() {
        return;
    }
    let mut web = Web::start(&["--sse"]);
    let upstream = web.upstream();
    text(&upstream, "echo", json!({})).await;
    web.stop();
    let Err(Failure::Unreachable(words) | Failure::Lost(words)) = call(&upstream, "echo", json!({})).await else {
        panic!()
    };
    assert!(!words.contains("127.0.0.1:") || !words.contains("http:"), "{words}");
    let _again = Web::start(&["--sse", "--port", &web.port.to_string()]);
    eventually(async || call(&upstream, "echo", json!({})).await.is_ok()).await;
}

#[tokio::test]
async fn changed_lists_are_told_to_those_that_listen() {
    if lacks_python() {
        return;
    }
    let web = Web::start(&["--sse", "--stateless"]);
    let upstream = web.upstream();
    upstream.definitions().await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    text(&upstream, "grow", json!({})).await;
    eventually(async || upstream.changed()).await;
}
