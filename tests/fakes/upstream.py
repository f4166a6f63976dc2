"""A server of MCP for cases: `upstream.py FILE`. The file says what it is: `tools`, as the protocol lists them, and `answers`, the
result of a call by the name of the tool. A tool without one says back what it was sent. `"hangs"` never answers, and `"dies"` ends the server.
`prompts`, `resources` and `resourceTemplates` are offered where they are there; `filled` and `contents` are what is got and read, by name
and URI. `refuses` has messages of errors, by methods. `[token]` in them is the variable `TOKEN`, and `[token64]` the same in Base64."""
import base64
import json
import os
import sys

LISTS = {"prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates"}


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


def asked(told, method, params):
    """The answer to a request for a prompt or a resource, or to one for a list of them."""
    if LISTS.get(method) in told:
        return {"result": {LISTS[method]: told[LISTS[method]]}}
    if method == "prompts/get" and any(prompt["name"] == params["name"] for prompt in told.get("prompts", [])):
        text = json.dumps(params.get("arguments", {}), sort_keys=True)
        said = [{"role": "user", "content": {"type": "text", "text": text}}]
        return {"result": told.get("filled", {}).get(params["name"], {"messages": said})}
    if method == "prompts/get":
        return {"error": {"code": -32602, "message": "unknown prompt"}}
    if method == "resources/read" and params["uri"] in told.get("contents", {}):
        return {"result": {"contents": told["contents"][params["uri"]]}}
    if method == "resources/read":
        return {"error": {"code": -32002, "message": f"there is no {params['uri']}"}}
    return {"error": {"code": -32601, "message": "unknown method"}}


def with_token(text):
    token = os.environ.get("TOKEN", "")
    return text.replace("[token64]", base64.b64encode(token.encode()).decode()).replace("[token]", token)


def main(path):
    for line in sys.stdin:
        message = json.loads(line)
        with open(path, encoding="utf-8") as file:
            told = json.loads(with_token(file.read()))
        method, params = message.get("method"), message.get("params", {})
        answer = {"jsonrpc": "2.0", "id": message.get("id")}
        if "id" not in message or told.get("answers", {}).get(params.get("name")) == "hangs":
            continue
        if method in told.get("refuses", {}):
            answer["error"] = {"code": -32000, "message": told["refuses"][method]}
        elif method == "initialize":
            answer["result"] = {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}} | {key: {} for key in ("prompts", "resources") if key in told},
                "serverInfo": {"name": "fake", "version": "1"},
            }
        elif method == "tools/list":
            answer["result"] = {"tools": told.get("tools", [])}
        elif method == "tools/call" and any(tool["name"] == params["name"] for tool in told.get("tools", [])):
            answer["result"] = result(told, params)
        elif method == "tools/call":
            answer["error"] = {"code": -32602, "message": "unknown tool"}
        else:
            answer |= asked(told, method, params)
        say(answer)


main(sys.argv[1])
