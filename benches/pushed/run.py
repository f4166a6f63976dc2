"""Top-N and groups over six million rows, beside the same statement over the driver alone: run.py DATA [URL].

DATA is the folder with the comparison's `bench.sqlite`, URL a server of PostgreSQL that `benches/postgres/load.py` has filled;
QTOOL is the executable that is measured. The driver of SQLite is Python's, that of PostgreSQL is psql. Each pair is run in turn,
and their answers are compared.
"""
import json
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
ROUNDS = 7
QUANTITIES = [1, 10, 25, 40]


class Server:
    """`qtool serve` over stdio."""

    def __init__(self, qtool, project, env):
        self.process = subprocess.Popen(
            [qtool, "serve", "-C", project], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={**os.environ, **env}, text=True)
        self.number = 0
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.ask("initialize", about)
        self.say({"method": "notifications/initialized"})

    def say(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        self.say({"id": self.number, "method": method, "params": params})
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.number:
                return answer["result"]
        sys.exit("the server is gone")

    def rows(self, tool, quantity):
        result = self.ask("tools/call", {"name": tool, "arguments": {"least": quantity}})
        if result.get("isError"):
            sys.exit(f"{tool}: {result}")
        found = result["structuredContent"]
        # A table of Markdown: its first two lines are the head.
        return [tuple(number(cell) for cell in line.split("|")[1:-1]) for line in found["rows"].splitlines()[2:]]


def number(value):
    """Decimals are texts here and there."""
    try:
        return round(float(value), 6)
    except ValueError:
        return value


def statement(tool, quantity):
    text = (HERE / "queries" / f"{tool}.sql").read_text().split("---*/")[1]
    return text.replace("<< least >>", str(quantity))


def over_sqlite(path):
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    def rows(tool, quantity):
        begun = time.perf_counter()
        found = connection.execute(statement(tool, quantity)).fetchall()
        return time.perf_counter() - begun, found

    return rows


def over_psql(url):
    process = subprocess.Popen(["psql", "-XqAt", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def rows(tool, quantity):
        process.stdin.write(f"\\timing on\n{statement(tool, quantity)};\n\\timing off\n\\echo end\n")
        process.stdin.flush()
        found, took = [], None
        for line in process.stdout:
            if line == "end\n":
                return took, found
            if time_told := re.match(r"Time: ([\d.]+) ms", line):
                took = float(time_told[1]) / 1000
            else:
                found.append(tuple(line.rstrip("\n").split("|")))
        sys.exit("psql is gone")

    return rows


def compared(name, source, driver, env):
    qtool = os.environ["QTOOL"]
    with tempfile.TemporaryDirectory() as project:
        shutil.copytree(HERE / "queries", f"{project}/queries")
        text = (HERE / "qtool.yaml.in").read_text().replace("@SOURCE@", source)
        Path(project, "qtool.yaml").write_text(text)
        subprocess.run([qtool, "lock", "-C", project], check=True, capture_output=True, env={**os.environ, **env})
        server = Server(qtool, project, env)
        for tool in ("largest", "per_mode"):
            ours, theirs = [], []
            for turn in range(ROUNDS):
                for quantity in QUANTITIES:
                    begun = time.perf_counter()
                    found = server.rows(tool, quantity)
                    took = time.perf_counter() - begun
                    alone, wanted = driver(tool, quantity)
                    if found != [tuple(number(value) for value in row) for row in wanted]:
                        sys.exit(f"{name} {tool}: the answers differ: {found} {wanted}")
                    if turn:
                        ours.append(took)
                        theirs.append(alone)
            mine, alone = statistics.median(ours) * 1000, statistics.median(theirs) * 1000
            print(f"{name:10} {tool:10} qtool {mine:8.1f} ms, driver alone {alone:8.1f} ms, {mine / alone:.2f} times", flush=True)


def main():
    data, *url = sys.argv[1:]
    path = Path(data, "bench.sqlite").resolve()
    with_roots = f'{{ type: sqlite, path: "{path}" }}\nroots: ["{path.parent}"]'
    compared("SQLite", with_roots, over_sqlite(path), {})
    for address in url:
        env = {"BENCH_POSTGRES_URL": address}
        compared("PostgreSQL", "{ type: postgres, url_env: BENCH_POSTGRES_URL }", over_psql(address), env)


if __name__ == "__main__":
    main()
