use super::*;
use crate::review::change::{Kind, Of};

fn change(kind: Kind, tool: &str, (subject, before, after): (Option<&str>, &str, &str)) -> Change {
    let of = Of { subject: subject.map(str::to_owned), before: Some(before.to_owned()), after: Some(after.to_owned()) };
    Change::new(kind, tool, of)
}

fn side(text: &str) -> Side {
    let of = |what: &str| format!("{what}\n{text}\n");
    Side {
        signature: of("signature"),
        schema: of("{}"),
        statement: of("SELECT"),
        plan: of("Scan"),
        snapshot: of("---"),
    }
}

fn pair(name: &str, before: Option<&str>, after: Option<&str>) -> Pair {
    Pair { name: name.to_owned(), before: before.map(side), after: after.map(side) }
}

/// The texts between tags, the tags gone.
fn text(page: &str) -> String {
    let body = page.split_once("</style>").unwrap().1;
    let mut out = String::new();
    for part in body.split('<') {
        out.push_str(part.split_once('>').map_or(part, |(_, text)| text));
    }
    out
}

#[test]
fn nothing_that_an_author_wrote_is_more_than_text() {
    let nasty =
        "</pre></details><script>alert(1)</script><img src=x onerror='alert(2)'>\"&amp;{{ 7 * 7 }}\u{202e}\u{1}";
    let changes = [
        change(Kind::DescriptionChanged, "late_flights", (None, nasty, "plain")),
        change(Kind::ColumnRenamed, "late_flights", (Some(nasty), nasty, nasty)),
        change(Kind::ToolRenamed, nasty, (None, "old", nasty)),
    ];
    let pairs = [pair("late_flights", Some(nasty), Some("other")), pair(nasty, None, Some(nasty))];
    let page = page(nasty, &changes, &pairs).unwrap();
    for tag in ["<script", "<img", "<pre", "</pre", "&amp;amp;{{ 49"] {
        assert!(!page.contains(tag), "{tag}");
    }
    // Elements open and close as the template has them, whatever the texts say.
    for name in ["details", "section", "div", "del", "ins", "mark", "bdi", "span", "code", "li"] {
        let opened = page.split('<').filter(|tag| tag.split(['>', ' ']).next() == Some(name)).count();
        assert_eq!(opened, page.matches(&format!("</{name}>")).count(), "{name}");
    }
    assert!(text(&page).contains("&amp;amp;{{ 7 * 7 }}\\u{202e}\\u{1}"), "shown as it was written");
    assert!(page.chars().all(|c| c == '\n' || !crate::review::hidden::is_hidden(c)), "what is hidden is told");
}

#[test]
fn the_page_loads_nothing_and_lets_nothing_run() {
    let page = page("flights", &[change(Kind::TitleChanged, "t", (None, "a", "b"))], &[]).unwrap();
    let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    assert!(page.contains(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")));
    for outside in
        ["http:", "https:", "//", "src=", "url(", "@import", "<link", "<script", "<form", " style=", "onclick"]
    {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn tools_are_in_the_order_of_their_heaviest_change() {
    let changes = [
        change(Kind::DescriptionChanged, "a", (None, "x", "y")),
        change(Kind::ColumnAdded, "b", (Some("c"), "", "int")),
        change(Kind::TitleChanged, "c", (None, "x", "y")),
        change(Kind::ColumnRemoved, "c", (Some("c"), "int", "")),
    ];
    let pairs = [
        pair("a", Some("one"), Some("two")),
        pair("d", Some("one"), Some("one")),
        pair("e", Some("one"), Some("other")),
    ];
    let page = page("flights", &changes, &pairs).unwrap();
    let anchors: Vec<&str> = page
        .match_indices("<section class=\"tool\" id=\"")
        .map(|(at, tag)| page.get(at + tag.len()..at + tag.len() + 6).unwrap())
        .collect();
    assert_eq!(anchors, ["tool-c", "tool-b", "tool-a", "tool-e"], "and those without a change come last");
    let text = text(&page);
    assert!(text.contains("4 tools changed, 1 tool did not."), "{text}");
    assert!(text.contains("The changes ask for a major version."), "{text}");
    let first = text.find("was removed.").unwrap();
    assert!(first < text.find("The title was").unwrap(), "also in a tool the heaviest comes first");
}

#[test]
fn a_tool_that_is_new_or_gone_shows_what_there_is_of_it() {
    let page = page("flights", &[], &[pair("a", None, Some("here")), pair("b", Some("there"), None)]).unwrap();
    assert!(page.contains("<span class=\"state\">new</span>") && page.contains("<span class=\"state\">removed</span>"));
    assert!(!page.contains("<del class=") && !page.contains("<ins class="), "there is nothing to compare with");
    assert!(page.contains("here") && page.contains("there"));
}

#[test]
fn texts_are_compared_side_by_side_or_line_by_line() {
    let page = page("flights", &[], &[pair("a", Some("a b c"), Some("a x c"))]).unwrap();
    let sides = "<div class=\"row changed\"><div class=\"cell\"><del class=\"line\"><span class=\"sign\">−</span>\
                 <span class=\"text\">a <mark>b</mark> c</span></del></div><div class=\"cell\"><ins class=\"line\">\
                 <span class=\"sign\">+</span><span class=\"text\">a <mark>x</mark> c</span></ins></div></div>";
    assert_eq!(page.matches(sides).count(), 2, "signature and schema");
    let lines = "<del class=\"line\"><span class=\"sign\">−</span><span class=\"text\">a <mark>b</mark> c</span></del>\n\
                 <ins class=\"line\">";
    assert_eq!(page.matches(lines).count(), 3, "query, plan and snapshot");
}

#[test]
fn without_changes_the_page_says_so() {
    let page = page("flights", &[], &[pair("a", Some("x"), Some("x"))]).unwrap();
    let text = text(&page);
    assert!(text.contains("Nothing has changed."), "{text}");
    assert!(!page.contains("<section") && !page.contains("<nav"));
}
