import json
import sys

json.dump([{"name": "a"}, {"name": "b"}], sys.stdout)
print("a warning", file=sys.stderr)
sys.stdout.flush()
sys.exit(int(sys.argv[1]))
