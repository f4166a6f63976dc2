//! The lists of a server, read page by page. An item that cannot be read is left out; the others are not lost with it. Of which one
//! two different ones are listed is left out as well: nobody could tell which of the two is called.

use super::definition::{
    Annotations, Definition, Definitions, PromptDefinition, ResourceDefinition, TemplateDefinition,
};
use super::failure::Failure;
use serde_json::{Map, Value, json};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// The most items of a list.
const MOST_ITEMS: usize = 1_000;
/// The most bytes of all lists.
const MOST_BYTES: usize = 4 << 20;
/// The most pages of a list.
const MOST_PAGES: usize = 500;

/// Which list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    /// `tools/list`.
    Tools,
    /// `prompts/list`.
    Prompts,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`.
    Templates,
}

impl List {
    /// The field that its items are in.
    fn field(self) -> &'static str {
        match self {
            List::Tools => "tools",
            List::Prompts => "prompts",
            List::Resources => "resources",
            List::Templates => "resourceTemplates",
        }
    }
}

/// What was read so far.
#[derive(Default)]
pub(super) struct Listing {
    /// What was understood.
    pub(super) read: Definitions,
    bytes: usize,
    pages: usize,
    items: usize,
    seen: HashMap<(&'static str, String), Map<String, Value>>,
    cursors: HashSet<String>,
}

impl Listing {
    /// Begins with a further list.
    pub(super) fn begin(&mut self) {
        (self.pages, self.items) = (0, 0);
        self.cursors.clear();
    }

    /// Takes a page. Gives where the next one begins.
    ///
    /// Errors: it is no page of the list, or the list is too large or has no end.
    pub(super) fn add(&mut self, list: List, page: Value) -> Result<Option<String>, Failure> {
        self.bytes += serde_json::to_string(&page).map_or(0, |text| text.len());
        self.pages += 1;
        let Value::Object(mut fields) = page else { return Err(unfit(list)) };
        let Some(Value::Array(items)) = fields.remove(list.field()) else { return Err(unfit(list)) };
        self.items += items.len();
        if self.bytes > MOST_BYTES || self.items > MOST_ITEMS || self.pages > MOST_PAGES {
            return Err(Failure::TooLarge);
        }
        for item in items {
            self.take(list, item);
        }
        match fields.remove("nextCursor") {
            Some(Value::String(next)) if self.cursors.insert(next.clone()) => Ok(Some(next)),
            Some(Value::String(_)) => Err(Failure::Protocol(format!("the pages of `{}` go round", list.field()))),
            _ => Ok(None),
        }
    }

    fn take(&mut self, list: List, item: Value) {
        let key = match list {
            List::Resources => "uri",
            List::Templates => "uriTemplate",
            List::Tools | List::Prompts => "name",
        };
        let fields = match item {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        let Some(name) = text(&fields, key).filter(|name| !name.is_empty()) else {
            self.read.left_out += 1;
            return;
        };
        match self.seen.entry((list.field(), name.clone())) {
            Entry::Occupied(first) if *first.get() == fields => self.read.left_out += 1,
            Entry::Occupied(_) => self.leave_out(list, name),
            Entry::Vacant(new) => {
                new.insert(fields.clone());
                match list {
                    List::Tools => self.read.tools.push(tool(name, fields)),
                    List::Prompts => self.read.prompts.push(prompt(name, fields)),
                    List::Resources => self.read.resources.push(resource(name, &fields)),
                    List::Templates => self.read.templates.push(template(name, &fields)),
                }
            }
        }
    }

    /// Leaves out what is listed twice, and not alike.
    fn leave_out(&mut self, list: List, name: String) {
        let read = &mut self.read;
        match list {
            List::Tools => read.tools.retain(|one| one.name != name),
            List::Prompts => read.prompts.retain(|one| one.name != name),
            List::Resources => read.resources.retain(|one| one.uri != name),
            List::Templates => read.templates.retain(|one| one.uri_template != name),
        }
        read.left_out += 1;
        let ambiguous = match list {
            List::Tools => &mut read.ambiguous.tools,
            List::Prompts => &mut read.ambiguous.prompts,
            List::Resources | List::Templates => &mut read.ambiguous.resources,
        };
        if !ambiguous.contains(&name) {
            ambiguous.push(name);
        }
    }
}

fn unfit(list: List) -> Failure {
    Failure::Protocol(format!("its answer has no list of {}", list.field()))
}

fn text(fields: &Map<String, Value>, key: &str) -> Option<String> {
    fields.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn tool(name: String, mut fields: Map<String, Value>) -> Definition {
    let claims = match fields.remove("annotations") {
        Some(Value::Object(claims)) => claims,
        _ => Map::new(),
    };
    let claim = |key: &str| claims.get(key).and_then(Value::as_bool);
    Definition {
        title: text(&fields, "title").or_else(|| text(&claims, "title")),
        description: text(&fields, "description"),
        input_schema: fields
            .remove("inputSchema")
            .filter(Value::is_object)
            .unwrap_or_else(|| json!({"type": "object"})),
        output_schema: fields.remove("outputSchema").filter(|schema| schema.is_object() || schema.is_boolean()),
        annotations: Annotations {
            read_only: claim("readOnlyHint"),
            destructive: claim("destructiveHint"),
            idempotent: claim("idempotentHint"),
            open_world: claim("openWorldHint"),
        },
        meta: match fields.remove("_meta") {
            Some(Value::Object(meta)) => Some(meta),
            _ => None,
        },
        name,
    }
}

fn prompt(name: String, mut fields: Map<String, Value>) -> PromptDefinition {
    PromptDefinition {
        title: text(&fields, "title"),
        description: text(&fields, "description"),
        arguments: match fields.remove("arguments") {
            Some(Value::Array(arguments)) => arguments,
            _ => Vec::new(),
        },
        name,
    }
}

fn resource(uri: String, fields: &Map<String, Value>) -> ResourceDefinition {
    ResourceDefinition {
        name: text(fields, "name").unwrap_or_else(|| uri.clone()),
        title: text(fields, "title"),
        description: text(fields, "description"),
        mime: text(fields, "mimeType"),
        uri,
    }
}

fn template(uri_template: String, fields: &Map<String, Value>) -> TemplateDefinition {
    TemplateDefinition {
        name: text(fields, "name").unwrap_or_else(|| uri_template.clone()),
        title: text(fields, "title"),
        description: text(fields, "description"),
        mime: text(fields, "mimeType"),
        uri_template,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_without_a_name_are_left_out_and_counted() {
        let mut listing = Listing::default();
        let page = json!({"tools": [{"name": "a", "inputSchema": 5}, {"name": "a", "inputSchema": 5}, {"x": 1}, 7, {"name": "b"}]});
        assert_eq!(listing.add(List::Tools, page), Ok(None));
        let names: Vec<_> = listing.read.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!((names, listing.read.left_out), (vec!["a", "b"], 3));
        assert_eq!(listing.read.tools[0].input_schema, json!({"type": "object"}));
    }

    #[test]
    fn what_is_listed_twice_and_not_alike_is_left_out() {
        let mut listing = Listing::default();
        let (one, two) = (json!({"name": "a", "description": "one"}), json!({"name": "a", "description": "two"}));
        listing.add(List::Tools, json!({"tools": [one, {"name": "b"}], "nextCursor": "x"})).unwrap();
        listing.add(List::Tools, json!({"tools": [two, one]})).unwrap();
        // A prompt may have the name of a tool.
        listing.add(List::Prompts, json!({"prompts": [{"name": "a"}]})).unwrap();
        let names: Vec<_> = listing.read.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!((names, listing.read.prompts.len()), (vec!["b"], 1));
        assert_eq!((&listing.read.ambiguous.tools, listing.read.left_out), (&vec!["a".to_owned()], 2));
        assert_eq!(listing.read.ambiguous.prompts, Vec::<String>::new());
    }

    #[test]
    fn pages_that_go_round_are_told() {
        let mut listing = Listing::default();
        let page = json!({"tools": [], "nextCursor": "x"});
        assert_eq!(listing.add(List::Tools, page.clone()), Ok(Some("x".to_owned())));
        assert!(matches!(listing.add(List::Tools, page), Err(Failure::Protocol(_))));
    }

    #[test]
    fn too_many_tools_are_too_large() {
        let tools: Vec<Value> = (0..1_001).map(|number| json!({"name": format!("t{number}")})).collect();
        assert_eq!(Listing::default().add(List::Tools, json!({"tools": tools})), Err(Failure::TooLarge));
    }
}
