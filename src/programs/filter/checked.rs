//! Calls whose arguments say whether they are made.

use super::assembly::{Answer, Rule, Test};
use super::kept::Kept;

const REFUSE: Answer = Answer::Error(libc::EPERM as u16);

/// New name spaces, and children that are not those of who makes them.
const APART: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_PARENT) as u32;

/// The bits of a file that runs as its owner or its group.
const AS_OWNER: u32 = 0o6000;

/// What makes a file: the mode of others is none.
const MAKES: u32 = (libc::O_CREAT | (libc::O_TMPFILE & !libc::O_DIRECTORY)) as u32;

/// Requests of terminals that write into them or take them, and of files that send signals.
const REQUESTS: [u32; 6] = [0x5412, 0x541c, 0x540e, 0x5423, 0x8901, 0x8902];

/// Requests by which files share what they hold.
const CLONES: [u32; 3] = [0x4004_9409, 0x4020_940d, 0xc018_9436];

/// What is always held to.
pub(super) fn always() -> Vec<Rule> {
    let mut rules = vec![
        rule(libc::SYS_clone, vec![Test::Any(0, APART)], REFUSE),
        rule(libc::SYS_personality, vec![Test::IsNot(0, 0), Test::IsNot(0, u32::MAX)], REFUSE),
        // The limits of another process, which may be the server.
        rule(libc::SYS_prlimit64, vec![Test::IsNot(0, 0)], REFUSE),
        rule(libc::SYS_sched_setaffinity, vec![Test::IsNot(0, 0)], REFUSE),
        // Room is kept beyond the end of a file without regard to the limit of its size.
        rule(libc::SYS_fallocate, vec![Test::IsNot(1, 0), Test::IsNot(1, 3)], Answer::Error(libc::EOPNOTSUPP as u16)),
        rule(libc::SYS_openat, vec![Test::Any(2, MAKES), Test::Any(3, AS_OWNER)], REFUSE),
        rule(libc::SYS_mknodat, vec![Test::Any(2, AS_OWNER)], REFUSE),
    ];
    // Being told who opens a file, or holding them up.
    for command in [libc::F_SETLEASE, libc::F_NOTIFY] {
        rules.push(rule(libc::SYS_fcntl, vec![Test::Is(1, command as u32)], REFUSE));
    }
    #[cfg(target_arch = "x86_64")]
    rules.extend([
        rule(libc::SYS_open, vec![Test::Any(1, MAKES), Test::Any(2, AS_OWNER)], REFUSE),
        rule(libc::SYS_creat, vec![Test::Any(1, AS_OWNER)], REFUSE),
        rule(libc::SYS_mknod, vec![Test::Any(1, AS_OWNER)], REFUSE),
    ]);
    rules.extend(REQUESTS.map(|request| rule(libc::SYS_ioctl, vec![Test::Is(1, request)], REFUSE)));
    rules.extend(CLONES.map(|request| rule(libc::SYS_ioctl, vec![Test::Is(1, request)], Answer::Allow)));
    rules.push(rule(libc::SYS_ioctl, vec![Test::Bits(1, 0xff00, 0x9400)], REFUSE));
    // What name spaces there are above.
    rules.push(rule(libc::SYS_ioctl, vec![Test::Bits(1, 0xff00, 0xb700)], REFUSE));
    // What changes the attributes of files, which are of two kinds.
    for kind in [0x6600, 0x5800] {
        rules.push(rule(libc::SYS_ioctl, vec![Test::Bits(1, 0x4000_ff00, 0x4000_0000 | kind)], REFUSE));
    }
    rules
}

/// What sockets there are.
pub(super) fn network(is_allowed: bool) -> Vec<Rule> {
    let mut rules = Vec::new();
    let (unix, kind) = (libc::AF_UNIX as u32, 0xf);
    // Datagrams of a pair could be sent to any other socket of the machine.
    for pair in [libc::SOCK_STREAM, libc::SOCK_SEQPACKET] {
        rules.push(rule(
            libc::SYS_socketpair,
            vec![Test::Is(0, unix), Test::Bits(1, kind, pair as u32)],
            Answer::Allow,
        ));
    }
    rules.push(rule(libc::SYS_socketpair, Vec::new(), REFUSE));
    if is_allowed {
        rules.extend(internet());
    } else {
        let calls = [libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4];
        rules.extend(calls.map(|call| rule(call, Vec::new(), REFUSE)));
    }
    rules.push(rule(libc::SYS_socket, Vec::new(), REFUSE));
    rules
}

fn internet() -> Vec<Rule> {
    let mut rules = Vec::new();
    for family in [libc::AF_INET, libc::AF_INET6] {
        for (kind, protocol) in [(libc::SOCK_STREAM, libc::IPPROTO_TCP), (libc::SOCK_DGRAM, libc::IPPROTO_UDP)] {
            for protocol in [0, protocol] {
                rules.push(socket(family, kind, protocol));
            }
        }
    }
    // The C library asks the kernel for the addresses of the machine.
    rules.push(socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_ROUTE));
    rules.push(socket(libc::AF_NETLINK, libc::SOCK_DGRAM, libc::NETLINK_ROUTE));
    rules
}

fn socket(family: i32, kind: i32, protocol: i32) -> Rule {
    let tests = vec![Test::Is(0, family as u32), Test::Bits(1, 0xf, kind as u32), Test::Is(2, protocol as u32)];
    rule(libc::SYS_socket, tests, Answer::Allow)
}

/// What old versions of Landlock do not cover.
pub(super) fn uncovered(kept: &Kept) -> Vec<Rule> {
    let mut rules = Vec::new();
    if kept.landlock < 3 {
        let cuts = |place| vec![Test::Bits(place, (libc::O_TRUNC | libc::O_ACCMODE) as u32, libc::O_TRUNC as u32)];
        rules.push(rule(libc::SYS_truncate, Vec::new(), REFUSE));
        rules.push(rule(libc::SYS_openat, cuts(2), REFUSE));
        #[cfg(target_arch = "x86_64")]
        rules.push(rule(libc::SYS_open, cuts(1), REFUSE));
    }
    if kept.landlock < 6 {
        rules.extend(signals(kept.group));
    }
    rules
}

/// Signals to the group and to the first process of it only; threads may send each other those that do not end a
/// process.
fn signals(group: u32) -> Vec<Rule> {
    let mut rules = Vec::new();
    for target in [0, group, 0_u32.wrapping_sub(group)] {
        rules.push(rule(libc::SYS_kill, vec![Test::Is(0, target)], Answer::Allow));
    }
    rules.push(rule(libc::SYS_kill, vec![Test::IsNot(1, 0)], REFUSE));
    rules.push(rule(libc::SYS_tgkill, vec![Test::Is(0, group)], Answer::Allow));
    for signal in [libc::SIGKILL, libc::SIGSTOP, libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGQUIT] {
        rules.push(rule(libc::SYS_tgkill, vec![Test::Is(2, signal as u32)], REFUSE));
        rules.push(rule(libc::SYS_tkill, vec![Test::Is(1, signal as u32)], REFUSE));
    }
    for call in [libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo, libc::SYS_pidfd_send_signal] {
        rules.push(rule(call, Vec::new(), REFUSE));
    }
    for command in [libc::F_SETOWN as u32, 15] {
        rules.push(rule(libc::SYS_fcntl, vec![Test::Is(1, command)], REFUSE));
    }
    rules
}

fn rule(call: i64, tests: Vec<Test>, answer: Answer) -> Rule {
    Rule { call, tests, answer }
}
