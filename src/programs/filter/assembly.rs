//! Rules of the filter as a program of the kernel's.

use seccompiler::sock_filter;

const LOAD: u16 = 0x20;
const AND: u16 = 0x54;
const IF_EQUAL: u16 = 0x15;
const IF_GREATER: u16 = 0x25;
const IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;

/// Where the kernel hands the number of a call, the processor that it is one of, and its arguments.
const NUMBER: u32 = 0;
const PROCESSOR: u32 = 4;
const ARGUMENTS: u32 = 16;

#[cfg(target_arch = "x86_64")]
const OURS: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const OURS: u32 = 0xc000_00b7;
// No call is one of this processor, and each ends the program: `Support` then says that there is no filter.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const OURS: u32 = 0;

/// Calls of the other kind of programs that the processor runs have numbers from here on.
const FOREIGN: u32 = 0x4000_0000;

/// What becomes of a call.
#[derive(Debug, Clone, Copy)]
pub(super) enum Answer {
    /// It is made.
    Allow,
    /// It gives this error, which is a success where it is 0.
    Error(u16),
    /// It ends the program.
    Kill,
}

impl Answer {
    fn number(self) -> u32 {
        match self {
            Answer::Allow => 0x7fff_0000,
            Answer::Error(code) => 0x0005_0000 | u32::from(code),
            Answer::Kill => 0x8000_0000,
        }
    }
}

/// What is asked of an argument, by its place: of its lower 32 bits, which is all that the kernel takes of those asked
/// here.
#[derive(Debug, Clone, Copy)]
pub(super) enum Test {
    /// It is this.
    Is(u8, u32),
    /// It is not this.
    IsNot(u8, u32),
    /// The bits of the mask are these.
    Bits(u8, u32, u32),
    /// One of the bits of the mask is set.
    Any(u8, u32),
}

/// What becomes of a call where all tests hold. The first rule of a call that holds is the one.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    /// The number of the call.
    pub(super) call: i64,
    /// What is asked of its arguments.
    pub(super) tests: Vec<Test>,
    /// What becomes of it.
    pub(super) answer: Answer,
}

/// The program. A call with a number above the newest does not exist.
pub(super) fn assembled(rules: &[Rule], newest: u32) -> Vec<sock_filter> {
    let mut program = vec![
        load(PROCESSOR),
        jump(IF_EQUAL, OURS, (1, 0)),
        answered(Answer::Kill),
        load(NUMBER),
        jump(IF_AT_LEAST, FOREIGN, (0, 1)),
        answered(Answer::Kill),
        jump(IF_GREATER, newest, (0, 1)),
        answered(Answer::Error(libc::ENOSYS as u16)),
    ];
    for rule in rules {
        let Ok(call) = u32::try_from(rule.call) else { continue };
        let body = body(rule);
        // The number is loaded again where the tests have loaded something else.
        let back = u8::from(!rule.tests.is_empty());
        program.push(jump(IF_EQUAL, call, (0, length(&body) + back)));
        program.extend(body);
        if !rule.tests.is_empty() {
            program.push(load(NUMBER));
        }
    }
    program.push(answered(Answer::Allow));
    program
}

fn body(rule: &Rule) -> Vec<sock_filter> {
    let mut body = vec![answered(rule.answer)];
    for test in rule.tests.iter().rev() {
        let away = length(&body);
        let mut asked = match *test {
            Test::Is(place, value) => vec![argument(place), jump(IF_EQUAL, value, (0, away))],
            Test::IsNot(place, value) => vec![argument(place), jump(IF_EQUAL, value, (away, 0))],
            Test::Bits(place, mask, value) => vec![argument(place), and(mask), jump(IF_EQUAL, value, (0, away))],
            Test::Any(place, mask) => vec![argument(place), and(mask), jump(IF_EQUAL, 0, (away, 0))],
        };
        asked.extend(body);
        body = asked;
    }
    body
}

/// No rule comes near the most that a jump can pass over.
fn length(program: &[sock_filter]) -> u8 {
    u8::try_from(program.len()).unwrap_or(u8::MAX)
}

fn argument(place: u8) -> sock_filter {
    load(ARGUMENTS + 8 * u32::from(place))
}

fn load(place: u32) -> sock_filter {
    sock_filter { code: LOAD, jt: 0, jf: 0, k: place }
}

fn and(mask: u32) -> sock_filter {
    sock_filter { code: AND, jt: 0, jf: 0, k: mask }
}

fn jump(code: u16, value: u32, (holds, fails): (u8, u8)) -> sock_filter {
    sock_filter { code, jt: holds, jf: fails, k: value }
}

fn answered(answer: Answer) -> sock_filter {
    sock_filter { code: RETURN, jt: 0, jf: 0, k: answer.number() }
}
