import json
import os

open("imported", "w").write("imported")
print(json.dumps({"name": "helper"}))
