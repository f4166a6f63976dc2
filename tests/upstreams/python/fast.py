"""A server of FastMCP with a tool for each kind of answer: fast.py [PORT]. Without a port it speaks over its pipes."""

import asyncio
import base64
import os
import sys
from dataclasses import dataclass
from typing import Literal

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.dependencies import get_http_headers
from fastmcp.tools import ToolResult
from fastmcp.utilities.types import Audio, File, Image

server = FastMCP("fast", instructions="Tools for tests.")
stopped: list[str] = []
# Two pixels, red and green.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DA8J8BAAX+Af+5W0EhAAAAAElFTkSuQmCC"
)
SOUND = b"RIFF\x24\x00\x00\x00WAVE"


@dataclass
class Forecast:
    city: str
    days: int
    units: str
    key: str


@server.tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool(annotations={"readOnlyHint": True, "openWorldHint": False})
def forecast(city: str, days: int = 3, units: Literal["metric", "imperial"] = "metric", key: str = "none") -> Forecast:
    """Tells what it was asked for."""
    return Forecast(city, days, units, key)


@server.tool(name="getHTTPHeaders")
def headers() -> dict[str, str | bool]:
    """What came with the request of the call."""
    sent = get_http_headers(include_all=True)
    # Not the token itself, which may be hidden in what is passed on.
    return {"room": sent.get("x-room", ""), "is_signed": sent.get("authorization") == "Bearer not for programs"}


@server.tool
def environment() -> dict[str, str]:
    """The variables of the server."""
    return dict(os.environ)


@server.tool
async def work(steps: int, context: Context) -> str:
    """Tells how far it has come."""
    for step in range(1, steps + 1):
        await context.report_progress(step, steps, f"step {step}")
        await asyncio.sleep(0.05)
    return f"{steps} steps"


@server.tool
async def wait(seconds: float, note: str) -> str:
    """Waits, and notes where it was stopped."""
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        stopped.append(note)
        raise
    return note


@server.tool
def stopped_waits() -> list[str]:
    """The notes of the waits that were stopped."""
    return stopped


@server.tool
def broken() -> str:
    """Fails, and says why."""
    raise ToolError("the shelf is empty")


# Its list has no schema: FastMCP would publish one and then send no data.
@server.tool(output_schema=None)
def exhibits() -> list[object]:
    """One block of each kind."""
    return [
        "a text",
        Image(data=PICTURE, format="png"),
        Audio(data=SOUND, format="wav"),
        File(data=b"a note", format="plain", name="note"),
        File(data=b"\x00\x01", format="octet-stream", name="bytes"),
    ]


@server.tool
def people() -> dict[str, list[dict[str, str]]]:
    """People and where they are written to."""
    return {"people": [{"name": "Ada", "email": "ada@example.com"}, {"name": "Bob", "email": "bob@example.com"}]}


@server.tool(output_schema={"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]})
def miscounted() -> ToolResult:
    """Answers with something else than it says that it does."""
    return ToolResult(content="three", structured_content={"count": "three"})


@server.tool
def long_text(letters: int) -> str:
    """As many letters as asked for."""
    return "x" * letters


@server.tool
def internal_reset() -> str:
    """Nobody should find this."""
    return "reset"


if len(sys.argv) > 1:
    server.run(transport="http", port=int(sys.argv[1]), show_banner=False, log_level="WARNING")
else:
    server.run(show_banner=False, log_level="WARNING")
