//! Output that cannot be written is an error; a reader that has read enough is none.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Commands over the example project, each with something on standard output.
const COMMANDS: [&[&str]; 12] = [
    &["call", "late_flights", "carrier=UA", "origin=EWR", "--format", "csv"],
    &["call", "late_flights", "carrier=UA", "origin=EWR", "--format", "structured"],
    &["check", "--format", "sarif"],
    &["list"],
    &["emit", "mcp"],
    &["describe", "flights"],
    &["show", "late_flights"],
    &["stats"],
    &["stats", "--json"],
    &["schema", "header"],
    &["--help"],
    &["--version"],
];

/// On a full disk every command says so, and ends with 2; with a pipe that is closed it says nothing.
pub(crate) fn what_cannot_be_written_is_said() -> crate::Outcome {
    for arguments in COMMANDS {
        let piped = closed(arguments)?;
        if !piped.stderr_says_nothing_of_output() || piped.status.code() == Some(2) {
            return Err(format!("qtool {arguments:?} | head: {piped:?}").into());
        }
        let full = Path::new("/dev/full");
        if !full.exists() {
            continue;
        }
        let full = std::fs::OpenOptions::new().write(true).open(full)?;
        let output = qtool(arguments).stdout(full).stderr(Stdio::piped()).output()?;
        if output.stderr_says_nothing_of_output() || output.status.code() != Some(2) {
            return Err(format!("qtool {arguments:?} > /dev/full: {output:?}").into());
        }
    }
    Ok(())
}

trait Says {
    fn stderr_says_nothing_of_output(&self) -> bool;
}

impl Says for Output {
    fn stderr_says_nothing_of_output(&self) -> bool {
        !String::from_utf8_lossy(&self.stderr).contains("the output cannot be written")
    }
}

fn qtool(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qtool"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command
}

/// Runs it with an output that nobody reads.
fn closed(arguments: &[&str]) -> std::io::Result<Output> {
    let mut child = qtool(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    drop(child.stdout.take());
    let mut stderr = Vec::new();
    if let Some(pipe) = &mut child.stderr {
        pipe.read_to_end(&mut stderr)?;
    }
    Ok(Output { status: child.wait()?, stdout: Vec::new(), stderr })
}

/// A server over standard input that has nothing to say ends when nobody reads it any more.
#[cfg(unix)]
pub(crate) fn an_idle_server_ends_with_its_reader() -> crate::Outcome {
    let mut server = qtool(&["serve"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}"#;
    // Its standard input stays open.
    let mut input = server.stdin.take().ok_or("no standard input")?;
    writeln!(input, "{hello}")?;
    let mut output = BufReader::new(server.stdout.take().ok_or("no standard output")?);
    let mut line = String::new();
    output.read_line(&mut line)?;
    drop(output);
    let ends_by = Instant::now() + Duration::from_secs(10);
    while server.try_wait()?.is_none() {
        if Instant::now() > ends_by {
            server.kill()?;
            return Err(format!("the server goes on after {line}").into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(input);
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn an_idle_server_ends_with_its_reader() -> crate::Outcome {
    Ok(())
}
