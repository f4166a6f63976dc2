#!/usr/bin/env bash
# qtool's answers held to DuckDB's: random tables, queries and calls. Without arguments the rounds of fixed seeds that the
# gate runs; with arguments those of `main.py`, such as `--seed 1000 --calls 10000`.
#
#   QTOOL                 the binary; without it that of the last `cargo build`
#   QTOOL_CLIENTS_CACHE   where DuckDB is installed; without it ~/.cache/qtool-clients
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
cache="${QTOOL_CLIENTS_CACHE:-$HOME/.cache/qtool-clients}"
export NO_PROXY="127.0.0.1,localhost${NO_PROXY:+,$NO_PROXY}"
export no_proxy="$NO_PROXY" PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1

fail() {
    echo "error: $*" >&2
    exit 1
}

if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "skipped: no Python 3.11 with venv here: the comparison with DuckDB"
    exit 0
fi
if [ -z "${QTOOL:-}" ]; then
    metadata="$(cd "$root" && cargo metadata --format-version 1 --no-deps --locked)"
    QTOOL="$(sed 's/.*"target_directory":"\([^"]*\)".*/\1/' <<<"$metadata")/debug/qtool"
fi
[ -x "$QTOOL" ] || fail "no binary at $QTOOL: run \`cargo build\`, or say QTOOL=…"

venv="$cache/second-engine-$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')-$(cksum <"$here/requirements.txt" | tr -d ' ')"
if [ ! -d "$venv" ]; then
    mkdir -p "$cache"
    fresh="$(mktemp -d "$cache/.fresh-XXXXXX")"
    if ! { python3 -m venv "$fresh" && "$fresh/bin/python" -m pip install --quiet -r "$here/requirements.txt"; } >"$fresh.log" 2>&1; then
        cat "$fresh.log" >&2
        rm -rf "$fresh" "$fresh.log"
        fail "could not install DuckDB"
    fi
    rm -f "$fresh.log"
    # Somebody else may have been faster.
    if [ -d "$venv" ]; then rm -rf "$fresh"; else mv "$fresh" "$venv"; fi
fi
if [ $# -gt 0 ]; then
    exec "$venv/bin/python" "$here/main.py" --qtool "$QTOOL" "$@"
fi
"$venv/bin/python" "$here/main.py" --qtool "$QTOOL" --seed 1 --rounds 12
"$venv/bin/python" "$here/main.py" --qtool "$QTOOL" --source sqlite --seed 1 --rounds 4 --repeats 3 --many 8
