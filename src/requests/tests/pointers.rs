//! JSON pointers: the examples of RFC 6901, and what is none.

use super::super::pointer::{InvalidPointer, Pointer};
use serde_json::{Value, json};

#[test]
fn the_examples_of_the_standard_hold() {
    let value = json!({"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4,
        "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8});
    let found = |pointer: &str| Pointer::parse(pointer).unwrap().get(&value).cloned();
    assert_eq!(found(""), Some(value.clone()));
    assert_eq!(found("/foo"), Some(json!(["bar", "baz"])));
    assert_eq!(found("/foo/0"), Some(json!("bar")));
    let numbers = ["/", "/a~1b", "/c%d", "/e^f", "/g|h", "/i\\j", "/k\"l", "/ ", "/m~0n"];
    for (number, pointer) in numbers.into_iter().enumerate() {
        assert_eq!(found(pointer), Some(json!(number)), "{pointer}");
    }
}

#[test]
fn what_is_not_there_is_not_found() {
    let value = json!({"a": [1, 2], "~1": 1});
    for pointer in ["/b", "/a/2", "/a/-", "/a/01", "/a/+1", "/a/-1", "/a/0/x", "/a/", "/a/99999999999999999999999"] {
        assert_eq!(Pointer::parse(pointer).unwrap().get(&value), None, "{pointer}");
    }
    // `~` is read after the slash: what comes of it is not read again.
    assert_eq!(Pointer::parse("/~01").unwrap().get(&value), Some(&Value::from(1)));
}

#[test]
fn what_is_no_pointer_is_told() {
    for text in ["a", "#/a", " /a", "a/b", "~0", "$.a"] {
        assert_eq!(Pointer::parse(text), Err(InvalidPointer::NoSlash), "{text}");
    }
    for (text, at) in [("/~", 1), ("/a~", 2), ("/~0~2", 3), ("/é~é", 3), ("/~~0", 1), ("/~/a", 1)] {
        assert_eq!(text.parse::<Pointer>(), Err(InvalidPointer::Tilde(at)), "{text}");
    }
    assert_eq!(Pointer::parse("/a~1b").unwrap().to_string(), "/a~1b");
}
