//! Text of authors and of data inside of source code: no text can end the literal or the comment that it stands in, or
//! show other code than there is.

use crate::ty::coerce::is_visible;
use serde_json::Value;

/// A string literal, in double quotes, as TypeScript and Python both read it. Characters that are not seen are
/// written as `escape` says.
pub(in crate::emit) fn literal(text: &str, escape: fn(char) -> String) -> String {
    let json = Value::from(text).to_string();
    json.chars().map(|c| if is_seen(c) { c.to_string() } else { escape(c) }).collect()
}

/// The lines of a text, without characters that are not seen and without blanks at the end; empty ones at the beginning
/// and the end are left out.
pub(in crate::emit) fn lines(text: &str) -> Vec<String> {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let spaced = text.replace("\r\n", "\n").replace('\t', " ");
    let clean = |line: &str| line.chars().filter(|c| is_seen(*c)).collect::<String>().trim_end().to_owned();
    let lines: Vec<String> = spaced.split(is_break).map(clean).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    lines.get(first..last).unwrap_or_default().to_vec()
}

/// Whether a character is seen, and shows where it stands.
fn is_seen(c: char) -> bool {
    let is_hidden = matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    is_visible(c) && !is_hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_escaped_in_literals_and_left_out_of_comments() {
        let escape = |c: char| format!("<{:x}>", u32::from(c));
        assert_eq!(literal("a\"\\\n\u{202e}\u{7f}ö", escape), "\"a\\\"\\\\\\n<202e><7f>ö\"");
        assert_eq!(lines("\n a\u{200b}b \r\nc\u{2028}d\re\n\n"), [" ab", "c", "d", "e"]);
        assert_eq!(lines(" \n\t"), Vec::<String>::new());
    }
}
