//! What a function or a program says of itself, in a manifest that says nothing else.

use super::extends::REPLACED;
use super::names;
use crate::yaml::Document;
use serde_json::{Map, Value};

/// What still holds of a parameter whose type is another one than that which was said.
const OF_ANY_TYPE: [&str; 2] = ["description", "required"];

/// A manifest with what the lock beside it says: of a function key by key, and of a program the settings of each parameter, too.
pub(super) fn completed(mut own: Document, said: &Document) -> Document {
    let declares = own.has(&["params"]) || own.has(&["params_from"]);
    if said.has(&["program"]) && own.has(&["params"]) {
        complete_params(&mut own, said);
    }
    let has_output = ["output", "output_schema", "columns"].iter().any(|key| own.has(&[key]));
    for key in ["params", "description", "columns", "returns", "any_arguments"] {
        let is_said_otherwise = match key {
            "columns" | "returns" => has_output,
            "any_arguments" => declares,
            _ => false,
        };
        if !own.has(&[key]) && said.has(&[key]) && !is_said_otherwise {
            own.adopt(&[key], said, &[key]);
        }
    }
    own
}

fn complete_params(own: &mut Document, said: &Document) {
    for name in names(said, "/params") {
        let settings = |document: &Document| -> Map<String, Value> {
            let of = document.value.get("params").and_then(|all| all.get(&name)?.as_object());
            of.cloned().unwrap_or_default()
        };
        let (here, there) = (settings(own), settings(said));
        let is_other = here.get("type").is_some_and(|ty| Some(ty) != there.get("type"));
        let is_bound = here.contains_key("from");
        for key in there.keys() {
            let is_replaced =
                REPLACED.iter().any(|(by, others)| here.contains_key(*by) && others.contains(&key.as_str()));
            let is_of_agents = is_bound && ["default", "required"].contains(&key.as_str());
            let fits = !is_other || OF_ANY_TYPE.contains(&key.as_str());
            if !here.contains_key(key) && fits && !is_replaced && !is_of_agents {
                let path = ["params", &name, key];
                own.adopt(&path, said, &path);
            }
        }
    }
}
