"""A server of MCP that asks whoever calls: `asker.py [--stateless] [--log FILE]`. Without `--stateless` it speaks 2025-11-25 and asks by requests
of its own; with it, 2026-07-28, and it asks by its results (SEP-2322). `greet` asks a person, `sum_up` a model, `twice` a person twice, `link` for
a page, `late` after its call was given up, `trailing` when its call is over."""
import json
import os
import sys
import threading
import time

STATELESS = "--stateless" in sys.argv
LOG = sys.argv[sys.argv.index("--log") + 1] if "--log" in sys.argv else None
LOCK = threading.Lock()
WAITING = {}


def say(message):
    with LOCK:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


def note(words):
    if LOG:
        with open(LOG, "a", encoding="utf-8") as file:
            file.write(words + "\n")


def form(message):
    name = {"type": "string", "minLength": 2}
    schema = {"type": "object", "properties": {"name": name}, "required": ["name"]}
    return {"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}}


def sample(words):
    content = {"type": "text", "text": words}
    params = {"messages": [{"role": "user", "content": content}], "maxTokens": 50, "includeContext": "allServers"}
    return {"method": "sampling/createMessage", "params": params}


def page():
    params = {"mode": "url", "message": "Pay here", "url": "https://example.com/pay", "elicitationId": "1"}
    return {"method": "elicitation/create", "params": params}


SECRET = os.environ.get("ASKER_TOKEN", "")


def run(name):
    """Yields questions, gets answers, and returns what is told."""
    if name == "greet":
        answer = yield form("Who are you? " + SECRET)
        return "hello " + answer["content"]["name"] if answer.get("action") == "accept" else "no: " + json.dumps(answer)
    if name == "twice":
        first = yield form("First name?")
        second = yield form("Last name?")
        return " ".join(answer.get("content", {}).get("name", "-") for answer in (first, second))
    if name == "sum_up":
        answer = yield sample("Sum up.")
        return answer["content"]["text"] if "content" in answer else "no: " + json.dumps(answer)
    if name == "link":
        answer = yield page()
        return json.dumps(answer)
    if name == "late":
        time.sleep(1.5)
        answer = yield form("Too late?")
        return "late " + json.dumps(answer)
    if name == "capabilities":
        return json.dumps(CLIENT, sort_keys=True)
    return "pid %d" % os.getpid()


CLIENT = {}
NUMBER = [0]


def text(words):
    result = {"content": [{"type": "text", "text": words}]}
    return {**result, "resultType": "complete"} if STATELESS else result


def called(message):
    """A call by requests of its own."""
    name = message["params"]["name"]
    if name == "trailing":
        say({"jsonrpc": "2.0", "id": message["id"], "result": text("done")})
        time.sleep(0.5)
        say({"jsonrpc": "2.0", "id": "trailing", **form("Too late?")})
        return
    if name == "slow":
        time.sleep(1.5)
        say({"jsonrpc": "2.0", "id": message["id"], "result": text("slow")})
        return
    steps = run(name)
    try:
        question = next(steps)
        while True:
            with LOCK:
                NUMBER[0] += 1
            ident = "ask-%d" % NUMBER[0]
            WAITING[ident] = [threading.Event(), None]
            say({"jsonrpc": "2.0", "id": ident, **question})
            WAITING[ident][0].wait(20)
            answer = WAITING[ident][1] or {}
            note("%s: %s" % (message["params"]["name"], json.dumps(answer, sort_keys=True)))
            question = steps.send(answer.get("result", answer.get("error", {})))
    except StopIteration as over:
        say({"jsonrpc": "2.0", "id": message["id"], "result": text(over.value)})


def answered(params):
    """A call by results: the answers so far are the state."""
    so_far = json.loads(params.get("requestState") or "[]")
    if params.get("inputResponses"):
        so_far.append(params["inputResponses"]["q"])
    steps = run(params["name"])
    try:
        question = next(steps)
        for answer in so_far:
            question = steps.send(answer)
    except StopIteration as over:
        return text(over.value)
    return {"resultType": "input_required", "inputRequests": {"q": question}, "requestState": json.dumps(so_far)}


def tools():
    names = ["greet", "sum_up", "twice", "link", "late", "capabilities", "pid", "trailing", "slow"]
    all_tools = [{"name": name, "description": "Does it.", "inputSchema": {"type": "object"}} for name in names]
    more = {"type": "object", "properties": {"town": {"type": "string", "description": "The town"},
            "days": {"type": "integer", "minimum": 1, "maximum": 5}}, "required": ["town", "days"]}
    return all_tools + [{"name": "weather", "description": "The weather.", "inputSchema": more}]


def respond(message):
    method, params = message["method"], message.get("params") or {}
    if method == "server/discover" and STATELESS:
        return {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "resultType": "complete",
                "ttlMs": 0, "cacheScope": "private",
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "asker", "version": "1"}}}
    if method == "initialize" and not STATELESS:
        CLIENT.update(params["capabilities"])
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "asker", "version": "1"}}
    if method == "tools/list":
        result = {"tools": tools()}
        return {**result, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"} if STATELESS else result
    if method == "tools/call" and params["name"] == "weather":
        return text(json.dumps(params["arguments"], sort_keys=True))
    if method == "tools/call" and STATELESS:
        CLIENT.clear()
        CLIENT.update(params["_meta"]["io.modelcontextprotocol/clientCapabilities"])
        return answered(params)
    return None


for line in sys.stdin:
    received = json.loads(line)
    if "method" not in received:
        place = WAITING.get(received["id"])
        if place:
            place[1] = received
            place[0].set()
    elif "id" in received:
        result = respond(received)
        if result is not None:
            say({"jsonrpc": "2.0", "id": received["id"], "result": result})
        elif received["method"] == "tools/call":
            threading.Thread(target=called, args=(received,), daemon=True).start()
        else:
            error = {"code": -32601, "message": "method not found"}
            say({"jsonrpc": "2.0", "id": received["id"], "error": error})
