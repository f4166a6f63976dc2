//! What the text of a script says of it, without running it.

/// The words that a script begins with: those of its first text in three quotes, or those behind `# description:`.
pub(crate) fn description_of_script(text: &str) -> Option<String> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix('#') {
            let (line, behind) = comment.split_once('\n').unwrap_or((comment, ""));
            let (key, words) = line.split_once(':').unwrap_or((line, ""));
            if key.trim().eq_ignore_ascii_case("description") && !words.trim().is_empty() {
                return Some(words.trim().to_owned());
            }
            rest = behind;
            continue;
        }
        let quote = ["\"\"\"", "'''"].into_iter().find(|quote| rest.starts_with(quote))?;
        let inside = rest.get(quote.len()..)?;
        let words: Vec<&str> = inside.split_once(quote)?.0.split_whitespace().collect();
        return (!words.is_empty()).then(|| words.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use super::description_of_script;

    #[test]
    fn words_at_the_beginning_describe_it() {
        for (text, words) in [
            ("#!/usr/bin/env python3\n\"\"\"Greets\n  people.\n\"\"\"\nimport x", Some("Greets people.")),
            ("# coding: utf-8\n# Description: Greets.\n", Some("Greets.")),
            ("'''One line.'''", Some("One line.")),
            ("import x\n\"\"\"Late.\"\"\"", None),
            ("", None),
            ("# alone", None),
            ("\"\"\"open", None),
        ] {
            assert_eq!(description_of_script(text).as_deref(), words, "{text}");
        }
    }
}
