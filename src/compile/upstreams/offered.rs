//! What is passed on of other servers beside their tools: prompts and resources, as they are locked.

use super::Server;
use crate::compile::DEFAULT_TIMEOUT;
use crate::diagnostic::{Diagnostics, codes};
use crate::name::{is_legal, nearest, snake_case};
use crate::project::{LockedPrompt, LockedUpstream, Project, Timeout, UpstreamConfig};
use crate::rules::instructing_description::{instruction, invisible};
use crate::source::Span;
use crate::tool::uri_template::{UriTemplate, scheme};
use crate::tool::{Offered, OfferedPrompt};
use std::collections::HashMap;

/// The scheme of the project's own resources.
const OWN_SCHEME: &str = "qtool";
/// How many names are told.
const NAMED: usize = 20;

/// What is passed on of all servers whose settings are sound and that are locked, in the order of `qtool.yaml`; what is wrong with the
/// rest is in the sink. `prompts` are the names of the project's own, with their places.
pub(in crate::compile) fn offered(project: &Project, prompts: &[(&str, Span)], sink: &mut Diagnostics) -> Vec<Offered> {
    let mut taken: HashMap<String, Taken> =
        prompts.iter().map(|(name, place)| ((*name).to_owned(), Taken::Own(*place))).collect();
    let mut uris: HashMap<String, &str> = HashMap::new();
    let mut all = Vec::new();
    for (name, config) in &project.file.upstreams {
        let server = Server { project, name, config };
        // What is wrong with its settings was told with its tools.
        let mut told = Diagnostics::default();
        server.check(&mut told);
        let Some(locked) = project.upstreams.locked.get(name).filter(|_| told.errors() == 0) else { continue };
        let usual = project.file.defaults.timeout.unwrap_or(Timeout(DEFAULT_TIMEOUT));
        let mut offered = Offered::of_server(name, config, usual);
        let offer = Offer { server, locked };
        offered.prompts = offer.prompts(&mut taken, sink);
        offer.resources(&mut offered, &mut uris, sink);
        if !offered.is_empty() {
            all.push(offered);
        }
    }
    all
}

/// What has the name of a prompt.
enum Taken {
    /// A prompt of the project.
    Own(Span),
    /// One of a server.
    Upstream(Span),
}

/// A server, and what it said.
struct Offer<'a> {
    server: Server<'a>,
    locked: &'a LockedUpstream,
}

impl<'a> Offer<'a> {
    fn prompts(&self, taken: &mut HashMap<String, Taken>, sink: &mut Diagnostics) -> Vec<OfferedPrompt> {
        let (config, place) = (self.server.config, self.server.key(&["prompts"]));
        let names: Vec<&str> = self.locked.prompts.iter().map(|prompt| prompt.name.as_str()).collect();
        self.check_patterns(("prompts", "prompt", &config.prompts), (&names, &self.locked.other_prompts), sink);
        let mut prompts = Vec::new();
        for locked in self.locked.prompts.iter().filter(|prompt| config.takes_prompt(&prompt.name)) {
            let name = config.prompt_name_here(&locked.name);
            if !is_legal(&name) {
                let why = format!("the prompt `{}` of the server cannot be called `{name}`", plain_text(&locked.name));
                let said = codes::invalid_upstream(place, &why);
                sink.push(said.note("a prompt is asked for by the prefix and the snake_case of its name: a letter a to z first, then letters, digits and `_`, 64 at most"));
                continue;
            }
            match taken.get(&name) {
                None => drop(taken.insert(name.clone(), Taken::Upstream(place))),
                Some(Taken::Own(other)) => {
                    let said = codes::name_collision(place, &name, "a prompt of the project", *other);
                    sink.push(said.help("a `prefix` stands before the names of all that is of the server"));
                    continue;
                }
                Some(Taken::Upstream(other)) => {
                    let said = codes::name_collision(place, &name, "another prompt of a server", *other);
                    sink.push(said.help("a `prefix` stands before the names of all that is of the server"));
                    continue;
                }
            }
            self.check_prompt(&name, locked, sink);
            prompts.push(OfferedPrompt { name, locked: locked.clone() });
        }
        prompts
    }

    /// Warns of texts of a prompt that instruct or hide something.
    fn check_prompt(&self, name: &str, locked: &LockedPrompt, sink: &mut Diagnostics) {
        let place = self.server.key(&["prompts"]);
        let own = [("title", &locked.title), ("description", &locked.description)];
        self.check_texts(place, &format!("the prompt `{name}`"), own, sink);
        for argument in &locked.arguments {
            let called = Some(argument.name.clone());
            let of = format!("the argument `{}` of the prompt `{name}`", plain_text(&argument.name));
            self.check_texts(place, &of, [("name", &called), ("title", &argument.title)], sink);
            self.check_texts(place, &of, [("description", &argument.description), ("name", &None)], sink);
        }
    }

    fn resources(&self, offered: &mut Offered, uris: &mut HashMap<String, &'a str>, sink: &mut Diagnostics) {
        let (config, place) = (self.server.config, self.server.key(&["resources"]));
        let plain_ones = self.locked.resources.iter().map(|one| one.uri.as_str());
        let templates = self.locked.templates.iter().map(|one| one.uri_template.as_str());
        let names: Vec<&str> = plain_ones.chain(templates).collect();
        self.check_patterns(("resources", "resource", &config.resources), (&names, &self.locked.other_resources), sink);
        for locked in self.locked.resources.iter().filter(|one| config.takes_resource(&one.uri)) {
            if !self.may_be_passed_on(&locked.uri, uris, sink) {
                continue;
            }
            let name = Some(locked.name.clone());
            let of = format!("the resource `{}`", plain_text(&locked.uri));
            self.check_texts(place, &of, [("URI", &Some(locked.uri.clone())), ("name", &name)], sink);
            self.check_texts(place, &of, [("title", &locked.title), ("description", &locked.description)], sink);
            offered.resources.push(locked.clone());
        }
        for locked in self.locked.templates.iter().filter(|one| config.takes_resource(&one.uri_template)) {
            if !self.may_be_passed_on(&locked.uri_template, uris, sink) {
                continue;
            }
            if let Err(flaw) = UriTemplate::parse(&locked.uri_template) {
                let why = format!(
                    "the template `{}` of the server is not passed on: {flaw}",
                    plain_text(&locked.uri_template)
                );
                sink.push(codes::invalid_upstream(place, &why));
                continue;
            }
            let name = Some(locked.name.clone());
            let of = format!("the resources `{}`", plain_text(&locked.uri_template));
            self.check_texts(place, &of, [("template", &Some(locked.uri_template.clone())), ("name", &name)], sink);
            self.check_texts(place, &of, [("title", &locked.title), ("description", &locked.description)], sink);
            offered.templates.push(locked.clone());
        }
    }

    /// Whether something may be read by a URI, or by those of a template. What is wrong with it is reported.
    fn may_be_passed_on(&self, uri: &str, uris: &mut HashMap<String, &'a str>, sink: &mut Diagnostics) -> bool {
        let place = self.server.key(&["resources"]);
        let shown = plain_text(uri);
        let why = match scheme(uri) {
            None => format!("`{shown}` is no URI: it does not begin with a scheme, such as `docs://`"),
            Some(scheme) if scheme.eq_ignore_ascii_case(OWN_SCHEME) => {
                format!("`{shown}` is an address of the project's own resources")
            }
            Some(_) => match uris.insert(uri.to_owned(), self.server.name) {
                None => return true,
                Some(other) => {
                    let _ = uris.insert(uri.to_owned(), other);
                    format!("`{shown}` is read of the server `{other}` already")
                }
            },
        };
        sink.push(codes::invalid_upstream(place, &why));
        false
    }

    /// Reports patterns that nothing of the server fits.
    fn check_patterns(
        &self,
        (key, kind, patterns): (&str, &str, &[String]),
        (names, others): (&[&str], &[String]),
        sink: &mut Diagnostics,
    ) {
        let all = || names.iter().copied().chain(others.iter().map(String::as_str));
        for (at, pattern) in patterns.iter().enumerate() {
            let only = UpstreamConfig { prompts: vec![pattern.clone()], ..UpstreamConfig::default() };
            if names.iter().any(|name| only.takes_prompt(name)) {
                continue;
            }
            let place = self.server.value(&[key, &at.to_string()]);
            if others.iter().any(|name| only.takes_prompt(name)) {
                let why = format!("what `{pattern}` stands for was not chosen when the server was locked");
                sink.push(codes::invalid_upstream(place, &why).help("`qtool lock` locks it too"));
                continue;
            }
            let said = codes::invalid_upstream(place, &format!("no {kind} of the server is called `{pattern}`"));
            let spelt_so = all().find(|name| snake_case(name) == snake_case(pattern));
            let said = codes::meant(said, pattern, spelt_so.or_else(|| nearest(pattern, all())));
            let known: Vec<String> = all().take(NAMED).map(plain_text).collect();
            sink.push(match known.is_empty() {
                true => said.note(format!("the server has no {kind}s, as it is locked: `qtool lock` asks it again")),
                false => said.note(format!("as it is locked, its {kind}s are {}", known.join(", "))),
            });
        }
    }

    /// Warns of texts that instruct or hide something.
    fn check_texts(&self, place: Span, of: &str, texts: [(&str, &Option<String>); 2], sink: &mut Diagnostics) {
        let whose = format!("it is what the server `{}` says of itself", self.server.name);
        for (what, text) in texts {
            let Some(text) = text else { continue };
            let what = format!("the {what} of {of}");
            if instruction(text).is_some() {
                sink.push(codes::instructing_description(place, &what).note(&whose));
            }
            if let Some((_, character)) = invisible(text) {
                sink.push(codes::invisible_character(place, &what, character, false).note(&whose));
            }
        }
    }
}

/// What a server made up, short and with every sign that cannot be seen written out.
fn plain_text(text: &str) -> String {
    let shown: String = text.chars().take(120).collect();
    shown.escape_debug().to_string()
}
