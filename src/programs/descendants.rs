//! The processes of the machine as `/proc` shows them. All programs that run share a look, which costs more the more
//! processes there are.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A look is shared for so long.
const FRESH: Duration = Duration::from_millis(15);

/// Where fields stand behind the name of a process.
const STATE: usize = 0;
const PARENT: usize = 1;
const SESSION: usize = 3;
const USER: usize = 11;
const SYSTEM: usize = 12;
const WAITED_SYSTEM: usize = 14;
const THREADS: usize = 17;
const SPACE: usize = 20;
const RESIDENT: usize = 21;

/// A process.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    /// Its number.
    pub(super) id: i32,
    /// The number of a thread of it that has not ended, which shows what it holds.
    pub(super) thread: i32,
    /// That of its parent.
    pub(super) parent: i32,
    /// Whether it has ended and is not waited for yet.
    pub(super) is_dead: bool,
    /// Whether it runs, or waits for a processor only.
    pub(super) is_running: bool,
    /// The address space that it has laid out, in bytes.
    pub(super) space: u64,
    /// What it and the children that it has waited for took of the processors.
    pub(super) cpu: Duration,
    /// What it alone took.
    pub(super) own_cpu: Duration,
    /// How many threads it has.
    pub(super) threads: u64,
    /// The memory that it holds, with what it shares, in bytes.
    pub(super) resident: u64,
}

struct Look {
    at: Option<Instant>,
    sessions: HashMap<i32, Vec<Seen>>,
}

static LOOK: Mutex<Option<Look>> = Mutex::new(None);

/// The processes of a session, with those that have ended and are not waited for.
pub(super) fn session(id: i32) -> Vec<Seen> {
    let mut look = LOOK.lock().unwrap_or_else(PoisonError::into_inner);
    let look = look.get_or_insert_with(|| Look { at: None, sessions: HashMap::new() });
    if look.at.is_none_or(|at| at.elapsed() > FRESH) {
        look.sessions = looked();
        look.at = Some(Instant::now());
    }
    look.sessions.get(&id).cloned().unwrap_or_default()
}

/// Whether no process of a session runs.
pub(super) fn are_dead(id: i32) -> bool {
    looked().get(&id).is_none_or(|seen| seen.iter().all(|process| process.is_dead))
}

/// The processes whose first environment holds a text. One of another user does not show it.
pub(super) fn with_variable(text: &str) -> Vec<i32> {
    let mut variables = String::new();
    let sessions = looked();
    let living = sessions.values().flatten().filter(|process| !process.is_dead);
    let holds = |id: &i32| {
        let is_read = read(&format!("/proc/{id}/environ"), &mut variables).is_some();
        is_read && variables.split('\0').any(|variable| variable == text)
    };
    living.map(|process| process.id).filter(holds).collect()
}

/// For how long the first thread of a process ran, and for how long it waited for a processor, in nanoseconds.
pub(super) fn schedule(id: i32) -> Option<(u64, u64)> {
    let mut text = String::new();
    read(&format!("/proc/{id}/schedstat"), &mut text)?;
    let mut numbers = text.split_whitespace().map(|number| number.parse().unwrap_or_default());
    numbers.next().zip(numbers.next())
}

fn looked() -> HashMap<i32, Vec<Seen>> {
    let mut sessions: HashMap<i32, Vec<Seen>> = HashMap::new();
    let Ok(entries) = std::path::Path::new("/proc").read_dir() else { return sessions };
    let mut text = String::new();
    for entry in entries.flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        if let Some((session, seen)) = seen(id, &mut text) {
            sessions.entry(session).or_default().push(seen);
        }
    }
    sessions
}

fn seen(id: i32, text: &mut String) -> Option<(i32, Seen)> {
    read(&format!("/proc/{id}/stat"), text)?;
    let mut stat = Stat::read(text)?;
    let threads = stat.number(THREADS);
    let (cpu, own_cpu) = (time(stat.sum(USER, WAITED_SYSTEM)), time(stat.sum(USER, SYSTEM)));
    let session = i32::try_from(stat.number(SESSION)).ok()?;
    let parent = i32::try_from(stat.number(PARENT)).ok()?;
    let mut thread = id;
    if stat.is_dead {
        // One whose first thread has ended, but not others, shows as one that has ended, and holds memory.
        match living_thread(id).filter(|_| threads > 0) {
            Some((living, facts)) => (thread, *text) = (living, facts),
            None => return Some((session, Seen { id, parent, is_dead: true, cpu, own_cpu, ..Seen::default() })),
        }
        stat = Stat::read(text)?;
    }
    let page = u64::try_from(rustix::param::page_size()).unwrap_or(4096);
    let resident = stat.number(RESIDENT).saturating_mul(page);
    let (space, is_running) = (stat.number(SPACE), stat.fields.get(STATE) == Some(&"R"));
    Some((session, Seen { id, thread, parent, is_dead: false, is_running, space, cpu, own_cpu, threads, resident }))
}

/// What the system tells of a process.
struct Stat<'a> {
    fields: Vec<&'a str>,
    is_dead: bool,
}

impl<'a> Stat<'a> {
    /// The name is in brackets, and may hold some itself.
    fn read(text: &'a str) -> Option<Stat<'a>> {
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let is_dead = matches!(*fields.get(STATE)?, "Z" | "X" | "x");
        Some(Stat { fields, is_dead })
    }

    fn number(&self, at: usize) -> u64 {
        self.fields.get(at).and_then(|field| field.parse().ok()).unwrap_or_default()
    }

    fn sum(&self, from: usize, to: usize) -> u64 {
        (from..=to).map(|at| self.number(at)).sum()
    }
}

fn living_thread(id: i32) -> Option<(i32, String)> {
    let mut text = String::new();
    for thread in std::path::PathBuf::from(format!("/proc/{id}/task")).read_dir().ok()?.flatten() {
        let Some(thread) = thread.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let is_read = read(&format!("/proc/{id}/task/{thread}/stat"), &mut text).is_some();
        if is_read && Stat::read(&text).is_some_and(|stat| !stat.is_dead) {
            return Some((thread, text));
        }
    }
    None
}

#[allow(clippy::disallowed_methods)]
fn read(path: &str, text: &mut String) -> Option<()> {
    let mut bytes = Vec::with_capacity(512);
    File::open(path).ok()?.read_to_end(&mut bytes).ok()?;
    text.clear();
    text.push_str(&String::from_utf8_lossy(&bytes));
    Some(())
}

fn time(ticks: u64) -> Duration {
    let each = rustix::param::clock_ticks_per_second().max(1);
    Duration::from_millis(ticks.saturating_mul(1000) / each)
}
