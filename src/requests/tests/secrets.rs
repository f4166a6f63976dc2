//! What is displayed, also for debugging, holds no query, header or body.

use super::super::{header_value, secret_header_value};
use super::server::TestServer;
use super::*;
use http::header::{AUTHORIZATION, COOKIE};

fn request(url: &str) -> Prepared {
    let url = Url::parse(&format!("{url}hidden-path?token=hidden-query#hidden-fragment")).unwrap();
    let request = Prepared::new(Method::POST, url).unwrap().with_body("hidden-body");
    let request = request.with_header(AUTHORIZATION, secret_header_value("hidden-key").unwrap()).unwrap();
    request.with_header(COOKIE, header_value("hidden-cookie").unwrap()).unwrap()
}

fn check(displayed: &str) {
    assert!(!displayed.contains("hidden"), "{displayed}");
}

#[tokio::test]
async fn failures_hold_no_secrets() {
    let answers = [
        "",
        "hidden\r\n\r\n",
        "HTTP/1.1 200 hidden\r\nx: hidden\r\ncontent-length: 100\r\n\r\nhidden",
        "HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\nhidden",
        "HTTP/1.1 500 hidden\r\nx: hidden\r\n\r\nhidden",
        "HTTP/1.1 302 Found\r\nlocation: /hidden?hidden\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nlocation: http://hidden:hidden@other.example/hidden?hidden#hidden\r\n\r\n",
        "HTTP/1.1 302 Found\r\nlocation: hidden://hidden\r\n\r\n",
        "HTTP/1.1 302 Found\r\nlocation: http://[hidden\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-encoding: hidden\r\n\r\n",
    ];
    for answer in answers {
        let server = TestServer::answering(answer);
        let failure = sent(request(&server.url("/")), &BOUNDS).await.unwrap_err();
        check(&failure.to_string());
        check(&format!("{failure:?}"));
    }
    for address in [HERE, [10, 0, 0, 1].into()] {
        let client = client(move |_| vec![address]);
        for url in ["http://a.example:1/", "https://a.example:1/"] {
            let failure = client.send(request(url), &Reach::default(), &BOUNDS).await.unwrap_err();
            check(&failure.to_string());
            check(&format!("{failure:?}"));
        }
    }
}

#[tokio::test]
async fn requests_and_answers_hold_no_secrets() {
    check(&format!("{:?}", request("http://a.example/")));
    let server = TestServer::answering("HTTP/1.1 200 OK\r\nx: hidden\r\ncontent-length: 6\r\n\r\nhidden");
    check(&format!("{:?}", sent(request(&server.url("/")), &BOUNDS).await.unwrap()));
}
