"""A person is asked by the official Python SDK before a tool changes data: `confirm: true`, over stdio and HTTP, in both eras.

usage: confirm.py QTOOL
"""

import asyncio
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult

import calls

PROJECT = """\
name: notes
sources: { app: { type: sqlite, path: app.sqlite } }
tables: { notes: { source: app, description: A row per note., writable: true } }
"""
REMOVE = """\
/*---
description: Removes a note.
source: app
confirm: true
---*/
DELETE FROM notes WHERE id = << id >>
"""
QUESTION = """\
`remove` would change 1 row.

DELETE notes
- {"id":1,"title":"milk"}

Called with {"id":1}
"""


def fill(folder: Path) -> None:
    with sqlite3.connect(folder / "app.sqlite") as app:
        app.execute("CREATE TABLE IF NOT EXISTS notes (id integer PRIMARY KEY NOT NULL, title text NOT NULL)")
        app.execute("INSERT OR REPLACE INTO notes VALUES (1, 'milk')")


def left(folder: Path) -> int:
    with sqlite3.connect(folder / "app.sqlite") as app:
        return app.execute("SELECT count(*) FROM notes").fetchone()[0]


async def asked(folder: Path, server: Any, mode: str, can_ask: bool) -> None:
    """Calls the tool three times: nobody to ask, a person who declines, and one who agrees."""
    for action in [None, "decline", "accept"]:
        questions: list[str] = []

        async def answer(_: Any, params: Any, action: str = action or "cancel") -> ElicitResult:
            questions.append(params.message)
            return ElicitResult(action=action, content={} if action == "accept" else None)

        callback = answer if action else None
        async with Client(server, mode=mode, read_timeout_seconds=60, elicitation_callback=callback) as client:
            result = await client.call_tool("remove", {"id": 1})
        code = ((result.meta or {}).get("qtool/error") or {}).get("code")
        if action is None or not can_ask:
            calls.equal("questions", questions, [])
            calls.equal("nobody to ask", code, "not-confirmed")
        else:
            calls.equal("questions", questions, [QUESTION])
            calls.equal(action, code, None if action == "accept" else "not-confirmed")
        calls.equal("rows that are left", left(folder), 0 if action == "accept" and can_ask else 1)
    fill(folder)


async def main(qtool: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder)
        (folder / "queries").mkdir()
        (folder / "qtool.yaml").write_text(PROJECT)
        (folder / "queries/remove.sql").write_text(REMOVE)
        stdio = StdioServerParameters(command=qtool, args=["-C", name, "serve"])
        command = [qtool, "-C", name, "serve", "--listen", "127.0.0.1:0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
            try:
                assert server.stderr
                said = next(line for line in server.stderr if "http://" in line)
                found = re.search(r"http://\S+", said)
                assert found, said
                url = found.group()
                for label, where, mode, can_ask in [
                    ("stdio 2025-11-25", stdio, "legacy", True),
                    ("stdio 2026-07-28", stdio, "auto", True),
                    ("http 2025-11-25", url, "legacy", False),
                    ("http 2026-07-28", url, "auto", True),
                ]:
                    await asked(folder, where, mode, can_ask)
                    print(f"{label}: {'a person is asked' if can_ask else 'nobody can be asked, and nothing is changed'}")
            finally:
                server.terminate()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
