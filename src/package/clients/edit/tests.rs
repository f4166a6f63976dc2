use super::*;
use serde_json::json;

const CLIENT: Client = Client::Cursor;

fn entry() -> Value {
    json!({"command": "/opt/flights", "args": ["serve"]})
}

fn edited(text: &str) -> String {
    edit(text, CLIENT, "flights", &entry()).unwrap()
}

#[test]
fn nothing_becomes_a_whole_configuration() {
    let whole = "{\n  \"mcpServers\": {\n    \"flights\": {\n      \"command\": \"/opt/flights\",\n      \"args\": [\"serve\"]\n    }\n  }\n}\n";
    for text in ["", "\n", "{}\n", "{\n}\n"] {
        assert_eq!(edited(text), whole, "{text:?}");
    }
    assert_eq!(edited("  // nothing yet\n"), format!("  // nothing yet\n{whole}"));
    assert_eq!(edit("", Client::VsCode, "flights", &entry()).unwrap(), whole.replace("mcpServers", "servers"));
}

#[test]
fn all_else_stays_byte_for_byte() {
    let text = r#"// mine
{
    "theme" : "dark",   /* do not touch */
    "mcpServers": {
        // the other one
        "other": {"command":"x", "args" : [ 1,2 ] ,},   // odd, but mine
        "\u0061b": {"url": "https://a.example"}, // escaped
        // the last word
    },

    "big": 12345678901234567890.10e2,
}
"#;
    let after = edited(text);
    let new = r#"        "flights": {
            "command": "/opt/flights",
            "args": ["serve"],
        },
"#;
    assert_eq!(after, text.replace("// escaped\n", &format!("// escaped\n{new}")));
    assert_eq!(remove(&after, CLIENT, "flights").unwrap(), text);
}

#[test]
fn files_without_trailing_commas_and_comments_get_none() {
    let after = edited("{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"x\"}\n\t}\n}");
    let value: Value = serde_json::from_str(&after).unwrap();
    assert_eq!(value, json!({"mcpServers": {"a": {"command": "x"}, "flights": entry()}}));
    assert!(after.contains("\n\t\t\"flights\": {\n\t\t\t\"command\""), "tabs stay tabs: {after}");
}

#[test]
fn marks_and_line_ends_are_kept() {
    let text = "\u{feff}{\r\n  \"mcpServers\": {\r\n    \"a\": {}\r\n  }\r\n}\r\n";
    let after = edited(text);
    assert!(after.starts_with("\u{feff}{\r\n"));
    assert_eq!(after.matches('\n').count(), 9);
    assert_eq!(after.matches("\r\n").count(), 9);
}

#[test]
fn one_line_stays_a_configuration() {
    for text in [r#"{"a":1}"#, r#"{"mcpServers":{"a":{"command":"x"}},"b":[1]}"#, r#"{ "mcpServers": { } }"#] {
        let after: Value = serde_json::from_str(&edited(text)).unwrap();
        assert_eq!(after["mcpServers"]["flights"], entry(), "{text}");
    }
}

#[test]
fn doing_it_again_changes_nothing() {
    for text in ["", "{\"mcpServers\": {\"z\": 1,},}", "\u{feff}{\r\n}", "/* a */ {} // b"] {
        let once = edited(text);
        assert_eq!(edited(&once), once, "{text:?}");
    }
}

#[test]
fn of_an_entry_that_is_there_only_what_differs_changes() {
    let text = r#"{
  "mcpServers": {
    "flights": {
      // set up by hand
      "command": "/old/flights", // moved in May
      "args": [ "serve" ], // as it was
      "env": {
        "KEY": "secret" // mine
      },
      "disabled": true
    },
    "z": {}
  }
}"#;
    let entry = json!({"type": "stdio", "command": "/opt/flights", "args": ["serve"], "env": {"KEY": "", "TWO": ""}});
    let after = edit(text, CLIENT, "flights", &entry).unwrap();
    let expected = r#"{
  "mcpServers": {
    "flights": {
      // set up by hand
      "command": "/opt/flights", // moved in May
      "args": [ "serve" ], // as it was
      "env": {
        "KEY": "secret", // mine
        "TWO": ""
      },
      "disabled": true,
      "type": "stdio"
    },
    "z": {}
  }
}"#;
    assert_eq!(after, expected);
}

#[test]
fn a_remote_server_or_none_becomes_one_that_is_started() {
    let remote = r#"{"mcpServers": {"flights": {"type": "http", "url": "https://a.example", "headers": {"A": "b"}}}}"#;
    for text in [remote, r#"{"mcpServers": {"flights": null}}"#, r#"{"mcpServers": {"flights": []}}"#] {
        let value: Value = serde_json::from_str(&edited(text)).unwrap();
        assert_eq!(value["mcpServers"]["flights"], entry(), "{text}");
    }
}

#[test]
fn any_text_is_written_as_json() {
    let entry = json!({"command": "C:\\Program Files\\\"x\"\n\u{1}\u{7f}é\u{2028}", "args": ["-", "", "${a}"]});
    let after = edit("{}", CLIENT, "a \"b\"\\", &entry).unwrap();
    let value: Value = serde_json::from_str(&after).unwrap();
    assert_eq!(value["mcpServers"]["a \"b\"\\"], entry);
}

#[test]
fn what_is_no_configuration_is_refused_with_its_place() {
    let refused = |text: &str| edit(text, CLIENT, "flights", &entry()).unwrap_err().to_string();
    for (text, why) in [
        ("[]", "the file is a list where an object is expected, at line 1, column 1"),
        ("null", "the file is null where an object is expected, at line 1, column 1"),
        (
            "\u{feff}{\r\n  \"é\": \"é\", \"mcpServers\": []}",
            "`mcpServers` is a list where an object is expected, at line 2, column 27",
        ),
        (
            "{\"mcpServers\": {}, \"mcpServers\": {}}",
            "`mcpServers` is there twice, the second time at line 1, column 20",
        ),
        (
            "{\"mcpServers\": {\"flights\": 1,\n\"\\u0066lights\": 2}}",
            "`flights` is there twice, the second time at line 2, column 1",
        ),
        ("{\n  \"a\": 1\n  \"b\": 2\n}", "it is no JSON: expected comma, at line 2, column 9"),
        ("{\"a\": 'b'}", "it is no JSON: single-quoted strings are not allowed, at line 1, column 7"),
        ("{\"mcpServers\": {", "it is no JSON: unterminated object, at line 1, column 16"),
        ("{} {}", "it is no JSON: text cannot contain more than one JSON value, at line 1, column 4"),
    ] {
        assert_eq!(refused(text), why, "{text}");
        assert!(remove(text, CLIENT, "flights").is_err(), "{text}");
    }
    assert!(refused(&"[".repeat(100_000)).starts_with("it is no JSON: maximum nesting depth exceeded"));
}

#[test]
fn what_is_not_there_need_not_be_removed() {
    for text in ["", "{}", "{\"mcpServers\":{\"a\":{}}}", "\u{feff}{\"b\": 1}"] {
        assert_eq!(remove(text, CLIENT, "flights").unwrap(), text);
    }
    assert_eq!(
        remove("{\"mcpServers\":{\"a\":{},\"flights\":{}}}", CLIENT, "flights").unwrap(),
        "{\"mcpServers\":{\"a\":{}}}"
    );
}
