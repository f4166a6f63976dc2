//! Sends a request to a web service: its parts are made of the arguments of the call, and the answer is read as the
//! columns of the tool.

mod parts;

use super::output::{Flaw, Reading};
use super::values::object_of;
use super::{Order, RunOutput};
use crate::engine::code::CallCode;
use crate::engine::core::Core;
use crate::engine::error::{CallError, Detail};
use crate::engine::program_place::ProgramPlace;
use crate::engine::secret_variables::is_secret;
use crate::engine::secrets::Secrets;
use crate::name::is_key_of_secret;
use crate::project::{OutputForm, RequestConfig, variables_of};
use crate::requests::{Bounds, Client, Failure, NoClient, Reach, Trust};
use crate::tool::OutputColumn;
use crate::ty::coerce::TimeZoneName;
use datafusion::arrow::record_batch::RecordBatch;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// The most redirects, and the most bytes of an answer, where the manifest does not say.
const REDIRECTS: usize = 3;
const ANSWER: usize = 8 << 20;
/// How much of what a service says to a failure is logged.
const LOGGED: usize = 500;

/// A shorter value of a variable is no secret, and would be found in any text.
const SHORT: usize = 6;
/// 206: what came is a part.
const PARTIAL: u16 = 206;
/// Nobody waits longer for a service that asks to.
const PATIENCE: Duration = Duration::from_secs(86_400);

/// One for all: connections are kept.
static CLIENT: LazyLock<Result<Client, NoClient>> = LazyLock::new(|| Client::new(Trust::Machine));

/// What runs a tool that is a request.
pub(in crate::engine) struct RequestRunner {
    request: Arc<RequestConfig>,
    place: ProgramPlace,
    time_zone: TimeZoneName,
}

impl RequestRunner {
    pub(super) fn new(request: &RequestConfig, core: &Core) -> RequestRunner {
        RequestRunner {
            request: Arc::new(request.clone()),
            place: core.programs.clone(),
            time_zone: core.time_zone.clone(),
        }
    }

    /// The rows of a call.
    pub(super) async fn run(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let asked = object_of(order)?;
        if let Some(Replied { status, text }) = self.place.answers.kept(&order.contract.name, &asked)? {
            let batches = match (200..300).contains(&status) {
                true => self.read(text, order).await?,
                false => self.refused(&Failure::Status { status, retry_after: None, body: text.into() })?,
            };
            return Ok(of_batches(batches));
        }
        let prepared = parts::prepared(&self.request.http, order).map_err(not_made)?;
        let client = CLIENT.as_ref().map_err(|why| CallError::internal(why.to_string()))?;
        let http = &self.request.http;
        let time = match order.call.deadline {
            Some(deadline) => deadline.0.saturating_duration_since(Instant::now()),
            None => order.contract.timeout.0,
        };
        let bounds = Bounds {
            time,
            bytes: http.max_answer.map_or(ANSWER, |size| size.bytes()),
            redirects: http.redirects.unwrap_or(REDIRECTS),
            same_host_only: http.hosts.is_empty(),
        };
        let reach = Reach { private: http.private, hosts: http.hosts.clone() };
        let sent = client.send(prepared, &reach, &bounds).await;
        let keep = |status: u16, text: &str| {
            self.place.answers.keep(&order.contract.name, &asked, Replied { status, text: text.to_owned() })
        };
        let batches = match sent {
            Ok(answer) => {
                if answer.status == PARTIAL {
                    return Err(failed("the service answered with a part of what was asked for"));
                }
                let text = answer.text().map_err(|failure| invalid(failure.to_string()))?;
                let text = self.without_secrets(&text);
                keep(answer.status, &text);
                self.read(text, order).await?
            }
            Err(failure) => {
                if let Failure::Status { status, body, .. } = &failure {
                    keep(*status, &self.without_secrets(&String::from_utf8_lossy(body)));
                }
                self.refused(&failure)?
            }
        };
        Ok(of_batches(batches))
    }

    /// No rows, where a status means that.
    fn refused(&self, failure: &Failure) -> Result<Vec<RecordBatch>, CallError> {
        match failure {
            Failure::Status { status, .. } if self.request.empty.contains(status) => Ok(Vec::new()),
            failure => Err(self.told(failure)),
        }
    }

    /// What would be sent, for the author of the tool: without headers and body, which may hold secrets.
    pub(super) fn explain(&self, order: Order<'_>) -> Result<String, CallError> {
        let prepared = parts::prepared(&self.request.http, order)?;
        let url = prepared.url();
        Ok(format!("{} {}{}\n", prepared.method(), url.origin().ascii_serialization(), url.path()))
    }

    /// Reads an answer, on a thread that nobody waits for: it may be large.
    async fn read(&self, answer: String, order: Order<'_>) -> Result<Vec<RecordBatch>, CallError> {
        let (request, time_zone) = (Arc::clone(&self.request), self.time_zone.clone());
        let columns = order.contract.columns().to_vec();
        let most = order.call.limit.map(|limit| limit.saturating_add(1));
        let read = move || of_answer(&request, &answer, (&columns, most, &time_zone));
        let read = tokio::task::spawn_blocking(read).await;
        read.map_err(|panic| CallError::internal(panic.to_string()))?
    }

    /// A text in which no secret of the server stands that the request had: some services say what they were sent.
    fn without_secrets(&self, text: &str) -> String {
        let secrets = secrets_of(&self.request.http.texts(), &|name| std::env::var(name).ok());
        Secrets::of(secrets).hidden(text)
    }

    fn told(&self, failure: &Failure) -> CallError {
        let error = match failure {
            Failure::TimedOut => CallError::new(CallCode::Timeout, "the service did not answer in time"),
            Failure::Status { status, retry_after, body } => {
                let own = self.request.statuses.get(&status.to_string());
                let says = String::from_utf8_lossy(body);
                let says: String = self.without_secrets(says.trim()).chars().take(LOGGED).collect();
                let detail = format!("the service answered with status {status}: {says}");
                let error = match (own, status) {
                    (Some(message), _) => CallError::new(CallCode::QueryFailed, message.trim()),
                    (None, 429) => {
                        CallError::new(CallCode::Busy, "the service is asked too often").hint("try again later")
                    }
                    (None, 503) => {
                        let message = "the service is not available at the moment";
                        CallError::new(CallCode::SourceUnavailable, message).hint("try again later")
                    }
                    _ => failed("the service refused the request; the server's log says why"),
                };
                let seconds = retry_after
                    .filter(|wait| *wait <= PATIENCE)
                    .map(|wait| wait.as_secs() + u64::from(wait.subsec_nanos() > 0));
                let error = CallError { retry_after: seconds, ..error };
                let error = match seconds {
                    Some(seconds) => error.hint(format!("try again in {seconds} s")),
                    None => error,
                };
                return CallError { detail: Some(Detail::Own(detail)), ..error };
            }
            Failure::Connect | Failure::Dns | Failure::Tls(_) => {
                CallError::new(CallCode::SourceUnavailable, "the service cannot be reached").hint("try again later")
            }
            _ => failed("the request failed; the server's log says why"),
        };
        CallError { detail: Some(Detail::Own(failure.to_string())), ..error }
    }
}

/// A request that cannot be put together: a variable is not set.
fn not_made(error: CallError) -> CallError {
    match error.code {
        CallCode::InternalError => CallError {
            detail: error.detail,
            ..failed("the request cannot be put together; the server's log says why")
        },
        _ => error,
    }
}

/// An answer as it is kept.
#[derive(Serialize, Deserialize)]
struct Replied {
    status: u16,
    text: String,
}

/// The secrets among the variables of a request. The others may well be what was asked for: a region, a currency.
fn secrets_of(texts: &[(Vec<String>, &str)], value_of: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut secrets = Vec::new();
    for (place, text) in texts {
        let key = place.last().map(|key| key.replace('-', "_"));
        let is_for_secrets = key.is_some_and(|key| is_secret(&key, text) || is_key_of_secret(&key));
        for name in variables_of(text) {
            let Some(value) = value_of(&name).filter(|value| value.len() >= SHORT) else { continue };
            if is_for_secrets || is_secret(&name, &value) {
                secrets.push(value);
            }
        }
    }
    secrets
}

fn of_batches(batches: Vec<RecordBatch>) -> RunOutput {
    RunOutput { batches, ..RunOutput::default() }
}

fn failed(message: &str) -> CallError {
    CallError::new(CallCode::RequestFailed, message)
}

fn of_answer(
    request: &RequestConfig,
    text: &str,
    (columns, most, time_zone): (&[OutputColumn], Option<u64>, &TimeZoneName),
) -> Result<Vec<RecordBatch>, CallError> {
    let reading = Reading { columns, most, time_zone };
    let form = request.output.form.unwrap_or(OutputForm::Json);
    // 204, and what HEAD asks: there is nothing, which is no row, and no document.
    let text = match form {
        OutputForm::Json if text.trim().is_empty() && request.output.rows.is_none() => "[]",
        OutputForm::Document if text.trim().is_empty() && request.output.rows.is_none() => "null",
        _ => text,
    };
    let read = reading.batches(form, request.output.rows.as_deref(), text.as_bytes());
    read.map_err(|flaw: Flaw| invalid(flaw.to_string()))
}

fn invalid(why: String) -> CallError {
    let message = "what the service answered cannot be read; the server's log says why";
    CallError { detail: Some(Detail::Own(why)), ..CallError::new(CallCode::InvalidOutput, message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_requests_are_known_and_nothing_else_is_one() {
        let texts = [
            (vec!["headers".to_owned(), "Authorization".to_owned()], "Bearer ${WHO}"),
            (vec!["headers".to_owned(), "X-Api-Key".to_owned()], "${K}"),
            (vec!["query".to_owned(), "q".to_owned()], "${MY_TOKEN}"),
            (vec!["query".to_owned(), "region".to_owned()], "${REGION}"),
            (vec!["query".to_owned(), "key".to_owned()], "${PIN}"),
        ];
        let value_of = |name: &str| {
            let value = match name {
                "WHO" => "somebody",
                "K" => "let me in",
                "MY_TOKEN" => "a token",
                "REGION" => "europe",
                "PIN" => "1234",
                _ => return None,
            };
            Some(value.to_owned())
        };
        assert_eq!(secrets_of(&texts, &value_of), ["somebody", "let me in", "a token"]);
    }
}
