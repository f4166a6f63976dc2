import sys

sys.stdout.write("x" * int(sys.argv[1]))
