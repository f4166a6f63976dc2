//! Servers that are programs: spoken with over their standard input and output.

mod lines;
mod pipes;
mod probe;
mod process;
mod said;
mod writer;

pub(super) use pipes::Pipes;
pub(super) use process::Process;
pub(super) use said::Said;
