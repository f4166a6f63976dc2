use super::write::Written;
use super::*;
use tempfile::TempDir;

const CONTRACT_TEXT: &str = "apiVersion: v3.0.0
kind: DataContract
id: example-todo
name: To do
version: 1.0.0
schema:
  - name: items
    physicalType: jsonl
    properties:
      - { name: id, logicalType: string, primaryKey: true, required: true }
      - { name: title, logicalType: string }
      - { name: depends, logicalType: array }
      - { name: price, logicalType: string, x-derived: true }
      - { name: peer, logicalType: string, x-derived: true }
      - { name: shout, logicalType: string, x-derived: true, x-inputs: [title] }
      - { name: total, logicalType: integer, x-derived: true }
      - { name: count, logicalType: integer, x-derived: true }
";

const FILES: [(&str, &str); 15] = [
    ("to-do/contract.yaml", CONTRACT_TEXT),
    ("to-do/records.jsonl", "{\"id\": \"a\", \"title\": \"x\"}\n"),
    ("to-do/provenance.jsonl", ""),
    (
        "to-do/README.md",
        "---\npurpose: Plans.\ndefault_actor: \"agent:desk\"\ntags: [plans]\nlinks: { a: b }\n---\n# x\n",
    ),
    ("to-do/prices.csv", "key,price\na,1\n"),
    ("to-do/notes.txt", "x"),
    ("to-do/.lock", ""),
    (
        "to-do/derivations/price.yaml",
        "kind: import\ntargets: [price]\nsource: prices.csv\nkey_field: key\nvalue_field: price\n",
    ),
    (
        "to-do/derivations/peer.yaml",
        "kind: cross_sheet\ntargets: [peer]\nsource_sheet: ../people\nkey_field: id\nvalue_field: title\n",
    ),
    (
        "to-do/derivations/shout.yaml",
        "kind: sql\ntargets: [shout]\ninputs: [title]\nexpression: |\n  -- loud\n  SELECT upper(?) AS s;\n",
    ),
    ("to-do/derivations/total.yaml", "kind: sql\ntargets: [total]\nexpression: SELECT count(*) FROM records\n"),
    ("to-do/derivations/count.yaml", "kind: python\ntargets: [count]\ninputs: [depends]\nscript: count\n"),
    ("to-do/scripts/count.py", "print(0)\n"),
    ("to-do/skills/daily.md", "---\nname: daily\ndescription: Look.\n---\nLook.\n"),
    ("to-do/skills/broken.md", "no front matter\n"),
];

fn people() -> String {
    CONTRACT_TEXT.replace("example-todo", "people")
}

fn put(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn sheets(folder: &Path) {
    FILES.iter().for_each(|(path, text)| put(folder, path, text));
    put(folder, "people/contract.yaml", &people());
}

fn imported(path: &Path, dir: &Path) -> Result<(Written, Imported), String> {
    let mut said = Imported::default();
    let sheets = read(path, dir, &mut said).map_err(|why| why.to_string())?;
    let written = write(dir, sheets, &mut said).map_err(|why| why.to_string())?;
    Ok((written, said))
}

fn left(said: &Imported) -> Vec<&str> {
    said.left_out.iter().map(|(what, _)| what.as_str()).collect()
}

fn files(folder: &Path) -> Vec<String> {
    disk::listing(folder).unwrap().files
}

#[test]
fn sheets_are_copied_with_what_qtool_reads_of_them() {
    let (from, to) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let project = to.path().join("desk");
    sheets(from.path());
    let (written, said) = imported(from.path(), &project).unwrap();
    assert!(written.made_project && written.by_hand.is_none());
    assert_eq!(
        files(&project),
        [
            "qtool.yaml",
            "records/people/contract.yaml",
            "records/people/records.jsonl",
            "records/to-do/README.md",
            "records/to-do/contract.yaml",
            "records/to-do/derivations/count.yaml",
            "records/to-do/derivations/peer.yaml",
            "records/to-do/derivations/price.yaml",
            "records/to-do/derivations/total.yaml",
            "records/to-do/prices.csv",
            "records/to-do/provenance.jsonl",
            "records/to-do/records.jsonl",
            "records/to-do/scripts/count.py",
            "records/to-do/skills/daily.md",
        ]
    );
    assert_eq!(
        std::fs::read_to_string(project.join("qtool.yaml")).unwrap(),
        "name: \"desk\"\nrecords:\n  people:\n    path: records/people\n  to_do:\n    path: records/to-do\n    actor: \"agent:desk\"\n    tags: [plans]\n    derived:\n      shout:\n        sql: |-\n          -- loud\n          SELECT upper(<< title >>) AS s\n"
    );
    let expected = [
        "`to-do/derivations/count.yaml`",
        "`to-do/derivations/total.yaml`",
        "`to-do/skills/broken.md`",
        "`to-do/notes.txt`",
    ];
    assert_eq!(left(&said), expected);
    assert!(said.notes.iter().any(|note| note.contains("`links`")), "{:?}", said.notes);
    assert!(!project.join(format!(".qtool-import-{}", std::process::id())).exists());
}

#[test]
fn what_is_there_already_stays() {
    let (from, to) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    sheets(from.path());
    let own = "# mine\nname: x\nrecords:\n  others: { path: others }\n";
    put(to.path(), "qtool.yaml", own);
    put(to.path(), "records/people/contract.yaml", "mine\n");
    let (written, said) = imported(from.path(), to.path()).unwrap();
    assert_eq!(written.records, [("to_do".to_owned(), "records/to-do".to_owned())]);
    assert!(left(&said).contains(&"`records/people`"));
    assert_eq!(std::fs::read_to_string(to.path().join("records/people/contract.yaml")).unwrap(), "mine\n");
    let text = std::fs::read_to_string(to.path().join("qtool.yaml")).unwrap();
    assert!(text.starts_with(own) && text.contains("\n  to_do:\n    path: records/to-do\n"), "{text}");

    let (written, said) = imported(from.path(), to.path()).unwrap();
    assert!(written.records.is_empty() && left(&said).contains(&"`records/to-do`"));
    assert_eq!(std::fs::read_to_string(to.path().join("qtool.yaml")).unwrap(), text);
}

#[test]
fn entries_that_cannot_be_inserted_are_for_the_hand() {
    let (from, to) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    put(from.path(), "people/contract.yaml", &people());
    let own = "name: x\nrecords: { others: { path: others } }\n";
    put(to.path(), "qtool.yaml", own);
    let (written, _) = imported(from.path(), to.path()).unwrap();
    assert_eq!(written.by_hand.as_deref(), Some("people:\n  path: records/people\n"));
    assert_eq!(std::fs::read_to_string(to.path().join("qtool.yaml")).unwrap(), own);
}

#[test]
fn sheets_of_the_project_stay_where_they_are() {
    let dir = TempDir::new().unwrap();
    sheets(&dir.path().join("sheets"));
    let before = files(dir.path());
    let (written, said) = imported(&dir.path().join("sheets"), dir.path()).unwrap();
    assert_eq!(written.records[1], ("to_do".to_owned(), "sheets/to-do".to_owned()));
    let mut after = files(dir.path());
    after.retain(|file| file != "qtool.yaml");
    assert_eq!(after, before);
    let text = std::fs::read_to_string(dir.path().join("qtool.yaml")).unwrap();
    assert!(text.contains("path: sheets/to-do\n") && !text.contains("derived"), "{text}");
    let (_, why) = said.left_out.iter().find(|(what, _)| what.contains("shout")).unwrap();
    assert!(why.contains("remove the file") && why.contains("shout: { sql: "), "{why}");
    assert!(said.notes.iter().any(|note| note.contains("`people`: it has no `records.jsonl`")), "{:?}", said.notes);
}

#[test]
fn a_sheet_alone_has_none_beside_it() {
    let (from, to) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    sheets(from.path());
    let (written, said) = imported(&from.path().join("to-do"), to.path()).unwrap();
    assert_eq!(written.records, [("to_do".to_owned(), "records/to-do".to_owned())]);
    let (_, why) = said.left_out.iter().find(|(what, _)| what == "`to-do/derivations/peer.yaml`").unwrap();
    assert!(why.contains("import the folder above both"), "{why}");
    assert!(!to.path().join("records/to-do/derivations/peer.yaml").exists());
}

#[test]
fn what_is_no_sheet_is_told() {
    let (from, to) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    put(from.path(), "x/notes.txt", "x");
    assert!(imported(from.path(), to.path()).unwrap_err().contains("has no sheet"));
    assert!(imported(&from.path().join("gone"), to.path()).unwrap_err().contains("no such file"));
    assert!(imported(&from.path().join("x/notes.txt"), to.path()).unwrap_err().contains("is no folder"));
    put(from.path(), "a/contract.yaml", &people());
    assert!(imported(&from.path().join("a"), &from.path().join("a")).unwrap_err().contains("would lie in the sheet"));
    put(from.path(), "a/contract.yaml", &people().replace("primaryKey: true, ", ""));
    put(from.path(), "b/team/contract.yaml", &people());
    put(from.path(), "c/team/contract.yaml", &people());
    put(from.path(), "1/contract.yaml", &people());
    let (written, said) = imported(from.path(), to.path()).unwrap();
    assert_eq!(written.records, [("team".to_owned(), "records/b/team".to_owned())]);
    assert_eq!(left(&said), ["`1`", "`a`", "`c/team`"]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let (from, to) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    sheets(from.path());
    put(to.path(), "secret.md", "x");
    std::os::unix::fs::symlink(to.path().join("secret.md"), from.path().join("to-do/scripts/link.py")).unwrap();
    std::os::unix::fs::symlink(from.path().join("people"), from.path().join("linked")).unwrap();
    let project = to.path().join("p");
    let (written, said) = imported(from.path(), &project).unwrap();
    assert_eq!(written.records.len(), 2);
    assert!(left(&said).contains(&"`to-do/scripts/link.py`") && left(&said).contains(&"`linked`"));
    assert!(!project.join("records/to-do/scripts/link.py").exists());
    std::os::unix::fs::symlink(from.path(), to.path().join("records")).unwrap();
    assert!(imported(from.path(), to.path()).unwrap_err().contains("leads out of the project"));
}

#[test]
fn what_fails_leaves_nothing_behind() {
    let (from, to) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    sheets(from.path());
    put(to.path(), "records", "a file in the way\n");
    assert!(imported(from.path(), to.path()).is_err());
    assert_eq!(files(to.path()), ["records"]);
    let left: Vec<_> = std::fs::read_dir(to.path()).unwrap().collect();
    assert_eq!(left.len(), 1);
    put(to.path(), "b/qtool.yaml", "name: [\n");
    assert!(imported(from.path(), &to.path().join("b")).unwrap_err().contains("cannot be read"));
    assert_eq!(files(&to.path().join("b")), ["qtool.yaml"]);
}
