//! Every kind of address that is not public, at both ends of its range and within, and the public ones beside them.

use super::super::address::kind_of_address;
use super::super::{AddressKind, PrivateAddress};
use std::net::IpAddr;

const PRIVATE: [(AddressKind, &str); 12] = [
    (AddressKind::Unspecified, ":: 0.0.0.0 0.0.0.1 0.255.255.255 0.255.255.254 0.127.255.255 0.85.85.85 0.36.146.73"),
    (
        AddressKind::Loopback,
        "::1 127.0.0.0 127.0.0.1 127.255.255.255 127.255.255.254 127.127.255.255 127.85.85.85 127.36.146.73",
    ),
    (
        AddressKind::Private,
        "10.0.0.0 10.0.0.1 10.255.255.255 10.255.255.254 10.127.255.255 10.85.85.85 10.36.146.73 172.16.0.0 \
         172.16.0.1 172.31.255.255 172.31.255.254 172.23.255.255 172.21.85.85 172.18.73.36 192.168.0.0 192.168.0.1 \
         192.168.255.255 192.168.255.254 192.168.127.255 192.168.85.85 192.168.36.146 fc00:: fc00::1 \
         fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fdff:ffff:ffff:ffff:ffff:ffff:ffff:fffe \
         fcff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fcaa:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa \
         fc49:2492:4924:9249:2492:4924:9249:2492 fec0:: fec0::1 feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff \
         feff:ffff:ffff:ffff:ffff:ffff:ffff:fffe fedf:ffff:ffff:ffff:ffff:ffff:ffff:ffff \
         fed5:5555:5555:5555:5555:5555:5555:5555 fec9:2492:4924:9249:2492:4924:9249:2492",
    ),
    (
        AddressKind::LinkLocal,
        "169.254.0.0 169.254.0.1 169.254.255.255 169.254.255.254 169.254.127.255 169.254.85.85 169.254.36.146 fe80:: \
         fe80::1 febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff febf:ffff:ffff:ffff:ffff:ffff:ffff:fffe \
         fe9f:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe95:5555:5555:5555:5555:5555:5555:5555 \
         fe89:2492:4924:9249:2492:4924:9249:2492",
    ),
    (AddressKind::Metadata, "169.254.169.254 100.100.100.200 192.0.0.192 168.63.129.16 fd00:ec2::254 fd20:ce::254"),
    (
        AddressKind::Shared,
        "100.64.0.0 100.64.0.1 100.127.255.255 100.127.255.254 100.95.255.255 100.85.85.85 100.73.36.146",
    ),
    (
        AddressKind::Multicast,
        "224.0.0.0 224.0.0.1 239.255.255.255 239.255.255.254 231.255.255.255 229.85.85.85 226.73.36.146 ff00:: \
         ff00::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe \
         ff7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff ff55:5555:5555:5555:5555:5555:5555:5555 \
         ff24:9249:2492:4924:9249:2492:4924:9249",
    ),
    (AddressKind::Broadcast, "255.255.255.255"),
    (
        AddressKind::Documentation,
        "192.0.2.0 192.0.2.1 192.0.2.255 192.0.2.254 192.0.2.127 192.0.2.85 192.0.2.36 198.51.100.0 198.51.100.1 \
         198.51.100.255 198.51.100.254 198.51.100.127 198.51.100.85 198.51.100.36 203.0.113.0 203.0.113.1 \
         203.0.113.255 203.0.113.254 203.0.113.127 203.0.113.85 203.0.113.36 2001:db8:: 2001:db8::1 \
         2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8:ffff:ffff:ffff:ffff:ffff:fffe \
         2001:db8:7fff:ffff:ffff:ffff:ffff:ffff 2001:db8:5555:5555:5555:5555:5555:5555 \
         2001:db8:2492:4924:9249:2492:4924:9249 3fff:: 3fff::1 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff \
         3fff:fff:ffff:ffff:ffff:ffff:ffff:fffe 3fff:7ff:ffff:ffff:ffff:ffff:ffff:ffff \
         3fff:555:5555:5555:5555:5555:5555:5555 3fff:249:2492:4924:9249:2492:4924:9249",
    ),
    (
        AddressKind::Benchmarking,
        "198.18.0.0 198.18.0.1 198.19.255.255 198.19.255.254 198.18.255.255 198.18.170.170 198.18.73.36 2001:2:: \
         2001:2::1 2001:2:0:ffff:ffff:ffff:ffff:ffff 2001:2:0:ffff:ffff:ffff:ffff:fffe \
         2001:2:0:7fff:ffff:ffff:ffff:ffff 2001:2:0:5555:5555:5555:5555:5555 2001:2:0:2492:4924:9249:2492:4924",
    ),
    (
        AddressKind::Embedded,
        "::2 ::127.0.0.1 ::8.8.8.8 192.88.99.0 192.88.99.1 192.88.99.255 192.88.99.254 192.88.99.127 192.88.99.85 \
         192.88.99.36 ::ffff:0:0 ::ffff:0:1 ::ffff:ffff:ffff ::ffff:ffff:fffe ::ffff:7fff:ffff ::ffff:5555:5555 \
         ::ffff:2492:4924 ::ffff:0:0:0 ::ffff:0:0:1 ::ffff:0:ffff:ffff ::ffff:0:ffff:fffe ::ffff:0:7fff:ffff \
         ::ffff:0:5555:5555 ::ffff:0:2492:4924 64:ff9b:: 64:ff9b::1 64:ff9b::ffff:ffff 64:ff9b::ffff:fffe \
         64:ff9b::7fff:ffff 64:ff9b::5555:5555 64:ff9b::2492:4924 64:ff9b:1:: 64:ff9b:1::1 \
         64:ff9b:1:ffff:ffff:ffff:ffff:ffff 64:ff9b:1:ffff:ffff:ffff:ffff:fffe 64:ff9b:1:7fff:ffff:ffff:ffff:ffff \
         64:ff9b:1:5555:5555:5555:5555:5555 64:ff9b:1:2492:4924:9249:2492:4924 2002:: 2002::1 \
         2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2002:ffff:ffff:ffff:ffff:ffff:ffff:fffe \
         2002:7fff:ffff:ffff:ffff:ffff:ffff:ffff 2002:5555:5555:5555:5555:5555:5555:5555 \
         2002:2492:4924:9249:2492:4924:9249:2492 2001:: 2001::1 2001:0:ffff:ffff:ffff:ffff:ffff:ffff \
         2001:0:ffff:ffff:ffff:ffff:ffff:fffe 2001:0:7fff:ffff:ffff:ffff:ffff:ffff \
         2001:0:5555:5555:5555:5555:5555:5555 2001:0:2492:4924:9249:2492:4924:9249 ::ffff:7f00:1 64:ff9b::7f00:1 \
         ::7f00:1 2002:7f00:1::1 2001:0:7f00:1::80ff:fffe 2a00:1450::5efe:7f00:1 2a00:1450::200:5efe:7f00:1 \
         ::ffff:a00:1 64:ff9b::a00:1 ::a00:1 2002:a00:1::1 2001:0:a00:1::f5ff:fffe 2a00:1450::5efe:a00:1 \
         2a00:1450::200:5efe:a00:1 ::ffff:a9fe:a9fe 64:ff9b::a9fe:a9fe ::a9fe:a9fe 2002:a9fe:a9fe::1 \
         2001:0:a9fe:a9fe::5601:5601 2a00:1450::5efe:a9fe:a9fe 2a00:1450::200:5efe:a9fe:a9fe ::ffff:c0a8:101 \
         64:ff9b::c0a8:101 ::c0a8:101 2002:c0a8:101::1 2001:0:c0a8:101::3f57:fefe 2a00:1450::5efe:c0a8:101 \
         2a00:1450::200:5efe:c0a8:101 ::ffff:808:808 64:ff9b::808:808 ::808:808 2002:808:808::1 \
         2001:0:808:808::f7f7:f7f7 2a00:1450::5efe:808:808 2a00:1450::200:5efe:808:808",
    ),
    (
        AddressKind::Reserved,
        "192.0.0.0 192.0.0.1 192.0.0.255 192.0.0.254 192.0.0.127 192.0.0.85 192.0.0.36 240.0.0.0 240.0.0.1 \
         255.255.255.254 247.255.255.255 245.85.85.85 242.73.36.146 100:: 100::1 100::ffff:ffff:ffff:ffff \
         100::ffff:ffff:ffff:fffe 100::7fff:ffff:ffff:ffff 100::5555:5555:5555:5555 100::2492:4924:9249:2492 5f00:: \
         5f00::1 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff 5f00:ffff:ffff:ffff:ffff:ffff:ffff:fffe \
         5f00:7fff:ffff:ffff:ffff:ffff:ffff:ffff 5f00:5555:5555:5555:5555:5555:5555:5555 \
         5f00:2492:4924:9249:2492:4924:9249:2492 2001:1:: 2001:1::1 2001:1:ffff:ffff:ffff:ffff:ffff:ffff \
         2001:1:ffff:ffff:ffff:ffff:ffff:fffe 2001:1:7fff:ffff:ffff:ffff:ffff:ffff \
         2001:1:5555:5555:5555:5555:5555:5555 2001:1:2492:4924:9249:2492:4924:9249 2001:10:: 2001:10::1 \
         2001:1f:ffff:ffff:ffff:ffff:ffff:ffff 2001:1f:ffff:ffff:ffff:ffff:ffff:fffe \
         2001:17:ffff:ffff:ffff:ffff:ffff:ffff 2001:15:5555:5555:5555:5555:5555:5555 \
         2001:12:4924:9249:2492:4924:9249:2492 2001:20:: 2001:20::1 2001:2f:ffff:ffff:ffff:ffff:ffff:ffff \
         2001:2f:ffff:ffff:ffff:ffff:ffff:fffe 2001:27:ffff:ffff:ffff:ffff:ffff:ffff \
         2001:25:5555:5555:5555:5555:5555:5555 2001:22:4924:9249:2492:4924:9249:2492 4000:: 4000::1 \
         5fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 5fff:ffff:ffff:ffff:ffff:ffff:ffff:fffe \
         4fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 4aaa:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa \
         4492:4924:9249:2492:4924:9249:2492:4924 e000:: e000::1 efff:ffff:ffff:ffff:ffff:ffff:ffff:ffff \
         efff:ffff:ffff:ffff:ffff:ffff:ffff:fffe e7ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff \
         e555:5555:5555:5555:5555:5555:5555:5555 e249:2492:4924:9249:2492:4924:9249:2492 200:: 200::1 \
         3ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3ff:ffff:ffff:ffff:ffff:ffff:ffff:fffe \
         2ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2aa:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa \
         249:2492:4924:9249:2492:4924:9249:2492",
    ),
];

const PUBLIC: &str = "1.0.0.1 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 \
         168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 \
         192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 \
         198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 93.184.216.34 2000:: 2001:200:: 2001:4860:4860::8888 \
         2001:db7:ffff:: 2001:db9:: 2003:: 2606:4700:4700::1111 2620:fe::fe 2a00:1450:4001:81b::200e 2a01:4f8::1 \
         3ffe:: 3fff:1000:: 2a00:1450:0:0:5efe:0:0:1";

fn kind(address: &str) -> Option<AddressKind> {
    kind_of_address(address.parse::<IpAddr>().unwrap())
}

#[test]
fn private_addresses_are_known() {
    for (expected, addresses) in PRIVATE {
        for address in addresses.split_whitespace() {
            assert_eq!(kind(address), Some(expected), "{address}");
        }
    }
}

#[test]
fn public_addresses_are_let_through() {
    for address in PUBLIC.split_whitespace() {
        assert_eq!(kind(address), None, "{address}");
    }
}

#[test]
fn the_table_is_large() {
    let private = PRIVATE.iter().flat_map(|(_, addresses)| addresses.split_whitespace());
    assert!(private.chain(PUBLIC.split_whitespace()).count() >= 300);
}

#[test]
fn no_address_of_version_4_is_public_in_one_of_version_6() {
    for address in PUBLIC.split_whitespace().filter(|address| address.contains('.')) {
        for prefix in ["::ffff:", "::", "64:ff9b::", "64:ff9b:1::"] {
            assert_eq!(kind(&format!("{prefix}{address}")), Some(AddressKind::Embedded), "{prefix}{address}");
        }
    }
}

#[test]
fn what_is_displayed_does_not_name_the_address() {
    let address = IpAddr::from([10, 1, 2, 3]);
    let refused = PrivateAddress { host: "db.example.org".to_owned(), address, kind: AddressKind::Private };
    let expected =
        "`db.example.org` leads to a private address, and only public ones may be reached without `private: true`";
    assert_eq!(refused.to_string(), expected);
}
