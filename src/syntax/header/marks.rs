//! The marks that a header stands between, and what is taken for them.

/// What a header begins with.
pub(super) const OPEN: &str = "/*---";
/// What it ends with.
pub(super) const CLOSE: &str = "---*/";

/// Hyphens, the dashes that programs make of them, and the marks of other formats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Dashes {
    pub(super) bytes: usize,
    /// In hyphens.
    pub(super) count: usize,
}

/// How many hyphens a character stands for.
pub(super) fn dash(c: char) -> usize {
    match c {
        '-' | '=' | '+' | '~' => 1,
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ad}' => 3,
        _ => 0,
    }
}

/// Those that characters begin with.
pub(super) fn dashes(characters: impl Iterator<Item = char>) -> Dashes {
    let run = characters.take_while(|c| dash(*c) > 0);
    run.fold(Dashes::default(), |sum, c| Dashes { bytes: sum.bytes + c.len_utf8(), count: sum.count + dash(c) })
}

/// Those that a text ends with.
pub(super) fn dashes_at_end(text: &str) -> Dashes {
    dashes(text.chars().rev())
}
