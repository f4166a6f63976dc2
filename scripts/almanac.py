"""An MCP server over standard input and output, without any library: the public holidays of the United States, and the moon.

It stands for a server of somebody else: qtool.yaml takes one of its tools.
"""

import datetime
import json
import sys

DAY = datetime.timedelta(days=1)


def nth(year, month, weekday, n):
    """The n-th such weekday of a month; the last one for -1."""
    if n < 0:
        last = datetime.date(year + month // 12, month % 12 + 1, 1) - DAY
        return last - DAY * ((last.weekday() - weekday) % 7)
    first = datetime.date(year, month, 1)
    return first + DAY * ((weekday - first.weekday()) % 7 + 7 * (n - 1))


def holidays(year):
    """The federal holidays of a year (5 U.S.C. 6103), on their own days."""
    monday, thursday = 0, 3
    days = [
        (datetime.date(year, 1, 1), "New Year's Day"),
        (nth(year, 1, monday, 3), "Birthday of Martin Luther King, Jr."),
        (nth(year, 2, monday, 3), "Washington's Birthday"),
        (nth(year, 5, monday, -1), "Memorial Day"),
        (datetime.date(year, 7, 4), "Independence Day"),
        (nth(year, 9, monday, 1), "Labor Day"),
        (nth(year, 10, monday, 2), "Columbus Day"),
        (datetime.date(year, 11, 11), "Veterans Day"),
        (nth(year, 11, thursday, 4), "Thanksgiving Day"),
        (datetime.date(year, 12, 25), "Christmas Day"),
    ]
    if year >= 2021:
        days.append((datetime.date(year, 6, 19), "Juneteenth National Independence Day"))
    return {"holidays": [{"date": day.isoformat(), "name": name} for day, name in sorted(days)]}


def moon(date):
    """The age of the moon in days, from the new moon of 6 January 2000."""
    days = (datetime.date.fromisoformat(date) - datetime.date(2000, 1, 6)).days
    return {"age": round(days % 29.530588853, 1)}


def schema(**properties):
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


HOLIDAY = schema(date={"type": "string", "format": "date"}, name={"type": "string"})
TOOLS = {
    "holidays": (
        holidays,
        {
            "description": "The federal holidays of the United States in a year.",
            "inputSchema": schema(year={"type": "integer", "minimum": 1986, "maximum": 2100}),
            "outputSchema": schema(holidays={"type": "array", "items": HOLIDAY}),
        },
    ),
    "moon": (
        moon,
        {
            "description": "The age of the moon on a day, in days.",
            "inputSchema": schema(date={"type": "string", "format": "date"}),
            "outputSchema": schema(age={"type": "number"}),
        },
    ),
}


def called(params):
    function, _ = TOOLS[params["name"]]
    try:
        data = function(**params.get("arguments", {}))
    except (TypeError, ValueError) as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    return {"content": [{"type": "text", "text": json.dumps(data)}], "structuredContent": data}


def answer(message):
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "almanac", "version": "1.0.0"},
        }
    if method == "tools/list":
        return {"tools": [{"name": name, **said} for name, (_, said) in TOOLS.items()]}
    if method == "tools/call" and params.get("name") in TOOLS:
        return called(params)
    return {} if method == "ping" else None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        continue
    result = answer(message)
    error = {"code": -32601, "message": "there is no such method or tool"}
    told = {"result": result} if result is not None else {"error": error}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **told}), flush=True)
