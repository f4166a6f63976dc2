//! Answers that come late, in drops, cut or packed wrongly.

use super::super::Fault;
use super::server::TestServer;
use super::*;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::time::Instant;

const SHORT: Bounds = Bounds { time: Duration::from_millis(300), ..BOUNDS };

/// Sends a byte every 20 ms until the other side hangs up.
fn drip(line: &mut TcpStream, text: &str) {
    for byte in text.bytes().cycle() {
        if line.write_all(&[byte]).is_err() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

async fn timed_out(server: &TestServer) {
    let began = Instant::now();
    assert_eq!(sent(get(&server.url("/")), &SHORT).await.unwrap_err(), Failure::TimedOut);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

#[tokio::test]
async fn slow_answers_end_in_time() {
    timed_out(&TestServer::serving(|_, line| drop(line.read_to_end(&mut Vec::new())))).await;
    timed_out(&TestServer::serving(|_, line| drip(line, "HTTP/1.1 200 OK\r\nx: aaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n")))
        .await;
    timed_out(&TestServer::serving(|_, line| {
        line.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        drip(line, "a");
    }))
    .await;
    timed_out(&TestServer::serving(|_, line| {
        line.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").unwrap();
        drip(line, "1\r\na\r\n");
    }))
    .await;
}

#[tokio::test]
async fn slow_redirects_share_the_time() {
    let server = TestServer::serving(|_, line| {
        std::thread::sleep(Duration::from_millis(120));
        let _ = line.write_all(b"HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    });
    let bounds = Bounds { redirects: 100, ..SHORT };
    assert_eq!(sent(get(&server.url("/")), &bounds).await.unwrap_err(), Failure::TimedOut);
    assert!(server.asked().len() <= 3);
}

#[tokio::test]
async fn slow_names_share_the_time() {
    struct Never;
    impl Resolve for Never {
        fn resolve(&self, _: Name) -> Resolving {
            Box::pin(std::future::pending())
        }
    }
    let client = Client::over(Trust::Only(Vec::new()), Arc::new(Never), judge).unwrap();
    let failure = client.send(get("http://slow.example/"), &Reach::default(), &SHORT).await.unwrap_err();
    assert_eq!(failure, Failure::TimedOut);
}

#[tokio::test]
async fn any_time_can_be_given() {
    let server = TestServer::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    assert!(sent(get(&server.url("/")), &Bounds { time: Duration::MAX, ..BOUNDS }).await.is_ok());
    let none = Bounds { time: Duration::ZERO, ..BOUNDS };
    let silent = TestServer::serving(|_, line| drop(line.read_to_end(&mut Vec::new())));
    assert_eq!(sent(get(&silent.url("/")), &none).await.unwrap_err(), Failure::TimedOut);
}

#[tokio::test]
async fn an_error_whose_words_come_late_is_still_that_error() {
    let server = TestServer::serving(|_, line| {
        line.write_all(b"HTTP/1.1 429 Slow\r\nretry-after: 7\r\ncontent-length: 100\r\n\r\nwait").unwrap();
        let _ = line.read_to_end(&mut Vec::new());
    });
    let failure = sent(get(&server.url("/")), &SHORT).await.unwrap_err();
    let expected = Failure::Status { status: 429, retry_after: Some(Duration::from_secs(7)), body: "wait".into() };
    assert!(failure == expected, "{failure}");
}

#[tokio::test]
async fn a_request_that_is_dropped_hangs_up() {
    let (hung_up, hangs_up) = mpsc::channel();
    let (came_in, comes_in) = tokio::sync::oneshot::channel();
    let came_in = std::sync::Mutex::new(Some(came_in));
    let server = TestServer::serving(move |_, line| {
        came_in.lock().unwrap().take().unwrap().send(()).unwrap();
        let _ = line.read_to_end(&mut Vec::new());
        hung_up.send(()).unwrap();
    });
    let request = get(&server.url("/"));
    let sending = tokio::spawn(async move { sent(request, &BOUNDS).await });
    comes_in.await.unwrap();
    sending.abort();
    let waited = tokio::task::spawn_blocking(move || hangs_up.recv_timeout(Duration::from_secs(3)));
    waited.await.unwrap().unwrap();
}

async fn answered(answer: &str) -> Result<String, Failure> {
    let server = TestServer::answering(answer);
    fetched(&server.url("/")).await.map(|answer| String::from_utf8(answer.body.to_vec()).unwrap())
}

#[tokio::test]
async fn answers_that_end_early_are_broken() {
    let cut = Failure::Broken(Fault::Cut);
    for answer in [
        "",
        "HTTP/1.1 200 OK\r\ncontent-le",
        "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhi",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhi\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nhi\r\n0\r\n\r\n",
    ] {
        assert_eq!(answered(answer).await.unwrap_err(), cut, "{answer}");
    }
}

#[tokio::test]
async fn what_is_no_http_is_broken() {
    for answer in [
        "hello\r\n\r\n",
        "<html></html>\r\n\r\n",
        "SSH-2.0-OpenSSH\r\n",
        "HTTP/3.0 200 OK\r\n\r\n",
        "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\na b: c\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: two\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\na: b\r\n folded\r\n\r\n",
    ] {
        assert_eq!(answered(answer).await.unwrap_err(), Failure::Broken(Fault::NotHttp), "{answer}");
    }
}

#[tokio::test]
async fn what_comes_after_an_answer_is_no_part_of_it() {
    let smuggled = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nother";
    assert_eq!(answered(smuggled).await.unwrap(), "hi");
    let server = TestServer::answering(smuggled);
    let client = client(|_| vec![HERE]);
    for _ in 0..3 {
        let answer = client.send(get(&server.url("/")), &Reach::default(), &BOUNDS).await.unwrap();
        assert_eq!(answer.body, "hi");
    }
}

#[tokio::test]
async fn answers_in_pieces_are_put_together() {
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\nhi\r\n1\r\n!\r\n0\r\nx: y\r\n\r\n";
    assert_eq!(answered(chunked).await.unwrap(), "hi!");
    assert_eq!(answered("HTTP/1.0 200 OK\r\n\r\nhi").await.unwrap(), "hi");
    assert_eq!(answered("HTTP/1.1 204 None\r\n\r\n").await.unwrap(), "");
    assert_eq!(
        answered("HTTP/1.1 103 Soon\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi").await.unwrap(),
        "hi"
    );
}

#[tokio::test]
async fn an_answer_to_head_has_no_body_whatever_its_length() {
    let server = TestServer::answering("HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n");
    let request = Prepared::new(Method::HEAD, Url::parse(&server.url("/")).unwrap()).unwrap();
    assert_eq!(sent(request, &BOUNDS).await.unwrap().body, "");
}
