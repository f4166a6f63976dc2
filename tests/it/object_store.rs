//! An object store in the test process: the files of a folder, given out as S3 does, path-style and without asking for
//! credentials.
//!
//! `http://<address>/<bucket>/<key>` is the file `<key>` below the folder, whatever the bucket is called; the same
//! address serves as a plain web server.

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use axum::routing::get;
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::net::SocketAddr;
use std::path::{Component, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// A running server; dropping it stops it.
pub(crate) struct Server {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Serves a folder on a free port of the loopback address, on a thread of its own, until the guard is dropped.
pub(crate) fn serve(dir: PathBuf) -> (SocketAddr, Server) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("a socket that does not block");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = oneshot::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            let router = Router::new()
                .route("/{bucket}", get(list))
                .route("/{bucket}/", get(list))
                .route("/{bucket}/{*key}", get(object))
                .with_state(Arc::new(dir));
            tokio::select! {
                served = axum::serve(listener, router).into_future() => served.expect("a server"),
                _ = stopped => {}
            }
        });
    });
    (address, Server { stop: Some(stop), thread: Some(thread) })
}

/// GET and HEAD of an object; axum answers HEAD with the headers of GET.
async fn object(
    State(dir): State<Arc<PathBuf>>,
    Path((_bucket, key)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let relative = PathBuf::from(&key);
    let inside = relative.components().all(|component| matches!(component, Component::Normal(_)));
    let path = dir.join(relative);
    let (true, Ok(bytes), Some(modified)) = (inside, fs::read(&path), modified(&path)) else {
        return answer(StatusCode::NOT_FOUND).body(Body::from(error_xml("NoSuchKey"))).expect("a response");
    };
    let response = |status| {
        answer(status)
            .header(header::ETAG, etag(bytes.len(), modified))
            .header(header::LAST_MODIFIED, modified.format("%a, %d %b %Y %H:%M:%S GMT").to_string())
            .header(header::ACCEPT_RANGES, "bytes")
    };
    let Some(range) = headers.get(header::RANGE).and_then(|range| range.to_str().ok()) else {
        return response(StatusCode::OK).body(Body::from(bytes.clone())).expect("a response");
    };
    match parse_range(range, bytes.len()) {
        Some((start, end)) => response(StatusCode::PARTIAL_CONTENT)
            .header(header::CONTENT_RANGE, format!("bytes {start}-{}/{}", end - 1, bytes.len()))
            .body(Body::from(bytes.get(start..end).unwrap_or_default().to_vec()))
            .expect("a response"),
        None => answer(StatusCode::RANGE_NOT_SATISFIABLE).body(Body::empty()).expect("a response"),
    }
}

/// ListObjectsV2, on one page.
async fn list(State(dir): State<Arc<PathBuf>>, Query(query): Query<HashMap<String, String>>) -> Response {
    let text = |name: &str| query.get(name).map(String::as_str).unwrap_or_default();
    let (prefix, delimiter, after) = (text("prefix"), text("delimiter"), text("start-after"));
    let mut keys = BTreeMap::new();
    collect(&dir, "", &mut keys);
    let mut folders = BTreeSet::new();
    let mut contents = String::new();
    for (key, (size, modified)) in keys {
        let Some(rest) = key.strip_prefix(prefix).filter(|_| key.as_str() > after) else { continue };
        if let Some((folder, _)) = rest.split_once(delimiter).filter(|_| !delimiter.is_empty()) {
            folders.insert(format!("{prefix}{folder}{delimiter}"));
            continue;
        }
        contents.push_str(&format!(
            "<Contents><Key>{}</Key><LastModified>{}</LastModified><ETag>{}</ETag><Size>{size}</Size></Contents>",
            escape(&key),
            modified.format("%Y-%m-%dT%H:%M:%S.000Z"),
            escape(&etag(size, modified)),
        ));
    }
    for folder in folders {
        contents.push_str(&format!("<CommonPrefixes><Prefix>{}</Prefix></CommonPrefixes>", escape(&folder)));
    }
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
         <ListBucketResult><IsTruncated>false</IsTruncated>{contents}</ListBucketResult>"
    );
    answer(StatusCode::OK).header(header::CONTENT_TYPE, "application/xml").body(Body::from(xml)).expect("a response")
}

fn answer(status: StatusCode) -> axum::http::response::Builder {
    Response::builder().status(status)
}

/// All files below a folder: their keys, sizes and times.
fn collect(folder: &std::path::Path, prefix: &str, keys: &mut BTreeMap<String, (usize, DateTime<Utc>)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let key = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        if path.is_dir() {
            collect(&path, &format!("{key}/"), keys);
        } else if let (Ok(metadata), Some(modified)) = (entry.metadata(), modified(&path)) {
            keys.insert(key, (metadata.len() as usize, modified));
        }
    }
}

fn modified(path: &std::path::Path) -> Option<DateTime<Utc>> {
    Some(fs::metadata(path).ok()?.modified().ok()?.into())
}

fn etag(size: usize, modified: DateTime<Utc>) -> String {
    format!("\"{size:x}-{:x}\"", modified.timestamp_micros())
}

/// First byte, and one past the last, of `bytes=1-3`, `bytes=1-` or `bytes=-3`.
fn parse_range(header: &str, size: usize) -> Option<(usize, usize)> {
    let (first, last) = header.strip_prefix("bytes=")?.split_once('-')?;
    let (start, end) = match (first.parse::<usize>().ok(), last.parse::<usize>().ok()) {
        (Some(first), Some(last)) => (first, last.checked_add(1)?.min(size)),
        (Some(first), None) => (first, size),
        (None, Some(count)) => (size.saturating_sub(count), size),
        (None, None) => return None,
    };
    (start < end).then_some((start, end))
}

fn error_xml(code: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>{code}</Code></Error>")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
