# description: Gives back what it is given.
import json
import sys

if sys.argv[1].startswith("--"):
    sys.exit("it knows no options")
print(json.dumps({"given": json.loads(sys.argv[1])}))
