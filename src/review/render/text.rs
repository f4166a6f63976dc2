//! Lines of at most 80 characters for a terminal, tool by tool.

use super::lines::wrapped_words;
use super::summary;
use crate::review::change::{Change, Class};
use crate::review::hidden::told_text;

const WIDTH: usize = 80;
/// Where sentences begin: behind the longest class.
const INDENT: usize = 17;

/// The changes, ending in a line break. Colours are those of a terminal's own palette (ECMA-48, SGR).
pub fn text(changes: &[Change], colour: bool) -> String {
    let mut out = String::new();
    let mut tool = None;
    for change in changes {
        if tool != Some(&change.tool) {
            let gap = if tool.is_some() { "\n" } else { "" };
            out.push_str(&format!("{gap}{}\n", painted(&told_text(&change.tool), "1", colour)));
            tool = Some(&change.tool);
        }
        put(change, colour, &mut out);
    }
    if !changes.is_empty() {
        out.push('\n');
    }
    out + &summary(changes) + "\n"
}

fn put(change: &Change, colour: bool, out: &mut String) {
    let class = change.class.to_string();
    let code = match change.class {
        Class::Breaking => "1;31",
        Class::Compatible => "32",
        Class::Documentation => "36",
    };
    let sentence = change.say(&|text| format!("`{}`", told_text(text)));
    let pad = " ".repeat(INDENT.saturating_sub(2 + class.len()));
    let mut lines = wrapped_words(&sentence, WIDTH - INDENT).into_iter();
    let first = lines.next().unwrap_or_default();
    out.push_str(&format!("  {}{pad}{first}\n", painted(&class, code, colour)));
    let blanks = " ".repeat(INDENT);
    for line in lines {
        out.push_str(&format!("{blanks}{line}\n"));
    }
    let rule = change.kind.rule();
    for line in wrapped_words(&format!("{} [{}]", rule.why, rule.code), WIDTH - INDENT) {
        out.push_str(&format!("{blanks}{}\n", painted(&line, "2", colour)));
    }
}

fn painted(text: &str, code: &str, colour: bool) -> String {
    if colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::changes;
    use super::*;

    #[test]
    fn changes_stand_below_their_tools_in_80_columns() {
        let text = text(&changes(), false);
        assert_eq!(
            text,
            "late_flights\n  \
               breaking       Parameter `origin` takes fewer values: `EWR, JFK, LGA` became\n                 \
                              `EWR, JFK`.\n                 \
                              Some values that were accepted are refused.\n                 \
                              [allowed-values-narrowed]\n  \
               breaking       Column `a`b` is now called `b|c`.\n                 \
                              Those who read the old name find nothing. [column-renamed]\n  \
               breaking       The text of `description` has a character that nobody sees:\n                 \
                              `U+200B`.\n                 \
                              An agent reads what a person who reviews it does not.\n                 \
                              [text-hides-characters]\n  \
               documentation  The description was `<b>Flights</b> of @carrier # late` and is\n                 \
                              `Flights<U+200B> <U+001B>[31mof one airline, worst first`.\n                 \
                              Agents may choose the tool more often, or less.\n                 \
                              [description-changed]\n\
             \nroute_summary\n  \
               compatible     Tool `route_summary` was added.\n                 \
                              Nobody calls it yet. [tool-added]\n\
             \n3 breaking changes, 1 compatible, 1 documentation: a major version\n"
        );
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
    }

    #[test]
    fn colours_are_taken_off_again() {
        let coloured = text(&changes(), true);
        let mut bare = coloured.clone();
        for code in ["1;31", "32", "36", "1", "2", "0"] {
            bare = bare.replace(&format!("\u{1b}[{code}m"), "");
        }
        assert_ne!(coloured, bare);
        assert_eq!(bare, text(&changes(), false));
    }
}
