//! Literals of Python as JSON, read and never run: what a script says of its own parameters stands in one.

use serde_json::{Map, Number, Value};

/// The deepest nesting that is read.
const DEEPEST: usize = 32;

/// The literal that a text begins with; `None` where it begins with something else, such as a call or a name.
pub(super) fn literal(text: &str) -> Option<Value> {
    Reader { rest: text }.value(DEEPEST)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        self.skip();
        let first = self.rest.chars().next()?;
        match first {
            '{' => self.dict(depth),
            '[' => self.list(']', depth).map(Value::Array),
            '(' => self.bracket(depth),
            '\'' | '"' => self.texts().map(Value::String),
            'r' | 'R' if self.rest.get(1..).is_some_and(|rest| rest.starts_with(['\'', '"'])) => {
                self.texts().map(Value::String)
            }
            '-' | '0'..='9' => self.number(),
            _ => [("True", Value::Bool(true)), ("False", Value::Bool(false)), ("None", Value::Null)]
                .into_iter()
                .find(|(word, _)| self.take_word(word))
                .map(|(_, value)| value),
        }
    }

    fn dict(&mut self, depth: usize) -> Option<Value> {
        let mut map = Map::new();
        self.take("{");
        while !self.take("}") {
            let Value::String(key) = self.value(depth)? else { return None };
            if !self.take(":") {
                return None;
            }
            let value = self.value(depth)?;
            map.insert(key, value);
            self.comma('}')?;
        }
        Some(Value::Object(map))
    }

    fn list(&mut self, close: char, depth: usize) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        self.rest = self.rest.get(1..)?;
        loop {
            self.skip();
            if let Some(rest) = self.rest.strip_prefix(close) {
                self.rest = rest;
                return Some(items);
            }
            items.push(self.value(depth)?);
            self.comma(close)?;
        }
    }

    /// What stands in round brackets: a value, or a tuple.
    fn bracket(&mut self, depth: usize) -> Option<Value> {
        let before = self.rest;
        let mut items = self.list(')', depth)?;
        let length = before.len() - self.rest.len();
        let inside = before.get(1..length - 1).unwrap_or_default();
        match (items.len(), inside.trim_end().ends_with(',')) {
            (1, false) => items.pop(),
            _ => Some(Value::Array(items)),
        }
    }

    /// Texts one behind the other are one text.
    fn texts(&mut self) -> Option<String> {
        let mut whole = String::new();
        loop {
            let is_raw = self.rest.starts_with(['r', 'R']);
            self.rest = self.rest.get(usize::from(is_raw)..)?;
            whole.push_str(&self.text(is_raw)?);
            self.skip();
            let is_next = |text: &str| text.starts_with(['\'', '"']);
            if !is_next(self.rest) && !self.rest.strip_prefix(['r', 'R']).is_some_and(is_next) {
                return Some(whole);
            }
        }
    }

    fn text(&mut self, is_raw: bool) -> Option<String> {
        let quote = ["'''", "\"\"\"", "'", "\""].into_iter().find(|quote| self.rest.starts_with(quote))?;
        self.rest = self.rest.get(quote.len()..)?;
        let mut text = String::new();
        loop {
            if let Some(rest) = self.rest.strip_prefix(quote) {
                self.rest = rest;
                return Some(text);
            }
            let letter = self.next()?;
            match letter {
                '\n' if quote.len() == 1 => return None,
                '\\' if is_raw => text.extend(['\\', self.next()?]),
                '\\' => self.escape(&mut text)?,
                _ => text.push(letter),
            }
        }
    }

    fn escape(&mut self, text: &mut String) -> Option<()> {
        let letter = self.next()?;
        let digits = match letter {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let escaped = match letter {
            '\n' => return Some(()),
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '\\' | '\'' | '"' => letter,
            _ if digits > 0 => {
                let code = self.rest.get(..digits)?;
                self.rest = self.rest.get(digits..)?;
                char::from_u32(u32::from_str_radix(code, 16).ok()?)?
            }
            other => {
                text.push('\\');
                other
            }
        };
        text.push(escaped);
        Some(())
    }

    fn number(&mut self) -> Option<Value> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '+' | '.' | '_'));
        let (text, rest) = self.rest.split_at_checked(end.unwrap_or(self.rest.len()))?;
        let text = text.replace('_', "");
        self.rest = rest;
        match text.parse::<i64>() {
            Ok(whole) => Some(whole.into()),
            Err(_) => Number::from_f64(text.parse().ok()?).map(Value::Number),
        }
    }

    /// A comma, unless what is open closes here.
    fn comma(&mut self, close: char) -> Option<()> {
        (self.take(",") || self.rest.starts_with(close)).then_some(())
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '('));
        self.rest.strip_prefix(word).is_some_and(is_end) && self.take(word)
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = self.rest.get(letter.len_utf8()..)?;
        Some(letter)
    }

    /// Spaces, ends of lines and comments.
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.strip_prefix('#') {
                Some(comment) => self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest),
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn literals_are_read() {
        for (text, value) in [
            ("{'a': 1, \"b\": [True, False, None,],} + more", json!({"a": 1, "b": [true, false, null]})),
            (
                "{ # said\n 'a': ('x'\n   \"y\"), 'b': (1, 2), 'c': ('z',) }",
                json!({"a": "xy", "b": [1, 2], "c": ["z"]}),
            ),
            ("'it\\'s\\n\\u00e9\\d'", json!("it's\né\\d")),
            ("r'\\d+'", json!("\\d+")),
            ("\"\"\"two\nlines \"quoted\" \"\"\"", json!("two\nlines \"quoted\" ")),
            ("-1_000", json!(-1000)),
            ("2.5e3", json!(2500.0)),
            ("{}", json!({})),
        ] {
            assert_eq!(literal(text), Some(value), "{text}");
        }
        for text in
            ["name", "f'x'", "{'a': b}", "{a: 1}", "[1, x()]", "{'a' 1}", "'open", "Trueish", "", &"[".repeat(100)]
        {
            assert_eq!(literal(text), None, "{text}");
        }
    }
}
