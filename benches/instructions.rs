//! How many instructions one call of `sales_by_region` takes, against the figure that was accepted.
//!
//! ```sh
//! cargo bench --profile dist --bench instructions               # fails where the figure is off by more than 5 %
//! cargo bench --profile dist --bench instructions -- --accept   # writes the new figure to benches/instructions.txt
//! ```
//!
//! In the profile of what is shipped: its figure is another one than that of plain `cargo bench`, which is refused.
//!
//! The program runs itself under Valgrind's callgrind twice, with few calls and with many behind the same warm-up: the
//! difference is that of the calls alone. The hash maps' random seeds and a busy machine move it by a percent to four;
//! another compiler or another profile moves it by more.
//!
//! One thing of the machine does move it: the engine goes by the clock where it decides whether a call needs threads of
//! its own, and whether a plan is worth keeping, and callgrind makes it tens of times slower. On a busy machine a call may
//! be planned anew every time, which takes many times as many instructions. That is tried again, up to [`ATTEMPTS`]
//! times, and the smallest totals count. All threads of the process are counted.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

use qtool::catalog::Catalog;
use qtool::compile::compile;
use qtool::diagnostic::Diagnostics;
use qtool::diagnostic::render::{Format, render};
use qtool::engine::bind::{Arguments, Caller};
use qtool::engine::{Engine, STACK_SIZE, Tables};
use qtool::load;
use serde_json::json;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// As the program that is shipped has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Calls of the short run.
const FEW: u64 = 20;
/// Calls of the long run.
const MANY: u64 = 120;
/// Calls before those, in both runs.
const WARM_UP: usize = 20;
/// How often it is measured at most.
const ATTEMPTS: usize = 3;
/// How far the figure may be from the accepted one, in percent.
const TOLERANCE: f64 = 5.0;
/// Rows of the table.
const SALES: u64 = 10_000;
/// Rows of an answer.
const ROWS: usize = 10;
/// Longer than a file must have been left alone for its rows to be kept.
const SETTLED: Duration = Duration::from_millis(200);

const TOOL: &str = "sales_by_region";
const QUERY: &str = include_str!("project/queries/sales_by_region.sql");
const REGIONS: [&str; 5] = ["north", "south", "east", "west", "central"];
const PROJECT: &str = "name: instructions
tables:
  sales: { path: sales.csv, primary_key: [id] }
resources: { enabled: false }
defaults: { structured_output: false }
";

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let texts: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match texts.as_slice() {
        ["--child", dir, calls] => calls.parse().map_err(Into::into).and_then(|calls| child(dir.into(), calls)),
        // Cargo adds arguments of its own.
        texts => run(texts.contains(&"--accept")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures, and compares or accepts.
fn run(accept: bool) -> Outcome<()> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return Err("valgrind is missing, so that nothing was measured (on Debian: `apt-get install valgrind`)".into());
    }
    let folder = tempfile::tempdir()?;
    write_project(folder.path())?;
    if accept {
        let found = measure(folder.path(), None)?;
        std::fs::write(accepted_file(), accepted_text(found)?)?;
        println!("written to {}", accepted_file().display());
        return Ok(());
    }
    let accepted = accepted()?;
    compare(measure(folder.path(), Some(accepted))?, accepted)
}

/// The instructions of one call, by the smallest totals; no more is measured once they are as accepted.
fn measure(dir: &Path, accepted: Option<u64>) -> Outcome<u64> {
    let (mut few, mut many) = (u64::MAX, u64::MAX);
    for _ in 0..ATTEMPTS {
        // What disturbs a run only adds to it, and either run may be disturbed.
        few = few.min(total(dir, FEW)?);
        many = many.min(total(dir, MANY)?);
        let found = many.saturating_sub(few) / (MANY - FEW);
        println!("instructions of one call of `{TOOL}`: {found}");
        if accepted.is_some_and(|accepted| percent(found, accepted).abs() <= TOLERANCE) {
            break;
        }
    }
    match many.saturating_sub(few) / (MANY - FEW) {
        0 => Err("more calls took no more instructions: the machine is too busy to measure".into()),
        found => Ok(found),
    }
}

/// How far a figure is above the accepted one.
fn percent(found: u64, accepted: u64) -> f64 {
    (found as f64 / accepted as f64 - 1.0) * 100.0
}

fn compare(found: u64, accepted: u64) -> Outcome<()> {
    let percent = percent(found, accepted);
    println!("accepted: {accepted} ({percent:+.1} %)");
    if percent.abs() <= TOLERANCE {
        return Ok(());
    }
    let way = if percent > 0.0 { "more" } else { "fewer" };
    Err(format!(
        "a call takes {:.1} % {way} instructions than was accepted ({found}, not {accepted}; {TOLERANCE} % may differ); \
         where that is meant: `cargo bench --profile dist --bench instructions -- --accept`",
        percent.abs()
    )
    .into())
}

fn accepted_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.txt")
}

fn accepted() -> Outcome<u64> {
    let path = accepted_file();
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let profile = profile()?;
    if !text.contains(&format!("profile {profile},")) {
        let help = "run `cargo bench --profile dist --bench instructions`";
        return Err(
            format!("the figure in benches/instructions.txt is not one of the profile {profile}: {help}").into()
        );
    }
    let number = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    let number = number.ok_or("benches/instructions.txt has no figure; write one with `-- --accept`")?;
    number.parse().map_err(|_| format!("benches/instructions.txt: `{number}` is no number").into())
}

/// The figure with all that it depends on, whatever the machine.
fn accepted_text(found: u64) -> Outcome<String> {
    let version = Command::new("rustc").arg("--version").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let version = match version.trim() {
        "" => "rustc of an unknown version",
        version => version,
    };
    let (profile, system, machine) = (profile()?, std::env::consts::OS, std::env::consts::ARCH);
    Ok(format!(
        "# instructions of one warm call of {TOOL}; {version}, profile {profile}, {system} {machine}\n{found}\n"
    ))
}

/// The profile that this program was built in: Cargo names the folder after it.
fn profile() -> Outcome<String> {
    let program = std::env::current_exe()?;
    let folder =
        program.ancestors().nth(2).and_then(Path::file_name).ok_or("the program lies in no folder of Cargo's")?;
    Ok(folder.to_string_lossy().into_owned())
}

/// All instructions of a run with so many calls.
fn total(dir: &Path, calls: u64) -> Outcome<u64> {
    let counts = dir.join(format!("callgrind.{calls}"));
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", counts.display()))
        .arg(std::env::current_exe()?)
        .arg("--child")
        .arg(dir)
        .arg(calls.to_string())
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the run of {calls} calls under valgrind failed ({}):\n{said}", output.status).into());
    }
    let text = std::fs::read_to_string(&counts)?;
    let line = text.lines().rev().find_map(|line| line.strip_prefix("totals:")).ok_or("callgrind wrote no totals")?;
    // The first event is that of the instructions.
    Ok(line.split_whitespace().next().ok_or("callgrind's totals are empty")?.parse()?)
}

/// What is measured: the project of that folder, and calls.
fn child(dir: PathBuf, calls: usize) -> Outcome<()> {
    // Calls run on this thread, and plans are walked recursively.
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
    let work = move || call_often(&dir, calls).map_err(|error| error.to_string());
    thread.spawn(work)?.join().map_err(|_| "it panicked")?.map_err(Into::into)
}

fn call_often(dir: &Path, calls: usize) -> Outcome<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let engine = open(dir, &runtime)?;
    let call = |at: usize| {
        let answer = runtime.block_on(engine.call(TOOL, &arguments(at))).map_err(|error| error.line())?;
        if answer.rows.len() == ROWS { Ok(()) } else { Err(format!("{} rows, not {ROWS}", answer.rows.len())) }
    };
    call(0)?;
    // Reads what a server reads behind its calls, and waits for it.
    runtime.block_on(engine.explain_as(TOOL, &arguments(0), &Caller::default())).map_err(|error| error.line())?;
    for at in 0..WARM_UP + calls {
        call(at)?;
    }
    Ok(())
}

fn arguments(at: usize) -> Arguments {
    let region = REGIONS.get(at % REGIONS.len()).copied().unwrap_or_default();
    json!({"region": region}).as_object().cloned().unwrap_or_default()
}

fn open(dir: &Path, runtime: &Runtime) -> Outcome<Engine> {
    let loaded =
        load::load(&load::Disk::new(dir)).map_err(|failed| format!("{:?}", failed.diagnostics.into_sorted()))?;
    let mut project = loaded.project;
    let tables = runtime.block_on(Tables::open(dir, &project.file, &Catalog::default()));
    let tables = tables.map_err(|errors| format!("{errors:?}"))?;
    project.catalog = tables.catalog();
    let compilation = compile(&project, Diagnostics::default());
    if compilation.errors > 0 {
        return Err(render(&compilation.diagnostics, &project.sources, Format::Text, false).into());
    }
    Ok(Engine::prepare(tables, compilation.tools))
}

/// The sales and the one query. Both runs read the same files.
fn write_project(dir: &Path) -> std::io::Result<()> {
    load::write_atomically(&dir.join(load::PROJECT_FILE), PROJECT.as_bytes())?;
    load::write_atomically(&dir.join(load::QUERIES).join(format!("{TOOL}.sql")), QUERY.as_bytes())?;
    load::write_atomically(&dir.join("sales.csv"), sales().as_bytes())?;
    std::thread::sleep(SETTLED);
    Ok(())
}

/// Sales as `benches/calls.rs` has them, the same in every run.
fn sales() -> String {
    let mut state = 42_u64;
    // Knuth's constants; the high bits are those that are random.
    let mut below = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let mut text = "id,sold_at,region,product,quantity,unit_price\n".to_owned();
    for id in 1..=SALES {
        let sold_at = chrono::NaiveDate::from_ymd_opt(2024, 1, 1).unwrap() + chrono::Days::new(below(730));
        let region = REGIONS.get(usize::try_from(below(5)).unwrap()).unwrap();
        let (product, quantity, cents) = (below(20), 1 + below(19), 100 + below(19_900));
        text.push_str(&format!(
            "{id},{sold_at},{region},product-{product:02},{quantity},{}.{:02}\n",
            cents / 100,
            cents % 100
        ));
    }
    text
}
