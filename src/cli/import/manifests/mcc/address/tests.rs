use super::super::super::jinja::parsed;
use super::super::super::shell_words::split;
use super::super::super::word::Entry;
use super::*;
use crate::name::foreign::Naming;
use serde_json::json;

fn read(address: &str) -> String {
    let params = json!([
        {"name": "q", "required": true},
        {"name": "country", "default": ""},
        {"name": "year", "type": "int"},
        {"name": "flag", "type": "bool"},
        {"name": "tags", "type": "list"},
        {"name": "limit", "type": "int", "default": 5},
    ]);
    let mut signature = Signature::read(Some(&params), Naming::Free).unwrap();
    let entries = split(&parsed(&format!("'{address}'")).unwrap()).unwrap();
    let [Entry::Word(word)] = entries.as_slice() else { panic!("{entries:?}") };
    let mut texts = Texts { signature: &mut signature, uses: Uses::default(), query: Map::new() };
    match texts.address(word) {
        Ok(url) => format!("{url} {}", Value::Object(texts.query)),
        Err(flaw) => format!("flaw: {flaw}"),
    }
}

#[test]
fn paths_and_queries_are_carried_over() {
    for (address, url) in [
        ("https://a.example/x", "https://a.example/x {}"),
        ("https://a.example", "https://a.example {}"),
        ("https://a.example/x/{{ q | urlencode }}/y#z", "https://a.example/x/<< q >>/y {}"),
        (
            "https://a.example?q={{ q | urlencode }}&rows={{ limit }}",
            "https://a.example {\"q\":\"<< q >>\",\"rows\":\"<< limit_value >>\"}",
        ),
        ("https://a.example/?a=1%2C2+3&b&k=${KEY}", "https://a.example/ {\"a\":\"1,2 3\",\"b\":\"\",\"k\":\"${KEY}\"}"),
        (
            "https://a.example/?q=all:{{ q }}{% if year %}&from={{ year }}-01&to={{ year }}{% endif %}&z=1",
            "https://a.example/ {\"q\":\"all:<< q >>\",\"from\":\"<< year >>-01\",\"to\":\"<< year >>\",\"z\":\"1\"}",
        ),
        (
            "https://a.example/?{% if country %}c={{ country }}&{% endif %}z=1",
            "https://a.example/ {\"c\":\"<< country >>\",\"z\":\"1\"}",
        ),
    ] {
        assert_eq!(read(address), url, "{address}");
    }
}

#[test]
fn what_has_no_place_in_an_address_is_told() {
    for (address, words) in [
        ("https://{{ q }}.example/x", "the host of the address is a value"),
        ("https://a.example{{ q }}", "the host of the address is a value"),
        ("{{ q }}", "begins with a value"),
        ("ftp://a.example", "does not begin with"),
        ("https://me:secret@a.example/", "a name and a password"),
        ("https://a.example/${KEY}/x", "the variable `KEY` stands in the path"),
        ("https://a.example/{% if year %}x{% endif %}", "covers a part of the path"),
        ("https://a.example/?{{ q }}=1", "the name of a pair of the query is a value"),
        ("https://a.example/?a=1&a=2", "`a` stands twice"),
        ("https://a.example/?a={% if year %}{{ year }}{% endif %}", "covers a part of a pair"),
        ("https://a.example/?a=1{% if year %}&y={{ year }}{% endif %}2", "covers a part of a pair"),
        ("https://a.example/?a=1{% if year %}&y=1{% endif %}", "covers a pair without its value"),
        ("https://a.example/?a=1{% if flag %}&f={{ flag }}{% endif %}", "covers a pair without its value"),
        ("https://a.example/?a={{ tags }}", "`tags` is a list"),
        ("https://a.example/?a=%zz", "no two digits"),
        ("https://a.example/?a={{ b }}", "`b` is none of its parameters"),
        ("https://a.example/x y", "a space"),
    ] {
        let shown = read(address);
        assert!(shown.starts_with("flaw: ") && shown.contains(words), "{address}: {shown}");
    }
}
