"""Tables that lie in a file of SQLite: how they are declared there, and the same rows in Parquet.

What is written is read back by itself, so that both engines surely have the rows of `table.rows`.
"""

import contextlib
import datetime
import decimal
import pathlib
import random
import shutil
import sqlite3

import tables
from edges import STORED
from kinds import BIGINT, DOUBLE, TEXT
from tables import Column, Table

# What may be taken for something else: quotes, placeholders, words of SQL, SQLite's own names, and those that qtool may give.
ODD_NAMES = ["Order ID", "select", 'a"b', "it's", "x.y", "?1", "$1", ":p", "@v", "--", "/*", "`", "[a]", "a]", "ünïcödé", "日本",
             "🙂", "rowid", "oid", "_rowid_", "group", "c0", "q1", "a;b", "%s", "{0}", "<< p >>", "[[ x ]]", "NULL", "1", "a\\", "\t",
             "LIMIT", "main.t", "x" * 100, '""', '"quoted"', "sqlite_x", "value", "key", "a b  c "]
DECLARED = {
    "bool": ["BOOLEAN", "BOOL", "boolean"],
    "int": ["INT", "INTEGER", "BIGINT", "SMALLINT", "TINYINT", "INT8", "UNSIGNED BIG INT", "int(11)"],
    "int64": ["INT", "INTEGER", "BIGINT"],
    "float": ["REAL", "DOUBLE", "FLOAT", "DOUBLE PRECISION", "real"],
    "text": ["TEXT", "VARCHAR(20)", "CHAR(1)", "CLOB", "NVARCHAR(100)", "CHARACTER VARYING(20)", "text"],
    "date": ["DATE", "date"], "timestamp": ["DATETIME", "TIMESTAMP", "timestamp"], "time": ["TIME"], "binary": ["BLOB"],
    "timestamptz": ["TIMESTAMPTZ", "timestamptz"],
}
STRICT = {"bool": ["INT", "INTEGER"], "int": ["INT", "INTEGER"], "int64": ["INTEGER"], "float": ["REAL"], "decimal": ["REAL"],
          "text": ["TEXT"], "date": ["TEXT"], "timestamp": ["TEXT"], "time": ["TEXT"], "binary": ["BLOB"],
          "timestamptz": ["TEXT"]}


class File:
    """A database of a project."""

    def __init__(self, rng, name):
        self.name = name
        self.path = f"data/{name}.sqlite"
        self.encoding = rng.choice(["UTF-8"] * 6 + ["UTF-16le", "UTF-16be"])
        self.journal = rng.choice(["delete", "delete", "wal"])
        self.page_size = rng.choice([512, 4096, 4096, 65536])

    def settings(self):
        return {"type": "sqlite", "path": self.path}

    def connect(self, path):
        connection = sqlite3.connect(path, isolation_level=None)
        if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            for pragma in (f"encoding = '{self.encoding}'", f"page_size = {self.page_size}", f"journal_mode = {self.journal}"):
                connection.execute(f"PRAGMA {pragma}")
        connection.execute("PRAGMA synchronous = off")
        return contextlib.closing(connection)


class Stored(Table):
    """A table of a database. Where `file` is `None`, the same rows lie in Parquet."""

    def __init__(self, rng, name, columns, file):
        super().__init__(name, "sqlite", columns, None, False)
        self.layout = {"files": 1, "groups": rng.choice([None, 100]), "compression": "snappy", "gzip": False,
                       "stored": {column.name: column.kind.arrow for column in columns}}
        self.file = file
        self.form = Form(rng, name, columns)

    def ending(self):
        return "parquet"

    def settings(self):
        if self.file is None:
            return {**super().settings(), **({"primary_key": self.form.said_key} if self.form.said_key else {})}
        form = self.form
        settings = {"source": self.file.name}
        if form.read_from != self.name:
            settings["table"] = form.read_from
        renamed = {form.names[column.name]: column.name for column in self.columns if form.names[column.name] != column.name}
        typed = {column.name: column.kind.sql for column in self.columns if column.name in form.said}
        for key, value in (("rename", renamed), ("columns", typed), ("primary_key", form.said_key)):
            if value:
                settings[key] = value
        return settings

    def write(self, folder):
        if self.file is None:
            tables.write_file(self, self.arrow(), folder / f"{self.name}.parquet")
            return
        path = folder.parent / self.file.path
        if self.form.change == "file" and path.exists() and self.file.journal != "wal":
            other = pathlib.Path(f"{path}.new")
            shutil.copyfile(path, other)
            self.store(other)
            other.replace(path)
        else:
            self.store(path)

    def store(self, path):
        form, slots = self.form, ", ".join("?" * len(self.columns))
        with self.file.connect(path) as connection:
            connection.execute("BEGIN IMMEDIATE")
            there = connection.execute("SELECT name FROM sqlite_schema WHERE name = ?", [form.base]).fetchone()
            if there and form.change == "schema":
                for statement in form.dropped():
                    connection.execute(statement)
                there = None
            for statement in () if there else form.created():
                connection.execute(statement)
            connection.execute(f"DELETE FROM {quoted(form.base)}")
            connection.executemany(f"INSERT INTO {quoted(form.base)} VALUES ({slots})", self.cells())
            if form.analyzed:
                connection.execute("ANALYZE")
            connection.execute("COMMIT")
            self.prove(connection)

    def cells(self):
        rng = random.Random(self.name)
        columns = [[self.form.cell(rng, column, value) for value in self.rows[column.name]] for column in self.columns]
        return zip(*columns)

    def prove(self, connection):
        """Reads the rows as somebody does who knows nothing but the types of the columns."""
        names = ", ".join(quoted(self.form.names[column.name]) for column in self.columns)
        found = connection.execute(f"SELECT {names} FROM {quoted(self.form.read_from)}").fetchall()
        place = [column.name for column in self.columns].index("id")
        read = sorted((tuple(value_of(column.kind, cell) for column, cell in zip(self.columns, row)) for row in found),
                      key=lambda row: row[place])
        wanted = sorted(zip(*(self.rows[column.name] for column in self.columns)), key=lambda row: row[place])
        for one, other in zip(read, wanted, strict=True):
            if one != other:
                raise AssertionError(f"{self.form.created()}: {one} was written as {other}")


class Form:
    """How a table is declared in SQLite."""

    def __init__(self, rng, name, columns):
        self.way = rng.choice(["rows", "rows", "key", "key", "key", "without rowid", "strict", "strict without rowid"])
        self.view = rng.choice([None] * 7 + ["names", "expressions", "halves"])
        self.change = rng.choice(["rows", "rows", "schema", "file"])
        self.analyzed = rng.random() < 0.3
        self.base = self.read_from = name if rng.random() < 0.7 else f"{name.upper()}_rows"
        if self.view:
            self.base = f"{name}_base"
        self.names = {column.name: column.name for column in columns}
        odd = rng.sample(ODD_NAMES, len(ODD_NAMES))
        share = rng.choice([0, 0, 0.2, 0.8])
        for column in columns:
            if rng.random() < share:
                self.names[column.name] = odd.pop()
        self.key = self.key_of(rng)
        self.not_null = {column.name for column in columns if not column.nulls and column.kind.group != "float" and rng.random() < 0.5}
        # A key of any other table takes NULL.
        self.not_null |= set(self.key) if "without" in self.way or "strict" in self.way else set()
        for column in columns:
            if column.name in self.not_null:
                column.nulls = 0.0
        # What nothing in the database says.
        self.said = set()
        self.declared = {column.name: self.declaration(rng, column) for column in columns}
        self.affine = {column.name for column in columns if self.declared[column.name] and self.declared[column.name] != "ANY"}
        self.collations = {column.name: rng.choice(["", "", "NOCASE", "NOCASE", "RTRIM", "BINARY"]) for column in columns
                           if column.kind.written == "text"}
        self.mixed = {column.name for column in columns if rng.random() < 0.4}
        self.computed = set()
        if self.view == "expressions":
            self.computed = {column.name for column in columns if rng.random() < 0.5}
        if self.view in ("expressions", "halves"):
            self.said |= set(self.names)
        self.said_key = ["id"] if (self.view or not self.key) and rng.random() < 0.5 else []
        self.indexes = [] if rng.random() < 0.3 else [self.index(rng, name, columns, number) for number in range(rng.randint(1, 4))]

    def key_of(self, rng):
        if self.way == "rows" or self.way == "strict" and rng.random() < 0.5:
            return []
        return rng.choice([["id"], ["id"], ["id"], ["k", "id"], ["g", "id"], ["id", "g"]])

    def declaration(self, rng, column):
        """The type of a column; `said` has the columns whose type has to be in `qtool.yaml`."""
        written = column.kind.written
        if "strict" in self.way:
            ways = STRICT[written]
            if written == "decimal" and column.kind.sql.endswith(",0)"):
                ways = [*ways, "INTEGER"]
            chosen = rng.choice([*ways, *ways, "ANY"])
            plain = {"int": ["INT", "INTEGER"], "int64": ["INTEGER"], "float": ["REAL"], "text": ["TEXT"], "binary": ["BLOB"]}
            if chosen not in plain.get(written, []):
                self.said.add(column.name)
            return chosen
        if self.key == ["id"] and column.name == "id" and rng.random() < 0.7:
            return "INTEGER"
        if rng.random() < 0.05:
            self.said.add(column.name)
            return ""
        if written == "decimal":
            digits = column.kind.sql[len("decimal"):]
            return rng.choice(["DECIMAL", "NUMERIC", "decimal"]) + rng.choice([digits, digits, digits.replace(",", ", ")])
        if rng.random() < 0.05 and written in ("date", "timestamp", "timestamptz", "time", "bool"):
            self.said.add(column.name)
            return "INTEGER" if written == "bool" else "TEXT"
        return rng.choice(DECLARED[written])

    def index(self, rng, name, columns, number):
        chosen = rng.sample(columns, rng.choice([1, 1, 2, 3]))
        unique = "UNIQUE " if any(column.name == "id" for column in chosen) else ""
        keys = []
        for column in chosen:
            collation = rng.choice(["", "", " COLLATE BINARY", " COLLATE NOCASE"]) if column.kind.written == "text" else ""
            keys.append(f"{quoted(self.names[column.name])}{collation}{rng.choice(['', ' DESC'])}")
        partial = rng.choice(["", "", f" WHERE {quoted(self.names[chosen[0].name])} IS NOT NULL"]) if not unique else ""
        return f"CREATE {unique}INDEX {quoted(f'{name}_index_{number}')} ON {quoted(self.base)} ({', '.join(keys)}){partial}"

    def created(self):
        """The statements that make it."""
        listed = []
        for name, declared in self.declared.items():
            collation = self.collations.get(name)
            listed.append(quoted(self.names[name]) + (f" {declared}" if declared else "") + (f" COLLATE {collation}" if collation else "")
                          + (" NOT NULL" if name in self.not_null else ""))
        if self.key:
            listed.append(f"PRIMARY KEY ({', '.join(quoted(self.names[name]) for name in self.key)})")
        behind = ", ".join(word for word in ("STRICT" if "strict" in self.way else "",
                                             "WITHOUT ROWID" if "without" in self.way and self.key else "") if word)
        made = [f"CREATE TABLE {quoted(self.base)} ({', '.join(listed)}) {behind}", *self.indexes]
        return made + [f"CREATE VIEW {quoted(self.read_from)} AS {self.selected()}"] if self.view else made

    def selected(self):
        listed = []
        for name in self.names:
            stored = quoted(self.names[name])
            listed.append(f"coalesce({stored}, NULL) AS {stored}" if name in self.computed else stored)
        select, number = f"SELECT {', '.join(listed)} FROM {quoted(self.base)}", quoted(self.names["id"])
        return f"{select} WHERE {number} % 2 = 0 UNION ALL {select} WHERE {number} % 2 <> 0" if self.view == "halves" else select

    def dropped(self):
        return ([f"DROP VIEW {quoted(self.read_from)}"] if self.view else []) + [f"DROP TABLE {quoted(self.base)}"]

    def cell(self, rng, column, value):
        """A value as SQLite keeps it."""
        written, mixed = column.kind.written, column.name in self.mixed
        if value is None or written in ("int", "int64", "text", "binary"):
            return value
        if written == "bool":
            return int(value)
        if written == "float":
            # A column of reals makes one of it; any other keeps the integer.
            return int(value) if mixed and abs(value) < 2**53 and value == int(value) else value
        if written == "decimal":
            whole = value == value.to_integral_value() and self.declared[column.name] != "REAL"
            # SQLite 3.40 makes 0.046032000000000003 of the text 0.046032; of four digits it makes what is nearest.
            if mixed and column.name in self.affine and value.as_tuple().exponent >= -4:
                return f"{value:f}"
            return int(value) if whole and (mixed or self.declared[column.name] == "INTEGER") else float(value)
        if written == "date":
            return value.isoformat()
        return instant_text(rng, value, mixed) if written == "timestamptz" else time_text(rng, written, value, mixed)


def instant_text(rng, value, mixed):
    """An instant in one of the zones that it may be written in: without one it is UTC."""
    minutes = rng.choice([0, 0, 120, -690]) if mixed else 0
    there = time_text(rng, "timestamp", value + datetime.timedelta(minutes=minutes), mixed)
    sign, most = "-" if minutes < 0 else "+", abs(minutes)
    return there + (f"{sign}{most // 60:02}:{most % 60:02}" if minutes else rng.choice(["", "Z", "+00:00"]) if mixed else "Z")


def time_text(rng, written, value, mixed):
    text = value.isoformat(sep=" ") if written == "timestamp" else value.isoformat()
    if not mixed:
        return text
    if value.microsecond:
        text = rng.choice([text, text.rstrip("0")])
    elif value.second:
        text = rng.choice([text, text + ".0", text + ".000000"])
    else:
        text = rng.choice([text, text[:-len(":00")], text + ".000"])
    return rng.choice([text, text.replace(" ", "T")])


def value_of(kind, cell):
    """A cell as a value of the type."""
    written = kind.written
    if cell is None or written in ("int", "int64", "text", "binary"):
        return cell
    if written == "bool":
        return {0: False, 1: True}[cell]
    if written == "float":
        return float(cell)
    if written == "decimal":
        return decimal.Decimal(repr(cell))
    if written == "timestamptz":
        at = datetime.datetime.fromisoformat(cell)
        return at.astimezone(datetime.timezone.utc).replace(tzinfo=None) if at.tzinfo else at
    return {"date": datetime.date, "time": datetime.time, "timestamp": datetime.datetime}[written].fromisoformat(cell)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def random_tables(rng, names, sizes, without, source):
    """Tables of one database or of two, and now and then one in files."""
    files = [File(rng, "shop")] + ([File(rng, "other")] if rng.random() < 0.2 else [])
    found = []
    for name in names:
        if rng.random() < 0.12:
            found.append(tables.random_table(rng, name, sizes, without))
            continue
        columns = [Column("id", "i64", BIGINT), Column("k", "i64", BIGINT), Column("g", "text", TEXT), Column("y", "f64", DOUBLE)]
        for key in rng.sample(sorted(STORED), rng.randint(5, 11)):
            kind, draw = STORED[key]
            columns.append(Column(key, key, kind, draw))
        for column in columns:
            column.nulls = 0.0 if column.name == "id" else rng.choice([0.0, 0.1, 0.1, 0.5, 1.0 if column.name == column.key else 0.1])
        file = rng.choice(files)
        table = Stored(rng, name, columns, file if source == "sqlite" else None)
        table.without = without
        tables.fill(rng, table, rng.choice(sizes))
        found.append(table)
    return found
