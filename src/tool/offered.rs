//! What a project passes on of another MCP server beside its tools: prompts and resources, as they are locked.

use crate::project::{ByteSize, LockedPrompt, LockedResource, LockedTemplate, Timeout, UpstreamAuth, UpstreamConfig};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// What a project passes on of one server, and how that is reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offered {
    /// The server: a name of `upstreams`.
    pub upstream: String,
    /// The program that is the server, as it is written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Where the server answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The folder that the program runs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The variables that it gets, as they are written.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub env: IndexMap<String, String>,
    /// The headers of each request, as they are written.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, String>,
    /// How qtool shows who it is, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<UpstreamAuth>,
    /// What a caller's token must be good for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
    /// How long the server may take.
    pub timeout: Timeout,
    /// The largest answer; that of `limits` where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<ByteSize>,
    /// The prompts, sorted by their names there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<OfferedPrompt>,
    /// The resources, sorted by URI.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<LockedResource>,
    /// The templates of URIs, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub templates: Vec<LockedTemplate>,
}

/// A prompt of another server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedPrompt {
    /// What it is called here.
    pub name: String,
    /// What the server said of it when that was locked.
    pub locked: LockedPrompt,
}

impl Offered {
    /// What is reached of a server, with nothing that is passed on yet.
    pub fn of_server(name: &str, config: &UpstreamConfig, usual: Timeout) -> Offered {
        Offered {
            upstream: name.to_owned(),
            command: config.command.clone(),
            url: config.url.clone(),
            cwd: config.cwd.clone(),
            env: config.env.clone(),
            headers: config.headers.clone(),
            auth: config.auth.clone(),
            scopes: config.scopes.clone(),
            timeout: config.timeout.unwrap_or(usual),
            max_bytes: config.max_bytes,
            prompts: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
        }
    }

    /// Whether nothing is passed on.
    pub fn is_empty(&self) -> bool {
        self.prompts.is_empty() && self.resources.is_empty() && self.templates.is_empty()
    }

    /// Whether there is something to be read.
    pub fn has_resources(&self) -> bool {
        !self.resources.is_empty() || !self.templates.is_empty()
    }

    /// The same with nothing that is passed on: who is asked, by whom, and how.
    #[must_use]
    pub fn bare(&self) -> Offered {
        Offered { prompts: Vec::new(), resources: Vec::new(), templates: Vec::new(), ..self.clone() }
    }

    /// What of it somebody has accepted, and what nobody has, in words. All of it is new where the server is reached in another way.
    pub fn accepted_by(self, accepted: Option<&Offered>) -> (Offered, Vec<String>) {
        let none = self.bare();
        let known = accepted.filter(|accepted| accepted.bare() == none).unwrap_or(&none);
        let mut left = Vec::new();
        let Offered { prompts, resources, templates, .. } = self;
        let mut told = |kind: &str, name: &str| left.push(format!("{kind} `{name}`"));
        let prompts = kept(prompts, &known.prompts, |prompt| told("prompt", &prompt.name));
        let resources = kept(resources, &known.resources, |one| told("resource", &one.uri));
        let templates = kept(templates, &known.templates, |one| told("resources", &one.uri_template));
        (Offered { prompts, resources, templates, ..none }, left)
    }
}

/// Those of some that are among others; what becomes of each of the rest is the caller's.
fn kept<T: PartialEq>(all: Vec<T>, known: &[T], left: impl FnMut(&T)) -> Vec<T> {
    let (kept, other): (Vec<T>, Vec<T>) = all.into_iter().partition(|one| known.contains(one));
    other.iter().for_each(left);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn offered(description: &str) -> Offered {
        let config: UpstreamConfig = serde_json::from_value(json!({"command": ["x"]})).unwrap();
        let locked = |name: &str, description: &str| OfferedPrompt {
            name: name.to_owned(),
            locked: LockedPrompt {
                name: name.to_owned(),
                description: Some(description.to_owned()),
                ..LockedPrompt::default()
            },
        };
        let usual = Timeout(std::time::Duration::from_secs(1));
        Offered { prompts: vec![locked("a", description), locked("b", "b")], ..Offered::of_server("s", &config, usual) }
    }

    #[test]
    fn only_what_was_accepted_word_for_word_is_left() {
        let (left, told) = offered("new").accepted_by(Some(&offered("old")));
        assert_eq!(left.prompts.len(), 1);
        assert_eq!((left.prompts[0].name.as_str(), told), ("b", vec!["prompt `a`".to_owned()]));
        assert_eq!(offered("x").accepted_by(Some(&offered("x"))), (offered("x"), Vec::new()));
        assert!(offered("x").accepted_by(None).0.is_empty());
    }

    #[test]
    fn what_another_program_says_is_new() {
        let other = Offered { command: vec!["y".to_owned()], ..offered("x") };
        assert!(other.accepted_by(Some(&offered("x"))).0.is_empty());
        let open = Offered { scopes: vec!["docs".to_owned()], ..offered("x") };
        assert!(offered("x").accepted_by(Some(&open)).0.is_empty());
    }
}
