import json
import os
import sys

json.dump({name: os.environ[name] for name in sorted(os.environ) if name.startswith("CASE_")}, sys.stdout)
