//! `http` of a manifest: a tool that is a request to a web service.

use super::limits::ByteSize;
use super::output::OutputConfig;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool that is a request to a web service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequestConfig {
    /// The request.
    pub http: HttpRequest,
    /// What the service answers with. Default: `json`.
    #[serde(flatten)]
    pub output: OutputConfig,
    /// What callers are told of statuses that are failures: `{ 404: "there is no such city" }`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub statuses: IndexMap<String, String>,
    /// Statuses that mean that there are no rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(range(min = 400, max = 599)))]
    pub empty: Vec<u16>,
}

/// A request to a web service, with placeholders in its path, query, headers and body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpRequest {
    /// The method. Default: GET, or POST where there is a body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<RequestMethod>,
    /// Where it goes: `https://api.example.com/v1/cities/<< city >>`. Scheme and host are the same at every call, and a value is one
    /// part of the path between two `/`.
    #[schemars(length(min = 1))]
    pub url: String,
    /// What is asked, by name. One whose parameter has no value is left out; a list is asked item by item.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub query: IndexMap<String, String>,
    /// Headers by name; values may have variables of the server's environment in them: `{ Authorization: "Bearer ${TOKEN}" }`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, String>,
    /// What is sent, as JSON. A text that is a placeholder and nothing else is its value, of its type; without a value it is left
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    /// What is sent, as a form.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub form: IndexMap<String, String>,
    /// The most redirects that are followed. Default: 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 20))]
    pub redirects: Option<usize>,
    /// Other hosts that it may be redirected to: `host` or `host:port`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub hosts: Vec<String>,
    /// Whether it may reach addresses that are not public: of this machine, and of the networks around it. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// The most bytes of an answer. Default: 8MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_answer: Option<ByteSize>,
}

/// A method of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum RequestMethod {
    /// Asks for something.
    Get,
    /// Asks for the headers of something.
    Head,
    /// Sends something.
    Post,
    /// Puts something in the place of what is there.
    Put,
    /// Changes a part of something.
    Patch,
    /// Removes something.
    Delete,
}

impl RequestMethod {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            RequestMethod::Get => "GET",
            RequestMethod::Head => "HEAD",
            RequestMethod::Post => "POST",
            RequestMethod::Put => "PUT",
            RequestMethod::Patch => "PATCH",
            RequestMethod::Delete => "DELETE",
        }
    }
}

impl HttpRequest {
    /// The method that holds.
    pub fn effective_method(&self) -> RequestMethod {
        let has_body = self.body.is_some() || !self.form.is_empty();
        self.method.unwrap_or(if has_body { RequestMethod::Post } else { RequestMethod::Get })
    }

    /// Its texts that may have placeholders, each with the keys that lead to it below `http`.
    pub fn texts(&self) -> Vec<(Vec<String>, &str)> {
        let mut texts = vec![(vec!["url".to_owned()], self.url.as_str())];
        for (key, map) in [("query", &self.query), ("headers", &self.headers), ("form", &self.form)] {
            texts.extend(map.iter().map(|(name, text)| (vec![key.to_owned(), name.clone()], text.as_str())));
        }
        if let Some(body) = &self.body {
            texts_of(body, &mut vec!["body".to_owned()], &mut texts);
        }
        texts
    }
}

fn texts_of<'a>(value: &'a Value, at: &mut Vec<String>, texts: &mut Vec<(Vec<String>, &'a str)>) {
    match value {
        Value::String(text) => texts.push((at.clone(), text)),
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                at.push(place.to_string());
                texts_of(item, at, texts);
                at.pop();
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                at.push(key.clone());
                texts_of(item, at, texts);
                at.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
