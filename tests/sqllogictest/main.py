"""DataFusion's own sqllogictest corpus, with a placeholder for every literal.

Every query is compiled and called as it is written, and once more with an untyped placeholder in place of every literal,
called with the values of the literals. Both must answer alike. Nothing of the corpus is part of this project: its folder
is an argument.
"""

import argparse
import collections
import decimal
import hashlib
import json
import pathlib
import re
import shutil
import signal
import tempfile

from projects import refused, written
from records import records
from tables import LEGAL, Tables, View
from words import with_placeholders, words

UNSTABLE = re.compile(r"\b(random|rand|uuid|now|current_\w+|today|version|explain|information_schema|show|describe)\b",
                      re.I)

# What errors of calls count as; others are failed calls.
KINDS = {"invalid-argument": "refused values", "invalid-arguments": "refused values", "internal-error": "internal errors",
         "no-answer": "internal errors"}


class Query:
    """A query of the corpus, with its tables, and what became of it."""

    def __init__(self, record, tables):
        self.record, self.tables = record, tables
        self.with_placeholders, self.values = with_placeholders(record.sql)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("corpus", type=pathlib.Path, help="the folder `test_files`")
    options.add_argument("--qtool", required=True, help="the binary")
    options.add_argument("--data", action="append", default=[], type=pathlib.Path,
                         help="a folder with files that tables of the corpus lie in, found by the ends of their paths")
    options.add_argument("--only", default="", help="files whose path contains this")
    options.add_argument("--every", type=int, default=1, help="one file of so many")
    options.add_argument("--keep", type=pathlib.Path, help="a file for everything that is not equal, as JSON lines")
    options.add_argument("--batch", type=int, default=120, help="queries of one project")
    given = options.parse_args()
    run = Run(given)
    # Also where a shell started it in the background, or ends it.
    for stopping in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stopping, signal.default_int_handler)
    # By their hashes: what is done when somebody stops it is a sample of all.
    # Those of `spark` are about functions that the engine has not.
    own = (path for path in given.corpus.rglob("*.slt") if "spark" not in path.relative_to(given.corpus).parts)
    files = sorted((path for path in own if given.only in str(path)),
                   key=lambda path: hashlib.md5(str(path.relative_to(given.corpus)).encode()).digest())
    try:
        for path in files[::given.every]:
            run.file(path)
        run.flush()
    except KeyboardInterrupt:
        print("stopped: of what was done until then")
    run.report()


class Run:
    def __init__(self, given):
        self.given = given
        self.counts = collections.Counter()
        self.classes = collections.defaultdict(collections.Counter)
        self.tables, self.queries = {}, []
        self.kept = open(given.keep, "w", encoding="utf-8") if given.keep else None

    def find(self, location):
        """The file of a table."""
        parts = [part for part in location.split("/") if part not in ("..", ".")]
        for folder in [self.given.corpus.parent, *self.given.data]:
            for begin in range(len(parts)):
                path = folder.joinpath(*parts[begin:])
                if path.is_file():
                    return path.resolve()
        return None

    def file(self, path):
        tables = Tables(self.find)
        for record in records(path, self.given.corpus):
            first = re.match(r"\s*[(]*\s*(\w+)", re.sub(r"--[^\n]*", "", record.sql))
            first = first.group(1).lower() if first else ""
            if record.kind == "statement" or first not in ("select", "with", "values"):
                if not record.fails:
                    tables.run(record.sql)
                continue
            if record.fails or UNSTABLE.search(record.sql):
                continue
            self.counts["queries"] += 1
            self.take(record, tables)

    def take(self, record, tables):
        needed = closure(record.sql, tables.by_name)
        if any(table is None for table in needed.values()):
            self.counts["without their tables"] += 1
            return
        clash = any(name in self.tables and self.tables[name] is not table for name, table in needed.items())
        if clash or len(self.queries) >= self.given.batch:
            self.flush()
        self.tables.update(needed)
        self.queries.append(Query(record, needed))

    def flush(self):
        if not self.queries:
            return
        folder = pathlib.Path(tempfile.mkdtemp(prefix="qtool-corpus-"))
        try:
            self.batch(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        self.tables, self.queries = {}, []

    def batch(self, folder):
        texts = {}
        for at, query in enumerate(self.queries):
            texts[f"o_{at}"] = query.record.sql
            if query.values:
                texts[f"p_{at}"] = query.with_placeholders
        link_data(folder, self.tables)
        written(folder, self.tables, texts)
        errors, server, why = refused(self.given.qtool, folder)
        lost = {name for name in self.tables if f"queries/{name}.sql" in errors}
        if server is None:
            self.counts["not served"] += len(self.queries)
            self.say("not served", self.queries[0], why)
            return
        try:
            for at, query in enumerate(self.queries):
                if lost & set(query.tables):
                    self.counts["without their tables"] += 1
                else:
                    self.judge(query, at, (errors, server))
        finally:
            server.close()

    def judge(self, query, at, made):
        errors, server = made
        wrong = errors.get(f"queries/o_{at}.sql")
        if wrong:
            self.note("originals refused", query, wrong[0])
            return
        original = server.call(f"o_{at}", "{}")
        if "error" in original:
            self.note("originals that fail", query, (original["error"]["code"], original["error"]["message"]))
            return
        if not query.values:
            self.counts["without literals"] += 1
            return
        self.counts["with placeholders"] += 1
        wrong = errors.get(f"queries/p_{at}.sql")
        if wrong:
            asked = [one for one in wrong if one[0] == "cannot-infer-type"]
            self.note("asked for" if asked else "other compile errors", query, (asked or wrong)[0])
            return
        arguments = "{" + ", ".join(f"{json.dumps(name)}: {value}" for name, value in query.values.items()) + "}"
        answer = server.call(f"p_{at}", arguments)
        if "error" in answer:
            code = answer["error"]["code"]
            self.note(KINDS.get(code, "failed calls"), query, (code, answer["error"]["message"]))
        elif same(original, answer, "order by" in query.record.sql.lower() and not query.record.is_sorted):
            self.counts["equal"] += 1
        else:
            self.note("other rows", query, ("rows", f"{shown(original)} and with placeholders {shown(answer)}"))

    def note(self, kind, query, said):
        self.counts[kind] += 1
        code, message = said
        self.classes[kind][f"{code}: " + re.sub(r"`[^`]*`", "`…`", re.sub(r"\d+", "9", message))[:150]] += 1
        self.say(kind, query, f"{code}: {message}")

    def say(self, kind, query, message):
        if self.kept:
            line = {"kind": kind, "place": query.record.place, "sql": query.record.sql, "with": query.with_placeholders,
                    "values": query.values, "said": message}
            self.kept.write(json.dumps(line) + "\n")
            self.kept.flush()

    def report(self):
        for name in ("queries", "without their tables", "not served", "originals refused", "originals that fail",
                     "without literals", "with placeholders", "equal", "asked for", "refused values", "failed calls",
                     "other rows", "other compile errors", "internal errors"):
            print(f"{self.counts[name]:6} {name}")
        for kind, classes in self.classes.items():
            if kind in ("other rows", "asked for"):
                continue
            print(f"\n{kind}")
            for said, count in classes.most_common(40):
                print(f"{count:6} {said}")


def closure(sql, tables):
    """The tables that a query reads, with those that they read."""
    needed, todo = {}, [sql]
    while todo:
        for word in words(todo.pop()):
            name = word.name or (word.text[1:-1] if word.kind == "quoted" else None)
            if name is None or name in needed or name not in tables:
                continue
            table = tables[name]
            needed[name] = table if LEGAL.match(name) else None
            if isinstance(table, View):
                todo.append(table.query)
    return needed


def link_data(folder, tables):
    """Puts the files of tables into the project."""
    (folder / "data").mkdir()
    for name, table in tables.items():
        if not isinstance(table, View):
            target = folder / "data" / (name + "".join(table.path.suffixes))
            shutil.copyfile(table.path, target)
            table.path_here = target.name


def same(one, other, ordered):
    rows = [[[value(row[column["name"]]) for column in answer["table_schema"]] for row in answer["rows"]]
            for answer in (one, other)]
    if not ordered:
        rows = [sorted(some, key=repr) for some in rows]
    return rows[0] == rows[1]


def value(given):
    """Numbers by what they are, however they are written."""
    if isinstance(given, bool) or given is None:
        return given
    if isinstance(given, list):
        return [value(item) for item in given]
    if isinstance(given, dict):
        return [[name, value(item)] for name, item in given.items()]
    try:
        number = decimal.Decimal(str(given))
        return ("number", float(f"{number:.12g}")) if number.is_finite() else str(given)
    except decimal.InvalidOperation:
        return given


def shown(answer):
    types = ", ".join(column["type"] for column in answer["table_schema"])
    return f"({types}) {json.dumps(answer['rows'])[:400]}"


if __name__ == "__main__":
    main()
