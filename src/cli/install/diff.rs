//! What would change in a file, line by line, as people read it.

use annotate_snippets::normalize_untrusted_str;
use clap::builder::styling::{AnsiColor, Style};
use similar::{ChangeTag, TextDiff};
use std::fmt::Write;
use std::path::Path;

/// A configuration in one line is shown to here.
const MAX_WIDTH: usize = 300;

/// The difference in the usual form, in colours. What stands in the file cannot steer the terminal.
pub(super) fn shown_diff(path: &Path, before: &str, after: &str) -> String {
    let path = normalize_untrusted_str(&path.display().to_string());
    let bold = Style::new().bold();
    let mut text = format!("{bold}--- {path}{bold:#}\n{bold}+++ {path}{bold:#}\n");
    let diff = TextDiff::from_lines(before, after);
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        let cyan = AnsiColor::Cyan.on_default();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{cyan}{}{cyan:#}", hunk.header());
        for change in hunk.iter_changes() {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ('-', AnsiColor::Red.on_default()),
                ChangeTag::Insert => ('+', AnsiColor::Green.on_default()),
                ChangeTag::Equal => (' ', Style::new()),
            };
            let _ = writeln!(text, "{style}{sign}{}{style:#}", line(change.value()));
        }
    }
    text
}

fn line(text: &str) -> String {
    let text = normalize_untrusted_str(text.trim_end_matches(['\r', '\n']));
    match text.char_indices().nth(MAX_WIDTH) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_near_a_change_are_shown() {
        let before: String = (0..20).map(|line| format!("{line}\r\n")).collect();
        let text =
            anstream::adapter::strip_str(&shown_diff(Path::new("a"), &before, &before.replace("10\r\n", "x\r\n")))
                .to_string();
        assert_eq!(text, "--- a\n+++ a\n@@ -8,7 +8,7 @@\n 7\n 8\n 9\n-10\n+x\n 11\n 12\n 13\n");
    }

    #[test]
    fn a_file_cannot_steer_the_terminal_or_flood_it() {
        let text = shown_diff(Path::new("a"), "", &format!("\u{1b}[2J\u{202e}{}", "a".repeat(10_000)));
        assert!(!text.contains("\u{1b}[2J") && !text.contains('\u{202e}'));
        assert!(text.len() < 2_000);
    }
}
