//! Batches: several messages as one JSON array. Revision 2025-03-26 of the protocol has them, and no other; a server of it
//! must take them.

use rmcp::model::ProtocolVersion;
use serde_json::value::RawValue;

/// More messages than that are no batch. Each may be a call.
pub(super) const MOST: usize = 100;

/// What is said of a message that begins a connection: a client has none yet that knows whether it may send batches.
pub(super) const BEGINS: &str = "`initialize` is no part of a batch";

/// Whether clients of a revision may send batches.
pub(super) fn is_of_revision(version: &str) -> bool {
    version == ProtocolVersion::V_2025_03_26.as_str()
}

/// Whether a text is an array, or begins as one.
pub(super) fn is_array(text: &[u8]) -> bool {
    text.trim_ascii_start().first() == Some(&b'[')
}

/// The messages of a batch, each as it was sent; `None` where the text is none, is empty, or has too many.
pub(super) fn messages(text: &[u8]) -> Option<Vec<&[u8]>> {
    let items: Vec<&RawValue> = serde_json::from_slice(text).ok()?;
    let is_fitting = (1..=MOST).contains(&items.len());
    is_fitting.then(|| items.into_iter().map(|item| item.get().as_bytes()).collect())
}

/// Why an array is not taken.
pub(super) fn refusal(is_of_revision: impl FnOnce() -> bool) -> String {
    match is_of_revision() {
        true => format!("a batch has 1 to {MOST} messages"),
        false => "batches are of revision 2025-03-26 alone: send each message by itself".to_owned(),
    }
}

/// The answers of a batch as one message.
pub(super) fn answer(answers: &[String]) -> String {
    format!("[{}]", answers.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_as_they_were_sent() {
        let read = |text: &str| {
            let messages = messages(text.as_bytes())?;
            Some(messages.into_iter().map(|one| String::from_utf8_lossy(one).into_owned()).collect::<Vec<_>>())
        };
        let same = r#"{"a":1,"a":2}"#;
        assert_eq!(read(&format!(" [ {same} ,7]")), Some(vec![same.to_owned(), "7".to_owned()]));
        let many = format!("[{}1]", "1,".repeat(MOST));
        for text in ["[]", "{}", "[1", "", "[1,]", many.as_str()] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(is_array(b" [1") && !is_array(b"{}") && !is_array(b""));
        assert!(is_of_revision("2025-03-26") && !is_of_revision("2025-06-18") && !is_of_revision("2024-11-05"));
    }
}
