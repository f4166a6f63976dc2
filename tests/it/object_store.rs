//! An object store in the test process: the files of a folder, given out as S3 does, path-style and without asking for
//! credentials.
//!
//! `http://<address>/<bucket>/<key>` is the file `<key>` below the folder, whatever the bucket is called; the same
//! address serves as a plain web server.

use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

// On the standard library: a web framework among the dev-dependencies would change the features of hyper, and with them
// every crate between it and DataFusion would be built a second time for `cargo test`.

/// A running server; dropping it stops it.
pub(crate) struct Server {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    methods: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// The methods of the requests since this was asked last.
    pub(crate) fn methods(&self) -> Vec<String> {
        std::mem::take(&mut self.methods.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread up from waiting for a connection.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Serves a folder on a free port of the loopback address, on a thread of its own, until the guard is dropped.
pub(crate) fn serve(dir: PathBuf) -> (SocketAddr, Server) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let stopped = Arc::new(AtomicBool::new(false));
    let is_stopped = Arc::clone(&stopped);
    let methods: Arc<Mutex<Vec<String>>> = Arc::default();
    let asked = Arc::clone(&methods);
    let thread = std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            if is_stopped.load(Ordering::SeqCst) {
                return;
            }
            let (dir, asked) = (dir.clone(), Arc::clone(&asked));
            // A client that goes away takes only its own thread with it.
            std::thread::spawn(move || answer(&dir, &asked, connection));
        }
    });
    (address, Server { address, stopped, thread: Some(thread), methods })
}

struct Response {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Response {
    fn new(status: u16, body: impl Into<Vec<u8>>) -> Response {
        Response { status, headers: Vec::new(), body: body.into() }
    }

    fn header(mut self, name: &'static str, value: impl Into<String>) -> Response {
        self.headers.push((name, value.into()));
        self
    }
}

/// Reads one request, writes its response and closes.
fn answer(dir: &Path, asked: &Mutex<Vec<String>>, mut connection: TcpStream) -> Option<()> {
    let mut lines = BufReader::new(connection.try_clone().ok()?).lines();
    let request = lines.next()?.ok()?;
    let mut words = request.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    asked.lock().unwrap_or_else(PoisonError::into_inner).push(method.to_owned());
    let headers: HashMap<String, String> = lines
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| Some((line.split_once(':')?.0.to_lowercase(), line.split_once(':')?.1.trim().to_owned())))
        .collect();
    let url = url::Url::parse(&format!("http://localhost{target}")).ok()?;
    let path = decoded(url.path());
    let response = match path.trim_start_matches('/').split_once('/') {
        Some((_bucket, key)) if !key.is_empty() => object(dir, key, headers.get("range")),
        _ => list(dir, &url.query_pairs().into_owned().collect()),
    };
    let mut head = format!("HTTP/1.1 {} -\r\nConnection: close\r\n", response.status);
    for (name, value) in &response.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", response.body.len()));
    connection.write_all(head.as_bytes()).ok()?;
    if method != "HEAD" {
        connection.write_all(&response.body).ok()?;
    }
    connection.flush().ok()
}

fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let hex = |digit: Option<u8>| char::from(digit?).to_digit(16);
        bytes.push(match byte {
            b'%' => (hex(rest.next()).unwrap_or(0) * 16 + hex(rest.next()).unwrap_or(0)) as u8,
            other => other,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// GET and HEAD of an object.
fn object(dir: &Path, key: &str, range: Option<&String>) -> Response {
    let relative = PathBuf::from(key);
    let inside = relative.components().all(|component| matches!(component, Component::Normal(_)));
    let path = dir.join(relative);
    let (true, Ok(bytes), Some(modified)) = (inside, fs::read(&path), modified(&path)) else {
        return Response::new(404, error_xml("NoSuchKey"));
    };
    let size = bytes.len();
    let described = |response: Response| {
        response
            .header("ETag", etag(size, modified))
            .header("Last-Modified", modified.format("%a, %d %b %Y %H:%M:%S GMT").to_string())
            .header("Accept-Ranges", "bytes")
    };
    let Some(range) = range else {
        return described(Response::new(200, bytes));
    };
    match parse_range(range, size) {
        Some((start, end)) => described(Response::new(206, bytes.get(start..end).unwrap_or_default()))
            .header("Content-Range", format!("bytes {start}-{}/{size}", end - 1)),
        None => Response::new(416, ""),
    }
}

/// ListObjectsV2, on one page.
fn list(dir: &Path, query: &HashMap<String, String>) -> Response {
    let text = |name: &str| query.get(name).map(String::as_str).unwrap_or_default();
    let (prefix, delimiter, after) = (text("prefix"), text("delimiter"), text("start-after"));
    let mut keys = BTreeMap::new();
    collect(dir, "", &mut keys);
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
    Response::new(200, xml).header("Content-Type", "application/xml")
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
