//! The memory that processes hold together. What the system tells at once counts what they share more than once, and
//! leaves out what none of them has touched itself, so it is asked closer where it matters.

use super::descendants::Seen;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// A process that has laid out no more than this holds nothing that is not seen at once.
const SMALL: u64 = 16 << 20;

/// One that has laid out more may hold much by the tables of it alone.
const WIDE: u64 = 4 << 30;

/// What the kernel keeps for each area of memory that a process has laid out, about.
const AREA: u64 = 256;

/// What a socket and a pipe hold at most that nobody has made larger.
const SOCKET: u64 = 256 << 10;
const PIPE: u64 = 64 << 10;

/// Processes that have opened fewer files hold little by them.
const FEW: usize = 8;

/// What processes share without a file, by its number and the place of what is laid out of it.
type Shared = HashMap<String, u64>;

/// The memory that the processes hold, in bytes. It is exact where it is above the most that they may hold.
pub(super) fn held(seen: &[Seen], most: u64) -> u64 {
    let resident: u64 = seen.iter().map(|process| process.resident).sum();
    let mut shared = Shared::new();
    let mut beside = 0;
    for process in seen.iter().filter(|process| !process.is_dead) {
        add_opened(process, &mut shared);
        if process.space > SMALL {
            beside += add_shared(process, &mut shared);
        }
        if process.space > WIDE {
            beside += file(process, "status").map_or(0, |text| size(&text, "VmPTE:"));
        }
    }
    beside += shared.values().sum::<u64>();
    if resident + beside <= most {
        return resident + beside;
    }
    beside + seen.iter().map(part).sum::<u64>()
}

/// Of what a process shares, its part only; what it shares without a file is counted by itself.
fn part(process: &Seen) -> u64 {
    match file(process, "smaps_rollup") {
        Some(text) => size(&text, "Pss:").saturating_sub(size(&text, "Pss_Shmem:")),
        // It has ended since, or hides: then it is counted with all.
        None => match file(process, "statm") {
            Some(text) if text.starts_with("0 ") => 0,
            Some(_) => process.resident,
            None => 0,
        },
    }
}

/// What a process has in sockets and pipes, each of which may be full.
fn add_opened(process: &Seen, shared: &mut Shared) {
    let folder = PathBuf::from(format!("/proc/{}/task/{}/fd", process.id, process.thread));
    let Ok(entries) = folder.read_dir() else { return };
    let entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    for entry in entries.iter().filter(|_| entries.len() > FEW) {
        let Ok(target) = entry.read_link() else { continue };
        let target = target.to_string_lossy().into_owned();
        if target.starts_with("socket:") {
            shared.insert(target, SOCKET);
        } else if target.starts_with("pipe:") {
            shared.insert(target, PIPE);
        }
    }
}

/// Adds what a process shares without a file, and gives what its areas take of themselves.
fn add_shared(process: &Seen, shared: &mut Shared) -> u64 {
    let Some(text) = file(process, "maps") else { return 0 };
    let mut areas = 0;
    for line in text.lines() {
        areas += AREA;
        let mut fields = line.split_whitespace();
        let (Some(range), Some(rights), Some(from), Some(device), Some(number)) =
            (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        if !rights.ends_with('s') || fields.next() != Some("/dev/zero") {
            continue;
        }
        let Some((start, end)) = range.split_once('-') else { continue };
        let place = |text: &str| u64::from_str_radix(text, 16).unwrap_or_default();
        let length = place(end).saturating_sub(place(start));
        let known = shared.entry(format!("{device} {number} {from}")).or_default();
        *known = length.max(*known);
    }
    areas
}

/// A size as the system writes it, in bytes.
fn size(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse::<u64>().ok());
    number.unwrap_or_default().saturating_mul(1024)
}

#[allow(clippy::disallowed_methods)]
fn file(process: &Seen, name: &str) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(format!("/proc/{}/task/{}/{name}", process.id, process.thread)).ok()?.read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
