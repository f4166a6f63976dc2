use super::super::Eval;
use super::super::provider::{Api, Endpoint, Key, Patience, Provider};
use super::super::report::{Report, Verdict};
use super::super::run::{Session, ToolCaller, ToolFailure, run};
use super::server::{Reply, Server};
use super::tools;
use crate::project::EvalFile;
use crate::source::Sources;
use crate::ty::coerce::TimeZoneName;
use async_trait::async_trait;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

const KEY: &str = "sk-never-to-be-seen";

/// Answers every call but those from LGA.
struct Tools;

#[async_trait]
impl ToolCaller for Tools {
    async fn call(&self, tool: &str, arguments: &Map<String, Value>) -> Result<String, ToolFailure> {
        match arguments.get("origin").and_then(Value::as_str) {
            Some("LGA") => Err("timeout: the call took too long".into()),
            _ => Ok(format!("rows of {tool}")),
        }
    }
}

fn evals(text: &str) -> Vec<Eval> {
    let mut sources = Sources::default();
    let file = sources.add("evals/a.yaml", text);
    let files = [EvalFile { file, stem: "a".to_owned() }];
    let (evals, sink) = super::super::file::compile(&files, &sources, &tools(), &TimeZoneName::default());
    assert_eq!(sink.errors(), 0, "{:?}", sink.into_sorted());
    evals
}

fn provider(server: &Server, api: Api) -> Provider {
    let url = format!("{}/v1?version=3", server.url);
    let endpoint = Endpoint { api, url, model: "m".to_owned(), key: Key::new(KEY) };
    let milli = Duration::from_millis(1);
    let patience = Patience { request: milli * 500, tries: 3, first_wait: milli, longest_wait: milli * 20 };
    Provider::new(endpoint, patience).unwrap()
}

fn report(text: &str, provider: &Provider) -> Report {
    let (evals, tools, time_zone) = (evals(text), tools(), TimeZoneName::default());
    let done = |_: &Eval, _: u64, _: bool| {};
    let session = Session { provider, tools: &tools, caller: &Tools, time_zone: &time_zone, jobs: 2, done: &done };
    // As on the threads of a runtime.
    fn sendable<F: Future + Send>(future: F) -> F {
        future
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let report = runtime.block_on(sendable(run(&evals, &session)));
    for text in [report.text(), report.json()] {
        assert!(!text.contains(KEY) && !text.contains("version=3"), "{text}");
    }
    report
}

fn failures(report: &Report) -> Vec<String> {
    let runs = report.evals.iter().flat_map(|eval| &eval.runs);
    runs.flat_map(|run| run.failures.iter().map(|one| format!("{}: {}", one.code, one.message))).collect()
}

fn errors(report: &Report) -> Vec<String> {
    report.evals.iter().flat_map(|eval| &eval.runs).filter_map(|run| run.error.clone()).collect()
}

fn ok(body: &Value) -> Reply {
    Reply::Send(200, "", body.to_string())
}

/// A turn of a Chat Completions model.
fn chat(content: &str, calls: &[(&str, &str)]) -> Reply {
    let call = |(at, (name, arguments)): (usize, &(&str, &str))| json!({"id": format!("c{at}"), "type": "function", "function": {"name": name, "arguments": arguments}});
    let calls: Value = calls.iter().enumerate().map(call).collect();
    ok(&json!({
        "choices": [{
            "message": {"role": "assistant", "content": content, "tool_calls": calls, "annotations": []},
            "finish_reason": "stop",
        }],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2},
    }))
}

/// A turn of a Messages model.
fn message(blocks: &Value, stop: &str) -> Reply {
    ok(&json!({"content": blocks, "stop_reason": stop, "usage": {"input_tokens": 10, "output_tokens": 2}}))
}

const LATE: &str = "question: Which are late?\nsystem: Today is Monday.\nmust_call: [late_flights]\n\
                    arguments: {late_flights: {origin: JFK, least: {min: 60}, day: 2013-01-01}}\n";

#[test]
fn a_chat_model_calls_tools_until_it_has_an_answer() {
    let calls = [("late_flights", "{\"origin\": \"JFK\", \"least\": \"60\"}"), ("route_summary", "")];
    let server = Server::start(vec![chat("", &calls), chat("Three are.", &[])]);
    let report = report(LATE, &provider(&server, Api::OpenAi));
    assert_eq!((failures(&report), report.verdict()), (vec![], Verdict::Passed));
    let run = &report.evals[0].runs[0];
    assert_eq!((run.answer.as_str(), run.calls.len(), run.usage.input_tokens), ("Three are.", 2, 20));
    let requests = server.requests();
    assert_eq!(requests[0].path, "/v1/chat/completions?version=3");
    assert!(requests[0].headers.contains(&format!("authorization: bearer {KEY}\r\n")));
    assert_eq!(requests[0].body["tools"][0]["function"]["name"], "late_flights");
    let messages = json!([
        {"role": "system", "content": "Today is Monday."},
        {"role": "user", "content": "Which are late?"},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "c0", "type": "function",
             "function": {"name": "late_flights", "arguments": "{\"origin\":\"JFK\",\"least\":\"60\"}"}},
            {"id": "c1", "type": "function", "function": {"name": "route_summary", "arguments": "{}"}},
        ]},
        {"role": "tool", "tool_call_id": "c0", "content": "rows of late_flights"},
        {"role": "tool", "tool_call_id": "c1", "content": "rows of route_summary"},
    ]);
    assert_eq!(requests[1].body["messages"], messages);
}

#[test]
fn a_messages_model_gets_its_own_words_back_and_is_told_of_errors() {
    let blocks = json!([
        {"type": "thinking", "thinking": "…", "signature": "x"},
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "u1", "name": "late_flights", "input": {"origin": "LGA"}},
        {"type": "tool_use", "id": "u2", "name": "late_flights", "input": {"origin": "JFK", "least": 90, "day": null}},
        {"type": "tool_use", "id": "u3", "name": "late_planes", "input": {}},
    ]);
    let server = Server::start(vec![
        message(&blocks, "tool_use"),
        message(&json!([{"type": "text", "text": "Two."}]), "end_turn"),
    ]);
    let report = report(LATE, &provider(&server, Api::Anthropic));
    assert_eq!((failures(&report), report.verdict()), (vec![], Verdict::Passed));
    let requests = server.requests();
    assert_eq!(requests[0].path, "/v1/messages?version=3");
    assert!(requests[0].headers.contains(&format!("x-api-key: {KEY}\r\n")));
    assert!(requests[0].headers.contains("anthropic-version: 2023-06-01\r\n"));
    assert_eq!(requests[0].body["system"], "Today is Monday.");
    assert_eq!(requests[0].body["tools"][1]["name"], "route_summary");
    let results = json!([
        {"type": "tool_result", "tool_use_id": "u1", "content": "timeout: the call took too long", "is_error": true},
        {"type": "tool_result", "tool_use_id": "u2", "content": "rows of late_flights", "is_error": false},
        {"type": "tool_result", "tool_use_id": "u3", "content": "there is no tool `late_planes`", "is_error": true},
    ]);
    assert_eq!(requests[1].body["messages"][1], json!({"role": "assistant", "content": blocks}));
    assert_eq!(requests[1].body["messages"][2], json!({"role": "user", "content": results}));
}

#[test]
fn what_a_model_does_otherwise_is_a_failure() {
    let end = || chat("Done.", &[]);
    let judged = |text: &str, turns: Vec<Reply>| {
        let server = Server::start(turns);
        let report = report(text, &provider(&server, Api::OpenAi));
        assert_eq!(report.verdict(), Verdict::Failed);
        failures(&report)
    };
    let sent = |arguments| chat("", &[("late_flights", arguments)]);
    assert_eq!(
        judged(
            LATE,
            vec![
                sent("{\"origin\": \"EWR\", \"least\": 5, \"day\": \"2013-01-02\"}"),
                sent("{\"origin\": \"JFK\"}"),
                end()
            ]
        ),
        ["wrong-argument: `late_flights`: `least` was left out, expected at least 60"],
        "of the nearest call"
    );
    assert_eq!(judged(LATE, vec![end()]), ["not-called: `late_flights` was not called, no tool was"]);
    assert_eq!(
        judged(LATE, vec![chat("", &[("route_summary", "{}")]), end()]),
        ["not-called: `late_flights` was not called, but `route_summary`"]
    );
    assert_eq!(
        judged(LATE, vec![sent("{\"origin\": \"LGA\"}"), end()]),
        ["refused: `late_flights` was called and refused: timeout: the call took too long"]
    );
    assert_eq!(
        judged(LATE, vec![sent("[1"), end()]),
        ["refused: `late_flights` was called and refused: the arguments are no JSON object"]
    );
    assert_eq!(
        judged("question: Q\nmust_not_call: [late_flights]\n", vec![sent("{\"origin\": \"LGA\"}"), end()]),
        ["called: `late_flights` was called, with {\"origin\":\"LGA\"}"]
    );
    let twice = chat("", &[("route_summary", "{}"), ("route_summary", "{}")]);
    assert_eq!(
        judged("question: Q\nmax_calls: 1\n", vec![twice.clone(), end()]),
        ["too-many-calls: 2 calls were made, 1 at most are expected"]
    );
    assert_eq!(
        judged("question: Q\nmax_calls: 9\nmax_turns: 3\n", vec![twice]),
        ["unfinished: the model still called tools in its last answer, number 3"]
    );
    let cut = json!({"choices": [{"message": {"content": "a"}, "finish_reason": "length"}]});
    let cut = judged("question: Q\nmax_calls: 9\n", vec![ok(&cut)]);
    assert!(cut[0].starts_with("unfinished: ") && cut.len() == 1, "{cut:?}");
}

#[test]
fn a_share_of_the_repetitions_must_pass() {
    let text =
        |threshold: &str| format!("question: Q\nmust_call: [route_summary]\nrepetitions: 3\nthreshold: {threshold}\n");
    let call = chat("", &[("route_summary", "{}")]);
    for (threshold, verdict) in [("0.3", Verdict::Passed), ("0.34", Verdict::Failed)] {
        // Two begin at once; one is told to call, all other requests are answered with words.
        let server = Server::start(vec![call.clone(), chat("Done.", &[])]);
        let report = report(&text(threshold), &provider(&server, Api::OpenAi));
        assert_eq!((report.evals[0].passes(), report.verdict()), (1, verdict), "{threshold}");
        let text = report.text();
        let same = text.lines().filter(|line| line.contains("`route_summary` was not called")).count();
        assert_eq!(same, 1, "what is wrong in several is told once: {text}");
    }
}

#[test]
fn a_busy_server_is_asked_again_and_a_failing_one_given_up() {
    let busy = Reply::Send(429, "retry-after: 3600\r\n", json!({"error": {"message": "slow down"}}).to_string());
    let down = Reply::Send(503, "", "<html>".to_owned());
    let text = "question: Q\nmust_not_call: [route_summary]\n";
    let server = Server::start(vec![busy.clone(), down, chat("Done.", &[])]);
    let start = Instant::now();
    assert_eq!(report(text, &provider(&server, Api::OpenAi)).verdict(), Verdict::Passed);
    assert_eq!(server.requests().len(), 3);
    assert!(start.elapsed() < Duration::from_secs(5), "no longer than the longest wait");
    let server = Server::start(vec![busy]);
    let failed = report(text, &provider(&server, Api::OpenAi));
    assert_eq!((failed.verdict(), server.requests().len()), (Verdict::NotRun, 3));
    let expected = format!("{}/v1/chat/completions answered with status 429: slow down, also at try 3", server.url);
    assert_eq!(errors(&failed), [expected]);
}

#[test]
fn a_server_that_hangs_is_not_waited_for_and_the_next_is_tried() {
    let server = Server::start(vec![Reply::Hang(Duration::from_secs(20))]);
    let start = Instant::now();
    let text = "repetitions: 2\ncases: {a: {question: Q, max_calls: 0}}\n";
    let hung = report(text, &provider(&server, Api::OpenAi));
    assert_eq!((hung.verdict(), server.requests().len()), (Verdict::NotRun, 2));
    assert!(errors(&hung)[0].ends_with("did not answer within 0.5 s"), "{:?}", errors(&hung));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_wrong_key_ends_it_all_and_is_not_repeated() {
    let said = json!({"error": {"message": format!("Incorrect API key provided: {KEY}\u{1b}[2J")}});
    let server = Server::start(vec![Reply::Send(401, "", said.to_string())]);
    let text = "repetitions: 50\nquestion: Q\nmax_calls: 0\n";
    let refused = report(text, &provider(&server, Api::OpenAi));
    assert_eq!(refused.verdict(), Verdict::NotRun);
    assert!(server.requests().len() <= 2, "as many as went on at a time");
    assert!(errors(&refused)[0].ends_with("answered with status 401: Incorrect API key provided: …\u{fffd}[2J"));
}

#[test]
fn a_reply_that_is_none_is_told() {
    for (reply, expected) in [
        (Reply::Send(200, "", "<html>".to_owned()), "sent a reply that is no JSON"),
        (ok(&json!({"error": "x"})), "the reply is none of the API `openai`: it has no `choices`"),
        (Reply::Send(302, "location: http://127.0.0.1:1/\r\n", String::new()), "answered with status 302"),
        (Reply::Send(200, "", " ".repeat(9 << 20)), "sent a reply longer than 8 MiB"),
    ] {
        let server = Server::start(vec![reply]);
        let broken = report("question: Q\nmax_calls: 0\n", &provider(&server, Api::OpenAi));
        assert_eq!((broken.verdict(), server.requests().len()), (Verdict::NotRun, 1), "{expected}");
        assert!(errors(&broken)[0].contains(expected), "{:?}", errors(&broken));
    }
}

#[test]
fn a_key_goes_to_its_own_host_and_over_no_open_line() {
    let new = |url: &str, key: Option<&str>| {
        let endpoint =
            Endpoint { api: Api::OpenAi, url: url.to_owned(), model: String::new(), key: key.and_then(Key::new) };
        Provider::new(endpoint, Patience::default()).err().map(|error| error.to_string())
    };
    assert!(new("http://models.example/v1", Some(KEY)).unwrap().contains("https only"));
    assert!(new("http://user:secret@localhost/v1", None).unwrap().contains("must not have a key in it"));
    assert!(new("ftp://localhost", None).is_some() && new("localhost:80", None).is_some() && new("", None).is_some());
    assert_eq!(new("http://models.example/v1", None), None);
    assert_eq!(new("http://[::1]:80", Some(KEY)), None);
    assert_eq!(format!("{:?}", Key::new(KEY)), "Some(Key(…))");
    for (url, variable) in [
        ("https://api.openai.com/v1", Some("OPENAI_API_KEY")),
        ("http://api.openai.com/v1", None),
        ("https://api.openai.com.evil.example/v1", None),
        ("http://localhost:11434/v1", None),
    ] {
        assert_eq!(Api::OpenAi.key_variable(url), variable, "{url}");
    }
    assert_eq!(Api::Anthropic.key_variable("https://api.anthropic.com"), Some("ANTHROPIC_API_KEY"));
}

#[test]
fn the_report_says_what_was_wrong_and_is_data_too() {
    let server = Server::start(vec![chat("", &[("route_summary", "{}")]), chat("\u{1b}]0;x\u{7}Done.", &[])]);
    let report = report("question: Q\nmust_call: [late_flights]\n", &provider(&server, Api::OpenAi));
    let text = "\u{1b}[1;31mFAIL \u{1b}[0m a\n        `late_flights` was not called, but `route_summary`\n\n\
                1 evaluation of m: 1 failed; 1 call, 20 tokens read and 4 written\n";
    assert_eq!(report.text(), text);
    let json: Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!(json["evaluations"][0]["runs"][0]["failures"][0]["code"], "not-called");
    assert_eq!(json["evaluations"][0]["runs"][0]["calls"], json!([{"tool": "route_summary", "arguments": {}}]));
    assert_eq!((&json["verdict"], &json["evaluations"][0]["repetitions"]), (&json!("failed"), &json!(1)));
}
