import sys

sys.stdout.write(sys.argv[1].replace("\\n", "\n"))
