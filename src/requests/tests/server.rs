//! A server of the tests, over plain sockets: it can break every rule.

use super::HERE;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A server that runs until the tests end.
pub(super) struct TestServer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl TestServer {
    /// Gives a connection over to a function, after a request came in on it.
    pub(super) fn serving(serve: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> TestServer {
        let listener = TcpListener::bind((HERE, 0)).unwrap();
        let (address, asked) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
        let (serve, seen) = (Arc::new(serve), Arc::clone(&asked));
        std::thread::spawn(move || {
            for mut line in listener.incoming().flatten() {
                let (serve, seen) = (Arc::clone(&serve), Arc::clone(&seen));
                std::thread::spawn(move || {
                    if let Some(request) = request(&mut line) {
                        seen.lock().unwrap().push(request.clone());
                        serve(&request, &mut line);
                    }
                });
            }
        });
        TestServer { address, asked }
    }

    /// Answers every request with the same bytes, and hangs up.
    pub(super) fn answering(answer: impl Into<Vec<u8>>) -> TestServer {
        let answer = answer.into();
        TestServer::serving(move |_, line| {
            // The client hangs up where it has heard enough.
            let _ = line.write_all(&answer);
        })
    }

    /// A URL of it.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A URL of it under another name.
    pub(super) fn url_of(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.address.port())
    }

    /// The port.
    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    /// All requests so far, each with its body.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// Writes the same bytes until the other side hangs up.
pub(super) fn flood(line: &mut TcpStream, bytes: &[u8]) {
    while line.write_all(bytes).is_ok() {}
}

fn request(line: &mut TcpStream) -> Option<String> {
    let (mut request, mut byte) = (Vec::new(), [0]);
    while !request.ends_with(b"\r\n\r\n") {
        if line.read(&mut byte).ok()? == 0 {
            return None;
        }
        request.push(byte[0]);
    }
    let head = String::from_utf8(request).unwrap();
    let length = head.lines().find_map(|header| header.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    line.read_exact(&mut body).ok()?;
    Some(head + &String::from_utf8(body).unwrap())
}
