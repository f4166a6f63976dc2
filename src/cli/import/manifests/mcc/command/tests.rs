use super::*;
use crate::name::foreign::Naming;

fn signature() -> Signature {
    let params = json!([
        {"name": "pattern", "required": true},
        {"name": "path"},
        {"name": "recursive", "type": "bool", "default": false},
        {"name": "long", "type": "bool"},
        {"name": "depth", "type": "int"},
        {"name": "state", "default": "open"},
        {"name": "opts", "default": ""},
        {"name": "files", "type": "list", "required": true},
        {"name": "extra", "default": "-sV"},
        {"name": "body", "type": "dict"},
        {"name": "quiet", "type": "bool", "override": true},
        {"name": "maxRows", "type": "int", "default": 3},
    ]);
    Signature::read(Some(&params), Naming::Free).unwrap()
}

fn ran(command: &str) -> (String, Signature) {
    let mut signature = signature();
    let shown = match run(command, &mut signature) {
        Ok(run) => Value::Array(run).to_string(),
        Err(flaw) => format!("flaw: {flaw}"),
    };
    (shown, signature)
}

#[test]
fn arguments_are_carried_over() {
    for (command, run) in [
        ("grep {{ pattern | quote }} {{ path | quote }}", json!(["grep", "<< pattern >>", "<< path >>"])),
        (
            "grep {% if recursive %}-r {% endif %}{{ pattern | quote }}",
            json!(["grep", {"if": "<< recursive >>", "then": ["-r"]}, "<< pattern >>"]),
        ),
        (
            "f {% if depth %}--depth {{ depth }}{% endif %} --x={{ pattern | quote }}",
            json!(["f", ["--depth", "<< depth >>"], "--x=<< pattern >>"]),
        ),
        ("f {% if state %}--s {{ state | quote }}{% endif %}", json!(["f", "--s", "<< state >>"])),
        ("f {% if quiet %}-q{% endif %} x", json!(["f", "-q", "x"])),
        ("f {{ opts }} x", json!(["f", ["<< opts >>"], "x"])),
        ("wc -l {{ files | quote }}", json!(["wc", "-l", "<< files >>"])),
        ("f '<<' {{ maxRows }}", json!(["f", "<<<<", "<< max_rows >>"])),
    ] {
        assert_eq!(ran(command).0, Value::Array(run.as_array().unwrap().clone()).to_string(), "{command}");
    }
}

#[test]
fn what_is_always_there_is_required_and_what_is_left_out_is_not() {
    let (_, mut signature) = ran(
        "f {{ path | quote }} {% if depth %}-d {{ depth }}{% endif %} {{ opts }} {{ files | quote }} {% if long %}-l{% endif %}",
    );
    let settings = Value::Object(signature.settings());
    assert_eq!(
        settings,
        json!({
            "path": {"type": "text"},
            "long": {"type": "boolean", "default": false},
            "depth": {"type": "bigint", "required": false},
            "opts": {"type": "text", "required": false},
            "files": {"type": "text[]"},
        })
    );
    let notes = signature.notes.join("\n");
    for words in
        ["`path` is required here", "`pattern` is used by nothing", "`opts` is one argument", "called `max_rows`"]
    {
        assert!(notes.contains(words), "{words}: {notes}");
    }
}

#[test]
fn what_has_no_form_is_told() {
    for (command, words) in [
        ("echo {{ nothing | quote }}", "`nothing` is none of its parameters"),
        ("{{ path }} x", "the program itself is a value"),
        ("", "begins with no program"),
        ("{% if recursive %}sudo{% endif %} x", "begins with no program"),
        ("cd {{ path | quote }}", "`cd` is a word of the shell"),
        ("LANG=C sort x", "it sets `LANG`"),
        ("cat ${LOG_DIR}/x", "the variable `LOG_DIR`"),
        ("f {{ extra }}", "is the option `-sV`"),
        ("f {{ body | quote }}", "`body` is a dict"),
        ("f {{ files }}", "`files` is a list"),
        ("f --x={{ files | quote }}", "`files` is a list"),
        ("f {{ path | urlencode }}", "encoded as a part of an address"),
        ("f {% if depth %}-x{% endif %}", "does not cover its value"),
        ("f {% if recursive %}{{ path | quote }}{% endif %}", "stands in the condition on `recursive`"),
        ("f {% if depth %}-d {{ depth }}{% endif %} {{ depth }}", "both under a condition on it and without one"),
        ("f 'a{% if recursive %}b{% endif %}'", "a part of a word"),
        ("a | b", "a pipe"),
    ] {
        let (shown, _) = ran(command);
        assert!(shown.starts_with("flaw: ") && shown.contains(words), "{command}: {shown}");
    }
}
