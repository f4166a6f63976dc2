#!/usr/bin/env bash
# qtool and Google's MCP Toolbox over one server of PostgreSQL: benches/postgres/run.sh BENCH [argument of its bench.py ...]
#
# BENCH is the folder of the comparison, with its data and peers installed; QTOOL is the executable that is measured. The
# server is started here, in a temporary folder, unless BENCH_POSTGRES_URL and BENCH_POSTGRES_PORT say where one is that is
# loaded already.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bench=$(cd "$1" && pwd)
shift
export BENCH_PEERS=${BENCH_PEERS:-$HOME/.cache/qtool-bench/peers} BENCH_DATA=${BENCH_DATA:-$HOME/.cache/qtool-bench/data}
work=$(mktemp -d)
chmod 755 "$work"
servers="$here/../../tests/databases/servers.sh"
trap '"$servers" stop "$work/servers"; rm -rf "$work"' EXIT

if [ -z "${BENCH_POSTGRES_URL:-}" ]; then
    "$servers" start "$work/servers"
    . "$work/servers/env"
    export BENCH_POSTGRES_PORT=${QTOOL_TEST_POSTGRES_TCP#*:}
    export BENCH_POSTGRES_URL="postgres://bench:bench@$QTOOL_TEST_POSTGRES_TCP/bench"
    admin=(psql -q -v ON_ERROR_STOP=1 "$QTOOL_TEST_POSTGRES")
    "${admin[@]}" -c "CREATE ROLE bench LOGIN PASSWORD 'bench'" -c 'CREATE DATABASE bench OWNER bench'
    # The data lie in memory, as the files of the other contenders do.
    "${admin[@]}" -c "ALTER DATABASE bench SET work_mem = '64MB'"
    "$BENCH_PEERS/limits/bin/python" "$here/load.py" "$BENCH_DATA" "$BENCH_POSTGRES_URL"
fi

cp -r "$bench" "$work/bench"
for contender in qtool toolbox; do
    mkdir -p "$work/bench/contenders/$contender-postgres"
done
cp "$bench"/contenders/qtool/* "$work/bench/contenders/qtool-postgres/"
cp "$here/toolbox.yaml" "$work/bench/contenders/toolbox-postgres/tools.yaml"
sed 's/SQLite copy of the data.*"/the same server of PostgreSQL"/' "$bench/contenders/toolbox-sqlite/contender.json" \
    >"$work/bench/contenders/toolbox-postgres/contender.json"
export QTOOL_PROJECT="$here"
python3 "$work/bench/bench.py" "$@" qtool-postgres toolbox-postgres
