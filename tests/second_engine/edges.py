"""Types as a database keeps them, and values at their edges.

The groups `large`, `deep`, `far`, `remote` and `odd` are compared, ordered and counted, and nothing is computed with them:
a sum of the largest numbers is an error of one engine, and the year 10000 no day of Python's.
"""

import datetime
import decimal
import math

import pyarrow as pa

from kinds import BIGINT, DATE, DOUBLE, SCALARS, TEXT, TIMESTAMP, Kind, amount

DAY, MICRO = datetime.timedelta(days=1), datetime.timedelta(microseconds=1)
LEAST, MOST = -2**63, 2**63 - 1
INTEGERS = [LEAST, LEAST + 1, MOST, MOST - 1, 2**53, 2**53 - 1, 2**53 + 1, -2**53 - 1, 2**31, 2**31 - 1, -2**31 - 1, 2**32,
            10**18, 0, 1, -1, 10**15, 10**15 + 1]
FRACTIONS = [0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -1.7976931348623157e308, 0.1, 0.2,
             0.30000000000000004, 0.3, 1 / 3, 1e15 + 0.5, 2.0**53, 2.0**53 + 2, 1e-300, 1e22, 1e23, 123456789.12345679,
             4503599627370496.5, -1.5, 1.0, 9.223372036854775807e18]
# As they are compared, letter by letter: capitals, blanks at the end, NUL, beyond the first plane, one letter in two ways.
ODD = ["", " ", "  ", "a", "A", "a ", "A ", "a  ", " a", "a\t", "a\n", "a\0", "a\0b", "\0", "\0\0", "ab", "aB", "AB", "AB ",
       "🙂", "🙂 ", "🙂🙂", "\uffee", "\ue000", "\U0010fffd", "é", "É", "e\u0301", "ß", "ss", "SS", "ſ", "s", "İ", "i", "ı", "I",
       "K", "\u212a", "k", "0", "00", "0.0", "1", "01", "1 ", "1e0", "'", "''", '"', "\\", "%", "_", "--", ";", "null", "NULL",
       "true", "\u200b", "a\u200b", "\u00a0", "日本", "日本 ", "x" * 3000]
DAYS = [datetime.date(1, 1, 1), datetime.date(1, 1, 2), datetime.date(99, 12, 31), datetime.date(1582, 10, 4),
        datetime.date(1582, 10, 15), datetime.date(1900, 2, 28), datetime.date(1970, 1, 1), datetime.date(2024, 2, 29),
        datetime.date(9999, 12, 30), datetime.date(9999, 12, 31)]
MOMENTS = [datetime.datetime(1, 1, 1), datetime.datetime(1, 1, 1, 0, 0, 0, 1), datetime.datetime(1969, 12, 31, 23, 59, 59, 999_999),
           datetime.datetime(1970, 1, 1), datetime.datetime(2024, 3, 30, 23, 59, 59), datetime.datetime(2024, 3, 30, 23, 59, 59, 999_999),
           datetime.datetime(2024, 3, 31), datetime.datetime(2024, 3, 31, 0, 0, 0, 1), datetime.datetime(2024, 3, 31, 0, 0, 0, 500_000),
           datetime.datetime(2024, 3, 31, 0, 0, 1), datetime.datetime(2024, 3, 31, 12), datetime.datetime(2024, 3, 31, 12, 30),
           datetime.datetime(9999, 12, 31), datetime.datetime(9999, 12, 31, 23, 59, 59, 999_999)]
BYTES = [b"", b"a", b"A", b"a ", b"a\0", b"\0", b"\0\0", b"ab", b"'", b"\xff\xfe", b"\xc3\xa9", "é".encode("utf-16-le"), bytes(range(256))]


def one_of(values):
    return lambda rng: rng.choice(values)


def large(rng):
    return rng.choice(INTEGERS) if rng.random() < 0.7 else rng.randint(LEAST, MOST)


def numeric(digits, scale, most=None):
    return Kind("decimal", f"decimal({digits},{scale})", f"DECIMAL({digits},{scale})", pa.decimal128(digits, scale),
                amount(most or digits, scale))


LARGE = Kind("large", "bigint", "BIGINT", BIGINT.arrow, large, "int64")
DEEP = Kind("deep", "double", "DOUBLE", DOUBLE.arrow, one_of(FRACTIONS), "float")
FAR = Kind("far", "date", "DATE", DATE.arrow, one_of(DAYS), "date")
REMOTE = Kind("remote", "timestamp", "TIMESTAMP", TIMESTAMP.arrow, one_of(MOMENTS), "timestamp")
ODD_TEXT = Kind("odd", "text", "VARCHAR", TEXT.arrow, one_of(ODD), "text")
BINARY = Kind("binary", "bytea", "BLOB", pa.binary(), one_of(BYTES))
# More digits than any column has.
DIGITS = numeric(30, 8, 24)
# The columns of a table in a database, by their names: their kinds, and how values are drawn, if not as by the kind.
STORED = {
    "boolean": (SCALARS["boolean"], None), "i16": (BIGINT, SCALARS["i16"].draw), "i32": (BIGINT, SCALARS["i32"].draw),
    "u32": (BIGINT, SCALARS["u32"].draw), "i64": (BIGINT, None), "big": (LARGE, None), "f32": (DOUBLE, None),
    "f64": (DOUBLE, None), "deep": (DEEP, None), "dec": (SCALARS["dec"], None), "cents": (numeric(15, 2), None),
    "parts": (numeric(15, 4, 14), None), "whole": (numeric(15, 0), None), "share": (numeric(6, 6), None),
    # More than SQLite's numbers hold, though not in these values.
    "roomy": (numeric(20, 4, 14), None), "text": (TEXT, None), "odd": (ODD_TEXT, None), "date": (DATE, None),
    "far": (FAR, None), "time": (SCALARS["time"], None), "ts": (TIMESTAMP, None), "remote": (REMOTE, None),
    "bin": (BINARY, None), "tstz": (SCALARS["tstz"], None),
}


class Near(Kind):
    """A parameter that is compared with a column: values of the column as it is at the call, those beside them, others."""

    def __init__(self, table, column):
        kind = column.kind
        super().__init__(kind.group, kind.sql, kind.theirs, kind.arrow, self.near, kind.written)
        self.table = table
        self.column = column

    def near(self, rng):
        values = self.table.rows.get(self.column.name) if rng.random() < 0.65 else None
        value = rng.choice(values) if values else None
        if value is None or isinstance(value, float) and not math.isfinite(value):
            return self.column.draw(rng)
        # What keeps milliseconds takes no more of a parameter.
        return beside(self, rng, value) if rng.random() < 0.3 and self.sql != "timestamp(3)" else value


def near(table, column):
    if not hasattr(column, "near"):
        column.near = Near(table, column)
    return column.near


def beside(kind, rng, value):
    """A value that differs from this one by little, or by what somebody may not count as a difference."""
    try:
        return BESIDE.get(kind.group, BESIDE.get(kind.written, lambda rng, value: value))(rng, value)
    except (OverflowError, decimal.InvalidOperation):
        return value


def beside_fraction(rng, value):
    other = rng.choice([math.nextafter(value, math.inf), math.nextafter(value, -math.inf), -value, value + 0.25])
    return other if math.isfinite(other) else value


def beside_text(rng, value):
    return rng.choice([value.swapcase(), value + " ", value.rstrip(), value.upper(), value + value, value[:-1], " " + value])


def beside_odd(rng, value):
    return rng.choice([beside_text(rng, value), value + "\0", value + "\u200b", value.split("\0")[0]])


def beside_amount(rng, value):
    step = decimal.Decimal(1).scaleb(value.as_tuple().exponent)
    other = value + rng.choice([step, -step])
    return other if len(other.as_tuple().digits) <= len(value.as_tuple().digits) else value


def beside_moment(rng, value):
    midnight = datetime.datetime(value.year, value.month, value.day)
    return rng.choice([value + MICRO, value - MICRO, midnight, value.replace(microsecond=0), midnight + DAY, midnight - MICRO])


BESIDE = {
    "int": lambda rng, value: min(MOST, max(LEAST, value + rng.choice([-1, 1]))),
    "int64": lambda rng, value: min(MOST, max(LEAST, value + rng.choice([-1, 1]))),
    "float": beside_fraction, "decimal": beside_amount, "odd": beside_odd, "text": beside_text,
    "date": lambda rng, value: value + rng.choice([DAY, -DAY]), "timestamp": beside_moment,
    "time": lambda rng, value: value.replace(microsecond=rng.choice([0, 1, 500_000, 999_999])),
    "binary": lambda rng, value: rng.choice([value + b"\0", value.swapcase(), value[:-1], value + b" "]),
}
