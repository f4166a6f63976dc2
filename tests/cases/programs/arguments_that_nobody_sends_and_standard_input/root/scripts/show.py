import json
import os
import sys

given = json.load(sys.stdin)
shown = {name: os.environ.get(name) for name in ("GREETING", "OF_FILE", "QUOTED", "QTOOL_TEST_STATEMENTS")}
json.dump({"given": given, "environment": shown}, sys.stdout, sort_keys=True)
