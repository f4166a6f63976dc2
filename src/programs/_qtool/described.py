"""From annotations to the type language of qtool's manifests."""

import collections
import collections.abc
import datetime
import decimal
import enum
import pathlib
import sys
import typing
import uuid

from _qtool import docstrings, fields
from _qtool.annotations import MISSING, UNIONS, Unresolved, enum_keys, text_of, unwrap
from _qtool.results import NotJson, to_json

abc = collections.abc
SCALARS = {
    str: "text",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "none",
    bytes: "bytes",
    bytearray: "bytes",
    datetime.date: "date",
    datetime.time: "time",
    datetime.datetime: "timestamp",
    decimal.Decimal: "decimal",
    uuid.UUID: "uuid",
    object: "json",
    typing.Any: "json",
}
# Subclasses, the narrower first.
FAMILIES = [
    (str, "text"),
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (datetime.datetime, "timestamp"),
    (datetime.date, "date"),
    (datetime.time, "time"),
    (decimal.Decimal, "decimal"),
    (bytes, "bytes"),
    (uuid.UUID, "uuid"),
    (pathlib.PurePath, "text"),
]
LISTS = (
    list,
    tuple,
    set,
    frozenset,
    collections.deque,
    abc.Sequence,
    abc.MutableSequence,
    abc.Collection,
    abc.Iterable,
    abc.Iterator,
    abc.Generator,
    abc.Set,
    abc.MutableSet,
    abc.AsyncIterable,
    abc.AsyncIterator,
    abc.AsyncGenerator,
)
MAPS = (dict, collections.OrderedDict, collections.defaultdict, abc.Mapping, abc.MutableMapping)
TABLES = ("DataFrame", "LazyFrame", "Table", "RecordBatch")
COLUMNS = ("Series", "ndarray", "Index", "ChunkedArray")
BOUNDS = {
    "minimum": ("ge",),
    "maximum": ("le",),
    "exclusive_minimum": ("gt",),
    "exclusive_maximum": ("lt",),
    "multiple_of": ("multiple_of",),
    "min_length": ("min_length", "min_items"),
    "max_length": ("max_length", "max_items"),
    "pattern": ("pattern", "regex"),
}


# Records within records; generic ones may go on for ever.
DEEPEST = 12


class Described:
    """A type, and what its annotation says besides."""

    __slots__ = ("type", "description", "info")

    def __init__(self, type_, description, info):
        self.type, self.description, self.info = type_, description, info


class Describer:
    """Describes annotations; what cannot be said in the type language goes into `notes`."""

    def __init__(self):
        self.notes = []
        self._within = []

    def annotation(self, annotation, names, metadata=()):
        """The type of an annotation, with its constraints and its description."""
        bare = unwrap(annotation, names)
        type_ = self._bare(bare)
        description = info = None
        for one in list(bare.metadata) + list(metadata):
            if isinstance(one, str):
                description = one
            elif isinstance(getattr(one, "documentation", None), str):
                description = one.documentation
            elif fields.is_field_info(one):
                description, info = one.description or description, one
            for part in _parts(one):
                type_ = constrained(type_, part)
        return Described(type_, description, info)

    def type(self, annotation, names):
        return self.annotation(annotation, names).type

    def _bare(self, bare):
        kind, origin = bare.type, bare.origin
        if isinstance(kind, Unresolved):
            return unknown(kind)
        if origin in UNIONS:
            return self._union(bare)
        if origin is typing.Literal or getattr(origin, "_name", None) == "Literal":
            return _literal(bare.arguments, kind)
        try:
            if kind in SCALARS:
                return {"type": SCALARS[kind]}
        except TypeError:
            return unknown(kind)
        if origin in (abc.Awaitable, abc.Coroutine) and bare.arguments:
            return self.type(bare.arguments[-1], bare.names)
        if not isinstance(origin, type):
            return unknown(kind)
        if issubclass(origin, enum.Enum):
            return {"type": "enum", "values": list(enum_keys(origin))}
        if fields.shape(origin) is not None:
            return self._record(origin, bare)
        return self._class(origin, bare)

    def _class(self, origin, bare):
        if origin is tuple and bare.arguments:
            return self._tuple(bare)
        if origin in LISTS or _is_constrained_list(origin):
            item = bare.arguments[0] if bare.arguments else getattr(origin, "item_type", typing.Any)
            return constrained({"type": "list", "items": self.type(item, bare.names)}, origin)
        if origin is collections.Counter:
            return {"type": "map", "values": {"type": "integer"}}
        if origin in MAPS:
            value = bare.arguments[1] if len(bare.arguments) == 2 else typing.Any
            return {"type": "map", "values": self.type(value, bare.names)}
        package = (origin.__module__ or "").split(".")[0]
        if package in ("pandas", "polars", "pyarrow", "numpy"):
            if origin.__name__ in TABLES:
                return {"type": "list", "items": {"type": "map", "values": {"type": "json"}}}
            if origin.__name__ in COLUMNS:
                return {"type": "list", "items": {"type": "json"}}
        for family, name in FAMILIES:
            if issubclass(origin, family):
                return constrained({"type": name}, origin)
        return _by_schema(origin) or unknown(bare.type)

    def _tuple(self, bare):
        arguments = [one for one in bare.arguments if one != ()]
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return {"type": "list", "items": self.type(arguments[0], bare.names)}
        types = [self.type(one, bare.names) for one in arguments]
        items = types[0] if types and all(one == types[0] for one in types) else {"type": "json"}
        if items == {"type": "json"} and types:
            self.notes.append("the items of `%s` have different types, which are not described" % text_of(bare.type))
        return {"type": "list", "items": items, "constraints": {"min_items": len(types), "max_items": len(types)}}

    def _union(self, bare):
        is_none = [unwrap(one, bare.names).type is type(None) for one in bare.arguments]
        kinds = [one for one, none in zip(bare.arguments, is_none) if not none]
        if not kinds:
            return {"type": "none"}
        types = [self.type(one, bare.names) for one in kinds]
        return with_null(_united(types) or unknown(bare.type), any(is_none))

    def _record(self, origin, bare):
        within = fields.root(origin)
        if within is not MISSING:
            return self.type(within, bare.names)
        key = (origin, bare.meant)
        if key in self._within or len(self._within) >= DEEPEST:
            self.notes.append("`%s` contains itself: what is inside is not described" % origin.__name__)
            return {"type": "json"}
        self._within.append(key)
        try:
            told = docstrings.parse(fields.described_in(origin))["parameters"]
            found = [self._field(field, told) for field in fields.fields(origin, bare.meant)]
        finally:
            self._within.pop()
        return {"type": "object", "name": origin.__name__, "fields": found}

    def _field(self, field, told):
        described = self.annotation(field.annotation, field.names, field.metadata)
        made = {"name": field.key, "type": described.type, "required": field.required}
        default, required = field.default, field.required
        if described.info is not None and default is MISSING and required:
            required, default = fields.constant_default(described.info)
            made["required"] = required
        self.default(made, default)
        description = field.description or described.description or told.get(field.name)
        if description:
            made["description"] = description
        return made

    def default(self, made, default):
        """Adds a default to a parameter or field, where it is JSON."""
        if default is MISSING:
            return
        try:
            made["default"] = to_json(default)
        except NotJson as error:
            self.notes.append("the default of `%s` is left out: %s" % (made["name"], error.text("it")))
        if default is None and made["type"]["type"] not in ("json", "none", "missing"):
            made["type"] = with_null(made["type"], True)


def unknown(kind):
    return {"type": "unknown", "shown": text_of(kind)}


def with_null(type_, is_nullable):
    return dict(type_, nullable=True) if is_nullable and type_["type"] != "none" else type_


def _literal(values, kind):
    found, is_nullable = [], False
    for value in values:
        if isinstance(value, enum.Enum):
            value = next(key for key, member in enum_keys(type(value)).items() if member is value)
        if value is None:
            is_nullable = True
        elif isinstance(value, (str, int)):
            found.append(value)
        else:
            return unknown(kind)
    return with_null({"type": "enum", "values": found}, is_nullable)


def _united(types):
    """The one type that says the same as several, if there is one."""
    is_nullable = any(one.get("nullable") for one in types)
    bare = [{key: value for key, value in one.items() if key != "nullable"} for one in types]
    if all(one == bare[0] for one in bare):
        return with_null(bare[0], is_nullable)
    if any(one == {"type": "json"} for one in bare):
        return {"type": "json"}
    if all(one["type"] == "enum" for one in bare):
        values = []
        for one in bare:
            values.extend(value for value in one["values"] if value not in values)
        return with_null({"type": "enum", "values": values}, is_nullable)
    if all(one in ({"type": "integer"}, {"type": "number"}) for one in bare):
        return with_null({"type": "number"}, is_nullable)
    return None


def _parts(one):
    """Metadata may be a group of others: an interval is two bounds, a `FieldInfo` holds what it was given."""
    if isinstance(one, (str, type)):
        return []
    inner = getattr(one, "metadata", None)
    inner = inner if isinstance(inner, (list, tuple)) else []
    return [one] + [part for each in inner for part in _parts(each)]


def constrained(type_, source):
    """A type with the bounds that an object states in its attributes."""
    found = {}
    for name, attributes in BOUNDS.items():
        for attribute in attributes:
            value = getattr(source, attribute, None)
            if name == "pattern":
                value = getattr(value, "pattern", value)
            value = _bound(value)
            if value is not None:
                found[name] = value
    if type_["type"] in ("list", "map"):
        for length, items in (("min_length", "min_items"), ("max_length", "max_items")):
            if length in found:
                found[items] = found.pop(length)
    if found.get("min_length" if "min_length" in found else "min_items") == 0:
        found = {key: value for key, value in found.items() if key not in ("min_length", "min_items")}
    return dict(type_, constraints=dict(type_.get("constraints", {}), **found)) if found else type_


def _bound(value):
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return value if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None


def _is_constrained_list(origin):
    return hasattr(origin, "item_type") and issubclass(origin, LISTS[:4])


def _by_schema(origin):
    """Types of Pydantic such as `EmailStr` and `HttpUrl` say themselves what they are in JSON."""
    pydantic = sys.modules.get("pydantic")
    if pydantic is None or not hasattr(origin, "__get_pydantic_core_schema__"):
        return None
    try:
        schema = pydantic.TypeAdapter(origin).json_schema()
    except Exception:
        return None
    name = {"string": "text", "integer": "integer", "number": "number", "boolean": "boolean"}.get(schema.get("type"))
    if name is None:
        return None
    bounds = {"min_length": schema.get("minLength"), "max_length": schema.get("maxLength")}
    bounds = {key: value for key, value in bounds.items() if value is not None}
    return dict({"type": name}, constraints=bounds) if bounds else {"type": name}
