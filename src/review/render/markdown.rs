//! Markdown for a comment on a pull request (GitHub Flavored Markdown, <https://github.github.com/gfm/>).
//!
//! Names and values are somebody's text: they stand in code spans, where nothing is a link, a mention, HTML or a column
//! of the table, and characters that nobody sees are told by their number.

use super::{CLASSES, summary};
use crate::review::change::{Change, Class};
use crate::review::hidden::told_text;

/// Comments end at 65536 characters; more changes than fit are counted.
const MAX_LENGTH: usize = 60_000;

/// The comment: a line that says it all, then a table per class; what breaks nothing is folded.
pub fn markdown(changes: &[Change]) -> String {
    let (first, version) = summary(changes).split_once(": ").map_or_else(
        || ("No changes of tools.".to_owned(), String::new()),
        |(counts, version)| (counts.to_owned(), format!(": **{version}**")),
    );
    let mut out = format!("### Contract of the tools\n\n{first}{version}\n");
    for class in CLASSES {
        let of_class: Vec<&Change> = changes.iter().filter(|change| change.class == class).collect();
        if !of_class.is_empty() {
            section(class, &of_class, &mut out);
        }
    }
    out
}

fn section(class: Class, changes: &[&Change], out: &mut String) {
    let title = match class {
        Class::Breaking => "Breaking",
        Class::Compatible => "Compatible",
        Class::Documentation => "Documentation",
    };
    let is_folded = class != Class::Breaking;
    match is_folded {
        true => out.push_str(&format!("\n<details>\n<summary>{title} ({})</summary>\n\n", changes.len())),
        false => out.push_str(&format!("\n#### {title} ({})\n\n", changes.len())),
    }
    out.push_str("| Tool | For | Change | What it means |\n| --- | --- | --- | --- |\n");
    for (at, change) in changes.iter().enumerate() {
        let row = row(change);
        if out.len() + row.len() > MAX_LENGTH {
            out.push_str(&format!("| | | {} more | |\n", changes.len() - at));
            break;
        }
        out.push_str(&row);
    }
    if is_folded {
        out.push_str("\n</details>\n");
    }
}

fn row(change: &Change) -> String {
    let (sentence, why) = (change.say(&code), change.kind.rule().why);
    format!("| {} | {} | {sentence}<br>`{}` | {why} |\n", code(&change.tool), change.audience, change.kind)
}

/// A text as a code span in a cell of a table.
fn code(text: &str) -> String {
    // A bar behind a backslash ends the cell, however it is escaped.
    if text.contains("\\|") {
        return html(text);
    }
    // A table ends its cells before it reads spans, and takes this for the sign itself.
    let shown = told_text(text).replace('|', "\\|");
    // A span opens and closes with more backticks in a row than there are in it.
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let is_bare = !shown.is_empty() && !shown.starts_with(['`', ' ']) && !shown.ends_with(['`', ' ']);
    if is_bare { format!("{fence}{shown}{fence}") } else { format!("{fence} {shown} {fence}") }
}

/// The same where a span will not do: every sign by its number.
fn html(text: &str) -> String {
    let one = |c: char| if c.is_ascii_punctuation() { format!("&#{};", u32::from(c)) } else { c.to_string() };
    format!("<code>{}</code>", told_text(text).chars().map(one).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::super::tests::changes;
    use super::*;

    #[test]
    fn nothing_of_what_was_written_is_more_than_text() {
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("`a`` b"), "``` `a`` b ```");
        assert_eq!(code("a\nb\u{200b}"), "`a b<U+200B>`");
        assert_eq!(code(""), "`  `");
        assert_eq!(code("a\\|<b>"), "<code>a&#92;&#124;&#60;b&#62;</code>");
        assert_eq!(
            markdown(&changes()),
            "### Contract of the tools\n\n\
             3 breaking changes, 1 compatible, 1 documentation: **a major version**\n\n\
             #### Breaking (3)\n\n\
             | Tool | For | Change | What it means |\n| --- | --- | --- | --- |\n\
             | `late_flights` | callers | Parameter `origin` takes fewer values: \
             `EWR, JFK, LGA` became `EWR, JFK`.<br>`allowed-values-narrowed` | \
             Some values that were accepted are refused. |\n\
             | `late_flights` | readers | Column ``a`b`` is now called `b\\|c`.<br>`column-renamed` | \
             Those who read the old name find nothing. |\n\
             | `late_flights` | behaviour | The text of `description` has a character that nobody \
             sees: `U+200B`.<br>`text-hides-characters` | An agent reads what a person who reviews it does not. |\n\
             \n<details>\n<summary>Compatible (1)</summary>\n\n\
             | Tool | For | Change | What it means |\n| --- | --- | --- | --- |\n\
             | `route_summary` | callers | Tool `route_summary` was added.<br>`tool-added` | Nobody calls it yet. |\n\
             \n</details>\n\
             \n<details>\n<summary>Documentation (1)</summary>\n\n\
             | Tool | For | Change | What it means |\n| --- | --- | --- | --- |\n\
             | `late_flights` | documentation | The description was \
             `<b>Flights</b> of @carrier # late` and is \
             `Flights<U+200B> <U+001B>[31mof one airline, worst first`.<br>`description-changed` | \
             Agents may choose the tool more often, or less. |\n\
             \n</details>\n"
        );
        assert_eq!(markdown(&[]), "### Contract of the tools\n\nNo changes of tools.\n");
    }

    #[test]
    fn a_comment_does_not_grow_beyond_what_is_taken() {
        let many: Vec<Change> = std::iter::repeat_with(changes).take(2_000).flatten().collect();
        let text = markdown(&many);
        assert!(text.len() < 65_536, "{}", text.len());
        assert!(text.contains(" more |"), "what is left out is counted");
    }
}
