//! Secure connections, and why there is none.

use super::super::NoClient;
use super::certificates::{EXPIRED, GOOD, KEY, ROOT};
use super::*;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};
use std::io::{Read, Write};
use std::net::TcpListener;

fn root() -> Trust {
    Trust::Only(vec![CertificateDer::from_pem_slice(ROOT.as_bytes()).unwrap()])
}

/// A server with a certificate; and its port.
fn secured(certificate: &str, answer: &'static str) -> u16 {
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let chain = vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(KEY.as_bytes()).unwrap();
    let config = Arc::new(config.with_single_cert(chain, key).unwrap());
    let listener = TcpListener::bind((HERE, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut line in listener.incoming().flatten() {
            let mut connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = Stream::new(&mut connection, &mut line);
            // The client hangs up where it does not trust us.
            if stream.read(&mut [0; 4096]).is_ok() {
                let _ = stream.write_all(answer.as_bytes());
            }
        }
    });
    port
}

async fn fetched_with(trust: Trust, url: String) -> Result<Answer, Failure> {
    let client = Client::over(trust, Arc::new(Names(|_: &str| vec![HERE])), judge).unwrap();
    client.send(get(&url), &Reach { private: false, hosts: vec!["good.example".to_owned()] }, &BOUNDS).await
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi";

#[tokio::test]
async fn only_certificates_that_are_trusted_are_taken() {
    let good = secured(GOOD, OK);
    let answer = fetched_with(root(), format!("https://good.example:{good}/")).await.unwrap();
    assert_eq!(answer.body, "hi");
    let why = |answer: Result<Answer, Failure>| match answer.unwrap_err() {
        Failure::Tls(why) => why,
        failure => panic!("{failure}"),
    };
    let other_name = fetched_with(root(), format!("https://bad.example:{good}/")).await;
    assert_eq!(why(other_name), "its certificate is for another name");
    let address = fetched_with(root(), format!("https://127.0.0.1:{good}/")).await;
    assert_eq!(why(address), "its certificate is for another name");
    let nobody = fetched_with(Trust::Only(Vec::new()), format!("https://good.example:{good}/")).await;
    assert_eq!(why(nobody), "nobody who is trusted vouches for its certificate");
    let machine = fetched_with(Trust::Machine, format!("https://good.example:{good}/")).await;
    assert_eq!(why(machine), "nobody who is trusted vouches for its certificate");
    let expired = secured(EXPIRED, OK);
    let expired = fetched_with(root(), format!("https://good.example:{expired}/")).await;
    assert_eq!(why(expired), "its certificate has expired");
}

#[tokio::test]
async fn a_server_without_tls_is_told() {
    let listener = TcpListener::bind((HERE, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut line in listener.incoming().flatten() {
            let _ = line.write_all(OK.as_bytes());
            let _ = line.read(&mut [0; 4096]);
        }
    });
    let failure = fetched_with(root(), format!("https://good.example:{port}/")).await.unwrap_err();
    assert_eq!(failure, Failure::Tls("the server does not speak TLS"));
}

#[tokio::test]
async fn nobody_is_redirected_out_of_tls() {
    let answer =
        "HTTP/1.1 302 Found\r\nlocation: http://good.example/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let port = secured(GOOD, answer);
    let client = Client::over(root(), Arc::new(Names(|_: &str| vec![HERE])), judge).unwrap();
    let reach = Reach { private: false, hosts: vec!["good.example".to_owned()] };
    let bounds = Bounds { same_host_only: false, ..BOUNDS };
    let failure = client.send(get(&format!("https://good.example:{port}/")), &reach, &bounds).await.unwrap_err();
    assert_eq!(failure, Failure::RedirectedElsewhere { origin: "http://good.example".to_owned() });
}

#[test]
fn what_is_no_certificate_is_told() {
    let none = Trust::Only(vec![CertificateDer::from(vec![1, 2, 3])]);
    assert_eq!(Client::new(none).unwrap_err(), NoClient::Certificate);
}
