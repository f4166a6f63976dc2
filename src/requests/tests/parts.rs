//! Values that would be more than the part of a request that they stand for.

use super::super::{InvalidPart, InvalidRequest, header_value, path_segment, query_pair, secret_header_value};
use super::*;
use http::HeaderName;

const NASTY: [&str; 17] = [
    "a/b",
    "/",
    "//evil.example",
    "../../etc/passwd",
    "..%2f",
    "%2e%2e",
    "%2E.",
    ".%00",
    "a?b=c",
    "a#b",
    "a;b",
    "a\\b",
    "@evil.example",
    ":80",
    "a b\tc\r\nd: e",
    "é€😀",
    "\0",
];

#[test]
fn a_segment_stays_a_segment() {
    for value in NASTY {
        let segment = path_segment(value).unwrap();
        let url = Url::parse(&format!("http://a.example/x/{segment}/y?z#w")).unwrap();
        let segments: Vec<&str> = url.path_segments().unwrap().collect();
        assert_eq!(segments, ["x", &segment, "y"], "{value:?}");
        assert_eq!((url.host_str(), url.query(), url.fragment()), (Some("a.example"), Some("z"), Some("w")));
        // Read as a value of a form, it is what went in.
        let pair = format!("http://a.example/?v={segment}");
        let read = Url::parse(&pair).unwrap().query_pairs().next().unwrap().1.into_owned();
        assert_eq!(read, value);
    }
    assert_eq!(path_segment("AZaz09-._~").unwrap(), "AZaz09-._~");
    assert_eq!(path_segment("...").unwrap(), "...");
    assert_eq!(path_segment("ä%").unwrap(), "%C3%A4%25");
}

#[test]
fn segments_that_are_steps_are_none() {
    assert_eq!(path_segment(""), Err(InvalidPart::EmptySegment));
    assert_eq!(path_segment("."), Err(InvalidPart::DotSegment));
    assert_eq!(path_segment(".."), Err(InvalidPart::DotSegment));
}

#[test]
fn a_pair_stays_a_pair() {
    for value in NASTY.iter().chain(&["", "a&b=c", "a=b", "+", "..", "."]) {
        let url = Url::parse(&format!("http://a.example/?{}&last=1", query_pair(value, value))).unwrap();
        let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        let expected = [(value.to_string(), value.to_string()), ("last".to_owned(), "1".to_owned())];
        assert_eq!(pairs, expected, "{value:?}");
    }
}

#[test]
fn a_header_stays_a_header() {
    for value in ["a\r\nb: c", "a\nb", "a\rb", "\0", "a\u{1}", "\u{7f}", "a\r"] {
        assert_eq!(header_value(value), Err(InvalidPart::Control), "{value:?}");
    }
    for value in ["é", "\u{85}", "\u{2028}", "a\u{a0}", "😀", "嘊嘍"] {
        assert_eq!(secret_header_value(value), Err(InvalidPart::NotAscii), "{value:?}");
    }
    assert!(!header_value("a \"b\", c;d\te").unwrap().is_sensitive());
    assert!(secret_header_value("Bearer x").unwrap().is_sensitive());
}

#[test]
fn headers_of_the_connection_are_not_for_tools() {
    for name in ["Host", "content-length", "Transfer-Encoding", "connection", "te", "upgrade", "expect", "keep-alive"] {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        let refused = get("http://a.example/").with_header(name.clone(), header_value("x").unwrap()).unwrap_err();
        assert_eq!(refused, InvalidRequest::Header(name));
    }
}

#[test]
fn requests_that_no_tool_has_are_none() {
    let prepared = |method: Method, url: &str| Prepared::new(method, Url::parse(url).unwrap()).map(|_| ()).unwrap_err();
    for url in ["file:///etc/passwd", "ftp://a.example/", "data:,x", "unix:/run/x.sock", "ws://a.example/"] {
        assert_eq!(prepared(Method::GET, url), InvalidRequest::Scheme);
    }
    for url in ["http://a@b.example/", "http://:b@c.example/", "https://a:b@c.example/"] {
        assert_eq!(prepared(Method::GET, url), InvalidRequest::Credentials);
    }
    let long = format!("http://a.example/{}", "a".repeat(1 << 16));
    assert_eq!(prepared(Method::GET, &long), InvalidRequest::Url);
    for method in [Method::CONNECT, Method::TRACE] {
        assert_eq!(prepared(method.clone(), "http://a.example/"), InvalidRequest::Method(method));
    }
}
