//! A server of models on this machine, which answers what it was told to.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What it does with a request.
#[derive(Clone)]
pub(super) enum Reply {
    /// Status, headers, body.
    Send(u16, &'static str, String),
    /// Nothing, for so long.
    Hang(Duration),
}

/// A request, as it came.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) path: String,
    pub(super) headers: String,
    pub(super) body: Value,
}

/// The server; it ends with the test.
pub(super) struct Server {
    pub(super) url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Answers the first request with the first reply and so on; further ones with the last.
    pub(super) fn start(replies: Vec<Reply>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (seen, replies) = (Arc::clone(&seen), replies.clone());
                std::thread::spawn(move || serve(stream.unwrap(), &seen, &replies));
            }
        });
        Server { url, requests }
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, seen: &Mutex<Vec<Request>>, replies: &[Reply]) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    let mut first = String::new();
    if reader.read_line(&mut first).unwrap_or(0) == 0 {
        return;
    }
    let (mut headers, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let lower = line.to_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        headers.push_str(&lower);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let path = first.split(' ').nth(1).unwrap().to_owned();
    let at = {
        let mut seen = seen.lock().unwrap();
        seen.push(Request { path, headers, body: serde_json::from_slice(&body).unwrap() });
        seen.len() - 1
    };
    match &replies[at.min(replies.len() - 1)] {
        Reply::Hang(time) => std::thread::sleep(*time),
        Reply::Send(status, headers, body) => {
            let length = body.len();
            let head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n");
            // A client that has gone has its reason.
            let _ = writer.write_all((head + body).as_bytes());
        }
    }
}
