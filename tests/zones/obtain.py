"""Writes `expected.json`: what PostgreSQL and DuckDB answer to the expressions, in each zone.

    python -m venv VENV && VENV/bin/pip install duckdb psycopg2-binary pytz
    VENV/bin/python tests/zones/obtain.py "host=127.0.0.1 port=5432 user=postgres"

Where the two differ, PostgreSQL decides, and the entry holds DuckDB's answers as well. The test reads `expected.json`
alone.
"""

import csv
import datetime
import decimal
import json
import pathlib
import sys

import duckdb
import psycopg2

HERE = pathlib.Path(__file__).parent
ZONES = ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "UTC"]

# What each expression is in qtool, in PostgreSQL and in DuckDB; None where it is the same, "" where there is none.
entries: list[dict] = []


def add(sql, pg=None, duck=None, args=None):
    entries.append({"sql": sql, "pg": pg or sql, "duckdb": (pg or sql) if duck is None else duck, "args": args or {}})


GAP = "2024-03-10 02:30:00"  # skipped in New York
TWICE = "2024-11-03 01:30:00"  # comes twice in New York
POINTS = [
    "DATE '2024-03-10'",
    "DATE '2024-11-03'",
    f"TIMESTAMP '{GAP}'",
    f"TIMESTAMP '{TWICE}'",
    f"TIMESTAMPTZ '{GAP}'",
    f"TIMESTAMPTZ '{TWICE}'",
    "TIMESTAMPTZ '2024-03-31 02:30:00+00:00'",
    "'2024-10-27 02:30:00'",
    "'2024-10-06T02:15:00'",
    "'2024-03-31'",
]

# An instant beside a day, a local time or a text.
for point in POINTS:
    add(f"t >= {point}")
    add(f"t < {point}")
    add(f"{point} = t")
add("t <> DATE '2024-03-10'")
add("t > DATE '2024-03-31'")
add("t <= DATE '2024-03-31'")
add("t IS DISTINCT FROM DATE '2024-11-03'")
add("t = d")
add("t >= d")
add("d < t")
add("t = l")
add("t >= l")
add("l < t")
add("t BETWEEN DATE '2024-03-10' AND DATE '2024-03-11'")
add("t BETWEEN d AND l")
add(f"t NOT BETWEEN TIMESTAMP '{GAP}' AND TIMESTAMP '{TWICE}'")
add("t IN (DATE '2024-03-10', DATE '2024-11-03', DATE '2024-03-31')")
add(f"t IN (TIMESTAMP '{GAP}', TIMESTAMP '{TWICE}')")
add("d IN (t, t - interval '1 hour')")
add("t NOT IN ('2024-03-10', '2024-11-03 01:30:00')", "t NOT IN (timestamptz '2024-03-10', '2024-11-03 01:30:00')")
add("CASE WHEN t > d THEN t ELSE d END")
add("CASE WHEN t > l THEN l ELSE t END")
add("coalesce(NULL, d, t)", "coalesce(NULL::timestamptz, d, t)")
add("coalesce(NULL, l, t)", "coalesce(NULL::timestamptz, l, t)")
add("greatest(t, d)")
add("least(t, d)")
add("greatest(t, l)")
add("least(t, l, d)")
add("nullif(t, l)")
add("nullif(t, d)")
add("t = (SELECT max(d) FROM moments)")
for one, other in ["tl", "td", "dt", "lt"]:
    add(f"(SELECT count(*) FROM moments AS o WHERE o.{one} IN (SELECT {other} FROM moments))")
    add(f"(SELECT count(*) FROM moments AS o WHERE o.{one} < ALL (SELECT {other} FROM moments WHERE id > 12))")
add("(SELECT count(*) FROM moments AS a INNER JOIN moments AS b ON a.t = b.l)")
add("(SELECT count(*) FROM moments AS a INNER JOIN moments AS b ON a.t = b.d)")
add("(SELECT count(*) FROM (SELECT t FROM moments UNION SELECT d FROM moments) AS u)")
add("(SELECT min(t) FROM (SELECT d AS t FROM moments UNION ALL SELECT t FROM moments) AS u)")
add("(SELECT max(t) FROM (SELECT l AS t FROM moments UNION ALL SELECT t FROM moments) AS u)")

# The same as parameters.
for ty, value in [
    ("date", "2024-03-10"), ("date", "2024-11-03"), ("timestamp", GAP.replace(" ", "T")),
    ("timestamp", TWICE.replace(" ", "T")), ("timestamptz", GAP.replace(" ", "T")),
    ("timestamptz", TWICE.replace(" ", "T")), ("timestamptz", "2024-03-31T02:30:00Z"),
    ("timestamptz", "2024-10-06T02:15:00"), ("timestamptz", "2024-10-27T02:30:00"), ("text", "2024-03-31"),
]:
    for op in [">=", "<", "="]:
        declared = "" if ty == "timestamptz" else f": {ty}"
        known = "timestamptz" if ty == "text" else ty
        own = f"t {op} CAST(<< $ : text >> AS timestamptz)" if ty == "text" else f"t {op} << ${declared} >>"
        add(own, f"t {op} {known} '{value}'", args={"$": value})
add("t >= << $: date >> AND t < << $: date >> + 1", "t >= date '2024-03-10' AND t < date '2024-03-10' + 1", args={"$": "2024-03-10"})
add("t BETWEEN << $: date >> AND << $ >> + interval '1 day'", "t BETWEEN date '2024-11-03' AND date '2024-11-03' + interval '1 day'", args={"$": "2024-11-03"})
add("t IN << $ >>", "t IN (timestamptz '2024-03-10', '2024-11-03 01:30:00')", args={"$": ["2024-03-10T00:00:00", "2024-11-03T01:30:00"]})
add("d IN << $ >>", "d IN (date '2024-03-10', '2024-11-03')", args={"$": ["2024-03-10", "2024-11-03"]})
add("date_trunc('day', t) = << $: date >>", "date_trunc('day', t) = date '2024-03-10'", args={"$": "2024-03-10"})
add("date_trunc('day', t) = << $: timestamptz >>", "date_trunc('day', t) = timestamptz '2024-11-03'", args={"$": "2024-11-03T00:00:00"})
add("CAST(t AS date) = << $ >>", "CAST(t AS date) = date '2024-11-03'", args={"$": "2024-11-03"})
add("date_trunc(<< $ >>, t)", "date_trunc('week', t)", args={"$": "week"})
add("t + << $: interval >>", "t + interval '1 day'", args={"$": "P1D"})
add("t - << $: interval >>", "t - interval '1 month'", args={"$": "P1M"})
add("t > << $: timestamptz >> - interval '1 day'", f"t > timestamptz '{TWICE}' - interval '1 day'", args={"$": TWICE.replace(" ", "T")})

# Casts.
for cast in [
    "CAST(t AS date)", "CAST(t AS timestamp)", "CAST(t AS time)", "CAST(l AS timestamptz)", "CAST(d AS timestamptz)",
    "CAST(s AS timestamptz)", "CAST(CAST(t AS date) AS timestamptz)", "CAST(CAST(t AS timestamp) AS date)",
    "CAST(CAST(t AS timestamp) AS timestamptz)", "CAST(t AS date) + 1", "CAST(t AS date) - d", "CAST(t AS date) = d",
    "CAST(t AS timestamp) = l", "CAST(l AS timestamptz) = t", "CAST('2024-03-10 02:30:00' AS timestamptz)",
    "CAST('2024-11-03 01:30:00' AS timestamptz)", "CAST('2024-11-03 01:30:00-04:00' AS timestamptz)",
    "CAST('2024-10-06' AS timestamptz)", "CAST(DATE '2024-04-07' AS timestamptz)",
    "CAST(TIMESTAMP '2024-04-07 01:45:00' AS timestamptz)", "CAST(TIMESTAMP '2024-10-06 02:15:00' AS timestamptz)",
    "CAST(TIMESTAMPTZ '2024-10-05 15:45:00+00:00' AS time)", "CAST(CAST(l AS timestamptz) AS timestamp)",
    "CAST(CAST(s AS timestamptz) AS date)",
]:
    add(cast)
add("TRY_CAST(s AS timestamptz)", "CAST(s AS timestamptz)")
add("TRY_CAST(t AS date)", "CAST(t AS date)")
add("(SELECT count(DISTINCT CAST(t AS date)) FROM moments)")
add("(SELECT min(CAST(t AS date)) FROM moments)")
add("(SELECT max(n) FROM (SELECT count(*) AS n FROM moments GROUP BY CAST(t AS date)) AS c)")
add("(SELECT max(n) FROM (SELECT count(*) AS n FROM moments GROUP BY date_trunc('day', t)) AS c)")

# Units.
for unit in ["year", "quarter", "month", "week", "day", "hour", "minute", "second"]:
    add(f"date_trunc('{unit}', t)")
    add(f"date_trunc('{unit}', l)")
    add(f"date_trunc('{unit}', CAST(l AS timestamptz))")
for unit in ["month", "week", "day"]:
    add(f"CAST(date_trunc('{unit}', t) AS date)")
add("date_trunc('day', t) = TIMESTAMP '2024-11-03 00:00:00'")
add("date_trunc('day', t) = DATE '2024-03-10'")
add("date_trunc('day', t) = d")
add("date_trunc('day', t) = '2024-10-27'")
add("date_trunc('day', t) + interval '1 day'")
add("date_trunc('day', t) + interval '24 hours'")
add("date_trunc('day', t) - interval '1 day'")
add("date_trunc('month', t) + interval '1 month'")
add("date_trunc('hour', t) + interval '1 hour'")
add("t < date_trunc('day', t) + interval '1 day'")
add("CAST(extract(epoch FROM date_trunc('day', t) + interval '1 day' - date_trunc('day', t)) AS bigint)")

# Parts.
for part in ["year", "isoyear", "quarter", "month", "week", "day", "hour", "minute", "second", "dow", "isodow", "doy", "epoch"]:
    add(f"CAST(extract({part} FROM t) AS bigint)")
    add(f"CAST(date_part('{part}', t) AS bigint)")
for part in ["year", "day", "hour", "minute"]:
    add(f"CAST(extract({part} FROM l) AS bigint)")
    add(f"CAST(extract({part} FROM CAST(l AS timestamptz)) AS bigint)")
add("extract(year FROM t) = 2024")
add("extract(year FROM t) < 2024")
add("extract(hour FROM t) BETWEEN 1 AND 2")

# Arithmetic.
for span in [
    "1 hour", "24 hours", "1 day", "7 days", "1 month", "1 year", "1 day 1 hour", "30 minutes", "-1 day", "1 month -1 day",
    "26 hours", "90 minutes",
]:
    add(f"t + interval '{span}'")
    add(f"t - interval '{span}'")
for span in ["1 hour", "1 day", "1 month"]:
    add(f"CAST(t + interval '{span}' AS date)")
    add(f"CAST(l AS timestamptz) + interval '{span}'")
    add(f"interval '{span}' + t")
add("t + interval '1 day' >= DATE '2024-11-03'")
add("CAST(extract(epoch FROM t - d) AS bigint)")
add("CAST(extract(epoch FROM d - t) AS bigint)")
add("CAST(extract(epoch FROM t - l) AS bigint)")
add("CAST(extract(epoch FROM t - TIMESTAMPTZ '2024-03-10 00:00:00') AS bigint)")
add("CAST(extract(epoch FROM t - DATE '2024-11-03') AS bigint)")
add("t - d > interval '5 hours'")
add("t - DATE '2024-03-09' > interval '1 day'")
add("t - TIMESTAMPTZ '2024-03-09 00:00:00' > interval '25 hours'")
add("t - DATE '2024-03-09' < interval '1 month'")
add("CAST(extract(epoch FROM l - t) AS bigint)")
add("CAST(extract(epoch FROM TIMESTAMP '2024-11-03 12:00:00' - t) AS bigint)")
add("now() - t > interval '1 day'")
add("now() - (SELECT max(t) FROM moments) > interval '1 month'")
add("t < now() - interval '30 days'")
add("t < current_date")
add("current_date = CAST(now() AS date)")

# Zones by name.
for zone in ["Asia/Tokyo", "UTC", "America/New_York", "Australia/Lord_Howe"]:
    add(f"t AT TIME ZONE '{zone}'")
    add(f"l AT TIME ZONE '{zone}'")
    add(f"CAST(t AT TIME ZONE '{zone}' AS date)")
    add(f"CAST(extract(hour FROM t AT TIME ZONE '{zone}') AS bigint)")
    add(f"date_trunc('day', t AT TIME ZONE '{zone}') AT TIME ZONE '{zone}'")
add("timezone('Asia/Tokyo', t)")
add("(l AT TIME ZONE 'America/New_York') AT TIME ZONE 'Asia/Tokyo'")
add("t AT TIME ZONE 'America/New_York' >= DATE '2024-11-03'")

# Texts.
for own, pg, duck in [
    ("%Y-%m-%d", "YYYY-MM-DD", "%Y-%m-%d"), ("%H:%M", "HH24:MI", "%H:%M"),
    ("%Y-%m-%d %H:%M:%S", "YYYY-MM-DD HH24:MI:SS", "%Y-%m-%d %H:%M:%S"), ("%j", "DDD", "%j"), ("%Y", "YYYY", "%Y"),
    ("%d.%m.%Y", "DD.MM.YYYY", "%d.%m.%Y"),
]:
    pg_sql = f"to_char(t, '{pg}')" if own != "%j" else "lpad(to_char(t, 'FMDDD'), 3, '0')"
    add(f"to_char(t, '{own}')", pg_sql, f"strftime(t, '{duck}')")
    pg_sql = f"to_char(CAST(l AS timestamptz), '{pg}')" if own != "%j" else "lpad(to_char(CAST(l AS timestamptz), 'FMDDD'), 3, '0')"
    add(f"date_format(CAST(l AS timestamptz), '{own}')", pg_sql, f"strftime(CAST(l AS timestamptz), '{duck}')")
add("left(CAST(t AS text), 10)", duck="strftime(t, '%Y-%m-%d')")
add("substr(CAST(t AS text), 12, 5)", duck="strftime(t, '%H:%M')")
add("left(concat(t, '!'), 10)", duck="strftime(t, '%Y-%m-%d')")
add("left(t || '!', 10)", duck="strftime(t, '%Y-%m-%d')")
add("to_date(t)", "CAST(t AS date)")
add("to_local_time(t)", "CAST(t AS timestamp)")
add("to_timestamp(s)", "CAST(s AS timestamptz)")
local = "CAST(to_char(l, 'YYYY-MM-DD HH24:MI:SS') AS timestamptz)"
add("to_timestamp(to_char(l, '%d.%m.%Y %H:%M:%S'), '%d.%m.%Y %H:%M:%S')", local, duck="CAST(l AS timestamptz)")
add("to_timestamp_seconds(to_char(l, '%d.%m.%Y %H:%M'), '%d.%m.%Y %H:%M')", "CAST(date_trunc('minute', l) AS timestamptz)")
add("to_timestamp(to_char(t, '%Y-%m-%d %H:%M:%S %z'), '%Y-%m-%d %H:%M:%S %z')", "t")
add("to_timestamp(l)", "CAST(l AS timestamptz)")
add("to_timestamp_seconds(s)", "CAST(s AS timestamptz)")
add("to_unixtime(s)", "CAST(extract(epoch FROM CAST(s AS timestamptz)) AS bigint)")
add("to_unixtime(t)", "CAST(extract(epoch FROM t) AS bigint)")
add("to_timestamp(1710050400)")
add("to_timestamp(1710050400.0)")
add("to_timestamp(id)")
add("from_unixtime(1730611800)", "CAST(to_timestamp(1730611800) AS timestamp)")
add("arrow_cast(t, 'Date32')", "CAST(t AS date)")
add("arrow_cast(l, 'Timestamp(Microsecond, Some(\"+00:00\"))')", "CAST(l AS timestamptz)")

# Bins.
for stride in ["15 minutes", "1 hour", "6 hours", "1 day"]:
    for origin in ["TIMESTAMPTZ '2024-01-01 00:00:00'", "TIMESTAMPTZ '2024-03-10 00:00:00+00:00'"]:
        sql = f"date_bin(interval '{stride}', t, {origin})"
        add(sql, sql, f"time_bucket(interval '{stride}', t, {origin})")
sql = "date_bin(interval '12 hours', t, DATE '2024-01-01')"
add(sql, sql, "time_bucket(interval '12 hours', t, CAST(DATE '2024-01-01' AS timestamptz))")
sql = "date_bin(interval '1 day', t, '2024-01-01')"
add(sql, sql, "time_bucket(interval '1 day', t, TIMESTAMPTZ '2024-01-01')")
add("date_bin(interval '1 day', t)", "date_bin(interval '1 day', t, '1970-01-01')", "time_bucket(interval '1 day', t, TIMESTAMPTZ '1970-01-01')")
add("date_bin(interval '1 hour', l, TIMESTAMP '2024-01-01 00:00:00')", duck="time_bucket(interval '1 hour', l, TIMESTAMP '2024-01-01')")

# Series.
for at, (start, stop, step) in enumerate([
    ("2024-03-09", "2024-03-12", "1 day"), ("2024-11-02", "2024-11-05", "1 day"), ("2024-03-30", "2024-04-02", "1 day"),
    ("2024-10-26", "2024-10-29", "24 hours"), ("2024-10-05", "2024-10-07", "12 hours"), ("2024-01-01", "2025-01-01", "1 month"),
    ("2024-03-09 02:30:00", "2024-03-12 02:30:00", "1 day"), ("2024-11-02 01:30:00", "2024-11-05 01:30:00", "1 day 1 hour"),
    ("2024-10-29 02:15:00", "2024-10-01 00:00:00", "-1 day"),
]):
    series = f"generate_series(TIMESTAMPTZ '{start}', TIMESTAMPTZ '{stop}', interval '{step}') AS g{at} (x)"
    duck = f"(SELECT unnest(generate_series(TIMESTAMPTZ '{start}', TIMESTAMPTZ '{stop}', interval '{step}')) AS x) AS g"
    for call in ["count(*)", "max(x)", "count(DISTINCT CAST(x AS date))"]:
        add(f"(SELECT {call} FROM {series})", duck=f"(SELECT {call} FROM {duck})")
    row = f"TIMESTAMPTZ '{start}', TIMESTAMPTZ '{stop}', interval '{step}'"
    add(f"cardinality(generate_series({row}))", f"(SELECT count(*) FROM generate_series({row}))", f"len(generate_series({row}))")
add(
    "array_max(range(t, t + interval '3 days', interval '1 day'))",
    "(SELECT max(x) FROM generate_series(t, t + interval '3 days', interval '1 day') AS g (x) WHERE x < t + interval '3 days')",
    "list_max(range(t, t + interval '3 days', interval '1 day'))",
)


def shown(value):
    """A value as qtool writes it in JSON."""
    if isinstance(value, datetime.datetime):
        instant = value.tzinfo is not None
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if instant else value
        fraction = f".{value.microsecond:06d}" if value.microsecond else ""
        return value.strftime("%Y-%m-%dT%H:%M:%S") + fraction + ("Z" if instant else "")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.time):
        return value.strftime("%H:%M:%S")
    if isinstance(value, decimal.Decimal):
        return int(value)
    return value


def main(target):
    pg = psycopg2.connect(target)
    pg.autocommit = True
    cursor, duck = pg.cursor(), duckdb.connect()
    rows = list(csv.DictReader(open(HERE / "data/moments.csv")))
    columns = "id int, t timestamptz, l timestamp, d date, s text"
    cursor.execute(f"CREATE TEMP TABLE moments ({columns})")
    duck.execute("LOAD icu")
    duck.execute(f"CREATE TABLE moments ({columns})")
    for zone in ZONES:
        cursor.execute(f"SET timezone = '{zone}'")
        duck.execute(f"SET TimeZone = '{zone}'")
        cursor.execute("DELETE FROM moments")
        duck.execute("DELETE FROM moments")
        for row in rows:
            values = [row["id"], row["t"], row["l"], row["d"], row["s"]]
            cursor.execute("INSERT INTO moments VALUES (%s, %s, %s, %s, %s)", values)
            duck.execute("INSERT INTO moments VALUES (?, ?, ?, ?, ?)", values)
        for entry in entries:
            cursor.execute(f"SELECT {entry['pg']} FROM moments ORDER BY id")
            one = [shown(row[0]) for row in cursor.fetchall()]
            entry.setdefault("expected", {})[zone] = one
            if not entry["duckdb"]:
                continue
            try:
                other = [shown(row[0]) for row in duck.execute(f"SELECT {entry['duckdb']} FROM moments ORDER BY id").fetchall()]
            except duckdb.Error as error:
                other = str(error).splitlines()[0]
            if other != one:
                entry.setdefault("duckdb_answers", {})[zone] = other
    written = [
        {key: value for key, value in entry.items() if value and not (key in ("pg", "duckdb") and value == entry["sql"])}
        for entry in entries
    ]
    lines = ",\n".join("  " + json.dumps(entry, separators=(",", ":")) for entry in written)
    (HERE / "expected.json").write_text(f"[\n{lines}\n]\n")
    differing = [entry for entry in entries if "duckdb_answers" in entry]
    print(len(entries), "expressions,", len(ZONES), "zones,", len(rows), "rows;", len(differing), "differ in DuckDB")
    for entry in differing:
        print("  ", entry["sql"], "|", next(iter(entry["duckdb_answers"].items())))


main(sys.argv[1])
