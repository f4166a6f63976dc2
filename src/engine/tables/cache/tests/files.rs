//! Files change under a table.

use super::super::super::endings::Ending;
use super::super::super::selection::{Selection, Wanted};
use super::*;
use crate::project::{Compression, FileFormat};
use datafusion::datasource::MemTable;
use object_store::path::Path as Location;

const TWO: &str = "a,b\n1,x\n2,y\n";

#[tokio::test]
async fn a_loaded_table_reads_no_file() {
    let files = Files::new(TWO);
    let table = files.table().await;
    assert_eq!(table.wants(), Wants::Now);
    assert_eq!(query(&files.ctx, "SELECT * FROM t").await, ["1,x", "2,y"]);
    let (before, data) = (table.plan_version().unwrap(), table.data_version());
    files.load(&table).await;
    assert_eq!(table.wants(), Wants::Nothing);
    let loaded = table.plan_version().unwrap();
    assert_ne!(before, loaded);
    assert_eq!(table.data_version(), data, "the rows are the same, however they are read");
    let scans = files.scans();
    assert_eq!(query(&files.ctx, "SELECT * FROM t WHERE a = 2").await, ["2,y"]);
    assert_eq!((files.scans(), table.plan_version()), (scans, Some(loaded)));
}

#[tokio::test]
async fn a_load_that_never_ends_is_waited_for_by_nobody() {
    let files = Files::new(TWO);
    let table = files.table().await;
    assert_eq!(table.wants(), Wants::Now);
    let flight = Arc::clone(&table.known().flight);
    let _lost = flight.lock_owned().await;
    files.load(&table).await;
    assert!(table.kept().is_none());
    assert_eq!(query(&files.ctx, "SELECT * FROM t").await, ["1,x", "2,y"]);
    files.write("a,b\n3,z\n");
    files.load(&table).await;
    assert!(table.kept().is_some());
    assert_eq!(query(&files.ctx, "SELECT * FROM t").await, ["3,z"]);
}

/// Loads, changes, and checks that the next call sees the change, before and after another load.
async fn seen(change: impl Fn(&Files), expected: &[&str]) {
    let files = Files::new(TWO);
    let table = files.table().await;
    files.load(&table).await;
    let (before, data) = (table.plan_version(), table.data_version());
    assert_eq!(query(&files.ctx, "SELECT * FROM t").await, ["1,x", "2,y"]);
    files.tick();
    change(&files);
    assert_eq!(query(&files.ctx, "SELECT * FROM t").await, expected);
    assert!(table.kept().is_none() && files.budget.left() == files.budget.most());
    let after = table.plan_version();
    assert!(after.is_some() && after != before && table.data_version() != data);
    files.load(&table).await;
    assert!(table.kept().is_some() && table.plan_version() != after);
    assert_eq!(query(&files.ctx, "SELECT * FROM t").await, expected);
}

#[tokio::test]
async fn a_change_of_the_same_length_is_seen() {
    seen(|files| fs::write(files.path(), "a,b\n1,x\n2,z\n").unwrap(), &["1,x", "2,z"]).await;
}

#[tokio::test]
async fn a_change_that_keeps_length_and_modification_time_is_seen() {
    let change = |files: &Files| {
        let modified = fs::metadata(files.path()).unwrap().modified().unwrap();
        fs::write(files.path(), "a,b\n1,x\n2,z\n").unwrap();
        fs::File::options().write(true).open(files.path()).unwrap().set_modified(modified).unwrap();
    };
    seen(change, &["1,x", "2,z"]).await;
}

#[tokio::test]
async fn appended_rows_are_seen() {
    let append = |files: &Files| {
        let mut file = fs::File::options().append(true).open(files.path()).unwrap();
        std::io::Write::write_all(&mut file, b"3,z\n").unwrap();
    };
    seen(append, &["1,x", "2,y", "3,z"]).await;
}

#[tokio::test]
async fn a_file_put_in_the_place_of_another_is_seen() {
    let replace = |files: &Files| {
        let other = files.dir.path().join("other");
        fs::write(&other, "a,b\n8,x\n9,y\n").unwrap();
        fs::rename(other, files.path()).unwrap();
    };
    seen(replace, &["8,x", "9,y"]).await;
}

#[tokio::test]
async fn a_link_turned_to_another_file_is_seen() {
    let turn = |files: &Files| {
        let other = files.dir.path().join("other.csv");
        fs::write(&other, "a,b\n8,x\n9,y\n").unwrap();
        symlink(&other, &files.path());
    };
    seen(turn, &["8,x", "9,y"]).await;
}

#[tokio::test]
async fn a_deleted_file_is_not_served() {
    let files = Files::new(TWO);
    let table = files.table().await;
    files.load(&table).await;
    fs::remove_file(files.path()).unwrap();
    let rows = select(&files.ctx, "SELECT * FROM t").await.unwrap().collect().await;
    assert!(rows.is_err() || texts(&rows.unwrap()).is_empty());
    assert_eq!((table.plan_version(), table.kept(), table.wants()), (None, None, Wants::Nothing));
    assert_eq!(files.budget.left(), files.budget.most());
}

#[tokio::test]
async fn what_a_link_to_outside_of_the_roots_shows_is_not_kept() {
    let (files, outside) = (Files::new(TWO), Files::new(TWO));
    let table = files.table().await;
    files.load(&table).await;
    symlink(&outside.path(), &files.path());
    assert_eq!((table.plan_version(), table.kept(), table.wants()), (None, None, Wants::Nothing));
    files.load(&table).await;
    assert!(table.kept().is_none());
    assert!(matches!(table.source(), Source::Files(_)));
}

#[tokio::test]
async fn what_changed_just_now_is_not_kept() {
    let files = Files::new(TWO);
    let hour = Duration::from_secs(3600);
    let table = files.table_of(files.local().settled_after(hour), CacheMode::Memory).await;
    assert_eq!((table.plan_version(), table.wants()), (None, Wants::Nothing));
    files.load(&table).await;
    assert_eq!((table.kept(), files.scans()), (None, 0));
    // A file from the future is like one from just now.
    let later = std::time::SystemTime::now() + hour;
    fs::File::options().write(true).open(files.path()).unwrap().set_modified(later).unwrap();
    let table = files.table().await;
    assert_eq!(table.plan_version(), None);
}

/// Writes to a file whenever the table is read.
#[derive(Debug)]
struct Writing {
    inner: Arc<dyn TableProvider>,
    path: std::path::PathBuf,
}

#[async_trait]
impl TableProvider for Writing {
    fn schema(&self) -> SchemaRef {
        self.inner.schema()
    }

    fn table_type(&self) -> TableType {
        self.inner.table_type()
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = self.inner.scan(state, projection, filters, limit).await?;
        fs::write(&self.path, "a,b\n1,x\n2,changed\n").unwrap();
        Ok(plan)
    }
}

#[tokio::test]
async fn what_changes_while_it_is_loaded_is_not_kept() {
    let files = Files::new(TWO);
    let inner = Arc::new(Writing { inner: files.inner().await, path: files.path() });
    let caching = Caching {
        mode: CacheMode::Auto,
        budget: Arc::clone(&files.budget),
        primary_key: Vec::new(),
        ordered: None,
        notes: None,
    };
    let table = CachedTable::new("t", inner, Some(files.local()), caching);
    files.tick();
    files.load(&table).await;
    assert_eq!((table.kept(), files.budget.left()), (None, files.budget.most()));
    assert_eq!(table.wants(), Wants::Now);
}

#[tokio::test]
async fn the_mode_says_what_is_kept() {
    let files = Files::new(TWO);
    let table = files.table_of(files.local(), CacheMode::Metadata).await;
    assert!(table.plan_version().is_some() && table.plan_version() == table.plan_version());
    assert_eq!(table.wants(), Wants::Nothing);
    let table = files.table_of(files.local(), CacheMode::None).await;
    files.load(&table).await;
    assert_eq!((table.plan_version(), table.wants(), table.kept()), (None, Wants::Nothing, None));
    let remote = Caching {
        mode: CacheMode::Memory,
        budget: Arc::clone(&files.budget),
        primary_key: Vec::new(),
        ordered: None,
        notes: None,
    };
    let remote = CachedTable::new("r", files.inner().await, None, remote);
    files.load(&remote).await;
    assert_eq!((remote.plan_version(), remote.wants(), remote.kept()), (None, Wants::Nothing, None));
}

#[tokio::test]
async fn the_budget_holds_and_is_given_back() {
    let text: String = (0..20_000).map(|at| format!("{at},value number {at}\n")).collect();
    let files = Files::new(&format!("a,b\n{text}")).with_budget(550_000);
    let table = files.table_of(files.local(), CacheMode::Auto).await;
    assert_eq!(table.wants(), Wants::Nothing);
    let table = files.table_of(files.local(), CacheMode::Memory).await;
    assert_eq!(table.wants(), Wants::Now);
    files.load(&table).await;
    let scans = files.scans();
    assert_eq!((table.kept(), files.budget.left()), (None, 550_000));
    assert_eq!((table.wants(), scans), (Wants::Nothing, 1));
    files.load(&table).await;
    assert_eq!(files.scans(), scans);
    files.write(TWO);
    assert!(table.plan_version().is_some());
    assert_eq!(table.wants(), Wants::Now);
    files.load(&table).await;
    assert_eq!(Some(550_000 - files.budget.left()), table.kept());
    assert_eq!(files.budget.left() + table.kept().unwrap(), 550_000);
    files.ctx.deregister_table("t").unwrap();
    drop(table);
    assert_eq!(files.budget.left(), 550_000);
}

#[tokio::test]
async fn loads_at_the_same_time_are_one() {
    let files = Files::new(TWO);
    let table = files.table().await;
    let state = files.ctx.state();
    let loads = futures::future::join_all((0..8).map(|_| table.load(&state))).await;
    assert!(loads.iter().all(std::result::Result::is_ok) && table.kept().is_some());
    assert_eq!(files.scans(), 1);
}

#[tokio::test]
async fn rows_that_a_plan_reads_stay_until_it_is_gone() {
    let files = Files::new(TWO);
    let table = files.table().await;
    files.load(&table).await;
    let plan = select(&files.ctx, "SELECT * FROM t").await.unwrap().create_physical_plan().await.unwrap();
    files.write("a,b\n9,z\n");
    assert!(table.plan_version().is_some() && table.kept().is_none());
    assert_ne!(files.budget.left(), files.budget.most());
    let rows = datafusion::physical_plan::collect(plan, files.ctx.task_ctx()).await.unwrap();
    assert_eq!(texts(&rows), ["1,x", "2,y"]);
    assert_eq!(files.budget.left(), files.budget.most());
}

fn folder(files: &Files) -> LocalFiles {
    let csv = Ending { format: FileFormat::Csv, compression: Compression::None };
    let wanted = Wanted { format: None, compression: None, named: false };
    let start = Location::from("d");
    let selection = Selection { start, pattern: None, wanted, chosen: Some(csv) };
    let path = files.dir.path().canonicalize().unwrap().join("d");
    LocalFiles::folder(path, selection, files.roots()).settled_after(Duration::ZERO)
}

#[test]
fn a_folder_changes_with_the_files_that_are_selected() {
    let files = Files::new(TWO);
    let dir = files.dir.path().join("d");
    fs::create_dir_all(dir.join("day=1")).unwrap();
    fs::write(dir.join("day=1/a.csv"), "x\n1\n").unwrap();
    let local = folder(&files);
    let first = local.stamp().unwrap();
    assert!(first.is_settled() && first.bytes() == 4 && local.stamp().unwrap() == first);
    fs::write(dir.join("notes.md"), "no").unwrap();
    fs::write(dir.join(".hidden.csv"), "no").unwrap();
    assert_eq!(local.stamp().unwrap(), first);
    fs::write(dir.join("b.csv"), "x\n2\n").unwrap();
    let second = local.stamp().unwrap();
    assert_ne!(second, first);
    fs::rename(dir.join("day=1"), dir.join("day=2")).unwrap();
    let third = local.stamp().unwrap();
    assert_ne!(third, second);
    let outside = Files::new(TWO);
    symlink(&outside.path(), &dir.join("c.csv"));
    assert!(local.stamp().is_none());
    fs::remove_file(dir.join("c.csv")).unwrap();
    assert_eq!(local.stamp().unwrap(), third);
    symlink(&dir, &dir.join("loop"));
    assert!(local.stamp().is_none());
    fs::remove_file(dir.join("loop")).unwrap();
    (0..70).for_each(|at| fs::write(dir.join(format!("{at}.csv")), "x\n1\n").unwrap());
    assert!(local.stamp().is_none());
}

#[tokio::test]
async fn an_order_holds_for_as_long_as_the_file() {
    let files = Files::new(TWO);
    let marked = MemTable::try_new(files.inner().await.schema(), vec![Vec::new()]).unwrap();
    let marked: Arc<dyn TableProvider> = Arc::new(marked);
    let table = || async {
        let open = Arc::clone(&marked);
        let caching = Caching {
            mode: CacheMode::Metadata,
            budget: Arc::clone(&files.budget),
            primary_key: vec!["a".to_owned(), "b".to_owned()],
            ordered: Some(Box::new(move |key| (key == ["a", "b"]).then(|| Arc::clone(&open)))),
            notes: None,
        };
        CachedTable::new("t", files.inner().await, Some(files.local()), caching)
    };
    let uses = |table: &CachedTable| matches!(table.source(), Source::Files(found) if Arc::ptr_eq(&found, &marked));
    let sorted = table().await;
    let before: Option<PlanVersion> = sorted.plan_version();
    sorted.find_order(&files.ctx.state()).await.unwrap();
    assert!(uses(&sorted) && sorted.plan_version().is_some() && sorted.plan_version() != before);
    let scans = files.scans();
    sorted.find_order(&files.ctx.state()).await.unwrap();
    assert_eq!(files.scans(), scans);
    files.write("a,b\n1,x\n1,y\n1,x\n");
    assert!(!uses(&sorted));
    let version = sorted.plan_version();
    sorted.find_order(&files.ctx.state()).await.unwrap();
    assert!(!uses(&sorted) && sorted.plan_version() == version);
    files.write("a,b\n1,x\n,y\n");
    sorted.find_order(&files.ctx.state()).await.unwrap();
    assert!(!uses(&sorted));
}
