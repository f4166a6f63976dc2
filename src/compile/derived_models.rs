//! Compiles fields that a language model makes: each becomes a request that is made by the rules of `http` of a manifest. Nobody sees it
//! as a tool.

use crate::diagnostic::{Diagnostics, codes};
use crate::name::{shown_name, snake_case};
use crate::project::{
    Definition, HttpRequest, ModelConfig, OutputConfig, OutputForm, Project, RequestConfig, RequestMethod, ResultLimit,
    TableFormat, has_variables, variables_of,
};
use crate::source::Span;
use crate::tool::{
    Annotations, Body, Clauses, Constraints, Contract, DerivedQuery, Input, Output, OutputColumn, Parameter, Tool,
};
use crate::ty::Type;
use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use url::{Host, Url};

/// What an address of this API ends in.
const END: &str = "/chat/completions";
/// The column that the reply of the server is.
const REPLY: &str = "result";
/// The most bytes of a reply: a model that writes more does not stop.
const MOST_BYTES: u64 = 1 << 20;

/// The request that a model is asked by for a field of records; `None` where it has errors.
pub(super) fn model_query(
    (project, path): (&Project, &[&str; 4]),
    model: &ModelConfig,
    sink: &mut Diagnostics,
) -> Option<DerivedQuery> {
    let errors = sink.errors();
    let checked = Checked { project, path, model };
    let url = checked.url(sink);
    checked.check_key(url.as_ref(), sink);
    checked.check_model(sink);
    let url = url.filter(|_| sink.errors() == errors)?;
    let [_, records, _, field] = path;
    let name = snake_case(&format!("{records}_derived_{field}"));
    let tool = Tool { contract: contract(name, model), body: Body::Request(Box::new(request(model, url))) };
    Some(DerivedQuery {
        tool,
        arguments: BTreeMap::new(),
        column: REPLY.to_owned(),
        model: Some(Box::new(model.clone())),
    })
}

/// A model whose settings are looked at.
struct Checked<'a> {
    project: &'a Project,
    path: &'a [&'a str; 4],
    model: &'a ModelConfig,
}

impl Checked<'_> {
    fn place(&self, key: &str) -> Span {
        self.project.document.value_span(&[self.path.as_slice(), &["ai", key]].concat())
    }

    /// Where requests go, the same at every call; `None` where that is no address.
    fn url(&self, sink: &mut Diagnostics) -> Option<Url> {
        let written = self.model.url.trim();
        let mut refuse = |why: &str| {
            sink.push(codes::invalid_setting(self.place("url"), why));
            None
        };
        if has_variables(written) || written.contains("<<") {
            return refuse("the address is the same for every record: neither variables nor fields stand in it");
        }
        let mut url = match Url::parse(written) {
            Ok(url) => url,
            Err(error) => return refuse(&format!("this is no address: {error}")),
        };
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return refuse("the address begins with `https://` or `http://`, and names a host");
        }
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
            return refuse("the address is a scheme, a host and a path: who asks is said by `key`");
        }
        if is_loopback(&url) && !self.model.private {
            let told = codes::invalid_setting(self.place("url"), "this machine is no public address");
            sink.push(told.help("say that it may be asked: `private: true`"));
            return None;
        }
        let path = url.path().trim_end_matches('/').to_owned();
        let path = path.strip_suffix(END).unwrap_or(&path);
        url.set_path(&format!("{path}{END}"));
        Some(url)
    }

    /// The key is a variable and nothing else, and nobody reads it on the way.
    fn check_key(&self, url: Option<&Url>, sink: &mut Diagnostics) {
        let Some(key) = &self.model.key else { return };
        let names = variables_of(key);
        let is_variable = matches!(&names[..], [name] if format!("${{{name}}}") == *key);
        if !is_variable {
            let why = match has_variables(key) {
                false => {
                    "a secret that is written out is in every built server, and is shown to everybody who reads this file"
                }
                true => "a key is one variable of the environment, and nothing beside it",
            };
            let told = codes::invalid_setting(self.place("key"), why);
            sink.push(told.help("name a variable of the environment: `\"${OPENAI_API_KEY}\"`"));
        }
        if url.is_some_and(|url| url.scheme() == "http" && !is_loopback(url)) {
            let why = "a key is sent by https alone, or to this machine: on the way, anybody could read it";
            sink.push(codes::invalid_setting(self.place("key"), why));
        }
    }

    fn check_model(&self, sink: &mut Diagnostics) {
        let name = &self.model.model;
        if has_variables(name) || name.contains("<<") {
            let why = format!("`{}` is no name of a model: it is the same for every record", shown_name(name));
            sink.push(codes::invalid_setting(self.place("model"), &why));
        }
    }
}

/// Whether an address is of this machine.
fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// The request. The prompts are values in it, whatever stands in them.
fn request(model: &ModelConfig, url: Url) -> RequestConfig {
    let message = |role: &str, text: &str| json!({"role": role, "content": text});
    let system = model.system.iter().map(|_| message("system", "<< system >>"));
    let messages: Vec<Value> = system.chain([message("user", "<< prompt >>")]).collect();
    let mut body = Map::new();
    body.insert("model".to_owned(), Value::from(model.model.as_str()));
    body.insert("messages".to_owned(), Value::Array(messages));
    let settings = [
        ("max_tokens", model.max_tokens.map(Value::from)),
        ("temperature", model.temperature.clone().map(Value::Number)),
    ];
    body.extend(settings.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    let key = model.key.iter().map(|key| ("Authorization".to_owned(), format!("Bearer {key}")));
    RequestConfig {
        http: HttpRequest {
            method: Some(RequestMethod::Post),
            url: url.into(),
            query: IndexMap::new(),
            headers: key.collect(),
            body: Some(Value::Object(body)),
            form: IndexMap::new(),
            redirects: Some(0),
            hosts: Vec::new(),
            private: model.private,
            max_answer: Some(crate::project::ByteSize(MOST_BYTES)),
        },
        output: OutputConfig { form: Some(OutputForm::Document), ..OutputConfig::default() },
        statuses: IndexMap::new(),
        empty: Vec::new(),
    }
}

/// What the request takes and gives: the prompts, and the reply of the server.
fn contract(name: String, model: &ModelConfig) -> Contract {
    let parameters = model.prompts().map(|(name, _)| parameter(name)).collect();
    let reply = OutputColumn { nullable: false, ..OutputColumn::new(REPLY, Type::Json) };
    Contract {
        title: name.clone(),
        name,
        alias_of: None,
        description: None,
        tags: Vec::new(),
        version: None,
        scopes: Vec::new(),
        meta: None,
        icons: Vec::new(),
        input: Input::Parameters(parameters),
        output: Output::Columns(vec![reply]),
        placeholders: Vec::new(),
        rules: Vec::new(),
        clauses: Clauses::default(),
        tables: Vec::new(),
        policies: Vec::new(),
        shows: Vec::new(),
        result_limit: ResultLimit::Rows(1),
        default_limit: None,
        table_format: TableFormat::Markdown,
        changes: None,
        expose: Vec::new(),
        timeout: model.effective_timeout(),
        max_bytes: None,
        calls_per_second: None,
        cache_ttl: None,
        count_total: false,
        strict: true,
        ask: false,
        parameters_in_description: false,
        structured_output: true,
        definition: Definition::default(),
        annotations: Annotations { read_only: true, destructive: false, idempotent: false, open_world: true },
    }
}

fn parameter(name: &str) -> Parameter {
    Parameter {
        name: name.to_owned(),
        ty: Type::Text,
        also: Vec::new(),
        description: None,
        required: true,
        default: None,
        default_expression: None,
        constraints: Constraints::default(),
        examples: Vec::new(),
        choices: Vec::new(),
        allowed_query: None,
        from: None,
        fields: Vec::new(),
    }
}
