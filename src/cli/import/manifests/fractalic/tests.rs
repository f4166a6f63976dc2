use super::*;

fn file(path: &str, text: &str) -> Foreign {
    Foreign { path: path.to_owned(), text: text.to_owned() }
}

fn manifest_of(text: &str) -> Imported {
    imported(&[file("a.yaml", text), file("stats.py", include_str!("tests/stats.py"))])
}

#[test]
fn manifests_and_scripts_are_carried_over() {
    let made = imported(&[
        file("greet.py", include_str!("tests/greet.py")),
        file("issues.yaml", include_str!("tests/issues.yaml")),
        file("issues.py", "print(1)"),
        file("stats.py", include_str!("tests/stats.py")),
    ]);
    assert_eq!(
        made.manifests,
        [
            (
                "repo_issues_tool".to_owned(),
                "title: Issues\ndescription: \"Lists issues of a repository.\"\ntags: [code]\nparams:\n  repo: { type: text, description: \"Owner and name.\" }\n  state: { type: text, default: open, allowed_values: [open, closed, all] }\n  most: { type: bigint, default: 10, minimum: 1, maximum: 100 }\n  labels: { type: \"text[]\", required: false }\nrun: [python3, tools/issues.py]\njson_argument: true\noutput: any\nannotations: { read_only: true }\n"
                    .to_owned()
            ),
            (
                "greet".to_owned(),
                "simple_json: tools/greet.py\n".to_owned()
            ),
        ]
    );
    assert_eq!(made.left_out.len(), 1);
    assert!(made.left_out[0].1.contains("it takes options"), "{:?}", made.left_out);
    assert_eq!(made.notes.len(), 3);
    assert_eq!(made.notes[0], "`greet`: `qtool lock` runs it to ask what it takes");
}

#[test]
fn every_command_has_its_form() {
    for (text, line) in [
        ("name: a\nentry: lab.text:shout\n", "python: \"lab.text:shout\""),
        ("name: a\ncommand: python\nentry: lab.text:shout\n", "python: \"lab.text:shout\""),
        (
            "name: a\ncommand: python-cli\nentry: tools/stats.py\nparameters: { properties: { repo: { type: string }, include_forks: { type: boolean } }, required: [repo] }\n",
            "run: [python3, tools/stats.py, \"--repo\", << repo >>, { if: << include_forks >>, then: [\"--include-forks\"] }]",
        ),
        (
            "name: a\ntype: cli\nentry: bin/x\nparameters: { properties: { n: { type: integer } } }\n",
            "run: [bin/x, [\"--n\", << n >>]]",
        ),
        (
            "name: a\ncommand: program\nentry: bin/x\nparameters: { properties: { q: { type: string } }, required: [q] }\n",
            "run: [bin/x, << q >>]",
        ),
        ("name: a\ncommand: program\nentry: bin/x\n", "run: [bin/x]"),
        ("name: a\ncommand: simple-json\nentry: x.py\n", "simple_json: x.py"),
        (
            "name: a\ncommand: simple-json\nentry: x\nparameters: { properties: {}, additionalProperties: true }\n",
            "simple_json: [python3, x]",
        ),
    ] {
        let made = manifest_of(text);
        let found = made.manifests.first().map(|(_, text)| text.as_str()).unwrap_or_default();
        assert!(found.lines().any(|found| found == line), "{text}: {made:?}");
    }
}

#[test]
fn what_is_not_carried_over_is_listed_with_why() {
    for (text, words) in [
        ("description: x\n", "it has no `name`"),
        ("name: a\n", "it has no `entry`"),
        ("name: 1st\nentry: a:b\n", "cannot be the name"),
        ("- 1\n", "it is no manifest"),
        ("a: [\n", "line"),
        ("name: a\ncommand: mcp\nmcp_server: http://x\n", "another MCP server"),
        ("name: a\ncommand: bash-cli\nentry: x.sh\n", "`bash-cli`"),
        ("name: a\ncommand: python-cli\nentry: gone.py\n", "is not there to tell"),
        ("name: a\ncommand: python-cli\nentry: stats.py\n", "it says no `parameters`"),
        (
            "name: a\ncommand: python-cli\nentry: stats.py\nparameters: { properties: { age: {} } }\n",
            "no option `--age`",
        ),
        ("name: a\ncommand: simple-json\nentry: x.py\nparameters: { properties: { limit: {} } }\n", "`limit`"),
        (
            "name: a\ncommand: other\nentry: x\nparameters: { properties: { p: {}, q: {} } }\n",
            "in the order that a model sends",
        ),
        ("name: a\nentry: \"a:b:c\"\n", "no function"),
    ] {
        let made = manifest_of(text);
        assert!(made.manifests.is_empty(), "{text}: {made:?}");
        assert!(made.left_out[0].1.contains(words), "{text}: {made:?}");
    }
    let made = imported(&[
        file("a.yml", "name: a\n"),
        file("helper.py", "X = 1\n"),
        file("run.sh", "echo\n"),
        file("quiet.py", "'__test__'\n"),
        file("z/greet.py", include_str!("tests/greet.py")),
        file("zz/greet.py", include_str!("tests/greet.py")),
    ]);
    let simple: Vec<&str> = made.manifests.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(simple, ["simple_json: tools/quiet.py\n", "simple_json: tools/z/greet.py\n"]);
    assert_eq!(made.left_out.len(), 4, "{:?}", made.left_out);
}
