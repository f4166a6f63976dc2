use super::change::{Record, Refused};
use super::derived::{Cells, MadeValues, input_hash, inputs_of};
use super::disk::{Disk, OwnDisk};
use super::folder::{Folder, FolderError, HISTORY, RECORDS, Writer};
use super::history::Event;
use crate::project::{Derivation, RecordContract};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn contract() -> RecordContract {
    let written = json!({
        "apiVersion": "v3.0.0", "kind": "DataContract", "id": "todo", "name": "To do", "version": "1.0.0",
        "status": "active",
        "schema": [{"name": "todo", "properties": [
            {"name": "id", "logicalType": "string", "primaryKey": true, "required": true},
            {"name": "title", "logicalType": "string", "required": true},
            {"name": "prio", "logicalType": "string", "enum": ["P1", "P2"]},
            {"name": "stars", "logicalType": "integer"},
            {"name": "share", "logicalType": "number"},
            {"name": "due", "logicalType": "date"},
            {"name": "at", "logicalType": "timestamp"},
            {"name": "done", "logicalType": "boolean"},
            {"name": "tags", "logicalType": "array"},
            {"name": "more", "logicalType": "object"},
            {"name": "locked", "logicalType": "string", "x-editable-by": ["human:*"]},
            {"name": "summary", "logicalType": "string", "x-derived": true, "x-inputs": ["title"]},
        ]}],
    });
    serde_json::from_value(written).unwrap()
}

fn writer() -> Writer<'static> {
    let until = Instant::now() + Duration::from_secs(20);
    Writer { actor: "agent:a", at: "2026-01-02T03:04:05Z", until, tries_only: false }
}

fn records(value: Value) -> Vec<Record> {
    serde_json::from_value(value).unwrap()
}

fn text(folder: &TempDir, file: &str) -> String {
    std::fs::read_to_string(folder.path().join(file)).unwrap_or_default()
}

fn refused(outcome: Result<impl std::fmt::Debug, FolderError>) -> Vec<String> {
    match outcome {
        Err(FolderError::Refused(all)) => {
            all.into_iter().map(|Refused { record, why, .. }| format!("{record}: {why}")).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn some_fields_of_a_record_are_changed_and_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let own = Folder::new(folder.path());
    let first = records(json!([{"id": "a", "title": "milk", "stars": 1}, {"id": "b", "title": "tea\u{2028}\u{85}"}]));
    let (done, total) = own.upsert(&contract(), &first, writer()).unwrap();
    assert_eq!((done.inserted, done.updated, total), (2, 0, 2));
    let second = records(json!([{"id": "a", "stars": null}, {"id": "c", "title": "é"}, {"id": "c", "done": true}]));
    let (done, total) = own.upsert(&contract(), &second, writer()).unwrap();
    // The second of a record that was sent twice finds it.
    assert_eq!((done.inserted, done.updated, total), (1, 2, 3));
    assert_eq!(
        text(&folder, RECORDS),
        "{\"id\":\"a\",\"title\":\"milk\",\"stars\":null}\n{\"id\":\"b\",\"title\":\"tea\\u2028\\u0085\"}\n\
         {\"id\":\"c\",\"title\":\"é\",\"done\":true}\n"
    );
    assert_eq!(text(&folder, HISTORY).lines().count(), 5 + 4);
    let deleted = own.delete(&contract(), &[json!("b"), json!("zz"), json!("b")], writer()).unwrap();
    assert_eq!((deleted.deleted, deleted.remaining), (1, 2));
    let events = own.history(&json!("b"), None).unwrap();
    let told: Vec<(&str, &str)> = events.iter().map(|event| (event.field.as_str(), event.source.as_str())).collect();
    assert_eq!(told, [("id", "upsert"), ("title", "upsert"), ("*", "delete")]);
    assert_eq!(own.history(&json!("a"), Some("stars")).unwrap().len(), 2);
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
}

#[test]
fn records_that_break_the_contract_are_all_told_and_none_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let own = Folder::new(folder.path());
    let wrong = records(json!([
        {"title": "no key"},
        {"id": null, "title": "no key"},
        {"id": "a"},
        {"id": "b", "title": "x", "prio": "P9", "stars": "5", "share": "1", "due": "2023-02-29", "at": "noon", "done": 1,
         "tags": {}, "more": [], "locked": "x", "summary": "x", "titel": "x"},
        {"id": "c", "title": "fine", "stars": 1.5},
        {"id": 7, "title": "x"},
    ]));
    assert_eq!(
        refused(own.upsert(&contract(), &wrong, writer())),
        [
            "0: `id` is the primary key, and is missing",
            "1: `id` is the primary key, and is missing",
            "2: `title` is required, and is missing or null",
            "3: `prio` must be one of P1, P2, got \"P9\"",
            "3: `stars` must be a whole number of 64 bits, got \"5\"",
            "3: `share` must be a number, got \"1\"",
            "3: `due` must be a day such as \"2024-03-31\", got \"2023-02-29\"",
            "3: `at` must be a moment such as \"2024-03-31T17:45:00\", got \"noon\"",
            "3: `done` must be true or false, got 1",
            "3: `tags` must be a list, got {}",
            "3: `more` must be an object, got []",
            "3: `locked` may not be written by `agent:a`",
            "3: `summary` is derived: nobody writes it",
            "3: the contract has no field `titel`",
            "4: `stars` must be a whole number of 64 bits, got 1.5",
            "5: `id` must be a text, got 7",
        ]
    );
    assert!(!folder.path().join(RECORDS).exists() && !folder.path().join(HISTORY).exists());
    let by_a_person = Writer { actor: "human:ann", ..writer() };
    let locked = records(json!([{"id": "a", "title": "x", "locked": "y"}]));
    assert_eq!(own.upsert(&contract(), &locked, by_a_person).unwrap().1, 1);
    assert_eq!(refused(own.upsert(&contract(), &records(json!([{"id": "a", "title": null}])), writer())).len(), 1);
}

#[test]
fn lines_that_a_write_is_not_about_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let own = Folder::new(folder.path());
    let kept = "{\"id\": \"a\",  \"title\": \"\\u00e9\", \"stars\": 123456789012345678901234567890}\n\n{\"title\": \"no key\"}\n\
                {\"id\": \"b\", \"title\": \"old\", \"other\": 1.0}\n{\"id\": \"b\", \"title\": \"newer\"}";
    std::fs::write(folder.path().join(RECORDS), kept).unwrap();
    own.upsert(&contract(), &records(json!([{"id": "b", "title": "newest"}])), writer()).unwrap();
    assert_eq!(
        text(&folder, RECORDS),
        "{\"id\": \"a\",  \"title\": \"\\u00e9\", \"stars\": 123456789012345678901234567890}\n\n{\"title\": \"no key\"}\n\
         {\"id\": \"b\", \"title\": \"old\", \"other\": 1.0}\n{\"id\":\"b\",\"title\":\"newest\"}\n"
    );
    std::fs::write(folder.path().join(RECORDS), "{\"id\": \"a\"}\n[1]\n").unwrap();
    let outcome = own.upsert(&contract(), &records(json!([{"id": "b", "title": "x"}])), writer());
    assert!(matches!(outcome, Err(FolderError::BadLine(RECORDS, 2))), "{outcome:?}");
    assert_eq!(text(&folder, RECORDS), "{\"id\": \"a\"}\n[1]\n");
}

/// In memory numbers are of 64 bits.
#[test]
fn fields_that_are_not_sent_keep_their_digits() {
    let folder = tempfile::tempdir().unwrap();
    let own = Folder::new(folder.path());
    let kept = "\"share\": 12345678901234567890123, \"other\": {\"big\": 1.00000000000000000001e5}";
    std::fs::write(folder.path().join(RECORDS), format!("{{\"id\": \"a\", \"title\": \"x\", {kept}}}\r\n\n")).unwrap();
    own.upsert(&contract(), &records(json!([{"id": "a", "stars": 1}])), writer()).unwrap();
    assert_eq!(
        text(&folder, RECORDS),
        "{\"id\":\"a\",\"title\":\"x\",\"share\":12345678901234567890123,\
         \"other\":{\"big\": 1.00000000000000000001e5},\"stars\":1}\n\n"
    );
}

#[test]
fn a_write_that_fails_at_the_end_is_not_in_the_history() {
    let folder = tempfile::tempdir().unwrap();
    Folder::new(folder.path()).upsert(&contract(), &records(json!([{"id": "a", "title": "x"}])), writer()).unwrap();
    let before = text(&folder, HISTORY);
    let own = Folder::over(folder.path(), Noted { fails_at: Some("rename"), ..Noted::default() });
    own.upsert(&contract(), &records(json!([{"id": "b", "title": "x"}])), writer()).unwrap_err();
    assert_eq!(text(&folder, HISTORY), before);
    // Nor is a record written whose history cannot be.
    std::fs::remove_file(folder.path().join(HISTORY)).unwrap();
    std::fs::create_dir(folder.path().join(HISTORY)).unwrap();
    let records_before = text(&folder, RECORDS);
    let outcome =
        Folder::new(folder.path()).upsert(&contract(), &records(json!([{"id": "b", "title": "x"}])), writer());
    assert!(matches!(outcome, Err(FolderError::Io(HISTORY, _))), "{outcome:?}");
    assert_eq!(text(&folder, RECORDS), records_before);
}

#[test]
fn what_is_only_tried_or_changes_nothing_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let own = Folder::new(folder.path());
    let sent = records(json!([{"id": "a", "title": "x"}]));
    let tries = Writer { tries_only: true, ..writer() };
    assert_eq!(own.upsert(&contract(), &sent, tries).unwrap().0.inserted, 1);
    assert!(!folder.path().join(RECORDS).exists());
    own.upsert(&contract(), &sent, writer()).unwrap();
    let before = std::fs::metadata(folder.path().join(RECORDS)).unwrap().modified().unwrap();
    assert_eq!(own.upsert(&contract(), &sent, writer()).unwrap().0.updated, 1);
    own.delete(&contract(), &[json!("zz")], writer()).unwrap();
    assert_eq!(std::fs::metadata(folder.path().join(RECORDS)).unwrap().modified().unwrap(), before);
}

/// A disk that notes what it is asked for, and does what a test wants.
#[derive(Default)]
struct Noted {
    steps: RefCell<Vec<String>>,
    /// What is done behind the first write of a file.
    meanwhile: RefCell<Option<Box<dyn Fn()>>>,
    fails_at: Option<&'static str>,
}

impl Noted {
    fn note(&self, step: &'static str, path: &Path) -> std::io::Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = if name.ends_with(".tmp") { "staged".to_owned() } else { name };
        self.steps.borrow_mut().push(format!("{step} {name}"));
        match self.fails_at == Some(step) {
            true => Err(std::io::Error::other("the disk fails")),
            false => Ok(()),
        }
    }
}

impl Disk for Noted {
    fn write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        self.note("write", path)?;
        OwnDisk.write(path, bytes)?;
        let meanwhile = self.meanwhile.borrow_mut().take();
        meanwhile.into_iter().for_each(|meanwhile| meanwhile());
        Ok(())
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        self.note("append", path)?;
        OwnDisk.append(path, bytes)
    }

    fn sync(&self, path: &Path) -> std::io::Result<()> {
        self.note("sync", path)?;
        OwnDisk.sync(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        self.note("rename", from)?;
        OwnDisk.rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> std::io::Result<()> {
        self.note("sync_folder", Path::new(""))?;
        OwnDisk.sync_folder(folder)
    }
}

#[test]
fn a_write_is_on_the_disk_before_it_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Noted::default();
    let own = Folder::over(folder.path(), disk);
    own.upsert(&contract(), &records(json!([{"id": "a", "title": "x"}])), writer()).unwrap();
    let expected = [
        "write staged",
        "sync staged",
        "append provenance.jsonl",
        "sync provenance.jsonl",
        "rename staged",
        "sync_folder ",
    ];
    assert_eq!(*own.disk().steps.borrow(), expected);
}

#[test]
fn a_disk_that_fails_leaves_the_old_records_and_no_other_file() {
    for step in ["write", "sync", "rename"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(RECORDS), "{\"id\":\"a\",\"title\":\"old\"}\n").unwrap();
        let own = Folder::over(folder.path(), Noted { fails_at: Some(step), ..Noted::default() });
        let outcome = own.upsert(&contract(), &records(json!([{"id": "a", "title": "new"}])), writer());
        assert!(matches!(outcome, Err(FolderError::Io(RECORDS, _))), "{step}: {outcome:?}");
        assert_eq!(text(&folder, RECORDS), "{\"id\":\"a\",\"title\":\"old\"}\n", "{step}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "{step}: the records and the locks");
    }
}

#[test]
fn an_edit_past_the_lock_is_seen_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(RECORDS);
    std::fs::write(&path, "{\"id\":\"a\",\"title\":\"old\"}\n").unwrap();
    let disk = Noted::default();
    let edited = path.clone();
    *disk.meanwhile.borrow_mut() = Some(Box::new(move || {
        std::fs::write(&edited, "{\"id\":\"a\",\"title\":\"old\"}\n{\"id\":\"x\",\"title\":\"by hand\"}\n").unwrap();
    }));
    let own = Folder::over(folder.path(), disk);
    let (done, total) = own.upsert(&contract(), &records(json!([{"id": "a", "title": "new"}])), writer()).unwrap();
    assert_eq!((done.updated, total), (1, 2));
    assert_eq!(text(&folder, RECORDS), "{\"id\":\"a\",\"title\":\"new\"}\n{\"id\":\"x\",\"title\":\"by hand\"}\n");
}

#[test]
fn writers_at_once_all_land() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for one in 0..8 {
            let own = Folder::new(folder.path());
            scope.spawn(move || {
                for round in 0..25 {
                    let record = records(json!([{"id": format!("{one}-{round}"), "title": "x"}]));
                    own.upsert(&contract(), &record, writer()).unwrap();
                }
            });
        }
    });
    assert_eq!(text(&folder, RECORDS).lines().count(), 200);
    assert_eq!(text(&folder, HISTORY).lines().count(), 400);
}

#[test]
fn a_lock_that_another_holds_is_waited_for_and_no_longer() {
    let folder = tempfile::tempdir().unwrap();
    let own = Folder::new(folder.path());
    let held = super::lock::take(&folder.path().join(".lock"), Instant::now()).unwrap();
    assert!(held.is_some());
    let soon = Writer { until: Instant::now() + Duration::from_millis(50), ..writer() };
    let outcome = own.delete(&contract(), &[json!("a")], soon);
    assert!(matches!(outcome, Err(FolderError::Busy)), "{outcome:?}");
    drop(held);
    own.delete(&contract(), &[json!("a")], writer()).unwrap();
}

#[derive(Debug, Clone)]
enum Step {
    Upsert(Vec<(u8, Option<i64>)>),
    Delete(Vec<u8>),
    /// Somebody writes the file by hand.
    Edit(u8, i64),
    /// A write is killed before it is renamed.
    Killed(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => prop::collection::vec((0..6_u8, prop::option::of(-5..5_i64)), 0..4).prop_map(Step::Upsert),
        1 => prop::collection::vec(0..6_u8, 0..3).prop_map(Step::Delete),
        1 => (0..6_u8, -5..5_i64).prop_map(|(id, n)| Step::Edit(id, n)),
        1 => (0..6_u8).prop_map(Step::Killed),
    ];
    prop::collection::vec(step, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn any_steps_end_as_a_model_does(steps in steps()) {
        let folder = tempfile::tempdir().unwrap();
        let own = Folder::new(folder.path());
        let mut model: Vec<(String, Option<i64>)> = Vec::new();
        let put = |model: &mut Vec<(String, Option<i64>)>, id: u8, n: Option<i64>| {
            let id = id.to_string();
            match model.iter_mut().find(|(one, _)| *one == id) {
                Some(one) => one.1 = n,
                None => model.push((id, n)),
            }
        };
        for step in steps {
            match step {
                Step::Upsert(rows) => {
                    let sent = rows.iter().map(|(id, n)| json!({"id": id.to_string(), "title": "t", "stars": n}));
                    own.upsert(&contract(), &records(sent.collect()), writer()).unwrap();
                    rows.iter().for_each(|(id, n)| put(&mut model, *id, *n));
                }
                Step::Delete(ids) => {
                    let named: Vec<Value> = ids.iter().map(|id| json!(id.to_string())).collect();
                    own.delete(&contract(), &named, writer()).unwrap();
                    model.retain(|(id, _)| !ids.iter().any(|gone| gone.to_string() == *id));
                }
                Step::Edit(id, n) => {
                    put(&mut model, id, Some(n));
                    let line = |(id, n): &(String, Option<i64>)| format!("{}\n", json!({"id": id, "title": "t", "stars": n}));
                    std::fs::write(folder.path().join(RECORDS), model.iter().map(line).collect::<String>()).unwrap();
                }
                Step::Killed(id) => {
                    std::fs::write(folder.path().join(format!(".records.{id}.jsonl.tmp")), "{\"id\":").unwrap();
                }
            }
            let found: Vec<(String, Option<i64>)> = text(&folder, RECORDS)
                .lines()
                .map(|line| serde_json::from_str::<Record>(line).unwrap())
                .map(|record| (record["id"].as_str().unwrap().to_owned(), record["stars"].as_i64()))
                .collect();
            prop_assert_eq!(&found, &model);
        }
    }
}

fn made(id: &str, seen: Value, value: &str) -> MadeValues {
    let seen = seen.as_object().unwrap().clone().into_iter().collect();
    let values = vec![("summary".to_owned(), Value::from(value))];
    let input_hash = format!("sha256:{value}");
    MadeValues { id: Value::from(id), seen, values, source: "sql", input_hash, told: Map::new() }
}

#[test]
fn a_value_is_written_where_its_record_is_what_it_was_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let own = Folder::new(folder.path());
    let first = records(json!([{"id": "a", "title": "milk"}, {"id": "b", "title": "tea", "summary": "old"}]));
    let before = r#"{"id":"a","title":"milk"}
{"id":"b","title":"tea","summary":"old"}
"#;
    std::fs::write(folder.path().join(RECORDS), before).unwrap();
    assert_eq!(own.whole(&contract()).unwrap().0.len(), first.len());
    let all = [
        made("a", json!({"title": "milk", "summary": null}), "one"),
        // Somebody has changed what it was made of, has sent a value, or has removed the record.
        made("a", json!({"title": "oil"}), "two"),
        made("b", json!({"title": "tea", "summary": null}), "three"),
        made("c", json!({}), "four"),
        made("b", json!({"title": "tea", "summary": "old"}), "five"),
    ];
    let put = own.put_made(&contract(), &all, writer()).unwrap();
    assert_eq!(put, [true, false, false, false, true]);
    let (there, events) = own.whole(&contract()).unwrap();
    let summaries: Vec<&Value> = there.values().map(|record| &record["summary"]).collect();
    assert_eq!(summaries, ["one", "five"]);
    let told: Vec<String> =
        events.iter().map(|one| format!("{} {} {}", one.record_id, one.field, one.source)).collect();
    assert_eq!(told, ["\"a\" summary sql", "\"b\" summary sql"]);
    // The same again is told, though no record changes.
    let same = made("a", json!({"title": "milk", "summary": "one"}), "one");
    assert_eq!(own.put_made(&contract(), &[same], writer()).unwrap(), [true]);
    assert_eq!(own.whole(&contract()).unwrap().1.len(), 3);
}

#[test]
fn what_was_done_to_a_record_is_past_when_it_is_removed() {
    let event = |field: &str, source: &str| Event {
        record_id: json!("a"),
        field: field.to_owned(),
        source: source.to_owned(),
        actor: "x".to_owned(),
        at: "2026-01-02T03:04:05Z".to_owned(),
        more: Default::default(),
    };
    let source = |events: &[Event]| {
        let cells = Cells::of_history(events.to_vec());
        cells.latest(&json!("a"), "summary").map(|event| event.source.clone())
    };
    let (made, sent, removed) = (event("summary", "sql"), event("summary", "human_override"), event("*", "delete"));
    assert_eq!(source(&[made.clone(), sent.clone()]).as_deref(), Some("human_override"));
    assert_eq!(source(&[made.clone(), sent, removed.clone()]), None);
    assert_eq!(source(&[removed, made]).as_deref(), Some("sql"));
}

#[test]
fn hashes_are_of_the_canonical_form() {
    let derivation: Derivation = serde_json::from_value(json!({
        "targets": ["x"], "inputs": ["n", "t"], "kind": "import", "respects_override": true, "digest": "d",
    }))
    .unwrap();
    let hash = |record: Value| {
        let more = json!({"source_file_hash": "f"}).as_object().unwrap().clone();
        input_hash(&derivation, inputs_of(&derivation, record.as_object().unwrap()), &more)
    };
    // As rfc8785 0.1.4 of Python writes it: the keys sorted, a whole number without a point.
    let form = r#"{"derivation_file_hash":"d","inputs":{"n":1,"t":null},"source_file_hash":"f"}"#;
    let digest = format!("sha256:{}", hex::encode(Sha256::digest(form)));
    assert_eq!(hash(json!({"n": 1.0, "other": 5})), digest);
    assert_eq!(hash(json!({"t": null, "n": 1})), digest);
    // The form has no such number: it is not rounded to another one.
    assert_ne!(hash(json!({"n": 9_007_199_254_740_993_i64})), hash(json!({"n": 9_007_199_254_740_992_i64})));
}

#[test]
fn a_value_that_was_made_is_on_the_disk_before_it_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(RECORDS), "{\"id\":\"a\",\"title\":\"milk\"}\n").unwrap();
    let own = Folder::over(folder.path(), Noted::default());
    own.put_made(&contract(), &[made("a", json!({}), "one")], writer()).unwrap();
    let expected = [
        "write staged",
        "sync staged",
        "rename staged",
        "sync_folder ",
        "append provenance.jsonl",
        "sync provenance.jsonl",
    ];
    assert_eq!(*own.disk().steps.borrow(), expected);
    // Whoever is killed between both makes it again: nothing is told of a value that is not there.
    let killed = Folder::over(folder.path(), Noted { fails_at: Some("append"), ..Noted::default() });
    killed.put_made(&contract(), &[made("a", json!({"summary": "one"}), "two")], writer()).unwrap_err();
    let (there, events) = Folder::new(folder.path()).whole(&contract()).unwrap();
    assert_eq!(there[0]["summary"], "two");
    assert_eq!(events.last().unwrap().more["input_hash"], "sha256:one");
}

#[test]
fn the_beginning_of_a_line_that_a_killed_writer_has_left_is_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let own = Folder::new(folder.path());
    own.upsert(&contract(), &records(json!([{"id": "a", "title": "x"}])), writer()).unwrap();
    let whole = text(&folder, HISTORY);
    std::fs::write(folder.path().join(HISTORY), format!("{whole}{{\"record_id\":\"a\",\"fi")).unwrap();
    assert_eq!(own.whole(&contract()).unwrap().1.len(), 2);
    // In the middle it is one that somebody has broken.
    std::fs::write(folder.path().join(HISTORY), format!("{{\"record_id\":\"a\",\"fi\n{whole}")).unwrap();
    assert!(matches!(own.whole(&contract()), Err(FolderError::BadLine(HISTORY, 1))));
}
