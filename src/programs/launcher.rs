//! The launcher: this executable, started again to confine itself and to become a program. `main` asks for it first,
//! before it starts a thread or opens a file.

/// Whether this executable begins with [`run_if_asked`]: what starts it again is understood.
static IS_ASKED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Whether this executable can be started again as something else.
pub(super) fn is_asked() -> bool {
    IS_ASKED.load(std::sync::atomic::Ordering::Relaxed)
}

/// Becomes a program, or the guard of a server, where this process was started to. Returns at once where it was not.
pub fn run_if_asked() {
    IS_ASKED.store(true, std::sync::atomic::Ordering::Relaxed);
    #[cfg(unix)]
    asked::run();
}

#[cfg(unix)]
mod asked {
    use crate::programs::examined::{Examined, examined};
    use crate::programs::order::{BARE_GUARD, GUARD, LAUNCHER, MARK, Order};
    use crate::programs::report::{Report, Why};
    use crate::programs::{guard, privileges};
    use std::ffi::OsString;
    use std::io::Write;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::process::CommandExt;
    use std::path::PathBuf;
    use std::process::Command;

    /// What this process ends with where it has not become a program. Nobody but its parent, which is told more, sees
    /// it.
    const NOT_BECOME: i32 = 125;

    /// How often it is tried again to execute a file that is being written, and how long between.
    const TRIES: u32 = 20;
    const BETWEEN: std::time::Duration = std::time::Duration::from_millis(2);

    pub(super) fn run() {
        let mut arguments = std::env::args_os().skip(1);
        let Some(word) = arguments.next() else { return };
        if word == LAUNCHER {
            launch(arguments);
            std::process::exit(NOT_BECOME);
        } else if word == GUARD {
            guard::bare();
            std::process::exit(NOT_BECOME);
        } else if word == BARE_GUARD {
            guard::keep();
            std::process::exit(0);
        }
    }

    /// Returns where it has not become the program, which is reported.
    fn launch(mut arguments: impl Iterator<Item = OsString>) {
        let order = arguments.next().and_then(|order| serde_json::from_slice::<Order>(order.as_bytes()).ok());
        let Some((order, program)) = order.zip(arguments.next()) else { return };
        let report = become_program(&order, PathBuf::from(program), arguments);
        write(&order.nonce, &report);
    }

    fn write(nonce: &str, report: &Report) {
        // Who reads it is gone where this fails, and so is this process.
        let _ = std::io::stderr().write_all(report.line(nonce).as_bytes());
    }

    fn become_program(order: &Order, program: PathBuf, arguments: impl Iterator<Item = OsString>) -> Report {
        if let Err(error) = privileges::apart(order) {
            return Report::Failed(error.raw_os_error());
        }
        let mut command = Command::new(&program);
        command.args(arguments).env_clear().envs(std::env::vars_os().filter_map(|(name, value)| {
            let name = name.as_bytes().strip_prefix(&[MARK])?;
            Some((std::ffi::OsStr::from_bytes(name).to_owned(), value))
        }));
        if let Err(error) = rustix::process::chdir(order.folder.as_path()) {
            return Report::Failed(error.raw_os_error());
        }
        let examined = examined(&program);
        if let Err(error) = privileges::limited(&order.limits) {
            return Report::Failed(error.raw_os_error());
        }
        if let Err(why) = confined(order, &examined) {
            return Report::NoSandbox(why);
        }
        if !examined.is_program {
            return Report::NotExecutable;
        }
        write(&order.nonce, &Report::Ready);
        let mut error = command.exec();
        // Whoever has written it is about to close it, or has started a process that is about to.
        for _ in 0..TRIES {
            if error.kind() != std::io::ErrorKind::ExecutableFileBusy {
                break;
            }
            std::thread::sleep(BETWEEN);
            error = command.exec();
        }
        examined.why_not(&error)
    }

    #[cfg(target_os = "linux")]
    fn confined(order: &Order, examined: &Examined) -> Result<(), Why> {
        use crate::programs::launch::Sandbox;
        use crate::programs::{filter, landlocked};
        if order.sandbox == Sandbox::Off {
            return Ok(());
        }
        let is_required = order.sandbox == Sandbox::Required;
        privileges::given_up().map_err(|_| Why::Refused)?;
        let landlock = landlocked::restricted(&allowed(order, examined)).map_err(|_| Why::Refused)?;
        if landlock == 0 && is_required {
            return Err(Why::Landlock);
        }
        let group = u32::try_from(rustix::process::getpid().as_raw_nonzero().get()).unwrap_or_default();
        match filter::apply(&filter::Kept { network: order.network, landlock, group }) {
            Err(_) if is_required => Err(Why::Seccomp),
            _ => Ok(()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn confined(order: &Order, _examined: &Examined) -> Result<(), Why> {
        match order.sandbox {
            crate::programs::launch::Sandbox::Required => Err(Why::System),
            _ => Ok(()),
        }
    }

    #[cfg(target_os = "linux")]
    fn allowed(order: &Order, examined: &Examined) -> crate::programs::landlocked::Allowed {
        use std::path::Path;
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut writes: Vec<PathBuf> = order.writes.iter().map(|path| real(path.as_path())).collect();
        writes.push(real(order.scratch.as_path()));
        let mut executed = examined.needed.clone();
        let mut reads = Vec::new();
        for path in &order.reads {
            let path = real(path.as_path());
            // Who may change what lies in a folder would execute what they have put there.
            match writes.iter().any(|write| write.starts_with(&path) || path.starts_with(write)) {
                true => reads.push(path),
                false => executed.push(path),
            }
        }
        crate::programs::landlocked::Allowed { executed, reads, writes, network: order.network }
    }
}
