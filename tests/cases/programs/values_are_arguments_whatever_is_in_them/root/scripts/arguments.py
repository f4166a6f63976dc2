import json
import sys

json.dump([{"at": at, "argument": text} for at, text in enumerate(sys.argv[1:], 1)], sys.stdout)
