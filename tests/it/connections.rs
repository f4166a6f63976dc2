//! What a connection carries besides well-formed requests: two lengths of one body (RFC 9112, 6.1), another protocol.

use crate::cases::copy_all;
use crate::http::{Running, exchange};
use std::path::Path;

/// The project whose server is asked.
const PROJECT: &str = "tests/http/odd_headers";

fn server() -> Result<(tempfile::TempDir, Running), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    copy_all(Path::new(PROJECT), folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    Ok((folder, server))
}

/// A body that comes in chunks and has a length too is read by its chunks, and nothing behind it is: somebody on the way may
/// have gone by the length, and taken what follows for the request of another.
pub(crate) fn a_body_with_two_lengths_is_the_last_of_its_connection() -> crate::Outcome {
    let (_folder, server) = server()?;
    let address = &server.address;
    // Answered, it closes the connection.
    let second = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let coding = "Transfer-Encoding: chunked\r\n";
    for (path, sent) in [("/tools/small", r#"{"n":1}"#), ("/mcp", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)] {
        let chunks = format!("{:x}\r\n{sent}\r\n0\r\n\r\n", sent.len());
        let length = format!("Content-Length: {}\r\n", chunks.len());
        let ways = [(format!("{length}{coding}"), 1), (format!("{coding}{length}"), 1), (coding.to_owned(), 2)];
        for (lengths, expected) in ways {
            let first = format!(
                "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n{lengths}\r\n{chunks}"
            );
            let answers = exchange(address, (first + &second).as_bytes())?;
            let answered = answers.matches("HTTP/1.1 200 OK").count();
            if answered != expected {
                return Err(format!("{path} with {lengths}{answered} were answered:\n{answers}").into());
            }
        }
    }
    Ok(())
}

/// A client that begins with HTTP/2 hears nothing, and is not kept waiting.
pub(crate) fn another_protocol_is_not_answered() -> crate::Outcome {
    let (_folder, server) = server()?;
    // The preface, and settings that say nothing (RFC 9113, 3.4).
    match exchange(&server.address, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0")?.as_str() {
        "" => Ok(()),
        answer => Err(format!("it was answered: {answer}").into()),
    }
}
