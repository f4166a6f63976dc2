//! The strings of the hostile classes.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

/// The classes, as a list of `{"name", "why", "values"}`; a value is a text, `{"base64"}` or `{"repeat": [text, count]}`.
const CLASSES: &str = "tests/hostile/classes.json";
/// Where they are not there.
const STAND_IN: &str = r#"[{"name": "few", "why": "They stand in for the classes.", "values": [
    "", " ", "a", "A", "a ", "a  ", "'", "''", "' OR '1'='1", "'; DROP TABLE Strings; --", "\\", "\\'", "\"", "`", "%", "_",
    "\\%", "?", "?1", ":p", "@p", "$1", "$$", "<< s >>", "[[ AND", "/*", "*/", "--", "\u0000", "a\u0000b", "a\u0000c", "\n",
    "1", "01", "1.0", "1e0", "0x1", "NULL", "true", "x'41'", "rowid", "é", "É", "e\u0301", "\uffff", "\ufffd", "\ufeffa",
    "🙂", {"repeat": ["a", 4096]}, {"repeat": ["'", 1048576]}, {"base64": "/w=="}]}]"#;
/// So many strings of each class go through every place: in the gate, and where more is tried.
const OF_EACH_CLASS: [usize; 2] = [2, 20];

/// How many strings of each class go through every place this time.
pub(super) fn of_each_class() -> Result<usize, Box<dyn Error>> {
    let [few, many] = OF_EACH_CLASS;
    Ok(if super::cases(10)? > 10 { many } else { few })
}

/// The strings that are tried.
#[derive(Default)]
pub(super) struct Strings {
    pub texts: BTreeSet<String>,
    /// Of each class, by its name, the strings that go through every place.
    pub everywhere: BTreeMap<String, Vec<String>>,
    /// How many values are no text.
    pub skipped: usize,
}

impl Strings {
    /// Those of all classes.
    pub(super) fn read() -> Result<Strings, Box<dyn Error>> {
        let classes = classes()?;
        let (mut strings, most) = (Strings::default(), of_each_class()?);
        // In UTF-16, SQLite takes one for the other.
        strings.texts.extend(["\u{ffff}", "\u{fffe}", "\u{fffd}"].map(str::to_owned));
        // As much as the arguments of a call may be.
        strings.texts.insert("'\\".repeat((1 << 19) - 8));
        for class in classes.as_array().into_iter().flatten() {
            let name = class.get("name").and_then(Value::as_str).ok_or("a class has no name")?;
            for value in class.get("values").and_then(Value::as_array).into_iter().flatten() {
                let Some(text) = text(value)? else {
                    strings.skipped += 1;
                    continue;
                };
                let those = strings.everywhere.entry(name.to_owned()).or_default();
                if those.len() < most {
                    those.push(text.clone());
                }
                strings.texts.insert(text);
            }
        }
        Ok(strings)
    }

    /// Those of a few classes, which go through every place.
    pub(super) fn of(&self, classes: &[&str]) -> Strings {
        let named = self.everywhere.iter().filter(|(name, _)| classes.contains(&name.as_str()));
        let everywhere: BTreeMap<_, _> = named.map(|(name, texts)| (name.clone(), texts.clone())).collect();
        Strings { texts: everywhere.values().flatten().cloned().collect(), everywhere, skipped: 0 }
    }
}

fn classes() -> Result<Value, Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(CLASSES);
    let text = if path.exists() { std::fs::read_to_string(path)? } else { STAND_IN.to_owned() };
    Ok(serde_json::from_str(&text)?)
}

/// The values that are no text, as their bytes.
pub(super) fn no_texts() -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let classes = classes()?;
    let values = classes.as_array().into_iter().flatten().filter_map(|class| class.get("values")?.as_array()).flatten();
    let mut found = Vec::new();
    for value in values {
        if let Some(bytes) = value.get("base64").and_then(Value::as_str) {
            let bytes = BASE64_STANDARD.decode(bytes)?;
            // A line ends a message of standard input.
            if std::str::from_utf8(&bytes).is_err() && !bytes.contains(&b'\n') {
                found.push(bytes);
            }
        }
    }
    Ok(found)
}

/// The text of a value; `None` where it is none.
fn text(value: &Value) -> Result<Option<String>, Box<dyn Error>> {
    match (value.as_str(), value.get("base64").and_then(Value::as_str), value.get("repeat")) {
        (Some(text), ..) => Ok(Some(text.to_owned())),
        (_, Some(bytes), _) => Ok(String::from_utf8(BASE64_STANDARD.decode(bytes)?).ok()),
        (_, _, Some(repeat)) => {
            let text = repeat.get(0).and_then(Value::as_str).ok_or("`repeat` has no text")?;
            let count = repeat.get(1).and_then(Value::as_u64).ok_or("`repeat` has no count")?;
            Ok(Some(text.repeat(usize::try_from(count)?)))
        }
        _ => Err(format!("{value} is no value of a class").into()),
    }
}
