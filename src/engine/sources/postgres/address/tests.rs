//! Addresses and what they say of TLS, without a server.

use super::*;
use crate::engine::sources::server::address::*;
use crate::project::TlsMode;
use std::path::PathBuf;

const CANARY: &str = "canary";

fn tls(mode: TlsMode) -> TlsConfig {
    TlsConfig { mode: Some(mode), ca: None, cert: None, key_env: None }
}

fn problem(text: &str) -> String {
    Address::parse("SHOP_URL", text, None).err().unwrap_or_else(|| panic!("{text} is read")).to_string()
}

fn security_of(text: &str, mode: Option<TlsMode>) -> Result<Security, Problem> {
    parsed(text, mode.map(tls).as_ref()).map(|address| address.security)
}

#[test]
fn addresses_of_both_kinds_are_read() {
    for text in [
        "postgres://reader:p%40ss@localhost:5433/shop?sslmode=disable&connect_timeout=3",
        "postgresql://reader:p%40ss@localhost:5433/shop",
        " host=localhost port=5433 user=reader password='p@ss' dbname = shop sslmode=disable application_name=x\n",
    ] {
        let config = parsed(text.trim(), None).unwrap_or_else(|problem| panic!("{text}: {problem:?}")).config;
        assert_eq!(config.get_user(), Some("reader"), "{text}");
        assert_eq!(config.get_password(), Some(b"p@ss".as_slice()), "{text}");
        assert_eq!(config.get_dbname(), Some("shop"), "{text}");
        assert_eq!(config.get_ports(), [5433], "{text}");
        assert_eq!(config.get_ssl_mode(), SslMode::Disable, "{text}");
        assert_eq!(config.get_keepalives_idle(), SILENCE, "{text}");
        assert_eq!(config.get_application_name(), None, "{text}");
    }
}

#[test]
fn files_of_certificates_are_taken_out() {
    let address = parsed(
        "postgres://db.example/shop?sslrootcert=%2Fc%2Fca.pem&sslmode=verify-ca&sslcert=c.pem&sslkey=k.pem",
        None,
    );
    let Address { security, files, .. } = address.unwrap_or_else(|problem| panic!("{problem:?}"));
    assert_eq!(security, Security::Authority);
    let path = |path: &str| Some(PathBuf::from(path));
    assert_eq!(files, Files { ca: path("/c/ca.pem"), cert: path("c.pem"), key: path("k.pem") });
}

#[test]
fn what_is_no_address_is_told_without_it() {
    for text in [
        "",
        CANARY,
        "canary://reader@db.example/shop",
        "mysql://canary:canary@db.example/shop",
        "jdbc:postgresql://canary/canary",
        "postgres://canary:can@ary@db.example/shop",
        "postgres://canary:can/ary@db.example/shop",
        "postgres://canary:can?ary@db.example/shop",
        "postgres://canary@db.example:canary/shop",
        "postgres://canary@db.example/canary?sslmode=canary",
        "postgres://canary@db.example/canary?canary=canary",
        "postgres://canary@db.example/canary?%63anary",
        "postgres://canary@db.example/canary?schema=canary",
        "postgres://canary@db.example/canary?target_session_attrs=read-write",
        "postgres://canary@db.example/canary?sslmode=disable",
        "postgres:///canary",
        "postgres://canary@%2Fcanary,db.example/canary",
        "hostaddr=192.0.2.1 user=canary",
        "user=canary password='canary",
        "canary host=canary",
        "host=localhost port=canary",
    ] {
        let problem = problem(text);
        assert!(problem.contains("SHOP_URL"), "{text}: {problem}");
        assert!(!problem.contains("canary") && !problem.contains("db.example/canary"), "{text}: {problem}");
    }
    let unset =
        Address::read(&ServerAddress::of_variable("QTOOL_NO_SUCH_VARIABLE"), None).err().map(|error| error.to_string());
    assert_eq!(unset.as_deref(), Some("the variable `QTOOL_NO_SUCH_VARIABLE` is not set"));
    assert!(problem("postgres://db.example/shop?schema=a").contains("`schema`"));
    assert!(problem("mysql://db.example/shop").contains("MySQL"));
}

#[test]
fn a_server_elsewhere_is_verified_unless_the_project_says_otherwise() {
    for sslmode in ["", "?sslmode=allow", "?sslmode=prefer", "?sslmode=require", "?sslmode=verify-full"] {
        for host in ["db.example", "192.0.2.1", "[2001:db8::1]", "localhost,db.example", "localhost.example"] {
            assert_eq!(security_of(&format!("postgres://{host}/shop{sslmode}"), None), Ok(Security::Full), "{host}");
        }
    }
    let url = |sslmode: &str| format!("postgres://db.example/shop?sslmode={sslmode}");
    let refused = |in_project| Err(Problem::Unencrypted { in_project });
    for (sslmode, mode, expected) in [
        ("disable", None, refused(false)),
        ("disable", Some(TlsMode::Disable), refused(true)),
        ("prefer", Some(TlsMode::Disable), refused(true)),
        ("disable", Some(TlsMode::Insecure), Ok(Security::Unchecked)),
        ("disable", Some(TlsMode::VerifyFull), Ok(Security::Full)),
        ("require", Some(TlsMode::Disable), Ok(Security::Full)),
        ("require", Some(TlsMode::Insecure), Ok(Security::Unchecked)),
        ("require", Some(TlsMode::VerifyCa), Ok(Security::Authority)),
        ("verify-ca", None, Ok(Security::Authority)),
        ("verify-ca", Some(TlsMode::Insecure), Ok(Security::Authority)),
        ("verify-full", Some(TlsMode::Insecure), Ok(Security::Full)),
        ("verify-full", Some(TlsMode::VerifyCa), Ok(Security::Full)),
    ] {
        assert_eq!(security_of(&url(sslmode), mode), expected, "{sslmode} {mode:?}");
    }
}

#[test]
fn this_machine_needs_no_tls_unless_it_is_asked_for() {
    for host in ["localhost", "LOCALHOST.", "127.0.0.1", "127.8.8.8", "[::1]", "localhost,127.0.0.1"] {
        for sslmode in ["", "?sslmode=disable", "?sslmode=prefer"] {
            assert_eq!(security_of(&format!("postgres://{host}/shop{sslmode}"), None), Ok(Security::Open), "{host}");
        }
        let asked = format!("postgres://{host}/shop?sslmode=require");
        assert_eq!(security_of(&asked, None), Ok(Security::Full), "{host}");
    }
    assert_eq!(security_of("postgres://localhost/shop", Some(TlsMode::VerifyCa)), Ok(Security::Authority));
    assert_eq!(security_of("postgres://localhost/shop?sslrootcert=ca.pem", None), Ok(Security::Full));
    assert_eq!(security_of("host=db.example hostaddr=127.0.0.1", None), Ok(Security::Open));
    assert_eq!(security_of("host=localhost hostaddr=192.0.2.1", None), Ok(Security::Full));
    let ca = TlsConfig { mode: None, ca: Some("ca.pem".to_owned()), cert: None, key_env: None };
    assert_eq!(parsed("postgres://localhost/shop", Some(&ca)).map(|address| address.security), Ok(Security::Full));
}

#[cfg(unix)]
#[test]
fn sockets_have_no_tls() {
    for text in
        ["postgres://%2Frun%2Fpg/shop", "postgres:///shop?host=/run/pg&sslmode=require", "host=/run/pg user=reader"]
    {
        assert_eq!(security_of(text, Some(TlsMode::VerifyFull)), Ok(Security::Open), "{text}");
    }
    assert_eq!(security_of("postgres://%2Frun%2Fpg,db.example/shop", None), Err(Problem::Mixed));
}

#[test]
fn an_address_of_parts_is_one_of_a_variable() {
    let parts = ServerAddress {
        host: Some("db.example".to_owned()),
        port: Some(5433),
        database: Some("it's \\ a 'shop'".to_owned()),
        user: Some("read er".to_owned()),
        ..ServerAddress::default()
    };
    let address = Address::read(&parts, None).unwrap();
    assert_eq!(address.security, Security::Full);
    assert_eq!(address.config.get_dbname(), Some("it's \\ a 'shop'"));
    assert_eq!((address.config.get_user(), address.config.get_ports()), (Some("read er"), [5433].as_slice()));
    let open = TlsConfig { mode: Some(TlsMode::Disable), ..TlsConfig::default() };
    let told = Address::read(&parts, Some(&open)).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(told.contains("`tls.mode` switches TLS off, and the server of `host`"), "{told}");
    let password = Some("QTOOL_NO_SUCH_VARIABLE".to_owned());
    let unset = Address::read(&ServerAddress { password_env: password, ..parts }, None).err();
    let unset = unset.map(|error| error.to_string());
    assert_eq!(unset.as_deref(), Some("the variable `QTOOL_NO_SUCH_VARIABLE` is not set"));
}
