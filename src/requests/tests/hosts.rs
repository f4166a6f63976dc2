//! Odd spellings of addresses: none of them comes past the guard.

use super::*;

/// Each as a host of a URL.
const LOOPBACK: [&str; 24] = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "0x7f.1",
    "0x7f.0x0.0x0.0x1",
    "0X7F000001",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "0177.0.0.01",
    "127.0.0.0x1",
    "127.255.255.254",
    "%31%32%37.0.0.1",
    "127%2E0%2E0%2E1",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "１２７.０.０.１",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
];

/// Others that are as little public.
const OTHERS: [&str; 20] = [
    "0",
    "0.0.0.0",
    "0x0",
    "[::]",
    "10.1",
    "0xa.0.0.1",
    "012.0.0.1",
    "192.168.257",
    "3232235777",
    "172.1048577",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
    "169.254.43518",
    "[::ffff:a9fe:a9fe]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "100.64.0.1",
    "4294967295",
];

fn names_are_not_asked(name: &str) -> Vec<IpAddr> {
    panic!("`{name}` is an address")
}

#[tokio::test]
async fn odd_spellings_of_addresses_are_refused() {
    let names = Arc::new(Names(names_are_not_asked));
    let client = Client::over(Trust::Only(Vec::new()), names, address::kind_of_address).unwrap();
    for host in LOOPBACK.iter().chain(&OTHERS) {
        for url in [format!("http://{host}/"), format!("https://{host}:8443/x"), format!(" \thttp:\\\\{host}\\")] {
            let failure = client.send(get(&url), &Reach::default(), &BOUNDS).await.unwrap_err();
            assert!(matches!(failure, Failure::Refused(_)), "{url}: {failure}");
        }
    }
}

#[test]
fn what_ends_like_an_address_and_is_none_is_no_url() {
    for host in [
        "127.0.0.256",
        "1.2.3.4.5",
        "0x100000000",
        "4294967296",
        "09.1",
        "a.1",
        "a.0x",
        "[::1%25lo]",
        "[::1",
        "127.0.0.1%00",
        "",
    ] {
        assert!(Url::parse(&format!("http://{host}/")).is_err(), "{host}");
    }
}

#[tokio::test]
async fn names_that_lead_to_the_machine_are_refused() {
    let here = Arc::new(Names(|_: &str| vec![HERE, "::1".parse().unwrap()]));
    let client = Client::over(Trust::Only(Vec::new()), here, address::kind_of_address).unwrap();
    for host in ["localhost", "LOCALHOST", "localhost.", "localhost.localdomain", "127.0.0.1.nip.io", "a.example", "1x"]
    {
        let failure = client.send(get(&format!("http://{host}/")), &Reach::default(), &BOUNDS).await.unwrap_err();
        assert!(matches!(failure, Failure::Refused(_)), "{host}: {failure}");
    }
}

#[tokio::test]
async fn the_system_leads_localhost_to_the_machine() {
    let client = Client::new(Trust::Only(Vec::new())).unwrap();
    let failure = client.send(get("http://localhost/"), &Reach::default(), &BOUNDS).await.unwrap_err();
    let Failure::Refused(address) = failure else { panic!("{failure}") };
    assert_eq!((address.host.as_str(), address.kind), ("localhost", AddressKind::Loopback));
    let failure = client.send(get("http://nobody.invalid/"), &Reach::default(), &BOUNDS).await.unwrap_err();
    assert_eq!(failure, Failure::Dns);
}
