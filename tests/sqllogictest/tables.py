"""The tables of a corpus as queries that are selected from, and as files."""

import re

from words import words

NAME = r'(?:"[^"]+"|[\w.]+)'
CREATE = re.compile(rf"create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(table|view)\s+(?:if\s+not\s+exists\s+)?({NAME})\s*(.*)",
                    re.I | re.S)
EXTERNAL = re.compile(rf"create\s+(?:or\s+replace\s+)?external\s+table\s+(?:if\s+not\s+exists\s+)?({NAME})\s*(.*)", re.I | re.S)
INSERT = re.compile(rf"insert\s+into\s+({NAME})\s*(?:\(([^()]*)\)\s*)?((?:values|select|with|\().*)", re.I | re.S)
DROP = re.compile(rf"drop\s+(?:external\s+)?(?:table|view)\s+(?:if\s+exists\s+)?({NAME})", re.I)
LEGAL = re.compile(r"^[a-z][a-z0-9_]{0,40}$")
CONSTRAINTS = {"primary", "unique", "foreign", "constraint", "check"}


class View:
    """A table that is made of a query."""

    def __init__(self, columns, query):
        self.columns, self.query = columns, query

    def text(self):
        return self.query


class File:
    """A table that lies in a file."""

    def __init__(self, path, columns, options):
        self.path, self.columns, self.options = path, columns, options
        self.path_here = path.name

    def settings(self):
        """What `qtool.yaml` says of it."""
        settings = {"path": f"data/{self.path_here}"}
        delimiter = re.search(r"delimiter'?\s+'(.)'", self.options, re.I)
        if delimiter and delimiter.group(1) != ",":
            settings["delimiter"] = delimiter.group(1)
        return settings


def split(text):
    """The parts between commas that stand in no brackets."""
    parts, depth, part = [], 0, []
    for word in words(text):
        depth += (word.text in "([{") - (word.text in ")]}") if word.kind == "sign" else 0
        if word.text == "," and depth == 0:
            parts.append("".join(part).strip())
            part = []
        elif word.kind != "space" or word.text.isspace():
            part.append(word.text)
    parts.append("".join(part).strip())
    return [part for part in parts if part]


def bracketed(text):
    """What stands in the first brackets, and what behind them; `None` where the text begins with none."""
    if not text.startswith("("):
        return None, text
    depth, at = 0, 0
    for word in words(text):
        at += len(word.text)
        depth += {"(": 1, ")": -1}.get(word.text, 0) if word.kind == "sign" else 0
        if depth == 0:
            return text[1:at - 1], text[at:].strip()
    return None, text


def columns_of(text):
    """Names and types of columns, as CREATE TABLE has them; `None` where something else stands there."""
    columns = []
    for part in split(text):
        name, _, rest = part.partition(" ") if not part.startswith('"') else (
            part[:part.index('"', 1) + 1], "", part[part.index('"', 1) + 1:])
        if name.lower() in CONSTRAINTS:
            continue
        ty = re.split(r"\b(?:not\s+null|null|primary\s+key|unique|default|collate|generated)\b", rest, flags=re.I)[0].strip()
        columns.append((name, ty))
    return columns


def plain(name):
    return name.strip('"').split(".")[-1] if name.startswith('"') else name.lower().split(".")[-1]


class Tables:
    """The tables that there are at a place of a file."""

    def __init__(self, find):
        self.by_name = {}
        self.find = find

    def snapshot(self):
        return dict(self.by_name)

    def run(self, sql):
        """Carries a statement out, as far as it is about tables; whatever is not understood makes its table unknown."""
        found = EXTERNAL.match(sql)
        if found:
            self.by_name[plain(found.group(1))] = self.external(found.group(2))
            return
        found = CREATE.match(sql)
        if found:
            self.by_name[plain(found.group(2))] = self.created(found.group(3))
            return
        found = INSERT.match(sql)
        if found:
            name = plain(found.group(1))
            self.by_name[name] = self.inserted(self.by_name.get(name), found.group(2), found.group(3))
            return
        found = DROP.match(sql)
        if found:
            self.by_name.pop(plain(found.group(1)), None)

    def created(self, rest):
        given, rest = bracketed(rest)
        query = re.match(r"as\s+(.*)", rest, re.I | re.S)
        query = query.group(1) if query else None
        if given is None:
            return View(None, query) if query else None
        columns = columns_of(given)
        if any(not ty for _, ty in columns):
            if query and all(not ty for _, ty in columns):
                return View(None, f"SELECT * FROM ({query}) AS given({', '.join(name for name, _ in columns)})")
            return None
        if not query:
            nulls = ", ".join(f"CAST(NULL AS {ty}) AS {name}" for name, ty in columns)
            return View(columns, f"SELECT {nulls} WHERE false")
        return View(columns, cast(columns, query))

    def inserted(self, table, names, query):
        if not isinstance(table, View) or not table.columns:
            return None
        columns = table.columns
        if names:
            given = [name.strip().lower() for name in names.split(",")]
            types = dict((name.lower(), ty) for name, ty in columns)
            if any(name not in types for name in given):
                return None
            order = ", ".join(f"CAST({'c' + str(given.index(name.lower())) if name.lower() in given else 'NULL'} AS {ty}) AS {name}"
                              for name, ty in columns)
            inner = f"SELECT {order} FROM ({query}) AS given({', '.join(f'c{at}' for at in range(len(given)))})"
        else:
            inner = cast(columns, query)
        before = table.query
        is_empty = before.endswith("WHERE false") and " UNION ALL " not in before
        return View(columns, inner if is_empty else f"{before} UNION ALL {inner}")

    def external(self, rest):
        given, rest = bracketed(rest)
        location = re.search(r"location\s+'([^']+)'", rest, re.I)
        stored = re.search(r"stored\s+as\s+(\w+)", rest, re.I)
        if not location or not stored or re.search(r"partitioned\s+by", rest, re.I):
            return None
        path = self.find(location.group(1))
        return File(path, columns_of(given) if given else None, rest) if path else None


def cast(columns, query):
    """A query with the names and types of columns."""
    items = ", ".join(f"CAST(c{at} AS {ty}) AS {name}" for at, (name, ty) in enumerate(columns))
    return f"SELECT {items} FROM ({query}) AS given({', '.join(f'c{at}' for at in range(len(columns)))})"
