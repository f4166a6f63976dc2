//! Where redirects are followed to, and with what.

use super::super::{Fault, header_value, secret_header_value};
use super::server::TestServer;
use super::*;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderName, header};
use std::io::Write;

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi";

fn redirect(status: u16, location: &str) -> String {
    format!("HTTP/1.1 {status} Moved\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

/// Redirects `/`, and answers all else.
fn redirecting(status: u16, location: &str) -> TestServer {
    let answer = redirect(status, location);
    TestServer::serving(move |request, line| {
        let is_first = request.split(' ').nth(1) == Some("/");
        line.write_all(if is_first { answer.as_bytes() } else { OK.as_bytes() }).unwrap();
    })
}

fn hosts(hosts: &[&str]) -> Reach {
    Reach { private: false, hosts: hosts.iter().map(|host| (*host).to_owned()).collect() }
}

const ANYWHERE: Bounds = Bounds { same_host_only: false, ..BOUNDS };

/// Redirects `/` to a place in which `{own}` is the host and port.
fn redirecting_within(location: &'static str) -> TestServer {
    TestServer::serving(move |request, line| {
        let own = format!("127.0.0.1:{}", line.local_addr().unwrap().port());
        let is_first = request.starts_with("GET / ");
        let answer = if is_first { redirect(302, &location.replace("{own}", &own)) } else { OK.to_owned() };
        line.write_all(answer.as_bytes()).unwrap();
    })
}

#[tokio::test]
async fn redirects_within_the_host_are_followed() {
    for location in
        ["/there", "there", "./there", "?there", "//{own}/there", "http://{own}/there", "HTTP://{own}/there"]
    {
        let server = redirecting_within(location);
        let answer = fetched(&server.url("/")).await.unwrap();
        assert!(answer.final_url.as_str().ends_with("there"), "{location}");
        assert_eq!(server.asked().len(), 2);
    }
}

#[tokio::test]
async fn a_redirect_brings_no_credentials() {
    let server = redirecting_within("http://name:password@{own}/there");
    assert_eq!(fetched(&server.url("/")).await.unwrap_err(), Failure::Broken(Fault::Location));
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn redirects_to_other_hosts_end_the_request() {
    let elsewhere = TestServer::answering(OK);
    let places = [
        elsewhere.url("/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://[::ffff:169.254.169.254]/".to_owned(),
        "//evil.example/".to_owned(),
        "http:\\\\evil.example\\".to_owned(),
        "https://127.0.0.1/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "ftp://127.0.0.1/".to_owned(),
        "gopher://127.0.0.1:70/_x".to_owned(),
        "javascript:alert(1)".to_owned(),
        "data:text/plain,x".to_owned(),
    ];
    for place in places {
        let server = redirecting(302, &place);
        let failure = sent(get(&server.url("/")), &ANYWHERE).await.unwrap_err();
        assert!(matches!(failure, Failure::RedirectedElsewhere { .. }), "{place}: {failure}");
        assert_eq!(server.asked().len(), 1);
    }
    assert_eq!(elsewhere.asked().len(), 0);
}

#[tokio::test]
async fn redirects_to_private_addresses_are_refused_also_where_the_host_is_allowed() {
    for (place, host) in [
        ("http://169.254.169.254/latest/meta-data/", "169.254.169.254"),
        ("http://0xa9fea9fe/", "169.254.169.254"),
        ("http://[::1]:8080/", "[::1]:8080"),
        ("http://metadata.example/", "metadata.example"),
    ] {
        let server = redirecting(307, place);
        let client = client(|_| vec![[169, 254, 169, 254].into()]);
        let failure = client.send(get(&server.url("/")), &hosts(&[host]), &ANYWHERE).await.unwrap_err();
        assert!(matches!(failure, Failure::Refused(_)), "{place}: {failure}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn allowed_hosts_are_followed_to_without_secrets() {
    let other = TestServer::answering(OK);
    let server = redirecting(307, &other.url_of("other.example", "/there?x=1"));
    let request = Prepared::new(Method::POST, Url::parse(&server.url("/")).unwrap()).unwrap();
    let request = request.with_header(CONTENT_TYPE, header_value("text/plain").unwrap()).unwrap();
    let request = request.with_header(AUTHORIZATION, header_value("Bearer unmarked").unwrap()).unwrap();
    let request = request.with_header(header::COOKIE, header_value("a=unmarked").unwrap()).unwrap();
    let key = HeaderName::from_static("x-api-key");
    let request = request.with_header(key, secret_header_value("marked").unwrap()).unwrap().with_body("body");
    let allowed = hosts(&[&format!("OTHER.example:{}", other.port())]);
    let client = client(|_| vec![HERE]);
    let answer = client.send(request.clone(), &allowed, &ANYWHERE).await.unwrap();
    assert_eq!(answer.final_url.as_str(), other.url_of("other.example", "/there?x=1"));
    let (first, second) = (server.asked().remove(0), other.asked().remove(0));
    assert!(first.contains("x-api-key: marked") && first.contains("Bearer unmarked") && first.contains("a=unmarked"));
    assert!(
        second.starts_with("POST /there?x=1 ") && second.contains("text/plain") && second.ends_with("\r\n\r\nbody")
    );
    assert!(!second.contains("marked"), "{second}");
    assert!(!second.to_lowercase().contains("referer"), "{second}");
    // The same hosts are nothing where only the own one may be redirected to.
    let failure = client.send(request, &allowed, &BOUNDS).await.unwrap_err();
    assert!(matches!(failure, Failure::RedirectedElsewhere { .. }), "{failure}");
}

#[tokio::test]
async fn an_allowed_host_is_allowed_at_its_port_alone() {
    let other = TestServer::answering(OK);
    let server = redirecting(302, &other.url_of("other.example", "/"));
    let at_port = format!(":{}", other.port());
    for host in ["other.example", "", "/", "*", "other.example:1", "x@other.example", &at_port] {
        let client = client(|_| vec![HERE]);
        let failure = client.send(get(&server.url("/")), &hosts(&[host]), &ANYWHERE).await.unwrap_err();
        assert!(matches!(failure, Failure::RedirectedElsewhere { .. }), "{host}: {failure}");
    }
    assert_eq!(other.asked().len(), 0);
}

#[tokio::test]
async fn secrets_that_were_dropped_do_not_come_back() {
    let back = Arc::new(std::sync::Mutex::new(String::new()));
    let known = Arc::clone(&back);
    let other = TestServer::serving(move |_, line| {
        line.write_all(redirect(307, &known.lock().unwrap()).as_bytes()).unwrap();
    });
    let server = redirecting(307, &other.url("/"));
    *back.lock().unwrap() = server.url("/back");
    let request = get(&server.url("/")).with_header(AUTHORIZATION, secret_header_value("marked").unwrap()).unwrap();
    let allowed = hosts(&[&format!("127.0.0.1:{}", other.port())]);
    client(|_| vec![HERE]).send(request, &allowed, &ANYWHERE).await.unwrap();
    let asked = server.asked();
    assert!(asked[0].contains("marked") && asked[1].starts_with("GET /back ") && !asked[1].contains("marked"));
}

#[tokio::test]
async fn methods_and_bodies_go_on_as_the_status_says() {
    let expected = [
        (301, "POST", "GET", false),
        (302, "POST", "GET", false),
        (303, "PUT", "GET", false),
        (303, "HEAD", "HEAD", false),
        (302, "HEAD", "HEAD", false),
        (307, "POST", "POST", true),
        (308, "PATCH", "PATCH", true),
    ];
    for (status, method, then, keeps_body) in expected {
        let server = redirecting(status, "/there");
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let has_body = method != Method::HEAD;
        let mut request = Prepared::new(method, Url::parse(&server.url("/")).unwrap()).unwrap();
        if has_body {
            request = request.with_header(CONTENT_TYPE, header_value("text/plain").unwrap()).unwrap().with_body("body");
        }
        sent(request, &BOUNDS).await.unwrap();
        let asked = server.asked();
        assert!(asked[1].starts_with(&format!("{then} /there ")), "{status}: {}", asked[1]);
        assert_eq!(asked[1].ends_with("body"), keeps_body, "{status}: {}", asked[1]);
        assert_eq!(asked[1].contains("content-type"), keeps_body, "{status}: {}", asked[1]);
    }
}

#[tokio::test]
async fn redirects_are_counted() {
    let server = TestServer::answering(redirect(302, "/"));
    let failure = sent(get(&server.url("/")), &BOUNDS).await.unwrap_err();
    assert_eq!(failure, Failure::TooManyRedirects { limit: 3 });
    assert_eq!(server.asked().len(), 4);
    let failure = sent(get(&server.url("/")), &Bounds { redirects: 0, ..BOUNDS }).await.unwrap_err();
    assert_eq!(failure, Failure::TooManyRedirects { limit: 0 });
}

#[tokio::test]
async fn a_redirect_without_a_place_is_a_status() {
    for status in [300, 301, 302, 304, 305, 307] {
        let server = TestServer::answering(format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\n\r\n"));
        let failure = fetched(&server.url("/")).await.unwrap_err();
        assert!(matches!(failure, Failure::Status { status: told, .. } if told == status), "{failure}");
    }
    for place in ["http://", "http://[::1", "http://a b/", "http://127.0.0.256/", "\u{e9}"] {
        let failure = fetched(&redirecting(302, place).url("/")).await.unwrap_err();
        let is_elsewhere = matches!(failure, Failure::RedirectedElsewhere { .. });
        assert!(is_elsewhere || matches!(failure, Failure::Broken(_) | Failure::Status { .. }), "{place}: {failure}");
    }
}
