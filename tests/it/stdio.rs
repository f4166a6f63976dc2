//! A client of a server over standard input and output.

use serde_json::{Value, json};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A server in a folder, and the client that it talks to. It is killed with this, unless it is [ended](Client::end).
pub(crate) struct Client {
    pub(crate) child: Child,
    stdin: Option<ChildStdin>,
    pub(crate) stdout: BufReader<ChildStdout>,
    log: File,
}

impl Client {
    /// Starts the server of a project, for a client of these capabilities.
    pub(crate) fn start(dir: &Path, capabilities: &Value) -> Result<Client, Box<dyn Error>> {
        Client::start_with(dir, capabilities, &[])
    }

    /// The same with variables of the environment.
    pub(crate) fn start_with(
        dir: &Path,
        capabilities: &Value,
        variables: &[(&str, &str)],
    ) -> Result<Client, Box<dyn Error>> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qtool"));
        command.current_dir(dir).arg("serve").envs(variables.iter().copied());
        Client::of(command, capabilities)
    }

    /// The same of another server, which a command starts.
    pub(crate) fn of(mut command: Command, capabilities: &Value) -> Result<Client, Box<dyn Error>> {
        let log = tempfile::tempfile()?;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log.try_clone()?).spawn()?;
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut client = Client { child, stdin, stdout, log };
        client.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "t", "version": "0"}}}))?;
        client.receive()?;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    pub(crate) fn send(&mut self, message: &Value) -> Result<(), Box<dyn Error>> {
        let stdin = self.stdin.as_mut().ok_or("no input")?;
        writeln!(stdin, "{message}")?;
        Ok(stdin.flush()?)
    }

    /// Closes the server's input.
    pub(crate) fn leave(&mut self) {
        drop(self.stdin.take());
    }

    /// Closes the server's input, and waits until it has written what it does behind its answers.
    pub(crate) fn end(mut self) -> Result<(), Box<dyn Error>> {
        drop(self.stdin.take());
        let status = self.child.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) }
    }

    /// The next message that is no notification.
    pub(crate) fn receive(&mut self) -> Result<Value, Box<dyn Error>> {
        loop {
            let message = self.receive_any()?;
            if message.get("id").is_some() {
                return Ok(message);
            }
        }
    }

    /// The next message.
    pub(crate) fn receive_any(&mut self) -> Result<Value, Box<dyn Error>> {
        let mut line = String::new();
        if self.stdout.read_line(&mut line)? == 0 {
            return Err(format!("the server is gone; it said: {}", self.said()).into());
        }
        Ok(serde_json::from_str(&line)?)
    }

    /// What the server has written to its log, for messages of tests.
    pub(crate) fn said(&self) -> String {
        let (mut log, mut said) = (&self.log, Vec::new());
        // The server writes at the same place: it is moved back to where it was, which is the end.
        let read = log.seek(SeekFrom::Start(0)).and_then(|_| log.read_to_end(&mut said));
        match read {
            Ok(_) => String::from_utf8_lossy(&said).into_owned(),
            Err(error) => format!("its log cannot be read: {error}"),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
