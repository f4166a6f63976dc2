use super::*;

fn made(text: &str) -> Imported {
    imported(&[Foreign { path: "tools.yaml".to_owned(), text: text.to_owned() }])
}

fn manifest<'a>(imported: &'a Imported, name: &str) -> &'a str {
    let found = imported.manifests.iter().find(|(known, _)| known == name);
    found.map(|(_, text)| text.as_str()).unwrap_or_else(|| panic!("{name}: {imported:?}"))
}

#[test]
fn a_catalog_is_carried_over() {
    let imported = made(include_str!("tests/catalog.yaml"));
    for (name, text) in [
        (
            "count_lines",
            "description: \"Counts the lines of a file.\\n\\nExample: count-lines file=notes.txt\"\ntags: [lab]\nscopes: [lab]\nparams:\n  file: { type: text, description: \"Which file.\", examples: [notes.txt] }\nrun: [wc, \"-l\", << file >>]\nenv:\n  LEVEL: info\n  REGION: eu\nenv_file: lab.env\n",
        ),
        (
            "find_text",
            "tags: [lab]\nparams:\n  pattern: { type: text }\n  paths: { type: \"text[]\" }\n  recursive: { type: boolean, default: false }\n  depth: { type: bigint, required: false }\nrun: [grep, { if: << recursive >>, then: [\"-r\"] }, [\"--max-count\", << depth >>], \"-e\", << pattern >>, << paths >>]\nenv:\n  LEVEL: info\n  REGION: eu\nenv_file: lab.env\nlimits: { memory: \"64MiB\" }\ntimeout: \"5s\"\n",
        ),
        (
            "reads_json",
            "tags: [lab]\nscopes: [lab]\nparams:\n  key: { type: text }\n  tags: { type: json, default: [] }\n  token: { type: text, from: env.LAB_TOKEN }\nrun: [python3, scripts/reads.py]\nstdin: json\nenv:\n  LEVEL: \"${LAB_LEVEL}\"\n  REGION: eu\nenv_file: lab.env\npassthrough: [\"*\"]\n",
        ),
        (
            "shout",
            "tags: [lab]\nscopes: [lab]\nparams:\n  words: { type: text }\n  times: { type: bigint, default: 1 }\n  mode: { type: text, fixed: loud }\npython: \"lab.text:shout\"\ninterpreter: \".venv/bin/python\"\nenv:\n  LEVEL: info\n  REGION: eu\nenv_file: lab.env\n",
        ),
        (
            "geolocate",
            "tags: [lab, net]\nscopes: [lab, net]\nparams:\n  query: { type: text }\nhttp:\n  method: GET\n  url: \"http://ip.example/json/<< query >>\"\ncache_ttl: \"300s\"\nannotations: { read_only: true }\n",
        ),
    ] {
        assert_eq!(manifest(&imported, name), text);
    }
    assert!(manifest(&imported, "whisper").contains("python: \"lab.text:whisper\"\n"));
    assert!(manifest(&imported, "search").contains("  body: { q: << q >> }\n"));
    assert_eq!(imported.manifests.len(), 7, "{:#?}", imported.manifests);
}

#[test]
fn what_is_not_carried_over_is_listed_with_why() {
    let imported = made(include_str!("tests/catalog.yaml"));
    let left: Vec<String> = imported.left_out.iter().map(|(what, why)| format!("{what}: {why}")).collect();
    assert_eq!(
        left,
        [
            "tool `piped` of `tools.yaml`: it has a pipe or `||`, and no shell runs here",
            "tool `appended` of `tools.yaml`: it has a redirection, and no shell runs here",
            "tool `dated` of `tools.yaml`: parameter `d` has the type `date`, which MCC has not",
            "tool `undeclared` of `tools.yaml`: `x` is none of its parameters",
            "tool `two` of `tools.yaml`: it says more than one of `fn`, `exec` and `curl`",
            "tool 13 of `tools.yaml`: it has no name",
            "tool `count-lines` of `tools.yaml`: there is another tool of that name in its groups",
            "tool `camel` of `tools.yaml`: no parameter can be called `maxRows` here: names are in snake_case, and `limit`, `table_format`, `cursor` are those of qtool",
        ]
    );
    let notes = imported.notes.join("\n");
    for words in
        ["`transform` is a pipe", "if it only reads, write `cache_ttl: 60s`", "`query` is required here", "`LAB_TOKEN`"]
    {
        assert!(notes.contains(words), "{words}: {notes}");
    }
}

#[test]
fn the_same_name_in_other_groups_gets_them_in_front() {
    let imported = made(
        "tools:\n  - { name: list, groups: [archive], exec: ls }\n  - { name: list, groups: [public, fs], exec: ls }\n  - { name: list, groups: [fs], exec: ls }\n",
    );
    let names: Vec<&str> = imported.manifests.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["list", "fs_list"]);
    assert!(imported.left_out[0].1.contains("another tool has that name"));
}

#[test]
fn a_broken_file_harms_no_other() {
    let file = |path: &str, text: &str| Foreign { path: path.to_owned(), text: text.to_owned() };
    let imported = imported(&[
        file("a.yaml", "tools: ["),
        file("b.yaml", "other: 1"),
        file("c.yaml", "- 1"),
        file("d.yaml", "tools: [1, { name: ok, exec: ls }]"),
        file("e.yaml", "x: &g [admin]\ntools:\n  - { fn: a.b, groups: *g, colour: red }\n"),
    ]);
    let names: Vec<&str> = imported.manifests.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["ok", "b"]);
    assert_eq!(imported.left_out.len(), 4, "{:?}", imported.left_out);
    assert!(imported.notes.iter().any(|note| note.contains("`colour` has no form here")));
}

#[test]
fn every_manifest_is_yaml() {
    for (name, text) in made(include_str!("tests/catalog.yaml")).manifests {
        let read: Value = serde_yaml::from_str(&text).unwrap();
        assert!(
            ["run", "python", "http"].iter().filter(|key| read.get(**key).is_some()).count() == 1,
            "{name}: {text}"
        );
    }
}

/// Commands of pieces in any order are carried over, or told: whatever they are.
#[test]
fn any_command_is_read_to_its_end() {
    let pieces = [
        "f",
        " ",
        "'",
        "\"",
        "\\",
        "$",
        "{",
        "}",
        "{{ a }}",
        "{{ a | quote }}",
        "{{ l | quote }}",
        "{% if b %}",
        "{% endif %}",
        "{% if a %}",
        "|",
        "é",
        "\n",
        "&x=",
        "?",
        "https://e.example/",
        "-d ",
        "-H ",
        ":",
        "%",
        "#",
        "<<",
    ];
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    for round in 0..1_500 {
        let text: String = (0..next(12)).map(|_| pieces[next(pieces.len())]).collect();
        let key = if round % 2 == 0 { "exec" } else { "curl" };
        let tool = serde_json::json!({"tools": [{"name": "t", key: format!("f{text}"), "params": [
            {"name": "a"}, {"name": "b", "type": "bool"}, {"name": "l", "type": "list", "required": true}]}]});
        let imported = made(&tool.to_string());
        assert_eq!(imported.manifests.len() + imported.left_out.len(), 1, "{text}");
        for (_, written) in imported.manifests {
            assert!(serde_yaml::from_str::<Value>(&written).is_ok(), "{text}: {written}");
        }
    }
}
