//! Calls a tool of another MCP server, if that still is what it was when it was locked, and passes on what it answers.

mod mask;

use super::{Order, RunOutput};
use crate::engine::answers::Answers;
use crate::engine::bind::Caller;
use crate::engine::code::CallCode;
use crate::engine::core::Core;
use crate::engine::error::{CallError, Detail};
use crate::engine::progress::Progress;
use crate::engine::questions::Questions;
use crate::engine::refused::{AskedFor, Thing, on_one_line};
use crate::engine::result::Passed;
use crate::engine::upstreams::{Asked, Upstreams};
use crate::project::{BoundFrom, ByteSize};
use crate::tool::{Contract, Output, UpstreamArgument, UpstreamCall};
use crate::upstreams::{Answer, Question, Watch};
use serde_json::{Map, Value};
use std::pin::Pin;
use std::sync::Arc;

/// What runs a tool of another server.
pub(in crate::engine) struct UpstreamRunner {
    call: Arc<UpstreamCall>,
    upstreams: Upstreams,
    answers: Answers,
    /// What the data of answers is checked with.
    schema: Option<jsonschema::Validator>,
    most: usize,
    /// Whether a call that may have arrived can be made again.
    is_read_only: bool,
}

impl UpstreamRunner {
    /// Errors: the schema of its answers is none.
    pub(super) fn new(contract: &Contract, call: &UpstreamCall, core: &Core) -> Result<UpstreamRunner, String> {
        let schema = match &contract.output {
            Output::Passed { schema: Some(schema) } => Some(schema),
            _ => None,
        };
        let schema = schema.map(jsonschema::validator_for).transpose().map_err(|error| error.to_string())?;
        Ok(UpstreamRunner {
            call: Arc::new(call.clone()),
            upstreams: core.upstreams.clone(),
            answers: core.programs.answers.clone(),
            schema,
            is_read_only: contract.annotations.read_only,
            most: contract.max_bytes.map_or(core.limits.max_bytes, ByteSize::bytes),
        })
    }

    /// What a call answers.
    pub(super) async fn run(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let arguments = self.sent(order)?;
        let asked = Value::Object(arguments.clone());
        let name = &order.contract.name;
        let answer = match self.answers.kept::<Answer>(name, &asked)? {
            Some(kept) if self.call.mask.is_empty() => self.fitting(kept)?,
            // It need not fit any more. It may have been kept before there was a mask.
            Some(kept) => self.masked(kept)?,
            None => {
                // What is masked is masked before it is kept: the file is for all to read.
                let answer = self.masked(self.fitting(self.asked(arguments, order).await?)?)?;
                self.answers.keep(name, &asked, &answer);
                answer
            }
        };
        Ok(RunOutput { passed: Some(self.passed(answer)?), ..RunOutput::default() })
    }

    /// What would be sent, for the author of the tool.
    pub(super) fn explain(&self, order: Order<'_>) -> Result<String, CallError> {
        let arguments = Value::Object(self.sent(order)?);
        Ok(format!("{}: {} {arguments}\n", self.call.upstream, self.call.remote))
    }

    async fn asked(&self, arguments: Map<String, Value>, order: Order<'_>) -> Result<Answer, CallError> {
        let call = &self.call;
        let server = self.upstreams.get(&call.upstream);
        let server = server.ok_or_else(|| CallError::internal(format!("there is no server `{}`", call.upstream)))?;
        let (progress, questions) = (order.caller.progress.clone(), order.caller.questions.clone());
        let whose = questions.whose().map(|whose| Asked { whose });
        let told = Arc::new(Told { server: call.upstream.clone(), progress, questions });
        let deadline = order.call.deadline.map(|deadline| deadline.0);
        let called = server.call((&call.remote, &call.digest), arguments, (told, whose), deadline).await;
        let (is_read_only, is_masked) = (self.is_read_only, !call.mask.is_empty());
        let thing = Thing::Tool { name: &call.remote, is_read_only, is_masked };
        called.map_err(|why| AskedFor { thing, server: &call.upstream }.refused(why))
    }

    /// The arguments as the server gets them.
    fn sent(&self, order: Order<'_>) -> Result<Map<String, Value>, CallError> {
        let mut sent: Map<String, Value> =
            order.arguments.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let changed = &self.call.arguments;
        // A server that takes any name would take a parameter by the name that it has there, past all that is said of it here.
        let is_gone = |name: &String| {
            let is_own = changed.iter().any(|one| one.name == *name && (one.here.is_some() || one.from.is_some()));
            is_own && !changed.iter().any(|one| one.here.as_ref() == Some(name) && one.from.is_none())
        };
        let unknown = sent
            .keys()
            .filter(|name| is_gone(name))
            .map(|name| CallError::about(CallCode::UnknownArgument, name, format!("there is no parameter `{name}`")));
        CallError::all(unknown.collect()).map_or(Ok(()), Err)?;
        // All are taken out before any is put back: one may have the name that another had.
        let taken: Vec<Option<Value>> =
            changed.iter().map(|one| sent.shift_remove(one.here.as_deref().unwrap_or(&one.name))).collect();
        for (one, came) in changed.iter().zip(taken) {
            if one.from.is_some() {
                sent.shift_remove(&one.name);
            }
            let value = match &one.from {
                None => came.or_else(|| one.default.clone()),
                Some(BoundFrom::Default) => one.default.clone(),
                Some(BoundFrom::Fixed(value)) => Some(value.clone()),
                Some(from) => Some(of_caller(one, from, order.caller)?),
            };
            if let Some(value) = value {
                sent.insert(one.name.clone(), value);
            }
        }
        Ok(sent)
    }

    /// An answer, if its data is what the tool says that it gives.
    fn fitting(&self, answer: Answer) -> Result<Answer, CallError> {
        let Some(schema) = self.schema.as_ref().filter(|_| !answer.is_error) else { return Ok(answer) };
        let why = match &answer.structured {
            None => Some("the answer has no data".to_owned()),
            Some(data) => schema.validate(data).err().map(|error| format!("{}: {error}", error.instance_path())),
        };
        let wrong = |why| Err(invalid(format!("it does not fit the tool's `outputSchema`: {why}")));
        why.map_or(Ok(answer), wrong)
    }

    /// An answer without what is masked. What a tool says to its failure is no data, and may hold what nobody is to see.
    fn masked(&self, answer: Answer) -> Result<Answer, CallError> {
        let Answer { is_error, structured, content } = answer;
        let passed = match (self.call.mask.is_empty(), is_error) {
            (true, _) => Passed { structured, content },
            (false, true) => Passed { structured: None, content: Vec::new() },
            (false, false) => mask::masked(Passed { structured, content }, &self.call.mask).map_err(invalid)?,
        };
        Ok(Answer { is_error, structured: passed.structured, content: passed.content })
    }

    /// What of an answer is passed on.
    fn passed(&self, answer: Answer) -> Result<Passed, CallError> {
        let Answer { is_error, structured, content } = answer;
        let passed = Passed { structured, content };
        if is_error {
            let text = on_one_line(&passed.text());
            let message =
                if text.trim().is_empty() { "the tool failed, and does not say why".to_owned() } else { text };
            return Err(CallError::new(CallCode::UpstreamFailed, message));
        }
        let size = passed.size();
        if size > self.most {
            let message = format!("the answer has {size} bytes, and may have {} at most", self.most);
            return Err(CallError::new(CallCode::InvalidOutput, message).hint("ask for less"));
        }
        Ok(passed)
    }
}

/// The value of an argument that comes from who calls.
fn of_caller(argument: &UpstreamArgument, from: &BoundFrom, caller: &Caller) -> Result<Value, CallError> {
    let refused = |why: &str| CallError {
        detail: Some(Detail::Own(format!("parameter `{}` is bound to `{from}`, which {why}", argument.name))),
        ..CallError::new(CallCode::NotPermitted, "the caller may not use this tool")
    };
    match caller.value(from).ok_or_else(|| refused("the call does not have"))? {
        Value::String(text) if argument.is_no_text => {
            serde_json::from_str(&text).map_err(|_| refused("has no value of its type"))
        }
        value => Ok(value),
    }
}

fn invalid(why: String) -> CallError {
    let message = "what the server of this tool answered cannot be passed on; the server's log says why";
    CallError { detail: Some(Detail::Own(why)), ..CallError::new(CallCode::InvalidOutput, message) }
}

/// Tells how far a call has come, and asks what its server asks.
struct Told {
    server: String,
    progress: Progress,
    questions: Questions,
}

impl Watch for Told {
    fn progress(&self, progress: crate::upstreams::Progress) {
        self.progress.reach(progress.done, progress.total);
    }

    fn ask(&self, question: Question) -> Pin<Box<dyn Future<Output = Option<Value>> + Send + '_>> {
        Box::pin(self.questions.ask(self.server.clone(), question))
    }
}
