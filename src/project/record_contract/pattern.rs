//! Patterns of names, as Python's `fnmatch` has them, which Folio holds actors to: `*`, `?`, `[abc]` and `[!abc]`.
//!
//! <https://docs.python.org/3/library/fnmatch.html>

/// Whether a name is one of those that a pattern means.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // The last `*`, and up to where in the name it has been tried.
    let (mut at, mut here, mut star) = (0, 0, None);
    while here < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, here));
                at += 1;
            }
            Some(_) if let Some(next) = end_of_letter(&pattern, at, name.get(here).copied()) => {
                at = next;
                here += 1;
            }
            _ => match star {
                Some((of, tried)) => {
                    star = Some((of, tried + 1));
                    at = of + 1;
                    here = tried + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(|rest| *rest == '*')
}

/// Where the pattern goes on behind what means this letter; `None` where it does not.
fn end_of_letter(pattern: &[char], at: usize, letter: Option<char>) -> Option<usize> {
    let letter = letter?;
    match pattern.get(at)? {
        '?' => Some(at + 1),
        '[' => match class(pattern, at) {
            Some((end, inside)) => inside(letter).then_some(end),
            // One that is not closed is the letter itself.
            None => (letter == '[').then_some(at + 1),
        },
        own => (*own == letter).then_some(at + 1),
    }
}

/// The end of a class, and which letters are in it.
fn class(pattern: &[char], at: usize) -> Option<(usize, impl Fn(char) -> bool)> {
    let is_negated = pattern.get(at + 1) == Some(&'!');
    let start = at + 1 + usize::from(is_negated);
    // A bracket at the beginning is one of the letters.
    let close = (start + 1..pattern.len()).find(|at| pattern.get(*at) == Some(&']'))?;
    let letters: Vec<char> = pattern.get(start..close)?.to_vec();
    let is_inside = move |letter: char| {
        let mut at = 0;
        let mut found = false;
        while let Some(first) = letters.get(at) {
            match (letters.get(at + 1), letters.get(at + 2)) {
                (Some('-'), Some(last)) => {
                    found |= (*first..=*last).contains(&letter);
                    at += 3;
                }
                _ => {
                    found |= *first == letter;
                    at += 1;
                }
            }
        }
        found != is_negated
    };
    Some((close + 1, is_inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_what_they_mean_in_python() {
        // Each as `fnmatch.fnmatchcase` answers.
        for (pattern, name, expected) in [
            ("human:*", "human:ann", true),
            ("human:*", "Human:ann", false),
            ("*", "", true),
            ("", "", true),
            ("?", "", false),
            ("a?c", "abc", true),
            ("a?c", "abbc", false),
            ("*:review*", "agent:reviewer", true),
            ("[ab]x", "bx", true),
            ("[!ab]x", "bx", false),
            ("[!ab]x", "cx", true),
            ("[a-c]x", "bx", true),
            ("[c-a]x", "bx", false),
            ("[a-]x", "-x", true),
            ("[]]x", "]x", true),
            ("[x", "[x", true),
            ("[x", "x", false),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1b2b3", false),
            ("**a", "bba", true),
            ("\\*", "\\x", true),
            ("é*", "éa", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn long_names_take_little_time() {
        let pattern = "*a".repeat(40);
        assert!(!matches(&pattern, &"a".repeat(39)));
        assert!(!matches(&(pattern + "b"), &"a".repeat(2_000)));
    }
}
