//! What addresses that are not public are for.

/// What an address that is not public is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressKind {
    /// No address: `0.0.0.0/8`, `::`. Many systems take it for themselves.
    Unspecified,
    /// The machine itself: `127.0.0.0/8`, `::1`.
    Loopback,
    /// A network of somebody's own: `10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16`, `fc00::/7`, `fec0::/10`.
    Private,
    /// The cable: `169.254.0.0/16`, `fe80::/10`.
    LinkLocal,
    /// Where a cloud tells its machines who they are, often with their keys.
    Metadata,
    /// Shared behind the address of a provider: `100.64.0.0/10`.
    Shared,
    /// For many at once: `224.0.0.0/4`, `ff00::/8`.
    Multicast,
    /// For all at once: `255.255.255.255`.
    Broadcast,
    /// For books: `192.0.2.0/24`, `198.51.100.0/24`, `203.0.113.0/24`, `2001:db8::/32`, `3fff::/20`.
    Documentation,
    /// For measurements: `198.18.0.0/15`, `2001:2::/48`.
    Benchmarking,
    /// An address of version 4 within one of version 6, which may lead to any of the above.
    Embedded,
    /// Given to nobody, or to a protocol of its own.
    Reserved,
}

impl AddressKind {
    /// The kind in words that go before "address".
    pub fn as_str(self) -> &'static str {
        match self {
            AddressKind::Unspecified => "unspecified",
            AddressKind::Loopback => "loopback",
            AddressKind::Private => "private",
            AddressKind::LinkLocal => "link-local",
            AddressKind::Metadata => "cloud metadata",
            AddressKind::Shared => "shared",
            AddressKind::Multicast => "multicast",
            AddressKind::Broadcast => "broadcast",
            AddressKind::Documentation => "documentation",
            AddressKind::Benchmarking => "benchmarking",
            AddressKind::Embedded => "translated",
            AddressKind::Reserved => "reserved",
        }
    }
}
