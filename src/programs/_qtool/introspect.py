"""Describes functions: one JSON on standard input, one on standard output, and no entry harms another."""

import inspect
import json
import os
import sys

from _qtool import context, docstrings, fields, targets
from _qtool.annotations import MISSING, is_context, names_of_function, signature
from _qtool.described import Describer
from _qtool.results import encode


def main():
    """Reads `{"entries": [{"id", "target", "roots"}]}`, and writes a list of `{"id", "ok"}` and `{"id", "error"}`."""
    # Modules print when they are imported: what they print must not end up in the answer.
    answer = os.dup(1)
    os.dup2(2, 1)
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.stdout = sys.__stdout__ = sys.stderr
    asked = sys.stdin.buffer.read()
    _close_input()
    # Looking at a project does not write into it.
    sys.dont_write_bytecode = True
    context.offer()
    os._exit = _refuse_to_exit
    entries = json.loads(asked)["entries"]
    written = encode([_entry(entry) for entry in entries])
    sys.stderr.flush()
    while written:
        written = written[os.write(answer, written) :]
    # Threads that modules have started would keep the process.
    _exit(0)


_exit = os._exit


def _refuse_to_exit(status):
    raise SystemExit(status)


def _close_input():
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def _entry(entry):
    try:
        return {"id": entry["id"], "ok": describe(targets.find(entry["target"], entry.get("roots", [])))}
    except targets.TargetError as error:
        return {"id": entry["id"], "error": error.answer()}
    except BaseException as error:
        message = "%s: %s" % (type(error).__name__, targets.says(error))
        return {"id": entry.get("id"), "error": {"kind": "introspection", "message": message}}


def describe(found):
    """What is known about a function."""
    function = found.function
    try:
        parameters = list(signature(function).parameters.values())
    except (ValueError, TypeError) as error:
        message = "`%s` does not say which parameters it has" % found.name
        raise targets.TargetError("no-signature", message) from error
    if found.owner is not None:
        parameters = parameters[1:]
    names = names_of_function(function)
    told = docstrings.parse(inspect.getdoc(function))
    describer = Describer()
    described = [_parameter(describer, one, names, told) for one in parameters if _is_named(describer, one)]
    kinds = _kinds(function)
    file, line = _place(function)
    return {
        "name": found.name.split(".")[-1],
        "module": found.module.__name__,
        "file": file,
        "line": line,
        "doc": told,
        "parameters": described,
        "returns": _returns(describer, function, names),
        "is_async": kinds[0],
        "is_generator": kinds[1],
        "notes": describer.notes,
    }


def _is_named(describer, parameter):
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        stars = "*" if parameter.kind == parameter.VAR_POSITIONAL else "**"
        describer.notes.append("`%s%s` is left out: its parameters have no names" % (stars, parameter.name))
        return False
    return True


def _parameter(describer, parameter, names, told):
    made = {
        "name": parameter.name,
        "kind": "keyword" if parameter.kind == parameter.KEYWORD_ONLY else "positional",
        "type": {"type": "missing"},
        "required": parameter.default is MISSING,
        "injected": "context" if is_context(parameter, names) else None,
    }
    if made["injected"]:
        made["type"] = {"type": "unknown", "shown": "Context"}
        return made
    default, info = parameter.default, None
    metadata = [default] if fields.is_field_info(default) else []
    description = None
    if parameter.annotation is not MISSING:
        described = describer.annotation(parameter.annotation, names, metadata)
        made["type"], description, info = described.type, described.description, described.info
    elif metadata:
        info, description = default, default.description
    if info is not None and (metadata or default is MISSING):
        made["required"], default = fields.constant_default(info)
    describer.default(made, default)
    description = description or told["parameters"].get(parameter.name)
    if description:
        made["description"] = description
    return made


def _returns(describer, function, names):
    annotation = signature(function).return_annotation
    if annotation is MISSING:
        return {"type": "missing"}
    return describer.type(annotation, names)


def _kinds(function):
    """(is async, is a generator), seen through wrappers and objects that can be called."""
    plain = inspect.unwrap(function)
    while hasattr(plain, "func") and not inspect.isroutine(plain):
        plain = inspect.unwrap(plain.func)
    if not inspect.isroutine(plain) and hasattr(type(plain), "__call__"):
        plain = type(plain).__call__
    plain = getattr(plain, "__func__", plain)
    is_generator = inspect.isgeneratorfunction(plain) or inspect.isasyncgenfunction(plain)
    return inspect.iscoroutinefunction(plain) or inspect.isasyncgenfunction(plain), is_generator


def _place(function):
    plain = inspect.unwrap(function)
    plain = getattr(plain, "func", plain)
    plain = getattr(plain, "__func__", plain)
    if not hasattr(plain, "__code__"):
        plain = getattr(type(plain), "__call__", plain)
    code = getattr(plain, "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else (None, None)
