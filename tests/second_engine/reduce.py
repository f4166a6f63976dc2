"""Makes a difference smaller: takes out parts of the query and rows of the tables as long as the answers differ."""

import pathlib
import shutil
import tempfile
import time

import rounds
import tables
from engines import Failed, Second, Server
from tree import Call


def reduced(project, found, options, seconds):
    """Takes parts away until nothing can go, or the time is over; whether the difference shows in a fresh process at all."""
    for table in project.tables:
        table.rows, table.size = found.data[table.name]
    state = Smaller(project, found, options)
    if not state.shows():
        return False
    until = time.monotonic() + seconds
    state.fewer_queries()
    again = True
    while again and time.monotonic() < until:
        again = state.fewer_rows(until)
        again = state.less_of_the_query(until) or again
    state.shows()
    return True


def shows_in_files(project, found, options):
    """Whether the difference is there too where the rows of the databases lie in Parquet; `None` without a database."""
    stored = {table: table.file for table in project.tables if getattr(table, "file", None)}
    if not stored:
        return None
    for table in stored:
        table.file = None
    try:
        return Smaller(project, found, options).shows()
    finally:
        for table, file in stored.items():
            table.file = file


class Smaller:
    """A project with one call that is answered differently."""

    def __init__(self, project, found, options):
        self.project = project
        self.found = found
        self.options = options
        self.last = None

    def shows(self):
        """Whether both answer, and not alike. A query that does not compile shows nothing."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="second-engine-smaller-"))
        query = self.found.query
        query.settle()
        server = second = None
        try:
            self.project.write(folder)
            server = Server(self.options.qtool, folder)
            second = Second(self.project.zone)
            for table in self.project.tables:
                second.load(table)
            played = rounds.Round(self.project, folder, self.options)
            played.server, played.second = server, second
            return self.differs(played, query)
        except Failed:
            return False
        finally:
            if server:
                server.close()
            if second:
                second.close()
            shutil.rmtree(folder, ignore_errors=True)

    def differs(self, played, query):
        known = set(query.parameters) | {"limit"}
        arguments = {name: value for name, value in self.found.arguments.items() if name in known}
        values = {name: value for name, value in self.found.values.items() if name in known}
        call = getattr(played, self.found.way if self.found.way in ("pages", "arrow", "text") else "plain")
        played.judge(query, arguments, values, self.found.way, lambda: call(query, arguments))
        if not played.differences:
            return False
        before, self.last = str(self.found), played.differences[0]
        # Another failure is another difference.
        if str(self.last).startswith("fails") != before.startswith("fails"):
            return False
        self.found.arguments, self.found.values = arguments, values
        self.found.sql = query.statement.theirs(Call(values))
        return True

    def fewer_queries(self):
        needed = used_by(self.found.query)
        self.project.queries = [query for query in self.project.queries if query in needed]

    def fewer_rows(self, until):
        smaller = False
        for table in self.project.tables:
            share = max(1, table.size // 2)
            while share and time.monotonic() < until:
                kept = self.without_rows(table, share, until)
                smaller = smaller or kept
                share //= 2
        return smaller

    def without_rows(self, table, share, until):
        kept, begin = False, 0
        while begin < table.size and time.monotonic() < until:
            rows, size = table.rows, table.size
            table.rows = {name: values[:begin] + values[begin + share:] for name, values in rows.items()}
            table.size = len(next(iter(table.rows.values())))
            if self.shows():
                kept = True
            else:
                table.rows, table.size = rows, size
                begin += share
        return kept

    def less_of_the_query(self, until):
        smaller = False
        for query in [*used_by(self.found.query)]:
            again = True
            while again and time.monotonic() < until:
                again = False
                for do, undo in [edit for node in query.statement.walk() for edit in node.edits()]:
                    if time.monotonic() > until:
                        break
                    do()
                    if self.shows():
                        again = smaller = True
                        break
                    undo()
        return smaller


def used_by(query):
    """The query and those that it selects from."""
    found = [query]
    for node in query.statement.walk():
        inner = getattr(node, "query", None)
        if inner is not None and inner not in found:
            found += [other for other in used_by(inner) if other not in found]
    return found


def keep(project, found, folder):
    """Writes the project with the call that shows the difference."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    project.write(folder)
    arguments = " ".join(f"'{name}={tables.json.dumps(value, ensure_ascii=False)}'" for name, value in found.arguments.items())
    (folder / "README.md").write_text(
        f"{found}\n\nqtool call {found.query.name} {arguments}\n\nDuckDB:\n\n{found.sql}\n", encoding="utf-8")
