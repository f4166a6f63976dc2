//! No value of an argument is ever anything but a value: every string of a small hostile alphabet, and random strings
//! of whatever SQL, qtool's own syntax and terminals might take for their own, find their own row and nothing else.
//! As names of arguments, as a table format and as a limit they are refused in one clean line.

use crate::cases::{Outcome, block_on};
use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::file::properties::WriterProperties;
use qtool::diagnostic::Severity;
use qtool::diagnostic::render::{Format, render};
use qtool::engine::bind::Arguments;
use qtool::engine::error::CallError;
use qtool::engine::{Engine, Tables};
use qtool::project::Timeout;
use qtool::tool::Tool;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Every string of up to [`LONGEST`] of them is tried.
const ALPHABET: [char; 6] = ['\'', '\\', 'a', ')', '-', ';'];
const LONGEST: usize = 4;
/// Random strings beside those.
const RANDOM: usize = 2_000;
/// So many of them are [`LARGE`] bytes or a little more.
const LARGE_STRINGS: usize = 6;
const LARGE: usize = 64 << 10;
const SEED: u64 = 0x7A11_5EED;
/// Every string goes through `=`; of the other tools each gets every so many-th, and no two the same ones, to keep the
/// test below a minute in a debug build. Short strings with several of [`SYNTAX`] and the large ones go through all.
const STRIDE: usize = 20;
/// Every so many-th string is tried as a name, as a format and as a limit.
const REFUSED_STRIDE: usize = 12;
/// Calls under way at once.
const WORKERS: usize = 4;
/// Rows of one row group: the strings are written in their order, so that the statistics of a group decide whether it
/// is read at all, for every one of them.
const ROW_GROUP: usize = 512;
/// Problems that are told; more are counted.
const TOLD: usize = 12;
/// What no answer may hold.
const MARKER: &str = "CANARY-5b1f09c2";

const PROJECT: &str = "\
name: hostile-values
tables:
  strings:
    path: data/strings.parquet
  secrets:
    path: data/secrets.csv
";

/// What somebody takes for syntax, for the end of a line, or for nothing at all.
#[rustfmt::skip]
const FRAGMENTS: &[&str] = &[
    "<<", ">>", "<< s >>", "<< s = 'x' >>", "[[ AND", "[[ OR", "]]", "$1", "$2", "{{", "}}", "{{ s }}", "{%", "--",
    "/*", "*/", "/*---", "---*/", "'", "''", "\\", "\\'", "\\\\", "\"", "\"\"", "`", ";", "%", "_", "\\%", "\\_", "%%",
    "\0", "\u{1}", "\u{7}", "\u{8}", "\t", "\n", "\r", "\r\n", "\u{b}", "\u{1a}", "\u{1b}[31m", "\u{7f}", "\u{80}",
    "\u{85}", "\u{9b}", "\u{a0}", "\u{202e}", "\u{202c}", "\u{2066}", "\u{2069}", "\u{200b}", "\u{200d}", "\u{2028}",
    "\u{2029}", "\u{feff}", "e\u{301}", "\u{e9}", "a\u{300}\u{301}\u{302}", "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
    "\u{645}\u{631}\u{62d}\u{628}\u{627}", "\u{65e5}\u{672c}", "\u{1f600}", "\u{1f469}\u{200d}\u{1f4bb}", "\u{fffd}",
    "\u{ffff}", "\u{10ffff}", "\u{1c4}", "\u{df}", "\u{130}", "\u{ff07}", "\u{2019}", "\u{ff1b}", " ", "  ", "a", "b",
    "A", "0", "' OR '1'='1", "' OR 1=1 --", "') OR true --", "'; DROP TABLE strings; --",
    "' UNION SELECT 1 FROM secrets --", "x' AND marker FROM secrets", "secrets", "strings", "label", "NULL", "null",
    "true", "E'", "U&'\\0041'", "$$", "$tag$", "0x41", "file:///etc/passwd", "../", "%s", "${x}", "@p", ":p", "?",
    "array[1]", "CAST(", "(SELECT", "ESCAPE '",
];

/// What qtool's own syntax and SQL's comments begin with.
const SYNTAX: &[&str] = &["<<", ">>", "[[ AND", "$1", "{{", "--", "/*"];

/// A tool over the strings, and how a string becomes its argument.
struct Form {
    name: &'static str,
    sql: &'static str,
    argument: fn(&str) -> Value,
}

const FORMS: [Form; 8] = [
    Form { name: "equals", sql: "SELECT id FROM strings WHERE label = << s >>", argument: text },
    Form { name: "is_in", sql: "SELECT id FROM strings WHERE label IN << s >>", argument: list },
    Form { name: "is_like", sql: "SELECT id FROM strings WHERE label LIKE << s >>", argument: pattern },
    Form { name: "is_between", sql: "SELECT id FROM strings WHERE label BETWEEN << s >> AND << s >>", argument: text },
    Form { name: "in_a_clause", sql: "SELECT id FROM strings WHERE true [[ AND label = << s >> ]]", argument: text },
    Form {
        name: "beside_a_choice",
        sql: "/*---\nparams: { by: { choices: { plain: label, joined: label || '' }, default: joined } }\n---*/\n\
              SELECT id FROM strings WHERE << by >> = << s >>",
        argument: text,
    },
    Form {
        name: "over_a_default_in_sql",
        sql: "SELECT id FROM strings WHERE label = << s = 'x' || 'y' >>",
        argument: text,
    },
    Form { name: "over_a_default", sql: "SELECT id FROM strings WHERE label = << s = 'x' >>", argument: text },
];

/// Reads the canary: it can be read where somebody is meant to.
const CANARY: Form =
    Form { name: "canary", sql: "SELECT id, marker FROM secrets WHERE marker = << s >>", argument: text };

fn text(string: &str) -> Value {
    json!(string)
}

fn list(string: &str) -> Value {
    json!([string])
}

/// The pattern of LIKE that matches the string alone.
fn pattern(string: &str) -> Value {
    let mut escaped = String::with_capacity(string.len());
    for c in string.chars() {
        if matches!(c, '\\' | '%' | '_') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    json!(escaped)
}

/// The same numbers in every run (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Whether one of `in_so_many` times.
    pub(crate) fn one_in(&mut self, in_so_many: usize) -> bool {
        self.below(in_so_many) == 0
    }
}

/// Every string of the alphabet up to the longest, and the random ones: sorted, each once.
fn strings() -> Vec<String> {
    let mut all = BTreeSet::new();
    let mut last = vec![String::new()];
    all.insert(String::new());
    for _ in 0..LONGEST {
        last = last.iter().flat_map(|short| ALPHABET.iter().map(move |c| format!("{short}{c}"))).collect();
        all.extend(last.iter().cloned());
    }
    assert_eq!(all.len(), 1_555, "the strings of the alphabet");
    let mut random = Random::new(SEED);
    let wanted = all.len() + RANDOM - LARGE_STRINGS;
    while all.len() < wanted {
        let pieces = 1 + random.below(7);
        all.insert(random_string(&mut random, pieces));
    }
    for at in 0..LARGE_STRINGS {
        // Half of them differ in their ends alone.
        let mut large = if at % 2 == 0 { "a'".to_owned() } else { random_string(&mut random, 5) };
        let filling = if at % 2 == 0 { "a'\\%_;".to_owned() } else { random_string(&mut random, 40) };
        while large.len() < LARGE {
            large.push_str(&filling);
        }
        large.push_str(&format!("{at}"));
        all.insert(large);
    }
    assert_eq!(all.len(), 1_555 + RANDOM, "each string is there once");
    all.into_iter().collect()
}

fn random_string(random: &mut Random, pieces: usize) -> String {
    let mut string = String::new();
    for _ in 0..pieces {
        if random.one_in(4) {
            // Surrogates are no characters.
            string.extend(char::from_u32(random.below(0x11_0000) as u32));
        } else {
            string.push_str(random.pick::<&str>(FRAGMENTS));
        }
    }
    string
}

/// Tries every string in every form.
pub(crate) fn run() -> crate::Outcome {
    let strings = Arc::new(strings());
    let folder = tempfile::tempdir()?;
    lay_out(folder.path(), &strings)?;
    let engine = Arc::new(engine(folder.path())?);
    let path = folder.path().to_string_lossy().into_owned();
    let problems = block_on(async move {
        let mut problems = canary_is_there(&engine).await;
        let workers: Vec<_> = (0..WORKERS)
            .map(|worker| {
                let (engine, strings, path) = (Arc::clone(&engine), Arc::clone(&strings), path.clone());
                tokio::spawn(async move { work(&engine, &strings, &path, worker).await })
            })
            .collect();
        for worker in workers {
            match worker.await {
                Ok(found) => problems.extend(found),
                Err(panic) => problems.push(format!("a worker panicked: {panic}")),
            }
        }
        problems
    });
    if problems.is_empty() {
        return Ok(());
    }
    let told: Vec<&str> = problems.iter().take(TOLD).map(String::as_str).collect();
    Err(format!("{} problems, the first of them:\n{}", problems.len(), told.join("\n")).into())
}

/// Writes the tables and the queries.
fn lay_out(dir: &Path, strings: &[String]) -> crate::Outcome {
    std::fs::create_dir_all(dir.join("data"))?;
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    std::fs::write(dir.join("data/secrets.csv"), format!("id,marker\n-1,{MARKER}\n"))?;
    for form in FORMS.iter().chain([&CANARY]) {
        std::fs::write(dir.join(format!("queries/{}.sql", form.name)), form.sql)?;
    }
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..strings.len() as i64));
    let labels: ArrayRef = Arc::new(StringArray::from_iter_values(strings.iter()));
    let batch = RecordBatch::try_from_iter([("id", ids), ("label", labels)])?;
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(ROW_GROUP)).build();
    let file = std::fs::File::create(dir.join("data/strings.parquet"))?;
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(())
}

fn engine(dir: &Path) -> Result<Engine, Box<dyn std::error::Error>> {
    let outcome = Outcome::of(dir);
    let errors: Vec<_> =
        outcome.diagnostics.iter().filter(|found| found.severity == Severity::Error).cloned().collect();
    if !errors.is_empty() {
        return Err(render(&errors, &outcome.sources, Format::Text, false).into());
    }
    let (Some(project), Some(compilation)) = (outcome.project, outcome.compilation) else {
        return Err("the project does not load".into());
    };
    // A debug build beside other tests is slow; how long a query takes is not what is tested here.
    let patient = |mut tool: Tool| {
        tool.contract.timeout = Timeout(Duration::from_secs(600));
        tool
    };
    let tools: Vec<Tool> = compilation.tools.into_iter().map(patient).collect();
    if tools.len() != FORMS.len() + 1 {
        return Err(format!("{} tools, not {}", tools.len(), FORMS.len() + 1).into());
    }
    let dir = dir.to_path_buf();
    let engine = block_on(async move {
        let tables =
            Tables::open(&dir, &project.file, &project.catalog).await.map_err(|errors| format!("{errors:?}"))?;
        Ok::<Engine, String>(Engine::prepare(tables, tools))
    });
    Ok(engine?)
}

fn arguments(name: &str, value: Value) -> Arguments {
    Arguments::from_iter([(name.to_owned(), value)])
}

/// Else no answer could hold it, whatever went wrong.
async fn canary_is_there(engine: &Engine) -> Vec<String> {
    match engine.call(CANARY.name, &arguments("s", json!(MARKER))).await {
        Ok(result) if result.text().contains(MARKER) => Vec::new(),
        Ok(result) => vec![format!("the canary is not there: {}", result.text())],
        Err(error) => vec![format!("the canary cannot be read: {} {:?}", error.line(), error.detail)],
    }
}

/// Tries every [`WORKERS`]th string.
async fn work(engine: &Engine, strings: &[String], path: &str, worker: usize) -> Vec<String> {
    let mut problems = Vec::new();
    for (id, string) in strings.iter().enumerate().skip(worker).step_by(WORKERS) {
        for (at, form) in FORMS.iter().enumerate() {
            let due = at == 0 || id % STRIDE == at || string.len() >= LARGE || is_syntax_alone(string);
            if due && let Err(what) = finds_itself(engine, form, id, string).await {
                problems.push(format!("`{}` with {}: {what}", form.name, shown(string)));
            }
        }
        if (id / WORKERS).is_multiple_of(REFUSED_STRIDE) || string.len() >= LARGE {
            problems.extend(is_refused(engine, string, path).await);
        }
    }
    problems
}

/// Whether a string is little more than syntax.
fn is_syntax_alone(string: &str) -> bool {
    string.len() < 24 && SYNTAX.iter().filter(|sign| string.contains(**sign)).count() > 1
}

/// The one row is the string's own.
async fn finds_itself(engine: &Engine, form: &Form, id: usize, string: &str) -> Result<(), String> {
    let sent = arguments("s", (form.argument)(string));
    let result = match engine.call(form.name, &sent).await {
        Ok(result) => result,
        Err(error) => {
            return Err(format!(
                "{} {:?}",
                shown(&error.line()),
                error.detail.as_ref().map(|detail| shown(detail.text()))
            ));
        }
    };
    let found = &result.rows.values();
    if result.object().to_string().contains(MARKER) || result.text().contains(MARKER) {
        return Err("the canary is in the answer".to_owned());
    }
    if *found != vec![vec![json!(id)]] || result.truncated || !result.notes.is_empty() {
        let rows = shown(&json!(found).to_string());
        return Err(format!("{} rows {rows}, not the one of {id}; notes {:?}", found.len(), result.notes));
    }
    Ok(())
}

/// As the name of an argument, as a format and as a limit the string is refused.
async fn is_refused(engine: &Engine, string: &str, path: &str) -> Vec<String> {
    let mut problems = Vec::new();
    // A limit may be written as a text.
    let is_number = string.trim().trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit());
    let tries = [
        ("equals", "unknown-argument", string, json!("x"), true),
        ("equals", "invalid-argument", "table_format", json!(string), true),
        ("equals", "invalid-argument", "limit", json!(string), !is_number || string.trim().is_empty()),
        ("beside_a_choice", "invalid-argument", "by", json!(string), true),
    ];
    for (tool, code, name, value, is_wrong) in tries {
        if !is_wrong || name == "s" {
            continue;
        }
        let mut sent = arguments("s", json!("a"));
        sent.insert(name.to_owned(), value);
        let what = match engine.call(tool, &sent).await {
            Ok(_) => Some("is not refused".to_owned()),
            Err(error) if error.code.as_str() != code => Some(format!("is refused as {}", error.code)),
            Err(error) => unclean(&error, string, path),
        };
        let place = if code == "unknown-argument" { "name" } else { name };
        problems.extend(what.map(|what| format!("{} as {place}: {what}", shown(string))));
    }
    problems
}

/// What no error may hold, unless the string that it quotes does: paths, SQL, the engine's own words.
const SECRET_WORDS: [&str; 20] = [
    "strings.parquet",
    "secrets",
    "queries/",
    "data/",
    "qtool.yaml",
    ".rs",
    "SELECT",
    "WHERE",
    "FROM",
    "label",
    "$1",
    "DataFusion",
    "datafusion",
    "Arrow",
    "arrow",
    "Utf8",
    "sqlparser",
    "Plan",
    "panicked",
    MARKER,
];

/// What is wrong with an error that quotes the string.
fn unclean(error: &CallError, string: &str, path: &str) -> Option<String> {
    if let Some(detail) = &error.detail {
        return Some(format!("a wrong argument reaches the engine: {}", shown(detail.text())));
    }
    let mut texts = vec![error.line(), error.message.clone()];
    texts.extend(error.parameter.iter().chain(&error.expected).chain(&error.got).chain(&error.hint).cloned());
    for text in &texts {
        if let Some(control) = text.chars().find(|c| c.is_control()) {
            return Some(format!("the control character {control:?} is in {}", shown(text)));
        }
        // They end a line for whoever follows Unicode.
        if let Some(end) = text.chars().find(|c| matches!(c, '\u{2028}' | '\u{2029}')) {
            return Some(format!("the end of line {end:?} is in {}", shown(text)));
        }
        if text.len() > 2_000 {
            return Some(format!("{} bytes of text: {}", text.len(), shown(text)));
        }
        // A part of a word that the quote cuts is one of the string's own too.
        let secret =
            SECRET_WORDS.iter().copied().chain([path]).find(|word| text.contains(*word) && !string.contains(*word));
        if let Some(secret) = secret {
            return Some(format!("`{secret}` is in {}", shown(text)));
        }
    }
    None
}

/// A string as a problem shows it: escaped, and cut.
fn shown(string: &str) -> String {
    let escaped: String = string.chars().take(200).flat_map(char::escape_debug).collect();
    let more = string.chars().count().saturating_sub(200);
    if more > 0 { format!("\"{escaped}\"… and {more} more") } else { format!("\"{escaped}\"") }
}
