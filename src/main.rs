//! Arguments in, exit code out; all else is the library's.

fn main() -> std::process::ExitCode {
    qtool::cli::run(std::env::args_os())
}
