"""The official Python SDK against tools of other servers behind `qtool serve`: over stdio and Streamable HTTP, with the
handshake of 2025-11-25 and the stateless protocol of 2026-07-28. The SDK raises where a result does not conform to the tool's
output schema. What is to come of the calls stands in CASES.

    client.py CASES URL COMMAND ARGUMENT…
"""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from mcp import Client, StdioServerParameters

PARALLEL = 50


class Tally:
    def __init__(self) -> None:
        self.passed, self.failed = 0, 0

    async def run(self, label: str, check: Callable[[], Awaitable[None]]) -> None:
        try:
            await check()
        except Exception as error:  # whatever goes wrong is what is reported
            while inner := getattr(error, "exceptions", None):
                error = inner[0]
            self.failed += 1
            print(f"FAILED {label}: {type(error).__name__}: {error}")
        else:
            self.passed += 1


def equal(what: str, got: object, wanted: object) -> None:
    if got != wanted:
        raise AssertionError(f"{what}: {got!r}, not {wanted!r}")


def within(what: str, got: Any, wanted: Any) -> None:
    """Whether all is there that is wanted; objects may have more."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key, value in wanted.items():
            within(f"{what}/{key}", got.get(key), value)
    elif isinstance(wanted, list) and isinstance(got, list):
        equal(f"length of {what}", len(got), len(wanted))
        for at, value in enumerate(wanted):
            within(f"{what}/{at}", got[at], value)
    else:
        equal(what, got, wanted)


def dumped(model: Any) -> Any:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def code(result: Any) -> str | None:
    return ((result.meta or {}).get("qtool/error") or {}).get("code")


def text(result: Any) -> str:
    return "\n".join(block.text for block in result.content if block.type == "text")


async def listed(client: Client, cases: dict[str, Any]) -> None:
    tools = (await client.list_tools()).tools
    equal("tools", sorted(tool.name for tool in tools), cases["tools"])
    told = {tool.name: dumped(tool) for tool in tools}
    within("told", told, cases["told"])
    whole = json.dumps(list(told.values()), ensure_ascii=False)
    for word in cases["not_told"]:
        equal(f"{word!r} is told", word in whole, False)


async def called(client: Client, case: dict[str, Any]) -> None:
    result = await client.call_tool(case["tool"], case["arguments"])
    if "error" in case:
        equal(f"code ({text(result)})", code(result), case["error"])
        equal("is an error", result.is_error, True)
        for words in case.get("says", []):
            equal(f"{words!r} is in {text(result)!r}", words in text(result), True)
        return
    equal("error", result.is_error and text(result), False)
    blocks = dumped(result)["content"]
    within("content", blocks, case.get("content", blocks))
    for at, beginning in case.get("begins", {}).items():
        equal("beginning of the data", blocks[int(at)]["data"][: len(beginning)], beginning)
    if "structured" in case:
        equal("structured content", result.structured_content, case["structured"])
    whole = text(result) + json.dumps(result.structured_content, ensure_ascii=False)
    for words in case.get("contains", []):
        equal(f"{words!r} is in the answer", words in whole, True)
    for words in case.get("lacks", []):
        equal(f"{words!r} is in the answer", words in whole, False)


async def told_of_progress(client: Client, case: dict[str, Any]) -> None:
    reached: list[tuple[float, float | None]] = []

    async def reach(done: float, total: float | None, _: str | None) -> None:
        reached.append((done, total))

    result = await client.call_tool(case["tool"], case["arguments"], progress_callback=reach)
    equal("the answer is there", case["contains"] in text(result), True)
    # Once a second it is told how far the server says that it is, of a hundred.
    equal(f"progress {reached}", [total for _, total in reached][:1], [100])
    equal(f"progress {reached}", 10 <= reached[0][0] <= 100, True)


async def cancelled(client: Client, case: dict[str, Any], label: str) -> None:
    """Where the server can tell, it must have been told to stop. Over HTTP before 2026-07-28 a request for that is one that belongs to
    no other; then the connection must go on all the same."""
    arguments = dict(case["arguments"])
    if "note" in case:
        arguments[case["note"]] = f"{label} {os.getpid()}"
    call = asyncio.create_task(client.call_tool(case["tool"], arguments))
    await asyncio.sleep(0.4)
    equal("answered before it was cancelled", call.done(), False)
    call.cancel()
    equal("cancelled", isinstance((await asyncio.gather(call, return_exceptions=True))[0], asyncio.CancelledError), True)
    if "seen_by" not in case or label == "http 2025-11-25":
        equal("tools", len((await client.list_tools()).tools) > 0, True)
        return
    for _ in range(50):
        stopped = (await client.call_tool(case["seen_by"], {})).structured_content
        if stopped and arguments[case["note"]] in stopped["result"]:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"the server was not told to stop: {stopped}")


async def in_parallel(client: Client, case: dict[str, Any]) -> None:
    async def one(number: int) -> None:
        argument = str(number) if case.get("as_text") else number
        result = await client.call_tool(case["tool"], {**case["arguments"], case["numbered"]: argument})
        equal("answer", text(result), case["text"].replace("#", str(number)))

    await asyncio.gather(*(one(number) for number in range(PARALLEL)))


async def main() -> None:
    cases_file, url, *command = sys.argv[1:]
    with open(cases_file, encoding="utf-8") as file:
        cases = json.load(file)
    tally = Tally()
    # A process that qtool is started in by a client gets few variables: those that are named here.
    environment = {**os.environ}
    servers = {"http": url, "stdio": StdioServerParameters(command=command[0], args=command[1:], env=environment)}
    for name, server in servers.items():
        # "auto" asks for the newest protocol first, and must not fall back.
        for mode, version in {"legacy": "2025-11-25", "auto": "2026-07-28"}.items():
            at = f"{name} {version}"

            async def whole() -> None:
                async with Client(server, mode=mode, read_timeout_seconds=30) as client:
                    equal("protocol version", client.protocol_version, version)
                    await tally.run(f"{at} list", lambda: listed(client, cases))
                    for case in cases["calls"]:
                        await tally.run(f"{at} {case['tool']} {json.dumps(case['arguments'])}", lambda: called(client, case))
                    for case in cases["progress"]:
                        await tally.run(f"{at} progress of {case['tool']}", lambda: told_of_progress(client, case))
                    for case in cases["cancelled"]:
                        await tally.run(f"{at} cancelled {case['tool']}", lambda: cancelled(client, case, at))
                    for case in cases["parallel"]:
                        await tally.run(f"{at} parallel {case['tool']}", lambda: in_parallel(client, case))

            await tally.run(at, whole)
    print(f"python: {tally.passed} passed, {tally.failed} failed")
    sys.exit(tally.failed > 0)


if __name__ == "__main__":
    asyncio.run(main())
