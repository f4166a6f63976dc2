"""Reads the files of a sqllogictest corpus: statements and queries, in order."""

import re

TITLE = re.compile(r"^(statement|query|include|onlyif|skipif|halt|control|hash-threshold|subtest|sleep)\b(.*)$")


class Record:
    """A statement or a query, as it is written."""

    def __init__(self, kind, rest, sql, place):
        self.kind = kind
        # `query error …` and `statement error …` are to fail.
        self.fails = rest.strip().startswith("error")
        self.is_sorted = "rowsort" in rest or "valuesort" in rest
        self.sql = sql.strip().rstrip(";").strip()
        self.place = place


def records(path, root):
    """All records of a file, with those of the files that it includes."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    at = 0
    while at < len(lines):
        title = TITLE.match(lines[at].strip())
        if not title:
            at += 1
            continue
        kind, rest = title.groups()
        place = f"{path.relative_to(root)}:{at + 1}"
        at += 1
        if kind == "halt":
            return
        if kind == "include":
            for included in sorted(path.parent.glob(rest.strip())):
                yield from records(included, root)
        elif kind in ("statement", "query"):
            begin = at
            while at < len(lines) and lines[at].strip() and lines[at].strip() != "----":
                at += 1
            yield Record(kind, rest, "\n".join(lines[begin:at]), place)
            if at < len(lines) and lines[at].strip() == "----":
                while at < len(lines) and lines[at].strip():
                    at += 1
