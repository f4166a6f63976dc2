//! What `qtool.yaml` says of serving means something: toolsets name tools that there are, and `auth` can be used.
//!
//! Bad: `toolsets: { ops: { tools: [late_flight] } }` where the tool is `late_flights`.

use crate::diagnostic::{Diagnostics, codes};
use crate::name::{is_legal, nearest, snake_case};
use crate::project::{Project, is_scope};
use crate::syntax::ParsedQuery;
use std::sync::Arc;

/// Checks the toolsets, and what is asked of callers.
pub(super) fn check(project: &Project, queries: &[Arc<ParsedQuery>], sink: &mut Diagnostics) {
    let (file, document) = (&project.file, &project.document);
    let made: Vec<String> = file.made_tool_names().chain(project.upstream_tool_names()).collect();
    for (name, toolset) in &file.toolsets {
        if !is_legal(name) {
            let why = format!("the toolset `{name}` is a part of an address: letters, digits and `_`, in lower case");
            sink.push(codes::invalid_setting(document.key_span(&["toolsets", name]), &why));
        }
        if toolset.tools.is_empty() && toolset.tags.is_empty() {
            let why = format!("the toolset `{name}` has no tools: name them in `tools`, or by `tags`");
            sink.push(codes::invalid_setting(document.key_span(&["toolsets", name]), &why));
        }
        for (at, tool) in toolset.tools.iter().enumerate() {
            let names = || queries.iter().map(|query| query.name.value.as_str()).chain(made.iter().map(String::as_str));
            let mut aliases = queries.iter().flat_map(|query| &query.header.aliases).map(|alias| snake_case(alias));
            if names().any(|known| known == tool) || aliases.any(|alias| alias == *tool) {
                continue;
            }
            let place = document.value_span(&["toolsets", name, "tools", &at.to_string()]);
            let diagnostic = codes::invalid_setting(place, &format!("there is no tool `{tool}`"));
            sink.push(codes::did_you_mean(diagnostic, Some(tool), nearest(tool, names())));
        }
        for (at, tag) in toolset.tags.iter().enumerate() {
            let tags = || {
                let of_sets = file.table_tools.values().flat_map(|set| &set.tags);
                let of_records = file.records.values().flat_map(|config| &config.tags);
                let of_upstreams = file
                    .upstreams
                    .values()
                    .flat_map(|config| config.tags.iter().chain(config.overrides.values().flat_map(|tool| &tool.tags)));
                let made = of_sets.chain(of_records).chain(of_upstreams);
                queries.iter().flat_map(|query| &query.header.tags).chain(made).map(String::as_str)
            };
            if tags().any(|known| known == tag) {
                continue;
            }
            let place = document.value_span(&["toolsets", name, "tags", &at.to_string()]);
            let diagnostic = codes::invalid_setting(place, &format!("no tool has the tag `{tag}`"));
            sink.push(codes::did_you_mean(diagnostic, Some(tag), nearest(tag, tags())));
        }
    }
    for problem in file.auth.iter().flat_map(|auth| auth.flaws()) {
        let at: Vec<&str> = ["auth"].into_iter().chain(problem.at.iter().map(String::as_str)).collect();
        let place = if at.len() == 1 { document.key_span(&at) } else { document.value_span(&at) };
        let diagnostic = codes::invalid_setting(place, &problem.words);
        sink.push(match &problem.blank {
            Some(written) => codes::meant(diagnostic, written, Some(written.trim())),
            None => diagnostic,
        });
    }
    for query in queries {
        scopes(query, sink);
    }
}

/// Checks that a token can have the scopes that a query asks for (RFC 6749, 3.3): with another one it is for nobody.
fn scopes(query: &ParsedQuery, sink: &mut Diagnostics) {
    for (at, scope) in query.header.scopes.iter().enumerate().filter(|(_, scope)| !is_scope(scope)) {
        let place = query.document.value_span(&["scopes", &at.to_string()]);
        let why = format!("no token can have the scope `{scope}`: a scope has no blanks, quotes or backslashes");
        let diagnostic = codes::invalid_setting(place, &why);
        let parts: Vec<&str> = scope.split([' ', ',']).filter(|part| !part.is_empty()).collect();
        sink.push(match parts.as_slice() {
            [_, _, ..] if parts.iter().all(|part| is_scope(part)) => {
                diagnostic.help(format!("several scopes are a list: `[{}]`", parts.join(", ")))
            }
            [one] if is_scope(one) => codes::meant(diagnostic, scope, Some(one)),
            _ => diagnostic,
        });
    }
}
