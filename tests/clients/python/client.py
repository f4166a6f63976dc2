"""The official Python SDK against `qtool serve`: Streamable HTTP and stdio, the handshake of 2025-11-25 and the stateless
protocol of 2026-07-28. The SDK raises where a result does not conform to the tool's output schema."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from mcp import Client, MCPError, StdioServerParameters

import calls


class Connection:
    def __init__(self, client: Client, thorough: bool) -> None:
        self.client, self.thorough = client, thorough

    async def tools(self) -> list[str]:
        listed = await self.client.list_tools()
        calls.equal("next page", listed.next_cursor, None)
        return [tool.name for tool in listed.tools]

    async def call(self, tool: str, arguments: dict[str, Any]) -> calls.Answer:
        return await self.client.call_tool(tool, arguments)

    async def code_of_unknown_tool(self) -> int | None:
        try:
            await self.client.call_tool("no_such_tool", {})
        except MCPError as error:
            return error.error.code
        return None


@asynccontextmanager
async def connect(server: str | StdioServerParameters, mode: str, version: str) -> AsyncIterator[Connection]:
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        calls.equal("protocol version", client.protocol_version, version)
        yield Connection(client, thorough=isinstance(server, str) and mode == "auto")


def connections(url: str, command: list[str]) -> dict[str, AbstractAsyncContextManager[Connection]]:
    servers = {"http": url, "stdio": StdioServerParameters(command=command[0], args=command[1:])}
    # "auto" asks for the newest protocol first, and must not fall back.
    modes = {"legacy": "2025-11-25", "auto": "2026-07-28"}
    return {
        f"{name} {version}": connect(server, mode, version)
        for name, server in servers.items()
        for mode, version in modes.items()
    }


if __name__ == "__main__":
    calls.main("python", connections)
