"""Not what is told: the dump says it."""
import json
import sys
import time

# Fractalic waits for 0.2 s, and would not find it.
time.sleep(0.5)
if sys.argv[1] == "--fractalic-dump-schema":
    print(json.dumps({
        "description": "Finds orders.",
        "parameters": {
            "type": "object",
            "properties": {
                "status": {"type": "string", "enum": ["open", "done"], "default": "open", "description": "Which."},
                "most": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "How many."},
                "share": {"type": ["number", "null"], "description": "A part."},
                "tags": {"type": "array", "items": {"type": "string"}, "description": "Words."},
                "customer": {"type": "object", "properties": {"id": {"type": "integer"}}, "description": "Whose."},
            },
            "required": ["customer"],
        },
    }))
else:
    print(json.dumps({"asked": json.loads(sys.argv[1])}, sort_keys=True))
