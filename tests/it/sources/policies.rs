//! Policies of tables: queries over a table with a policy give what they give over the rows that it leaves, and no caller
//! sees a value of another's rows, whatever is asked for.

use super::{Compiled, told};
use crate::cases::block_on;
use crate::hostile_values::Random;
use crate::tpch::{self, Expected};
use qtool::engine::Engine;
use qtool::engine::bind::{Arguments, Caller};
use qtool::engine::result::CallResult;
use serde_json::{Map, Value, json};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

const SEED: u64 = 0x9011_C1E5;
/// Rows whose key leaves this rest are those of somebody else.
const LEFT_OUT: u64 = 3;
const DIVISOR: u64 = 7;

/// The tables of TPC-H, with the column of their files that policies look at.
const KEYS: [(&str, &str); 8] = [
    ("region", "r_regionkey"),
    ("nation", "n_nationkey"),
    ("supplier", "s_suppkey"),
    ("customer", "c_custkey"),
    ("part", "p_partkey"),
    ("partsupp", "ps_partkey"),
    ("orders", "o_orderkey"),
    ("lineitem", "l_orderkey"),
];

fn caller(claims: &Value) -> Caller {
    Caller { claims: claims.as_object().cloned().unwrap_or_default(), ..Caller::default() }
}

/// The policies of the tables of TPC-H.
fn policies() -> String {
    let policy = |(table, key): &(&str, &str)| {
        let params = "params: { left_out: { from: claim.left_out, type: bigint } }";
        format!("  {table}:\n    {params}\n    rows: ['{key} % {DIVISOR} <> << left_out >>']\n")
    };
    format!("policies:\n{}", KEYS.iter().map(policy).collect::<String>())
}

/// Copies the files of TPC-H, with the rows for which `keeps` holds of the key, which is their first column.
fn copy_files(to: &Path, keeps: impl Fn(u64) -> bool) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(to.join("data"))?;
    for (table, _) in KEYS {
        let text = std::fs::read_to_string(tpch::files()?.join(format!("data/{table}.csv")))?;
        let mut kept = String::with_capacity(text.len());
        for (at, line) in text.lines().enumerate() {
            let key = line.split(',').next().unwrap_or_default();
            if at == 0 || keeps(key.parse()?) {
                kept.push_str(line);
                kept.push('\n');
            }
        }
        std::fs::write(to.join(format!("data/{table}.csv")), kept)?;
    }
    Ok(())
}

/// The queries of TPC-H over tables with policies are those over tables that were filtered beforehand: over files, and over a
/// database that the policies are sent to.
pub(crate) fn queries_see_what_is_left() -> crate::Outcome {
    let project = project_over_files()?;
    let (whole, stored) = (tempfile::tempdir()?, tempfile::tempdir()?);
    copy_files(whole.path(), |_| true)?;
    let stored_project = super::tpch::project_over_sqlite(stored.path())?;
    see_what_is_left(&[("files", whole.path(), &project), ("SQLite", stored.path(), &stored_project)])
}

/// The same over PostgreSQL.
pub(crate) fn queries_see_what_is_left_over_postgres() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    see_what_is_left(&[("PostgreSQL", folder.path(), &super::tpch::project_over_postgres("tpch_policies")?)])
}

fn project_over_files() -> Result<String, Box<dyn Error>> {
    Ok(std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tpch/qtool.yaml"))?)
}

/// Compares projects with policies, each with a name and a folder, with one over filtered files.
fn see_what_is_left(projects: &[(&str, &Path, &str)]) -> crate::Outcome {
    let queries = tpch::queries()?;
    let texts = || queries.iter().map(|(name, sql, _)| (name.clone(), sql.clone()));
    let filtered = tempfile::tempdir()?;
    copy_files(filtered.path(), |key| key % DIVISOR != LEFT_OUT)?;
    let wanted = Compiled::whole(filtered.path(), &project_over_files()?, texts())?.engine()?;
    let mut policied = Vec::new();
    for (place, folder, project) in projects {
        policied.push((place, Compiled::whole(folder, &format!("{project}\n{}", policies()), texts())?.engine()?));
    }
    let mut problems = Vec::new();
    let mut rows = 0;
    for (name, _, Expected { arguments, .. }) in &queries {
        let wanted = asked(&wanted, name, arguments, &json!({}))?;
        rows += wanted.rows.len();
        for (place, engine) in &policied {
            let found = asked(engine, name, arguments, &json!({"left_out": LEFT_OUT}))?;
            let why = tpch::compare(&found.rows, &wanted.rows).err();
            problems.extend(why.map(|why| format!("{name} over {place}: {why}")));
        }
    }
    told(&format!("policies over TPC-H: {} queries, {rows} rows", queries.len()));
    if rows < 100 {
        problems.push(format!("there are {rows} rows in all: too few to tell"));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n\n").into()) }
}

fn asked(
    engine: &Arc<Engine>,
    tool: &str,
    arguments: &Arguments,
    claims: &Value,
) -> Result<CallResult, Box<dyn Error>> {
    let (engine, name, sent, caller) = (Arc::clone(engine), tool.to_owned(), arguments.clone(), caller(claims));
    let answer = block_on(async move { engine.call_as(&name, &sent, &caller).await });
    answer.map_err(|error| format!("{tool}: {} {:?}", error.line(), error.detail).into())
}

/// Rows of each caller.
const ROWS: u64 = 40;
/// Random calls: over files, and over a database.
const CALLS: usize = 1_000;
const CALLS_OF_A_DATABASE: usize = 400;

/// The callers: their names begin their texts, and their digit begins their numbers of seven digits.
const CALLERS: [(&str, u64); 3] = [("alpha", 1), ("bravo", 2), ("delta", 3)];

const TENANTS: &str = "
defaults: { result_limit: 5000 }
table_tools: { shop: { tables: [orders, notes] } }
policies:
  orders:
    params: { tenant: { from: claim.tenant } }
    rows: [tenant = << tenant >>]
    columns:
      email: { mask: \"'hidden'\", unless: [pii.read] }
      secret: deny
  notes:
    params: { tenant: { from: claim.tenant } }
    rows: [\"split_part(note, '-', 1) = << tenant >>\"]
lints: { unordered-limit: allow, unbounded-result: allow, select-star: allow, missing-description: allow }
";

const QUERIES: [(&str, &str); 12] = [
    ("listed", "SELECT id, tenant, email, amount FROM orders ORDER BY id"),
    (
        "found",
        "SELECT id, email FROM orders WHERE true [[ AND id >= << least >> ]] [[ AND id = << id >> ]] ORDER BY id",
    ),
    (
        "joined",
        "SELECT o.id, n.id AS other, n.note FROM orders AS o JOIN notes AS n ON n.order_id = o.id ORDER BY o.id, n.id",
    ),
    ("crossed", "SELECT o.id, n.note FROM orders AS o CROSS JOIN notes AS n ORDER BY o.id DESC, n.id"),
    ("outer_joined", "SELECT n.id, o.tenant FROM notes AS n LEFT JOIN orders AS o ON o.amount > 0 ORDER BY n.id, o.id"),
    (
        "summed",
        "SELECT tenant, count(*) AS n, min(id) AS first, max(id) AS last FROM orders GROUP BY tenant ORDER BY tenant",
    ),
    ("unioned", "SELECT id, tenant AS t FROM orders UNION ALL SELECT id, note FROM notes ORDER BY id"),
    (
        "beside",
        "SELECT id, (SELECT max(note) FROM notes) AS note FROM orders WHERE id IN (SELECT order_id FROM notes) ORDER BY id",
    ),
    ("windowed", "SELECT id, sum(amount) OVER () AS s, lag(tenant) OVER (ORDER BY id) AS t FROM orders ORDER BY id"),
    ("shared", "/*---\nkind: view\n---*/\nSELECT id, tenant, amount FROM orders"),
    ("viewed", "WITH orders AS (SELECT * FROM shared) SELECT * FROM orders WHERE amount > << over = 0 >> ORDER BY id"),
    (
        "kept",
        "/*---\ndescription: Kept.\ncache_ttl: 1h\n---*/\nSELECT tenant, count(*) AS n FROM orders GROUP BY tenant",
    ),
];

/// Rows of all callers, by table.
fn rows() -> (Vec<[String; 6]>, Vec<[String; 3]>) {
    let mut orders = Vec::new();
    let mut notes = Vec::new();
    // Those of several callers lie side by side.
    for at in 0..ROWS {
        for (name, digit) in CALLERS {
            let id = digit * 1_000_000 + at;
            let amount = digit * 1_000_000 + 500_000 + at;
            let email = format!("{name}-{at}@example.org");
            orders.push([
                id.to_string(),
                name.to_owned(),
                email,
                amount.to_string(),
                (at % 5).to_string(),
                format!("{name}-secret-{at}"),
            ]);
            notes.push([(id + 100_000).to_string(), id.to_string(), format!("{name}-note-{at}")]);
        }
    }
    (orders, notes)
}

/// A project over files.
fn write_files(dir: &Path) -> Result<String, Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("data"))?;
    let (orders, notes) = rows();
    let lines = |rows: Vec<String>| rows.join("\n");
    let text = lines(orders.iter().map(|row| row.join(",")).collect());
    std::fs::write(dir.join("data/orders.csv"), format!("id,tenant,email,amount,parts,secret\n{text}\n"))?;
    let text = lines(notes.iter().map(|row| row.join(",")).collect());
    std::fs::write(dir.join("data/notes.csv"), format!("id,order_id,note\n{text}\n"))?;
    Ok(format!(
        "name: tenants\ntables:\n  orders: {{ path: data/orders.csv, primary_key: [id], description: Orders. }}\n  notes: {{ path: data/notes.csv, primary_key: [id], description: Notes. }}\n{TENANTS}"
    ))
}

const CREATED: &str = "
CREATE TABLE orders (id bigint NOT NULL PRIMARY KEY, tenant text, email text, amount bigint, parts bigint, secret text);
CREATE TABLE notes (id bigint NOT NULL PRIMARY KEY, order_id bigint, note text);
";

/// What fills tables of that name.
fn filled() -> String {
    let (orders, notes) = rows();
    let orders = orders.iter().map(|[id, tenant, email, amount, parts, secret]| {
        format!("INSERT INTO orders VALUES ({id}, '{tenant}', '{email}', {amount}, {parts}, '{secret}');\n")
    });
    let notes = notes.iter().map(|[id, order, note]| format!("INSERT INTO notes VALUES ({id}, {order}, '{note}');\n"));
    orders.chain(notes).collect()
}

fn project_of(source: &str, schema: &str) -> String {
    format!(
        "name: tenants\nsources: {{ shop: {{ {source} }} }}\ntables:\n  orders: {{ source: shop, table: {schema}orders, description: Orders. }}\n  notes: {{ source: shop, table: {schema}notes, description: Notes. }}\n{TENANTS}"
    )
}

/// Over files.
pub(crate) fn no_caller_sees_another_over_files() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let project = write_files(folder.path())?;
    no_caller_sees_another(folder.path(), &project, CALLS)
}

/// Over SQLite.
pub(crate) fn no_caller_sees_another_over_sqlite() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("data"))?;
    let connection = rusqlite::Connection::open(folder.path().join("data/shop.sqlite"))?;
    connection.execute_batch(&format!("BEGIN; {CREATED}{} COMMIT", filled()))?;
    drop(connection);
    no_caller_sees_another(folder.path(), &project_of("type: sqlite, path: data/shop.sqlite", ""), CALLS_OF_A_DATABASE)
}

/// Over PostgreSQL.
pub(crate) fn no_caller_sees_another_over_postgres() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let setup = "DROP SCHEMA IF EXISTS policied CASCADE; CREATE SCHEMA policied; SET search_path = policied;";
    crate::servers::run_in_postgres(&format!("{setup}{CREATED}{}", filled()))?;
    let project = project_of("type: postgres, url_env: QTOOL_TEST_POSTGRES", "policied.");
    no_caller_sees_another(folder.path(), &project, CALLS_OF_A_DATABASE)
}

/// SELECTs that an agent may write to find out about others: by values, by errors that name them, by counts.
const ATTEMPTS: [&str; 26] = [
    "SELECT * FROM orders",
    "SELECT * FROM orders, notes",
    "SELECT * FROM (SELECT * FROM orders) AS orders WHERE tenant <> 'TENANT'",
    "WITH orders AS (SELECT * FROM orders) SELECT * FROM orders",
    "SELECT o.* FROM notes AS n FULL JOIN orders AS o ON false",
    "SELECT max(email), min(email), max(amount), min(amount), max(id), min(id) FROM orders",
    "SELECT secret FROM orders",
    "SELECT orders.secret FROM orders",
    "SELECT id FROM orders WHERE secret LIKE 'OTHER%'",
    "SELECT CAST(tenant AS bigint) FROM orders WHERE tenant = 'OTHER'",
    "SELECT id FROM orders WHERE CASE WHEN tenant = 'TENANT' THEN 1 ELSE CAST(tenant AS bigint) END = 1",
    "SELECT id FROM orders WHERE CASE WHEN tenant = 'TENANT' THEN true ELSE CAST(tenant AS bigint) > 0 END",
    "SELECT id FROM orders WHERE 1 / (CASE WHEN tenant = 'TENANT' THEN 1 ELSE 0 END) = 1",
    "SELECT id FROM orders WHERE 1 / (CASE WHEN amount > DIGIT999999 OR amount < DIGIT000000 THEN 0 ELSE 1 END) = 1",
    "SELECT id, 1 / (CASE WHEN tenant = 'TENANT' THEN 1 ELSE 0 END) AS x FROM orders WHERE parts >= 0",
    "SELECT n.id FROM notes AS n JOIN orders AS o ON 1 / (CASE WHEN o.tenant = 'TENANT' THEN 1 ELSE 0 END) = 1",
    "SELECT count(*) FROM orders HAVING sum(1 / (CASE WHEN tenant = 'TENANT' THEN 1 ELSE 0 END)) > 0",
    "SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM notes WHERE 1 / (CASE WHEN note LIKE 'TENANT%' THEN 1 ELSE 0 END) = 1)",
    "SELECT id FROM orders ORDER BY 1 / (CASE WHEN tenant = 'TENANT' THEN 1 ELSE 0 END), id",
    "SELECT x FROM (SELECT id, 1 / (CASE WHEN tenant = 'TENANT' THEN 1 ELSE 0 END) AS x FROM orders) AS t WHERE x > 0",
    "SELECT x, count(*) FROM (SELECT 1 / (CASE WHEN tenant = 'TENANT' THEN 1 ELSE 0 END) AS x FROM orders) AS t GROUP BY x HAVING x > 0",
    "SELECT id FROM orders WHERE amount * CASE WHEN tenant = 'TENANT' THEN 1 ELSE 9223372036854775807 END > 0",
    "SELECT id FROM orders WHERE arrow_cast(replace(tenant, 'TENANT', '1'), 'Int64') > 0",
    "SELECT tenant, count(*) OVER (PARTITION BY 1 / (CASE WHEN tenant = 'TENANT' THEN 1 ELSE 0 END)) FROM orders",
    "SELECT id FROM orders WHERE tenant IN (SELECT split_part(note, '-', 1) FROM notes)",
    "SELECT id FROM orders WHERE regexp_like(tenant, 'TENANT') AND date_trunc('day', CAST(email AS timestamp)) IS NULL AND tenant <> 'TENANT'",
];

/// What somebody asks for.
fn call(random: &mut Random, (tenant, digit): (&str, u64)) -> (String, Value) {
    let other = CALLERS.iter().map(|(name, _)| *name).find(|name| *name != tenant).unwrap_or_default();
    let any_id = random.pick(&CALLERS).1 * 1_000_000 + random.next() % ROWS;
    let table = *random.pick(&["orders", "notes"]);
    let sets =
        ["shop_schema", "shop_profile", "shop_read", "shop_search_summary", "shop_search_content", "shop_analyze"];
    if random.one_in(2) {
        let tool = *random.pick(&[
            "listed",
            "found",
            "joined",
            "crossed",
            "outer_joined",
            "summed",
            "unioned",
            "beside",
            "windowed",
            "viewed",
            "kept",
        ]);
        let arguments = match tool {
            "found" => match random.below(3) {
                0 => json!({"id": any_id}),
                1 => json!({"least": any_id}),
                _ => json!({}),
            },
            "viewed" if random.one_in(2) => json!({"over": any_id}),
            _ => json!({}),
        };
        return (tool.to_owned(), arguments);
    }
    let tool = *random.pick(&sets);
    let pattern = *random.pick(&["alpha", "bravo", "delta", "note", "secret", "hidden", "example"]);
    let arguments = match tool {
        "shop_schema" => json!({}),
        "shop_profile" => json!({"table": table}),
        "shop_read" => json!({"table": table, "limit": 1 + random.below(30)}),
        "shop_search_summary" => json!({"pattern": pattern}),
        "shop_search_content" => json!({"table": table, "pattern": pattern}),
        _ => {
            let sql = random.pick(&ATTEMPTS).replace("TENANT", tenant).replace("OTHER", other);
            json!({"sql": sql.replace("DIGIT", &digit.to_string()), "explain": random.one_in(8)})
        }
    };
    (tool.to_owned(), arguments)
}

/// What of the others is in a text: their names, and numbers of seven digits that begin with theirs.
fn others_in(text: &str, digit: u64, sent: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (name, theirs) in CALLERS.iter().filter(|(_, theirs)| *theirs != digit) {
        // What was sent may be told again.
        if text.matches(name).count() > sent.matches(name).count() {
            found.push((*name).to_owned());
        }
        let words = text.split(|c: char| !c.is_ascii_digit());
        let is_theirs = |word: &&str| word.len() == 7 && word.starts_with(&theirs.to_string()) && !sent.contains(*word);
        found.extend(words.filter(is_theirs).map(str::to_owned));
    }
    found
}

fn no_caller_sees_another(dir: &Path, project: &str, calls: usize) -> crate::Outcome {
    let queries = QUERIES.iter().map(|(name, sql)| ((*name).to_owned(), (*sql).to_owned()));
    let engine = Compiled::whole(dir, project, queries)?.engine()?;
    let mut random = Random::new(SEED);
    let (mut problems, mut answered, mut own) = (Vec::new(), 0, 0);
    // The last page of anybody: what goes on from it.
    let mut cursors: Vec<(String, Value, String, u64)> = Vec::new();
    for _ in 0..calls {
        let who = *random.pick(&CALLERS);
        let (mut tool, mut arguments) = call(&mut random, who);
        let mut of_another = false;
        if random.one_in(6)
            && let Some((of, sent, cursor, whose)) = cursors.last().cloned()
        {
            (tool, arguments, of_another) = (of, sent, whose != who.1);
            arguments["cursor"] = cursor.into();
        }
        let sent: Map<String, Value> = arguments.as_object().cloned().unwrap_or_default();
        let mut caller = caller(&json!({"tenant": who.0}));
        let sees_emails = random.one_in(4);
        if sees_emails {
            caller.scopes.insert("pii.read".to_owned());
        }
        let (asked, name, with) = (Arc::clone(&engine), tool.clone(), sent.clone());
        let answer = block_on(async move { asked.call_as(&name, &with, &caller).await });
        let is_answered = answer.is_ok();
        let text = match &answer {
            Ok(result) => format!("{} {:?}", result.text(), result.notes),
            Err(error) => format!("{}\n{}", error.line(), serde_json::to_string(error)?),
        };
        if let Ok(result) = &answer {
            answered += 1;
            own += usize::from(text.contains(who.0));
            if let Some(cursor) = &result.next_cursor {
                let mut first = arguments.clone();
                if let Some(map) = first.as_object_mut() {
                    map.remove("cursor");
                }
                cursors.push((tool.clone(), first, cursor.clone(), who.1));
            }
        }
        let mut leaks = others_in(&text, who.1, &arguments.to_string());
        if !sees_emails && text.contains("@example.org") {
            leaks.push("an address".to_owned());
        }
        if text.contains("-secret-") {
            leaks.push("a secret".to_owned());
        }
        // Whether a row of somebody else could be divided by is nothing to be told.
        if text.contains("divides by zero")
            || text.contains("overflow")
            || text.contains("cast") && !text.contains("sql")
        {
            leaks.push("an error over a row of another".to_owned());
        }
        if of_another && is_answered {
            leaks.push("a page of another's call".to_owned());
        }
        if !leaks.is_empty() {
            problems.push(format!(
                "{} asks {tool} {arguments}: {leaks:?} in\n{}",
                who.0,
                text.chars().take(600).collect::<String>()
            ));
        }
    }
    // Nobody sees anything who is none.
    for (tool, arguments) in [("listed", json!({})), ("summed", json!({})), ("shop_read", json!({"table": "notes"}))] {
        let result = asked(&engine, tool, &arguments.as_object().cloned().unwrap_or_default(), &json!({}))?;
        if !result.rows.is_empty() || result.notes.is_empty() {
            problems.push(format!("nobody asks {tool}: {} rows, {:?}", result.rows.len(), result.notes));
        }
    }
    told(&format!("policies: {calls} calls, {answered} answered, {own} with rows of their callers"));
    if answered < calls / 2 || own < calls / 4 {
        problems.push(format!("{answered} calls are answered, and {own} have rows of their callers: too few to tell"));
    }
    let all = problems.len();
    problems.truncate(6);
    if all == 0 { Ok(()) } else { Err(format!("{all} problems\n\n{}", problems.join("\n\n")).into()) }
}
