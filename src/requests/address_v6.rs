//! Which addresses of version 6 are not of the public network: all outside of `2000::/3`, and some within.
//!
//! An address of version 4 within one of version 6 is refused as such, also where the one within is public: a public
//! host has an address of its own, and which translator there is on the way is not known here.

use super::address_kind::AddressKind;
use std::net::Ipv6Addr;

/// What an address is for, and nothing of a public one.
///
/// <https://www.iana.org/assignments/iana-ipv6-special-registry>
pub(super) fn kind_of_v6(address: Ipv6Addr) -> Option<AddressKind> {
    let kind = match address.segments() {
        // Amazon; Google.
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => AddressKind::Metadata,
        [0, 0, 0, 0, 0, 0, 0, 0] => AddressKind::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => AddressKind::Loopback,
        // Mapped, translated, compatible, and the two prefixes of NAT64.
        [0, 0, 0, 0, 0, 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] | [0, 0, 0, 0, 0, 0, ..] => AddressKind::Embedded,
        [0x64, 0xff9b, 0, 0, 0, 0, ..] | [0x64, 0xff9b, 1, ..] => AddressKind::Embedded,
        // 6to4 and Teredo.
        [0x2002, ..] | [0x2001, 0, ..] => AddressKind::Embedded,
        [0x2001, 0x2, 0, ..] => AddressKind::Benchmarking,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => AddressKind::Documentation,
        [0x2001, 0..=0x1ff, ..] => AddressKind::Reserved,
        // ISATAP: the version 4 address of a machine of one's own, behind any prefix.
        [_, _, _, _, 0 | 0x200, 0x5efe, ..] => AddressKind::Embedded,
        [0x2000..=0x3fff, ..] => return None,
        [0xfc00..=0xfdff, ..] | [0xfec0..=0xfeff, ..] => AddressKind::Private,
        [0xfe80..=0xfebf, ..] => AddressKind::LinkLocal,
        [0xff00..=0xffff, ..] => AddressKind::Multicast,
        _ => AddressKind::Reserved,
    };
    Some(kind)
}
