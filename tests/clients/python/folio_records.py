"""Records that qtool and Folio share: either reads what the other has written.

    python folio_records.py QTOOL

QTOOL is the binary. Folio is the package of PyPI whose format a folder of records has.
"""

import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import folio
import yaml

QTOOL = sys.argv[1]
checks = 0

CONTRACT = {
    "apiVersion": "v3.0.0",
    "kind": "DataContract",
    "id": "todo",
    "name": "To do",
    "version": "1.0.0",
    "description": "What is to be done.",
    "schema": [
        {
            "name": "todo",
            "physicalType": "jsonl",
            "properties": [
                {"name": "id", "logicalType": "string", "primaryKey": True, "required": True, "description": "Its number."},
                {"name": "title", "logicalType": "string", "required": True},
                {"name": "prio", "logicalType": "string", "enum": ["P1", "P2"]},
                {"name": "stars", "logicalType": "integer"},
                {"name": "share", "logicalType": "number"},
                {"name": "due", "logicalType": "date"},
                {"name": "at", "logicalType": "timestamp"},
                {"name": "done", "logicalType": "boolean"},
                {"name": "tags", "logicalType": "array"},
                {"name": "more", "logicalType": "object"},
                {"name": "locked", "logicalType": "string", "x-editable-by": ["human:*"]},
                {"name": "price", "logicalType": "string", "x-derived": True, "x-inputs": []},
            ],
        }
    ],
}

# What could be taken for the end of a line, of a text, or of JSON.
TEXTS = [
    "milk",
    "",
    'tea or "coffee"',
    "a\\b\nc\td\re",
    "é ß 漢字 🐟 \U0001F600",
    "'; DROP TABLE records; --",
    "null",
    "{}",
    "\x7f\ufeff",
]
# Folio takes these for the end of a line where it reads, and writes them as they are: it cannot read what it wrote itself. What qtool
# writes, it can.
ENDS = "line\u2028and\u2029and\u0085and\x0band\x0cand\x1cand\x1e"


def check(holds, what, *seen):
    global checks
    checks += 1
    if not holds:
        sys.exit(f"{what}\n" + "\n".join(repr(one) for one in seen))


def project(root):
    folder = root / "records" / "todo"
    (folder / "derivations").mkdir(parents=True)
    (folder / "contract.yaml").write_text(yaml.safe_dump(CONTRACT, sort_keys=False))
    (folder / "prices.csv").write_text("key,price\na,1\nb,2\n")
    (folder / "derivations" / "price.yaml").write_text(
        "kind: import\ntargets: [price]\nsource: prices.csv\nkey_field: key\nvalue_field: price\n"
    )
    (root / "qtool.yaml").write_text('name: things\nrecords:\n  todo: { path: records/todo, actor: "agent:q", max_changes: 1000 }\n')
    return folder


def qtool(root, tool, arguments, fails=False):
    command = [QTOOL, "-C", str(root), "call", tool, "--json", json.dumps(arguments), "--format", "structured"]
    done = subprocess.run(command, capture_output=True, text=True)
    if fails:
        check(done.returncode != 0, f"{tool} took {arguments}", done.stdout)
        return done.stderr + done.stdout
    check(done.returncode == 0, f"{tool} failed", arguments, done.stdout, done.stderr)
    return json.loads(done.stdout)["rows"]


def plain(record):
    """A record as both have it: without what is null, and moments and documents as values."""
    found = {}
    for name, value in record.items():
        if value is None:
            continue
        if name in ("due", "at") and not isinstance(value, str):
            value = value.isoformat()
        if name in ("tags", "more") and isinstance(value, str):
            value = json.loads(value)
        if name == "at":
            value = value.replace(" ", "T")
        found[name] = value
    return found


def by_key(records):
    return {record["id"]: plain(record) for record in records}


with tempfile.TemporaryDirectory() as temporary:
    root = Path(temporary)
    folder = project(root)
    sheet = folio.open_sheet(folder, actor="human:f")

    # What Folio writes.
    texts = [{"id": f"f{at}", "title": text, "locked": text} for at, text in enumerate(TEXTS)]
    first = {
        "id": "a",
        "title": "all",
        "prio": "P1",
        "stars": 9007199254740993,
        "share": 0.1,
        "due": "2026-03-31",
        "at": "2026-03-31T17:45:00.123456",
        "done": False,
        "tags": ["x", 1, None, {"y": [True]}],
        "more": {"b": 1.5, "a": {}, "é": "ü"},
    }
    sheet.upsert_records([first, *texts, {"id": "gone", "title": "soon"}])
    sheet.delete_records(["gone"])
    seen = by_key(qtool(root, "todo_list", {"limit": 100}))
    check(seen == by_key([first, *texts]), "qtool reads what Folio wrote", seen)

    # What qtool writes, over it and beside it.
    own = [
        {"id": f"q{at}", "title": text, "tags": [text], "more": {"k": text, text: None}}
        for at, text in enumerate([*TEXTS, ENDS])
    ]
    second = {**first, "id": "b", "title": "of qtool", "stars": -9223372036854775808, "share": 1e-300}
    done = qtool(root, "todo_upsert", {"records": [*own, second, {"id": "a", "done": True}]})
    check(done == [{"inserted": len(own) + 1, "updated": 1, "total": len(texts) + len(own) + 2}], "qtool counts", done)
    expected = by_key([{**first, "done": True}, *texts, *own, second])
    listed = by_key(sheet.list_records(limit=1000)["records"])
    check(listed == expected, "Folio reads what qtool wrote", {k: (v, expected.get(k)) for k, v in listed.items() if v != expected.get(k)})
    check(plain(sheet.get_record("b")) == expected["b"], "Folio finds a record of qtool", sheet.get_record("b"))
    counted = sheet.query("SELECT count(*) AS n, sum(CASE WHEN done THEN 1 ELSE 0 END) AS done FROM records")
    check(counted[0]["n"] == len(expected), "Folio counts records of qtool", counted)
    check(by_key(qtool(root, "todo_list", {"limit": 100})) == expected, "qtool reads what both wrote")

    expected.pop(own[-1]["id"])
    qtool(root, "todo_delete", {"ids": [own[-1]["id"]]})

    # Who may write what holds for both.
    told = qtool(root, "todo_upsert", {"records": [{"id": "a", "locked": "x"}]}, fails=True)
    check("agent:q" in told and "locked" in told, "who may not write a field is told", told)
    try:
        folio.open_sheet(folder, actor="agent:q").upsert_records([{"id": "a", "locked": "x"}])
        check(False, "Folio lets everybody write")
    except folio.PermissionDeniedError:
        pass

    # What each says of where values come from.
    history = sheet.provenance("a", "done", history=True)
    check([(one["actor"], one["source"]) for one in history] == [("agent:q", "upsert")], "Folio reads the history of qtool", history)
    # Without this it asks for a key of a service that it does not need here.
    envelope = sheet.materialize(actor="human:f", ai_client=object())
    check(envelope["materialized"] == 2 and not envelope["failures"], "Folio makes what is derived", envelope)
    made = qtool(root, "todo_history", {"id": "a", "field": "price"})
    check([(one["source"], one["actor"]) for one in made] == [("import", "human:f")], "qtool reads the history of Folio", made)
    check(qtool(root, "todo_get", {"id": "a", "fields": ["price"]}) == [{"price": "1"}], "qtool reads what Folio made")

    # Removed by one, it is gone for the other.
    qtool(root, "todo_delete", {"ids": ["q0", "f0", "nobody"]})
    check(sheet.get_record("q0") is None and sheet.get_record("f0") is None, "what qtool removes is there for Folio")
    expected.pop("q0"), expected.pop("f0")
    check(set(by_key(sheet.list_records(limit=1000)["records"])) == set(expected), "what is left differs")

    # Both at once: each takes the lock of the other.
    rounds = 12

    def of_folio():
        for at in range(rounds):
            folio.open_sheet(folder, actor="human:f").upsert_records([{"id": f"by-folio-{at}", "title": "x"}])

    def of_qtool(name):
        for at in range(rounds):
            qtool(root, "todo_upsert", {"records": [{"id": f"by-qtool-{name}-{at}", "title": "x"}]})

    threads = [threading.Thread(target=of_folio), *(threading.Thread(target=of_qtool, args=(name,)) for name in "xy")]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    both = {f"by-folio-{at}" for at in range(rounds)} | {f"by-qtool-{name}-{at}" for name in "xy" for at in range(rounds)}
    there = set(by_key(sheet.list_records(limit=1000)["records"]))
    check(both <= there and there - both == set(expected), "writers at once lose records", both - there)
    left = sorted(path.name for path in folder.iterdir() if path.name.endswith(".tmp"))
    check(not left, "something is left behind", left)

print(f"folio: {checks} checks hold")
