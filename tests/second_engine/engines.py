"""The two engines: `qtool serve` over loopback HTTP, and DuckDB in this process."""

import http.client
import json
import re
import subprocess
import tempfile
import threading

import duckdb
import pyarrow as pa


class Failed(Exception):
    """An engine did not answer: a code, and what it says."""

    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code = code


class Answer:
    def __init__(self, columns, rows, truncated, cursor):
        self.columns = columns
        self.rows = rows
        self.truncated = truncated
        self.cursor = cursor


class Server:
    """One process that serves a project."""

    def __init__(self, binary, project):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([binary, "-C", str(project), "serve", "--listen", "127.0.0.1:0"],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.lines = []
        self.port = None
        for line in self.process.stderr:
            self.lines.append(line.decode("utf-8", "replace"))
            found = re.search(r"at http://127\.0\.0\.1:(\d+)/", self.lines[-1])
            if found:
                self.port = int(found.group(1))
                break
        if self.port is None:
            raise Failed("no-server", "".join(self.lines))
        # Nobody else reads it, and a full pipe would stop the server.
        self.reader = threading.Thread(target=lambda: self.lines.extend(
            line.decode("utf-8", "replace") for line in self.process.stderr), daemon=True)
        self.reader.start()
        self.local = threading.local()

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def request(self, method, path, body, headers):
        for attempt in (1, 2):
            connection = getattr(self.local, "connection", None)
            if connection is None:
                connection = self.local.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
            try:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                return answer.status, answer.headers, answer.read()
            except (http.client.HTTPException, ConnectionError):
                # The server may close a connection that rests.
                connection.close()
                self.local.connection = None
                if attempt == 2:
                    raise
        return None

    def tools(self):
        _, _, body = self.request("GET", "/tools", None, {})
        listed = json.loads(body)
        return {tool["name"] for tool in (listed["tools"] if isinstance(listed, dict) else listed)}

    def call(self, tool, arguments):
        """The result object of plain HTTP."""
        status, _, body = self.request("POST", f"/tools/{tool}", json.dumps(arguments),
                                       {"Content-Type": "application/json"})
        read = json.loads(body)
        if status != 200:
            error = read["error"]
            raise Failed(error["code"], error["message"])
        columns = [(column["name"], column["type"]) for column in read["table_schema"]]
        rows = [tuple(row[name] for name, _ in columns) for row in read["rows"]]
        return Answer(columns, rows, read["truncated"], read.get("next_cursor"))

    def call_arrow(self, tool, arguments, columns):
        """The same rows as an Arrow stream; it does not say the names of types, so those of another answer are taken."""
        status, headers, body = self.request("POST", f"/tools/{tool}", json.dumps(arguments), {
            "Content-Type": "application/json", "Accept": "application/vnd.apache.arrow.stream"})
        if status != 200:
            error = json.loads(body)["error"]
            raise Failed(error["code"], error["message"])
        table = pa.ipc.open_stream(body).read_all()
        rows = list(zip(*[column.to_pylist() for column in table.columns])) if table.num_rows else []
        return Answer(columns, rows, headers.get("qtool-truncated") == "true", headers.get("qtool-next-cursor"))

    def call_mcp(self, tool, arguments):
        """The text of the rows over MCP, in the format that `arguments` asks for."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                   "params": {"name": tool, "arguments": arguments}}
        _, _, body = self.request("POST", "/mcp", json.dumps(message), {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-11-25"})
        result = json.loads(body)["result"]
        if result.get("isError"):
            raise Failed(result["_meta"]["qtool/error"]["code"], result["content"][0]["text"])
        return result["structuredContent"]


class Second:
    """DuckDB with the same rows."""

    def __init__(self, zone):
        self.connection = duckdb.connect()
        self.connection.execute(f"SET TimeZone = '{zone}'")
        self.connection.execute("SET threads = 1")
        self.connection.execute("SET arrow_large_buffer_size = false")

    def load(self, table):
        self.connection.register("given", table.arrow())
        self.connection.execute(f"CREATE OR REPLACE TABLE {table.name} AS SELECT * FROM given")
        self.connection.unregister("given")

    def run(self, sql):
        try:
            table = self.connection.execute(sql).to_arrow_table()
        except duckdb.Error as error:
            raise Failed("theirs", str(error)) from error
        return list(zip(*[column.to_pylist() for column in table.columns])) if table.num_rows else []

    def close(self):
        self.connection.close()
