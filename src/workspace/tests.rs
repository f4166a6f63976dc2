//! What a program gets that embeds a project: the same as `qtool serve`, or the reason in words.

use super::{Application, Locking, StartError, Workspace};
use crate::serve::Server;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const TABLE: &str = "name: shop\ntables: { orders: { path: orders.csv } }\n";
const QUERY: &str = "/*--- { description: The orders. } ---*/\nSELECT id, total FROM orders ORDER BY id LIMIT 5\n";

/// A project over a table whose schema is locked.
async fn shop(yaml: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
    std::fs::create_dir(folder.path().join("queries")).unwrap();
    write("qtool.yaml", yaml);
    write("queries/orders_of_today.sql", QUERY);
    write("orders.csv", "id,total\n1,10\n2,20\n");
    let mut workspace = Workspace::load(folder.path()).unwrap();
    workspace.read_data(Locking::Write, |_| {}).await;
    folder
}

/// Why the project is not served.
async fn refusal(dir: &Path) -> String {
    match Server::of_project(dir, Vec::new()).await {
        Ok(_) => "it is served".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_an_embedded_server_are_recorded() {
    let folder = shop(&format!("{TABLE}audit: {{ to: logs/calls.jsonl }}\n")).await;
    let (server, access) = Server::of_project(folder.path(), Vec::new()).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async move { axum::serve(listener, server.into_service(access)).await });
    let mut client = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "POST /tools/orders_of_today HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: 2\r\nConnection: close\r\n\r\n{{}}"
    );
    client.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).await.unwrap();
    serving.abort();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // A line is written a moment after its answer.
    let mut record = String::new();
    for _ in 0..500 {
        record = std::fs::read_to_string(folder.path().join("logs/calls.jsonl")).unwrap();
        if record.ends_with('\n') {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let lines: Vec<serde_json::Value> = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 1, "{record}");
    assert_eq!(lines[0]["tool"], "orders_of_today", "{record}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_whose_data_has_changed_is_not_embedded() {
    let folder = shop(TABLE).await;
    assert_eq!(refusal(folder.path()).await, "it is served");
    std::fs::write(folder.path().join("orders.csv"), "id,total\n1,much\n").unwrap();
    let said = refusal(folder.path()).await;
    assert!(said.starts_with("error[table-changed]: table `orders` has changed since it was locked"), "{said}");
    assert!(said.contains(" --> qtool.yaml:2:"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_embedded_table_that_cannot_be_opened_is_told_in_words() {
    let folder = shop(TABLE).await;
    std::fs::remove_file(folder.path().join("orders.csv")).unwrap();
    for locked in [true, false] {
        if !locked {
            std::fs::remove_dir_all(folder.path().join("snapshots")).unwrap();
        }
        let said = refusal(folder.path()).await;
        assert!(said.contains("no file found at `orders.csv`"), "{said}");
        assert!(said.contains(" --> qtool.yaml:2:"), "{said}");
        assert!(!said.contains("NotFound"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn embedding_writes_no_locks() {
    let folder = shop(TABLE).await;
    std::fs::remove_dir_all(folder.path().join("snapshots")).unwrap();
    assert_eq!(refusal(folder.path()).await, "it is served");
    assert!(!folder.path().join("snapshots").exists());
}

#[test]
fn an_error_is_shown_as_it_is_told() {
    let error = StartError::TwoTools("orders".to_owned());
    assert_eq!(format!("{error:?}"), "there are two tools `orders`");
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_whose_folder_is_gone_are_out_of_service() {
    let folder = shop(TABLE).await;
    let workspace = Workspace::load(folder.path()).unwrap();
    let tools = workspace.compile().tools;
    let application = Application::of_project(&workspace, tools.clone(), Default::default());
    drop(folder);
    let opened = tokio::time::timeout(Duration::from_secs(30), application.open(&tools)).await.unwrap();
    let told: Vec<(&str, &str)> =
        opened.quarantined.iter().map(|one| (one.tool.as_str(), one.reason.as_str())).collect();
    assert_eq!(told, [("orders_of_today", "its table `orders` cannot be read")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_of_no_table_names_no_lock() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("project");
    std::fs::create_dir(&dir).unwrap();
    let yaml = "name: shop\ntables: { \"../../../out\": { path: orders.csv }, \"a/b\": { path: orders.csv } }\n";
    std::fs::write(dir.join("qtool.yaml"), yaml).unwrap();
    std::fs::write(dir.join("orders.csv"), "id\n1\n").unwrap();
    let mut workspace = Workspace::load(&dir).unwrap();
    workspace.read_data(Locking::Write, |_| {}).await;
    workspace.relock(&["../../../out".to_owned()], |_| {}).await;
    assert!(!folder.path().join("out.snap").exists() && !dir.join("snapshots").exists());
    let found = workspace.compile().diagnostics;
    assert_eq!(found.iter().filter(|one| one.code.to_string() == "invalid-name").count(), 2, "{found:?}");
}
