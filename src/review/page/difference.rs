//! The difference of two texts: line by line, and word by word in the lines that differ.

use super::pieces::{self, Piece};
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// How many unchanged lines are shown around a change.
const CONTEXT: usize = 3;
/// The fewest unchanged lines that are folded.
const LEAST_FOLDED: usize = 4;
/// The most words of changed lines that are compared with each other: the time grows with their square.
const MAX_WORDS: usize = 4_000;

/// A run of words of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Run {
    /// Whether they are on this side only.
    pub(super) marked: bool,
    pub(super) pieces: Vec<Piece>,
}

/// A line of one side.
type Line = Vec<Run>;

/// Two lines side by side: an unchanged one is on both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Row {
    pub(super) before: Option<Line>,
    pub(super) after: Option<Line>,
}

/// Rows in a row that are all unchanged, or all not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Block {
    pub(super) changed: bool,
    /// Whether it is far from any change.
    pub(super) folded: bool,
    pub(super) rows: Vec<Row>,
}

/// What is different, and how many lines that are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct Difference {
    pub(super) blocks: Vec<Block>,
    pub(super) removed: usize,
    pub(super) added: usize,
}

impl Difference {
    /// The difference of two texts.
    pub(super) fn of(before: &str, after: &str) -> Difference {
        let (before, after) = (lines(before), lines(after));
        let mut difference = Difference::default();
        for op in capture_diff_slices(Algorithm::Patience, &before, &after) {
            let old = before.get(op.old_range()).unwrap_or_default();
            let new = after.get(op.new_range()).unwrap_or_default();
            if let DiffOp::Equal { .. } = op {
                difference.blocks.push(Block { changed: false, folded: false, rows: same(old) });
            } else {
                difference.removed += old.len();
                difference.added += new.len();
                difference.blocks.push(Block { changed: true, folded: false, rows: changed(old, new) });
            }
        }
        difference.fold();
        difference
    }

    pub(super) fn is_none(&self) -> bool {
        self.removed + self.added == 0
    }

    /// Parts long unchanged blocks, and folds what is not beside a change. A text without changes stays whole.
    fn fold(&mut self) {
        if self.is_none() {
            return;
        }
        let last = self.blocks.len().saturating_sub(1);
        let blocks = std::mem::take(&mut self.blocks);
        for (at, mut block) in blocks.into_iter().enumerate() {
            let (head, tail) = (if at == 0 { 0 } else { CONTEXT }, if at == last { 0 } else { CONTEXT });
            let count = block.rows.len();
            if block.changed || count < head + tail + LEAST_FOLDED {
                self.blocks.push(block);
                continue;
            }
            let end = block.rows.split_off(count - tail);
            let middle = block.rows.split_off(head);
            let parts = [(block.rows, false), (middle, true), (end, false)];
            let kept = parts.into_iter().filter(|(rows, _)| !rows.is_empty());
            self.blocks.extend(kept.map(|(rows, folded)| Block { changed: false, folded, rows }));
        }
    }
}

/// The lines of a text, with what stands before their ends: another kind of line end is a difference too.
fn lines(text: &str) -> Vec<&str> {
    if text.is_empty() {
        return Vec::new();
    }
    text.strip_suffix('\n').unwrap_or(text).split('\n').collect()
}

fn same(lines: &[&str]) -> Vec<Row> {
    let row = |line: &&str| {
        let line = vec![Run { marked: false, pieces: pieces::pieces_of(line) }];
        Row { before: Some(line.clone()), after: Some(line) }
    };
    lines.iter().map(row).collect()
}

fn changed(old: &[&str], new: &[&str]) -> Vec<Row> {
    let (mut old, mut new) = marked(old, new);
    let count = old.len().max(new.len());
    old.resize(count, None);
    new.resize(count, None);
    old.into_iter().zip(new).map(|(before, after)| Row { before, after }).collect()
}

/// The lines with the words marked that only they have. Where hardly a word is the same, none is.
fn marked(old: &[&str], new: &[&str]) -> (Vec<Option<Line>>, Vec<Option<Line>>) {
    let (old_text, new_text) = (old.join("\n"), new.join("\n"));
    let (old_words, new_words) = (words(&old_text), words(&new_text));
    let mut sides = (Marker::default(), Marker::default());
    let is_small = old_words.len().max(new_words.len()) <= MAX_WORDS;
    let ops = if is_small && !old.is_empty() && !new.is_empty() {
        capture_diff_slices(Algorithm::Myers, &old_words, &new_words)
    } else {
        Vec::new()
    };
    let length = |words: &[&str]| words.iter().map(|word| word.trim().len()).sum::<usize>();
    let equal = |op: &&DiffOp| matches!(op, DiffOp::Equal { .. });
    let alike: usize =
        ops.iter().filter(equal).map(|op| length(old_words.get(op.old_range()).unwrap_or_default())).sum();
    if ops.is_empty() || alike * 3 < length(&old_words).min(length(&new_words)) {
        sides.0.push(&old_words, false);
        sides.1.push(&new_words, false);
    } else {
        for (at, op) in ops.iter().enumerate() {
            let old = old_words.get(op.old_range()).unwrap_or_default();
            let new = new_words.get(op.new_range()).unwrap_or_default();
            let is_between = at > 0 && at + 1 < ops.len();
            let marked = !equal(&op) || is_between && is_small_sign(old);
            sides.0.push(old, marked);
            sides.1.push(new, marked);
        }
    }
    (sides.0.finish(old.len()), sides.1.finish(new.len()))
}

/// Whether words are but a blank or two signs in one line: between changed words they would only dazzle.
fn is_small_sign(words: &[&str]) -> bool {
    let is_sign = |word: &&str| *word != "\n" && !word.contains(char::is_alphanumeric);
    words.iter().all(is_sign) && words.iter().map(|word| word.trim().len()).sum::<usize>() <= 2
}

/// The words of a text: names and numbers, blanks, line ends, and every other sign by itself.
fn words(text: &str) -> Vec<&str> {
    #[derive(PartialEq)]
    enum Kind {
        Name,
        Blank,
        Sign,
    }
    let kind = |c: char| match c {
        '\n' => Kind::Sign,
        c if c.is_alphanumeric() || c == '_' => Kind::Name,
        c if c.is_whitespace() => Kind::Blank,
        _ => Kind::Sign,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut last: Option<Kind> = None;
    for (at, c) in text.char_indices() {
        let here = kind(c);
        if at > start && (here == Kind::Sign || last.as_ref() != Some(&here)) {
            words.extend(text.get(start..at));
            start = at;
        }
        last = Some(here);
    }
    words.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    words
}

/// Puts words back into lines.
#[derive(Default)]
struct Marker {
    lines: Vec<Vec<(String, bool)>>,
    line: Vec<(String, bool)>,
}

impl Marker {
    fn push(&mut self, words: &[&str], marked: bool) {
        for word in words {
            match self.line.last_mut() {
                _ if *word == "\n" => self.lines.push(std::mem::take(&mut self.line)),
                Some((text, known)) if *known == marked => text.push_str(word),
                _ => self.line.push(((*word).to_owned(), marked)),
            }
        }
    }

    /// So many lines: a text without any has an empty one too many.
    fn finish(mut self, count: usize) -> Vec<Option<Line>> {
        self.lines.push(self.line);
        self.lines.truncate(count);
        let run = |(text, marked): (String, bool)| Run { marked, pieces: pieces::pieces_of(&text) };
        self.lines.into_iter().map(|line| Some(line.into_iter().map(run).collect())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines with `-` and `+` before them, what is marked in brackets, and `…` for what is folded.
    fn drawn(before: &str, after: &str) -> String {
        let text = |line: &Line| -> String {
            let run = |run: &Run| {
                let text: String = run.pieces.iter().map(|piece| piece.text.as_str()).collect();
                if run.marked { format!("[{text}]") } else { text }
            };
            line.iter().map(run).collect()
        };
        let mut out = Vec::new();
        for block in Difference::of(before, after).blocks {
            if block.folded {
                out.push(format!("…{}", block.rows.len()));
                continue;
            }
            for row in &block.rows {
                match block.changed {
                    true => {
                        out.extend(row.before.iter().map(|line| format!("-{}", text(line))));
                        out.extend(row.after.iter().map(|line| format!("+{}", text(line))));
                    }
                    false => out.extend(row.before.iter().map(|line| format!(" {}", text(line)))),
                }
            }
        }
        out.join("\n")
    }

    #[test]
    fn words_that_differ_are_marked_in_lines_that_differ() {
        let before = "SELECT a\nFROM t\nWHERE lower(a.b) = $x";
        let after = "SELECT a\nFROM t\nWHERE upper(a.b) >= $x\n";
        assert_eq!(drawn(before, after), " SELECT a\n FROM t\n-WHERE [lower](a.b) = $x\n+WHERE [upper](a.b) [>]= $x");
        assert_eq!(drawn("one two\n", "drei vier\n"), "-one two\n+drei vier", "nothing is the same");
        assert_eq!(drawn("f(x, '%') y", "f(z, 1) y"), "-f([x, '%']) y\n+f([z, 1]) y", "without islands of signs");
        assert_eq!(drawn("a (big red) dog", "a (small blue) dog"), "-a ([big red]) dog\n+a ([small blue]) dog");
    }

    #[test]
    fn lines_are_removed_added_and_split() {
        assert_eq!(drawn("a\nb\nc", "a\nc"), " a\n-b\n c");
        assert_eq!(drawn("", "a\n\nb"), "+a\n+\n+b");
        assert_eq!(drawn("f(a, b)", "f(a,\n  b)"), "-f(a,[ ]b)\n+f(a,\n+[  ]b)");
        assert_eq!(drawn("a\r\nb", "a\nb"), "-a[\\u{d}]\n+a\n b", "other line ends are seen");
        assert_eq!(
            drawn("all of a\u{200b}b", "all of ab"),
            "-all of [a\\u{200b}b]\n+all of [ab]",
            "and hidden characters"
        );
    }

    #[test]
    fn what_is_far_from_a_change_is_folded() {
        let before: String = (0..20).map(|n| format!("line {n}\n")).collect();
        let after = before.replace("line 10\n", "row 10\n");
        let expected = "…7\n line 7\n line 8\n line 9\n-[line] 10\n+[row] 10\n line 11\n line 12\n line 13\n…6";
        assert_eq!(drawn(&before, &after), expected);
        assert_eq!(drawn(&before, &before).lines().count(), 20, "without a change nothing is folded");
    }

    #[test]
    fn lines_of_very_many_words_are_not_compared_word_by_word() {
        let many = |word: &str| format!("{word} ").repeat(MAX_WORDS);
        assert!(!drawn(&many("a"), &many("a b")).contains('['));
    }
}
