//! What a client writes, line by line, so that every line has an answer.
//!
//! The SDK says nothing to a line that is no JSON, since nobody knows what it answers. A client that has asked for
//! something (`"cursor": "\ud800"` is what Python writes of half a character) would wait for ever. It would, too, for an error
//! that does not say what it answers, which is all that the SDK has for JSON that is no message. So such a line is
//! handed on as a request that nobody can send ([`Unread`]), with its id where that can be read, and refused by it. The last
//! line counts also without its end. Of arguments it is told where a name stands twice in them ([`repeated`]). What is no
//! message never becomes a call, so it is told here, where it may have been meant for one. The messages of a
//! [`batch`] are handed on one by one.

use super::super::asked::{self, Asked};
use super::super::batch;
use super::super::cursors;
use super::super::repeated;
use super::batches::{Batch, Batches, with_id};
use super::unread::{LONGEST, Unread};
use crate::engine::code::CallCode;
use rmcp::RoleServer;
use rmcp::model::{ClientRequest, JsonRpcMessage, RequestId};
use rmcp::service::RxJsonRpcMessage;
use serde_json::Value;
use std::borrow::Cow;
use std::io;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

/// Hands on all lines until there are no more. `refused` is told of each that is no message and may have been a call.
///
/// Errors: one of the two is broken.
pub(super) async fn hand_on(
    input: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    batches: &Batches,
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
            to.write_all(&Unread::TooLong.line(None)).await?;
            // What a long line took is not kept.
            line = Vec::new();
            is_long = true;
        } else if line.ends_with(b"\n") {
            to.write_all(&read_as(&line, batches, &refused)).await?;
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
fn read_as<'a>(line: &'a [u8], batches: &Batches, refused: impl Fn(Asked, CallCode)) -> Cow<'a, [u8]> {
    if line.trim_ascii().is_empty() {
        return line.into();
    }
    if !batch::is_array(line) {
        let Read { line, begins, .. } = read_message(line, refused);
        begins.iter().for_each(|version| batches.agree(version));
        return line;
    }
    let messages = match serde_json::from_slice::<Value>(line) {
        Err(_) => Err(Unread::NoJson),
        Ok(_) if !batches.are_taken() => Err(Unread::NoBatch),
        Ok(_) => batch::messages(line).ok_or(Unread::NoMessages),
    };
    match messages {
        Ok(messages) => read_batch(&messages, batches, refused).into(),
        Err(unread) => {
            let code = if unread == Unread::NoJson { CallCode::InvalidJson } else { CallCode::InvalidRequest };
            refused(Asked::default(), code);
            unread.line(None).into()
        }
    }
}

/// The messages of a batch, a line each. Its answers are waited for from here on.
fn read_batch(messages: &[&[u8]], batches: &Batches, refused: impl Fn(Asked, CallCode)) -> Vec<u8> {
    let mut batch = Batch::default();
    let mut lines = Vec::new();
    for message in messages {
        let Read { line, waits, begins } = read_message(message, &refused);
        match (waits, begins) {
            (Some(id), None) => {
                lines.extend_from_slice(&line);
                batch.waits.push(id);
            }
            (waits, Some(_)) => batch.answers.extend(told_unread(Unread::Begins, waits)),
            // What nobody can tell the answer of from the others is answered here.
            (None, None) if is_request(&line) => {
                let unread = if asked::is_misidentified(message) { Unread::NoId } else { Unread::NoMessage };
                batch.answers.extend(told_unread(unread, None));
            }
            (None, None) => lines.extend_from_slice(&line),
        }
        if lines.last().is_some_and(|last| *last != b'\n') {
            lines.push(b'\n');
        }
    }
    batches.open(batch);
    lines
}

/// The answer to what is no message, as text.
fn told_unread(unread: Unread, id: Option<RequestId>) -> Option<String> {
    let told = serde_json::to_string(&rmcp::service::TxJsonRpcMessage::<RoleServer>::error(unread.error(), id)).ok()?;
    String::from_utf8(with_id(told.as_bytes()).into_owned()).ok()
}

/// Whether what stands for a line is answered, though not by an id of the client.
fn is_request(line: &[u8]) -> bool {
    matches!(serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(line), Ok(JsonRpcMessage::Request(_)))
        || serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(line).is_err()
}

/// A message as the SDK is to read it.
struct Read<'a> {
    line: Cow<'a, [u8]>,
    /// The id that it is answered by.
    waits: Option<RequestId>,
    /// The revision that it wants to begin a connection of.
    begins: Option<String>,
}

fn read_message<'a>(line: &'a [u8], refused: impl Fn(Asked, CallCode)) -> Read<'a> {
    let line: Cow<'a, [u8]> = match repeated::marked(line).or_else(|| cursors::with_text(line)) {
        Some(mut marked) => {
            marked.push(b'\n');
            marked.into()
        }
        None => line.into(),
    };
    let code = match serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(&line) {
        Ok(JsonRpcMessage::Request(request)) => {
            let begins = match &request.request {
                ClientRequest::InitializeRequest(begins) => Some(begins.params.protocol_version.to_string()),
                _ => None,
            };
            return Read { line, waits: Some(request.id), begins };
        }
        // A call without an id is none, and is not answered.
        Ok(JsonRpcMessage::Notification(_)) => CallCode::InvalidRequest,
        Ok(_) => return Read { line, waits: None, begins: None },
        Err(error) if error.is_data() => CallCode::InvalidRequest,
        Err(_) => CallCode::InvalidJson,
    };
    Asked::of(&line).into_iter().for_each(|asked| refused(asked, code));
    let unread = match code {
        CallCode::InvalidJson => Unread::NoJson,
        _ if asked::is_misidentified(&line) => Unread::NoId,
        _ => Unread::NoMessage,
    };
    let id = asked::id(&line);
    let waits = id.clone().and_then(|id| serde_json::from_value(id).ok());
    let line = match (&id, unread) {
        (Some(_), _) | (None, Unread::NoJson | Unread::NoId) => unread.line(id.as_ref()).into(),
        // The SDK knows what it says of it, if anything.
        (None, _) => line,
    };
    Read { line, waits, begins: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::cell::RefCell;

    /// What stands for a line that was handed on in the place of another, and the id of that.
    fn stands_for(line: &[u8]) -> (Option<Unread>, Value) {
        let line: Value = serde_json::from_slice(line).unwrap();
        let id = line["id"].clone();
        let is_nobody = id.as_str().is_some_and(Unread::is_nobody);
        (Unread::of(line["method"].as_str().unwrap()), if is_nobody { Value::Null } else { id })
    }

    async fn handed_on(text: &[u8]) -> Vec<u8> {
        let mut to = Vec::new();
        hand_on(text, &mut to, &Batches::default(), |_, _| {}).await.unwrap();
        to
    }

    /// What is told of lines that are refused.
    async fn refused(text: &[u8]) -> Vec<(String, CallCode)> {
        let told: RefCell<Vec<(String, CallCode)>> = RefCell::default();
        let refused = |asked: Asked, code| told.borrow_mut().push((asked.target, code));
        hand_on(text, &mut Vec::new(), &Batches::default(), refused).await.unwrap();
        told.into_inner()
    }

    #[tokio::test]
    async fn a_line_that_is_no_json_cannot_be_parsed() {
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
            let lines: Vec<&str> = handed_on.lines().collect();
            let [first, unread, "", last] = lines.as_slice() else { panic!("{handed_on}") };
            assert_eq!((*first, *last), ("{\"a\":1}", "{\"a\":2}"));
            assert_eq!(stands_for(unread.as_bytes()), (Some(Unread::NoJson), Value::Null));
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
            let handed_on = handed_on(line).await;
            assert_eq!(stands_for(&handed_on), (Some(unread), id));
            let read = serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(&handed_on).unwrap();
            assert!(matches!(read, JsonRpcMessage::Request(_)), "the SDK reads it");
        }
        // An answer is not answered, and neither is what has no id.
        for line in [r#"{"jsonrpc":"2.0","id":1,"result":7}"#, r#"{"jsonrpc":"2.0","params":{}}"#] {
            assert_eq!(handed_on(line.as_bytes()).await, format!("{line}\n").as_bytes());
        }
        assert_eq!(Unread::of("tools/call"), None);
    }

    #[tokio::test]
    async fn an_id_that_is_none_is_told() {
        for id in ["1.5", "true", "{}", "null", "99999999999999999999"] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            assert_eq!(stands_for(&handed_on(line.as_bytes()).await), (Some(Unread::NoId), Value::Null), "{id}");
        }
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
    async fn a_line_that_is_too_long_is_refused() {
        let long = vec![b'x'; LONGEST + 1];
        for long in [&long[..], &[&long[..], b"yz"].concat(), &[&long[..], &long].concat()] {
            let text = [long, b"\n{\"a\":2}\n"].concat();
            let handed = handed_on(&text).await;
            let (first, rest) = handed.split_at(handed.iter().position(|byte| *byte == b'\n').unwrap());
            assert_eq!(stands_for(first), (Some(Unread::TooLong), Value::Null));
            assert_eq!(rest, b"\n{\"a\":2}\n");
            let told = (String::new(), CallCode::ArgumentsTooLarge);
            assert_eq!(refused(&text).await.first(), Some(&told));
            assert_eq!(stands_for(&handed_on(long).await).0, Some(Unread::TooLong), "the last line");
        }
    }

    #[tokio::test]
    async fn the_messages_of_a_batch_are_lines() {
        let batches = Batches::default();
        let sent =
            br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},7]"#;
        let hand = async || {
            let mut to = Vec::new();
            hand_on(&sent[..], &mut to, &batches, |_, _| {}).await.unwrap();
            String::from_utf8(to).unwrap()
        };
        assert_eq!(stands_for(hand().await.as_bytes()), (Some(Unread::NoBatch), Value::Null));
        batches.agree("2025-03-26");
        let lines = hand().await;
        assert_eq!(lines.lines().count(), 2, "{lines}");
        assert!(lines.contains("ping") && lines.contains("initialized"), "{lines}");
    }
}
