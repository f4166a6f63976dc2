//! `qtool new --from`: a project over data that is there.

use super::files::{Refused, not_written, refuse_project, write_project};
use crate::cli::add::{DataFolder, TableAdded, TableOptions, Wanted, add_table, tables_of_data};
use crate::cli::{Outcome, terminal};
use crate::load::{self, write_atomically};
use crate::name::{RESERVED, is_legal};
use crate::ty::Type;
use std::path::Path;

/// How many columns the query shows that a project begins with, and how many files are named.
const SHOWN: usize = 8;

/// Makes a project in a folder, with the tables that lie in another one.
pub(super) fn project_from(dir: &Path, from: &Path) -> Result<Outcome, Refused> {
    let shown = dir.display();
    refuse_project(dir, &format!("`qtool -C {shown} add table {}` adds its tables", from.display()))?;
    std::fs::create_dir_all(dir).map_err(|error| not_written(&shown.to_string(), &error))?;
    let DataFolder { tables, root, left_out } = tables_of_data(dir, from).map_err(|why| (why.to_string(), vec![]))?;
    write_project(dir, root.as_deref(), "")?;
    let mut outcome = Outcome::Fine;
    let mut query = None;
    for wanted in &tables {
        match add_table(dir, wanted, &TableOptions::default()) {
            Ok(added) => query = query.or_else(|| query_over(wanted, &added)),
            Err(failed) => outcome = failed,
        }
    }
    if let Some((name, text)) = &query {
        let path = format!("{}/{name}.sql", load::QUERIES);
        write_atomically(&dir.join(&path), text.as_bytes()).map_err(|error| not_written(&path, &error))?;
    }
    if !left_out.is_empty() {
        terminal::out_data(&format!("\n{}\n", left_out_told(&left_out)));
    }
    let next = query.map_or_else(String::new, |(name, _)| format!("  qtool show {name}\n"));
    terminal::out(&format!("\nmade a project in {shown}\n\n  cd {shown}\n  qtool check\n{next}"));
    Ok(outcome)
}

/// Which files are no tables, in a line.
fn left_out_told(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| name.escape_debug().to_string()).collect();
    let more = names.len().checked_sub(SHOWN).filter(|more| *more > 0);
    let more = more.map(|more| format!(" and {more} more")).unwrap_or_default();
    format!("left out, as no files of tables: {}{more}", shown.join(", "))
}

/// A query over a table, to begin with: its rows with a certain value.
fn query_over(wanted: &Wanted, added: &TableAdded) -> Option<(String, String)> {
    let columns = &added.table.columns;
    let is_plain = |name: &str| is_legal(name) && !RESERVED.contains(&name);
    let of = |is: fn(&Type) -> bool| {
        columns.iter().find(|column| is_plain(&column.name) && column.ty().is_some_and(|ty| is(&ty)))
    };
    let key = added.key.as_ref().and_then(|key| columns.iter().find(|column| column.name == *key));
    let asked = key.filter(|column| is_plain(&column.name));
    let asked = asked.or_else(|| of(|ty| *ty == Type::Text)).or_else(|| of(|ty| *ty == Type::Bigint))?;
    let table = &wanted.name;
    let quoted =
        |name: &str| if is_legal(name) { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) };
    let shown: Vec<String> = columns.iter().take(SHOWN).map(|column| quoted(&column.name)).collect();
    let order = (1..=shown.len()).map(|at| at.to_string()).collect::<Vec<_>>().join(", ");
    let (name, asked) = (format!("{table}_by_{}", asked.name), &asked.name);
    let text = format!(
        "/*---\ndescription: Rows of {table} with a certain {asked}.\nparams:\n  {asked}: {{ description: The {asked} to look \
         for. }}\n---*/\nSELECT {}\nFROM {}\nWHERE {asked} = << {asked} >>\nORDER BY {order}\n",
        shown.join(", "),
        quoted(table)
    );
    is_legal(&name).then_some((name, text))
}
