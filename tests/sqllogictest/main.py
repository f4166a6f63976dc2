"""DataFusion's own sqllogictest corpus, with a placeholder for every literal.

Every query is compiled and called as it is written, and once more with an untyped placeholder in place of every literal,
called with the values of the literals. Both must answer alike. Where the type of a placeholder is asked for, it is written,
and the query judged again. Nothing of the corpus is part of this project: its folder is an argument.
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
from words import with_placeholders, with_types, words

UNSTABLE = re.compile(r"\b(random|rand|uuid|now|current_\w+|today|version|explain|information_schema|show|describe)\b",
                      re.I)

# What errors of calls count as; others are failed calls.
KINDS = {"invalid-argument": "refused values", "invalid-arguments": "refused values", "internal-error": "internal errors",
         "no-answer": "internal errors"}
# What becomes of queries whose placeholders are untyped, and of those that are asked for types once these are written.
OUTCOMES = ("equal", "asked for", "refused values", "failed calls", "other rows", "other compile errors",
            "internal errors")
TYPED = "once the types are written: "
ASKED = re.compile(r"the type of parameter `(\w+)`")


class Query:
    """A query of the corpus, with its tables, and what became of it."""

    def __init__(self, record, tables):
        self.record, self.tables = record, tables
        self.with_placeholders, self.literals = with_placeholders(record.sql)
        # The answer of the query as it is written.
        self.original = None

    def arguments(self):
        return "{" + ", ".join(f"{json.dumps(name)}: {literal.json}" for name, literal in self.literals.items()) + "}"


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
        # Placeholders whose types are asked for, and queries with such, by their places.
        self.places = {"placeholders": collections.Counter(), "queries": collections.Counter()}
        self.tables, self.queries, self.asked = {}, [], []
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
        texts = {}
        for at, query in enumerate(self.queries):
            texts[f"o_{at}"] = query.record.sql
            if query.literals:
                texts[f"p_{at}"] = query.with_placeholders
        self.project(texts, self.queries, self.judge, "not served")
        texts = {f"p_{at}": query.with_placeholders for at, query in enumerate(self.asked)}
        if texts:
            self.project(texts, self.asked, self.judge_typed, TYPED + "not served")
        self.tables, self.queries, self.asked = {}, [], []

    def project(self, texts, queries, judge, otherwise):
        """Serves a project of queries and judges each; `otherwise` is what they count as where it cannot be served."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="qtool-corpus-"))
        try:
            link_data(folder, self.tables)
            written(folder, self.tables, texts)
            errors, server, why = refused(self.given.qtool, folder)
            if server is None:
                self.counts[otherwise] += len(queries)
                self.say(otherwise, queries[0], why)
                return
            try:
                for at, query in enumerate(queries):
                    judge(query, at, (errors, server))
            finally:
                server.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def judge(self, query, at, made):
        errors, server = made
        if any(f"queries/{name}.sql" in errors for name in query.tables):
            self.counts["without their tables"] += 1
            return
        wrong = errors.get(f"queries/o_{at}.sql")
        if wrong:
            no_table = [one for one in wrong if one[0] == "unknown-table"]
            self.note("originals that lack a table" if no_table else "originals refused", query, (no_table or wrong)[0])
            return
        query.original = server.call(f"o_{at}", "{}")
        if "error" in query.original:
            error = query.original["error"]
            self.note("originals that fail", query, (error["code"], error["message"]))
            return
        if not query.literals:
            self.counts["without literals"] += 1
            return
        self.counts["with placeholders"] += 1
        kind, said = self.compared(query, at, made)
        self.note(kind, query, said)
        if kind == "asked for":
            self.ask(query, errors[f"queries/p_{at}.sql"])

    def judge_typed(self, query, at, made):
        kind, said = self.compared(query, at, made)
        self.note(TYPED + kind, query, said)

    def compared(self, query, at, made):
        """What becomes of a query with placeholders, and what is said of it."""
        errors, server = made
        wrong = errors.get(f"queries/p_{at}.sql")
        if wrong:
            asked = [one for one in wrong if one[0] == "cannot-infer-type"]
            return "asked for" if asked else "other compile errors", (asked or wrong)[0]
        answer = server.call(f"p_{at}", query.arguments())
        if "error" in answer:
            code = answer["error"]["code"]
            return KINDS.get(code, "failed calls"), (code, answer["error"]["message"])
        if same(query.original, answer, "order by" in query.record.sql.lower() and not query.record.is_sorted):
            return "equal", None
        return "other rows", ("rows", f"{shown(query.original)} and with placeholders {shown(answer)}")

    def ask(self, query, wrong):
        """Writes the types that a query is asked for, and has it judged again."""
        asked = {name for code, message in wrong if code == "cannot-infer-type" for name in ASKED.findall(message)}
        literals = {name: query.literals[name] for name in asked if name in query.literals}
        places = [literal.place for literal in literals.values()]
        self.places["placeholders"].update(places)
        self.places["queries"].update(set(places))
        query.with_placeholders = with_types(query.with_placeholders, literals)
        self.asked.append(query)

    def note(self, kind, query, said):
        self.counts[kind] += 1
        if said is None:
            return
        code, message = said
        self.classes[kind][f"{code}: " + re.sub(r"`[^`]*`", "`…`", re.sub(r"\d+", "9", message))[:150]] += 1
        self.say(kind, query, f"{code}: {message}")

    def say(self, kind, query, message):
        if self.kept:
            line = {"kind": kind, "place": query.record.place, "sql": query.record.sql, "with": query.with_placeholders,
                    "values": {name: literal.json for name, literal in query.literals.items()}, "said": message}
            self.kept.write(json.dumps(line) + "\n")
            self.kept.flush()

    def report(self):
        for name in ("queries", "without their tables", "not served", "originals that lack a table",
                     "originals refused", "originals that fail", "without literals", "with placeholders", *OUTCOMES):
            print(f"{self.counts[name]:6} {name}")
        print("\nof those asked for, once the types are written")
        for name in (*OUTCOMES, "not served"):
            print(f"{self.counts[TYPED + name]:6} {name}")
        print("\nplaces of what is asked for: queries with one there, placeholders")
        for where, count in self.places["queries"].most_common():
            print(f"{count:6} {self.places['placeholders'][where]:6} {where}")
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
