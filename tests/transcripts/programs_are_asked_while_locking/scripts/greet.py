"""Greets somebody."""
import json
import sys

# What it does when it is asked, it does as well.
with open("logs/runs.txt", "a") as log:
    log.write(sys.argv[1] + "\n")

if sys.argv[1] == "--fractalic-dump-schema":
    print(json.dumps({
        "description": "Greets a person by name.",
        "parameters": {
            "type": "object",
            "properties": {"name": {"type": "string", "description": "Whom."}},
            "required": ["name"],
        },
    }))
else:
    print(json.dumps({"greeting": f"Hello, {json.loads(sys.argv[1]).get('name')}!"}))
