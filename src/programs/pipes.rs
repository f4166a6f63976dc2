//! The pipes of a program, none of which is waited for.

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// How much is read or written at once.
const PIECE: usize = 1 << 16;

/// A pipe that a program writes to.
#[derive(Debug)]
pub(super) struct Reader {
    pipe: Option<OwnedFd>,
    /// What is kept.
    pub(super) bytes: Vec<u8>,
    most: usize,
    /// Whether there was more.
    pub(super) is_over: bool,
}

/// A pipe that a program reads from.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    pipe: Option<OwnedFd>,
    rest: &'a [u8],
}

impl Reader {
    /// Keeps so many bytes; what is beyond is read and dropped.
    ///
    /// Errors: the pipe cannot be set not to wait.
    pub(super) fn new(pipe: Option<OwnedFd>, most: usize) -> io::Result<Reader> {
        without_waiting(pipe.as_ref())?;
        Ok(Reader { pipe, bytes: Vec::new(), most, is_over: false })
    }

    /// What is to be waited for.
    pub(super) fn waits(&self) -> Option<PollFd<'_>> {
        self.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN))
    }

    /// Reads what is there, but no more than a few pieces, so that others have their turn.
    pub(super) fn read(&mut self, buffer: &mut Vec<u8>, pieces: usize) {
        buffer.resize(PIECE, 0);
        for _ in 0..pieces {
            let Some(pipe) = &self.pipe else { return };
            match rustix::io::read(pipe, buffer.as_mut_slice()) {
                Ok(0) => self.pipe = None,
                Ok(count) => {
                    let room = self.most.saturating_sub(self.bytes.len()).min(count);
                    self.bytes.extend(buffer.iter().take(room));
                    self.is_over |= room < count;
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.pipe = None,
            }
        }
    }
}

impl<'a> Writer<'a> {
    /// Writes the bytes, and closes the pipe behind them.
    ///
    /// Errors: the pipe cannot be set not to wait.
    pub(super) fn new(pipe: Option<OwnedFd>, bytes: &'a [u8]) -> io::Result<Writer<'a>> {
        without_waiting(pipe.as_ref())?;
        let mut writer = Writer { pipe, rest: bytes };
        writer.write();
        Ok(writer)
    }

    /// What is to be waited for.
    pub(super) fn waits(&self) -> Option<PollFd<'_>> {
        self.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::OUT))
    }

    /// Writes as much as there is room for. A program that reads no more is none that has failed.
    pub(super) fn write(&mut self) {
        while let Some(pipe) = &self.pipe {
            if self.rest.is_empty() {
                self.pipe = None;
                return;
            }
            match rustix::io::write(pipe, self.rest.get(..PIECE).unwrap_or(self.rest)) {
                Ok(count) => self.rest = self.rest.get(count..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.pipe = None,
            }
        }
    }
}

fn without_waiting(pipe: Option<&OwnedFd>) -> io::Result<()> {
    let Some(pipe) = pipe else { return Ok(()) };
    let flags = rustix::fs::fcntl_getfl(pipe.as_fd())?;
    Ok(rustix::fs::fcntl_setfl(pipe.as_fd(), flags | rustix::fs::OFlags::NONBLOCK)?)
}
