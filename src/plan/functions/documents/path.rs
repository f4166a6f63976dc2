//! Where something is in a document: a key, a path such as `$.lines[0].name`, or a pointer such as `/lines/0/name`.

use datafusion::common::{Result, exec_err};
use std::str::Chars;

/// What is said of a text that is no path.
pub(crate) const NO_PATH: &str = "is no path: a path is written as in $.lines[0].name";

/// One step into a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// The value of a key.
    Key(String),
    /// The item of that number, counted from 0; from the end where it is negative.
    Item(i64),
    /// Of an object the value of the key, of a list the item of the number that it is.
    KeyOrItem(String),
}

/// The steps that a text stands for. One that begins with neither `$` nor `/` is a key as a whole.
pub(super) fn steps(text: &str) -> Result<Vec<Step>> {
    if let Some(path) = text.strip_prefix('$') {
        return Path(path.chars()).steps(text);
    }
    if let Some(pointer) = text.strip_prefix('/') {
        let step = |part: &str| Step::KeyOrItem(part.replace("~1", "/").replace("~0", "~"));
        return Ok(pointer.split('/').map(step).collect());
    }
    Ok(vec![Step::Key(text.to_owned())])
}

/// What is left to read of a path.
struct Path<'a>(Chars<'a>);

impl Path<'_> {
    fn steps(mut self, whole: &str) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        while let Some(sign) = self.0.next() {
            let step = match sign {
                '.' => self.key(),
                '[' => self.brackets(),
                _ => None,
            };
            match step {
                Some(step) => steps.push(step),
                None => return exec_err!("`{whole}` {NO_PATH}"),
            }
        }
        Ok(steps)
    }

    /// `name` or `"a name"`, behind a dot.
    fn key(&mut self) -> Option<Step> {
        if self.0.as_str().starts_with('"') {
            self.0.next();
            return self.quoted('"').map(Step::Key);
        }
        let rest = self.0.as_str();
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (key, behind) = rest.split_at_checked(end)?;
        self.0 = behind.chars();
        // Stars, filters and what descends find several values.
        (!key.is_empty() && !key.contains(['*', '?', '"', '\'', ']'])).then(|| Step::Key(key.to_owned()))
    }

    /// `0]`, `-1]`, `#-1]` or `'name']`, behind a bracket.
    fn brackets(&mut self) -> Option<Step> {
        if let Some(quote @ ('"' | '\'')) = self.0.as_str().chars().next() {
            self.0.next();
            let key = self.quoted(quote)?;
            return (self.0.next() == Some(']')).then_some(Step::Key(key));
        }
        let (number, behind) = self.0.as_str().split_once(']')?;
        self.0 = behind.chars();
        let (number, is_from_end) = number.strip_prefix('#').map_or((number, false), |number| (number, true));
        let number: i64 = number.parse().ok()?;
        (!is_from_end || number < 0).then_some(Step::Item(number))
    }

    /// What stands until a quote; `None` where there is none.
    fn quoted(&mut self, quote: char) -> Option<String> {
        let (key, behind) = self.0.as_str().split_once(quote)?;
        self.0 = behind.chars();
        Some(key.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Step {
        Step::Key(name.to_owned())
    }

    #[test]
    fn paths_are_steps() {
        assert_eq!(steps("a.b").unwrap(), [key("a.b")]);
        assert_eq!(steps("").unwrap(), [key("")]);
        assert_eq!(steps("$").unwrap(), []);
        assert_eq!(steps("$.a.b").unwrap(), [key("a"), key("b")]);
        assert_eq!(steps("$.a[0][-1][#-2]").unwrap(), [key("a"), Step::Item(0), Step::Item(-1), Step::Item(-2)]);
        assert_eq!(steps("$.\"a b\"['c.d']").unwrap(), [key("a b"), key("c.d")]);
        let pointer = ["a/b", "0"].map(|part| Step::KeyOrItem(part.to_owned()));
        assert_eq!(steps("/a~1b/0").unwrap(), pointer);
    }

    #[test]
    fn what_finds_several_values_is_no_path() {
        for path in ["$.*", "$..a", "$.a[*]", "$[?(@.a)]", "$a", "$.", "$[", "$[x]", "$.\"a", "$[#1]", "$['a'"] {
            assert!(steps(path).is_err(), "{path}");
        }
    }
}
