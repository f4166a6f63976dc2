"""Counts stars."""
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--repo", required=True)
parser.add_argument("--include-forks", action="store_true")
print(parser.parse_args())
