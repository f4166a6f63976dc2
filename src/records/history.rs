//! Where values come from: `provenance.jsonl`, a line for every cell that was written, and none that is ever changed.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where a value comes from that somebody has sent.
pub const SENT: &str = "upsert";
/// Where a value of a derived field comes from that somebody has sent: it is not made anew.
pub const OVERRIDDEN: &str = "human_override";
/// What is said of a record that was removed.
pub const REMOVED: &str = "delete";
/// The field of what is said of a whole record.
pub const WHOLE: &str = "*";

/// What was done to a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The key of the record.
    pub record_id: Value,
    /// The field.
    pub field: String,
    /// Where the value comes from.
    pub source: String,
    /// Who has written it.
    pub actor: String,
    /// When: UTC, to the second.
    pub at: String,
    /// What else is known of it.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A key as a history has it: that of a number may be written as a text.
pub fn id_text(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

/// The lines of events, as they are added.
pub fn lines(events: &[Event]) -> String {
    let line = |event: &Event| serde_json::to_string(event).map(|line| in_one_line(line) + "\n").unwrap_or_default();
    events.iter().map(line).collect()
}

/// JSON without the letters that Python takes for the end of a line (`str.splitlines`): Folio reads lines so. They stand in texts
/// alone, where they may be written in another way.
pub(super) fn in_one_line(json: String) -> String {
    const ENDS: [(char, &str); 3] = [('\u{85}', "\\u0085"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")];
    match json.contains(ENDS.map(|(letter, _)| letter)) {
        true => ENDS.into_iter().fold(json, |json, (letter, escaped)| json.replace(letter, escaped)),
        false => json,
    }
}

/// The events of a file, in their order, with the number of each line that is none.
pub fn read(text: &str) -> (Vec<Event>, Vec<usize>) {
    let (mut events, mut broken) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(event) => events.push(event),
            Err(_) => broken.push(at + 1),
        }
    }
    (events, broken)
}
