//! Plain text as Markdown that shows just that text (CommonMark 0.31, <https://spec.commonmark.org/0.31.2/>, and tables
//! of GitHub Flavored Markdown).

/// A text of one or more lines. Lines stay lines of the source; a blank at either end stays one.
pub(super) fn text(text: &str) -> String {
    let lines: Vec<String> = lines(text).map(line).collect();
    let lines = lines.join("\n");
    let is_blank = |c: char| c == ' ';
    let before = if text.starts_with(is_blank) { " " } else { "" };
    let after = if text.ends_with(is_blank) && !lines.is_empty() { " " } else { "" };
    format!("{before}{lines}{after}")
}

/// A text in a cell of a table: one line.
pub(super) fn cell(text: &str) -> String {
    let lines: Vec<String> = lines(text).map(line).collect();
    lines.join("<br>").trim_end_matches("<br>").to_owned()
}

/// Inline code. Line breaks become blanks; of an empty text nothing is left.
pub(super) fn code(text: &str) -> String {
    let text: Vec<&str> = lines(text).collect();
    let text = text.join(" ");
    if text.is_empty() {
        return text;
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    // One blank on both sides is taken away again, if there is anything else.
    let blank = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let blank = if blank && !text.trim().is_empty() { " " } else { "" };
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

/// Inline code in a cell: the table is cut into cells before code is looked for.
pub(super) fn cell_code(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// A block of code.
pub(super) fn fence(text: &str, language: &str) -> String {
    let ticks = "`".repeat(longest_run(text).max(2) + 1);
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{ticks}{language}\n{text}{end}{ticks}")
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Blanks in front would make it code, and two behind a line break.
fn line(text: &str) -> String {
    let text = text.trim();
    let mut out = String::with_capacity(text.len() + 8);
    out.push_str(marker_escape(text));
    let mut before = ' ';
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let after = characters.peek().map_or(' ', |(_, after)| *after);
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // Inside of a word it is no emphasis.
            '_' if before.is_alphanumeric() && after.is_alphanumeric() => out.push(c),
            // A brace twice is a directive to those who make books of Markdown.
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '{' | '$' => out.extend(['\\', c]),
            '.' | ')' if after == ' ' && is_number(text.get(..at)) => out.extend(['\\', c]),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// What goes before a line that would begin a heading, a list, a rule or the underline of a heading.
fn marker_escape(line: &str) -> &'static str {
    let rest = line.trim_start_matches('#');
    let is_heading = rest.len() < line.len() && (rest.is_empty() || rest.starts_with(' '));
    let is_item =
        |marker: char| line.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', marker]));
    if is_heading || is_item('-') || is_item('+') || line.starts_with('=') { "\\" } else { "" }
}

/// Whether the text is the number of a list item, up to its dot or bracket.
fn is_number(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_markdown_or_html_is_text() {
        assert_eq!(
            text("# a\n- b\n1. c\n    d\n---\n==\n1.5 -2 #3"),
            "\\# a\n\\- b\n1\\. c\nd\n\\---\n\\==\n1.5 -2 #3"
        );
        assert_eq!(text("-1, ") + &text("#2"), "-1, #2");
        assert_eq!(text("a_b _c_ *d* [e](f) `g` \\"), "a_b \\_c\\_ \\*d\\* \\[e\\](f) \\`g\\` \\\\");
        assert_eq!(text("<img src=x> &amp; {{#include x}}"), "&lt;img src=x&gt; &amp;amp; \\{\\{#include x}}");
        assert_eq!(cell("a|b\r\nc\n"), "a\\|b<br>c");
    }

    #[test]
    fn code_is_fenced_by_more_backticks_than_it_has() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("`a``b"), "``` `a``b ```");
        assert_eq!(cell_code("a|b"), "`a\\|b`");
        assert_eq!(code("  "), "`  `");
        assert_eq!(fence("a ``` b", "json"), "````json\na ``` b\n````");
    }
}
