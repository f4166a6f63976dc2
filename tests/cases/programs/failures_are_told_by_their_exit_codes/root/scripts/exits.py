import sys

print("an answer")
print("secret words of the program", file=sys.stderr)
sys.exit(int(sys.argv[1]))
