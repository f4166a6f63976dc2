#!/usr/bin/env bash
# Makes what fuzzing starts from beside the corpus: the queries of the test cases, of the example and of TPC-H, each named
# by the hash of its content. It is not kept: the corpus has only what fuzzing has found.
set -euo pipefail
cd "$(dirname "$0")/.."
seeds=fuzz/seeds/compile
rm -rf "$seeds"
mkdir -p "$seeds"
made=$(mktemp)
trap 'rm -f "$made"' EXIT

# Long inputs are slow, and libFuzzer takes the longest as the bound of those it makes.
largest=4096
for query in tests/cases/*/*/query.sql tests/cases/infer/*/*/query.sql tests/tpch/q*.sql queries/*.sql queries/*/*.sql; do
    [ -f "$query" ] || continue
    folder=$(dirname "$query")
    {
        cat "$query"
        case "$query" in
        tests/cases/*)
            # What stands behind a NUL is a further file, with its name on the first line.
            for beside in "$folder"/*.sql "$folder"/query.yaml; do
                [ -f "$beside" ] && [ "$beside" != "$query" ] || continue
                printf '\0%s\n' "$(basename "$beside")"
                cat "$beside"
            done
            ;;
        esac
    } >"$made"
    if [ "$(wc -c <"$made")" -le "$largest" ]; then
        cp "$made" "$seeds/$(sha1sum <"$made" | cut -d' ' -f1)"
    fi
done
echo "$(find "$seeds" -type f | wc -l) inputs in $seeds"
