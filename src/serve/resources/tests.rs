use super::*;
use crate::catalog::Table;
use crate::ty::Type;
use rmcp::model::ErrorCode;

/// Tables of three rows; `größe` cannot be read.
struct Data;

impl TableData for Data {
    async fn row_count(&self, table: &str) -> Option<u64> {
        (table != "größe").then_some(3)
    }

    fn note(&self, table: &str) -> Option<String> {
        (table != "orders").then(|| "of the data, 1 row that cannot be read is left out".to_owned())
    }

    async fn sample(&self, table: &str, rows: u8) -> Option<Vec<Value>> {
        (table != "größe").then(|| (1..=rows.min(3)).map(|id| json!({"id": id})).collect())
    }
}

fn tool(name: &str, tables: &[&str], parameters: Value) -> Tool {
    crate::tool::flat::read(json!({
        "name": name,
        "title": name,
        "tags": [],
        "parameters": parameters,
        "columns": [],
        "views": [],
        "statement": "",
        "placeholders": [],
        "tables": tables,
        "result_limit": 100,
        "table_format": "markdown",
        "expose": [],
        "timeout": "30s",
        "count_total": false,
        "strict": false,
        "annotations": {"read_only": true, "destructive": false, "idempotent": true, "open_world": false},
    }))
    .unwrap()
}

fn resources(config: &ResourcesConfig) -> Option<Resources> {
    let file: ProjectFile = serde_json::from_value(json!({
        "name": "shop",
        "description": "Orders of a shop.\n",
        "tables": {
            "orders": {
                "path": "data/orders.csv",
                "description": "One row per order.\n",
                "primary_key": ["id"],
                "columns": {"total": {"type": "double", "description": "In euros."}}
            },
            "secrets": {"path": "data/secrets.csv"},
            "größe": {"path": "data/sizes.csv"},
            "accounts": {"path": "data/accounts.csv"}
        }
    }))
    .unwrap();
    let column = |name: &str, ty: Type, nullable| Column { name: name.to_owned(), arrow: ty.to_arrow(), nullable };
    let orders = Table::of_columns(vec![column("id", Type::Bigint, false), column("total", Type::Double, true)]);
    let small = Table::of_columns(vec![column("id", Type::Bigint, false)]);
    let tables = [("orders", orders), ("secrets", small.clone()), ("größe", small.clone()), ("accounts", small)];
    let catalog = Catalog { tables: tables.into_iter().map(|(name, table)| (name.to_owned(), table)).collect() };
    let own = json!([{
        "name": "owner", "type": "text", "required": true, "constraints": {}, "examples": [], "from": "claim.sub"
    }]);
    let tools = [
        tool("late_orders", &["orders"], json!([])),
        tool("sizes", &["größe", "orders"], json!([])),
        tool("my_account", &["accounts"], own),
    ];
    Resources::new(config, &file, &catalog, &tools)
}

fn callable(tools: &[&str]) -> HashSet<String> {
    tools.iter().map(|tool| (*tool).to_owned()).collect()
}

fn all() -> HashSet<String> {
    callable(&["late_orders", "sizes", "my_account"])
}

async fn read_as(callable: &HashSet<String>, uri: &str, sample_rows: u8) -> Result<Value, ErrorData> {
    let config = ResourcesConfig { sample_rows, ..ResourcesConfig::default() };
    let result = resources(&config).unwrap().read(uri, callable, &Data).await?;
    let [ResourceContents::TextResourceContents { uri: told, mime_type, text, .. }] = result.contents.as_slice() else {
        panic!("one text")
    };
    assert_eq!((told.as_str(), mime_type.as_deref()), (uri, Some("application/json")));
    Ok(serde_json::from_str(text).unwrap())
}

async fn read(uri: &str, sample_rows: u8) -> Result<Value, ErrorData> {
    read_as(&all(), uri, sample_rows).await
}

fn listed(callable: &HashSet<String>) -> Vec<Value> {
    let listed = resources(&ResourcesConfig::default()).unwrap().list(callable);
    listed.iter().map(|resource| serde_json::to_value(resource).unwrap()).collect()
}

fn uris(callable: &HashSet<String>) -> Vec<String> {
    listed(callable).iter().map(|resource| resource["uri"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn only_tables_that_tools_read_are_listed() {
    let expected =
        ["qtool://project", "qtool://tables/orders", "qtool://tables/gr%C3%B6%C3%9Fe", "qtool://tables/accounts"];
    assert_eq!(uris(&all()), expected);
    assert_eq!(
        listed(&all())[1],
        json!({
            "uri": "qtool://tables/orders",
            "name": "orders",
            "description": "One row per order.",
            "mimeType": "application/json",
        })
    );
}

#[test]
fn a_project_may_have_no_resources() {
    assert!(resources(&ResourcesConfig { enabled: false, sample_rows: 5 }).is_none());
}

#[tokio::test]
async fn a_caller_sees_the_tables_of_the_tools_that_it_may_call() {
    let one = callable(&["late_orders"]);
    assert_eq!(uris(&one), ["qtool://project", "qtool://tables/orders"]);
    assert_eq!(uris(&callable(&[])), ["qtool://project"]);
    let project = read_as(&one, "qtool://project", 0).await.unwrap();
    assert_eq!((&project["tables"], &project["tools"]), (&json!(["orders"]), &json!(["late_orders"])));
    let error = read_as(&one, "qtool://tables/accounts", 0).await.unwrap_err();
    assert_eq!(error.message, "resource not found: qtool://tables/accounts");
    // Not even a slip tells the name of a table that is not seen.
    let error = read_as(&one, "qtool://tables/account", 0).await.unwrap_err();
    assert_eq!(error.message, "resource not found: qtool://tables/account");
}

#[tokio::test]
async fn a_table_is_told_with_its_columns_and_without_rows() {
    let orders = read("qtool://tables/orders", 0).await.unwrap();
    assert_eq!(
        orders,
        json!({
            "name": "orders",
            "description": "One row per order.",
            "columns": [
                {"name": "id", "type": "bigint", "nullable": false},
                {"name": "total", "type": "double", "nullable": true, "description": "In euros."},
            ],
            "primary_key": ["id"],
            "row_count": 3,
        })
    );
}

#[tokio::test]
async fn rows_are_shown_where_the_project_allows_it() {
    let orders = read("qtool://tables/orders", 2).await.unwrap();
    assert_eq!(orders["sample_rows"], json!([{"id": 1}, {"id": 2}]));
    for uri in ["qtool://tables/gr%C3%B6%C3%9Fe", "qtool://tables/größe"] {
        let sizes = read(uri, 2).await.unwrap();
        assert_eq!((&sizes["row_count"], sizes.get("sample_rows")), (&Value::Null, None));
    }
}

#[tokio::test]
async fn no_row_is_told_of_a_table_that_a_tool_reads_for_its_caller_alone() {
    let accounts = read("qtool://tables/accounts", 5).await.unwrap();
    assert_eq!((&accounts["row_count"], accounts.get("sample_rows")), (&Value::Null, None));
    assert_eq!(accounts.get("note"), None);
}

#[tokio::test]
async fn the_project_is_told_with_its_tables_and_tools() {
    assert_eq!(
        read("qtool://project", 5).await.unwrap(),
        json!({
            "name": "shop",
            "description": "Orders of a shop.",
            "tables": ["orders", "größe", "accounts"],
            "tools": ["late_orders", "sizes", "my_account"],
        })
    );
}

#[tokio::test]
async fn what_does_not_exist_or_no_tool_reads_is_not_found() {
    for (uri, message) in [
        ("qtool://tables/order", "resource not found: qtool://tables/order; did you mean qtool://tables/orders?"),
        ("qtool://tables/secrets", "resource not found: qtool://tables/secrets"),
        ("file:///etc/passwd", "resource not found: file:///etc/passwd"),
        ("", "resource not found: "),
    ] {
        let error = read(uri, 5).await.unwrap_err();
        assert_eq!((error.code, error.message.as_ref()), (ErrorCode::RESOURCE_NOT_FOUND, message));
    }
}
