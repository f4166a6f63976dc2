import os
import sys

size = int(sys.argv[1])
try:
    with open(os.path.join(os.environ["TMPDIR"], "a"), "w") as file:
        file.write("x" * size)
    print("written")
except OSError as error:
    sys.exit(error.strerror)
