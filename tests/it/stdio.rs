//! A client of a server over standard input and output.

use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A server in a folder, and the client that it talks to. It is killed with this, unless it is [ended](Client::end).
pub(crate) struct Client {
    pub(crate) child: Child,
    stdin: Option<ChildStdin>,
    pub(crate) stdout: BufReader<ChildStdout>,
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
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut client = Client { child, stdin, stdout };
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
            return Err("the server is gone".into());
        }
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
