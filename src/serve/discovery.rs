//! Many tools: a caller that would see more of them than it can read gets a search, and a way to call what it found.
//! Every tool can still be called by its own name.

use super::audit::Outcome;
use super::front::{Answered, Arrived};
use super::index::spaced;
use super::made_up::shortened;
use super::repeated::{self, Sent};
use super::state::{Published, Served};
use super::visible::Found;
use super::{Principal, Server};
use crate::engine::bind::Arguments;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::engine::{Consent, Engine};
use crate::name::nearest;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The tool that finds others.
const SEARCH: &str = "search_tools";
/// The tool that calls others.
const CALL: &str = "call_tool";
/// A search that tells all of a tool that a call takes.
const FULL: &str = "full";
/// A search that tells what is needed to choose.
const BRIEF: &str = "brief";
/// How much a search may tell.
const DETAILS: [&str; 2] = [FULL, BRIEF];

/// What a tool can be found by: its name and title, twice because they say most, what it answers, and the names and
/// descriptions of its parameters, columns and tags.
fn words(published: &Published, engine: &Engine) -> String {
    let name = published.tool.name.as_ref();
    let Some(tool) = engine.tool(name) else { return spaced(name) };
    let mut words = vec![spaced(name), spaced(name), tool.contract.title.clone(), tool.contract.title.clone()];
    words.extend(tool.contract.description.clone());
    words.extend(tool.contract.tags.iter().map(|tag| spaced(tag)));
    for parameter in tool.contract.published() {
        words.push(spaced(&parameter.name));
        words.extend(parameter.description.clone());
    }
    for column in tool.contract.columns() {
        words.push(spaced(&column.name));
        words.extend(column.description.clone());
    }
    words.join(" ")
}

/// What a call of one of the two came to.
pub(super) enum Discovered<'a> {
    /// What was found, as JSON.
    Found(Result<String, CallError>),
    /// What a tool of that name answered.
    Called(&'a str, Result<Answered, CallError>),
}

impl Server {
    /// What a caller sees instead of its tools, where those are too many.
    pub(super) fn instead_of_all(&self, served: &Served, seen: usize) -> Option<Vec<Tool>> {
        if seen <= served.discovery.above {
            return None;
        }
        let schema = |properties: Value, required: &[&str]| -> Map<String, Value> {
            let schema = json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
            schema.as_object().cloned().unwrap_or_default()
        };
        let search = Tool::new(
            SEARCH,
            format!(
                "Finds tools by what they answer. There are {seen}. Returns name, description and input schema of those that fit best, or with `detail: brief` one line of each; call them by `{CALL}`."
            ),
            schema(
                json!({
                    "query": {"type": "string", "minLength": 1, "description": "Words of the question, or the name of a tool"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": served.discovery.results, "description": "Most tools to return"},
                    "detail": {"type": "string", "enum": DETAILS, "default": FULL, "description": "`brief` returns names, first sentences and parameters, without input schemas"},
                }),
                &["query"],
            ),
        );
        let call = Tool::new(
            CALL,
            format!("Calls a tool that `{SEARCH}` has found."),
            schema(
                json!({
                    "name": {"type": "string", "description": "The name of the tool"},
                    "arguments": {"type": "object", "description": "Its arguments, as its input schema says; their JSON text is read as well", "additionalProperties": true},
                }),
                &["name"],
            ),
        );
        let reads = |tool: Tool, is_read_only: bool| {
            tool.with_annotations(ToolAnnotations::new().read_only(is_read_only).open_world(false))
        };
        let all_read = served.tools.iter().all(|published| {
            published.tool.annotations.as_ref().and_then(|annotations| annotations.read_only_hint) == Some(true)
        });
        Some(vec![reads(search, true), reads(call, all_read)])
    }

    /// Answers a call of one of the two; `None` where it is of neither.
    pub(super) async fn discover<'a>(&self, served: &Served, arrived: &Arrived<'a>) -> Option<Discovered<'a>> {
        let seen = self.visible(served, arrived.principal).count();
        self.instead_of_all(served, seen)?;
        match arrived.name {
            SEARCH => {
                let observed = self.observe(SEARCH, arrived);
                let admitted = self.admit(arrived.arguments, arrived.principal);
                let found = admitted.and_then(|()| self.search(served, arrived));
                let outcome = found.as_ref().map_or_else(|error| Outcome::Error(error.code), |_| Outcome::Ok);
                observed.finish(outcome, 0, found.as_ref().map_or(0, |found| found.len() as u64), false);
                Some(Discovered::Found(found))
            }
            CALL => {
                let tool = arrived.arguments.get("name").and_then(Value::as_str).unwrap_or(CALL);
                Some(Discovered::Called(tool, self.call_found(served, arrived).await))
            }
            _ => None,
        }
    }

    /// The tools that fit a query, as JSON.
    fn search(&self, served: &Served, arrived: &Arrived<'_>) -> Result<String, CallError> {
        let Arrived { arguments, principal, .. } = *arrived;
        known(arguments, &["query", "limit", "detail"])?;
        let query = arguments.get("query").and_then(Value::as_str).map(str::trim).filter(|query| !query.is_empty());
        let query = query.ok_or_else(|| {
            CallError::about(CallCode::MissingArgument, "query", "the argument `query` must be words")
        })?;
        let most = most(arguments)?.unwrap_or(served.discovery.results);
        let is_brief = is_brief(arguments)?;
        // Who knows the name gets that tool first.
        let is_there = |published: &&Published| !served.engine.is_withdrawn(&published.tool.name);
        let exact = self.published(served, query, principal).filter(is_there);
        let words = served.tools.iter().map(|published| words(published, &served.engine));
        let found = served.index.search(query, words).into_iter().filter_map(|at| served.tools.get(at));
        let visible = found.filter_map(|published| self.published(served, &published.tool.name, principal));
        let visible = visible.filter(is_there);
        // A name that is deprecated is found by who has it.
        let visible = visible.filter(|published| served.alias_of(&published.tool.name).is_none());
        let others = visible.filter(|published| exact.is_none_or(|exact| exact.tool.name != published.tool.name));
        let tools: Vec<Value> = exact
            .into_iter()
            .chain(others)
            .take(most)
            .map(|published| match is_brief {
                true => brief(&served.now(published)),
                false => full(&served.now(published)),
            })
            .collect();
        let mut answer = json!({"tools": tools});
        if tools.is_empty()
            && let Some(map) = answer.as_object_mut()
        {
            map.insert("note".to_owned(), "no tool fits these words; try others, or fewer".into());
        }
        Ok(answer.to_string())
    }

    /// Calls the tool that is named in the arguments.
    async fn call_found(&self, served: &Served, arrived: &Arrived<'_>) -> Result<Answered, CallError> {
        let (name, own) = match named(arrived.arguments) {
            Ok(named) => named,
            Err(error) => return Err(self.misformed(served, arrived, error).await),
        };
        match self.call(served, Arrived { name, arguments: &own, ..arrived.clone() }).await {
            // What these two return has no schema of its own.
            Ok(answered) => Ok(Answered { is_structured: false, ..answered }),
            Err(error) if error.code == CallCode::UnknownTool => Err(self.misnamed(served, name, arrived.principal)),
            Err(error) => Err(error),
        }
    }

    /// What a call is of that was never begun, with its arguments: of the tool that it names, where it came by the search.
    pub(super) fn meant<'a>(
        &self,
        name: &'a str,
        arguments: &'a Arguments,
        principal: Option<&Principal>,
    ) -> (&'a str, Cow<'a, Arguments>) {
        let served = self.shared().served();
        let is_by_search = name == CALL
            && matches!(self.find(&served, name, principal), Found::Nothing)
            && self.instead_of_all(&served, self.visible(&served, principal).count()).is_some();
        if !is_by_search {
            return (name, Cow::Borrowed(arguments));
        }
        match named(arguments) {
            Ok((meant, own)) => (meant, Cow::Owned(own)),
            Err(_) => {
                let meant = arguments.get("name").and_then(Value::as_str);
                (meant.unwrap_or(name), Cow::Borrowed(arguments))
            }
        }
    }

    /// What is said of a call whose form is wrong. It is the call of the tool that was meant, as any other.
    async fn misformed(&self, served: &Served, arrived: &Arrived<'_>, error: CallError) -> CallError {
        let Arrived { arguments, principal, .. } = *arrived;
        let meant = arguments.get("name").and_then(Value::as_str);
        if let Some(name) = meant
            && self.published(served, name, principal).is_none()
        {
            // What is wrong with a call says nothing of a tool that is not there for the caller.
            return match self.call(served, Arrived { name, ..arrived.with(Consent::None) }).await {
                Err(absent) if absent.code == CallCode::UnknownTool => self.misnamed(served, name, principal),
                Err(refused) => refused,
                Ok(_) => error,
            };
        }
        let error = self.admit(&Arguments::new(), principal).err().unwrap_or(error);
        self.observe(meant.unwrap_or(CALL), arrived).finish(Outcome::Error(error.code), 0, 0, false);
        error
    }

    /// What is said where the caller sees no tool of that name.
    fn misnamed(&self, served: &Served, name: &str, principal: Option<&Principal>) -> CallError {
        let names = self.visible(served, principal).map(|published| published.tool.name.as_ref());
        let error = CallError::about(CallCode::UnknownTool, "name", format!("there is no tool `{}`", shortened(name)));
        match nearest(name, names) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("`{SEARCH}` finds tools")),
        }
    }
}

/// How many tools an agent asks for.
fn most(arguments: &Arguments) -> Result<Option<usize>, CallError> {
    let Some(limit) = arguments.get("limit").filter(|limit| !limit.is_null()) else { return Ok(None) };
    let most = limit.as_u64().filter(|limit| (1..=50).contains(limit)).and_then(|limit| usize::try_from(limit).ok());
    most.map(Some).ok_or_else(|| {
        let message = "the argument `limit` must be an integer between 1 and 50";
        CallError::about(CallCode::InvalidArgument, "limit", message)
    })
}

/// Whether an agent asks for little of each tool.
fn is_brief(arguments: &Arguments) -> Result<bool, CallError> {
    match arguments.get("detail").filter(|detail| !detail.is_null()) {
        None => Ok(false),
        Some(detail) if detail == FULL => Ok(false),
        Some(detail) if detail == BRIEF => Ok(true),
        Some(detail) => {
            let message = "the argument `detail` must be one of the allowed values";
            let error = CallError::about(CallCode::InvalidArgument, "detail", message)
                .expected("one of the allowed values", crate::ty::coerce::shortened(detail))
                .allowed(DETAILS.map(Value::from).into());
            Err(match detail.as_str().and_then(|detail| nearest(detail, DETAILS)) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error,
            })
        }
    }
}

/// All of a tool that a call takes.
fn full(tool: &Tool) -> Value {
    json!({"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema})
}

/// What is needed to choose a tool: its name, the first sentence of its description, and the names of its parameters, those
/// that may be left out with a question mark.
fn brief(tool: &Tool) -> Value {
    let description = tool.description.as_deref().unwrap_or_default().trim();
    let line = description.lines().next().unwrap_or_default();
    let sentence = line.split_once(". ").map_or(line.to_owned(), |(first, _)| format!("{first}."));
    let required = tool.input_schema.get("required").and_then(Value::as_array);
    let is_required = |name: &String| required.is_some_and(|names| names.iter().any(|one| one == name));
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    let names = properties.into_iter().flat_map(Map::keys);
    let parameters: Vec<String> =
        names.map(|name| if is_required(name) { name.clone() } else { format!("{name}?") }).collect();
    json!({"name": tool.name, "description": sentence, "parameters": parameters})
}

/// The tool that is named in the arguments, and its own arguments.
fn named(arguments: &Arguments) -> Result<(&str, Arguments), CallError> {
    known(arguments, &["name", "arguments"])?;
    let name = arguments.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| {
        CallError::about(CallCode::MissingArgument, "name", "the argument `name` must be the name of a tool")
    })?;
    match arguments.get("arguments") {
        None | Some(Value::Null) => Ok((name, Arguments::new())),
        Some(Value::Object(own)) => Ok((name, own.clone())),
        // Models that have only texts for what is inside of an argument write it as one.
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(Sent(own)) => Ok((name, own)),
            Err(error) => {
                let what = if error.is_data() { "no object" } else { "not valid JSON" };
                let message =
                    format!("the argument `arguments` must be an object or its JSON text; the text is {what}");
                Err(CallError::about(CallCode::InvalidArgument, "arguments", message))
            }
        },
        Some(_) => {
            let message = "the argument `arguments` must be an object, or its JSON text";
            Err(CallError::about(CallCode::InvalidArgument, "arguments", message))
        }
    }
}

/// Refuses arguments of other names.
fn known(arguments: &Arguments, names: &[&str]) -> Result<(), CallError> {
    if let Some(error) = repeated::refusal(arguments) {
        return Err(error);
    }
    match arguments.keys().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let error = CallError::about(
                CallCode::UnknownArgument,
                &shortened(name),
                format!("there is no argument `{}`", shortened(name)),
            );
            Err(error.hint(format!("the arguments are {}", names.join(", "))))
        }
    }
}
