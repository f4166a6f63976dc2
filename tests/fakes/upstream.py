"""A server of MCP for cases: `upstream.py FILE`. The file says what it is: `tools`, as the protocol lists them, and `answers`, the
result of a call by the name of the tool. A tool without one says back what it was sent. `"hangs"` never answers, and `"dies"` ends the server."""
import json
import sys


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def result(told, params):
    answer = told.get("answers", {}).get(params["name"])
    if answer == "dies":
        sys.exit(3)
    if answer is not None:
        return answer
    return {"content": [{"type": "text", "text": json.dumps(params.get("arguments", {}), sort_keys=True)}]}


def main(path):
    for line in sys.stdin:
        message = json.loads(line)
        with open(path, encoding="utf-8") as file:
            told = json.load(file)
        method, params = message.get("method"), message.get("params", {})
        answer = {"jsonrpc": "2.0", "id": message.get("id")}
        if "id" not in message or told.get("answers", {}).get(params.get("name")) == "hangs":
            continue
        if method == "initialize":
            answer["result"] = {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "fake", "version": "1"},
            }
        elif method == "tools/list":
            answer["result"] = {"tools": told["tools"]}
        elif method == "tools/call" and any(tool["name"] == params["name"] for tool in told["tools"]):
            answer["result"] = result(told, params)
        elif method == "tools/call":
            answer["error"] = {"code": -32602, "message": "unknown tool"}
        else:
            answer["error"] = {"code": -32601, "message": "unknown method"}
        say(answer)


main(sys.argv[1])
