//! What is said of MySQL here, tried on a server: the one whose address `QTOOL_TEST_MARIADB` holds. Without one, nothing is
//! tried.

use super::super::bind::Bind;
use super::super::dialect::placeholder;
use super::super::driver::Described;
use super::super::error::SourceError;
use super::super::survey::{ForeignKey, RowEstimate, SurveyedKind};
use super::encode::parameters;
use super::{describe, survey};
use crate::catalog::DatabaseKind;
use crate::ty::Type;
use mysql_async::Conn;
use mysql_async::prelude::Queryable;

/// Tables of people and their orders, with whatever a server says of them.
const SHOP: &str = "
    CREATE TABLE people (b int, a varchar(9) CHARACTER SET latin1, PRIMARY KEY (a, b)) COMMENT 'whoever\n has an account';
    CREATE TABLE `Orders` (id int PRIMARY KEY, state enum('new', 'it''s') NOT NULL COMMENT 'how far it is',
        way varchar(9) CHECK (way IN ('sea', 'air')), n int CHECK (n > 1), b int, a varchar(9) CHARACTER SET latin1,
        j json, twice int AS (n * 2) VIRTUAL, hidden int INVISIBLE DEFAULT 1, CONSTRAINT whose FOREIGN KEY (a, b)
        REFERENCES people (a, b));
    INSERT INTO people VALUES (1, 'Ann');
    INSERT INTO `Orders` (id, state, way, n) VALUES (1, 'new', 'sea', 2), (2, 'new', 'air', 3);
    CREATE TABLE places (p point NOT NULL, yes boolean, level tinyint(1)); INSERT INTO places VALUES (POINT(1, 2), 1, 0),
        (POINT(1, 2), NULL, 2);
    CREATE VIEW open AS SELECT id, count(*) AS n FROM `Orders` GROUP BY id;
    ANALYZE TABLE people, `Orders`";

/// A session in a database of its own, by a name that others do not take.
async fn server(name: &str) -> Option<(Conn, String)> {
    let Ok(address) = std::env::var("QTOOL_TEST_MARIADB") else { return None };
    let mut conn = Conn::from_url(address).await.unwrap();
    let database = format!("qtool_{name}_{}", std::process::id());
    let begin = format!("CREATE DATABASE {database} CHARACTER SET utf8mb4; USE {database}");
    conn.query_drop(begin).await.unwrap();
    conn.query_drop(SHOP).await.unwrap();
    Some((conn, database))
}

async fn described(conn: &mut Conn, name: &[&str]) -> Result<Described, SourceError> {
    let name: Vec<String> = name.iter().map(|part| (*part).to_owned()).collect();
    describe::table(conn, "shop", &name).await
}

#[tokio::test]
async fn a_table_is_described_as_it_is() {
    let Some((mut conn, database)) = server("described").await else { return };
    let people = described(&mut conn, &["people"]).await.unwrap();
    assert_eq!(people.native.name, [database.clone(), "people".to_owned()]);
    assert_eq!((people.native.key, people.rows), (vec!["a".to_owned(), "b".to_owned()], Some(1)));
    // Where letters and capitals are told apart, it is the only one.
    let orders = described(&mut conn, &[&database, "orders"]).await.unwrap();
    let columns: Vec<(&str, Option<&str>)> =
        orders.native.columns.iter().map(|column| (column.name.as_str(), column.collation.as_deref())).collect();
    let utf8 = Some("utf8mb4_general_ci");
    let names =
        [("id", None), ("state", utf8), ("way", utf8), ("n", None), ("b", None), ("a", Some("latin1_swedish_ci"))];
    assert_eq!(columns[..6], names);
    assert_eq!(columns[6..], [("j", Some("utf8mb4_bin")), ("twice", None), ("hidden", None)]);
    assert_eq!(orders.nullable[..3], [false, false, true]);
    let open = described(&mut conn, &[&database, "open"]).await.unwrap();
    assert!(open.native.is_view && open.rows.is_none() && open.nullable.iter().all(|nullable| *nullable));
    let Err(SourceError::NoTable { near, .. }) = described(&mut conn, &["poeple"]).await else { panic!() };
    assert_eq!(near.as_deref(), Some("people"));
    let Err(SourceError::NoTable { near, .. }) = described(&mut conn, &["elsewhere", "people"]).await else { panic!() };
    assert!(near.is_some_and(|near| near.ends_with("people")));
    // The number is another one when the columns are, and not when the rows are.
    let name = orders.native.name.clone();
    conn.query_drop("INSERT INTO `Orders` (id, state, n) VALUES (3, 'new', 4)").await.unwrap();
    assert_eq!(describe::version(&mut conn, &name).await.unwrap(), orders.version);
    for change in [
        "ALTER TABLE `Orders` DROP COLUMN twice",
        "ALTER TABLE `Orders` MODIFY way varchar(9) COLLATE utf8mb4_bin",
        "ALTER TABLE `Orders` MODIFY n bigint",
        "ALTER TABLE `Orders` MODIFY n bigint NOT NULL",
        "ALTER TABLE `Orders` RENAME COLUMN n TO m",
    ] {
        let before = describe::version(&mut conn, &name).await.unwrap();
        conn.query_drop(change).await.unwrap();
        assert_ne!(describe::version(&mut conn, &name).await.unwrap(), before, "{change}");
    }
    conn.query_drop(format!("DROP DATABASE {database}")).await.unwrap();
    assert_eq!(describe::version(&mut conn, &name).await.unwrap(), None);
}

#[tokio::test]
async fn what_a_database_has_is_surveyed() {
    let Some((mut conn, database)) = server("surveyed").await else { return };
    let tables = survey::tables(&mut conn, "shop").await.unwrap();
    let mut names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Orders", "open", "people", "places"]);
    let table = |name: &str| tables.iter().find(|table| table.name == name).unwrap();
    let (people, orders, open) = (table("people"), table("Orders"), table("open"));
    assert_eq!(people.comment.as_deref(), Some("whoever has an account"));
    assert_eq!((people.schema.as_ref(), people.rows), (None, Some(RowEstimate::About(1))));
    assert_eq!((people.key.as_slice(), &open.kind), (["a".to_owned(), "b".to_owned()].as_slice(), &SurveyedKind::View));
    assert_eq!(open.comment, None);
    let columns = ["a".to_owned(), "b".to_owned()].to_vec();
    let whose = ForeignKey { columns: columns.clone(), schema: None, table: "people".to_owned(), others: columns };
    assert_eq!(orders.foreign_keys, [whose]);
    let column = |name: &str| orders.columns.iter().find(|column| column.name == name).unwrap();
    assert_eq!(column("state").allowed, ["new", "it's"]);
    assert_eq!(column("state").comment.as_deref(), Some("how far it is"));
    assert_eq!(column("way").allowed, ["sea", "air"]);
    let proposals: Vec<Option<Type>> =
        table("places").columns.iter().map(|column| column.proposal.as_ref().map(|one| one.ty.clone())).collect();
    assert_eq!(proposals, [Some(Type::Text), Some(Type::Boolean), None]);
    assert!(column("n").allowed.is_empty() && column("state").is_not_null && !column("way").is_not_null);
    conn.query_drop(format!("DROP DATABASE {database}")).await.unwrap();
}

#[tokio::test]
async fn values_arrive_as_they_are_sent() {
    let Some((mut conn, database)) = server("sent").await else { return };
    for (bind, written) in [
        (Bind::Int(i64::MIN), "2D39323233333732303336383534373735383038"),
        (Bind::Unsigned(u64::MAX), "3138343436373434303733373039353531363135"),
        (Bind::Bytes(vec![0, 255, 39, 92]), "00FF275C"),
        (Bind::Text("ä\0'\\🙂".to_owned()), "C3A400275CF09F9982"),
        (Bind::Numeric(-5, 30), "2D302E303030303030303030303030303030303030303030303030303030303035"),
    ] {
        let place = placeholder(DatabaseKind::Mysql, 1, &bind);
        let asked = ["SELECT HEX(CAST(", &place, " AS BINARY))"].concat();
        let got: Option<String> = conn.exec_first(asked, parameters(&[bind.clone()])).await.unwrap();
        assert_eq!(got.as_deref(), Some(written), "{bind:?}");
    }
    for (bind, same) in [
        (Bind::Day(19_813), "DATE'2024-03-31'"),
        (Bind::Day(-719_528), "DATE'0000-01-01'"),
        (Bind::Local(-1), "TIMESTAMP'1969-12-31 23:59:59.999999'"),
        (Bind::Instant(253_402_300_799_999_999), "TIMESTAMP'9999-12-31 23:59:59.999999'"),
        (Bind::Double(0.1), "1e-1"),
    ] {
        let got: Option<i64> =
            conn.exec_first(["SELECT ", same, " = ?"].concat(), parameters(&[bind.clone()])).await.unwrap();
        assert_eq!(got, Some(1), "{bind:?}");
    }
    conn.query_drop(format!("DROP DATABASE {database}")).await.unwrap();
}
