//! What a client writes, line by line, so that every line has an answer.
//!
//! The SDK says nothing to a line that is no JSON, since nobody knows what it answers. A client that has asked for
//! something (`"cursor": "\ud800"` is what Python writes of half a character) would wait for ever. So such a line is handed
//! on as `{}`, which is answered as an invalid request; and the last line counts also without its end. Of arguments it is told
//! where a name stands twice in them ([`repeated`]).

use super::super::repeated;
use serde_json::Value;
use std::io;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

/// Longer lines are handed on as they are: the SDK refuses them.
const LONGEST: usize = 8 << 20;

/// What stands for a line that is no JSON.
const INVALID: &[u8] = b"{}\n";

/// Hands on all lines until there are no more. `unreadable` is called for each that is no JSON.
///
/// Errors: one of the two is broken.
pub(super) async fn hand_on(
    input: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    unreadable: impl Fn(),
) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut line: Vec<u8> = Vec::new();
    // Of a line that is too long, what was read is gone already.
    let mut is_long = false;
    loop {
        let read = input.fill_buf().await?;
        let end = read.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(read.len(), |end| end + 1);
        line.extend(read.iter().take(used));
        let is_over = used == 0;
        input.consume(used);
        if is_over && !line.is_empty() && !is_long {
            line.push(b'\n');
        }
        if is_long || line.len() > LONGEST {
            to.write_all(&line).await?;
            line.clear();
            is_long = end.is_none();
        } else if line.ends_with(b"\n") {
            match repeated::marked(&line) {
                Some(mut marked) => {
                    marked.push(b'\n');
                    to.write_all(&marked).await?;
                }
                None if is_readable(&line) => to.write_all(&line).await?,
                None => {
                    unreadable();
                    to.write_all(INVALID).await?;
                }
            }
            line.clear();
        }
        to.flush().await?;
        if is_over {
            return Ok(());
        }
    }
}

fn is_readable(line: &[u8]) -> bool {
    line.trim_ascii().is_empty() || serde_json::from_slice::<Value>(line).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn handed_on(text: &[u8]) -> Vec<u8> {
        let mut to = Vec::new();
        hand_on(text, &mut to, || {}).await.unwrap();
        to
    }

    #[tokio::test]
    async fn a_line_that_is_no_json_is_an_invalid_request() {
        for line in [&b"{\"cursor\":\"\\ud800\"}"[..], b"{\"a\":\"\xff\"}", b"garbage", b"{\"a\":1", &[b'['; 200]] {
            let text = [&b"{\"id\":1}\n"[..], line, b"\r\n\n{\"id\":2}\n"].concat();
            let handed_on = String::from_utf8(handed_on(&text).await).unwrap();
            assert_eq!(handed_on, "{\"id\":1}\n{}\n\n{\"id\":2}\n");
        }
    }

    #[tokio::test]
    async fn the_last_line_may_have_no_end() {
        assert_eq!(handed_on(b"{\"id\":1}\n{\"id\":2}").await, b"{\"id\":1}\n{\"id\":2}\n");
        assert_eq!(handed_on(b"").await, b"");
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_handed_on_as_it_is() {
        let text = [&vec![b'x'; LONGEST + 1][..], b"yz\n{\"id\":2}\nnone\n"].concat();
        let handed_on = handed_on(&text).await;
        assert!(handed_on.ends_with(b"xyz\n{\"id\":2}\n{}\n"), "{}", handed_on.len());
    }
}
