//! Bodies as text.

use super::super::Fault;
use super::server::TestServer;
use super::*;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};

fn text(content_type: &str, body: &[u8]) -> Option<String> {
    let headers = match content_type {
        "" => HeaderMap::new(),
        written => HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_str(written).unwrap())]),
    };
    let final_url = Url::parse("http://a.example/").unwrap();
    let answer = Answer { status: 200, headers, body: body.to_vec().into(), final_url };
    match answer.text() {
        Ok(text) => Some(text.into_owned()),
        Err(failure) => {
            assert_eq!(failure, Failure::NotText);
            None
        }
    }
}

#[test]
fn text_is_utf_8_where_nothing_else_is_said() {
    for content_type in
        ["", "text/plain", "application/json", "text/html; charset=utf-8", "x; charset=\"UTF8\"", "x;charset"]
    {
        assert_eq!(text(content_type, "é€😀".as_bytes()).as_deref(), Some("é€😀"), "{content_type}");
        assert_eq!(text(content_type, b"\xef\xbb\xbf{}").as_deref(), Some("{}"), "{content_type}");
        assert_eq!(text(content_type, b"\xef\xbb\xbf\xef\xbb\xbfa").as_deref(), Some("\u{feff}a"), "{content_type}");
        for broken in [&b"\xe9"[..], b"\xff\xfea\0", b"a\xc0\xaf", b"\xed\xa0\x80", b"\x89PNG"] {
            assert_eq!(text(content_type, broken), None, "{content_type}");
        }
    }
}

#[test]
fn western_text_is_read_where_it_is_said() {
    for charset in ["ISO-8859-1", "iso-8859-1", "latin1", "windows-1252", "us-ascii", "'cp1252'", "\"ISO-8859-1\""] {
        for content_type in [format!("text/plain; charset={charset}"), format!("x; a=b ;Charset = {charset} ; c=d")] {
            assert_eq!(text(&content_type, b"\xe9\x80").as_deref(), Some("é€"), "{content_type}");
        }
    }
}

#[test]
fn other_character_sets_are_no_text() {
    for charset in
        ["utf-16", "utf-16le", "shift_jis", "utf-7", "gb18030", "iso-2022-jp", "koi8-r", "x-user-defined", "none"]
    {
        assert_eq!(text(&format!("text/plain; charset={charset}"), b"abc"), None, "{charset}");
    }
}

#[tokio::test]
async fn compressed_answers_are_not_read() {
    for encoding in ["gzip", "br", "deflate", "zstd", "identity, gzip"] {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-encoding: {encoding}\r\ncontent-length: 2\r\n\r\nhi");
        let failure = fetched(&TestServer::answering(head).url("/")).await.unwrap_err();
        assert_eq!(failure, Failure::Broken(Fault::Compressed));
    }
    let head = "HTTP/1.1 200 OK\r\ncontent-encoding: Identity\r\ncontent-length: 2\r\n\r\nhi";
    assert_eq!(fetched(&TestServer::answering(head).url("/")).await.unwrap().body, "hi");
}
