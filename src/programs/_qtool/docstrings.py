"""Docstrings in the styles of Google, NumPy and Sphinx: what a function is for, and each of its parameters."""

import inspect
import re

PARAMETERS = ("args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters")
ATTRIBUTES = ("attributes", "fields")
RETURNS = ("returns", "return", "yields", "yield")
DROPPED = ("raises", "raise", "exceptions", "see also", "references", "todo", "methods", "receives", "warns")

_FIELD = re.compile(r"^\s*[:@](\w+)(?:\s+([^:]*?))?\s*:(?:\s+(.*))?$")
_FIELDS = {
    "param": "parameters",
    "parameter": "parameters",
    "arg": "parameters",
    "argument": "parameters",
    "key": "parameters",
    "keyword": "parameters",
    "ivar": "parameters",
    "var": "parameters",
    "return": "returns",
    "returns": "returns",
    "yield": "returns",
    "yields": "returns",
    "type": None,
    "rtype": None,
    "vartype": None,
    "raise": None,
    "raises": None,
    "except": None,
    "exception": None,
}
_NESTED = r"(?:\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?"
_GOOGLE = re.compile(r"^(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)" + _NESTED + r"\s*:(?!:)\s*(.*)$")
_NUMPY = re.compile(r"^(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")
_TYPE = re.compile(r"^[A-Za-z_][\w.]*(?:\[[^:]*\])?(?:\s*\|\s*[A-Za-z_][\w.]*(?:\[[^:]*\])?)*:\s+(.+)$", re.S)


def parse(text):
    """A docstring as `{"description", "parameters": {name: text}, "returns"}`; texts are None where absent."""
    parts = {"text": [], "parameters": {}, "returns": []}
    if text:
        for kind, style, lines in _sections(inspect.cleandoc(text).splitlines()):
            _take(parts, kind, style, lines)
    returns = _joined(parts["returns"])
    return {
        "description": _trimmed(parts["text"]),
        "parameters": {name: text for name, text in parts["parameters"].items() if text},
        "returns": returns or None,
    }


def _take(parts, kind, style, lines):
    if kind == "text":
        parts["text"].extend(lines)
    elif kind == "parameters":
        entries = _google(lines) if style == "google" else _numpy(lines)
        for names, text in entries:
            for name in re.split(r"\s*,\s*", names):
                parts["parameters"].setdefault(name.lstrip("*"), text)
    elif kind == "returns":
        parts["returns"] = _returned(lines, style)
    elif kind is not None:
        name, text = kind
        if name == "returns":
            parts["returns"] = text.split("\n")
        else:
            parts["parameters"].setdefault(name[1:], text)


def _sections(lines):
    """(kind, style, lines) in order. A line of Sphinx is a section of its own."""
    kind, style, held = "text", None, []
    at = 0
    while at < len(lines):
        line = lines[at]
        after = lines[at + 1] if at + 1 < len(lines) else ""
        header = _header(line, after)
        sphinx = _FIELD.match(line)
        if sphinx and sphinx.group(1).lower() in _FIELDS:
            yield kind, style, held
            field, at = _sphinx(sphinx, lines, at)
            yield field, None, []
            kind, style, held = "text", None, []
            continue
        if header is not None:
            yield kind, style, held
            kind, style, held = header[0], header[1], list(header[2])
            at += 2 if style == "numpy" or header[2] else 1
            continue
        if style == "google" and line.strip() and not line[0].isspace() and any(one.strip() for one in held):
            yield kind, style, held
            kind, style, held = "text", None, []
        held.append(line)
        at += 1
    yield kind, style, held


def _header(line, after):
    """(kind, style, lines that stay): a heading of NumPy that has no meaning here stays in the text."""
    name = line.strip().rstrip(":").lower()
    is_underlined = re.fullmatch(r"\s*-{3,}\s*", after) is not None and bool(name)
    if is_underlined:
        kind = _kind(name)
        return (kind, "numpy", []) if kind != "text" else ("text", None, [line, after])
    if line[:1].isspace() or not line.rstrip().endswith(":"):
        return None
    kind = _kind(name)
    return None if kind == "text" else (kind, "google", [])


def _kind(name):
    if name in PARAMETERS or name in ATTRIBUTES:
        return "parameters"
    if name in RETURNS:
        return "returns"
    return None if name in DROPPED else "text"


def _sphinx(match, lines, at):
    """One field with the lines that go on with it."""
    texts = [match.group(3) or ""]
    at += 1
    indent = len(match.group(0)) - len(match.group(0).lstrip())
    while at < len(lines) and lines[at].strip() and not _FIELD.match(lines[at]):
        if len(lines[at]) - len(lines[at].lstrip()) <= indent and _header(lines[at], ""):
            break
        texts.append(lines[at])
        at += 1
    kind = _FIELDS[match.group(1).lower()]
    if kind is None:
        return None, at
    words = (match.group(2) or "").split()
    name = "returns" if kind == "returns" else ":" + (words[-1].lstrip("*\\") if words else "")
    return (name, _joined(texts)), at


def _google(lines):
    margin = _margin(lines)
    entries = []
    for line in lines:
        match = _GOOGLE.match(line[margin:]) if _indent(line) == margin else None
        if match:
            entries.append((match.group(1), [match.group(2)]))
        elif entries:
            entries[-1][1].append(line)
    return [(name, _joined(texts)) for name, texts in entries]


def _numpy(lines):
    margin = _margin(lines)
    entries = []
    for line in lines:
        match = _NUMPY.match(line[margin:]) if line.strip() and _indent(line) == margin else None
        if match:
            entries.append((match.group(1), []))
        elif entries:
            entries[-1][1].append(line)
    return [(name, _joined(texts)) for name, texts in entries]


def _returned(lines, style):
    if style == "numpy":
        margin = _margin(lines)
        inner = [line for line in lines if not line.strip() or _indent(line) > margin]
        # Without text below the type, the line may be a sentence.
        return inner if _joined(inner) else lines
    text = _joined(lines)
    typed = _TYPE.match(text)
    return (typed.group(1) if typed else text).split("\n")


def _indent(line):
    return len(line) - len(line.lstrip()) if line.strip() else -1


def _margin(lines):
    return min((_indent(line) for line in lines if line.strip()), default=0)


def _joined(lines):
    """One paragraph a line; points of lists keep theirs."""
    text = ""
    for line in (one.strip() for one in lines):
        if not line:
            text = text.rstrip() + "\n\n" if text else text
        elif re.match(r"([-*•]|\d+[.)])\s", line) and text:
            text = text.rstrip() + "\n" * (2 if text.endswith("\n\n") else 1) + line
        else:
            text += line if not text or text.endswith("\n") else " " + line
    return text.strip()


def _trimmed(lines):
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines)).strip()
    return text or None
