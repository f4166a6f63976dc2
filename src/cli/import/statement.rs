//! The statements of others with our placeholders: `$1`, `?`, `@name`, `:name` and `{{.name}}` become `<< name >>`. What
//! stands in quotes and comments stays as it is.

/// A parameter of a statement.
pub(super) struct Named<'a> {
    /// The name that the statement has.
    pub theirs: &'a str,
    /// What is written for it.
    pub written: String,
}

/// A statement with the placeholders of qtool.
pub(super) struct Rewritten {
    pub text: String,
    /// What looks like a placeholder and belongs to no parameter.
    pub unknown: Vec<String>,
    /// The parameters that it uses, by their positions.
    pub used: Vec<usize>,
    /// Those of them that are a part of SQL and no value: `{{.name}}`.
    pub spliced: Vec<usize>,
}

/// Rewrites a statement whose parameters are these, in order.
pub(super) fn rewrite(statement: &str, parameters: &[Named<'_>]) -> Rewritten {
    let mut rewriter = Rewriter {
        rest: statement,
        last: ' ',
        parameters,
        next: 0,
        done: Rewritten { text: String::new(), unknown: Vec::new(), used: Vec::new(), spliced: Vec::new() },
    };
    while !rewriter.rest.is_empty() {
        rewriter.step();
    }
    rewriter.done
}

struct Rewriter<'a> {
    rest: &'a str,
    /// The sign before what is left.
    last: char,
    parameters: &'a [Named<'a>],
    /// The parameter of the next `?`.
    next: usize,
    done: Rewritten,
}

impl Rewriter<'_> {
    fn step(&mut self) {
        let skipped = literal(self.rest);
        if skipped > 0 {
            return self.copy(skipped);
        }
        let Some((length, parameter)) = self.placeholder() else {
            return self.copy(self.rest.chars().next().map_or(1, char::len_utf8));
        };
        let Some(at) = parameter.filter(|at| *at < self.parameters.len()) else {
            self.done.unknown.push(self.rest.get(..length).unwrap_or_default().to_owned());
            return self.copy(length);
        };
        if self.rest.starts_with("{{") {
            self.done.spliced.push(at);
        }
        self.done.used.push(at);
        let written = self.parameters.get(at).map(|one| one.written.as_str()).unwrap_or_default();
        self.done.text.push_str(written);
        self.skip(length);
    }

    /// How long the placeholder is that stands here, and the parameter that it is one of.
    fn placeholder(&mut self) -> Option<(usize, Option<usize>)> {
        let rest = self.rest;
        // `a::text` and `name@host` are none, and neither is a part of a word.
        let is_apart = !self.last.is_alphanumeric() && !matches!(self.last, '_' | ':' | '@' | '$' | '?');
        if let Some(inside) = rest.strip_prefix("{{") {
            let end = inside.find("}}")?;
            let name = inside.get(..end)?.trim().trim_start_matches('.');
            return Some((end + 4, self.named(name)));
        }
        let sign = rest.chars().next().filter(|sign| is_apart && matches!(sign, '$' | '?' | '@' | ':'))?;
        let word = word(rest.get(1..)?);
        match sign {
            '?' => {
                self.next += 1;
                Some((1, Some(self.next - 1)))
            }
            _ if word.is_empty() => None,
            '$' | ':' if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some((1 + word.len(), word.parse::<usize>().ok()?.checked_sub(1)))
            }
            '@' => {
                let numbered = word.strip_prefix('p').and_then(|digits| digits.parse::<usize>().ok()?.checked_sub(1));
                Some((1 + word.len(), self.named(word).or(numbered)))
            }
            _ => Some((1 + word.len(), self.named(word))),
        }
    }

    fn named(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|one| one.theirs == name)
    }

    fn copy(&mut self, length: usize) {
        self.done.text.push_str(self.rest.get(..length).unwrap_or_default());
        self.skip(length);
    }

    fn skip(&mut self, length: usize) {
        self.last = self.rest.get(..length).and_then(|gone| gone.chars().next_back()).unwrap_or(' ');
        self.rest = self.rest.get(length..).unwrap_or_default();
    }
}

/// How long the text, name or comment is that stands here; 0 where there is none.
pub(super) fn literal(rest: &str) -> usize {
    let until = |open: usize, close: &str| {
        let inside = rest.get(open..).unwrap_or_default();
        inside.find(close).map_or(rest.len(), |at| open + at + close.len())
    };
    match rest.as_bytes() {
        [b'\'', ..] => until(1, "'"),
        [b'"', ..] => until(1, "\""),
        [b'`', ..] => until(1, "`"),
        [b'-', b'-', ..] => until(2, "\n"),
        [b'/', b'*', ..] => until(2, "*/"),
        _ => 0,
    }
}

/// The letters, digits and `_` that a text begins with.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(statement: &str) -> String {
        let parameters = ["city", "least"].map(|name| Named { theirs: name, written: format!("<< {name} >>") });
        rewrite(statement, &parameters).text
    }

    #[test]
    fn every_spelling_becomes_a_placeholder() {
        for (theirs, ours) in [
            ("a = $1 AND b > $2", "a = << city >> AND b > << least >>"),
            ("a = ? AND b > ?", "a = << city >> AND b > << least >>"),
            ("b > $2 AND a = $1 OR a = $1", "b > << least >> AND a = << city >> OR a = << city >>"),
            ("a = @city AND b > @p2", "a = << city >> AND b > << least >>"),
            ("a = :city AND b > :2", "a = << city >> AND b > << least >>"),
            ("$1::text || x::int", "<< city >>::text || x::int"),
            ("a = '$1 ? @city' -- ? \n AND \"b?\" > $2", "a = '$1 ? @city' -- ? \n AND \"b?\" > << least >>"),
            ("ORDER BY {{.least}}", "ORDER BY << least >>"),
            ("'it''s' = ?", "'it''s' = << city >>"),
            ("name@host, a$1, é = ?", "name@host, a$1, é = << city >>"),
        ] {
            assert_eq!(rewritten(theirs), ours);
        }
    }

    #[test]
    fn what_no_parameter_fills_is_told() {
        let parameters = [Named { theirs: "city", written: "<< city >>".to_owned() }];
        assert_eq!(rewrite("a = ? AND b = ? AND c = @other", &parameters).unknown, ["?", "@other"]);
        assert_eq!(rewrite("ORDER BY {{.city}}", &parameters).spliced, [0]);
    }
}
