//! What the server writes: line by line, the answers of a batch in one, until nobody reads it.

use super::batches::{Batches, with_id};
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use rmcp::RoleServer;
use rmcp::service::TxJsonRpcMessage;
use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Where the server writes to. Clones write to the same place, one line after the other.
pub(super) struct Output<W> {
    to: Arc<Mutex<W>>,
    batches: Arc<Batches>,
    /// Cancelled when a line could not be written.
    broken: CancellationToken,
    /// How often something was taken.
    taken: Arc<AtomicU64>,
    /// Whether no further line is begun.
    is_over: Arc<AtomicBool>,
}

impl<W> Clone for Output<W> {
    fn clone(&self) -> Output<W> {
        let Output { to, batches, broken, taken, is_over } = self;
        Output {
            to: Arc::clone(to),
            batches: Arc::clone(batches),
            broken: broken.clone(),
            taken: Arc::clone(taken),
            is_over: Arc::clone(is_over),
        }
    }
}

impl<W: AsyncWrite + Unpin + Send + 'static> Output<W> {
    /// An output in which the answers of these batches stand in one line.
    pub(super) fn new(to: W, batches: Arc<Batches>) -> Output<W> {
        Output {
            to: Arc::new(Mutex::new(to)),
            batches,
            broken: CancellationToken::new(),
            taken: Arc::default(),
            is_over: Arc::default(),
        }
    }

    /// Writes a message, as [`Output::send`] does.
    ///
    /// Errors: nobody reads it.
    pub(super) fn tell(&self, message: &TxJsonRpcMessage<RoleServer>) -> BoxFuture<'static, io::Result<()>> {
        match line_of(message) {
            Ok(line) => self.send(line),
            Err(error) => ready(Err(error)).boxed(),
        }
    }

    /// Writes a line, which has its end. What can be written at once is: a task in between costs a call two switches of
    /// threads. The order is that of the calls of this function, not of its futures, and it is written also where nobody
    /// waits for its future.
    ///
    /// Errors: nobody reads it.
    pub(super) fn send(&self, line: Vec<u8>) -> BoxFuture<'static, io::Result<()>> {
        let mut text = if self.batches.keep(&line) { Vec::new() } else { identified(line) };
        text.extend_from_slice(self.batches.answered().as_bytes());
        self.write(text)
    }

    /// Hands on the lines that come from elsewhere, and the answers of batches that are over without a last one, until there
    /// are no more lines.
    ///
    /// Errors: nobody reads them any more.
    pub(super) async fn hand_out(&self, from: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut from = BufReader::new(from);
        let mut line: Vec<u8> = Vec::new();
        loop {
            // What was read of a line stays where it is when a batch is over meanwhile.
            tokio::select! {
                read = from.read_until(b'\n', &mut line) => match read? {
                    0 => return self.write(self.batches.answered().into_bytes()).await,
                    _ => self.send(std::mem::take(&mut line)).await?,
                },
                () = self.batches.one_is_over() => self.write(self.batches.answered().into_bytes()).await?,
            }
        }
    }

    /// Waits until all that was given is written, or nothing of it was taken for so long.
    pub(super) async fn drained(&self, patience: Duration) {
        let mut turn = std::pin::pin!(self.to.lock());
        loop {
            let before = self.taken.load(Ordering::Relaxed);
            let waited = tokio::time::timeout(patience, &mut turn).await;
            if waited.is_ok() || self.taken.load(Ordering::Relaxed) == before {
                return;
            }
        }
    }

    /// Begins no further line. What was begun is written to its end.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    /// Waits until a line could not be written, since nobody reads it.
    pub(super) async fn broken(&self) {
        self.broken.cancelled().await;
    }

    fn write(&self, text: Vec<u8>) -> BoxFuture<'static, io::Result<()>> {
        if text.is_empty() {
            return ready(Ok(())).boxed();
        }
        let output = self.clone();
        let mut writing = async move {
            let mut to = output.to.lock().await;
            if output.is_over.load(Ordering::Acquire) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let written = write_all(&mut *to, &text, &output.taken).await;
            written.inspect_err(|_| output.broken.cancel())
        }
        .boxed();
        // Who is not done has its place among those that wait.
        match (&mut writing).now_or_never() {
            Some(written) => ready(written).boxed(),
            None => finished(tokio::spawn(writing)).boxed(),
        }
    }
}

/// What comes of a line that is written to its end, whether or not that is waited for: a half one would spoil the next.
async fn finished(writing: JoinHandle<io::Result<()>>) -> io::Result<()> {
    writing.await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

/// Writes all of a text, and counts how often something of it was taken.
async fn write_all(to: &mut (impl AsyncWrite + Unpin), mut text: &[u8], taken: &AtomicU64) -> io::Result<()> {
    while !text.is_empty() {
        let written = to.write(text).await?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        taken.fetch_add(1, Ordering::Relaxed);
        text = text.get(written..).unwrap_or_default();
    }
    to.flush().await
}

/// The line of a message.
///
/// Errors: it has no form in JSON, which every message of the SDK has.
pub(super) fn line_of(message: &TxJsonRpcMessage<RoleServer>) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// A line, with an id where it answers nobody.
fn identified(line: Vec<u8>) -> Vec<u8> {
    let other = match with_id(&line) {
        Cow::Owned(other) => Some(other),
        Cow::Borrowed(_) => None,
    };
    other.unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::super::batches::Batch;
    use super::*;
    use rmcp::model::RequestId;
    use tokio::io::AsyncReadExt;

    fn id(number: i64) -> RequestId {
        RequestId::Number(number)
    }

    async fn handed_out(text: &str, batches: &Arc<Batches>) -> String {
        let output = Output::new(Vec::new(), Arc::clone(batches));
        output.hand_out(text.as_bytes()).await.unwrap();
        let written = output.to.lock().await;
        String::from_utf8(written.clone()).unwrap()
    }

    #[tokio::test]
    async fn the_answers_of_a_batch_are_one_line() {
        let batches = Arc::default();
        let lines = "{\"id\":1,\"result\":{}}\n{\"id\":7,\"result\":{}}\n{\"method\":\"x\",\"id\":2}\n{\"id\":2,\"error\":{}}\n";
        assert_eq!(handed_out(lines, &batches).await, lines, "no batch is open");
        batches.open(Batch { waits: vec![id(1), id(2)], answers: vec!["{}".to_owned()] });
        let expected = "{\"id\":7,\"result\":{}}\n{\"method\":\"x\",\"id\":2}\n[{},{\"id\":1,\"result\":{}},{\"id\":2,\"error\":{}}]\n";
        assert_eq!(handed_out(lines, &batches).await, expected);
    }

    #[tokio::test]
    async fn an_error_that_answers_nobody_has_an_id() {
        let lines = "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}\n";
        let expected =
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}\n";
        assert_eq!(handed_out(lines, &Arc::default()).await, expected);
    }

    #[tokio::test]
    async fn what_was_cancelled_is_not_waited_for() {
        let batches: Arc<Batches> = Arc::default();
        batches.open(Batch { waits: vec![id(1), id(2)], answers: Vec::new() });
        batches.forget(&id(2));
        assert_eq!(handed_out("{\"id\":1,\"result\":{}}\n", &batches).await, "[{\"id\":1,\"result\":{}}]\n");
        batches.open(Batch::default());
        assert_eq!(handed_out("", &batches).await, "", "of notifications alone there is no answer");
    }

    /// A client that reads slowly gets whole lines, in the order in which they were given.
    #[tokio::test]
    async fn lines_are_whole_and_in_their_order_where_they_wait() {
        let (to, mut from) = tokio::io::duplex(7);
        let output = Output::new(to, Arc::default());
        let lines: Vec<String> =
            (0..200).map(|at| format!("{{\"id\":{at},\"result\":\"{}\"}}\n", "x".repeat(at % 17))).collect();
        let mut sending = tokio::task::JoinSet::new();
        let all: Vec<_> = lines.iter().map(|line| output.send(line.clone().into_bytes())).collect();
        // The last of them is polled first.
        for sent in all.into_iter().rev() {
            sending.spawn(sent);
        }
        let mut read = vec![0; lines.iter().map(String::len).sum()];
        from.read_exact(&mut read).await.unwrap();
        assert_eq!(String::from_utf8(read).unwrap(), lines.concat());
        assert!(sending.join_all().await.into_iter().all(|sent| sent.is_ok()));
    }

    /// Who reads slowly is waited for, and who reads nothing is not.
    #[tokio::test]
    async fn what_is_left_is_written_as_long_as_somebody_reads_it() {
        let (to, mut from) = tokio::io::duplex(10);
        let output = Output::new(to, Arc::default());
        let (line, patience) = ([vec![b'x'; 99], b"\n".to_vec()].concat(), Duration::from_millis(300));
        tokio::spawn(output.send(line.clone()));
        let reading = tokio::spawn(async move {
            let mut read = [0; 100];
            for part in read.chunks_mut(10) {
                tokio::time::sleep(patience / 5).await;
                from.read_exact(part).await.unwrap();
            }
            (from, read.to_vec())
        });
        output.drained(patience).await;
        let (from, read) = reading.await.unwrap();
        assert_eq!(read, line);
        tokio::spawn(output.send(line));
        output.drained(patience).await;
        assert!(output.to.try_lock().is_err(), "it is not written");
        drop(from);
    }

    #[tokio::test]
    async fn a_line_that_was_begun_is_written_to_its_end_and_no_other_is_begun() {
        let (to, mut from) = tokio::io::duplex(1);
        let output = Output::new(to, Arc::default());
        let sent = [output.send(b"first\n".to_vec()), output.send(b"second\n".to_vec())];
        output.end();
        let mut read = [0; 6];
        from.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"first\n");
        let [first, second] = sent;
        assert!(first.await.is_ok() && second.await.is_err());
        drop(output);
        assert_eq!(from.read(&mut read).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn nobody_who_reads_is_an_error() {
        let (to, from) = tokio::io::duplex(1 << 10);
        drop(from);
        let output = Output::new(to, Arc::default());
        assert!(output.send(b"{}\n".to_vec()).await.is_err());
        output.broken().await;
    }
}
