"""What annotations mean: strings are resolved, and what is wrapped around a type is taken off."""

import ast
import enum
import inspect
import re
import sys
import types
import typing

MISSING = inspect.Parameter.empty
UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))
QUALIFIERS = ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar", "InitVar")


class Names:
    """The names that an annotation may use, and what its type variables stand for."""

    __slots__ = ("globals", "locals", "variables")

    def __init__(self, globals_, locals_=None, variables=None):
        self.globals, self.locals, self.variables = globals_, locals_ or {}, variables or {}

    def substitute(self, annotation):
        """A type with these variables replaced, for where other names hold."""
        if isinstance(annotation, typing.TypeVar):
            return self.variables.get(annotation, annotation)
        parameters = getattr(annotation, "__parameters__", ())
        if isinstance(annotation, type) or not isinstance(parameters, tuple) or not self.variables or not parameters:
            return annotation
        return annotation[tuple(self.variables.get(one, one) for one in parameters)]


class Unresolved:
    """An annotation whose name is not known when the program runs."""

    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text


class Bare:
    """A type without its wrappings: metadata of `Annotated` from the inside out, qualifiers by name."""

    __slots__ = ("type", "metadata", "qualifiers", "names")

    def __init__(self, type_, metadata, qualifiers, names):
        self.type, self.metadata, self.qualifiers, self.names = type_, metadata, qualifiers, names

    @property
    def origin(self):
        return typing.get_origin(self.type) or self.type

    @property
    def arguments(self):
        return typing.get_args(self.type)

    @property
    def meant(self):
        """The arguments, to be read without these names."""
        return tuple(self.names.substitute(one) for one in self.arguments)


def unwrap(annotation, names):
    """Takes strings, `Annotated`, `NewType`, aliases, type variables and qualifiers off a type."""
    metadata, qualifiers = [], set()
    for _ in range(64):
        annotation = _resolved(annotation, names)
        origin = typing.get_origin(annotation)
        if origin is typing.Annotated:
            metadata[:0] = annotation.__metadata__
            annotation = annotation.__origin__
        elif _qualifier(origin) is not None:
            qualifiers.add(_qualifier(origin))
            annotation = typing.get_args(annotation)[0]
        elif type(annotation).__name__ == "InitVar":
            qualifiers.add("InitVar")
            annotation = annotation.type
        elif isinstance(annotation, typing.TypeVar):
            annotation = _of_variable(annotation, names)
        elif isinstance(annotation, _aliases()):
            names = Names(vars(sys.modules.get(annotation.__module__, typing)), names.locals, names.variables)
            annotation = annotation.__value__
        elif isinstance(origin, _aliases()):
            annotation = origin.__value__[typing.get_args(annotation)]
        elif hasattr(annotation, "__supertype__"):
            annotation = annotation.__supertype__
        else:
            break
    return Bare(annotation, metadata, qualifiers, names)


def _aliases():
    extensions = sys.modules.get("typing_extensions")
    found = [getattr(module, "TypeAliasType", None) for module in (typing, extensions) if module is not None]
    return tuple(one for one in found if isinstance(one, type))


def _of_variable(variable, names):
    meant = names.variables.get(variable, variable)
    if meant is not variable:
        return meant
    if variable.__bound__ is not None:
        return variable.__bound__
    if variable.__constraints__:
        return typing.Union[variable.__constraints__]
    return typing.Any


def _qualifier(origin):
    name = getattr(origin, "_name", None) or getattr(origin, "__name__", None)
    is_special = not isinstance(origin, type) and getattr(origin, "__module__", "") in ("typing", "typing_extensions")
    return name if is_special and name in QUALIFIERS else None


def _resolved(annotation, names):
    if annotation is None:
        return type(None)
    if isinstance(annotation, typing.ForwardRef):
        module = getattr(annotation, "__forward_module__", None)
        if isinstance(module, str):
            module = sys.modules.get(module)
        if module is not None:
            names = Names(dict(names.globals, **vars(module)), names.locals, names.variables)
        annotation = annotation.__forward_arg__
    if not isinstance(annotation, str):
        return annotation
    try:
        tree = ast.parse(annotation.strip(), mode="eval")
        if sys.version_info < (3, 10):
            tree = ast.fix_missing_locations(_Bars().visit(tree))
        scope = dict(names.globals)
        scope["__qtool_union__"] = typing.Union
        found = eval(compile(tree, "<annotation>", "eval"), scope, dict(names.locals))
    except Exception:
        return Unresolved(annotation)
    # With `from __future__ import annotations`, `x: "T"` is a string in a string.
    return _resolved(found, names) if found is None or isinstance(found, str) else found


class _Bars(ast.NodeTransformer):
    """`a | b` of types, which Python 3.9 cannot carry out."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.BitOr):
            return node
        both = ast.Tuple(elts=[node.left, node.right], ctx=ast.Load())
        return ast.Subscript(value=ast.Name(id="__qtool_union__", ctx=ast.Load()), slice=both, ctx=ast.Load())


def names_of_function(function):
    """The names that the annotations of a function may use."""
    function = inspect.unwrap(function)
    while hasattr(function, "func") and not hasattr(function, "__globals__"):
        function = function.func
    if inspect.ismethod(function):
        function = function.__func__
    if not hasattr(function, "__globals__") and hasattr(type(function), "__call__"):
        function = getattr(type(function).__call__, "__wrapped__", type(function).__call__)
    return Names(getattr(function, "__globals__", {}), _type_parameters(function))


def names_of_class(owner, variables=None):
    """The names that the annotations in a class may use."""
    module = sys.modules.get(getattr(owner, "__module__", None))
    own = dict(_type_parameters(owner), **{owner.__name__: owner})
    return Names(vars(module) if module is not None else {}, own, variables)


def _type_parameters(owner):
    return {one.__name__: one for one in getattr(owner, "__type_params__", ())}


def signature(function):
    """The signature, with annotations that cannot be resolved left as they are."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return inspect.signature(function, annotation_format=annotationlib.Format.FORWARDREF)
    return inspect.signature(function)


def is_context(parameter, names):
    """Whether a parameter is for the context of the call, and not for the caller."""
    if parameter.annotation is MISSING:
        return parameter.name in ("context", "ctx")
    bare = unwrap(parameter.annotation, names)
    kinds = bare.arguments if bare.origin in UNIONS else (bare.type,)
    return any(_is_context_class(unwrap(kind, bare.names).type) for kind in kinds)


def _is_context_class(kind):
    if isinstance(kind, Unresolved):
        words = [word.split(".")[-1] for word in re.findall(r"[\w.]+", kind.text)]
        return [word for word in words if word not in ("Optional", "Union", "None")] == ["Context"]
    kind = typing.get_origin(kind) or kind
    # contextvars.Context and decimal.Context are something else.
    return (
        isinstance(kind, type)
        and kind.__name__ == "Context"
        and kind.__module__ not in ("decimal", "_decimal", "_contextvars", "contextvars", "_pydecimal")
    )


def enum_keys(kind):
    """What stands for the members of an enum in JSON: their values, or their names where a value is not a scalar."""
    members = list(kind.__members__.values())
    values = [member.value for member in members]
    if all(type(value) in (str, int, bool) or type(value) is float and value == value for value in values):
        return {value: member for value, member in zip(values, members)}
    if all(isinstance(member, (str, int)) and isinstance(member, enum.Enum) for member in members):
        return {member.value: member for member in members}
    return dict(kind.__members__)


def text_of(annotation):
    """An annotation as one would write it."""
    if isinstance(annotation, Unresolved):
        return annotation.text
    if annotation is type(None):
        return "None"
    if isinstance(annotation, type) and typing.get_origin(annotation) is None:
        prefix = "" if annotation.__module__ in ("builtins", "__main__") else annotation.__module__ + "."
        return prefix + annotation.__qualname__
    return repr(annotation).replace("typing.", "").replace("NoneType", "None")
