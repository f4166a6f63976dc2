//! What happens to calls when something happens to the server of their database: over HTTP, with servers that are killed. Each
//! call has a code, is over in time, and tells the agent nothing of where the database is and what is asked there.

mod own_server;

use crate::cases::block_on;
use crate::http::{Running, exchange, post};
use crate::proxy::Proxy;
use own_server::{Kind, OwnServer, PASSWORD};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The variable that holds the address.
const VARIABLE: &str = "QTOOL_TEST_FAULTY";
/// No call takes longer than its own time, 2 s, and what a debug build takes beside other tests.
const LONGEST: Duration = Duration::from_secs(4);
/// A server that is back is asked again after at most so long.
const BACK: Duration = Duration::from_secs(40);
/// What no agent is told: whatever has this word in it, and words of SQL.
const SECRETS: [&str; 4] = ["canary", "127.0.0.1", "localhost", "SELECT"];

const QUERIES: [(&str, &str); 4] = [
    ("by_id", "/*---\ndescription: Of a table.\ntimeout: 2s\n---*/\nSELECT id FROM t WHERE id = << id >>"),
    (
        "own",
        "/*---\ndescription: Own SQL.\nsource: shop\ntimeout: 2s\n---*/\nSELECT id FROM canary_t WHERE id = << id >>",
    ),
    ("slowly", "/*---\ndescription: Slowly.\ntimeout: 6s\n---*/\nSELECT id FROM slow WHERE id = << id >>"),
    ("of_file", "/*---\ndescription: Of a file.\n---*/\nSELECT id FROM f WHERE id = << id >>"),
];

/// Over PostgreSQL.
pub(crate) fn of_postgres() -> crate::Outcome {
    all_faults(Kind::Postgres)
}

/// Over MariaDB.
pub(crate) fn of_mariadb() -> crate::Outcome {
    all_faults(Kind::Mariadb)
}

fn all_faults(kind: Kind) -> crate::Outcome {
    let server = OwnServer::start(kind)?;
    let folder = tempfile::tempdir()?;
    let faults = Faults { server, dir: folder.path() };
    std::fs::create_dir_all(faults.dir.join("queries"))?;
    std::fs::write(faults.dir.join("f.csv"), "id\n1\n")?;
    for (name, sql) in QUERIES {
        std::fs::write(faults.dir.join(format!("queries/{name}.sql")), sql)?;
    }
    faults.write("")?;
    let locked = faults.qtool(&["lock"], &faults.address("127.0.0.1"))?;
    assert!(locked.0, "{}", locked.1);
    faults.a_table_that_is_dropped()?;
    faults.a_password_that_is_wrong()?;
    faults.certificates_that_are_wrong()?;
    faults.connections_that_are_all_taken()?;
    faults.a_server_that_stalls()?;
    faults.a_server_that_stalls_when_it_is_asked_about_tables()?;
    faults.a_server_that_is_killed()?;
    faults.a_server_that_is_down_at_the_start()
}

struct Faults<'a> {
    server: OwnServer,
    dir: &'a Path,
}

/// A server of tools under test.
struct Tools<'a> {
    running: Running,
    faults: &'a Faults<'a>,
}

impl Faults<'_> {
    /// Writes the project; `more` are further keys of the source.
    fn write(&self, more: &str) -> std::io::Result<()> {
        let kind = self.server.kind.name();
        let project = format!(
            "name: faults\nsources: {{ shop: {{ type: {kind}, url_env: {VARIABLE}, connect_timeout: 1s{more} }} }}\ntables:\n  \
             t: {{ source: shop, table: canary_t }}\n  slow: {{ source: shop, table: canary_slow }}\n  f: {{ path: f.csv }}\n"
        );
        std::fs::write(self.dir.join("qtool.yaml"), project)
    }

    fn address(&self, host: &str) -> String {
        self.server.address(host, PASSWORD)
    }

    /// Runs a command: whether it succeeded, and what it said.
    fn qtool(&self, arguments: &[&str], address: &str) -> std::io::Result<(bool, String)> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qtool"));
        let output = command.args(arguments).current_dir(self.dir).env(VARIABLE, address).output()?;
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        Ok((output.status.success(), said))
    }

    fn serve(&self, address: &str) -> Result<Tools<'_>, Box<dyn std::error::Error>> {
        Ok(Tools { running: Running::start_with(self.dir, &[], &[(VARIABLE, address)])?, faults: self })
    }

    fn a_table_that_is_dropped(&self) -> crate::Outcome {
        let tools = self.serve(&self.address("127.0.0.1"))?;
        tools.work()?;
        self.server.run("DROP TABLE canary_t")?;
        for _ in 0..2 {
            tools.expect("by_id", "data-changed")?;
            tools.expect("own", "data-changed")?;
            tools.expect("of_file", "ok")?;
        }
        self.server.run(self.server.kind.table())?;
        tools.work_soon()
    }

    fn a_password_that_is_wrong(&self) -> crate::Outcome {
        let tools = self.serve(&self.server.address("127.0.0.1", "canary%20wrong"))?;
        tools.are_unavailable()
    }

    /// Nobody whom the machine trusts has signed the certificate, or it is for another name.
    fn certificates_that_are_wrong(&self) -> crate::Outcome {
        let Some(authority) = self.server.authority() else { return Ok(()) };
        std::fs::copy(authority, self.dir.join("ca.pem"))?;
        for (host, tls, is_right) in [
            ("localhost", "mode: verify-full", false),
            ("127.0.0.1", "ca: ca.pem", false),
            ("localhost", "ca: ca.pem", true),
        ] {
            self.write(&format!(", tls: {{ {tls} }}"))?;
            let tools = self.serve(&self.address(host))?;
            if is_right { tools.work()? } else { tools.are_unavailable()? }
        }
        Ok(self.write("")?)
    }

    fn connections_that_are_all_taken(&self) -> crate::Outcome {
        // Of our own there is one, and it is in use.
        self.write(", max_connections: 1")?;
        let tools = self.serve(&self.address("127.0.0.1"))?;
        tools.work()?;
        std::thread::scope(|scope| {
            let slow = scope.spawn(|| tools.call("slowly").map_err(|error| error.to_string()));
            std::thread::sleep(Duration::from_millis(500));
            tools.expect("by_id", "busy")?;
            tools.expect("of_file", "ok")?;
            let (code, took) = slow.join().map_err(|_| "the call ended otherwise")??;
            assert!(code == "timeout" && took < Duration::from_secs(8), "{code} after {took:?}");
            Ok::<_, Box<dyn std::error::Error>>(())
        })?;
        tools.work_soon()?;
        self.write("")?;
        // All of the server are.
        let taken = self.server.take_all_connections()?;
        let tools = self.serve(&self.address("127.0.0.1"))?;
        tools.are_unavailable()?;
        block_on(async move { drop(taken) });
        tools.work_soon()
    }

    fn a_server_that_stalls(&self) -> crate::Outcome {
        let proxy = Proxy::of_server(self.server.place.clone())?;
        let tools = self.serve(&self.server.address_at(&proxy.place.to_string(), PASSWORD))?;
        tools.work()?;
        proxy.stall();
        for _ in 0..4 {
            let (code, _) = tools.call("by_id")?;
            assert!(["timeout", "source-unavailable"].contains(&code.as_str()), "{code}");
            tools.expect("of_file", "ok")?;
        }
        tools.expect("by_id", "source-unavailable")?;
        proxy.go_on();
        tools.work_soon()
    }

    /// It speaks until somebody is let in, and then says nothing more: a start and a check come to their ends.
    fn a_server_that_stalls_when_it_is_asked_about_tables(&self) -> crate::Outcome {
        let proxy = Proxy::of_server(self.server.place.clone())?;
        let address = self.server.address_at(&proxy.place.to_string(), PASSWORD);
        proxy.stall_at(self.server.kind.word_of_descriptions());
        let began = Instant::now();
        let tools = self.serve(&address)?;
        assert!(began.elapsed() < Duration::from_secs(20), "the start took {:?}", began.elapsed());
        tools.expect("of_file", "ok")?;
        proxy.go_on();
        tools.work_soon()?;
        proxy.stall_at(self.server.kind.word_of_descriptions());
        let began = Instant::now();
        let (is_fine, said) = self.qtool(&["describe", "--source", "shop"], &address)?;
        assert!(!is_fine && said.contains("does not answer within"), "{said}");
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        proxy.go_on();
        Ok(())
    }

    fn a_server_that_is_killed(&self) -> crate::Outcome {
        let tools = self.serve(&self.address("127.0.0.1"))?;
        tools.work()?;
        std::thread::scope(|scope| {
            let slow = scope.spawn(|| tools.call("slowly").map_err(|error| error.to_string()));
            std::thread::sleep(Duration::from_millis(700));
            self.server.kill()?;
            let (code, took) = slow.join().map_err(|_| "the call ended otherwise")??;
            assert!(code == "source-unavailable" && took < Duration::from_secs(6), "{code} after {took:?}");
            Ok::<_, Box<dyn std::error::Error>>(())
        })?;
        tools.are_unavailable()?;
        self.server.run_again()?;
        tools.work_soon()
    }

    fn a_server_that_is_down_at_the_start(&self) -> crate::Outcome {
        self.server.kill()?;
        let tools = self.serve(&self.address("127.0.0.1"))?;
        tools.are_unavailable()?;
        self.server.run_again()?;
        tools.work_soon()?;
        let ready = tools.ready()?;
        assert_eq!(ready, "ready\n");
        Ok(())
    }
}

impl Tools<'_> {
    /// The code of a call, and how long it took. Nothing is told that is nobody's business.
    fn call(&self, tool: &str) -> Result<(String, Duration), Box<dyn std::error::Error>> {
        let sent = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {"id": 1}}});
        let began = Instant::now();
        let answer = post(&self.running.address, "/mcp", "", &sent.to_string())?;
        let took = began.elapsed();
        let port = self.faults.server.place.rsplit(':').next().unwrap_or_default();
        let body = answer.rsplit_once("\r\n\r\n").map_or("", |(_, body)| body);
        if let Some(secret) = SECRETS.iter().chain([&port]).find(|secret| body.contains(**secret)) {
            return Err(format!("{tool} tells `{secret}`: {body}").into());
        }
        let json = body.lines().find(|line| line.starts_with('{')).unwrap_or(body);
        let json: Value = serde_json::from_str(json)?;
        let code = json["result"]["_meta"]["qtool/error"]["code"].as_str().unwrap_or("ok");
        Ok((code.to_owned(), took))
    }

    fn expect(&self, tool: &str, expected: &str) -> crate::Outcome {
        let (code, took) = self.call(tool)?;
        match code == expected && took < LONGEST {
            true => Ok(()),
            false => {
                Err(format!("{:?}: {tool} is `{code}` after {took:?}, not `{expected}`", self.faults.server.kind)
                    .into())
            }
        }
    }

    fn work(&self) -> crate::Outcome {
        ["by_id", "own", "of_file"].iter().try_for_each(|tool| self.expect(tool, "ok"))
    }

    /// All of them work before the server is asked again at the latest.
    fn work_soon(&self) -> crate::Outcome {
        let began = Instant::now();
        while let Err(error) = self.work() {
            if began.elapsed() > BACK {
                return Err(format!("{:?} later: {error}", began.elapsed()).into());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    /// Those over the database say that it is, which is told of the server, and the others work.
    fn are_unavailable(&self) -> crate::Outcome {
        for _ in 0..2 {
            self.expect("by_id", "source-unavailable")?;
            self.expect("own", "source-unavailable")?;
            self.expect("of_file", "ok")?;
        }
        let ready = self.ready()?;
        match ready == "ready, though these databases cannot be reached: shop\n" {
            true => Ok(()),
            false => Err(format!("/readyz says {ready:?}").into()),
        }
    }

    fn ready(&self) -> std::io::Result<String> {
        let address = &self.running.address;
        let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        let answer = exchange(address, request.as_bytes())?;
        Ok(answer.split_once("\r\n\r\n").map_or_else(String::new, |(_, body)| body.to_owned()))
    }
}
