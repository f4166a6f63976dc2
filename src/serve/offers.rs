//! What is passed on of other servers beside their tools, as MCP lists it: in the words that are locked.

use super::Principal;
use crate::engine::{Engine, ReadBy};
use crate::project::{LockedArgument, LockedResource, LockedTemplate};
use crate::tool::uri_template::UriTemplate;
use crate::tool::{Offered, OfferedPrompt};
use rmcp::model::{Prompt, PromptArgument, Resource, ResourceTemplate};
use std::collections::BTreeSet;

/// What is passed on of all other servers.
#[derive(Debug, Default)]
pub(super) struct Offers(Vec<Offer>);

/// What is passed on of one.
#[derive(Debug)]
struct Offer {
    offered: Offered,
    /// Those of its templates, in their order.
    templates: Vec<Option<UriTemplate>>,
}

/// What a URI is read of.
#[derive(Clone, Copy)]
pub(super) struct Readable<'a> {
    /// What is passed on of the server.
    pub(super) offered: &'a Offered,
    /// The resource, or the template that the URI fits.
    pub(super) by: ReadBy<'a>,
}

impl Offers {
    pub(super) fn new(offered: Vec<Offered>) -> Offers {
        let offer = |offered: Offered| {
            let templates = offered.templates.iter().map(|one| UriTemplate::parse(&one.uri_template).ok()).collect();
            Offer { offered, templates }
        };
        Offers(offered.into_iter().map(offer).collect())
    }

    /// What is passed on, for whoever may see it.
    pub(super) fn all(&self) -> impl Iterator<Item = &Offered> {
        self.0.iter().map(|offer| &offer.offered)
    }

    /// Whether there is something to be read, whoever may.
    pub(super) fn has_resources(&self) -> bool {
        self.all().any(Offered::has_resources)
    }

    fn seen<'a>(&'a self, principal: Option<&'a Principal>) -> impl Iterator<Item = &'a Offer> {
        // Who has the process has all of it; without authentication there are no scopes.
        let may_see = move |offer: &&Offer| {
            principal.is_none_or(|principal| offer.offered.scopes.iter().all(|scope| principal.scopes.contains(scope)))
        };
        self.0.iter().filter(may_see)
    }

    /// The prompts that a caller may see and that are what was locked, as far as their servers were heard.
    pub(super) fn prompts<'a>(
        &'a self,
        principal: Option<&'a Principal>,
        engine: &'a Engine,
    ) -> impl Iterator<Item = Prompt> + 'a {
        self.seen(principal).flat_map(move |Offer { offered, .. }| {
            let there = offered.prompts.iter().filter(move |prompt| !engine.is_prompt_withdrawn(offered, prompt));
            there.map(published)
        })
    }

    /// The prompt of that name, where a caller may see it.
    pub(super) fn prompt<'a>(
        &'a self,
        name: &str,
        principal: Option<&'a Principal>,
    ) -> Option<(&'a Offered, &'a OfferedPrompt)> {
        self.seen(principal).find_map(|offer| {
            let prompt = offer.offered.prompts.iter().find(|prompt| prompt.name == name)?;
            Some((&offer.offered, prompt))
        })
    }

    /// Whether a prompt that a caller may see has an argument of that name.
    pub(super) fn has_argument(&self, name: &str, argument: &str, principal: Option<&Principal>) -> bool {
        let found = self.prompt(name, principal);
        found.is_some_and(|(_, prompt)| prompt.locked.arguments.iter().any(|known| known.name == argument))
    }

    /// The resources, likewise.
    pub(super) fn resources<'a>(
        &'a self,
        principal: Option<&'a Principal>,
        engine: &'a Engine,
    ) -> impl Iterator<Item = Resource> + 'a {
        self.seen(principal).flat_map(move |Offer { offered, .. }| {
            let is_there = move |one: &&LockedResource| !engine.is_resource_withdrawn(offered, ReadBy::Resource(one));
            offered.resources.iter().filter(is_there).map(listed)
        })
    }

    /// The templates of resources, likewise.
    pub(super) fn templates<'a>(
        &'a self,
        principal: Option<&'a Principal>,
        engine: &'a Engine,
    ) -> impl Iterator<Item = ResourceTemplate> + 'a {
        self.seen(principal).flat_map(move |Offer { offered, .. }| {
            let is_there = move |one: &&LockedTemplate| !engine.is_resource_withdrawn(offered, ReadBy::Template(one));
            offered.templates.iter().filter(is_there).map(listed_template)
        })
    }

    /// What is not what was locked, as far as the servers were heard: prompts, and resources with templates, each by its server.
    pub(super) fn withdrawn(&self, engine: &Engine) -> [BTreeSet<(String, String)>; 2] {
        let mut withdrawn = [BTreeSet::new(), BTreeSet::new()];
        let [prompts, resources] = &mut withdrawn;
        for offered in self.all() {
            let of = |name: &String| (offered.upstream.clone(), name.clone());
            let gone = offered.prompts.iter().filter(|one| engine.is_prompt_withdrawn(offered, one));
            prompts.extend(gone.map(|one| of(&one.name)));
            let gone = |by: ReadBy<'_>| engine.is_resource_withdrawn(offered, by);
            let uris = offered.resources.iter().filter(|one| gone(ReadBy::Resource(one))).map(|one| of(&one.uri));
            resources.extend(uris);
            let gone = offered.templates.iter().filter(|one| gone(ReadBy::Template(one)));
            resources.extend(gone.map(|one| of(&one.uri_template)));
        }
        withdrawn
    }

    /// What a caller reads by a URI: a resource before those of templates. `None` where it is nothing that is passed on.
    pub(super) fn readable<'a>(&'a self, uri: &str, principal: Option<&'a Principal>) -> Option<Readable<'a>> {
        let resource = self.seen(principal).find_map(|Offer { offered, .. }| {
            let resource = offered.resources.iter().find(|resource| resource.uri == uri)?;
            Some(Readable { offered, by: ReadBy::Resource(resource) })
        });
        let of_template = || {
            self.seen(principal).find_map(|Offer { offered, templates }| {
                let fits = |template: &Option<UriTemplate>| template.as_ref().is_some_and(|one| one.fits(uri));
                let mut all = offered.templates.iter().zip(templates);
                let (template, _) = all.find(|(_, template)| fits(template))?;
                Some(Readable { offered, by: ReadBy::Template(template) })
            })
        };
        resource.or_else(of_template)
    }
}

impl PartialEq for Offers {
    fn eq(&self, other: &Offers) -> bool {
        self.all().eq(other.all())
    }
}

impl Readable<'_> {
    /// What is asked for, in words that no client has made up.
    pub(super) fn address(&self) -> &str {
        match self.by {
            ReadBy::Resource(resource) => &resource.uri,
            ReadBy::Template(template) => &template.uri_template,
        }
    }
}

fn published(prompt: &OfferedPrompt) -> Prompt {
    let arguments: Vec<PromptArgument> = prompt.locked.arguments.iter().map(argument).collect();
    let arguments = (!arguments.is_empty()).then_some(arguments);
    let mut published = Prompt::new(prompt.name.clone(), prompt.locked.description.clone(), arguments);
    published.title.clone_from(&prompt.locked.title);
    published
}

fn argument(locked: &LockedArgument) -> PromptArgument {
    let mut argument = PromptArgument::new(locked.name.clone()).with_required(locked.required);
    argument.title.clone_from(&locked.title);
    argument.description.clone_from(&locked.description);
    argument
}

fn listed(locked: &LockedResource) -> Resource {
    let mut resource = Resource::new(locked.uri.clone(), locked.name.clone());
    resource.title.clone_from(&locked.title);
    resource.description.clone_from(&locked.description);
    resource.mime_type.clone_from(&locked.mime_type);
    resource
}

fn listed_template(locked: &LockedTemplate) -> ResourceTemplate {
    let mut template = ResourceTemplate::new(locked.uri_template.clone(), locked.name.clone());
    template.title.clone_from(&locked.title);
    template.description.clone_from(&locked.description);
    template.mime_type.clone_from(&locked.mime_type);
    template
}
