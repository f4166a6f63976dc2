//! A program that stays and is spoken to line by line.

use super::children;
use super::ended::{Limit, NotRun};
use super::launch::Launch;
use super::report::{self, Told, take_reports};
use super::start::{Started, Tied, start};
use super::watch::Watch;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// How much is read at once of what it writes to its standard error.
const PIECE: usize = 1 << 14;

/// A program that stays until it is ended, which dropping it does too.
#[derive(Debug)]
pub struct Process {
    started: Started,
    input: Option<File>,
    output: BufReader<File>,
    errors: Arc<Mutex<Vec<u8>>>,
    watch: Watch,
    most: usize,
}

impl Process {
    /// Starts one. Of what is waited for and kept, the output and the errors hold: a line may have so many bytes. What
    /// the launch gives it to read is not written. That it could not be executed is told by `failure`, when it has
    /// ended.
    ///
    /// Errors: it cannot be started.
    pub fn start(launch: &Launch) -> Result<Process, NotRun> {
        let launch = Launch { input: Some(Vec::new()), ..launch.clone() };
        let mut started = start(&launch, Tied::Server)?;
        let output = started.output.take().ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))?;
        let errors = Arc::new(Mutex::new(Vec::new()));
        if let Some(pipe) = started.errors.take() {
            let most = launch.most.errors.saturating_add(report::MOST);
            keep_errors(File::from(pipe), Arc::clone(&errors), most)?;
        }
        Ok(Process {
            input: started.input.take().map(File::from),
            output: BufReader::new(File::from(output)),
            errors,
            watch: Watch::new(started.group, launch.confinement.limits),
            most: launch.most.output,
            started,
        })
    }

    /// What it reads. It waits where the program does not read.
    ///
    /// Errors: it was closed.
    pub fn input(&mut self) -> io::Result<&mut impl Write> {
        self.input.as_mut().ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }

    /// The next line that it writes, without its end; `None` where it writes no more. It waits.
    ///
    /// Errors: the line is too long, or cannot be read. The rest of it is of no use.
    pub fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let most = u64::try_from(self.most).unwrap_or(u64::MAX).saturating_add(1);
        self.output.by_ref().take(most).read_until(b'\n', &mut line)?;
        match line.pop() {
            None => Ok(None),
            Some(b'\n') => Ok(Some(line)),
            Some(_) if line.len() >= self.most => Err(io::ErrorKind::FileTooLarge.into()),
            Some(last) => {
                line.push(last);
                Ok(Some(line))
            }
        }
    }

    /// What it wrote to its standard error so far, up to the most that is kept.
    pub fn errors(&self) -> Vec<u8> {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone();
        take_reports(&self.started.nonce, &mut errors);
        errors
    }

    /// Why it was not executed, where that is so.
    pub fn failure(&self) -> Option<NotRun> {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match take_reports(&self.started.nonce, &mut errors) {
            Told::NotRun(why) => Some(why),
            Told::Nothing | Told::Ready => None,
        }
    }

    /// Whether its first process runs.
    pub fn is_alive(&self) -> bool {
        matches!(children::has_ended(self.started.group), Ok(false))
    }

    /// The number of its first process, which is that of its group and its session.
    pub fn id(&self) -> i32 {
        self.started.group.as_raw_nonzero().get()
    }

    /// What it takes too much of, where it is time to look: it is to be asked often, and ended then.
    pub fn over_limit(&mut self) -> Option<Limit> {
        self.watch.look(Instant::now())
    }

    /// The memory that its processes hold, in bytes, with what they share for each; `None` where the system does not
    /// tell.
    pub fn resident_memory(&self) -> Option<u64> {
        #[cfg(target_os = "linux")]
        return Some(super::descendants::session(self.id()).iter().map(|seen| seen.resident).sum());
        #[cfg(not(target_os = "linux"))]
        return None;
    }

    /// What kills it from another thread.
    pub fn killer(&self) -> Killer {
        Killer { group: self.started.group }
    }

    /// What looks from another thread at what it takes.
    pub fn watcher(&self) -> Watcher {
        Watcher { watch: Watch::new(self.started.group, self.watch.limits()), killer: self.killer() }
    }

    /// Kills all of its processes at once. They are waited for when it is dropped.
    pub fn kill(&self) {
        if self.is_alive() {
            children::kill(self.started.group);
        }
    }
}

/// What looks from another thread at what a program takes that stays.
#[derive(Debug)]
pub struct Watcher {
    watch: Watch,
    killer: Killer,
}

impl Watcher {
    /// Looks where it is time to, and ends the program where it takes too much of something, which is given. It is to be asked
    /// often.
    pub fn look(&mut self) -> Option<Limit> {
        if matches!(children::has_ended(self.killer.group), Ok(true)) {
            // What it has started holds its pipes: who reads them would wait. The number is its own until it is waited for.
            children::kill(self.killer.group);
            return None;
        }
        let over = self.watch.look(Instant::now())?;
        self.killer.kill();
        Some(over)
    }
}

/// What kills a program that stays from another thread, as long as somebody has it.
#[derive(Debug, Clone, Copy)]
pub struct Killer {
    group: rustix::process::Pid,
}

impl Killer {
    /// Kills all of its processes at once.
    pub fn kill(&self) {
        if matches!(children::has_ended(self.group), Ok(false)) {
            children::kill(self.group);
        }
    }
}

/// It is read on a thread of its own, which ends with the last process that holds the pipe.
fn keep_errors(mut pipe: File, errors: Arc<Mutex<Vec<u8>>>, most: usize) -> io::Result<()> {
    let keeping = move || {
        let mut piece = vec![0; PIECE];
        while let Ok(count) = pipe.read(&mut piece) {
            if count == 0 {
                break;
            }
            let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
            let room = most.saturating_sub(errors.len()).min(count);
            errors.extend(piece.iter().take(room));
        }
    };
    std::thread::Builder::new().name("errors-of-program".to_owned()).spawn(keeping).map(drop)
}
