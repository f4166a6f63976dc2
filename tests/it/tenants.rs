//! The caller's identity in a database: its own rules choose the rows of a tenant, whoever else calls over the same
//! connections.

use crate::cases::block_on;
use crate::servers::{POSTGRES, run_in_postgres};
use qtool::engine::bind::{Arguments, Caller};
use qtool::engine::{Engine, Tables, use_address};
use qtool::workspace::{Locking, Workspace};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The variable of the address of somebody whom the rules hold for: they do not for an administrator.
const ADDRESS: &str = "QTOOL_TEST_TENANTS";
/// The rows of a tenant.
const ROWS: usize = 20;
/// Calls under way at once, over four connections.
const AT_ONCE: usize = 32;

const SETUP: &str = "
    DROP SCHEMA IF EXISTS tenants CASCADE; CREATE SCHEMA tenants;
    DO $$ BEGIN CREATE ROLE qtool_tenants LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    CREATE TABLE tenants.orders (id int PRIMARY KEY, tenant text NOT NULL, note text NOT NULL, paid numeric(10,2));
    INSERT INTO tenants.orders SELECT n, CASE n % 2 WHEN 0 THEN 'even' ELSE '7' END, 'note ' || n, n
    FROM generate_series(1, 40) AS n;
    ALTER TABLE tenants.orders ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON tenants.orders USING (tenant = current_setting('app.tenant', true));
    GRANT USAGE ON SCHEMA tenants TO qtool_tenants; GRANT SELECT ON tenants.orders TO qtool_tenants;";

const PROJECT: &str = "\
name: tenants
auth: { resource: 'https://shop.example', authorization_servers: [{ issuer: 'https://login.example', jwks_url: 'https://login.example/keys' }] }
sources:
  shop: { type: postgres, url_env: QTOOL_TEST_TENANTS, max_connections: 4, session: { app.tenant: claim.org.tenant } }
tables:
  orders: { source: shop, table: tenants.orders }
";

const QUERIES: [(&str, &str); 6] = [
    ("rows", "/*---\ndescription: Rows.\n---*/\nSELECT tenant, count(*) AS n FROM orders GROUP BY tenant"),
    ("found", "/*---\ndescription: A row.\n---*/\nSELECT tenant, 20 AS n FROM orders WHERE id >= << id >> LIMIT 1"),
    ("base", "/*---\nkind: view\n---*/\nSELECT tenant, id FROM orders"),
    ("viewed", "/*---\ndescription: Through a view.\n---*/\nSELECT tenant, count(id) AS n FROM base GROUP BY tenant"),
    (
        "own",
        "/*---\ndescription: Its own SQL.\nsource: shop\n---*/\nSELECT tenant, count(*) AS n FROM tenants.orders GROUP BY tenant",
    ),
    (
        "kept",
        "/*---\ndescription: A result that is kept.\ncache_ttl: 1h\n---*/\nSELECT max(tenant) AS tenant, count(*) AS n FROM orders",
    ),
];

fn served(dir: &Path) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    run_in_postgres(SETUP)?;
    use_address(ADDRESS, &std::env::var(POSTGRES)?.replacen("postgres@", "qtool_tenants@", 1));
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    for (name, sql) in QUERIES {
        std::fs::write(dir.join(format!("queries/{name}.sql")), sql)?;
    }
    let dir = dir.to_path_buf();
    Ok(block_on(async move {
        let mut workspace = Workspace::load(&dir).unwrap();
        workspace.read_data(Locking::Write, |_| {}).await;
        let compiled = workspace.compile();
        assert_eq!(compiled.errors, 0, "{:?}", compiled.diagnostics);
        let project = workspace.project;
        let tables = Tables::open(&dir, &project.file, &project.catalog).await.unwrap();
        Arc::new(Engine::prepare(tables, compiled.tools))
    }))
}

/// The rows of a call, or the code of its error.
async fn answer(engine: &Engine, tool: &str, tenant: &Value) -> Value {
    let mut caller = Caller::default();
    if !tenant.is_null() {
        caller.claims.insert("org".to_owned(), json!({"tenant": tenant}));
    }
    let arguments = if tool == "found" { json!({"id": 1}) } else { json!({}) };
    let arguments: Arguments = arguments.as_object().cloned().unwrap_or_default();
    match engine.call_as(tool, &arguments, &caller).await {
        Ok(result) => json!(result.rows.values()),
        Err(error) => error.code.as_str().into(),
    }
}

/// No tenant sees the rows of another, whatever else goes on over the connections; and nobody sees any who is none.
pub(crate) fn tenants_see_their_own_rows() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path())?;
    let rows_of = |tenant: &str| json!([[tenant, ROWS]]);
    block_on(async move {
        let tools = ["rows", "found", "viewed", "own", "kept"];
        for tool in tools {
            for nobody in [Value::Null, json!(""), json!(["even"]), json!({})] {
                assert_eq!(answer(&engine, tool, &nobody).await, json!("not-permitted"), "{tool} of {nobody}");
            }
        }
        for round in 0..6 {
            let calls = (0..AT_ONCE).map(|at| {
                let (engine, tool) = (Arc::clone(&engine), tools[(at / 2 + round) % tools.len()]);
                tokio::spawn(async move {
                    // One of them has a number for a name.
                    let (claim, tenant) = if at % 2 == 0 { (json!("even"), "even") } else { (json!(7), "7") };
                    assert_eq!(answer(&engine, tool, &claim).await, rows_of(tenant), "{tool} of {tenant}");
                })
            });
            for call in calls.collect::<Vec<_>>() {
                call.await.unwrap();
            }
            // Connections that are lost are made anew, and told anew.
            if round % 2 == 1 {
                tokio::task::spawn_blocking(|| {
                    run_in_postgres(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'qtool_tenants'",
                    )
                    .map_err(|error| error.to_string())
                })
                .await
                .unwrap()
                .unwrap();
            }
        }
        for other in [json!("nobody"), json!("even' OR true --"), json!("%")] {
            assert_eq!(answer(&engine, "own", &other).await, json!([]), "{other}");
            assert_eq!(answer(&engine, "rows", &other).await, json!([]), "{other}");
        }
    });
    Ok(())
}
