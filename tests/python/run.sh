#!/bin/sh
# What calls and describes functions in Python, with one interpreter: tests/python/run.sh [python]
cd "$(dirname "$0")" || exit 1
if ! command -v "${1:-python3}" >/dev/null; then
    echo "tests of functions in Python are left out: there is no Python here"
    exit 0
fi
for test in test_*.py; do
    "${1:-python3}" -B -W ignore::ResourceWarning "$test" || exit 1
done
