//! Arguments in, exit code out; all else is the library's.

/// Queries allocate and free large pieces on many threads; this gives memory back that the system's allocator keeps.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    qtool::programs::launcher::run_if_asked();
    qtool::cli::run(std::env::args_os())
}
