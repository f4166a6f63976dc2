"""What an answer is, whoever gave it: rows of values that can be compared.

Rows are a multiset; where the query orders them, the keys of the order must come in the same sequence as well. Doubles
are compared with a tolerance, all else exactly.
"""

import base64
import datetime
import decimal
import math
import re

from kinds import EPOCH

TOLERANCE = 1e-9
SPAN = re.compile(r"P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)W)?(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?[\d.]+)S)?)?")


def inside(type_):
    """The fields of `struct(a int, b text)`."""
    text, depth, fields, begin = type_[len("struct("):-1], 0, [], 0
    for index, sign in enumerate(text + ","):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            name, field = text[begin:index].strip().split(" ", 1)
            fields.append((name, field))
            begin = index + 1
    return fields


def micros(value):
    if isinstance(value, str):
        value = datetime.datetime.fromisoformat(value)
    if value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return (value - EPOCH) // datetime.timedelta(microseconds=1)


def time_of(value):
    if isinstance(value, str):
        value = datetime.time.fromisoformat(value)
    return ((value.hour * 60 + value.minute) * 60 + value.second) * 1_000_000 + value.microsecond


def span(value):
    """Microseconds, with days of 24 hours and months of 30 days: as PostgreSQL and DuckDB compare intervals."""
    if isinstance(value, datetime.timedelta):
        return value // datetime.timedelta(microseconds=1)
    if isinstance(value, str):
        years, months, weeks, days, hours, minutes, seconds = (
            decimal.Decimal(part or 0) for part in SPAN.fullmatch(value).groups())
        clock = int(((hours * 60 + minutes) * 60 + seconds) * 1_000_000)
        return int((years * 12 + months) * 30 + weeks * 7 + days) * 86_400_000_000 + clock
    months, days, nanos = value
    return (months * 30 + days) * 86_400_000_000 + nanos // 1000


def number(value):
    if value is None or isinstance(value, float) and not math.isfinite(value):
        # JSON has neither.
        return None
    return float(value)


def canonical(value, type_):
    """A value of either engine as the column's type in qtool has it."""
    if value is None:
        return None
    if type_.endswith("[]"):
        return tuple(canonical(item, type_[:-2]) for item in value)
    if type_.startswith("struct("):
        return tuple(canonical(value[name], field) for name, field in inside(type_))
    if type_ in ("smallint", "int", "bigint"):
        exact = decimal.Decimal(value)
        return int(exact) if exact == int(exact) else float(exact)
    if type_ in ("real", "double"):
        return number(value)
    if type_.startswith("decimal"):
        if isinstance(value, float):
            return number(value)
        return decimal.Decimal(value)
    if type_ == "date":
        if isinstance(value, datetime.datetime):
            # DuckDB makes a timestamp of a date and an interval.
            return value.date().isoformat() if value.time() == datetime.time() else value.isoformat()
        return value if isinstance(value, str) else value.isoformat()
    if type_ == "bytea":
        return base64.b64decode(value) if isinstance(value, str) else value
    if type_ == "time":
        return time_of(value)
    if type_.startswith("timestamp"):
        return micros(datetime.datetime.combine(value, datetime.time()) if type(value) is datetime.date else value)
    if type_ == "interval":
        return span(value)
    return value


def rows_of(rows, columns):
    return [tuple(canonical(value, type_) for value, (_, type_) in zip(row, columns)) for row in rows]


def close(one, other):
    if one is None or other is None:
        return one is other
    if isinstance(one, tuple):
        return isinstance(other, tuple) and len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) or isinstance(other, float):
        if isinstance(one, str) or isinstance(other, str):
            return False
        least = 0.0
        for value in (one, other):
            if isinstance(value, decimal.Decimal):
                # A mean of decimals has some digits more than they have; DuckDB's is a double.
                least = 10.0 ** value.as_tuple().exponent
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=max(least, TOLERANCE))
    return type(one) is type(other) and one == other or \
        isinstance(one, (int, decimal.Decimal)) and isinstance(other, (int, decimal.Decimal)) and one == other


def sort_key(row):
    return tuple(one_key(value) for value in row)


def one_key(value):
    if value is None:
        return (0, "")
    if isinstance(value, bool):
        return (1, str(value))
    if isinstance(value, (int, float, decimal.Decimal)):
        return (2, float(f"{float(value) + 0.0:.6g}"))
    if isinstance(value, tuple):
        return (3, tuple(one_key(item) for item in value))
    return (4, value)


def same(one, other):
    return len(one) == len(other) and all(map(close, one, other))


def missing(few, many):
    """The first of `few` rows that is not among `many`, each of which is there once."""
    left = {}
    for row in many:
        left.setdefault(sort_key(row), []).append(row)
    for row in few:
        found = left.get(sort_key(row), [])
        index = next((index for index, other in enumerate(found) if same(row, other)), None)
        if index is None:
            index, found = nearly(row, left)
        if index is None:
            return row
        found.pop(index)
    return None


def nearly(row, left):
    """A double may have been rounded to another key."""
    if any(isinstance(value, (float, decimal.Decimal)) for value in row):
        for rows in left.values():
            for index, other in enumerate(rows):
                if same(row, other):
                    return index, rows
    return None, None


def difference(ours, theirs, order, whole):
    """What is different, as a sentence; `None` if nothing is. `order` are indices of columns, or `None`."""
    if whole and len(ours) != len(theirs):
        extra, lacking = missing(ours, theirs), missing(theirs, ours)
        return f"{len(ours)} rows and not {len(theirs)}; too many: {extra}; missing: {lacking}"
    if len(ours) > len(theirs):
        return f"{len(ours)} rows and not {len(theirs)}; too many: {missing(ours, theirs)}"
    extra = missing(ours, theirs)
    if extra is not None:
        return f"a row that is not there: {extra}; missing: {missing(theirs, ours) if whole else '?'}"
    for index in range(len(ours)):
        keys = [(ours[index][column], theirs[index][column]) for column in order or ()]
        if not all(close(one, other) for one, other in keys):
            return f"row {index} has another place: {ours[index]} and not {theirs[index]}"
    return None
