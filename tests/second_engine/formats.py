"""Rows out of the formats of text: values as JSON has them."""

import csv
import io
import json
import re

from engines import Answer

FORMATS = ["structured", "csv", "markdown", "toon"]


def answer(result, form):
    columns = [(column["name"], column["type"]) for column in result["table_schema"]]
    rows = {"structured": structured, "csv": commas, "markdown": markdown, "toon": toon}[form](result["rows"], columns)
    return Answer(columns, rows, result["truncated"], result.get("next_cursor"))


def structured(rows, columns):
    return [tuple(row[name] for name, _ in columns) for row in rows]


def of_text(text, type_):
    """A cell as the value that JSON would have."""
    if text == "":
        return None
    if type_.endswith("[]") or type_.startswith("struct("):
        return json.loads(text)
    if type_ == "boolean":
        return text == "true"
    if type_ in ("smallint", "int", "bigint"):
        return int(text)
    if type_ in ("real", "double"):
        return float(text)
    return text


def commas(text, columns):
    # A line of one empty cell is a row.
    lines = list(csv.reader(io.StringIO(text, newline="")))[1:]
    return [tuple(of_text(cell, type_) for cell, (_, type_) in zip(line or [""], columns)) for line in lines]


def markdown(text, columns):
    rows = []
    for line in text.split("\n")[2:]:
        cells = re.split(r"(?<!\\)\|", line)[1:-1]
        cells = [cell.replace("\\|", "|") for cell in cells]
        rows.append(tuple(of_text(cell, type_) for cell, (_, type_) in zip(cells, columns)))
    return rows


def toon(text, columns):
    rows = []
    for line in text.split("\n")[1:]:
        rows.append(tuple(toon_value(cell, type_) for cell, (_, type_) in zip(toon_cells(line), columns)))
    return rows


def toon_cells(line):
    cells, cell, quoted, escaped, depth = [], "", False, False, 0
    for sign in line:
        if not quoted:
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(sign, 0)
        if sign == "," and not quoted and depth == 0:
            cells.append(cell.strip())
            cell = ""
            continue
        if sign == '"' and not escaped:
            quoted = not quoted
        escaped = sign == "\\" and not escaped
        cell += sign
    return [*cells, cell.strip()]


def toon_value(cell, type_):
    if cell == "null":
        return None
    return json.loads(cell) if cell.startswith('"') else of_text(cell, type_)


def as_told(value, form):
    """What is left of a value in a format: no text and null look alike in some, and Markdown has no control characters."""
    if isinstance(value, tuple):
        return value
    if form in ("csv", "markdown") and value in ("", b""):
        return None
    if form == "markdown" and isinstance(value, str):
        return re.sub("[\0-\x1f]", lambda found: chr(0x2400 + ord(found[0])), value.replace("\n", "<br>"))
    return value
