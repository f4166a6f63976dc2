"""The fields of dataclasses, typed dictionaries, named tuples and Pydantic models, all in one form."""

import dataclasses
import inspect
import sys
import typing

from _qtool.annotations import MISSING, names_of_class, unwrap


class Field:
    """A field: `name` in Python, `key` in JSON. `default` is MISSING where there is none that is constant."""

    __slots__ = ("name", "key", "annotation", "names", "required", "default", "description", "metadata")

    def __init__(self, name, annotation, names, **rest):
        self.name, self.annotation, self.names = name, annotation, names
        self.key = rest.get("key") or name
        self.required = rest.get("required", True)
        self.default = rest.get("default", MISSING)
        self.description = rest.get("description")
        self.metadata = rest.get("metadata", [])


def shape(kind):
    """Which sort of record a class is, or None."""
    if not isinstance(kind, type):
        return None
    if is_pydantic_2(kind):
        return "pydantic 2"
    if is_pydantic_1(kind):
        return "pydantic 1"
    if dataclasses.is_dataclass(kind):
        return "dataclass"
    if issubclass(kind, dict) and hasattr(kind, "__required_keys__"):
        return "typed dictionary"
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return "named tuple"
    return None


def is_pydantic_2(kind):
    """Whether a class is a model of Pydantic 2."""
    return hasattr(kind, "__pydantic_core_schema__") and hasattr(kind, "model_fields")


def is_pydantic_1(kind):
    """Whether a class is a model of Pydantic 1, or of `pydantic.v1`."""
    return not is_pydantic_2(kind) and hasattr(kind, "__fields__") and hasattr(kind, "parse_obj")


def fields(kind, arguments=()):
    """The fields of a record class. `arguments` stand for its type variables."""
    variables = dict(zip(getattr(kind, "__parameters__", ()), arguments))
    readers = {
        "pydantic 2": _of_model,
        "pydantic 1": _of_old_model,
        "dataclass": _of_dataclass,
        "typed dictionary": _of_typed_dictionary,
        "named tuple": _of_named_tuple,
    }
    return list(readers[shape(kind)](kind, variables))


def root(kind):
    """The annotation of a model that is one value without a name, else MISSING."""
    if is_pydantic_2(kind) and getattr(kind, "__pydantic_root_model__", False):
        return kind.model_fields["root"].annotation
    if is_pydantic_1(kind) and "__root__" in kind.__fields__:
        return kind.__fields__["__root__"].outer_type_
    return MISSING


def is_field_info(value):
    """Whether a value is what `pydantic.Field(…)` gives."""
    return type(value).__name__ == "FieldInfo" and type(value).__module__.startswith("pydantic")


def constant_default(info):
    """The default that a `FieldInfo` states: (whether a value is required, the constant or MISSING)."""
    default = getattr(info, "default", MISSING)
    factory = getattr(info, "default_factory", None)
    if factory is not None:
        return False, _made_by(factory)
    if default is Ellipsis or type(default).__name__ in ("PydanticUndefinedType", "UndefinedType"):
        return True, MISSING
    return False, default


def default_of(info):
    """A fresh default value from a `FieldInfo`, or MISSING."""
    if getattr(info, "default_factory", None) is not None:
        return info.default_factory()
    return constant_default(info)[1]


def _made_by(factory):
    """Only what is the same each time is a default to be shown: a clock's time is not."""
    return factory() if factory in (list, dict, set, tuple, str, int, float, bool) else MISSING


def _own_annotations(kind):
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(kind, format=annotationlib.Format.FORWARDREF)
    return vars(kind).get("__annotations__", {})


def _written_in(kind, name, variables):
    """A field's annotation is read with the names of the class that wrote it."""
    for owner in getattr(kind, "__mro__", (kind,)):
        if name in _own_annotations(owner):
            return names_of_class(owner, variables)
    return names_of_class(kind, variables)


def _of_dataclass(kind, variables):
    infos = getattr(kind, "__pydantic_fields__", {})
    initvars = [one for one in kind.__dataclass_fields__.values() if one._field_type is dataclasses._FIELD_INITVAR]
    for field in list(dataclasses.fields(kind)) + initvars:
        if not field.init:
            continue
        names = _written_in(kind, field.name, variables)
        default = MISSING if field.default is dataclasses.MISSING else field.default
        has_factory = field.default_factory is not dataclasses.MISSING
        required = default is MISSING and not has_factory
        if has_factory:
            default = _made_by(field.default_factory)
        info = infos.get(field.name) or (default if is_field_info(default) else None)
        metadata = [] if info is None else [info]
        if info is not None and is_field_info(default):
            required, default = constant_default(info)
        yield Field(
            field.name,
            field.type,
            names,
            required=required,
            default=default,
            description=field.metadata.get("description") or getattr(info, "description", None),
            metadata=metadata,
        )


def _of_typed_dictionary(kind, variables):
    names = names_of_class(kind, variables)
    for name, annotation in _all_annotations(kind).items():
        required = name in kind.__required_keys__
        qualifiers = unwrap(annotation, names).qualifiers
        # With `from __future__ import annotations` the class itself does not see the qualifiers.
        required = (required or "Required" in qualifiers) and "NotRequired" not in qualifiers
        yield Field(name, annotation, names, required=required)


def _all_annotations(kind):
    found = {}
    for base in getattr(kind, "__orig_bases__", ()):
        base = typing.get_origin(base) or base
        if isinstance(base, type) and hasattr(base, "__required_keys__"):
            found.update(_all_annotations(base))
    found.update(_own_annotations(kind))
    return found


def _of_named_tuple(kind, variables):
    annotations = _own_annotations(kind)
    for base in kind.__mro__:
        annotations = annotations or _own_annotations(base)
    for name in kind._fields:
        default = kind._field_defaults.get(name, MISSING)
        names = names_of_class(kind, variables)
        yield Field(name, annotations.get(name, typing.Any), names, required=default is MISSING, default=default)


def _of_model(kind, variables):
    for name, info in kind.model_fields.items():
        required, default = constant_default(info)
        yield Field(
            name,
            info.annotation,
            _written_in(kind, name, variables),
            key=_alias(info),
            required=required,
            default=default,
            description=info.description,
            metadata=[info],
        )


def _alias(info):
    alias = getattr(info, "validation_alias", None) or info.alias
    choices = getattr(alias, "choices", None)
    if choices:
        alias = next((one for one in choices if isinstance(one, str)), None)
    return alias if isinstance(alias, str) else None


def _of_old_model(kind, variables):
    for name, field in kind.__fields__.items():
        factory = field.default_factory
        default = MISSING if field.required else field.default
        if factory is not None:
            default = _made_by(factory)
        annotation = getattr(field, "annotation", None) or field.outer_type_
        if field.allow_none and field.required is not True:
            annotation = typing.Optional[annotation]
        yield Field(
            name,
            annotation,
            _written_in(kind, name, variables),
            key=field.alias,
            required=bool(field.required),
            default=default,
            description=field.field_info.description,
            metadata=[field.field_info],
        )


def described_in(kind):
    """The docstring of a class, where somebody wrote it: dataclasses get one without being asked."""
    text = inspect.cleandoc(kind.__doc__) if isinstance(kind.__doc__, str) else ""
    return "" if text.startswith(kind.__name__ + "(") else text
