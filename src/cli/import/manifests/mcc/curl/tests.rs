use super::*;
use crate::name::foreign::Naming;

fn read(curl: &str, sends_all: bool) -> String {
    let params = json!([
        {"name": "ip", "required": true},
        {"name": "days", "type": "int", "default": 90},
        {"name": "kinds", "type": "list", "default": ["a"]},
    ]);
    let mut signature = Signature::read(Some(&params), Naming::Free).unwrap();
    match request(curl, sends_all, &mut signature) {
        Ok(map) => super::super::super::flow::flow(&Value::Object(map)),
        Err(flaw) => format!("flaw: {flaw}"),
    }
}

#[test]
fn options_say_what_a_request_is() {
    for (curl, http) in [
        ("https://a.example/{{ ip }}", "{ method: GET, url: \"https://a.example/<< ip >>\" }"),
        (
            "-H 'Authorization: Bearer ${TOKEN}' https://a.example/{{ ip }}",
            "{ method: GET, url: \"https://a.example/<< ip >>\", headers: { Authorization: \"Bearer ${TOKEN}\" } }",
        ),
        (
            "-H \"x-token: $KEY\" -sG 'https://a.example/check' --data-urlencode 'address={{ ip }}' -d 'days={{ days }}'",
            "{ method: GET, url: \"https://a.example/check\", headers: { x-token: \"${KEY}\" }, query: { address: << ip >>, days: << days >> } }",
        ),
        (
            "-XPOST https://a.example/ -H 'Content-Type: application/json' -d '{\"ips\": [\"{{ ip }}\"], \"kinds\": {{ kinds }}, \"n\": 1}'",
            "{ method: POST, url: \"https://a.example/\", headers: { Content-Type: application/json }, body: { ips: [<< ip >>], kinds: << kinds >>, \"n\": 1 } }",
        ),
        ("https://a.example/ --json '{}' -o - -A me --max-time 5 -X PUT", "flaw: its address has a space in it"),
        (
            "--json '{\"a\": \"x {{ ip }}\"}' -X put 'https://a.example/' -o - -A me --max-time 5",
            "{ method: PUT, url: \"https://a.example/\", headers: { User-Agent: me, Content-Type: application/json, Accept: application/json }, body: { a: \"x << ip >>\" } }",
        ),
        (
            "-d 'query=all' https://a.example/",
            "{ method: POST, url: \"https://a.example/\", headers: { Content-Type: application/x-www-form-urlencoded }, body: \"query=all\" }",
        ),
    ] {
        assert_eq!(read(curl, false), http, "{curl}");
    }
    assert_eq!(
        read("https://a.example/search", true),
        "{ method: POST, url: \"https://a.example/search\", headers: { Content-Type: application/json, Accept: application/json }, body: { ip: << ip >>, days: << days >>, kinds: << kinds >> } }"
    );
}

#[test]
fn what_has_no_form_is_told() {
    for (curl, words) in [
        ("-u \"$KEY:\" https://a.example/", "option `-u`"),
        ("--insecure https://a.example/", "option `--insecure`"),
        ("-sk https://a.example/", "option `-k`"),
        ("-o file https://a.example/", "written to a file"),
        ("-d @- https://a.example/", "read from a file"),
        ("-d 'a={{ ip }}' https://a.example/", "a form with values"),
        ("--data-urlencode 'a={{ ip }}' https://a.example/", "a form of several parts"),
        ("-d a=1 -d b=2 https://a.example/", "a form of several parts"),
        ("-X {{ ip }} https://a.example/", "the method is a value"),
        ("https://a.example/ -X", "a space"),
        ("-s", "it has no address"),
        ("-H", "no value behind it"),
        ("'https://a.example/' 'https://b.example/'", "two addresses"),
        ("--json '{\"a\": {{ ip }}}' https://a.example/", "as JSON of its own"),
        ("--json '{{ days }' https://a.example/", "has no other half"),
        ("--json '[{{ days }}' https://a.example/", "its body is no JSON"),
        ("{% if days %}-v{% endif %} https://a.example/", "covers an option"),
        ("https://a.example/ | jq .", "a space"),
        ("'https://a.example/' | jq .", "a pipe"),
    ] {
        let shown = read(curl, false);
        assert!(shown.starts_with("flaw: ") && shown.contains(words), "{curl}: {shown}");
    }
}
