//! Statements in PostgreSQL's own SQL, and tables of it, while somebody changes what their user may do, and what they read.

use crate::cases::block_on;
use crate::servers::{POSTGRES, run_in_postgres};
use qtool::engine::bind::Arguments;
use qtool::engine::{Engine, Tables, use_address};
use qtool::workspace::{Locking, Workspace};
use std::path::Path;
use std::sync::Arc;

/// The variable of the address of somebody whose rights can be taken away.
const ADDRESS: &str = "QTOOL_TEST_AUTHORED";

const SETUP: &str = "
    DROP SCHEMA IF EXISTS authored CASCADE; CREATE SCHEMA authored; SET search_path = authored;
    DO $$ BEGIN CREATE ROLE qtool_authored LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE TABLE t (id int PRIMARY KEY, price numeric(10,2) NOT NULL, mood mood NOT NULL);
    INSERT INTO t VALUES (1, 12.50, 'ok'), (2, 7, 'sad');
    CREATE FUNCTION twice(n int) RETURNS int STABLE LANGUAGE sql AS 'SELECT 2 * n';
    REVOKE EXECUTE ON FUNCTION twice FROM PUBLIC;
    GRANT USAGE ON SCHEMA authored TO qtool_authored; GRANT SELECT ON t TO qtool_authored;
    GRANT EXECUTE ON FUNCTION twice TO qtool_authored;";

const PROJECT: &str = "\
name: authored
sources: { shop: { type: postgres, url_env: QTOOL_TEST_AUTHORED, max_connections: 2 } }
tables:
  t: { source: shop, table: authored.t }
";

const QUERIES: [(&str, &str); 4] = [
    (
        "joined",
        "/*---\ndescription: A table.\ntable_format: csv\n---*/\nSELECT id, price FROM t WHERE id >= << id >> ORDER BY id",
    ),
    (
        "own",
        "/*---\ndescription: Own.\nsource: shop\ntable_format: csv\n---*/\n\
         SELECT id, price FROM authored.t WHERE id >= << id >> ORDER BY id",
    ),
    (
        "called",
        "/*---\ndescription: A function.\nsource: shop\ntable_format: csv\n---*/\nSELECT authored.twice(<< id >>) AS n",
    ),
    (
        "felt",
        "/*---\ndescription: An enum.\nsource: shop\ntable_format: csv\n---*/\n\
         SELECT id FROM authored.t WHERE mood = << mood >> AND id >= << id >>",
    ),
];

async fn loaded(dir: &Path, locking: Locking) -> (Workspace, Vec<qtool::tool::Tool>) {
    let mut workspace = Workspace::load(dir).unwrap();
    workspace.read_data(locking, |_| {}).await;
    let compiled = workspace.compile();
    assert_eq!(compiled.errors, 0, "{:?}", compiled.diagnostics);
    (workspace, compiled.tools)
}

fn served(dir: &Path) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    run_in_postgres(SETUP)?;
    use_address(ADDRESS, &std::env::var(POSTGRES)?.replacen("postgres@", "qtool_authored@", 1));
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    for (name, sql) in QUERIES {
        std::fs::write(dir.join(format!("queries/{name}.sql")), sql)?;
    }
    let dir = dir.to_path_buf();
    Ok(block_on(async move {
        let (workspace, tools) = loaded(&dir, Locking::Write).await;
        let project = workspace.project;
        let tables = Tables::open(&dir, &project.file, &project.catalog).await.unwrap();
        Arc::new(Engine::prepare(tables, tools))
    }))
}

/// The rows of a call, else its error with what the log says of it.
fn call(engine: &Arc<Engine>, tool: &'static str) -> String {
    let engine = Arc::clone(engine);
    block_on(async move {
        let mut arguments = Arguments::new();
        arguments.insert("id".to_owned(), 1.into());
        if tool == "felt" {
            arguments.insert("mood".to_owned(), "ok".into());
        }
        match engine.call(tool, &arguments).await {
            Ok(result) => result.table().trim_end().replace('\n', ";"),
            Err(error) => {
                let log = error.detail.as_ref().map(|detail| detail.text().to_owned()).unwrap_or_default();
                format!("{} | {log}", error.line())
            }
        }
    })
}

/// A right that is taken away is told as one, and to an agent without the SQL; it is back when it is back.
pub(crate) fn a_right_that_is_taken_away_is_told() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path())?;
    let tools = ["joined", "own", "called"];
    let before: Vec<String> = tools.iter().map(|tool| call(&engine, tool)).collect();
    assert_eq!(before, ["id,price;1,12.50;2,7.00", "id,price;1,12.50;2,7.00", "n;2"]);
    for round in 0..3 {
        run_in_postgres(
            "REVOKE SELECT ON authored.t FROM qtool_authored; REVOKE EXECUTE ON FUNCTION authored.twice FROM qtool_authored",
        )?;
        for tool in tools {
            let told = call(&engine, tool);
            let (to_agent, log) = told.split_once(" | ").unwrap_or_default();
            assert!(to_agent.starts_with("source-unavailable: "), "{tool} in round {round}: {told}");
            assert!(!to_agent.contains("authored") && !to_agent.contains("SELECT"), "{told}");
            let rights = if tool == "joined" { "may not read table `t`" } else { "may not do all that `" };
            assert!(log.contains(rights) && log.contains("GRANT SELECT"), "{told}");
        }
        run_in_postgres(
            "GRANT SELECT ON authored.t TO qtool_authored; GRANT EXECUTE ON FUNCTION authored.twice TO qtool_authored",
        )?;
        let after: Vec<String> = tools.iter().map(|tool| call(&engine, tool)).collect();
        assert_eq!(after, before, "round {round}");
    }
    // Numbers that have other digits are told to be others, and those that fit are read.
    run_in_postgres("ALTER TABLE authored.t ALTER price TYPE numeric(12,4)")?;
    assert_eq!(call(&engine, "own"), "id,price;1,12.50;2,7.00");
    run_in_postgres("UPDATE authored.t SET price = 7.0625 WHERE id = 2")?;
    for _ in 0..3 {
        let told = call(&engine, "own");
        assert!(told.starts_with("data-changed: ") && told.contains("`own` reads is not what it was"), "{told}");
    }
    // Labels that come are taken over when the statement is locked anew.
    assert_eq!(call(&engine, "felt"), "id;1");
    run_in_postgres("ALTER TYPE authored.mood ADD VALUE 'glad'")?;
    let lock = || std::fs::read_to_string(folder.path().join("snapshots/statements/felt.snap"));
    assert!(lock()?.contains("<< mood text one of [\"sad\", \"ok\"]\n"), "{}", lock()?);
    let dir = folder.path().to_path_buf();
    let (changed, allowed) = block_on(async move {
        let (mut workspace, _) = loaded(&dir, Locking::Write).await;
        let relocked = workspace.relock_statements(|_| {}).await;
        let tools = workspace.compile().tools;
        let felt = tools.iter().find(|tool| tool.contract.name == "felt").unwrap();
        let allowed = felt.contract.parameter("mood").unwrap().constraints.allowed_values.clone();
        (relocked.into_iter().filter(|(_, is_other)| *is_other).map(|(name, _)| name).collect::<Vec<_>>(), allowed)
    });
    assert!(changed.iter().any(|name| name == "felt") && !changed.iter().any(|name| name == "called"), "{changed:?}");
    assert_eq!(allowed.map(|allowed| allowed.len()), Some(3), "{}", lock()?);
    Ok(())
}
