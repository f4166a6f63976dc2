//! Which addresses are not of the public network: those that IANA's registries of special purposes name, and those that
//! clouds answer their own machines at.

use super::address_kind::AddressKind;
use super::address_v6;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

/// An address that a tool may not reach, and the name that led to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateAddress {
    /// The host of the URL, as it was resolved.
    pub host: String,
    /// What it led to. Not displayed: it says how a network is built.
    pub address: IpAddr,
    /// What that address is for.
    pub kind: AddressKind,
}

/// Says of an address what it is for, and nothing of a public one.
pub(super) type Judge = fn(IpAddr) -> Option<AddressKind>;

impl fmt::Display for PrivateAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` leads to a {} address, and only public ones may be reached without `private: true`",
            self.host,
            self.kind.as_str()
        )
    }
}

impl std::error::Error for PrivateAddress {}

/// What an address is for, and nothing of a public one.
pub(super) fn kind_of_address(address: IpAddr) -> Option<AddressKind> {
    match address {
        IpAddr::V4(address) => kind_of_v4(address),
        IpAddr::V6(address) => address_v6::kind_of_v6(address),
    }
}

/// <https://www.iana.org/assignments/iana-ipv4-special-registry>
fn kind_of_v4(address: Ipv4Addr) -> Option<AddressKind> {
    let kind = match address.octets() {
        // Amazon, Google, Azure, Oracle, DigitalOcean; Alibaba; Oracle; the host of a machine in Azure, which has an
        // address that looks public.
        [169, 254, 169, 254] | [100, 100, 100, 200] | [192, 0, 0, 192] | [168, 63, 129, 16] => AddressKind::Metadata,
        [0, ..] => AddressKind::Unspecified,
        [127, ..] => AddressKind::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => AddressKind::Private,
        [100, 64..=127, ..] => AddressKind::Shared,
        [169, 254, ..] => AddressKind::LinkLocal,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => AddressKind::Documentation,
        [198, 18..=19, ..] => AddressKind::Benchmarking,
        // The way to 6to4, which nobody keeps up any more.
        [192, 88, 99, _] => AddressKind::Embedded,
        [192, 0, 0, _] => AddressKind::Reserved,
        [224..=239, ..] => AddressKind::Multicast,
        [255, 255, 255, 255] => AddressKind::Broadcast,
        [240..=255, ..] => AddressKind::Reserved,
        _ => return None,
    };
    Some(kind)
}
