"""FastMCP's client against `qtool serve`, over Streamable HTTP and over stdio. Beside what the SDK below it checks, it
makes a type of every output schema and reads the result as that type."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp import MCPError

import calls


class Connection:
    def __init__(self, client: Client, thorough: bool) -> None:
        self.client, self.thorough = client, thorough

    async def tools(self) -> list[str]:
        return [tool.name for tool in await self.client.list_tools()]

    async def call(self, tool: str, arguments: dict[str, Any]) -> calls.Answer:
        result = await self.client.call_tool(tool, arguments, raise_on_error=False)
        if not result.is_error:
            calls.equal("has data", result.data is not None, True)
        return result

    async def code_of_unknown_tool(self) -> int | None:
        try:
            await self.client.call_tool("no_such_tool", {})
        except MCPError as error:
            return error.error.code
        return None


@asynccontextmanager
async def connect(server: str | StdioTransport) -> AsyncIterator[Connection]:
    async with Client(server, timeout=60) as client:
        yield Connection(client, thorough=isinstance(server, str))


def connections(url: str, command: list[str]) -> dict[str, AbstractAsyncContextManager[Connection]]:
    stdio = StdioTransport(command=command[0], args=command[1:], keep_alive=False)
    return {"http": connect(url), "stdio": connect(stdio)}


if __name__ == "__main__":
    calls.main("fastmcp", connections)
