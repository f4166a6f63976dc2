//! Variables of the environment in `qtool.yaml`: `${DATA}` and `${DATA:-data}` in paths and addresses.
//!
//! Nowhere else: no variable becomes SQL, a name or a limit. Secrets are named by keys that end in `_env`, and read where
//! they are needed. What a variable stands for is no part of a bundle: that has the text as it is written, and the server
//! fills it in when it starts.

use super::{ProjectFile, SourceConfig};
use serde_json::Value;
use url::Url;

/// The keys whose texts are paths and addresses; `*` stands for any name or place in a list.
const PLACES: [&[&str]; 16] = [
    &["sources", "*", "path"],
    &["sources", "*", "host"],
    &["sources", "*", "database"],
    &["sources", "*", "user"],
    &["sources", "*", "tls", "ca"],
    &["sources", "*", "tls", "cert"],
    &["tables", "*", "path"],
    &["records", "*", "path"],
    &["roots", "*"],
    &["audit", "to"],
    &["http", "allowed_hosts", "*"],
    &["http", "allowed_origins", "*"],
    &["auth", "resource"],
    &["auth", "authorization_servers", "*", "issuer"],
    &["auth", "authorization_servers", "*", "jwks_url"],
    &["package", "image"],
];
/// The keys whose texts are secret, and are filled in where they are needed: no file and no message has them.
const FILLED_LATER: [&[&str]; 4] = [
    &["upstreams", "*", "env", "*"],
    &["upstreams", "*", "headers", "*"],
    &["upstreams", "*", "auth", "bearer"],
    &["records", "*", "derived", "*", "ai", "key"],
];
/// The keys whose texts are read by people and models, and may show what a variable looks like.
const WORDS: [&str; 9] =
    ["description", "pattern", "examples", "allowed_values", "choices", "default", "fixed", "environments", "meta"];
/// What the names of variables have in them that hold secrets.
const SECRETS: [&str; 13] = [
    "SECRET",
    "TOKEN",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "PASS",
    "PWD",
    "KEY",
    "APIKEY",
    "CREDENTIAL",
    "CREDENTIALS",
    "SAS",
    "DSN",
];

/// What the names of variables end in that hold secrets, also behind other words: `MYTOKEN`.
const ENDINGS: [&str; 3] = ["SECRET", "TOKEN", "PASSWORD"];

/// What is wrong with a text that variables are filled into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableFlaw {
    /// The keys that lead to it.
    pub at: Vec<String>,
    /// Why.
    pub why: String,
    /// What to do.
    pub help: Option<String>,
}

/// The value of a variable, where it is set.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

impl ProjectFile {
    /// The same with variables filled in.
    ///
    /// Errors: a variable that is not set, or stands where none is filled in; no message holds a value.
    pub fn with_variables(&self, variables: Variables<'_>) -> Result<ProjectFile, Vec<VariableFlaw>> {
        let mut file = self.filled(variables)?;
        file.programs.withheld = self.named_variables();
        Ok(file)
    }

    /// The names of all variables that it speaks of, in every environment, each once.
    fn named_variables(&self) -> Vec<String> {
        let of_sources = self.sources.values().flat_map(SourceConfig::variables);
        let mut named: Vec<String> = of_sources.map(|(name, _)| name.to_owned()).collect();
        collect_named(None, &serde_json::to_value(self).unwrap_or_default(), &mut named);
        named.sort();
        named.dedup();
        named
    }

    fn filled(&self, variables: Variables<'_>) -> Result<ProjectFile, Vec<VariableFlaw>> {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        let mut filling = Filling { variables, flaws: Vec::new(), has_filled: false };
        filling.fill(&mut value, &mut Vec::new());
        if !filling.flaws.is_empty() {
            return Err(filling.flaws);
        }
        if !filling.has_filled {
            return Ok(self.clone());
        }
        serde_json::from_value(value).map_err(|error| {
            let why = format!("with its variables, it cannot be read: {error}");
            vec![VariableFlaw { at: Vec::new(), why, help: None }]
        })
    }

    /// The variables without which it cannot be filled in, or its databases not be opened, each once.
    pub fn needed_variables(&self) -> Vec<String> {
        let of_sources = self.sources.values().flat_map(SourceConfig::variables);
        let mut needed: Vec<String> = of_sources.map(|(name, _)| name.to_owned()).collect();
        collect_needed(&serde_json::to_value(self).unwrap_or_default(), &mut needed);
        needed.sort();
        needed.dedup();
        needed
    }
}

fn collect_needed(value: &Value, needed: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            let others = map.iter().filter(|(key, _)| !WORDS.contains(&key.as_str()));
            others.for_each(|(_, value)| collect_needed(value, needed));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_needed(item, needed)),
        Value::String(text) => needed.extend(parts(text).into_iter().flatten().filter_map(Part::into_needed)),
        _ => {}
    }
}

/// The variables that a value speaks of: in its texts, and behind keys that end in `_env`.
fn collect_named(key: Option<&str>, value: &Value, named: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| collect_named(Some(key), value, named)),
        Value::Array(items) => items.iter().for_each(|item| collect_named(key, item, named)),
        Value::String(text) if key.is_some_and(|key| key.ends_with("_env")) => named.push(text.clone()),
        Value::String(text) => {
            let parts = parts(text).into_iter().flatten();
            named.extend(parts.filter_map(|part| part.name().map(str::to_owned)));
        }
        _ => {}
    }
}

/// A text with variables filled in.
///
/// Errors: one that is not set, by its name; or the text cannot be read.
pub fn filled_text(text: &str, variables: Variables<'_>) -> Result<String, UnfilledText> {
    let mut filled = String::new();
    for part in parts(text).map_err(UnfilledText::Unreadable)? {
        match part {
            Part::Text(text) => filled.push_str(&text),
            Part::Variable { name, default } => match variables(&name).or(default) {
                Some(value) => filled.push_str(&value),
                None => return Err(UnfilledText::NotSet(name)),
            },
        }
    }
    Ok(filled)
}

/// The variables of a text that nothing stands in for.
pub fn needed_variables_of(text: &str) -> Vec<String> {
    parts(text).into_iter().flatten().filter_map(Part::into_needed).collect()
}

/// All variables of a text.
pub fn variables_of(text: &str) -> Vec<String> {
    parts(text).into_iter().flatten().filter_map(|part| part.name().map(str::to_owned)).collect()
}

/// Why variables cannot be filled into a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnfilledText {
    /// The variable of this name is not set.
    NotSet(String),
    /// The text is written wrongly.
    Unreadable(String),
}

/// Whether a text has variables in it.
pub fn has_variables(text: &str) -> bool {
    text.contains("${")
}

struct Filling<'a> {
    variables: Variables<'a>,
    flaws: Vec<VariableFlaw>,
    /// Whether a text has another form now.
    has_filled: bool,
}

impl Filling<'_> {
    fn fill(&mut self, value: &mut Value, at: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                for (key, value) in map.iter_mut().filter(|(key, _)| !WORDS.contains(&key.as_str())) {
                    at.push(key.clone());
                    self.fill(value, at);
                    at.pop();
                }
            }
            Value::Array(items) => {
                for (place, value) in items.iter_mut().enumerate() {
                    at.push(place.to_string());
                    self.fill(value, at);
                    at.pop();
                }
            }
            Value::String(text) if has_variables(text) => self.fill_text(text, at),
            _ => {}
        }
    }

    fn fill_text(&mut self, text: &mut String, at: &[String]) {
        let parts = match parts(text) {
            Ok(parts) => parts,
            Err(why) => return self.refuse(at, &why, Some("a variable is written `${NAME}` or `${NAME:-default}`")),
        };
        let mut names = parts.iter().filter_map(Part::name);
        let Some(first) = names.next() else { return self.replace(text, parts, at) };
        if FILLED_LATER.iter().any(|place| is_at(place, at)) {
            return;
        }
        if !PLACES.iter().any(|place| is_at(place, at)) {
            let why = format!("`${{{first}}}` stands where no variable is filled in: they are in paths and addresses");
            return self.refuse(at, &why, Some("`environments` says what is different elsewhere: `--env NAME`"));
        }
        let secret = std::iter::once(first).chain(names).find(|name| speaks_of_secrets(name));
        if let Some(name) = secret {
            let why =
                format!("the variable `{name}` seems to hold a secret, and paths and addresses are shown to people");
            return self.refuse(at, &why, Some("secrets are named by keys that end in `_env`, and by nothing else"));
        }
        self.replace(text, parts, at);
    }

    /// Puts the values in the place of the variables.
    fn replace(&mut self, text: &mut String, parts: Vec<Part>, at: &[String]) {
        let mut filled = String::new();
        for part in parts {
            match part {
                Part::Text(text) => filled.push_str(&text),
                Part::Variable { name, default } => {
                    // As in a shell, an empty one is none: an empty path would be the whole folder.
                    let value = (self.variables)(&name).filter(|value| !value.is_empty()).or(default);
                    match value {
                        Some(value) => filled.push_str(&value),
                        None => {
                            let why = format!("the variable `{name}` of the environment is not set");
                            let help = format!("set it, or say what holds without it: `${{{name}:-default}}`");
                            return self.refuse(at, &why, Some(&help));
                        }
                    }
                }
            }
        }
        if has_password(&filled) {
            let why = "with its variables, the address holds a password, and addresses are shown to people";
            return self.refuse(at, why, Some("secrets are named by keys that end in `_env`, and by nothing else"));
        }
        *text = filled;
        self.has_filled = true;
    }

    fn refuse(&mut self, at: &[String], why: &str, help: Option<&str>) {
        let help = help.map(str::to_owned);
        self.flaws.push(VariableFlaw { at: at.to_vec(), why: why.to_owned(), help });
    }
}

/// Whether keys lead to a place.
fn is_at(place: &[&str], at: &[String]) -> bool {
    place.len() == at.len() && place.iter().zip(at).all(|(key, at)| *key == "*" || key == at)
}

/// Whether the name of a variable speaks of a secret.
pub fn speaks_of_secrets(name: &str) -> bool {
    let name = name.to_uppercase();
    // The working directory of a shell.
    let is_folder = matches!(name.as_str(), "PWD" | "OLDPWD");
    !is_folder && (name.split('_').any(|word| SECRETS.contains(&word)) || ENDINGS.iter().any(|end| name.ends_with(end)))
}

/// Whether an address has a password or a signature in it.
fn has_password(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| url.password().is_some() || url.query_pairs().any(|(key, _)| is_signature(&key)))
}

/// Whether a key of a query of an address is what signed addresses have.
fn is_signature(key: &str) -> bool {
    ["sig", "signature", "token", "x-amz-signature", "x-goog-signature"].contains(&key.to_lowercase().as_str())
}

/// A part of a text.
#[derive(Debug, PartialEq)]
enum Part {
    Text(String),
    Variable { name: String, default: Option<String> },
}

impl Part {
    fn name(&self) -> Option<&str> {
        match self {
            Part::Text(_) => None,
            Part::Variable { name, .. } => Some(name),
        }
    }

    /// The name of a variable that nothing stands in for.
    fn into_needed(self) -> Option<String> {
        match self {
            Part::Variable { name, default: None } => Some(name),
            _ => None,
        }
    }
}

/// Takes a text apart. `$${` is a `${` that is meant so.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find("${") {
        let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let inner = behind.strip_prefix("${").unwrap_or_default();
        if let Some(before) = before.strip_suffix('$') {
            parts.push(Part::Text(format!("{before}${{")));
            rest = inner;
            continue;
        }
        parts.push(Part::Text(before.to_owned()));
        let (inside, behind) = inner.split_once('}').ok_or_else(|| "`${` has no `}` behind it".to_owned())?;
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default.to_owned())),
            None => (inside, None),
        };
        let is_legal = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if default.as_ref().is_some_and(|default| has_variables(default)) {
            return Err(format!("the default of `{name}` holds a variable itself"));
        }
        if !is_legal {
            return Err(format!("`${{{inside}}}` names no variable of the environment"));
        }
        parts.push(Part::Variable { name: name.to_owned(), default });
        rest = behind;
    }
    parts.push(Part::Text(rest.to_owned()));
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize as _;
    use serde_json::json;

    fn set(name: &str) -> Option<String> {
        let all =
            [("DATA", "/srv/data"), ("EMPTY", ""), ("HOST", "tools.example.com"), ("URL", "https://u:p@host/x.csv")];
        all.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }

    /// The path of the table of a project after filling in, or why there is none.
    fn path(written: &str) -> Result<String, String> {
        let file = json!({"name": "shop", "tables": {"orders": {"path": written}}});
        let file = ProjectFile::deserialize(file).unwrap();
        let filled = file.with_variables(&set).map_err(|flaws| flaws[0].why.clone())?;
        Ok(filled.tables["orders"].place().into_owned())
    }

    #[test]
    fn variables_are_filled_into_paths() {
        for (written, filled) in [
            ("${DATA}/orders.csv", "/srv/data/orders.csv"),
            ("${NONE:-data}/${NONE:-orders}.csv", "data/orders.csv"),
            ("${DATA:-data}/a.csv", "/srv/data/a.csv"),
            ("${EMPTY:-data}/a.csv", "data/a.csv"),
            ("${NONE:-}a.csv", "a.csv"),
            ("$${DATA}/a.csv", "${DATA}/a.csv"),
            ("a$b{c}.csv", "a$b{c}.csv"),
            ("s3://${HOST}/a.csv", "s3://tools.example.com/a.csv"),
        ] {
            assert_eq!(path(written).as_deref(), Ok(filled), "{written}");
        }
    }

    #[test]
    fn what_cannot_be_filled_in_is_told_without_a_value() {
        for (written, why) in [
            ("${NONE}/a.csv", "the variable `NONE` of the environment is not set"),
            ("${EMPTY}/a.csv", "the variable `EMPTY` of the environment is not set"),
            ("${DATA", "`${` has no `}` behind it"),
            ("${A-B}/a.csv", "`${A-B}` names no variable of the environment"),
            ("${A:-${B}}/a.csv", "the default of `A` holds a variable itself"),
            ("${}/a.csv", "`${}` names no variable of the environment"),
            (
                "${DB_PASSWORD}/a.csv",
                "the variable `DB_PASSWORD` seems to hold a secret, and paths and addresses are shown to people",
            ),
            ("${URL}", "with its variables, the address holds a password, and addresses are shown to people"),
        ] {
            assert_eq!(path(written), Err(why.to_owned()), "{written}");
        }
    }

    #[test]
    fn what_databases_are_opened_by_is_needed_too() {
        let tls = json!({"ca": "${DATA}/ca.pem", "cert": "c.pem", "key_env": "SHOP_KEY"});
        let shop = json!({"type": "postgres", "url_env": "SHOP_URL", "tls": tls});
        let file = ProjectFile::deserialize(json!({"name": "shop", "sources": {"shop": shop}})).unwrap();
        assert_eq!(file.needed_variables(), ["DATA", "SHOP_KEY", "SHOP_URL"]);
        let Some(SourceConfig::Postgres(filled)) = file.with_variables(&set).unwrap().sources.swap_remove("shop")
        else {
            panic!("a server");
        };
        assert_eq!(filled.tls.and_then(|tls| tls.ca).as_deref(), Some("/srv/data/ca.pem"));
    }

    #[test]
    fn names_of_secrets_are_told_from_others() {
        for name in ["DB_PASSWORD", "MYTOKEN", "apitoken", "CLIENTSECRET", "DB_PWD", "API_KEY"] {
            assert!(speaks_of_secrets(name), "{name}");
        }
        for name in ["PWD", "OLDPWD", "DATA", "MONKEY", "TOKENS_DIR"] {
            assert!(!speaks_of_secrets(name), "{name}");
        }
    }

    #[test]
    fn variables_are_filled_in_nowhere_else() {
        let flaw = |file: Value| {
            ProjectFile::deserialize(file).unwrap().with_variables(&set).err().map(|all| all[0].at.clone())
        };
        assert_eq!(flaw(json!({"name": "${HOST}"})), Some(vec!["name".to_owned()]));
        let declared = json!({"name": "a", "tables": {"t": {"path": "a.csv", "null_value": "${HOST}"}}});
        assert_eq!(flaw(declared), Some(["tables", "t", "null_value"].map(str::to_owned).to_vec()));
        assert_eq!(flaw(json!({"name": "a", "description": "Set `${HOST}` first."})), None);
    }
}
