//! A change breaks the tools that use what has changed, and no other.

use super::*;
use crate::compile;
use crate::diagnostic::Diagnostics;
use crate::project::{Project, ProjectFile, QueryFile};
use crate::source::Sources;
use crate::yaml::Document;
use arrow::datatypes::DataType;

const QUERIES: [(&str, &str); 7] = [
    ("all", "SELECT * FROM a"),
    ("counted", "SELECT count(*) AS n FROM a"),
    ("filtered", "SELECT count(*) AS n FROM a WHERE size > << least >>"),
    ("joined", "SELECT b.name FROM a JOIN b ON a.id = b.id ORDER BY b.name"),
    ("kept", "WITH w AS (SELECT id, size FROM a) SELECT id FROM w ORDER BY id LIMIT 3"),
    // Without the column, the one of the outer table would be meant.
    ("outer_one", "SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE name = 'x') ORDER BY id LIMIT 3"),
    ("other", "SELECT id FROM b ORDER BY id LIMIT 3"),
];

fn catalog() -> Catalog {
    let column = |name: &str, arrow| Column { name: name.to_owned(), arrow, nullable: false };
    let a = vec![column("id", DataType::Int64), column("size", DataType::Int64), column("name", DataType::Utf8)];
    let b = vec![column("id", DataType::Int64), column("name", DataType::Utf8)];
    Catalog {
        tables: [("a", a), ("b", b)]
            .into_iter()
            .map(|(name, columns)| (name.to_owned(), Table::of_columns(columns)))
            .collect(),
    }
}

fn tools() -> Vec<Tool> {
    let mut sources = Sources::default();
    let yaml = "name: drift\ntables:\n  a: { path: a.csv }\n  b: { path: b.csv }\n";
    let project_file = sources.add("qtool.yaml".to_owned(), yaml.to_owned());
    let queries = QUERIES.map(|(name, sql)| {
        QueryFile::alone(
            sources.add(format!("queries/{name}.sql"), format!("/*--- {{ description: A query. }} ---*/\n{sql}\n")),
            name,
        )
    });
    let file: ProjectFile = serde_json::from_value(serde_json::json!({
        "name": "drift", "tables": {"a": {"path": "a.csv"}, "b": {"path": "b.csv"}},
    }))
    .unwrap();
    let yaml = sources.get(project_file).unwrap();
    let document = Document::parse(yaml, yaml.whole(), &mut Diagnostics::default());
    let project = Project {
        sources,
        file,
        document: document.unwrap(),
        queries: queries.to_vec(),
        prompts: Vec::new(),
        catalog: catalog(),
        allowed_values: HashMap::new(),
        statements: HashMap::new(),
        records: Default::default(),
        upstreams: Default::default(),
    };
    let compilation = compile::compile(&project, Diagnostics::default());
    assert_eq!(compilation.tools.len(), QUERIES.len(), "{:?}", compilation.diagnostics);
    compilation.tools
}

fn broken_by(change: impl Fn(&mut Vec<Column>, &mut Vec<Column>)) -> Vec<String> {
    let (locked, mut now) = (catalog(), catalog());
    let mut columns = |name: &str| std::mem::take(&mut now.tables.get_mut(name).unwrap().columns);
    let (mut a, mut b) = (columns("a"), columns("b"));
    change(&mut a, &mut b);
    now.tables.insert("a".to_owned(), Table::of_columns(a));
    now.tables.insert("b".to_owned(), Table::of_columns(b));
    let changes = changes(&locked, &now);
    broken(&tools(), &locked, &now, &changes).into_iter().map(|one| one.tool).collect()
}

#[test]
fn a_change_breaks_the_tools_that_use_the_column() {
    assert_eq!(broken_by(|_, _| {}), Vec::<String>::new());
    assert_eq!(broken_by(|a, _| a.retain(|column| column.name != "size")), ["all", "filtered", "kept"]);
    assert_eq!(broken_by(|a, _| a[1].arrow = DataType::Utf8), ["all", "filtered"]);
    assert_eq!(broken_by(|a, _| a[1].nullable = true), ["all"], "what is filtered by it is no other");
    assert_eq!(broken_by(|_, b| b[1].name = "title".to_owned()), ["joined", "outer_one"]);
    assert_eq!(broken_by(|_, b| b[0].arrow = DataType::Int32), ["joined", "other"]);
    let added = Column { name: "colour".to_owned(), arrow: DataType::Utf8, nullable: true };
    assert_eq!(broken_by(|a, _| a.push(added.clone())), ["all"], "SELECT * returns it");
    assert_eq!(broken_by(|_, b| b.push(added.clone())), Vec::<String>::new());
    assert_eq!(broken_by(|a, _| a.reverse()), Vec::<String>::new(), "columns are known by their names");
}

#[test]
fn another_order_of_the_columns_is_told() {
    let (locked, mut now) = (catalog(), catalog());
    now.tables.get_mut("a").unwrap().columns.reverse();
    let words: Vec<String> = changes(&locked, &now).iter().map(ColumnChange::words).collect();
    assert_eq!(words, ["the columns of table `a` have another order, from `name` on"]);
}
