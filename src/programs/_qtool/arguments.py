"""From the JSON of a call to the values that the annotations of a function ask for."""

import collections
import collections.abc
import datetime
import decimal
import enum
import json
import pathlib
import sys
import typing
import uuid

from _qtool import fields
from _qtool.annotations import MISSING, UNIONS, Names, Unresolved, enum_keys, unwrap
from _qtool.scalars import SCALARS, Wrong, scalar, wrong

abc = collections.abc


def converter(annotation, names):
    """A function from JSON to what an annotation asks for; it raises Wrong."""
    bare = unwrap(annotation, names)
    convert = _of_bare(bare)
    if any(hasattr(one, "__get_pydantic_core_schema__") and not fields.is_field_info(one) for one in bare.metadata):
        return _checked(convert, annotation) or convert
    return convert


def converter_of_type(type_):
    """The same for a type of a manifest, of parameters that have no annotation."""
    return converter(_annotation(type_), Names({}))


def _annotation(type_):
    name = type_.get("type")
    scalars = {
        "text": str,
        "integer": int,
        "number": float,
        "boolean": bool,
        "date": datetime.date,
        "time": datetime.time,
        "timestamp": datetime.datetime,
        "decimal": decimal.Decimal,
        "bytes": bytes,
        "uuid": uuid.UUID,
    }
    if name == "list":
        item = _annotation(type_.get("items", {}))
        made = typing.List[item]
    elif name == "map":
        value = _annotation(type_.get("values", {}))
        made = typing.Dict[str, value]
    elif name == "object":
        members = {one["name"]: _annotation(one.get("type", {})) for one in type_.get("fields", ())}
        made = typing.TypedDict(str(type_.get("name") or "Object"), members, total=False)
    elif name == "enum" and type_.get("values"):
        made = typing.Literal[tuple(type_["values"])]
    else:
        made = scalars.get(name, typing.Any)
    return typing.Optional[made] if type_.get("nullable") else made


def _of_bare(bare):
    kind, origin = bare.type, bare.origin
    if isinstance(kind, Unresolved) or kind in (typing.Any, object):
        return _as_it_is
    if origin in UNIONS:
        return _of_union(bare)
    if origin is typing.Literal or getattr(origin, "_name", None) == "Literal":
        return _of_choices({_literal_key(value): value for value in bare.arguments})
    if not isinstance(origin, type):
        return _as_it_is
    if issubclass(origin, enum.Enum):
        return _of_choices(enum_keys(origin))
    if fields.shape(origin) is not None:
        return _of_record(origin, bare)
    if origin in SCALARS:
        return SCALARS[origin]
    if origin is tuple:
        return _of_tuple(bare)
    if origin in _LISTS:
        return _of_list(bare, _LISTS[origin])
    if origin in _MAPS:
        return _of_map(bare, _MAPS[origin])
    return _of_class(origin)


def _of_class(origin):
    if hasattr(origin, "__get_pydantic_core_schema__"):
        return _checked(_as_it_is, origin) or _as_it_is
    if issubclass(origin, pathlib.PurePath):
        return scalar("text", str, origin)
    for family in (str, int, float, decimal.Decimal, datetime.datetime, datetime.date, uuid.UUID, bytes):
        if issubclass(origin, family):
            # Types of Pydantic 1 such as `conint(gt=3)` have no values of their own.
            is_constraint = hasattr(origin, "__get_validators__") or hasattr(origin, "__modify_schema__")
            convert = SCALARS[family]
            return convert if is_constraint else _called(convert, origin)
    return _as_it_is


def _as_it_is(value):
    return value


def _called(convert, kind):
    def make(value):
        try:
            return kind(convert(value))
        except (TypeError, ValueError) as error:
            raise Wrong(str(error)) from error

    return make


# -- choices ------------------------------------------------------------------------------------------------------


def _literal_key(value):
    if isinstance(value, enum.Enum):
        return next(key for key, member in enum_keys(type(value)).items() if member is value)
    return value


def _of_choices(members):
    typed = {(type(key), key): member for key, member in members.items()}

    def convert(value):
        try:
            if (type(value), value) in typed:
                return typed[type(value), value]
            number = float(value) if type(value) in (int, float) else None
        except TypeError:
            number = None
        for (kind, key), member in typed.items():
            if number is not None and kind in (int, float) and key == number:
                return member
        raise wrong("one of " + ", ".join(json.dumps(key, ensure_ascii=False) for key in members), value)

    return convert


def _of_union(bare):
    kinds = [unwrap(one, bare.names) for one in bare.arguments]
    rest = [annotation for annotation, kind in zip(bare.arguments, kinds) if kind.type is not type(None)]
    converters = [converter(one, bare.names) for one in rest]
    exact = {
        kind.type: at
        for at, kind in enumerate(one for one in kinds if one.type is not type(None))
        if kind.type in (str, int, float, bool)
    }
    is_nullable = len(rest) < len(kinds)

    def convert(value):
        if value is None and is_nullable:
            return None
        if len(converters) == 1:
            return converters[0](value)
        # What is in JSON what the union names stays what it is: "7" of `int | str` is text.
        if type(value) in exact:
            return converters[exact[type(value)]](value)
        first = None
        for one in converters:
            try:
                return one(value)
            except Wrong as error:
                first = first or error
        raise Wrong("fits none of its types: %s" % first.text())

    return convert


# -- lists and maps -----------------------------------------------------------------------------------------------


_LISTS = {
    list: list,
    set: set,
    frozenset: frozenset,
    collections.deque: collections.deque,
    abc.Sequence: list,
    abc.MutableSequence: list,
    abc.Collection: list,
    abc.Iterable: list,
    abc.Iterator: iter,
    abc.Set: set,
    abc.MutableSet: set,
}
_MAPS = {
    dict: dict,
    collections.OrderedDict: collections.OrderedDict,
    abc.Mapping: dict,
    abc.MutableMapping: dict,
    collections.Counter: collections.Counter,
    collections.defaultdict: lambda made: collections.defaultdict(lambda: None, made),
}


def _items(convert_at, value):
    if type(value) is not list:
        raise wrong("a list", value)
    made = []
    try:
        for at, item in enumerate(value):
            made.append(convert_at(at)(item))
    except Wrong as error:
        error.path.append(len(made))
        raise
    return made


def _of_list(bare, make):
    convert = converter(bare.arguments[0], bare.names) if bare.arguments else _as_it_is

    def convert_list(value):
        items = _items(lambda _: convert, value)
        try:
            return items if make is list else make(items)
        except TypeError as error:
            raise Wrong(str(error)) from error

    return convert_list


def _of_tuple(bare):
    arguments = [one for one in bare.arguments if one != ()]
    if not bare.arguments or (len(arguments) == 2 and arguments[1] is Ellipsis):
        convert = converter(arguments[0], bare.names) if arguments else _as_it_is
        return lambda value: tuple(_items(lambda _: convert, value))
    converters = [converter(one, bare.names) for one in arguments]

    def convert_tuple(value):
        if type(value) is list and len(value) != len(converters):
            raise Wrong("expected %d items, got %d" % (len(converters), len(value)))
        return tuple(_items(converters.__getitem__, value))

    return convert_tuple


def _of_map(bare, make):
    key_kind, value_kind = bare.arguments if len(bare.arguments) == 2 else (str, typing.Any)
    if bare.origin is collections.Counter:
        key_kind, value_kind = (bare.arguments or (str,))[0], int
    convert_key, convert_value = converter(key_kind, bare.names), converter(value_kind, bare.names)

    def convert_map(value):
        if type(value) is not dict:
            raise wrong("an object", value)
        made = {}
        for key, item in value.items():
            try:
                made[convert_key(key)] = convert_value(item)
            except Wrong as error:
                error.path.append(key)
                raise
        return made if make is dict else make(made)

    return convert_map


# -- records ------------------------------------------------------------------------------------------------------


_records = {}


def _of_record(origin, bare):
    """Built when it is first needed, as a class may contain itself."""
    key = (origin, bare.meant)

    def convert(value):
        made = _records.get(key)
        if made is None:
            made = _records[key] = _build(origin, bare)
        return made(value)

    return convert


def _build(origin, bare):
    shape = fields.shape(origin)
    if shape in ("pydantic 1", "pydantic 2"):
        return _of_model(origin, shape)
    known = {one.key: (one.name, converter(one.annotation, one.names)) for one in fields.fields(origin, bare.meant)}
    required = [one.key for one in fields.fields(origin, bare.meant) if one.required]
    order = list(known)

    def convert(value):
        if shape == "named tuple" and type(value) is list and len(value) <= len(order):
            value = dict(zip(order, value))
        if type(value) is not dict:
            raise wrong("an object", value)
        lacking = next((key for key in required if key not in value), None)
        if lacking is not None:
            raise Wrong("is missing", [lacking])
        made = {}
        for key, item in value.items():
            if key not in known:
                raise Wrong("is no field of `%s`" % origin.__name__, [key])
            name, convert_field = known[key]
            try:
                made[name] = convert_field(item)
            except Wrong as error:
                error.path.append(key)
                raise
        return made if shape == "typed dictionary" else _made(origin, made)

    return convert


def _made(origin, values):
    """Classes may check their values when they are made."""
    try:
        return origin(**values)
    except (TypeError, ValueError) as error:
        raise _of_validation(error) from error


def _of_model(origin, shape):
    """Models read JSON themselves. They take text for bytes, though, which are in Base64 here."""
    within = fields.root(origin)
    has_bytes = _wants_bytes(origin, set())

    def convert(value):
        try:
            if has_bytes:
                value = _with_bytes(origin, within, value)
            elif shape == "pydantic 2":
                return origin.model_validate_json(json.dumps(value))
            return origin.model_validate(value) if shape == "pydantic 2" else origin.parse_obj(value)
        except ValueError as error:
            raise _of_validation(error) from error

    return convert


def _with_bytes(origin, within, value):
    if within is not MISSING:
        return converter(within, Names(vars(sys.modules[origin.__module__])))(value)
    if type(value) is not dict:
        return value
    made = dict(value)
    for field in fields.fields(origin):
        if field.key in made and _wants_bytes(field.annotation, set()):
            try:
                made[field.key] = converter(field.annotation, field.names)(made[field.key])
            except Wrong as error:
                error.path.append(field.key)
                raise
    return made


def _wants_bytes(annotation, seen):
    if annotation in (bytes, bytearray):
        return True
    if fields.shape(annotation) is not None and annotation not in seen:
        seen.add(annotation)
        return any(_wants_bytes(unwrap(one.annotation, one.names).type, seen) for one in fields.fields(annotation))
    return any(_wants_bytes(one, seen) for one in typing.get_args(annotation) if not isinstance(one, (str, list)))


def _of_validation(error):
    """The first complaint of Pydantic without its links, or the message of another exception."""
    if not callable(getattr(error, "errors", None)):
        return Wrong(str(error))
    complaints = error.errors()
    if not complaints:
        return Wrong(str(error))
    first = complaints[0]
    path = [step for step in first.get("loc", ()) if step != "__root__"]
    more = " (and %d more)" % (len(complaints) - 1) if len(complaints) > 1 else ""
    return Wrong(first.get("msg", "is not valid") + more, reversed(path))


def _checked(convert, annotation):
    """What validators in an annotation of Pydantic make of a value, or None where they cannot be had."""
    pydantic = sys.modules.get("pydantic")
    try:
        adapter = pydantic.TypeAdapter(annotation)
    except Exception:
        return None

    def check(value):
        try:
            return adapter.validate_python(convert(value))
        except ValueError as error:
            raise _of_validation(error) from error

    return check
