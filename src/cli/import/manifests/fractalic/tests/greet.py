#!/usr/bin/env python3
"""Greets somebody."""
import json
import sys


def main():
    if sys.argv[1] == '{"__test__": true}':
        print(json.dumps({"success": True}))
    elif sys.argv[1] == "--fractalic-dump-schema":
        print(json.dumps({
            "description": "Greets a person "
                           "by name.",
            "parameters": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "Whom."},
                    "loud": {"type": "boolean", "default": False},  # in capitals
                },
                "required": ["name"],
            },
        }))
    else:
        print(json.dumps({"greeting": json.loads(sys.argv[1])["name"]}))


main()
