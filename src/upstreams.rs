//! Clients of other MCP servers. A server is reached over the pipes of a program or over streamable HTTP; it is started
//! at its first use, and again after it was lost. Nothing of this knows tools of this project.

mod answer;
mod breaker;
mod client;
mod config;
mod decode;
mod definition;
mod desk;
mod failure;
mod http;
mod link;
mod listing;
mod local_error;
mod mark;
mod news;
mod open;
mod question;
mod reading;
mod rounds;
mod secret;
mod send_failure;
mod slot;
mod stdio;
mod upstream;
mod watch;
mod watched;

pub use answer::{Answer, Body, Content, FilledPrompt, Message, Part, Speaker};
pub use config::{Address, Command, Config, Era, Lists, Log, Reach, Restart, Timeouts};
pub use definition::{
    Ambiguous, Annotations, Definition, Definitions, PromptDefinition, ResourceDefinition, TemplateDefinition,
};
pub use failure::Failure;
pub use question::{PassedOn, Question, QuestionKind};
pub use secret::Secret;
pub use upstream::Upstream;
pub use watch::{Progress, Watch};

#[cfg(test)]
mod tests;
