//! The connections that are open: how many there may be, and which one makes room for the next.
//!
//! They are counted before anything of them is read, so before it is known who calls. Where there is no room, the
//! connection goes that has waited longest for its own client (which sends half a request and no more, or nothing), of
//! the address that has most of them. One that is answered is never closed. So whoever only opens connections closes
//! their own, and nobody else's.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Connections where nothing else is said.
const ALL: usize = 1024;
/// Of one address, where nothing else is said.
const OF_ONE: usize = 256;
/// A client has this long to take an answer, or to go on, before its connection may make room.
const GRACE: Duration = Duration::from_millis(250);
/// An answer that goes on for longer is one to somebody who listens for what may come.
const LISTENING: Duration = Duration::from_secs(30);

/// How many connections there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    /// In all.
    pub(super) all: usize,
    /// Of one address.
    pub(super) of_one: usize,
}

impl Room {
    /// What is configured, and no more than half of the files that may be open: queries open files too.
    pub(super) fn of(all: Option<u32>, of_one: Option<u32>, files: Option<u64>) -> Room {
        let number = |set: Option<u32>, default| set.and_then(|set| usize::try_from(set).ok()).unwrap_or(default);
        let files = files.and_then(|files| usize::try_from(files / 2).ok()).unwrap_or(usize::MAX);
        Room { all: number(all, ALL).min(files).max(1), of_one: number(of_one, OF_ONE) }
    }
}

/// The open connections.
pub(super) struct Connections {
    room: Room,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    all: HashMap<u64, Arc<Lane>>,
    of: HashMap<IpAddr, usize>,
}

impl Connections {
    pub(super) fn new(room: Room) -> Arc<Connections> {
        Arc::new(Connections { room, open: Mutex::default() })
    }

    /// A place for a connection of that address; `None` where there is no room, and no other can make it.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Seat> {
        let address = counted_as(address);
        let mut open = self.lock();
        let has_its_share = open.of.get(&address).is_some_and(|count| *count >= self.room.of_one);
        if has_its_share && !open.make_room(Some(address)) || open.all.len() >= self.room.all && !open.make_room(None) {
            return None;
        }
        let id = open.next;
        open.next += 1;
        let lane = Arc::new(Lane::new(address));
        open.all.insert(id, Arc::clone(&lane));
        *open.of.entry(address).or_default() += 1;
        drop(open);
        Some(Seat { id, lane, connections: Arc::clone(self) })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.lock().all.len()
    }

    /// Closes those that wait for their clients.
    pub(super) fn close_waiting(&self) {
        for lane in self.lock().all.values() {
            if lane.waits_since().is_some() {
                lane.close();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        // A panic leaves no half-done change: each is one insertion or removal.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Closes the connection that has waited longest, of that address or else of the one with most connections. Where
    /// none waits, one that listens goes: its client can ask again.
    fn make_room(&mut self, address: Option<IpAddr>) -> bool {
        let longest = self.longest(address, Lane::waits_since).or_else(|| self.longest(address, Lane::listens_since));
        let Some(id) = longest else { return false };
        if let Some(lane) = self.remove(id) {
            lane.close();
        }
        true
    }

    fn longest(&self, address: Option<IpAddr>, since: impl Fn(&Lane) -> Option<Instant>) -> Option<u64> {
        let among = self.all.iter().filter(|(_, lane)| address.is_none_or(|address| lane.address == address));
        let since = among.filter_map(|(id, lane)| {
            let crowd = self.of.get(&lane.address).copied().unwrap_or_default();
            Some((*id, crowd, since(lane)?))
        });
        since.max_by_key(|(_, crowd, since)| (*crowd, std::cmp::Reverse(*since))).map(|(id, ..)| id)
    }

    fn remove(&mut self, id: u64) -> Option<Arc<Lane>> {
        let lane = self.all.remove(&id)?;
        if let Some(count) = self.of.get_mut(&lane.address) {
            *count -= 1;
            if *count == 0 {
                self.of.remove(&lane.address);
            }
        }
        Some(lane)
    }
}

/// What is counted as one address: of IPv6, whoever has one has 2^64 of them.
fn counted_as(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address => address,
    }
}

/// A place among the open connections, for as long as this lives.
pub(super) struct Seat {
    id: u64,
    lane: Arc<Lane>,
    connections: Arc<Connections>,
}

impl Seat {
    pub(super) fn lane(&self) -> &Arc<Lane> {
        &self.lane
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.connections.lock().remove(self.id);
    }
}

/// What a connection is about at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The head of a request is being sent.
    Head,
    /// Its body is being sent.
    Body,
    /// It is answered.
    Working,
    /// The answer is being taken.
    Answer,
    /// The answer goes on for as long as there is something to say.
    Stream,
    /// Nothing is asked.
    Idle,
}

/// One connection, as those see it who may close it.
pub(super) struct Lane {
    address: IpAddr,
    phase: Mutex<(Phase, Instant)>,
    closed: CancellationToken,
    left: AtomicBool,
}

impl Lane {
    fn new(address: IpAddr) -> Lane {
        let phase = Mutex::new((Phase::Head, Instant::now()));
        Lane { address, phase, closed: CancellationToken::new(), left: AtomicBool::new(false) }
    }

    /// Something was read.
    pub(super) fn hears(&self) {
        self.step(|phase| (phase == Phase::Idle).then_some(Phase::Head));
    }

    /// The head of a request has come, and its body has not.
    pub(super) fn awaits_body(&self) {
        self.step(|_| Some(Phase::Body));
    }

    /// A whole request has come.
    pub(super) fn works(&self) {
        self.step(|phase| (phase != Phase::Answer).then_some(Phase::Working));
    }

    /// The answer is known, all of it.
    pub(super) fn answers(&self) {
        self.step(|_| Some(Phase::Answer));
    }

    /// The answer has begun, and its end is not known.
    pub(super) fn streams(&self) {
        self.step(|_| Some(Phase::Stream));
    }

    /// All was sent that there is to send.
    pub(super) fn has_sent(&self) {
        self.step(|phase| (phase == Phase::Answer).then_some(Phase::Idle));
    }

    /// Whether a whole request is answered, and nothing of its answer is known.
    pub(super) fn is_working(&self) -> bool {
        self.phase().0 == Phase::Working
    }

    /// Whether an answer has begun, and its end is not known.
    pub(super) fn is_streaming(&self) -> bool {
        self.phase().0 == Phase::Stream
    }

    /// The client has left: it sends nothing more, and waits for nothing.
    pub(super) fn leaves(&self) {
        self.left.store(true, Ordering::Relaxed);
    }

    /// Whether the client has left.
    pub(super) fn has_left(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }

    /// Since when the head of a request is being sent.
    pub(super) fn head_since(&self) -> Option<Instant> {
        let (phase, since) = *self.phase();
        (phase == Phase::Head).then_some(since)
    }

    /// Resolves once the connection is to be closed.
    pub(super) async fn closed(&self) {
        self.closed.cancelled().await;
    }

    fn close(&self) {
        self.closed.cancel();
    }

    /// Since when it waits for its client, where it does.
    fn waits_since(&self) -> Option<Instant> {
        let (phase, since) = *self.phase();
        match phase {
            Phase::Working | Phase::Stream => None,
            Phase::Head | Phase::Body | Phase::Idle => Some(since),
            Phase::Answer => (since.elapsed() > GRACE).then_some(since),
        }
    }

    /// Since when it has been told one thing after the other.
    fn listens_since(&self) -> Option<Instant> {
        let (phase, since) = *self.phase();
        (phase == Phase::Stream && since.elapsed() > LISTENING).then_some(since)
    }

    fn step(&self, next: impl FnOnce(Phase) -> Option<Phase>) {
        let mut phase = self.phase();
        if let Some(next) = next(phase.0) {
            *phase = (next, Instant::now());
        }
    }

    fn phase(&self) -> MutexGuard<'_, (Phase, Instant)> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_closed(seat: &Seat) -> bool {
        seat.lane.closed.is_cancelled()
    }

    #[test]
    fn who_waits_longest_makes_room_among_those_of_its_address() {
        let connections = Connections::new(Room { all: 10, of_one: 2 });
        let (first, second) =
            (connections.admit(address("10.0.0.1")).unwrap(), connections.admit(address("10.0.0.1")).unwrap());
        let other = connections.admit(address("10.0.0.2")).unwrap();
        let third = connections.admit(address("10.0.0.1")).unwrap();
        assert_eq!([&first, &second, &third, &other].map(is_closed), [true, false, false, false]);
        assert_eq!(connections.count(), 3);
        drop((first, second, third, other));
        assert_eq!(connections.count(), 0);
        assert!(connections.lock().of.is_empty());
    }

    #[test]
    fn one_that_is_answered_is_not_closed() {
        let connections = Connections::new(Room { all: 10, of_one: 2 });
        let (first, second) = (connections.admit(address("::1")).unwrap(), connections.admit(address("::1")).unwrap());
        first.lane().works();
        second.lane().works();
        assert!(connections.admit(address("::1")).is_none());
        second.lane().answers();
        assert!(connections.admit(address("::1")).is_none(), "its client has a moment to read");
        second.lane().has_sent();
        assert!(connections.admit(address("::1")).is_some());
        assert_eq!([&first, &second].map(is_closed), [false, true]);
    }

    #[test]
    fn the_address_with_most_connections_makes_room_for_others() {
        let connections = Connections::new(Room { all: 4, of_one: 4 });
        let idle = connections.admit(address("10.0.0.1")).unwrap();
        let crowd: Vec<Seat> = (0..3).map(|_| connections.admit(address("10.0.0.2")).unwrap()).collect();
        let newcomer = connections.admit(address("10.0.0.3")).unwrap();
        assert!(!is_closed(&idle) && !is_closed(&newcomer));
        assert_eq!(crowd.iter().map(is_closed).collect::<Vec<_>>(), [true, false, false]);
    }

    #[test]
    fn a_network_of_version_six_is_one_address() {
        assert_eq!(counted_as(address("2001:db8::1")), counted_as(address("2001:db8::ffff:2")));
        assert_ne!(counted_as(address("2001:db8::1")), counted_as(address("2001:db8:0:1::1")));
        assert_eq!(counted_as(address("::ffff:10.0.0.1")), address("10.0.0.1"));
    }

    #[test]
    fn files_bound_the_connections() {
        assert_eq!(Room::of(None, None, None), Room { all: 1024, of_one: 256 });
        assert_eq!(Room::of(None, None, Some(1024)), Room { all: 512, of_one: 256 });
        assert_eq!(Room::of(Some(4000), Some(4000), Some(1024)), Room { all: 512, of_one: 4000 });
        assert_eq!(Room::of(None, None, Some(0)), Room { all: 1, of_one: 256 });
    }
}
