//! What `qtool.yaml` says of serving means something: toolsets name tools that there are, and `auth` can be used.
//!
//! Bad: `toolsets: { ops: { tools: [late_flight] } }` where the tool is `late_flights`.

use crate::diagnostic::{Diagnostics, codes};
use crate::name::{is_legal, nearest};
use crate::project::Project;
use crate::syntax::ParsedQuery;
use std::sync::Arc;

/// Checks the toolsets, and what is asked of callers.
pub(super) fn check(project: &Project, queries: &[Arc<ParsedQuery>], sink: &mut Diagnostics) {
    let (file, document) = (&project.file, &project.document);
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
            let names = || queries.iter().map(|query| query.name.value.as_str());
            if names().any(|known| known == tool) {
                continue;
            }
            let place = document.value_span(&["toolsets", name, "tools", &at.to_string()]);
            let diagnostic = codes::invalid_setting(place, &format!("there is no tool `{tool}`"));
            sink.push(codes::did_you_mean(diagnostic, Some(tool), nearest(tool, names())));
        }
        for (at, tag) in toolset.tags.iter().enumerate() {
            let tags = || queries.iter().flat_map(|query| &query.header.tags).map(String::as_str);
            if tags().any(|known| known == tag) {
                continue;
            }
            let place = document.value_span(&["toolsets", name, "tags", &at.to_string()]);
            let diagnostic = codes::invalid_setting(place, &format!("no tool has the tag `{tag}`"));
            sink.push(codes::did_you_mean(diagnostic, Some(tag), nearest(tag, tags())));
        }
    }
    for problem in file.auth.iter().flat_map(|auth| auth.problems()) {
        sink.push(codes::invalid_setting(document.key_span(&["auth"]), &problem));
    }
}
