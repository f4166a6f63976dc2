import json
import sys

json.dump([{"argument": text} for text in sys.argv[1:]], sys.stdout)
