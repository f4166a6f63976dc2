"""What both Python clients check, over one connection after the other: every call of tests/example/calls.json with rows to
be checked, or one call of every tool as it is written there."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, Protocol


class Answer(Protocol):
    content: list[Any]
    structured_content: dict[str, Any] | None
    is_error: bool


class Connection(Protocol):
    """What differs between the clients."""

    thorough: bool

    async def tools(self) -> list[str]: ...

    async def call(self, tool: str, arguments: dict[str, Any]) -> Answer: ...

    async def code_of_unknown_tool(self) -> int | None: ...


class Tally:
    def __init__(self, name: str) -> None:
        self.name, self.passed, self.failed = name, 0, 0

    async def run(self, label: str, check: Callable[[], Awaitable[None]]) -> None:
        try:
            await check()
        except Exception as error:  # whatever goes wrong is what is reported
            self.failed += 1
            print(f"FAILED {label}: {type(error).__name__}: {error}")
        else:
            self.passed += 1
            print(f"ok {label}")


def equal(what: str, got: object, wanted: object) -> None:
    if got != wanted:
        raise AssertionError(f"{what}: {got!r}, not {wanted!r}")


def is_slow(call: dict[str, Any]) -> bool:
    """Takes half a minute in a debug build; the Rust tests call it."""
    return call["tool"] == "few_carrier_routes" and "carrier" in call["arguments"]


async def check_connection(
    tally: Tally, label: str, connection: Connection, calls: list[dict[str, Any]], *, thorough: bool
) -> None:
    async def listed() -> None:
        equal("tools", sorted(await connection.tools()), sorted({call["tool"] for call in calls}))

    async def answered(call: dict[str, Any]) -> None:
        arguments = {**call["arguments"], "table_format": "structured"} if thorough else call["arguments"]
        answer = await connection.call(call["tool"], arguments)
        equal("error", answer.is_error and answer.content[0].text, False)
        assert answer.structured_content is not None
        equal("count", answer.structured_content["returned_result_count"], call["rows"])
        rows = answer.structured_content["rows"]
        if thorough:
            equal("rows", len(rows), call["rows"])
            equal("first row", list(rows[0].values()), call["first"])

    async def refused() -> None:
        answer = await connection.call(calls[0]["tool"], {"no_such_argument": 1})
        equal("error", answer.is_error, True)
        equal("content", answer.content[0].type, "text")

    async def unknown() -> None:
        equal("code", await connection.code_of_unknown_tool(), -32602)

    await tally.run(f"{label} tools/list", listed)
    # Of what is asked of a service or of another server, the answers are kept for the Rust tests.
    own = [call for call in calls if not call.get("elsewhere")]
    one_each = {call["tool"]: call for call in reversed(own)}
    for call in own if thorough else one_each.values():
        await tally.run(f"{label} {call['tool']} {json.dumps(call['arguments'])}", partial(answered, call))
    await tally.run(f"{label} a wrong argument is a tool's error", refused)
    await tally.run(f"{label} an unknown tool is a protocol error", unknown)


def main(
    name: str, connections: Callable[[str, list[str]], dict[str, AbstractAsyncContextManager[Connection]]]
) -> None:
    """Usage: client URL CALLS COMMAND ARGUMENT…"""
    url, calls_file, *command = sys.argv[1:]
    with open(calls_file, encoding="utf-8") as file:
        calls = [call for call in json.load(file) if not is_slow(call)]
    tally = Tally(name)

    async def whole(label: str, connecting: AbstractAsyncContextManager[Connection]) -> None:
        async with connecting as connection:
            await check_connection(tally, label, connection, calls, thorough=connection.thorough)

    async def everything() -> None:
        for label, connecting in connections(url, command).items():
            await tally.run(label, partial(whole, label, connecting))

    asyncio.run(everything())
    print(f"{name}: {tally.passed} passed, {tally.failed} failed")
    sys.exit(tally.failed > 0)
