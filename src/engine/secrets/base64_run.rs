//! Base64 that stands somewhere in a text: where it begins and in which of its letters is not known.

use std::ops::Range;

/// What holds a secret is longer.
const SHORTEST: usize = 8;
/// How many letters stand for three bytes.
const GROUP: usize = 4;

/// Letters of Base64 behind each other, of either alphabet, also over several lines.
pub(super) struct Base64Run {
    /// What the letters stand for.
    values: Vec<u8>,
    /// Where they stand, with what fills up the end.
    pub(super) place: Range<usize>,
}

impl Base64Run {
    /// The bytes that it stands for, as it may begin with any of its first letters.
    pub(super) fn decoded(&self) -> impl Iterator<Item = Vec<u8>> {
        (0..GROUP).map(|start| {
            let groups = self.values.get(start..).unwrap_or_default().chunks(GROUP);
            groups.flat_map(bytes_of).collect()
        })
    }
}

/// The bytes that up to four letters stand for.
fn bytes_of(group: &[u8]) -> impl Iterator<Item = u8> + use<> {
    let bits = group.iter().fold(0_u32, |bits, value| bits << 6 | u32::from(*value));
    let count = group.len() * 6 / 8;
    let [_, bytes @ ..] = (bits << (6 * (GROUP - group.len()))).to_be_bytes();
    bytes.into_iter().take(count)
}

/// All in a text that are long enough to hold something.
pub(super) fn base64_runs(text: &[u8]) -> impl Iterator<Item = Base64Run> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += text.get(at..)?.iter().position(|byte| value_of(*byte).is_some())?;
            let run = run_at(text, at);
            at = run.place.end;
            if run.values.len() >= SHORTEST {
                return Some(run);
            }
        }
    })
}

fn run_at(text: &[u8], start: usize) -> Base64Run {
    let rest = |at: usize| text.get(at..).unwrap_or_default();
    let (mut values, mut end) = (Vec::new(), start);
    loop {
        let line = rest(end).iter().map_while(|byte| value_of(*byte));
        let before = values.len();
        values.extend(line);
        end += values.len() - before;
        // It goes on in the next line, which may be indented.
        let gap = rest(end).iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let is_new_line = rest(end).iter().take(gap).any(|byte| *byte == b'\n');
        if !is_new_line || rest(end + gap).first().is_none_or(|byte| value_of(*byte).is_none()) {
            break;
        }
        end += gap;
    }
    end += rest(end).iter().take_while(|byte| **byte == b'=').count();
    Base64Run { values, place: start..end }
}

fn value_of(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}
