"""The types of columns and parameters: random values, and how each is written for qtool, for DuckDB and into files."""

import base64
import datetime
import decimal
import json

import pyarrow as pa

EPOCH = datetime.datetime(1970, 1, 1)
TEXTS = ["", "a", "b", "ab", "A", "Ab", "abc", " a ", "a_b", "a%b", "é", "e\u0301", "Ω", "日本", "🙂", "a,b", 'say "x"',
         "it's", "null", "0", "-1", "x" * 300, "line\nbreak", "tab\there", "|", "<b>", "zz"]
# Texts that every format and every kind of file gives back as they are.
PLAIN = [text for text in TEXTS if text and not any(sign in text for sign in "\n\t|<,\"") and text == text.strip()]


class Kind:
    """A type: its name in qtool, in DuckDB and in Arrow, and a way to draw values."""

    def __init__(self, group, sql, theirs, arrow, draw, written=None):
        # Of one group is what goes into the same expressions; of one way of writing, what looks alike in SQL and JSON.
        self.group = group
        self.written = written or group
        self.sql = sql
        self.theirs = theirs
        self.arrow = arrow
        self.draw = draw

    def __repr__(self):
        return self.sql


def whole(low, high):
    def draw(rng):
        most = rng.choice([3, 10, 100, 10_000])
        return rng.randint(max(low, -most), min(high, most))
    return draw


FEW = [0.0, -0.0, 0.25, -1.5, 2.0, 3.0]


def fraction(rng):
    # Sums of these are exact, in whatever order they are added.
    return rng.choice(FEW) if rng.random() < 0.4 else rng.randint(-4000, 4000) / 4


def amount(digits, scale):
    def draw(rng):
        most = rng.choice([100, 10_000, 10**(digits - 1)])
        return decimal.Decimal(rng.randint(-most, most)).scaleb(-scale)
    return draw


def text(rng):
    return rng.choice(TEXTS)


def day(rng):
    if rng.random() < 0.3:
        return rng.choice([datetime.date(2024, 3, 31), datetime.date(2024, 2, 29), datetime.date(1969, 12, 31)])
    return datetime.date(2024, 1, 1) + datetime.timedelta(days=rng.randint(-400, 400))


def clock(rng):
    return datetime.time(rng.randint(0, 23), rng.choice([0, 30, 59]), rng.choice([0, 15]), rng.choice([0, 0, 500_000, 1]))


def moment(steps):
    def draw(rng):
        base = datetime.datetime(2024, 3, 31) + datetime.timedelta(hours=rng.randint(-2000, 2000) if rng.random() < 0.6 else
                                                                   rng.randint(-4, 6))
        return base + datetime.timedelta(microseconds=rng.choice(steps))
    return draw


def span(rng):
    """Months, days and microseconds."""
    return rng.choice([(0, 1, 0), (0, 2, 0), (0, 0, 48 * 3_600_000_000), (1, 0, 0), (0, 30, 0), (0, 0, 90_000_000),
                       (0, -1, 0), (12, 0, 0), (0, 0, 1), (0, rng.randint(-40, 40), rng.randint(0, 86_400) * 1_000_000)])


SCALARS = {
    "boolean": Kind("bool", "boolean", "BOOLEAN", pa.bool_(), lambda rng: rng.random() < 0.5),
    "i8": Kind("int", "smallint", "TINYINT", pa.int8(), whole(-128, 127)),
    "i16": Kind("int", "smallint", "SMALLINT", pa.int16(), whole(-2**15, 2**15 - 1)),
    "i32": Kind("int", "int", "INTEGER", pa.int32(), whole(-2**31, 2**31 - 1)),
    "i64": Kind("int", "bigint", "BIGINT", pa.int64(), whole(-2**63, 2**63 - 1)),
    "u8": Kind("int", "smallint", "UTINYINT", pa.uint8(), whole(0, 255)),
    "u16": Kind("int", "int", "USMALLINT", pa.uint16(), whole(0, 2**16 - 1)),
    "u32": Kind("int", "bigint", "UINTEGER", pa.uint32(), whole(0, 2**32 - 1)),
    "u64": Kind("int", "bigint", "UBIGINT", pa.uint64(), whole(0, 2**64 - 1)),
    "f32": Kind("float", "real", "REAL", pa.float32(), fraction),
    "f64": Kind("float", "double", "DOUBLE", pa.float64(), fraction),
    "dec": Kind("decimal", "decimal(10,2)", "DECIMAL(10,2)", pa.decimal128(10, 2), amount(10, 2)),
    "wide": Kind("decimal", "decimal(20,4)", "DECIMAL(20,4)", pa.decimal128(20, 4), amount(18, 4)),
    "text": Kind("text", "text", "VARCHAR", pa.string(), text),
    "date": Kind("date", "date", "DATE", pa.date32(), day),
    "time": Kind("time", "time", "TIME", pa.time64("us"), clock),
    "ts": Kind("timestamp", "timestamp", "TIMESTAMP", pa.timestamp("us"), moment([0, 0, 1, 500_000])),
    "ts_ms": Kind("timestamp", "timestamp(3)", "TIMESTAMP_MS", pa.timestamp("ms"), moment([0, 1000, 500_000])),
    "tstz": Kind("timestamptz", "timestamptz", "TIMESTAMPTZ", pa.timestamp("us", "UTC"), moment([0, 0, 1, 500_000])),
    "interval": Kind("interval", "interval", "INTERVAL", pa.month_day_nano_interval(), span),
}
BIGINT, DOUBLE, TEXT, BOOLEAN, DATE = (SCALARS[name] for name in ("i64", "f64", "text", "boolean", "date"))
TIMESTAMP, TIMESTAMPTZ, INTERVAL = SCALARS["ts"], SCALARS["tstz"], SCALARS["interval"]


def list_of(item):
    def draw(rng):
        return [None if rng.random() < 0.1 else item.draw(rng) for _ in range(rng.choice([0, 1, 2, 3]))]
    return Kind("list", f"{item.sql}[]", f"{item.theirs}[]", pa.list_(item.arrow), draw)


def struct_of(**fields):
    def draw(rng):
        return {name: None if rng.random() < 0.1 else kind.draw(rng) for name, kind in fields.items()}
    inside = ", ".join(f"{name} {kind.sql}" for name, kind in fields.items())
    theirs = ", ".join(f"{name} {kind.theirs}" for name, kind in fields.items())
    arrow = pa.struct([(name, kind.arrow) for name, kind in fields.items()])
    return Kind("struct", f"struct({inside})", f"STRUCT({theirs})", arrow, draw)


NESTED = {
    "ints": list_of(SCALARS["i64"]),
    "texts": list_of(SCALARS["text"]),
    "rec": struct_of(a=SCALARS["i32"], b=SCALARS["text"]),
}
NESTED["ints"].item, NESTED["texts"].item = SCALARS["i64"], SCALARS["text"]


def quoted(value):
    return "'" + value.replace("'", "''") + "'"


def iso_span(value):
    months, days, micros = value
    seconds = f"{micros // 1_000_000}.{micros % 1_000_000:06}".rstrip("0").rstrip(".") if micros >= 0 else None
    time = f"T{seconds}S" if micros else ""
    return f"P{months}M{days}D{time}"


def plain_text(kind, value):
    """A value as text that both engines read, and files of text hold."""
    if kind.written == "bool":
        return "true" if value else "false"
    if kind.written == "float":
        return "nan" if value != value else repr(value)
    if kind.written == "decimal":
        return f"{value:f}"
    if kind.written in ("timestamp", "timestamptz"):
        written = value.isoformat(sep="T")
        return written + "Z" if kind.written == "timestamptz" else written
    if kind.written in ("date", "time"):
        return value.isoformat()
    if kind.written == "interval":
        return f"{value[0]} months {value[1]} days {value[2]} microseconds"
    return str(value)


def literal(kind, value):
    """A value as an expression of DuckDB."""
    if value is None:
        return f"CAST(NULL AS {kind.theirs})"
    if kind.written == "list":
        items = ", ".join(literal(kind.item, item) for item in value)
        return f"CAST([{items}] AS {kind.theirs})"
    if kind.written == "text":
        return "(" + " || chr(0) || ".join(map(quoted, value.split("\0"))) + ")" if "\0" in value else quoted(value)
    if kind.written == "binary":
        return f"unhex('{value.hex()}')"
    if kind.written == "int":
        # What is compared with it decides, as with a number that is written there.
        return f"({value})" if value < 0 else str(value)
    return f"CAST({quoted(plain_text(kind, value))} AS {kind.theirs})"


def shared_literal(kind, value):
    """A value as an expression that both engines read alike. NUL is left out: a statement of DuckDB ends there."""
    if kind.written == "text":
        return quoted(value.replace("\0", ""))
    if kind.written == "int":
        return str(value) if value >= 0 else f"({value})"
    if kind.written == "float":
        return f"CAST({quoted(repr(value))} AS DOUBLE)"
    if kind.written == "bool":
        return "true" if value else "false"
    if kind.written == "interval":
        return f"INTERVAL {quoted(plain_text(kind, value))}"
    sql = {"timestamptz": "TIMESTAMPTZ", "timestamp": "TIMESTAMP"}.get(kind.written, kind.sql.upper())
    return f"CAST({quoted(plain_text(kind, value))} AS {sql})"


def to_json(kind, value):
    """A value as an agent sends it."""
    if value is None or kind.written in ("bool", "int", "int64", "float", "text"):
        return value
    if kind.written == "list":
        return [to_json(kind.item, item) for item in value]
    if kind.written == "interval":
        return iso_span(value)
    if kind.written == "binary":
        return base64.b64encode(value).decode()
    return plain_text(kind, value)


def to_arrow(kind, value):
    """A value as Arrow's arrays take it."""
    if value is not None and kind.written == "interval":
        return pa.MonthDayNano([value[0], value[1], value[2] * 1000])
    return value


def dumps(value):
    return json.dumps(value, ensure_ascii=False)
