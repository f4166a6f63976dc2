//! Changes for code hosts: SARIF, and the annotations of GitHub Actions.

use crate::review::{Change, Class, RULES};
use crate::syntax;
use crate::workspace::Workspace;
use serde_json::{Value, json};

/// The query file of a tool.
fn file(workspace: &Workspace, tool: &str) -> Option<String> {
    let sources = &workspace.project.sources;
    let query = workspace.project.queries.iter().find(|query| syntax::declared_name(query, sources) == tool)?;
    Some(sources.get(query.file)?.path.clone())
}

/// A SARIF 2.1.0 log (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/>).
pub(super) fn sarif(changes: &[Change], workspace: &Workspace) -> String {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| json!({"id": rule.code, "shortDescription": {"text": rule.why}, "defaultConfiguration": {"level": level(rule.class)}}))
        .collect();
    let result = |change: &Change| {
        let mut result = json!({
            "ruleId": change.kind.rule().code,
            "level": level(change.class),
            "message": {"text": change.sentence},
            "properties": {"class": change.class, "audience": change.audience, "tool": change.tool},
        });
        if let (Some(uri), Some(map)) = (file(workspace, &change.tool), result.as_object_mut()) {
            let place = json!([{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}}}]);
            map.insert("locations".to_owned(), place);
        }
        result
    };
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "qtool", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "results": changes.iter().map(result).collect::<Vec<_>>(),
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn level(class: Class) -> &'static str {
    match class {
        Class::Breaking => "error",
        Class::Compatible => "warning",
        Class::Documentation => "note",
    }
}

/// Workflow commands (<https://docs.github.com/actions/reference/workflow-commands-for-github-actions>).
pub(super) fn github(changes: &[Change], workspace: &Workspace) -> String {
    let line = |change: &Change| {
        let command = match change.class {
            Class::Breaking => "error",
            Class::Compatible => "warning",
            Class::Documentation => "notice",
        };
        let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
        let file = file(workspace, &change.tool).map(|file| format!("file={},", property(&file))).unwrap_or_default();
        format!("::{command} {file}title={}::{}\n", property(change.kind.rule().code), data(&change.sentence))
    };
    changes.iter().map(line).collect()
}
