//! What stands between a client and a database server, and may stop handing on what they say.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A proxy of a server.
pub(crate) struct Proxy {
    /// Where clients connect to.
    pub place: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    is_stalled: AtomicBool,
    /// It stalls by itself as soon as a client says this.
    word: Mutex<Option<&'static str>>,
}

impl Proxy {
    /// In front of the server at that place.
    pub(crate) fn of_server(server: String) -> std::io::Result<Proxy> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let (place, state) = (listener.local_addr()?, Arc::new(State::default()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(&server) else { continue };
                let (Ok(from_client), Ok(from_server)) = (client.try_clone(), server.try_clone()) else { continue };
                for (from, to, is_client) in [(from_client, server, true), (from_server, client, false)] {
                    let shared = Arc::clone(&shared);
                    std::thread::spawn(move || hand_on(from, to, |said| shared.wait(said, is_client)));
                }
            }
        });
        Ok(Proxy { place, state })
    }

    /// Nothing is handed on from now on.
    pub(crate) fn stall(&self) {
        self.state.is_stalled.store(true, Ordering::Relaxed);
    }

    /// Nothing is handed on as soon as a client says this word.
    pub(crate) fn stall_at(&self, word: &'static str) {
        *self.state.word.lock().unwrap_or_else(PoisonError::into_inner) = Some(word);
    }

    /// Everything is handed on again.
    pub(crate) fn go_on(&self) {
        *self.state.word.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.state.is_stalled.store(false, Ordering::Relaxed);
    }
}

impl State {
    /// Waits until what is said may be handed on.
    fn wait(&self, said: &[u8], is_client: bool) {
        let word = *self.word.lock().unwrap_or_else(PoisonError::into_inner);
        if is_client && word.is_some_and(|word| said.windows(word.len()).any(|part| part == word.as_bytes())) {
            self.is_stalled.store(true, Ordering::Relaxed);
        }
        while self.is_stalled.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Hands on what is said, as soon as it may be.
fn hand_on(mut from: TcpStream, mut to: TcpStream, wait: impl Fn(&[u8])) {
    let mut buffer = [0; 8192];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        wait(&buffer[..length]);
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
