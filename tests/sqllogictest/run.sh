#!/usr/bin/env bash
# DataFusion's own sqllogictest corpus with a placeholder for every literal. Obtains the crate that carries the corpus, of
# the version of DataFusion in Cargo.lock, and runs `main.py` over it with the arguments that are given.
#
#   QTOOL                 the binary; without it that of the last `cargo build`
#   QTOOL_CLIENTS_CACHE   where the corpus is kept; without it ~/.cache/qtool-clients
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
cache="${QTOOL_CLIENTS_CACHE:-$HOME/.cache/qtool-clients}"
export PYTHONDONTWRITEBYTECODE=1
export NO_PROXY="127.0.0.1,localhost${NO_PROXY:+,$NO_PROXY}"
export no_proxy="$NO_PROXY"

version="$(sed -n '/^name = "datafusion"$/{n;s/version = "\(.*\)"/\1/p}' "$root/Cargo.lock")"
corpus="$cache/datafusion-sqllogictest-$version"
if [ ! -d "$corpus" ]; then
    mkdir -p "$cache"
    curl -sSfL "https://static.crates.io/crates/datafusion-sqllogictest/datafusion-sqllogictest-$version.crate" |
        tar -xz -C "$cache"
fi
if [ -z "${QTOOL:-}" ]; then
    metadata="$(cd "$root" && cargo metadata --format-version 1 --no-deps --locked)"
    QTOOL="$(sed 's/.*"target_directory":"\([^"]*\)".*/\1/' <<<"$metadata")/debug/qtool"
fi
[ -x "$QTOOL" ] || { echo "error: no binary at $QTOOL: run \`cargo build\`, or say QTOOL=…" >&2; exit 1; }
exec python3 "$here/main.py" "$corpus/test_files" --qtool "$QTOOL" "$@"
