"""Says something
in words."""
import json
import sys

asked = json.loads(sys.stdin.readline() or "null") if len(sys.argv) == 1 else {}
if asked == {"__test__": True}:
    print("true")
elif asked:
    if asked["word"] == "none":
        sys.exit(3)
    if asked["word"] == "json":
        print('["a", 1]')
    else:
        print(f"It is {asked['word']},\nand no JSON.")
