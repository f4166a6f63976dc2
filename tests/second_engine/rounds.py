"""A round: a random project, served by one process, called many times, before and after its data changed."""

import concurrent.futures
import itertools
import json
import pathlib
import random
import re
import subprocess

import compare
import formats
import kinds
import sqlite
import tables
from engines import Failed, Second, Server
from queries import Builder
from tree import ABSENT, Call, Clause, Use

ZONES = ["UTC", "UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata"]
# What a query may fail with because of its values, as it would in DuckDB.
OF_VALUES = {"overflow", "division-by-zero", "cast-failed"}


class Project:
    """Tables and queries, and the folder that they are written to."""

    def __init__(self, seed, options):
        self.seed = seed
        self.rng = random.Random(seed)
        rng = self.rng
        sizes = options.sizes
        self.zone = "UTC" if "zones" in options.without else rng.choice(ZONES)
        names = ("a", "b", "c")[:rng.randint(2, 3)]
        if options.source == "files":
            self.tables = [tables.random_table(rng, name, sizes, options.without) for name in names]
        else:
            self.tables = sqlite.random_tables(rng, names, sizes, options.without, options.source)
        builder = Builder(rng, self.tables, itertools.count(1), options.without, options.only)
        builder.pushes = options.source != "files"
        for number in range(options.views):
            builder.query(f"v{number}", rng.choice(["view", "tool"]))
        for number in range(options.queries):
            builder.query(f"q{number}", "tool")
        self.queries = builder.queries

    def databases(self):
        return {table.file.name: table.file for table in self.tables if getattr(table, "file", None)}.values()

    def write(self, folder):
        folder = pathlib.Path(folder)
        (folder / "queries").mkdir(parents=True, exist_ok=True)
        settings = {
            "name": "random", "time_zone": self.zone,
            "sources": {file.name: file.settings() for file in self.databases()},
            "tables": {table.name: table.settings() for table in self.tables},
            "limits": {"max_bytes": "256MiB", "calls_per_second": 1000000},
            "defaults": {"timeout": "120s"},
            "lints": {code: "allow" for code in ("unbounded-result", "missing-description", "null-comparison", "unordered-limit",
                                                 "large-definition")},
        }
        lines = [f"{key}: {json.dumps(value)}\n" for key, value in settings.items() if value]
        (folder / "qtool.yaml").write_text("".join(lines), encoding="utf-8")
        for table in self.tables:
            tables.write(table, folder / "data")
        for query in self.queries:
            (folder / "queries" / f"{query.name}.sql").write_text(query.text(), encoding="utf-8")


def leave_out(binary, folder):
    """Takes out what does not compile, for a project with errors is not served; returns the diagnostics."""
    said = []
    while True:
        done = subprocess.run([binary, "-C", str(folder), "check"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False, timeout=300)
        if done.returncode == 0:
            return said
        errors = [part for part in (done.stdout + done.stderr).split("\n\n") if part.startswith("error")]
        files = set(re.findall(r"^ *--> (?:\S*/)?(queries/\w+\.sql)", "\n".join(errors), re.MULTILINE))
        if not files:
            raise RuntimeError(f"qtool check fails without a query to blame:\n{done.stdout}{done.stderr}")
        said += errors
        for file in files:
            (pathlib.Path(folder) / file).unlink()


def random_arguments(rng, query):
    """Arguments as JSON values, and the values that they stand for."""
    arguments, values = {}, {}
    absent = left_out(rng, query)
    for parameter in query.parameters.values():
        if parameter.name in absent or parameter.default is not ABSENT and rng.random() < 0.4:
            continue
        if parameter.nullable and rng.random() < 0.3:
            continue
        if parameter.choices:
            value = arguments[parameter.name] = rng.choice(sorted(parameter.choices))
        elif parameter.is_list:
            value = [parameter.kind.draw(rng) for _ in range(rng.choice(parameter.sizes))]
            arguments[parameter.name] = [kinds.to_json(parameter.kind, item) for item in value]
        else:
            value = parameter.kind.draw(rng)
            if value == "null" and (parameter.optional or parameter.nullable or parameter.default is not ABSENT):
                # That word means that a parameter is left out.
                value = "nothing"
            arguments[parameter.name] = kinds.to_json(parameter.kind, value)
        values[parameter.name] = value
    return arguments, values


def left_out(rng, query):
    """Parameters that are not sent: some, and those of which no clause is left then, for that is an error."""
    clauses = clauses_of(query)
    absent = {name for clause in clauses if rng.random() < 0.5 for name in clause if query.parameters[name].optional}
    while True:
        missing = {name for name in absent if query.parameters[name].default is ABSENT}
        kept = set().union(*(clause for clause in clauses if not clause & missing))
        more = {name for clause in clauses for name in clause if query.parameters[name].optional} - kept - absent
        if not more:
            return absent
        absent |= more


def clauses_of(query):
    """The optional clauses of the query and of those that it selects from, each as the names of its parameters here."""
    found = []
    for node in query.statement.walk():
        if isinstance(node, Clause) and node.parts:
            found.append({parameter.name for parameter in node.parameters()})
        if isinstance(node, Use):
            found += [{node.renames[name].name for name in clause} for clause in clauses_of(node.query)]
    return found


class Difference(Exception):
    def __init__(self, query, arguments, values, way, message, sql):
        super().__init__(message)
        self.query, self.arguments, self.values, self.way, self.sql = query, arguments, values, way, sql


class Round:
    """The calls of one project."""

    def __init__(self, project, folder, options):
        self.project = project
        self.folder = folder
        self.options = options
        self.rng = random.Random(project.seed + 1)
        self.calls = 0
        self.differences = []
        self.skipped = {}

    def run(self):
        self.project.write(self.folder)
        self.refused = leave_out(self.options.qtool, self.folder)
        self.compiled = sum((pathlib.Path(self.folder) / "queries" / f"{query.name}.sql").exists() for query in self.project.queries)
        self.second = Second(self.project.zone)
        for table in self.project.tables:
            self.second.load(table)
        self.server = Server(self.options.qtool, self.folder)
        try:
            self.published = self.server.tools()
            self.play()
        finally:
            self.server.close()
            self.second.close()

    def play(self):
        usable = [query for query in self.project.queries if query.name in self.published]
        for query in usable:
            for _ in range(self.options.repeats):
                self.one(query)
        if usable:
            self.beside_others(usable)
        for table in self.rng.sample(self.project.tables, self.rng.randint(1, len(self.project.tables))):
            self.change(table)
        for query in usable:
            for _ in range(max(1, self.options.repeats // 3)):
                self.one(query)
        for query in self.rng.sample(usable, min(1, len(usable))):
            # The hundredth call is answered by what the first ones left behind.
            for _ in range(self.options.many):
                self.one(query)

    def change(self, table):
        tables.fill(self.rng, table, self.rng.choice([0, 1, 7, table.size, table.size + 1, 40]))
        tables.write(table, pathlib.Path(self.folder) / "data")
        self.second.load(table)

    def beside_others(self, usable):
        """Several calls at once."""
        prepared = []
        for _ in range(self.options.at_once):
            query = self.rng.choice(usable)
            prepared.append((query, *random_arguments(self.rng, query)))
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            given = list(pool.map(lambda item: attempt(lambda: self.server.call(item[0].name, item[1])), prepared))
        for (query, arguments, values), answer in zip(prepared, given):
            self.judge(query, arguments, values, "beside others", lambda answer=answer: raise_or(answer))

    def one(self, query):
        arguments, values = random_arguments(self.rng, query)
        way = self.rng.choice(["plain", "plain", "plain", "limit", "pages", "arrow", "text"])
        if way == "limit":
            arguments["limit"] = self.rng.choice([1, 2, 3, 10, 100, 1000])
        if way == "pages" and query.cut is not None:
            # Rows that nothing orders may be others on the next page.
            way = "plain"
        if way == "pages" and "ties" in self.options.without and not query.whole_order:
            way = "plain"
        call = {"plain": self.plain, "limit": self.plain, "pages": self.pages, "arrow": self.arrow, "text": self.text}[way]
        self.judge(query, arguments, values, way, lambda: call(query, arguments))

    def plain(self, query, arguments):
        return self.server.call(query.name, arguments)

    def arrow(self, query, arguments):
        shape = self.server.call(query.name, {**arguments, "limit": 1})
        return self.server.call_arrow(query.name, arguments, shape.columns)

    def pages(self, query, arguments):
        """All pages together, of a size that changes from page to page."""
        size = self.rng.choice([1, 2, 3, 7, 50, 1000])
        answer = self.server.call(query.name, {**arguments, "limit": size})
        rows, columns, pages = list(answer.rows), answer.columns, 1
        while answer.cursor is not None and pages < 40:
            size = self.rng.choice([size, max(size, len(rows) // 3), 1000])
            answer = self.server.call(query.name, {**arguments, "limit": size, "cursor": answer.cursor})
            rows += answer.rows
            pages += 1
        answer.rows, answer.columns = rows, columns
        return answer

    def text(self, query, arguments):
        """The rows over MCP: as objects, and in a format of text that must say the same."""
        form = self.rng.choice(formats.FORMATS)
        answer = formats.answer(self.server.call_mcp(query.name, {**arguments, "table_format": form}), form)
        answer.form = form
        return answer

    def judge(self, query, arguments, values, way, call):
        self.calls += 1
        sql = query.statement.theirs(Call(values))
        ours, failure = None, None
        try:
            ours = call()
        except Failed as error:
            failure = error
        try:
            theirs = self.second.run(sql)
        except Failed as error:
            if failure is None:
                self.skip("only DuckDB fails", str(error), query)
            return
        if failure is not None and "must be an integer from 0 to 18446744073709551615" in str(failure):
            # A sum of unsigned numbers asks for one; the generator takes it for any number.
            self.skip("a negative number beside unsigned ones", str(failure), query)
            return
        if failure is not None:
            self.differ(query, arguments, values, way, f"fails with {failure}", sql)
            return
        most = query.header.get("result_limit", "none")
        asked = query.cut if query.cut is None or isinstance(query.cut, int) else Call(values).value(query.cut)
        capped = asked is not None or ours.truncated or arguments.get("limit") is not None or most != "none" and way != "pages"
        order = query.order
        mine = compare.rows_of(ours.rows, ours.columns)
        other = compare.rows_of(theirs, ours.columns)
        if way == "text":
            mine, other = ([tuple(formats.as_told(value, ours.form) for value in row) for row in rows] for rows in (mine, other))
        message = compare.difference(mine, other, order, not capped)
        # Where pages are many, not all of them are asked for.
        if message is None and capped and way != "pages":
            message = self.wrong_number(arguments, most, ours, len(other) if asked is None else min(asked, len(other)))
        if message is None and asked is not None and not ours.truncated and len(mine) != min(asked, len(other)):
            message = f"{len(mine)} rows of {len(other)} with a limit of {asked}"
        if message is not None:
            self.differ(query, arguments, values, way, message, sql)

    def wrong_number(self, arguments, most, ours, there):
        asked = [number for number in (arguments.get("limit"), most) if isinstance(number, int)]
        wanted = min([there, *asked])
        if len(ours.rows) != wanted and asked:
            return f"{len(ours.rows)} rows where {wanted} were to come of {there}"
        if asked and ours.truncated != (there > wanted):
            return f"truncated is {ours.truncated} with {wanted} of {there} rows"
        return None

    def skip(self, why, message, query):
        self.skipped.setdefault(why, []).append((query.name, message))

    def differ(self, query, arguments, values, way, message, sql):
        found = Difference(query, arguments, values, way, message, sql)
        # As they were at this call: they change later.
        found.data = {table.name: (table.rows, table.size) for table in self.project.tables}
        self.differences.append(found)


def attempt(call):
    try:
        return call()
    except Failed as error:
        return error


def raise_or(answer):
    if isinstance(answer, Failed):
        raise answer
    return answer
