"""Random tables, queries and calls, answered by qtool and by DuckDB. `run.sh` installs what it needs."""

import argparse
import concurrent.futures
import contextlib
import io
import itertools
import os
import pathlib
import shutil
import sys
import tempfile
import time
import traceback

import kinds
from reduce import keep, reduced, shows_in_files
from rounds import Project, Round
from tables import SIZES

# What can be left out of the rounds, to look behind a difference that is known already.
LEFT_OUT = ["zones", "intervals", "ties", "nulls_in_subqueries", "negative_zero", "empty_ndjson",
            "decimals", "multisets", "nan"]
# What can be tried alone.
MORE = ["using", "frames", "casts", "percentiles", "days", "means", "dependent", "orders", "spelled", "pushed"]


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--qtool", required=True, help="the binary")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--source", default="files", choices=["files", "sqlite", "parquet"],
                        help="where tables lie; `parquet` has the rows of `sqlite`, to see whether a difference is the database's")
    parser.add_argument("--rounds", type=int, default=12, help="rounds, each with a project of its own")
    parser.add_argument("--seconds", type=float, help="begin no further round after this time")
    parser.add_argument("--calls", type=int, help="begin no further round after this many calls")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="rounds that run beside each other")
    parser.add_argument("--queries", type=int, default=14, help="queries of a project")
    parser.add_argument("--views", type=int, default=3, help="queries of a project that others may select from")
    parser.add_argument("--repeats", type=int, default=5, help="calls of each query")
    parser.add_argument("--at-once", type=int, default=12, help="calls that run beside others")
    parser.add_argument("--many", type=int, default=20, help="further calls of one query")
    parser.add_argument("--large", action="store_true", help="tables of 100,000 rows too")
    parser.add_argument("--small", action="store_true", help="tables of up to 40 rows only")
    parser.add_argument("--without", default="", help="what is not tried: " + ", ".join(LEFT_OUT))
    parser.add_argument("--only", default="", help="nothing but these kinds of selects: " + ", ".join(MORE))
    parser.add_argument("--reduce", type=int, default=1, help="how many differences of a round are made smaller")
    parser.add_argument("--keep", help="a folder to write the projects that show a difference into")
    parser.add_argument("--verbose", action="store_true", help="print what does not compile, and what DuckDB refuses")
    given = parser.parse_args()
    given.only = set(filter(None, given.only.split(",")))
    given.without = set(filter(None, given.without.split(",")))
    given.sizes = [0, 1, 2, 7, 7, 40] if given.small else SIZES + ([100_000] * 2 if given.large else [])
    return given


class Totals:
    def __init__(self):
        self.calls = self.written = self.compiled = self.differences = self.refused = 0
        self.text = ""

    def add(self, other):
        for name in ("calls", "written", "compiled", "differences", "refused"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def play(seed, given):
    """One round, in a process of its own."""
    if "negative_zero" in given.without:
        kinds.FEW[:] = [number for number in kinds.FEW if number or str(number) == "0.0"]
    totals, said = Totals(), io.StringIO()
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"second-engine-{seed}-"))
    with contextlib.redirect_stdout(said):
        try:
            project = Project(seed, given)
            played = Round(project, folder, given)
            played.run()
            totals.calls, totals.written, totals.compiled = played.calls, len(project.queries), played.compiled
            totals.differences = len(played.differences)
            totals.refused = sum(map(len, played.skipped.values()))
            report(given, seed, project, played)
        except Exception:
            # A server that ended, or an answer that nobody can read, is a finding too.
            print(f"=== seed {seed}")
            traceback.print_exc(file=sys.stdout)
            totals.differences += 1
    shutil.rmtree(folder, ignore_errors=True)
    totals.text = said.getvalue()
    return totals


def report(given, seed, project, played):
    if given.verbose:
        print(f"--- seed {seed}: {played.calls} calls")
        for error in played.refused:
            print(error)
        for query in project.queries:
            if any(f"/{query.name}.sql" in error for error in played.refused):
                print(query.statement.ours())
        for why, found in played.skipped.items():
            for name, message in found:
                print(f"{why}: {name}: {message}")
    seen = set()
    for found in played.differences:
        if found.query.name in seen:
            continue
        seen.add(found.query.name)
        if len(seen) <= given.reduce:
            if not reduced(project, found, given, 60):
                print("(a call of a fresh process does not show it)")
            elif shows_in_files(project, found, given):
                print("(the same rows in Parquet show it too)")
        if given.keep:
            keep(project, found, f"{given.keep}/{seed}-{found.query.name}")
        print(f"=== seed {seed}, {found.query.name}, {found.way}: {found}")
        print(found.query.text())
        print(f"arguments: {found.arguments}")
        print(f"DuckDB: {found.sql}")
        for table in project.tables if len(seen) <= given.reduce else ():
            if table.size <= 12:
                print(f"{table.name}: {table.settings()}\n{table.rows}")
        print(flush=True)


def main():
    given = options()
    begin, totals = time.monotonic(), Totals()
    endless = given.seconds or given.calls
    seeds = itertools.count(given.seed) if endless else iter(range(given.seed, given.seed + given.rounds))

    def over():
        return given.seconds and time.monotonic() - begin > given.seconds or given.calls and totals.calls >= given.calls

    with concurrent.futures.ProcessPoolExecutor(given.jobs) as pool:
        running = {pool.submit(play, seed, given) for seed in itertools.islice(seeds, given.jobs)}
        while running:
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for one in done:
                totals.add(one.result())
                print(one.result().text, end="", flush=True)
            if not over():
                running |= {pool.submit(play, seed, given) for seed in itertools.islice(seeds, len(done))}
    print(f"{totals.calls} calls of {totals.compiled} queries answered as by DuckDB but for {totals.differences};"
          f" {totals.written - totals.compiled} queries do not compile, DuckDB alone refused {totals.refused} calls;"
          f" {time.monotonic() - begin:.0f} s")
    if totals.compiled * 10 < totals.written * 9:
        sys.exit("error: more than a tenth of the queries do not compile")
    sys.exit(1 if totals.differences else 0)


if __name__ == "__main__":
    main()
