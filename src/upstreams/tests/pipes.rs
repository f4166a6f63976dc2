//! Servers that are programs.

use super::room::{Watcher, call, config, eventually, is_alive, lacks_python, object, pipes, text};
use crate::upstreams::{Body, Command, Config, Content, Era, Failure, Reach, Upstream};
use serde_json::json;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[tokio::test]
async fn each_revision_is_spoken() {
    if lacks_python() {
        return;
    }
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let upstream = pipes(&["--revision", revision]);
        let told = upstream.definitions().await.unwrap();
        assert_eq!(told.revision, revision);
        assert_eq!((told.server.as_deref(), told.instructions.as_deref()), (Some("fake"), Some("be kind")));
        assert_eq!(text(&upstream, "echo", json!({"b": 1, "a": 2})).await, r#"{"b": 1, "a": 2}"#);
    }
    let upstream = pipes(&["--stateless"]);
    let told = upstream.definitions().await.unwrap();
    assert_eq!((told.revision.as_str(), told.server.as_deref()), ("2026-07-28", Some("fake")));
    assert_eq!(text(&upstream, "echo", json!({"b": 1})).await, r#"{"b": 1}"#);
}

#[tokio::test]
async fn a_server_that_leaves_the_probe_unanswered_or_ends_at_it_is_asked_the_older_way() {
    if lacks_python() {
        return;
    }
    let mut mute = config(&["--mute-probe"]);
    mute.timeouts.probe = Duration::from_millis(300);
    let mute = Upstream::new(mute);
    assert_eq!(mute.definitions().await.unwrap().revision, "2025-11-25");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(text(&mute, "echo", json!({})).await, "{}");
    let dying = pipes(&["--die-on-probe"]);
    assert_eq!(dying.definitions().await.unwrap().revision, "2025-11-25");
}

#[tokio::test]
async fn an_era_that_is_told_is_not_asked_for() {
    if lacks_python() {
        return;
    }
    let mut handshake = config(&[]);
    handshake.era = Era::Handshake;
    assert!(!text(&Upstream::new(handshake), "seen", json!({})).await.contains("discover"));
    let mut stateless = config(&[]);
    stateless.era = Era::Stateless;
    assert!(matches!(Upstream::new(stateless).definitions().await, Err(Failure::Rpc { code: -32601, .. })));
}

#[tokio::test]
async fn all_pages_are_read_and_bad_items_left_out() {
    if lacks_python() {
        return;
    }
    let mut config = config(&["--tools", "25", "--pages", "7", "--bad-tool"]);
    config.lists.prompts = true;
    config.lists.resources = true;
    let told = Upstream::new(config).definitions().await.unwrap();
    assert_eq!((told.tools.len(), told.left_out), (25, 1));
    let tool = &told.tools[0];
    assert_eq!((tool.name.as_str(), tool.title.as_deref()), ("echo", Some("Echo")));
    assert_eq!(tool.annotations.read_only, Some(true));
    assert_eq!(tool.input_schema["properties"].to_string(), r#"{"b":{"type":"string"},"a":{"type":"string"}}"#);
    assert_eq!(tool.meta.as_ref().unwrap()["x"], 1);
    assert_eq!((told.prompts[0].name.as_str(), told.resources[0].uri.as_str()), ("p", "x://1"));
    assert_eq!(pipes(&["--tools", "1001"]).definitions().await, Err(Failure::TooLarge));
}

#[tokio::test]
async fn prompts_and_resources_are_had_over_the_connection_that_is_meant() {
    if lacks_python() {
        return;
    }
    let mut config = config(&[]);
    config.lists.prompts = true;
    config.lists.resources = true;
    let upstream = Upstream::new(config);
    let connection = upstream.definitions().await.unwrap().connection;
    let soon = Instant::now() + Duration::from_secs(20);
    let arguments = json!({"x": "one"}).as_object().unwrap().clone();
    let told = upstream.prompt("p", arguments.clone(), (soon, connection)).await.unwrap();
    assert_eq!(told.messages[0].content, Content::Text("one".to_owned()));
    let parts = upstream.resource("x://1", (soon, connection)).await.unwrap();
    assert_eq!(parts[0].body, Body::Text("one".to_owned()));
    assert!(matches!(upstream.resource("x://2", (soon, connection)).await, Err(Failure::Rpc { code: -32601, .. })));
    let other = (soon, connection + 1);
    assert_eq!(upstream.prompt("p", arguments, other).await, Err(Failure::Anew));
    assert_eq!(upstream.resource("x://1", other).await, Err(Failure::Anew));
}

#[tokio::test]
async fn answers_and_errors_come_as_they_are() {
    if lacks_python() {
        return;
    }
    let upstream = pipes(&[]);
    let told = call(&upstream, "echo", json!({"n": 9_007_199_254_740_993_i64})).await.unwrap();
    assert_eq!(told.structured.unwrap()["n"], 9_007_199_254_740_993_i64);
    assert!(call(&upstream, "fail", json!({})).await.unwrap().is_error);
    let Err(Failure::Rpc { code, message }) = call(&upstream, "rpc", json!({})).await else { panic!() };
    assert_eq!((code, message.len()), (-32602, 2000));
    let odd = call(&upstream, "odd", json!({})).await.unwrap();
    assert_eq!(odd.content, [Content::Text(r#"{"type":"video","x":1}"#.to_owned())]);
    assert!(matches!(call(&upstream, "no_message", json!({})).await, Err(Failure::Protocol(_))));
}

#[tokio::test]
async fn progress_goes_forward_only_and_all_of_it_comes_before_the_answer() {
    if lacks_python() {
        return;
    }
    let upstream = pipes(&[]);
    for _ in 0..20 {
        let watcher = Watcher::default();
        upstream.call("progress", object(json!({})), &watcher, (None, None)).await.unwrap();
        let done: Vec<f64> = watcher.steps.lock().unwrap().iter().map(|step| step.done).collect();
        assert_eq!(done, [1.0, 2.0, 3.0]);
    }
}

#[tokio::test]
async fn a_call_that_is_no_longer_wanted_is_cancelled_there() {
    if lacks_python() {
        return;
    }
    let upstream = pipes(&[]);
    let watcher = Watcher::default();
    let long = object(json!({"seconds": 30}));
    let (outcome, ()) = tokio::join!(upstream.call("slow", long.clone(), &watcher, (None, None)), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        watcher.stop.cancel();
    });
    assert_eq!(outcome, Err(Failure::Cancelled));
    let soon = Some(Instant::now() + Duration::from_millis(100));
    assert_eq!(upstream.call("slow", long.clone(), &(), (soon, None)).await, Err(Failure::TimedOut));
    let dropped =
        tokio::time::timeout(Duration::from_millis(100), upstream.call("slow", long, &(), (None, None))).await;
    assert!(dropped.is_err());
    eventually(async || text(&upstream, "cancelled", json!({})).await == "3").await;
}

#[tokio::test]
async fn a_hanging_call_ends_at_its_deadline_and_others_go_on() {
    if lacks_python() {
        return;
    }
    let upstream = pipes(&[]);
    text(&upstream, "echo", json!({})).await;
    let soon = Some(Instant::now() + Duration::from_millis(200));
    let (hung, other) = tokio::join!(
        upstream.call("hang", object(json!({})), &(), (soon, None)),
        upstream.call("echo", object(json!({})), &(), (None, None))
    );
    assert_eq!(hung, Err(Failure::TimedOut));
    assert!(other.is_ok());
}

#[tokio::test]
async fn after_a_crash_each_open_call_fails_once_and_the_next_use_starts_it_anew() {
    if lacks_python() {
        return;
    }
    let upstream = Arc::new(pipes(&[]));
    upstream.definitions().await.unwrap();
    let open: Vec<_> = (0..5)
        .map(|_| {
            let upstream = upstream.clone();
            tokio::spawn(async move { call(&upstream, "slow", json!({"seconds": 30})).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let crashed = call(&upstream, "crash", json!({})).await;
    assert_eq!(crashed, Err(Failure::Lost("the program ended: exit status: 3".to_owned())));
    for call in open {
        assert!(matches!(call.await.unwrap(), Err(Failure::Unreachable(_) | Failure::Lost(_))));
    }
    assert_eq!(text(&upstream, "echo", json!({})).await, "{}");
    assert!(upstream.changed());
}

#[tokio::test]
async fn a_server_that_crashes_again_and_again_is_left_alone_for_a_while() {
    if lacks_python() {
        return;
    }
    let upstream = pipes(&[]);
    for _ in 0..2 {
        assert!(call(&upstream, "crash", json!({})).await.is_err());
    }
    let began = Instant::now();
    assert!(matches!(call(&upstream, "echo", json!({})).await, Err(Failure::Unreachable(_))));
    assert!(began.elapsed() < Duration::from_millis(250));
    tokio::time::sleep(Duration::from_millis(350)).await;
    assert!(call(&upstream, "echo", json!({})).await.is_ok());
}

#[tokio::test]
async fn a_program_that_does_not_start_fails_at_once_and_tells_why() {
    if lacks_python() {
        return;
    }
    let command = Command { program: "/no/such/program".into(), ..Command::default() };
    let absent = Upstream::new(Config::new("absent", Reach::Command(command)));
    let Err(Failure::Unreachable(words)) = absent.definitions().await else { panic!() };
    assert!(words.contains("/no/such/program"), "{words}");
    let dying = pipes(&["--die-at-start"]);
    let failed = call(&dying, "echo", json!({})).await;
    assert_eq!(failed, Err(Failure::Unreachable("the program ended: exit status: 7".to_owned())));
    assert!(dying.said().contains("no configuration"));
    let began = Instant::now();
    assert!(call(&dying, "echo", json!({})).await.is_err());
    assert!(began.elapsed() < Duration::from_millis(20));
    let mut slow = config(&["--start-slowly", "30"]);
    slow.timeouts.connect = Duration::from_millis(300);
    let began = Instant::now();
    assert!(matches!(call(&Upstream::new(slow), "echo", json!({})).await, Err(Failure::Unreachable(_))));
    assert!(began.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn what_a_program_leaves_behind_is_killed_with_it() {
    if lacks_python() {
        return;
    }
    let upstream = pipes(&[]);
    let (server, child) = (text(&upstream, "pid", json!({})).await, text(&upstream, "child", json!({})).await);
    assert!(is_alive(&server) && is_alive(&child));
    drop(upstream);
    eventually(async || !is_alive(&server) && !is_alive(&child)).await;
    let upstream = pipes(&[]);
    let child = text(&upstream, "child", json!({})).await;
    let crashed = call(&upstream, "crash_with_child", json!({})).await;
    assert_eq!(crashed, Err(Failure::Lost("the program ended: exit status: 4".to_owned())));
    eventually(async || !is_alive(&child)).await;
}

#[tokio::test]
async fn some_rubbish_is_passed_over_and_much_is_not() {
    if lacks_python() {
        return;
    }
    let upstream = pipes(&["--rubbish", "60"]);
    assert_eq!(text(&upstream, "rubbish", json!({"lines": 40})).await, "after rubbish");
    let rubbish = Err(Failure::Lost("its output is not that of an MCP server".to_owned()));
    assert_eq!(call(&upstream, "rubbish", json!({"lines": 1})).await, rubbish);
    // Nothing was sent yet.
    let rubbish = Err(Failure::Unreachable("its output is not that of an MCP server".to_owned()));
    assert_eq!(call(&pipes(&["--rubbish", "101"]), "echo", json!({})).await, rubbish);
}

#[tokio::test]
async fn a_large_answer_is_refused_and_an_endless_line_ends_the_program() {
    if lacks_python() {
        return;
    }
    let upstream = pipes(&[]);
    let pid = text(&upstream, "pid", json!({})).await;
    assert_eq!(text(&upstream, "huge", json!({"bytes": 8_000_000})).await.len(), 8_000_000);
    assert_eq!(call(&upstream, "huge", json!({"bytes": 9_000_000})).await, Err(Failure::TooLarge));
    assert_eq!(text(&upstream, "pid", json!({})).await, pid);
    let endless = Err(Failure::Lost("a line of its output is too long".to_owned()));
    assert_eq!(call(&upstream, "endless", json!({})).await, endless);
    eventually(async || !is_alive(&pid)).await;
}

#[tokio::test]
async fn changed_lists_are_told() {
    if lacks_python() {
        return;
    }
    for flags in [&[][..], &["--stateless"][..]] {
        let upstream = pipes(flags);
        let before = upstream.definitions().await.unwrap().tools.len();
        assert!(!upstream.changed());
        tokio::time::sleep(Duration::from_millis(100)).await;
        text(&upstream, "grow", json!({})).await;
        eventually(async || upstream.changed()).await;
        assert_eq!(upstream.definitions().await.unwrap().tools.len(), before + 1);
    }
}

#[tokio::test]
async fn what_servers_ask_for_is_declined() {
    if lacks_python() {
        return;
    }
    let asked = text(&pipes(&[]), "ask", json!({})).await;
    let asked: serde_json::Value = serde_json::from_str(&asked).unwrap();
    assert_eq!((&asked["sampling/createMessage"], &asked["roots/list"]), (&json!(-32601), &json!(-32601)));
    assert_eq!((&asked["elicitation/create"], &asked["ping"]), (&json!({"action": "decline"}), &json!({})));
}

#[tokio::test]
async fn a_question_that_is_too_large_or_too_deep_to_be_read_is_answered() {
    if lacks_python() {
        return;
    }
    let mut config = config(&[]);
    config.most_bytes = 100_000;
    let client = Upstream::new(config);
    for arguments in [json!({"letters": 200_000}), json!({"depth": 400})] {
        let asked = text(&client, "ask", arguments).await;
        let asked: serde_json::Value = serde_json::from_str(&asked).unwrap();
        assert_eq!(asked["elicitation/create"], json!(-32601));
    }
}

#[tokio::test]
async fn no_more_calls_than_allowed_run_and_wait() {
    if lacks_python() {
        return;
    }
    let mut config = config(&[]);
    config.concurrency = 2;
    config.most_waiting = 1;
    let upstream = Upstream::new(config);
    text(&upstream, "echo", json!({})).await;
    let slow = || call(&upstream, "slow", json!({"seconds": 0.3}));
    let began = Instant::now();
    let (a, b, c, d) = tokio::join!(slow(), slow(), slow(), slow());
    let busy = [&a, &b, &c, &d].iter().filter(|outcome| ***outcome == Err(Failure::Busy)).count();
    assert_eq!(busy, 1);
    assert!(began.elapsed() >= Duration::from_millis(600));
}

#[tokio::test]
async fn errors_are_kept_and_passed_on_and_only_some_variables_are_given() {
    if lacks_python() {
        return;
    }
    let lines = Arc::new(Mutex::new(0));
    let counted = lines.clone();
    let mut config = config(&[]);
    config.log = Some(Arc::new(move |line: &str| {
        assert_eq!(line, "said something");
        *counted.lock().unwrap() += 1;
    }));
    let upstream = Upstream::new(config);
    text(&upstream, "say", json!({"times": 10_000})).await;
    eventually(async || *lines.lock().unwrap() == 10_000).await;
    assert_eq!(upstream.said().len(), 64 << 10);
    let environment = text(&upstream, "environment", json!({})).await;
    assert!(environment.contains("GIVEN") && !environment.contains("CARGO"), "{environment}");
}

#[tokio::test]
async fn large_arguments_of_many_calls_arrive_whole() {
    if lacks_python() {
        return;
    }
    let upstream = Arc::new(pipes(&[]));
    let calls: Vec<_> = (0..24)
        .map(|number: usize| {
            let upstream = upstream.clone();
            let arguments = json!({"number": number, "text": "x".repeat(number * 20_000)});
            tokio::spawn(async move { (arguments.clone(), call(&upstream, "echo", arguments).await.unwrap()) })
        })
        .collect();
    for call in calls {
        let (arguments, told) = call.await.unwrap();
        assert!(told.structured == Some(arguments));
    }
}

#[tokio::test]
async fn many_callers_share_one_start() {
    if lacks_python() {
        return;
    }
    let upstream = Arc::new(pipes(&["--start-slowly", "0.2"]));
    let calls: Vec<_> = (0..16)
        .map(|_| {
            let upstream = upstream.clone();
            tokio::spawn(async move { text(&upstream, "pid", json!({})).await })
        })
        .collect();
    let mut pids = std::collections::HashSet::new();
    for call in calls {
        pids.insert(call.await.unwrap());
    }
    assert_eq!(pids.len(), 1);
}

#[tokio::test]
async fn a_call_to_a_program_that_is_gone_is_sent_to_the_next_one() {
    if lacks_python() {
        return;
    }
    let mut config = config(&[]);
    config.restart.first = Duration::ZERO;
    let upstream = Upstream::new(config);
    for _ in 0..5 {
        let pid = text(&upstream, "pid", json!({})).await;
        std::process::Command::new("kill").args(["-9", &pid]).status().unwrap();
        // Until all its threads are gone, a pipe of it may take what is written.
        eventually(async || !Path::new(&format!("/proc/{pid}")).exists()).await;
        assert_ne!(text(&upstream, "pid", json!({})).await, pid);
    }
}
