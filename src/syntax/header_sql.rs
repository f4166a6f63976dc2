//! What a header says in SQL: rules, choices, defaults, and queries that give allowed values.

use super::header::ReadHeader;
use super::quoted::{self, Quoted};
use super::{AllowedQuery, Choices, DefaultExpression, HeaderFault, Rule};
use super::{allowed_query, choice, default, rule};
use crate::diagnostic::Diagnostics;
use crate::source::{Sources, Span};
use indexmap::IndexMap;

/// The SQL of a header. What has errors is left out, and `fault` says so.
pub(super) struct HeaderSql {
    pub rules: Vec<Rule>,
    pub choices: Choices,
    pub defaults: IndexMap<String, DefaultExpression>,
    pub allowed: IndexMap<String, AllowedQuery>,
    /// The header itself is among what this speaks of: without it the settings say nothing.
    pub fault: Option<HeaderFault>,
}

impl HeaderSql {
    pub(super) fn read(header: Option<&ReadHeader>, sources: &Sources, sink: &mut Diagnostics) -> HeaderSql {
        let Some(ReadHeader { header, document, .. }) = header else {
            return HeaderSql {
                rules: Vec::new(),
                choices: Choices::new(),
                defaults: IndexMap::new(),
                allowed: IndexMap::new(),
                fault: Some(HeaderFault::Settings),
            };
        };
        let rules = rule::read(&header.rules, document, sources, sink);
        let choices = choice::read(header, document, sources, sink);
        let defaults = default::read(header, document, sources, sink);
        let allowed = allowed_query::read(header, document, sources, sink);
        let fault = if choices.is_none() {
            // A choice is a part of the statement: without one there is no statement to tell types from.
            Some(HeaderFault::Settings)
        } else if rules.is_none() || defaults.is_none() || allowed.is_none() {
            Some(HeaderFault::Sql)
        } else {
            None
        };
        HeaderSql {
            rules: rules.unwrap_or_default(),
            choices: choices.unwrap_or_default(),
            defaults: defaults.unwrap_or_default(),
            allowed: allowed.unwrap_or_default(),
            fault,
        }
    }

    /// What looks like a placeholder in it and is none.
    pub(super) fn quoted<'a>(&'a self, sources: &'a Sources) -> impl Iterator<Item = Quoted> + 'a {
        let rules = self.rules.iter().map(|one| one.span);
        let choices = self.choices.values().flatten().map(|one| one.span);
        let defaults = self.defaults.values().map(|one| one.span);
        let allowed = self.allowed.values().map(|one| one.span);
        let found = |span: Span| {
            sources.get(span.file).map(|file| quoted::find(file, span, quoted::Home::Header)).unwrap_or_default()
        };
        rules.chain(choices).chain(defaults).chain(allowed).flat_map(found)
    }
}
