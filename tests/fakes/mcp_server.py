"""A server of MCP for tests. Speaks over its pipes, or over HTTP with `--http`, and misbehaves where it is told to.

Arguments: `--revision 2024-11-05` (what it answers to `initialize`), `--stateless` (only `server/discover`),
`--mute-probe` (never answers a method that it does not know), `--die-on-probe` (ends at such a method),
`--pages N`, `--tools N`, `--start-slowly S`, `--die-at-start`, `--rubbish N`, `--sse`, `--session`, `--port-file F`.
"""
import http.server
import json
import os
import subprocess
import sys
import threading
import time

ARGS = sys.argv[1:]


def flag(name):
    return name in ARGS


def option(name, default):
    return ARGS[ARGS.index(name) + 1] if name in ARGS else default


REVISION = option("--revision", "2025-11-25")
TOOLS = int(option("--tools", "3"))
PAGES = int(option("--pages", "1"))
LOCK = threading.Lock()
CANCELLED = []
DONE = []
SEEN = []
EXTRA = []
ANSWERS = {}


def tools():
    names = ["echo", "fail", "say"] + ["tool%04d" % n for n in range(max(0, TOOLS - 3))] + EXTRA
    return [
        {
            "name": name,
            "title": name.title(),
            "description": "Does " + name,
            "inputSchema": {"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "string"}}},
            "annotations": {"readOnlyHint": True},
            "_meta": {"x": 1},
        }
        for name in names
    ]


def text(words, **more):
    result = {"content": [{"type": "text", "text": words}], **more}
    return {**result, "resultType": "complete"} if flag("--stateless") else result


class Error(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


def deep(args):
    """Properties that are nested as deep as is said."""
    properties = {}
    for _ in range(int(args.get("depth", 0))):
        properties = {"p": properties}
    return properties


def call(params, ident, tell):
    name, args = params["name"], params.get("arguments") or {}
    token = (params.get("_meta") or {}).get("progressToken")
    if name == "echo":
        return text(json.dumps(args), structuredContent=args)
    if name == "fail":
        return text("it failed", isError=True)
    if name == "rpc":
        raise Error(-32602, "no such thing " + "x" * 5000)
    if name == "say":
        sys.stderr.write("said something\n" * int(args.get("times", 1)))
        sys.stderr.flush()
        return text("said")
    if name == "crash":
        os._exit(3)
    if name == "crash_with_child":
        subprocess.Popen(["sleep", "300"])
        time.sleep(0.2)
        os._exit(4)
    if name == "child":
        return text(str(subprocess.Popen(["sleep", "300"]).pid))
    if name == "pid":
        return text(str(os.getpid()))
    if name == "hang":
        time.sleep(600)
    if name == "slow":
        until = time.time() + float(args.get("seconds", 1))
        while time.time() < until:
            if ident in CANCELLED:
                return text("stopped")
            time.sleep(0.01)
        DONE.append(ident)
        return text("done")
    if name == "cancelled":
        return text(json.dumps(len(CANCELLED)))
    if name == "progress":
        for step in args.get("steps", [1, 2, 2, 1, 3]):
            tell({"jsonrpc": "2.0", "method": "notifications/progress",
                  "params": {"progressToken": token, "progress": step, "total": 3, "message": "step"}})
        return text("done")
    if name == "huge":
        return text("x" * int(args["bytes"]))
    if name == "rubbish":
        for n in range(int(args["lines"])):
            write_line("rubbish %d" % n)
        return text("after rubbish")
    if name == "endless":
        while True:
            sys.stdout.write("x" * (1 << 20))
    if name == "odd":
        return {"content": [{"type": "video", "x": 1}], "isError": False}
    if name == "no_message":
        return None
    if name == "grow":
        EXTRA.append("grown%d" % len(EXTRA))
        tell({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        return text("grown")
    if name == "ask":
        asked = {}
        for n, method in enumerate(["sampling/createMessage", "roots/list", "elicitation/create", "ping"]):
            params = {
                "sampling/createMessage": {"messages": [], "maxTokens": 1},
                "elicitation/create": {"message": "?" * int(args.get("letters", 1)), "requestedSchema": {"type": "object", "properties": deep(args)}},
            }.get(method, {})
            key = "ask-%d" % n
            ANSWERS[key] = threading.Event()
            tell({"jsonrpc": "2.0", "id": key, "method": method, "params": params})
            event = ANSWERS[key]
            event.wait(5)
            answer = ANSWERS.get(key + "!", {})
            asked[method] = answer.get("error", {}).get("code") if "error" in answer else answer.get("result")
        return text(json.dumps(asked))
    if name == "environment":
        return text(json.dumps(dict(os.environ)))
    if name == "routed":
        return text("routed")
    if name == "seen":
        return text(json.dumps(SEEN))
    raise Error(-32602, "unknown tool")


def respond(message, tell):
    """The result of a request."""
    method, params = message["method"], message.get("params") or {}
    SEEN.append(method)
    capabilities = {"tools": {"listChanged": True}, "prompts": {}, "resources": {}}
    if method == "server/discover":
        if flag("--die-on-probe"):
            os._exit(5)
        if flag("--mute-probe"):
            time.sleep(1)
            raise Error(-32601, "late")
        if not flag("--stateless"):
            raise Error(-32601, "method not found")
        return {"supportedVersions": ["2026-07-28"], "capabilities": capabilities, "resultType": "complete",
                "ttlMs": 0, "cacheScope": "private", "instructions": "be kind",
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "fake", "version": "1"}}}
    if method == "initialize":
        if flag("--stateless"):
            raise Error(-32601, "method not found")
        return {"protocolVersion": REVISION, "capabilities": capabilities,
                "serverInfo": {"name": "fake", "version": "1"}, "instructions": "be kind"}
    if method == "tools/list":
        all_tools = tools()
        if flag("--routed"):
            region = {"type": "string", "x-mcp-header": "Region"}
            all_tools.append({"name": "routed", "inputSchema": {"type": "object", "properties": {"region": region}}})
        if flag("--bad-tool"):
            all_tools.insert(1, {"name": 5, "inputSchema": []})
        size = -(-len(all_tools) // PAGES)
        page = int(params.get("cursor") or 0)
        result = {"tools": all_tools[page * size:(page + 1) * size]}
        if flag("--stateless"):
            result.update(resultType="complete", ttlMs=0, cacheScope="private")
        if page + 1 < PAGES:
            result["nextCursor"] = str(page + 1)
        return result
    if method == "prompts/list":
        return {"prompts": [{"name": "p", "arguments": [{"name": "x", "required": True}]}]}
    if method == "resources/list":
        return {"resources": [{"uri": "x://1", "name": "one", "mimeType": "text/plain"}]}
    if method == "prompts/get" and params["name"] == "p":
        said = {"type": "text", "text": params.get("arguments", {}).get("x", "nothing")}
        return {"messages": [{"role": "user", "content": said}]}
    if method == "resources/read" and params["uri"] == "x://1":
        return {"contents": [{"uri": "x://1", "mimeType": "text/plain", "text": "one"}]}
    if method == "tools/call":
        return call(params, message["id"], tell)
    if method == "ping":
        return {}
    raise Error(-32601, "method not found")


def answer(message, tell):
    try:
        result = respond(message, tell)
        if result is None:
            return {"id": message["id"], "neither": "result nor error", "jsonrpc": "2.0"}
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}
    except Error as error:
        return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": error.code, "message": error.message}}


def write_line(words):
    with LOCK:
        sys.stdout.write(words + "\n")
        sys.stdout.flush()


def write(message):
    write_line(json.dumps(message))


def take(message, tell, reply):
    """Takes a message that is no request of a client; a request is answered in a thread of its own."""
    if "method" in message and "id" in message:
        if message["method"] == "subscriptions/listen":
            listen(message, tell)
            return
        threading.Thread(target=lambda: reply(answer(message, tell)), daemon=True).start()
    elif message.get("method") == "notifications/cancelled":
        CANCELLED.append(message["params"]["requestId"])
    elif "method" not in message:
        ANSWERS[message["id"] + "!"] = message
        ANSWERS[message["id"]].set()


def listen(message, tell):
    meta = {"io.modelcontextprotocol/subscriptionId": message["id"]}
    tell({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
          "params": {"notifications": message["params"]["notifications"], "_meta": meta}})

    def watch():
        known = len(EXTRA)
        while True:
            if len(EXTRA) != known:
                known = len(EXTRA)
                tell({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": meta}})
            time.sleep(0.01)

    threading.Thread(target=watch, daemon=True).start()


def over_pipes():
    for n in range(int(option("--rubbish", "0"))):
        write_line("starting up %d ..." % n)
    for line in sys.stdin:
        take(json.loads(line), write, write)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sessions = set()

    def log_message(self, *_):
        pass

    def plain(self, status, body=b"", kind="application/json", session=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if session:
            self.send_header("Mcp-Session-Id", session)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.plain(405)

    def do_DELETE(self):
        self.plain(200)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        message = json.loads(body)
        SEEN.append({k.lower(): v for k, v in self.headers.items()})
        if flag("--locked") and self.headers.get("Authorization") != "Bearer secret":
            return self.plain(401, b"{}")
        method = message.get("method")
        session = None
        if flag("--session"):
            if method == "initialize":
                session = "s%d" % time.time_ns()
                Handler.sessions.add(session)
            elif method != "server/discover" and self.headers.get("Mcp-Session-Id") not in Handler.sessions:
                if flag("--old-words"):
                    error = {"jsonrpc": "2.0", "id": None,
                             "error": {"code": -32000, "message": "Bad Request: no valid session ID"}}
                    return self.plain(400, json.dumps(error).encode())
                return self.plain(404)
        if method == "tools/call" and message["params"]["name"] == "forget":
            Handler.sessions.clear()
        if method == "tools/call" and message["params"]["name"] == "break":
            SEEN.append("broke")
            self.close_connection = True
            self.connection.close()
            return
        if method == "tools/call" and message["params"]["name"] == "routed" and not self.headers.get("Mcp-Param-Region"):
            error = {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32020, "message": "header mismatch"}}
            return self.plain(400, json.dumps(error).encode())
        if "id" not in message or "method" not in message:
            take(message, None, None)
            return self.plain(202)
        if not flag("--sse"):
            return self.plain(200, json.dumps(answer(message, lambda _: None)).encode(), session=session)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        if session:
            self.send_header("Mcp-Session-Id", session)
        self.end_headers()
        lock = threading.Lock()

        def tell(told):
            data = ("event: message\ndata: %s\n\n" % json.dumps(told)).encode()
            with lock:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()

        if method == "subscriptions/listen":
            listen(message, tell)
            time.sleep(600)
        try:
            tell(answer(message, tell))
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            CANCELLED.append(message["id"])


def over_http():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(option("--port", "0"))), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()


time.sleep(float(option("--start-slowly", "0")))
if flag("--die-at-start"):
    sys.stderr.write("no configuration\n")
    sys.exit(7)
over_http() if flag("--http") else over_pipes()
