//! Addresses and what they say of TLS, without a server.

use super::*;
use crate::project::TlsMode;
use mysql_async::Opts;

const CANARY: &str = "canary";

fn read(text: &str) -> (Opts, Security, Files) {
    let address = parsed(text, None).unwrap_or_else(|problem| panic!("{text}: {problem:?}"));
    (address.opts.into(), address.security, address.files)
}

fn security_of(text: &str, mode: Option<TlsMode>) -> Result<Security, Problem> {
    let tls = mode.map(|mode| TlsConfig { mode: Some(mode), ca: None, cert: None, key_env: None });
    parsed(text, tls.as_ref()).map(|address| address.security)
}

#[test]
fn addresses_are_read() {
    let (opts, security, _) = read("mysql://re%40der:p%3Ass@localhost:3307/shop?charset=utf8mb4&parseTime=true");
    assert_eq!((opts.user(), opts.pass(), opts.db_name()), (Some("re@der"), Some("p:ss"), Some("shop")));
    assert_eq!((opts.ip_or_hostname(), opts.tcp_port(), security), ("localhost", 3307, Security::Open));
    assert!(!opts.prefer_socket());
    let (opts, security, _) = read("mariadb://reader@[2001:db8::1]/shop");
    assert_eq!((opts.ip_or_hostname(), opts.tcp_port(), security), ("2001:db8::1", PORT, Security::Full));
    for socket in ["mysql://reader@%2Frun%2Fm.sock/shop", "mysql://reader@localhost/shop?socket=/run/m.sock"] {
        let (opts, security, _) = read(socket);
        assert_eq!((opts.socket(), security), (Some("/run/m.sock"), Security::Open), "{socket}");
    }
    let (_, security, files) = read("mysql://h/d?ssl-mode=VERIFY_CA&ssl_ca=%2Fc%2Fca.pem&sslCert=c.pem&ssl-key=k.pem");
    let path = |path: &str| Some(PathBuf::from(path));
    assert_eq!(security, Security::Authority);
    assert_eq!(files, Files { ca: path("/c/ca.pem"), cert: path("c.pem"), key: path("k.pem") });
}

#[test]
fn the_stricter_of_the_address_and_the_project_holds() {
    use Security::{Authority, Full, Open, Unchecked};
    for (text, mode, expected) in [
        ("mysql://db.example/shop", None, Some(Full)),
        ("mysql://db.example/shop?ssl-mode=PREFERRED", None, Some(Full)),
        ("mysql://db.example/shop?ssl-mode=REQUIRED", None, Some(Full)),
        ("mysql://db.example/shop?ssl-mode=VERIFY_CA", None, Some(Authority)),
        ("mysql://db.example/shop?ssl-mode=VERIFY_CA", Some(TlsMode::Insecure), Some(Authority)),
        ("mysql://db.example/shop?ssl-mode=VERIFY_IDENTITY", Some(TlsMode::VerifyCa), Some(Full)),
        ("mysql://db.example/shop?ssl=true&verify_identity=true&ssl-mode=DISABLED", None, Some(Full)),
        ("mysql://db.example/shop", Some(TlsMode::Insecure), Some(Unchecked)),
        ("mysql://db.example/shop?ssl-mode=DISABLED", None, None),
        ("mysql://db.example/shop?useSSL=false", None, None),
        ("mysql://db.example/shop", Some(TlsMode::Disable), None),
        ("mysql://127.0.0.1/shop", None, Some(Open)),
        ("mysql://localhost/shop?ssl-mode=REQUIRED", None, Some(Full)),
        ("mysql://localhost/shop", Some(TlsMode::VerifyFull), Some(Full)),
    ] {
        assert_eq!(security_of(text, mode).ok(), expected, "{text} {mode:?}");
    }
}

#[test]
fn what_is_no_address_is_told_without_it() {
    for text in [
        "",
        CANARY,
        "canary://reader@db.example/shop",
        "postgres://canary:canary@db.example/shop",
        "jdbc:mysql://canary/canary",
        "canary:canary@tcp(db.example:3306)/canary",
        "mysql://canary:can@ary@db.example/shop",
        "mysql://canary:can/ary@db.example/shop",
        "mysql://canary:can?ary@db.example/shop",
        "mysql://canary@db.example:canary/shop",
        "mysql://canary@db.example,other/shop",
        "mysql://canary@/canary",
        "mysql://canary@db.example/shop?canary=canary",
        "mysql://canary@db.example/shop?ssl-mode=canary",
        "mysql://canary@db.example/shop?ssl=canary",
        "mysql://canary@db.example/shop?socket=/canary",
        "mysql://canary%2@db.example/shop",
    ] {
        let told = Address::parse("SHOP_URL", text, None).err().unwrap_or_else(|| panic!("{text} is read")).to_string();
        assert!(told.contains("SHOP_URL") && !told.contains(CANARY), "{text}: {told}");
    }
    let told = |text| Address::parse("SHOP_URL", text, None).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(told("mysql://db.example/shop?local_infile=1").contains("`local-infile`"));
    assert!(told("postgresql://db.example/shop").contains("PostgreSQL, and none of MySQL"));
    assert!(told("mysql://db.example/shop?ssl-mode=DISABLED").starts_with("`ssl-mode` switches TLS off"));
}

#[test]
fn an_address_of_parts_is_one_of_a_variable() {
    let parts = ServerAddress {
        host: Some("db.example".to_owned()),
        port: Some(3307),
        database: Some("the / shop".to_owned()),
        user: Some("re@der:ü".to_owned()),
        ..ServerAddress::default()
    };
    let read = |parts: &ServerAddress| {
        let address = Address::read(parts, None).unwrap_or_else(|error| panic!("{error}"));
        (Opts::from(address.opts), address.security)
    };
    let (opts, security) = read(&parts);
    assert_eq!((opts.user(), opts.db_name(), security), (Some("re@der:ü"), Some("the / shop"), Security::Full));
    assert_eq!((opts.ip_or_hostname(), opts.tcp_port(), opts.pass()), ("db.example", 3307, None));
    for host in ["::1", "127.0.0.1"] {
        let (opts, _) = read(&ServerAddress { host: Some(host.to_owned()), ..parts.clone() });
        assert_eq!(opts.ip_or_hostname(), host);
    }
    let (opts, _) = read(&ServerAddress { host: Some("/run/m.sock".to_owned()), port: None, ..parts.clone() });
    assert_eq!(opts.socket(), Some("/run/m.sock"));
    let unset = ServerAddress { password_env: Some("QTOOL_NO_SUCH_VARIABLE".to_owned()), ..parts };
    let told = Address::read(&unset, None).err().map(|error| error.to_string());
    assert_eq!(told.as_deref(), Some("the variable `QTOOL_NO_SUCH_VARIABLE` is not set"));
}
