//! As many lines as calls, whatever becomes of them.

use super::*;
use crate::engine::code::CallCode;
use crate::project::AuditArguments;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn audit(&self, arguments: AuditArguments) -> Audit {
        let to = AuditTarget::File("logs/audit.jsonl".to_owned());
        Audit::open(&AuditConfig { to, arguments, key_env: None }, self.0.path()).unwrap()
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.0.path().join("logs/audit.jsonl")).unwrap()
    }

    fn lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn arguments(text: &str) -> Arguments {
    serde_json::from_str(text).unwrap()
}

/// Waits until what was handed over is written.
fn settle(audit: &Audit) {
    audit.shared.sink.settle(Duration::from_secs(10));
}

fn call(arguments: &Arguments) -> Call<'_> {
    Call {
        tool: "orders_by_status",
        contract: "00ff",
        principal: None,
        transport: Transport::Stdio,
        arguments,
        trace: None,
    }
}

#[test]
fn a_line_says_who_called_what_and_how_it_ended() {
    let folder = Folder::new();
    let audit = folder.audit(AuditArguments::Values);
    let arguments = arguments(r#"{"status": "paid", "limit": 3}"#);
    let call = Call {
        principal: Some("ann"),
        transport: Transport::Http,
        trace: Some("4bf92f3577b34da6a3ce929d0e0e4736"),
        ..call(&arguments)
    };
    audit.begin(call).finish(Outcome::Ok, 3, 120, true);
    settle(&audit);

    let mut line = folder.lines().remove(0);
    let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
    let order = "time id tool contract principal transport arguments outcome rows bytes truncated ms trace";
    assert_eq!(keys, order.split(' ').collect::<Vec<_>>());
    let time = line["time"].take();
    let time = time.as_str().unwrap();
    assert!(DateTime::parse_from_rfc3339(time).is_ok() && time.len() == 24 && time.ends_with('Z'), "{time}");
    let ms = line["ms"].take().as_f64().unwrap();
    assert!(ms >= 0.0 && (ms * 1_000.0 - (ms * 1_000.0).round()).abs() < 1e-6, "{ms}");
    assert_eq!(
        line,
        json!({
            "time": null,
            "id": 1,
            "tool": "orders_by_status",
            "contract": "00ff",
            "principal": "ann",
            "transport": "http",
            "arguments": {"status": "paid", "limit": 3},
            "outcome": "ok",
            "rows": 3,
            "bytes": 120,
            "truncated": true,
            "ms": null,
            "trace": "4bf92f3577b34da6a3ce929d0e0e4736"
        })
    );
}

#[test]
fn values_are_written_only_where_they_are_asked_for() {
    let arguments = arguments(r#"{"name": "secret"}"#);
    for (mode, shown) in
        [(AuditArguments::Digest, false), (AuditArguments::Values, true), (AuditArguments::None, false)]
    {
        let folder = Folder::new();
        let audit = folder.audit(mode);
        audit.begin(call(&arguments)).finish(Outcome::Ok, 0, 0, false);
        settle(&audit);
        assert_eq!(folder.text().contains("secret"), shown, "{mode:?}");
    }
}

#[test]
fn a_thousand_parallel_calls_leave_a_thousand_lines() {
    let folder = Folder::new();
    let audit = folder.audit(AuditArguments::Values);
    let long = "x".repeat(9_000);
    let arguments = arguments(&json!({ "long": long }).to_string());
    let (threads, calls) = (20, 50);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (audit, arguments) = (audit.clone(), &arguments);
            scope.spawn(move || {
                for turn in 0..calls {
                    let record = audit.begin(call(arguments));
                    match turn % 5 {
                        0 => drop(record),
                        1 => record.finish(Outcome::Error(CallCode::Timeout), 0, 0, false),
                        2 => record.finish(Outcome::Cancelled, 0, 0, false),
                        3 => {
                            // Without a message: no hook prints it.
                            let unwound = catch_unwind(AssertUnwindSafe(move || {
                                let _record = record;
                                std::panic::resume_unwind(Box::new(()));
                            }));
                            assert!(unwound.is_err());
                        }
                        _ => record.finish(Outcome::Ok, 1, 10, false),
                    }
                }
            });
        }
    });

    settle(&audit);
    let lines = folder.lines();
    assert_eq!(lines.len(), threads * calls);
    let ids: BTreeSet<u64> = lines.iter().map(|line| line["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (1..=1_000).collect());
    let ended = |outcome: &str| lines.iter().filter(|line| line["outcome"] == outcome).count();
    assert_eq!(["ok", "timeout", "cancelled", "panicked"].map(ended), [200, 200, 400, 200]);
    assert!(lines.iter().all(|line| line["arguments"]["long"] == long.as_str()));
}

#[test]
fn no_text_makes_a_line_of_its_own() {
    let folder = Folder::new();
    let audit = folder.audit(AuditArguments::Values);
    let forged = "x\"}\r\n{\"id\": 7}\u{85}{\"id\": 8}\u{2028}\u{1b}[2K\u{9b}2K\u{202e}\u{7f}é";
    let arguments = arguments(&json!({ forged: forged }).to_string());
    let call = Call { tool: forged, principal: Some(forged), trace: Some(forged), ..call(&arguments) };
    audit.begin(call).finish(Outcome::Ok, 0, 0, false);
    settle(&audit);

    let text = folder.text();
    assert_eq!(text.chars().filter(|c| c.is_control()).collect::<String>(), "\n");
    assert!(!text.contains(['\u{2028}', '\u{202e}']) && text.contains('é'));
    let lines = folder.lines();
    assert_eq!(lines.len(), 1);
    for told in [&lines[0]["tool"], &lines[0]["principal"], &lines[0]["trace"], &lines[0]["arguments"][forged]] {
        assert_eq!(told, forged);
    }
}

#[cfg(unix)]
#[test]
fn a_record_outlives_the_rotation_of_its_file() {
    let folder = Folder::new();
    let to = AuditTarget::File("audit.jsonl".to_owned());
    let config = AuditConfig { to, arguments: AuditArguments::None, key_env: None };
    let audit = Audit::rechecking(&config, folder.0.path(), Duration::ZERO).unwrap();
    let arguments = Arguments::new();
    let (path, old) = (folder.0.path().join("audit.jsonl"), folder.0.path().join("audit.jsonl.1"));
    audit.begin(call(&arguments)).finish(Outcome::Ok, 0, 0, false);
    settle(&audit);
    let record = audit.begin(call(&arguments));
    std::fs::rename(&path, &old).unwrap();
    record.finish(Outcome::Ok, 0, 0, false);
    settle(&audit);
    let ids = |path: &Path| -> Vec<u64> {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_u64().unwrap()).collect()
    };
    assert_eq!((ids(&old), ids(&path)), (vec![1], vec![2]));
}

#[test]
fn what_cannot_be_written_is_an_error_of_opening() {
    let folder = Folder::new();
    std::fs::write(folder.0.path().join("file"), "").unwrap();
    // A file in the place of a folder, and a folder in the place of a file.
    for path in ["file/audit.jsonl", "."] {
        let to = AuditTarget::File(path.to_owned());
        let config = AuditConfig { to, arguments: AuditArguments::Digest, key_env: None };
        let error = Audit::open(&config, folder.0.path()).err().unwrap();
        assert!(error.to_string().contains(path), "{error}");
    }
}

#[test]
fn standard_error_and_a_key_that_is_not_set() {
    let config = AuditConfig { to: AuditTarget::Stderr, arguments: AuditArguments::Digest, key_env: None };
    assert!(Audit::open(&config, Path::new(".")).is_ok());

    let folder = Folder::new();
    let to = AuditTarget::File("audit.jsonl".to_owned());
    let key_env = Some("QTOOL_NO_SUCH_VARIABLE".to_owned());
    let config = AuditConfig { to, arguments: AuditArguments::Digest, key_env };
    assert!(Audit::open(&config, folder.0.path()).is_err());
    assert!(!folder.0.path().join("audit.jsonl").exists());
}
