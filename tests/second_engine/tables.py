"""Random tables: rows in memory, the files that qtool reads, and the same rows in DuckDB."""

import csv
import gzip
import json
import pathlib
import shutil

import fastavro
import pyarrow as pa
import pyarrow.parquet

import kinds
from kinds import NESTED, SCALARS

FORMATS = ["parquet", "parquet", "arrow", "csv", "ndjson", "avro"]
SIZES = [0, 1, 2, 7, 40, 40, 200, 200, 1000, 8191, 8192, 8193]
# The texts that rows are grouped by; those of a database are the same to some of its collations.
GROUPS = {None: ["a", "b", "B", "é", "日本", "zz"], "sqlite": ["a", "A", "b", "B", "a ", "é", "日本", "zz"]}
# What a format cannot hold, or holds as another type.
TEXT_FORMS = {"u8": "i16", "u16": "i32", "u32": "i64", "u64": "i64", "i8": "i16", "wide": "wide"}
LACKING = {
    "parquet": {"interval"},
    "arrow": set(),
    "csv": {"interval", "ints", "texts", "rec"},
    "ndjson": {"interval"},
    "avro": {"interval", "u8", "u16", "u32", "u64", "i8", "i16", "time", "ts_ms", "rec"},
}


class Column:
    def __init__(self, name, key, kind, draw=None):
        self.name = name
        self.key = key
        self.kind = kind
        self.draw = draw or kind.draw
        self.nulls = 0.0


class Table:
    """A table of the project."""

    def __init__(self, name, format_, columns, cache, with_key):
        self.name = name
        self.format = format_
        self.columns = columns
        self.cache = cache
        self.with_key = with_key
        self.rows = {}
        self.size = 0
        self.layout = None
        self.without = set()

    def arrow(self):
        arrays = [pa.array([kinds.to_arrow(column.kind, value) for value in self.rows[column.name]], column.kind.arrow)
                  for column in self.columns]
        schema = pa.schema([pa.field(column.name, column.kind.arrow) for column in self.columns])
        return pa.Table.from_arrays(arrays, schema=schema)

    def settings(self):
        settings = {"path": f"data/{self.name}" if self.in_folder() else f"data/{self.name}.{self.ending()}"}
        if self.format in ("csv", "ndjson"):
            settings["columns"] = {column.name: column.kind.sql for column in self.columns}
        if self.with_key:
            settings["primary_key"] = ["id"]
        if self.cache:
            settings["cache"] = self.cache
        return settings

    def ending(self):
        return f"{self.format}.gz" if self.layout["gzip"] and self.format in ("csv", "ndjson") else self.format

    def in_folder(self):
        return self.layout["files"] > 1


def random_table(rng, name, sizes, without):
    format_ = rng.choice(FORMATS)
    usable = [key for key in list(SCALARS) + list(NESTED) if key not in LACKING[format_]]
    columns = [Column("id", "i64", SCALARS["i64"]), Column("k", "i64", SCALARS["i64"])]
    columns += [Column("g", "text", SCALARS["text"]), Column("y", "f64", SCALARS["f64"])]
    keys = rng.sample(usable, min(len(usable), rng.randint(4, 9)))
    for key in keys:
        stored = TEXT_FORMS.get(key, key) if format_ in ("csv", "ndjson") else key
        kind = SCALARS.get(stored) or NESTED[stored]
        columns.append(Column(key, stored, kind))
    cache = rng.choice([None, None, None, "memory", "metadata", "none"])
    table = Table(name, format_, columns, cache, rng.random() < 0.5)
    files = rng.choice([1, 1, 1, 2, 3])
    table.layout = {"files": files, "groups": rng.choice([None, 100, 1024]), "compression": rng.choice(["snappy", "none"]),
                    "gzip": rng.random() < 0.25, "stored": {column.name: stored_type(rng, column) for column in columns}}
    for column in columns:
        column.nulls = 0.0 if column.name == "id" else rng.choice([0.0, 0.1, 0.1, 0.5, 1.0 if column.name == column.key else 0.1])
    table.without = without
    fill(rng, table, rng.choice(sizes))
    return table


def stored_type(rng, column):
    """Types of Arrow that are one type to a person."""
    zone = rng.choice(["UTC", "Europe/Berlin", "+05:30"])
    others = {"text": [pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())],
              "ts": [pa.timestamp("ns")], "tstz": [pa.timestamp("us", zone), pa.timestamp("ns", zone)],
              "texts": [pa.large_list(pa.string())], "ints": [pa.large_list(pa.int64())]}.get(column.key, [])
    if column.name == "g":
        others = [pa.dictionary(pa.int32(), pa.string()), pa.large_string()]
    return rng.choice([column.kind.arrow, *others])


def fill(rng, table, size):
    """New rows. Their order by `id` is that of a sorted file, a nearly sorted one, or none."""
    if size == 0 and table.format == "ndjson" and "empty_ndjson" in table.without:
        size = 1
    table.size = size
    order = rng.choice(["sorted", "falling", "nearly", "none"])
    ids = [number + 1 for number in range(size)]
    if order == "falling":
        ids.reverse()
    if order == "none":
        rng.shuffle(ids)
    if order == "nearly":
        for _ in range(max(1, size // 1000) if size > 1 else 0):
            one, other = rng.randrange(size), rng.randrange(size)
            ids[one], ids[other] = ids[other], ids[one]
    most = rng.choice([3, 8, max(4, size // 2)]) if size <= 200 else max(4, size // 2)
    table.rows = {}
    for column in table.columns:
        null = column.nulls
        if column.name == "id":
            values = ids
        elif column.name == "k":
            values = [None if rng.random() < null else rng.randint(0, most) for _ in range(size)]
        elif column.name == "g":
            values = [None if rng.random() < null else rng.choice(GROUPS.get(table.format, GROUPS[None])) for _ in range(size)]
        else:
            values = [None if rng.random() < null else representable(table, column, rng) for _ in range(size)]
        if order in ("sorted", "nearly") and column.name in ("ts", "date", "i32") and rng.random() < 0.5:
            values.sort(key=lambda value: (value is not None, value) if value is not None else (False, 0))
        table.rows[column.name] = values


def representable(table, column, rng):
    value = column.draw(rng)
    if table.format == "sqlite" and column.kind.group == "float":
        # It has no NaN, and one zero.
        return rng.choice([float("inf"), float("-inf")]) if column.name == column.key and rng.random() < 0.02 else value + 0.0
    if table.format == "csv" and column.kind.group == "text":
        # The empty text is null there.
        return value or None
    if column.kind.group == "float" and table.format not in ("csv", "ndjson", "avro") and rng.random() < 0.02:
        return rng.choice([float("nan"), float("inf"), float("-inf")]) if column.name == column.key else value
    return value


# --- Files


def write(table, folder):
    """Writes the table's files; those that lie there are replaced."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if table.format == "sqlite":
        table.write(folder)
        return
    if not table.in_folder():
        write_file(table, table.arrow(), folder / f"{table.name}.{table.ending()}")
        return
    inside = folder / table.name
    shutil.rmtree(inside, ignore_errors=True)
    inside.mkdir()
    rows, files = table.arrow(), table.layout["files"]
    each = -(-table.size // files) or 1
    for number in range(files):
        # Some of the files are empty, if there are few rows.
        write_file(table, rows.slice(number * each, each), inside / f"part-{number}.{table.ending()}")


def write_file(table, rows, path):
    if table.format in ("parquet", "arrow", "sqlite"):
        rows = rows.cast(pa.schema([pa.field(name, stored) for name, stored in table.layout["stored"].items()]))
    {"parquet": write_parquet, "arrow": write_arrow, "csv": write_csv, "ndjson": write_ndjson,
     "avro": write_avro, "sqlite": write_parquet}[table.format](table, rows, path)


def write_parquet(table, rows, path):
    pa.parquet.write_table(rows, path, row_group_size=table.layout["groups"], compression=table.layout["compression"],
                           write_page_index=True)


def write_arrow(table, rows, path):
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, rows.schema) as writer:
        writer.write_table(rows, max_chunksize=table.layout["groups"])


def records(table, rows):
    columns = [rows.column(column.name).to_pylist() for column in table.columns]
    return zip(*columns)


def naive(column, value):
    """Arrow gives a time with its zone; the values here are in UTC without one."""
    return value.replace(tzinfo=None) if value is not None and column.kind.group == "timestamptz" else value


def open_text(path):
    opened = gzip.open if path.suffix == ".gz" else open
    return opened(path, "wt", newline="", encoding="utf-8")


def write_csv(table, rows, path):
    with open_text(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([column.name for column in table.columns])
        for record in records(table, rows):
            writer.writerow(["" if value is None else kinds.plain_text(column.kind, naive(column, value))
                             for column, value in zip(table.columns, record)])


def json_of(kind, value):
    if value is None or kind.group in ("bool", "int", "float", "text"):
        return value
    if kind.group in ("list", "struct"):
        return value
    return kinds.plain_text(kind, value)


def write_ndjson(table, rows, path):
    with open_text(path) as file:
        for record in records(table, rows):
            fields = {column.name: json_of(column.kind, naive(column, value))
                      for column, value in zip(table.columns, record)}
            file.write(json.dumps(fields, ensure_ascii=False) + "\n")


AVRO = {
    "boolean": "boolean", "i32": "int", "i64": "long", "f32": "float", "f64": "double", "text": "string",
    "dec": {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2},
    "wide": {"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 4},
    "date": {"type": "int", "logicalType": "date"},
    "ts": {"type": "long", "logicalType": "local-timestamp-micros"},
    "tstz": {"type": "long", "logicalType": "timestamp-micros"},
    "ints": {"type": "array", "items": ["null", "long"]},
    "texts": {"type": "array", "items": ["null", "string"]},
}


def write_avro(table, rows, path):
    fields = [{"name": column.name, "type": ["null", AVRO[column.key]]} for column in table.columns]
    schema = fastavro.parse_schema({"type": "record", "name": "row", "fields": fields})
    names = [column.name for column in table.columns]
    with open(path, "wb") as file:
        fastavro.writer(file, schema, (dict(zip(names, record)) for record in records(table, rows)), codec="deflate")
