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
    # Where values could not be made, the command ends with 1, and tells them.
    is_told = done.returncode == 1 and tool.endswith("_materialize") and '"failures": [\n' in done.stdout
    check(done.returncode == 0 or is_told, f"{tool} failed", arguments, done.stdout, done.stderr)
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


# Derived fields: made by either, kept by the other.

DERIVED = [
    {"name": "id", "logicalType": "string", "primaryKey": True},
    {"name": "share", "logicalType": "number"},
    {"name": "count", "logicalType": "integer"},
    {"name": "done", "logicalType": "boolean"},
    {"name": "more", "logicalType": "object"},
    {"name": "tags", "logicalType": "array"},
    {"name": "price", "logicalType": "string", "x-derived": True},
    {"name": "maker", "logicalType": "string", "x-derived": True},
    {"name": "origin", "logicalType": "string", "x-derived": True},
    {"name": "level", "logicalType": "integer", "x-derived": True},
    {"name": "peer", "logicalType": "string", "x-derived": True},
    {"name": "said", "logicalType": "string", "x-derived": True},
    {"name": "shout", "logicalType": "string", "x-derived": True},
]
FILES = {
    "derivations/price.yaml": "kind: import\ntargets: [price]\nsource: prices.csv\nkey_field: key\nvalue_field: price\n",
    "derivations/maker.yaml": "# é\nkind: import\ntargets: [maker, origin]\ninputs: [share, count, done, more, tags, price]\n"
    "source: makers.json\nkey_field: id\nvalue_fields: { maker: m, origin: o }\n",
    "derivations/level.yaml": "kind: import\ntargets: [level]\ninputs: [maker]\nsource: levels.jsonl\nkey_field: id\n"
    "value_field: level\nmaterialization: { respect_human_override: false }\n",
    "derivations/peer.yaml": "kind: cross_sheet\ntargets: [peer]\nsource_sheet: ../other\nkey_field: id\n"
    "value_fields: { peer: title }\n",
    "derivations/said.yaml": "kind: cross_sheet\ntargets: [said]\ninputs: [peer]\nsource_sheet: ../empty\nkey_field: id\nvalue_field: title\n",
    "prices.csv": 'key,price\na,1\nb,"2,5"\nc,é\n',
    "makers.json": json.dumps([{"id": "a", "m": "x", "o": None}, {"id": "b", "m": "y", "o": "é"}, {"id": "two", "m": "1", "o": "2"}, {"id": "two", "m": "1", "o": "2"}]),
    "levels.jsonl": '{"id": "a", "level": 3}\n\n{"id": "c", "level": -9007199254740993}\n',
    "../other/contract.yaml": yaml.safe_dump(CONTRACT, sort_keys=False),
    "../other/records.jsonl": '{"id": "a", "title": "first"}\n{"id": "b", "title": "second"}\n',
    "../empty/contract.yaml": yaml.safe_dump(CONTRACT, sort_keys=False),
    "../empty/records.jsonl": "",
}
# What JSON may have that two canonical forms could write in two ways.
RECORDS = [
    {"id": "a", "share": 0.1, "count": 1, "done": True, "more": {"é": 1.0, "\U0001F600": 1e21, "\ue000": -0.0, "z": {"b": [], "a": {}}}, "tags": [1e-7, 123456789.125, "\u007f\u0000\b\f"]},
    {"id": "b", "share": 5e-324, "count": -9007199254740991, "done": False, "more": {"": None, "\"": "\\"}, "tags": ["", None, 1e300]},
    {"id": "c", "share": 100.0, "count": 0},
    {"id": "é", "share": 1e16},
    {"id": "two"},
]


def derived_project(root, records=RECORDS):
    folder = root / "records" / "todo"
    (folder / "derivations").mkdir(parents=True)
    contract = {**CONTRACT, "id": root.name, "schema": [{**CONTRACT["schema"][0], "properties": DERIVED}]}
    (folder / "contract.yaml").write_text(yaml.safe_dump(contract, sort_keys=False))
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "records.jsonl").write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records))
    (root / "qtool.yaml").write_text(
        'name: things\nrecords:\n  todo:\n    path: records/todo\n    actor: "agent:q"\n    derived:\n'
        "      shout: { sql: upper(<< maker >>) }\n"
    )
    return folder


def lines(folder, name):
    # Folio writes its own ends of lines as they are.
    return [json.loads(line) for line in (folder / name).read_text().split("\n") if line.strip()]


def made_of(folder):
    told = [(one["record_id"], one["field"], one["source"], one["input_hash"]) for one in lines(folder, "provenance.jsonl")]
    return sorted(one for one in told if one[1] != "shout")


def own(envelope):
    return {name: envelope[name] for name in ("materialized", "skipped")}, sorted(
        (one["record_id"], one["field"]) for one in envelope["failures"]
    )


IN_FILES = ["price", "maker", "origin", "level", "peer", "said"]

with tempfile.TemporaryDirectory() as temporary:
    by_folio, by_qtool = (Path(temporary) / name for name in ("by-folio", "by-qtool"))
    for root in (by_folio, by_qtool):
        root.mkdir()
        derived_project(root)
    folders = {root: root / "records" / "todo" for root in (by_folio, by_qtool)}

    def of_folio(root, **asked):
        return folio.open_sheet(folders[root], actor="human:f").materialize(ai_client=object(), **asked)

    def of_qtool(root, **asked):
        return qtool(root, "todo_materialize", {"targets": IN_FILES, **asked})[0]

    first, second = of_folio(by_folio), of_qtool(by_qtool)
    check(own(first) == own(second), "both make as much", first, second)
    check(second["materialized"] == 11 and second["failed"] == 2, "as much as there is", second)
    check(made_of(folders[by_folio]) == made_of(folders[by_qtool]), "the hashes differ", made_of(folders[by_folio]), made_of(folders[by_qtool]))
    records = [{one["id"]: one for one in lines(folder, "records.jsonl")} for folder in folders.values()]
    check(records[0] == records[1], "the records differ", *records)

    # What one has made stays for the other, which makes the rest anew.
    again = own(of_qtool(by_folio)), own(of_folio(by_qtool))
    check(again[0] == again[1] and again[0][0]["materialized"] == 0, "what the other has made is made anew", again)
    for root in (by_folio, by_qtool):
        (folders[root] / "prices.csv").write_text("key,price\na,1\nb,3\n")
        path = folders[root] / "records.jsonl"
        path.write_text(path.read_text().replace('"share":100.0', '"share":101.0').replace('"share": 100.0', '"share": 101.0'))
    again = of_qtool(by_folio), of_folio(by_qtool)
    check(own(again[0]) == own(again[1]) and again[0]["materialized"] > 0, "the rest differs", again)
    check(made_of(folders[by_folio]) == made_of(folders[by_qtool]), "the hashes of the rest differ")
    forced = of_qtool(by_folio, force=True, record_ids=["a", "nobody"]), of_folio(by_qtool, force=True, record_ids=["a", "nobody"])
    check(own(forced[0]) == own(forced[1]) and forced[0]["failed"] == 6, "what is forced differs", forced)

    # What somebody has sent stays.
    for root in (by_folio, by_qtool):
        with (folders[root] / "provenance.jsonl").open("a") as history:
            for field in ("price", "level"):
                told = {"record_id": "a", "field": field, "source": "human_override", "actor": "human:x", "at": "2026-03-31T10:00:00Z"}
                history.write(json.dumps(told) + "\n")
    kept = of_qtool(by_folio, record_ids=["a"]), of_folio(by_qtool, record_ids=["a"])
    check(own(kept[0]) == own(kept[1]) and kept[0]["materialized"] == 1, "what was sent is made anew", kept)

    # qtool's own kinds stand beside the folder, which Folio opens as before.
    made = qtool(by_qtool, "todo_materialize", {"targets": ["shout"]})[0]
    check(made["materialized"] == 5 and made["failed"] == 0, "what is qtool's own is not made", made)
    sheet = folio.open_sheet(folders[by_qtool], actor="human:f")
    check(sheet.get_record("b")["shout"] == "Y", "Folio reads what is qtool's own")
    check(sheet.provenance("b", "shout")["source"] == "sql", "Folio reads its history")
    told = {name: one["derivation_kind"] for name, one in sheet.materialization_status().items()}
    stands = qtool(by_qtool, "todo_status", {"targets": IN_FILES})
    check(told == {one["target"]: one["derivation_kind"] for one in stands}, "both know the same kinds", told, stands)
    same = ("total_records", "with_provenance", "last_actor", "last_at")
    both = [({key: folios[key] for key in same}, {key: one[key] for key in same}) for one in stands for folios in [sheet.materialization_status()[one["target"]]]]
    check(all(a == b for a, b in both), "how fields stand differs", both)

    # Mistakes of a folder are mistakes for both.
    bad = Path(temporary) / "bad"
    bad.mkdir()
    folder = derived_project(bad)
    folders[bad] = folder
    price = (folder / "derivations" / "price.yaml").read_text()
    for text, why in [
        (price.replace("targets: [price]", "targets: [price]\ninputs: [share]"), None),
        (price.replace("import", "magic"), "kind"),
        (price + "more: 1\n", "more"),
        (price.replace("[price]", "[]"), "targets"),
        (price.replace("[price]", "[price, price]"), "price"),
        (price.replace("[price]", "[price, said]"), "said"),
        (price.replace("[price]", "[maker]"), "maker"),
        (price.replace("value_field: price\n", ""), "value_field"),
        (price + "value_fields: { price: price }\n", "value_field"),
        (price + "inputs: [price]\n", "price"),
        (price + "inputs: [level]\n", "level -> maker -> price"),
    ]:
        (folder / "derivations" / "price.yaml").write_text(text)
        done = subprocess.run([QTOOL, "-C", str(bad), "check"], capture_output=True, text=True)
        try:
            of_folio(bad)
            taken = True
        except folio.FolioError:
            taken = False
        check((done.returncode == 0) == taken == (why is None), "one takes what the other refuses", text, done.stderr, taken)
        check(why is None or why in done.stdout + done.stderr, "why is not told", why, done.stderr)

print(f"folio: {checks} checks hold")
