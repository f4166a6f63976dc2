//! What a tool of MCC says beside what it runs: who may call it, its environment, its limits.

use super::super::draft::Draft;
use super::super::read_yaml::as_bool;
use super::super::variable::in_braces;
use serde_json::{Map, Number, Value, json};

/// The fewest open files that a program may be held to.
const FEWEST_FILES: u64 = 8;

/// The groups of a tool: those of its file and its own.
pub(super) fn groups<'a>(file: Option<&'a Value>, tool: Option<&'a Value>) -> Vec<&'a str> {
    let mut groups: Vec<&str> = Vec::new();
    for list in [file, tool].into_iter().flatten() {
        let items = list.as_array().map_or_else(|| std::slice::from_ref(list), Vec::as_slice);
        for group in items.iter().filter_map(Value::as_str).filter(|group| !group.is_empty()) {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
    }
    groups
}

/// Who may call it: those who are in one of its groups, or everybody where it is public.
pub(super) fn say_groups(mut groups: Vec<&str>, draft: &mut Draft) -> Vec<String> {
    let is_public = groups.contains(&"public");
    groups.retain(|group| *group != "public");
    draft.say("tags", groups.clone());
    if is_public || groups.is_empty() {
        return Vec::new();
    }
    draft.say("scopes", groups.clone());
    match groups.len() {
        1 => Vec::new(),
        _ => vec!["it needs the scopes of all its groups, and there one of the groups is enough".to_owned()],
    }
}

/// Its environment and folder, with those of the file below them; what is otherwise here.
pub(super) fn say_environment(file: &Map<String, Value>, tool: &Map<String, Value>, draft: &mut Draft) -> Vec<String> {
    let mut notes = Vec::new();
    let mut variables = Map::new();
    for (name, value) in [file, tool].into_iter().filter_map(|said| said.get("env")?.as_object()).flatten() {
        let text = value.as_str().map_or_else(|| value.to_string(), in_braces);
        variables.insert(name.clone(), text.into());
    }
    draft.say("env", Value::Object(variables));
    let text = |key: &str| tool.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let env_file = text("env_file").or_else(|| file.get("env_file").and_then(Value::as_str));
    draft.say("env_file", env_file.unwrap_or_default());
    draft.say("cwd", text("cwd").unwrap_or_default());
    for (key, path) in [("env_file", env_file), ("cwd", text("cwd"))] {
        if path.is_some_and(|path| path.starts_with(['/', '~', '$']) || path.contains("..")) {
            notes.push(format!("`{key}` must lie below the project, or below another of its roots"));
        }
    }
    notes.extend(say_passthrough(tool.get("env_passthrough"), draft));
    notes
}

fn say_passthrough(passthrough: Option<&Value>, draft: &mut Draft) -> Option<String> {
    let passthrough = passthrough?;
    if as_bool(passthrough) == Some(true) {
        draft.say("passthrough", json!(["*"]));
        return Some(
            "variables that look like secrets are passed where `passthrough` has their whole names".to_owned(),
        );
    }
    let patterns = passthrough.as_array()?.iter().filter_map(Value::as_str);
    let is_pattern = |text: &&str| super::super::variable::is_name(&text.replace('*', "x"));
    let (known, others): (Vec<&str>, Vec<&str>) = patterns.partition(is_pattern);
    draft.say("passthrough", known);
    (!others.is_empty())
        .then(|| format!("`{}` of `env_passthrough` is no pattern here: write the names", others.join("`, `")))
}

/// What a call of it may take; what is otherwise here.
pub(super) fn say_limits(tool: &Map<String, Value>, is_program: bool, draft: &mut Draft) -> Vec<String> {
    let mut notes = Vec::new();
    let limits = tool.get("limits").and_then(Value::as_object);
    let limit = |key: &str| limits.and_then(|limits| limits.get(key)).and_then(Value::as_number);
    let outside = tool.get("timeout").and_then(Value::as_number);
    if outside.is_some() {
        notes.push("`timeout` outside of `limits` holds here, and MCC does not read it".to_owned());
    }
    draft.say("timeout", limit("timeout").or(outside).and_then(time).unwrap_or_default());
    let mut ours = Map::new();
    let mut add = |key: &str, value: Option<Value>| ours.extend(value.map(|value| (key.to_owned(), value)));
    let size = |number: &Number| number.as_u64().filter(|size| *size > 0).map(|size| format!("{size}MiB").into());
    add("cpu", limit("cpu_sec").and_then(time).map(Value::from));
    add("memory", limit("mem_mb").and_then(size));
    let files = limit("nofile").and_then(Number::as_u64);
    add("files", files.map(|files| files.max(FEWEST_FILES).into()));
    if files.is_some_and(|files| files < FEWEST_FILES) {
        notes.push(format!("no program may have fewer than {FEWEST_FILES} open files"));
    }
    add("file_size", limit("fsize_mb").and_then(size));
    if is_program {
        draft.say("limits", Value::Object(ours));
    } else if !ours.is_empty() {
        notes.push("its limits of memory, time of the processor and files hold for programs alone".to_owned());
    }
    let known = ["timeout", "cpu_sec", "mem_mb", "nofile", "fsize_mb"];
    for (key, _) in limits.into_iter().flatten().filter(|(key, _)| !known.contains(&key.as_str())) {
        notes.push(format!("limit `{key}` has no form here"));
    }
    notes
}

/// How long its results are kept. `only_reads`: what it does is known to change nothing.
pub(super) fn say_cache(tool: &Map<String, Value>, only_reads: bool, draft: &mut Draft) -> Option<String> {
    let time = tool.get("cache_ttl").and_then(Value::as_number).and_then(time)?;
    if only_reads {
        draft.say("cache_ttl", time);
        draft.say("annotations", json!({ "read_only": true }));
        return None;
    }
    Some(format!(
        "if it only reads, write `cache_ttl: {time}` and `annotations: {{ read_only: true }}`: else no result is kept"
    ))
}

/// Seconds as a time such as `30s` or `500ms`; `None` where there are none.
fn time(seconds: &Number) -> Option<String> {
    if let Some(whole) = seconds.as_u64() {
        return (1..1_000_000_000).contains(&whole).then(|| format!("{whole}s"));
    }
    let millis = (seconds.as_f64()? * 1000.0).round();
    (1.0..1e9).contains(&millis).then(|| format!("{millis}ms"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn groups_are_tags_and_scopes() {
        let said = |file: Value, tool: Value| {
            let mut draft = Draft::default();
            let notes = say_groups(groups(Some(&file), Some(&tool)), &mut draft);
            (draft.text(), notes.len())
        };
        assert_eq!(said(json!([]), json!([])), (String::new(), 0));
        assert_eq!(said(json!(["public"]), json!([])), (String::new(), 0));
        assert_eq!(said(json!(["public", "text"]), json!(["admin"])), ("tags: [text, admin]\n".to_owned(), 0));
        assert_eq!(said(json!(["ops"]), json!(["ops"])), ("tags: [ops]\nscopes: [ops]\n".to_owned(), 0));
        assert_eq!(
            said(json!(["admin"]), json!(["ops"])),
            ("tags: [admin, ops]\nscopes: [admin, ops]\n".to_owned(), 1)
        );
    }

    #[test]
    fn the_environment_of_the_tool_wins() {
        let file = map(json!({"env": {"A": "1", "B": "file"}, "env_file": "all.env"}));
        let tool = map(json!({"env": {"B": "$TOKEN", "C": 3}, "cwd": "/srv/x", "env_passthrough": ["AWS_*", "X?"]}));
        let mut draft = Draft::default();
        let notes = say_environment(&file, &tool, &mut draft);
        assert_eq!(
            draft.text(),
            "cwd: /srv/x\nenv:\n  A: \"1\"\n  B: \"${TOKEN}\"\n  C: \"3\"\nenv_file: all.env\npassthrough: [\"AWS_*\"]\n"
        );
        assert_eq!(notes.len(), 2, "{notes:?}");
    }

    #[test]
    fn limits_have_units() {
        let tool =
            map(json!({"limits": {"timeout": 30, "mem_mb": 256, "cpu_sec": 10, "fsize_mb": 50, "nofile": 4, "x": 1}}));
        let mut draft = Draft::default();
        let notes = say_limits(&tool, true, &mut draft);
        assert_eq!(
            draft.text(),
            "limits: { cpu: \"10s\", memory: \"256MiB\", files: 8, file_size: \"50MiB\" }\ntimeout: \"30s\"\n"
        );
        assert_eq!(notes, ["no program may have fewer than 8 open files", "limit `x` has no form here"]);
        let mut draft = Draft::default();
        let notes = say_limits(&map(json!({"timeout": 0.5, "limits": {"mem_mb": 1}})), false, &mut draft);
        assert_eq!((draft.text().as_str(), notes.len()), ("timeout: \"500ms\"\n", 2));
    }

    #[test]
    fn results_are_kept_of_what_only_reads() {
        let tool = map(json!({"cache_ttl": 60}));
        let mut draft = Draft::default();
        assert!(say_cache(&tool, true, &mut draft).is_none());
        assert_eq!(draft.text(), "cache_ttl: \"60s\"\nannotations: { read_only: true }\n");
        assert!(say_cache(&tool, false, &mut Draft::default()).is_some_and(|note| note.contains("cache_ttl: 60s")));
    }
}
