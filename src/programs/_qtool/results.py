"""From the values that functions return to JSON; what is not JSON is an error that names its place."""

import base64
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import inspect
import json
import math
import pathlib
import uuid

from _qtool import fields
from _qtool.annotations import enum_keys

# Readers of JSON, qtool's among them, stop at 128 levels; some are for the answer around the value.
DEEPEST = 120
MISSING_CELLS = ("NaTType", "NAType")


class NotJson(Exception):
    """A value that is not JSON; `path` from the inside out."""

    def __init__(self, message):
        super().__init__(message)
        self.message, self.path = message, []

    def text(self, start="result"):
        return "%s %s" % (_place(start, reversed(self.path)), self.message)


def _place(start, path):
    parts = [start]
    for step in path:
        is_name = isinstance(step, str) and step.isidentifier()
        parts.append("." + step if is_name else "[%s]" % json.dumps(step, ensure_ascii=False))
    if len(parts) > 20:
        parts[10:-5] = ["…"]
    return "".join(parts)


def encode(message):
    """One message as a line of bytes."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def to_json(value, depth=0):
    """A value made of dictionaries, lists, text, numbers, booleans and None alone."""
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if kind is float:
        return _finite(value)
    if depth >= DEEPEST:
        raise NotJson("is nested more than %d levels deep" % DEEPEST)
    if kind is dict:
        return _object(value.items(), depth)
    if kind is list or kind is tuple:
        return _array(value, depth)
    return _other(value, depth)


def _finite(value):
    if not math.isfinite(value):
        raise NotJson("is %s, which JSON does not have" % ("NaN" if value != value else "infinite"))
    return value


def _array(values, depth):
    made = []
    try:
        for value in values:
            made.append(to_json(value, depth + 1))
    except NotJson as error:
        error.path.append(len(made))
        raise
    return made


def _object(entries, depth):
    made = {}
    for key, value in entries:
        if type(key) is not str:
            key = _key(key)
        if key in made:
            raise NotJson("has the key %s twice, once it is text" % json.dumps(key))
        try:
            made[key] = to_json(value, depth + 1)
        except NotJson as error:
            error.path.append(key)
            raise
    return made


def _key(key):
    if isinstance(key, enum.Enum):
        key = _other(key, DEEPEST)
    if not (key is None or isinstance(key, (bool, float))):
        key = _scalar(key)
    if key is _NONE:
        raise NotJson("has a key that is neither text nor a number")
    return key if isinstance(key, str) else json.dumps(to_json(key))


def _other(value, depth):
    if isinstance(value, enum.Enum):
        return next((key for key, member in enum_keys(type(value)).items() if member is value), value.value)
    scalar = _scalar(value)
    if scalar is not _NONE:
        return scalar
    shape = fields.shape(type(value))
    if shape is not None and not isinstance(value, type):
        return _record(value, shape, depth)
    if isinstance(value, collections.abc.Mapping):
        return _object(value.items(), depth)
    if isinstance(value, collections.abc.MappingView):
        return _array(value, depth)
    if isinstance(value, collections.abc.Set):
        return _array(_ordered(value), depth)
    package = (type(value).__module__ or "").split(".")[0]
    if package in ("pandas", "polars", "pyarrow", "numpy"):
        return _of_package(value, package, depth)
    if inspect.isawaitable(value) or hasattr(value, "__aiter__"):
        raise NotJson("is a `%s` that nobody awaited" % type(value).__name__)
    if isinstance(value, (tuple, collections.abc.Sequence, collections.abc.Iterator)):
        return _array(value, depth)
    if hasattr(type(value), "__attrs_attrs__"):
        return _object([(one.name, getattr(value, one.name)) for one in type(value).__attrs_attrs__], depth)
    if package in ("pydantic", "pydantic_core"):
        return str(value)
    raise NotJson(
        "is of type `%s`, which is not JSON: return a dictionary, a dataclass or a Pydantic model"
        % type(value).__name__
    )


_NONE = object()


def _scalar(value):
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _finite(float(value))
    if type(value).__name__ in MISSING_CELLS and type(value).__module__.startswith("pandas"):
        return None
    if isinstance(value, datetime.datetime):
        return _iso(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return duration(value)
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise NotJson("is %s, which JSON does not have" % value)
        return format(value, "f") if -40 < value.adjusted() < 40 else str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(value).decode()
    if isinstance(value, (uuid.UUID, pathlib.PurePath)):
        return str(value)
    return _NONE


def _iso(value):
    # A `Timestamp` of pandas shows nanoseconds where it has them.
    text = value.isoformat()
    return text[:-6] + "Z" if text.endswith("+00:00") else text


def duration(value):
    """A time span in the notation of ISO 8601."""
    micros = (value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds
    sign, micros = ("-" if micros < 0 else ""), abs(micros)
    seconds, micros = divmod(micros, 1_000_000)
    days, seconds = divmod(seconds, 86_400)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    part = ("%d.%06d" % (seconds, micros)).rstrip("0") if micros else str(seconds)
    clock = "".join(
        amount + unit for amount, unit in ((str(hours), "H"), (str(minutes), "M"), (part, "S")) if amount != "0"
    )
    day = "%dD" % days if days else ""
    return sign + "P" + day + ("T" + clock if clock else "") if day or clock else "PT0S"


def _record(value, shape, depth):
    if shape == "pydantic 2":
        # What serializers of the project make of it is what counts, so the model writes itself.
        return to_json(value.model_dump(by_alias=True), depth)
    if shape == "pydantic 1":
        made = value.dict(by_alias=True)
        return to_json(made["__root__"] if "__root__" in made else made, depth)
    if shape == "dataclass":
        names = [one.name for one in dataclasses.fields(value)]
    elif shape == "named tuple":
        names = value._fields
    else:
        return _object(value.items(), depth)
    return _object([(name, getattr(value, name)) for name in names], depth)


def _ordered(values):
    """Sets of text have another order in each process: sorted, answers stay the same."""
    try:
        return sorted(values)
    except TypeError:
        return list(values)


def _of_package(value, package, depth):
    if package == "pandas" and hasattr(value, "to_dict") and hasattr(value, "columns"):
        return _array(_rows_of_pandas(value), depth)
    if package == "pandas" and hasattr(value, "tolist"):
        return _array([_cell(one) for one in value.tolist()], depth)
    if hasattr(value, "collect_schema") and hasattr(value, "collect"):
        value = value.collect()
    for method in ("to_dicts", "to_pylist"):
        if hasattr(value, method):
            return _array(getattr(value, method)(), depth)
    if hasattr(value, "to_list"):
        return _array(value.to_list(), depth)
    if hasattr(value, "tolist"):
        # Numbers of numpy and its arrays of any rank.
        return to_json(value.tolist(), depth)
    raise NotJson("is of type `%s`, which is not JSON" % type(value).__name__)


def _rows_of_pandas(frame):
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    names = [name if isinstance(name, str) else _key(name) for name in frame.columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise NotJson("has two columns `%s`" % twice)
    columns = [[_cell(one) for one in frame.iloc[:, at].tolist()] for at in range(len(names))]
    return [dict(zip(names, row)) for row in zip(*columns)]


def _cell(value):
    """In pandas NaN is how a missing value looks."""
    return None if isinstance(value, float) and value != value else value


def unencodable(value, start="result"):
    """The place of the first text that is no Unicode, in what `to_json` has made."""
    if isinstance(value, dict):
        for key, item in value.items():
            if not _is_unicode(key):
                return "a key of %s" % start
            found = unencodable(item, _place(start, [key]))
            if found:
                return found
    if isinstance(value, list):
        return next(filter(None, (unencodable(item, _place(start, [at])) for at, item in enumerate(value))), None)
    return start if isinstance(value, str) and not _is_unicode(value) else None


def _is_unicode(text):
    try:
        text.encode()
        return True
    except UnicodeEncodeError:
        return False
