//! A file of `derivations`: whether it is the same for qtool, becomes SQL in `qtool.yaml`, or stays Folio's to run.

use super::super::manifests::read_yaml::document;
use super::contract::Contract;
use super::expression::values;
use super::flaw::Flaw;
use serde_json::{Map, Value};

const OF_ALL: [&str; 4] = ["kind", "targets", "inputs", "materialization"];
const OF_LOOKUPS: [&str; 3] = ["key_field", "value_field", "value_fields"];

/// What becomes of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Becomes {
    /// It is the same for qtool, which looks values up in a file of the folder.
    File(String),
    /// The same, in another sheet.
    Sheet(String),
    /// `derived` in `qtool.yaml`.
    Sql(Vec<Made>),
    /// It stays Folio's to run, and why.
    Theirs(String),
}

/// A field that SQL makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Made {
    /// The field.
    pub(super) target: String,
    /// Its SQL, with placeholders.
    pub(super) sql: String,
    /// Whether a value stays that somebody has sent.
    pub(super) respects_override: bool,
}

/// A file, and the fields that it makes.
#[derive(Debug)]
pub(super) struct Derivation {
    /// The fields.
    pub(super) targets: Vec<String>,
    /// What becomes of it.
    pub(super) becomes: Becomes,
}

/// Reads a file.
///
/// Errors: Folio refuses it, or qtool would.
pub(super) fn derivation(text: &str, contract: &Contract) -> Result<Derivation, Flaw> {
    let Value::Object(said) = document(text).map_err(|why| Flaw::from(why.to_string()))? else {
        return Err("it is no mapping".into());
    };
    let targets = names(&said, "targets")?;
    let inputs = names(&said, "inputs")?;
    check_fields(&targets, &inputs, contract)?;
    let respects_override = respects_override(said.get("materialization"))?;
    let kind = said.get("kind").and_then(Value::as_str).unwrap_or_default();
    let becomes = match kind {
        "import" => Becomes::File(lookup(&said, "source", &targets)?),
        "cross_sheet" => Becomes::Sheet(lookup(&said, "source_sheet", &targets)?),
        "sql" => {
            known(&said, &["expression", "output_schema"])?;
            let expression = text_of(&said, "expression")?;
            match values(expression, &inputs, &targets) {
                Ok(made) => {
                    let made = targets.iter().cloned().zip(made);
                    Becomes::Sql(made.map(|(target, sql)| Made { target, sql, respects_override }).collect())
                }
                Err(why) => Becomes::Theirs(why.to_string()),
            }
        }
        "python" => Becomes::Theirs(
            "a script makes no field by itself: a manifest makes a function of it, which is named as `tool` below `derived`"
                .to_owned(),
        ),
        "http" => Becomes::Theirs(
            "a web service makes no field by itself: a manifest makes a tool of it, which is named below `derived`".to_owned(),
        ),
        "ai" => Becomes::Theirs("what the model is asked is written as `ai` below `derived`".to_owned()),
        other => return Err(format!("`{other}` is no `kind`").into()),
    };
    Ok(Derivation { targets, becomes })
}

fn check_fields(targets: &[String], inputs: &[String], contract: &Contract) -> Result<(), Flaw> {
    if targets.is_empty() {
        return Err("it has no `targets`".into());
    }
    if let Some(unknown) = targets.iter().chain(inputs).find(|name| contract.field(name).is_none()) {
        return Err(format!("the contract has no field `{unknown}`").into());
    }
    if let Some(target) = targets.iter().find(|name| contract.field(name).is_some_and(|field| !field.derived)) {
        return Err(format!("`{target}` is made, and the contract does not say `x-derived: true` of it").into());
    }
    let twice = targets.iter().enumerate().find(|(at, name)| targets.iter().take(*at).any(|other| other == *name));
    match twice {
        Some((_, name)) => Err(format!("it has the target `{name}` twice").into()),
        None => Ok(()),
    }
}

/// Where values are looked up.
fn lookup(said: &Map<String, Value>, source: &str, targets: &[String]) -> Result<String, Flaw> {
    known(said, &[&OF_LOOKUPS[..], &[source]].concat())?;
    text_of(said, "key_field")?;
    match (said.get("value_field"), said.get("value_fields")) {
        (Some(Value::String(_)), None | Some(Value::Null)) if targets.len() == 1 => {}
        (None | Some(Value::Null), Some(Value::Object(fields))) => {
            let is_same = fields.len() == targets.len() && targets.iter().all(|target| fields.contains_key(target));
            if !is_same || !fields.values().all(Value::is_string) {
                return Err("`value_fields` has not the fields that are made, each with a text".into());
            }
        }
        _ => return Err("it says by either `value_field` or `value_fields` where values are".into()),
    }
    Ok(text_of(said, source)?.to_owned())
}

fn respects_override(said: Option<&Value>) -> Result<bool, Flaw> {
    let why = || Flaw::from("its `materialization` says something else than `respect_human_override`");
    let Some(said) = said else { return Ok(true) };
    let said = said.as_object().ok_or_else(why)?;
    let is_known = |(key, value): (&String, &Value)| match key.as_str() {
        "trigger" => value == "on_demand",
        "respect_human_override" => value.is_boolean(),
        _ => false,
    };
    if !said.iter().all(is_known) {
        return Err(why());
    }
    Ok(said.get("respect_human_override").and_then(Value::as_bool).unwrap_or(true))
}

fn known(said: &Map<String, Value>, keys: &[&str]) -> Result<(), Flaw> {
    let is_known = |key: &String| OF_ALL.contains(&key.as_str()) || keys.contains(&key.as_str());
    match said.keys().find(|key| !is_known(key)) {
        Some(key) => Err(format!("`{key}` is no key of this kind").into()),
        None => Ok(()),
    }
}

fn text_of<'a>(said: &'a Map<String, Value>, key: &str) -> Result<&'a str, Flaw> {
    let text = said.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    text.ok_or_else(|| Flaw::from(format!("it has no text as `{key}`")))
}

fn names(said: &Map<String, Value>, key: &str) -> Result<Vec<String>, Flaw> {
    let why = || Flaw::from(format!("its `{key}` is no list of fields"));
    match said.get(key) {
        None => Ok(Vec::new()),
        Some(Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<_>>().ok_or_else(why)
        }
        Some(_) => Err(why()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::Field;
    use super::*;

    fn read(text: &str) -> Result<Derivation, String> {
        let fields = [("id", false), ("title", false), ("price", true), ("maker", true)];
        let fields = fields.map(|(name, derived)| Field { name: name.to_owned(), derived }).into();
        let contract = Contract { id: "todo".to_owned(), is_described: true, fields };
        derivation(text, &contract).map_err(|why| why.to_string())
    }

    #[test]
    fn kinds_become_what_they_are_here() {
        let file = read("kind: import\ntargets: [price]\nsource: p.csv\nkey_field: id\nvalue_field: p\n").unwrap();
        assert_eq!(file.becomes, Becomes::File("p.csv".to_owned()));
        let sheet = read(
            "kind: cross_sheet\ntargets: [price, maker]\nsource_sheet: ../o\nkey_field: id\nvalue_fields: { price: p, maker: m }\n",
        );
        assert_eq!(sheet.unwrap().becomes, Becomes::Sheet("../o".to_owned()));
        let sql = read(
            "kind: sql\ntargets: [maker]\ninputs: [title]\nexpression: SELECT upper(?)\nmaterialization: { respect_human_override: false }\n",
        );
        let made = Made { target: "maker".to_owned(), sql: "upper(<< title >>)".to_owned(), respects_override: false };
        assert_eq!(sql.unwrap().becomes, Becomes::Sql(vec![made]));
        for kind in [
            "sql\nexpression: SELECT max(price) FROM records",
            "python\nscript: x",
            "http\nurl: https://example.com/{{ id }}",
            "ai\nmodel: m\nprompt: p\noutput: text",
        ] {
            let found = read(&format!("targets: [price]\nkind: {kind}\n")).unwrap();
            assert!(matches!(found.becomes, Becomes::Theirs(_)), "{kind}: {found:?}");
        }
    }

    #[test]
    fn what_neither_takes_is_told() {
        for (text, why) in [
            ("kind: import\ntargets: [title]\nsource: p.csv\nkey_field: id\nvalue_field: p\n", "x-derived"),
            ("kind: import\ntargets: [gone]\nsource: p.csv\nkey_field: id\nvalue_field: p\n", "`gone`"),
            ("kind: import\ntargets: [price, price]\n", "twice"),
            ("kind: import\ntargets: [price]\nkey_field: id\nvalue_field: p\n", "`source`"),
            ("kind: import\ntargets: [price]\nsource: p.csv\nkey_field: id\n", "value_field"),
            ("kind: import\ntargets: [price]\nsource: p.csv\nkey_field: id\nvalue_field: p\nmore: 1\n", "`more`"),
            ("kind: magic\ntargets: [price]\n", "`magic`"),
            ("kind: ai\ntargets: []\n", "targets"),
            ("kind: ai\ntargets: [price]\nmaterialization: { trigger: on_write }\n", "materialization"),
            ("- 1\n", "no mapping"),
        ] {
            let told = read(text).unwrap_err();
            assert!(told.contains(why), "{text}: {told}");
        }
    }
}
