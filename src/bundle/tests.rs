//! What must hold of bundles whatever is in them.

use super::scan::{Machine, scan};
use super::*;
use crate::catalog::{Column, Table};
use arrow::datatypes::DataType;

fn bundle() -> Bundle {
    let column = |name: &str, arrow, nullable| Column { name: name.to_owned(), arrow, nullable };
    let table = Table { columns: vec![column("id", DataType::Int64, false), column("a b", DataType::Utf8View, true)] };
    let file: ProjectFile = serde_json::from_value(serde_json::json!({
        "name": "flights", "tables": {"t": {"path": "data/t.csv"}}, "limits": {"cache": "1MiB"},
    }))
    .unwrap();
    Bundle {
        manifest: Manifest {
            qtool: "0.1.0".to_owned(),
            contract: contract::of(&[], &[]),
            inputs: BTreeMap::from([("qtool.yaml".to_owned(), sha256(b"name: flights"))]),
        },
        file,
        tools: Vec::new(),
        prompts: Vec::new(),
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
