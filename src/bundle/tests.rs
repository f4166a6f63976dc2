//! What must hold of bundles whatever is in them.

use super::scan::{Machine, scan};
use super::*;
use crate::catalog::{Column, Table};
use arrow::datatypes::DataType;

fn bundle() -> Bundle {
    let column = |name: &str, arrow, nullable| Column { name: name.to_owned(), arrow, nullable };
    let table = Table::of_columns(vec![column("id", DataType::Int64, false), column("a b", DataType::Utf8View, true)]);
    let file: ProjectFile = serde_json::from_value(serde_json::json!({
        "name": "flights", "tables": {"t": {"path": "data/t.csv"}}, "limits": {"cache": "1MiB"},
    }))
    .unwrap();
    Bundle {
        manifest: Manifest {
            qtool: "0.1.0".to_owned(),
            contract: contract::contract_hash(&[], &[], &[]),
            inputs: BTreeMap::from([("qtool.yaml".to_owned(), sha256(b"name: flights"))]),
            needs: Default::default(),
        },
        file,
        tools: Vec::new(),
        prompts: Vec::new(),
        offered: Vec::new(),
        catalog: Catalog { tables: [("t".to_owned(), table)].into_iter().collect() },
        files: BTreeMap::from([("a".to_owned(), b"1,2\n".to_vec()), ("b".to_owned(), vec![0, 255, 0])]),
    }
}

#[test]
fn a_bundle_reads_back_as_itself_with_anything_round_it() {
    let written = bundle().write().unwrap();
    assert_eq!(written, bundle().write().unwrap(), "the same content gives the same bytes");
    for padding in [0, 1, 4095] {
        let padded = [written.as_slice(), &vec![0; padding]].concat();
        let read = Bundle::read(&padded).unwrap();
        assert_eq!(read.manifest, bundle().manifest);
        assert_eq!(read.catalog, bundle().catalog);
        assert_eq!(read.files, bundle().files);
        assert_eq!(read.write().unwrap(), written);
    }
}

#[test]
fn no_flipped_byte_goes_unseen() {
    let written = bundle().write().unwrap();
    for at in 0..written.len() {
        let mut bent = written.clone();
        bent[at] ^= 0x10;
        assert!(Bundle::read(&bent).is_err(), "byte {at}");
    }
    for length in 0..written.len() {
        assert!(Bundle::read(&written[..length]).is_err(), "cut at {length}");
    }
    assert!(Bundle::read(&[written.as_slice(), b"more"].concat()).is_err());
}

#[test]
fn secrets_and_folders_of_the_machine_are_found_and_not_repeated() {
    let machine = Machine::of(
        ["/srv/builds/work".to_owned(), "/".to_owned()],
        [("DB_PASSWORD", "correct horse"), ("API_TOKEN", "short"), ("PATH", "/usr/bin:/bin")]
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    let key = format!("AKIA{}", "ABCDEFGHIJKLMNOP");
    let text = format!("a /srv/builds/work/x b correct horse c {key} d https://me:pass@host/x e /usr/bin:/bin short");
    let found = scan(&text, &machine);
    let what: Vec<&str> = found.iter().map(|leak| leak.what.as_str()).collect();
    assert_eq!(
        what,
        [
            "a folder of this machine",
            "the value of the environment variable DB_PASSWORD",
            "an access key of AWS",
            "a password in a URL",
        ]
    );
    assert!(found.iter().all(|leak| !leak.what.contains("horse")));
    let harmless = "sha256: 3ba8d02b16fd2a01c1a8ba1a1f036d7ce386ed953696fa57331c2ac48a80b255 https://example.com/a@b s3://bucket/key";
    assert_eq!(scan(harmless, &machine), []);
}

#[test]
fn secrets_are_told_by_the_names_of_their_variables() {
    let is_secret = |name: &str, value: &str| {
        let variables = [(name.to_owned(), value.to_owned())].into_iter();
        Machine::of([], variables).secrets.len() == 1
    };
    for name in [
        "DB_PASS",
        "DB_PWD",
        "DSN",
        "SENTRY_DSN",
        "AUTH_BEARER",
        "PGPASS",
        "MYSQL_PWD",
        "SMTP_AUTH",
        "STRIPE_KEY",
        "db_pass",
        "Db-Pwd",
        "JWT",
        "AWS_CREDS",
        "KEY_PASSPHRASE",
        "SESSION_COOKIE",
        "API_KEY_2",
        "AZURE_CONN_STR",
    ] {
        assert!(is_secret(name, "hunter2hunter2"), "{name}");
        assert!(!is_secret(name, "production"), "{name}: a word");
        assert!(is_secret(name, "correct-horse-battery-staple"), "{name}: several words");
    }
    for name in ["PWD", "OLDPWD", "PATH", "KEYBOARD", "AUTHOR", "PASSENGERS", "TURNKEYS"] {
        assert!(!is_secret(name, "hunter2hunter2"), "{name}");
    }
    assert!(is_secret("DATABASE_URL", "postgres://me:hunter2@db/shop"), "a secret by its form");
}

#[test]
fn secrets_are_told_by_their_forms() {
    let machine = Machine::default();
    // Put together here: whole, they would be found in this file.
    for (first, second) in [
        ("sk_live", "_51HxAbCdEfGhIjKlMn"),
        ("rk_test", "_51HxAbCdEfGhIjKlMn"),
        ("whsec", "_AbCdEfGhIjKlMnOpQrSt"),
        ("SG", ".AbCdEfGhIjKlMnOpQr.AbCdEfGhIjKlMnOpQr"),
        ("me:hunter2@", "tcp(db:3306)/shop"),
        ("host=db user=me ", "password=hunter2"),
        ("Server=db;Uid=me;", "Pwd=hunter2;"),
        ("Authorization: ", "Bearer AbCdEfGhIjKlMnOp"),
        ("https://hooks.slack.com", "/services/T00000000/B00000000/XXXXXXXX"),
    ] {
        let secret = format!("{first}{second}");
        assert_eq!(scan(&format!("x {secret} y"), &machine).len(), 1, "{secret}");
    }
    for harmless in ["WHERE password = << password >>", "user = 'a' AND pwd = 'b'", "sk_test_mode", "https://a/b?sig=1"]
    {
        assert_eq!(scan(harmless, &machine), [], "{harmless}");
    }
}

#[test]
fn secrets_in_base64_are_found() {
    use base64::engine::Engine as _;
    use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};
    let variable = ("DB_PASS".to_owned(), "hunter2??>>~hunter2".to_owned());
    let machine = Machine::of([], [variable.clone()].into_iter());
    let key = format!("sk_live{}", "_51HxAbCdEfGhIjKlMn");
    for secret in [variable.1.as_str(), key.as_str()] {
        for before in ["", "u:", "us:", "use:"] {
            let whole = format!("{before}{secret}");
            for written in [STANDARD.encode(&whole), STANDARD_NO_PAD.encode(&whole), URL_SAFE.encode(&whole)] {
                for around in ["", "x", "xy", "xyz"] {
                    let text = format!("key: {around}{written}\nnext: line");
                    let found = scan(&text, &machine);
                    assert_eq!(found.len(), 1, "{text}");
                    assert!(found[0].what.ends_with(", in base64"), "{found:?}");
                }
            }
        }
        let long = STANDARD
            .encode(format!("{}{secret}{}", "a".repeat(50), "b".repeat(50)).replace(secret, &format!(" {secret} ")));
        let wrapped: Vec<&str> =
            (0..long.len()).step_by(60).map(|at| long.get(at..long.len().min(at + 60)).unwrap()).collect();
        assert_eq!(scan(&wrapped.join("\n  "), &machine).len(), 1, "{wrapped:?}");
    }
    let harmless = "cmVhZCB0aGUgb3JkZXJz 3ba8d02b16fd2a01c1a8ba1a1f036d7ce386ed953696fa57331c2ac48a80b255 queries/orders_by_status_and_day";
    assert_eq!(scan(harmless, &machine), []);
}
