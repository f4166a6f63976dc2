import sys
DUMPS = {
    "list": "[1]",
    "text": "usage: dumps.py WORD",
    "nothing": "",
    "null": '{"parameters": null}',
    "camel": '{"parameters": {"properties": {"maxRows": {"type": "integer"}}}}',
    "reserved": '{"parameters": {"properties": {"limit": {"type": "integer"}}}}',
    "missing": '{"parameters": {"properties": {}, "required": ["a"]}}',
    "no_schema": '{"parameters": ["a"]}',
}
print(DUMPS[sys.argv[1]] if sys.argv[2] == "--fractalic-dump-schema" else "{}")
