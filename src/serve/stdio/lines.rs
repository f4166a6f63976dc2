//! What a client writes, line by line, so that every line has an answer.
//!
//! The SDK says nothing to a line that is no JSON, since nobody knows what it answers. A client that has asked for
//! something (`"cursor": "\ud800"` is what Python writes of half a character) would wait for ever. It would, too, for an error
//! that does not say what it answers, which is all that the SDK has for JSON that is no message. So the id of such a line is
//! handed on by a request that nobody can send ([`Unread`]), and refused by it. Where it has none that can be read, it is
//! handed on as `{}`, which is answered as an invalid request, and so is one that is too long, which the SDK passes over; and
//! the last line counts also without its end. Of arguments it is told where a name stands twice in them ([`repeated`]). What is no
//! message never becomes a call, so it is told here, where it may have been meant for one.

use super::super::asked::{self, Asked};
use super::super::repeated;
use crate::engine::code::CallCode;
use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::service::RxJsonRpcMessage;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io;
use std::sync::LazyLock;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use uuid::Uuid;

/// Longer lines are refused. Arguments are shorter by far.
const LONGEST: usize = 16 << 20;

/// What stands for a line that is no JSON, or is too long.
const INVALID: &[u8] = b"{}\n";

/// Why a line is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is no JSON.
    NoJson,
    /// It is JSON, and no message.
    NoMessage,
}

impl Unread {
    /// The method of the request that stands for such a line: drawn anew by each process, and told to nobody.
    fn method(self) -> &'static str {
        static METHODS: LazyLock<[String; 2]> =
            LazyLock::new(|| ["json", "message"].map(|no| format!("qtool/no-{no}/{}", Uuid::new_v4())));
        let [no_json, no_message] = &*METHODS;
        match self {
            Unread::NoJson => no_json,
            Unread::NoMessage => no_message,
        }
    }

    /// What a request stands for; `None` where it is one that a client has sent.
    pub(super) fn of(method: &str) -> Option<Unread> {
        [Unread::NoJson, Unread::NoMessage].into_iter().find(|unread| unread.method() == method)
    }

    /// What is handed on in the place of a line that was to be answered by this id.
    fn line(self, id: &Value) -> Vec<u8> {
        format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": self.method()})).into_bytes()
    }
}

/// Hands on all lines until there are no more. `refused` is told of each that is no message and may have been a call.
///
/// Errors: one of the two is broken.
pub(super) async fn hand_on(
    input: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    refused: impl Fn(Asked, CallCode),
) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut line: Vec<u8> = Vec::new();
    // Such a line is refused already, and what is left of it is passed over.
    let mut is_long = false;
    loop {
        let read = input.fill_buf().await?;
        let end = read.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(read.len(), |end| end + 1);
        if !is_long {
            line.extend(read.iter().take(used));
        }
        let is_over = used == 0;
        input.consume(used);
        if is_over && !line.is_empty() {
            line.push(b'\n');
        }
        if line.len() > LONGEST {
            refused(Asked::default(), CallCode::ArgumentsTooLarge);
            to.write_all(INVALID).await?;
            // What a long line took is not kept.
            line = Vec::new();
            is_long = true;
        } else if line.ends_with(b"\n") {
            to.write_all(&read_as(&line, &refused)).await?;
            line.clear();
        }
        is_long &= end.is_none();
        to.flush().await?;
        if is_over {
            return Ok(());
        }
    }
}

/// A whole line as the SDK is to read it.
fn read_as<'a>(line: &'a [u8], refused: impl Fn(Asked, CallCode)) -> Cow<'a, [u8]> {
    if line.trim_ascii().is_empty() {
        return line.into();
    }
    let line: Cow<'a, [u8]> = match repeated::marked(line) {
        Some(mut marked) => {
            marked.push(b'\n');
            marked.into()
        }
        None => line.into(),
    };
    let code = match serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(&line) {
        // A call without an id is none, and is not answered.
        Ok(JsonRpcMessage::Notification(_)) => CallCode::InvalidRequest,
        Ok(_) => return line,
        Err(error) if error.is_data() => CallCode::InvalidRequest,
        Err(_) => CallCode::InvalidJson,
    };
    Asked::of(&line).into_iter().for_each(|asked| refused(asked, code));
    let unread = if code == CallCode::InvalidJson { Unread::NoJson } else { Unread::NoMessage };
    match (asked::id(&line), unread) {
        (Some(id), unread) => unread.line(&id).into(),
        (None, Unread::NoJson) => INVALID.into(),
        // The SDK knows what it says of it, if anything.
        (None, Unread::NoMessage) => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    async fn handed_on(text: &[u8]) -> Vec<u8> {
        let mut to = Vec::new();
        hand_on(text, &mut to, |_, _| {}).await.unwrap();
        to
    }

    /// What is told of lines that are refused.
    async fn refused(text: &[u8]) -> Vec<(String, CallCode)> {
        let told: RefCell<Vec<(String, CallCode)>> = RefCell::default();
        let refused = |asked: Asked, code| told.borrow_mut().push((asked.target, code));
        hand_on(text, &mut Vec::new(), refused).await.unwrap();
        told.into_inner()
    }

    #[tokio::test]
    async fn a_line_that_is_no_json_is_an_invalid_request() {
        for line in [
            &b"{\"cursor\":\"\\ud800\"}"[..],
            b"{\"a\":\"\xff\"}",
            b"{\"id\":7,\"id\":8,\"a\":\"\xff\"}",
            b"garbage",
            b"{\"a\":1",
            &[b'['; 200],
        ] {
            let text = [&b"{\"a\":1}\n"[..], line, b"\r\n\n{\"a\":2}\n"].concat();
            let handed_on = String::from_utf8(handed_on(&text).await).unwrap();
            assert_eq!(handed_on, "{\"a\":1}\n{}\n\n{\"a\":2}\n");
        }
    }

    #[tokio::test]
    async fn a_line_that_is_no_message_is_refused_by_its_id() {
        for (line, unread, id) in [
            (&br#"{"id":1,"method":"prompts/list","params":{"cursor":"\ud800"}}"#[..], Unread::NoJson, json!(1)),
            (b"{\"a\":\"\xff\",\"id\":\"b\"}", Unread::NoJson, json!("b")),
            (br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":[]}"#, Unread::NoMessage, json!(2)),
            (br#"{"jsonrpc":"2.0","id":3,"method":"ping","method":"ping"}"#, Unread::NoMessage, json!(3)),
            (br#"{"id":4,"method":"ping"}"#, Unread::NoMessage, json!(4)),
        ] {
            let handed_on: Value = serde_json::from_slice(&handed_on(line).await).unwrap();
            let method = handed_on["method"].as_str().unwrap();
            assert_eq!((Unread::of(method), &handed_on["id"]), (Some(unread), &id), "{handed_on}");
            let read = serde_json::from_value::<RxJsonRpcMessage<RoleServer>>(handed_on).unwrap();
            assert!(matches!(read, JsonRpcMessage::Request(_)), "the SDK reads it");
        }
        // An answer is not answered, and neither is what has no id.
        for line in [r#"{"jsonrpc":"2.0","id":1,"result":7}"#, r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#] {
            assert_eq!(handed_on(line.as_bytes()).await, format!("{line}\n").as_bytes());
        }
        assert_eq!(Unread::of("tools/call"), None);
    }

    #[tokio::test]
    async fn what_may_have_been_a_call_is_told_once() {
        let of =
            |head: &str| format!(r#"{{{head}"method":"tools/call","params":{{"name":"t","arguments":{{"a":1}}}}}}"#);
        let call = of(r#""jsonrpc":"2.0","id":1,"#);
        for read in [
            call.as_str(),
            "",
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        ] {
            assert!(refused(read.as_bytes()).await.is_empty(), "{read}");
        }
        for (line, name) in [
            (of(r#""jsonrpc":"2.0","id":1.5,"#), "t"),
            (of(r#""jsonrpc":"2.0","id":null,"#), "t"),
            (of(r#""id":1,"#), "t"),
            (of(r#""jsonrpc":"2.0","#), "t"),
            (format!("[{call}]"), ""),
            (r#"{"a":1}"#.to_owned(), ""),
        ] {
            let told = refused(line.as_bytes()).await;
            assert_eq!(told, [(name.to_owned(), CallCode::InvalidRequest)], "{line}");
        }
        assert_eq!(refused(b"garbage\n\n").await, [(String::new(), CallCode::InvalidJson)]);
    }

    #[tokio::test]
    async fn the_last_line_may_have_no_end() {
        assert_eq!(handed_on(b"{\"a\":1}\n{\"a\":2}").await, b"{\"a\":1}\n{\"a\":2}\n");
        assert_eq!(handed_on(b"").await, b"");
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_an_invalid_request() {
        let long = vec![b'x'; LONGEST + 1];
        for long in [&long[..], &[&long[..], b"yz"].concat(), &[&long[..], &long].concat()] {
            let text = [long, b"\n{\"a\":2}\n"].concat();
            assert_eq!(handed_on(&text).await, b"{}\n{\"a\":2}\n");
            let told = (String::new(), CallCode::ArgumentsTooLarge);
            assert_eq!(refused(&text).await.first(), Some(&told));
            assert_eq!(handed_on(long).await, b"{}\n", "the last line");
        }
    }
}
