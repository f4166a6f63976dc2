#!/usr/bin/env bash
# Other MCP servers behind `qtool serve`: the reference servers of the protocol, and servers of FastMCP and of the official Python
# SDK, over stdio and HTTP, called by the official clients; servers that turn into something else than was reviewed, crash and are
# killed; and what qtool adds to the time of a call. Servers and clients are installed from the npm registry and from PyPI into a
# folder outside of the checkout; parts that this machine has no runtime for are skipped.
#
#   QTOOL                 the binary; without it that of the last `cargo build`
#   QTOOL_CLIENTS_CACHE   where to install; without it ~/.cache/qtool-clients
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
cache="${QTOOL_CLIENTS_CACHE:-$HOME/.cache/qtool-clients}"
constraints="$root/tests/clients/python/constraints.txt"
export NO_PROXY="127.0.0.1,localhost${NO_PROXY:+,$NO_PROXY}"
export no_proxy="$NO_PROXY" PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1

fail() {
    echo "error: $*" >&2
    exit 1
}

# --- What this machine has

skipped_node=""
if ! command -v node >/dev/null || ! command -v npm >/dev/null || ! command -v npx >/dev/null; then
    skipped_node="no Node with npm here"
# What the reference servers ask for.
elif ! node -e 'process.exit(process.versions.node.split(".")[0] >= 20 ? 0 : 1)'; then
    skipped_node="no Node 20 here"
fi
skipped_python=""
if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    skipped_python="no Python 3.10 with venv here"
fi
[ -z "$skipped_node" ] || echo "skipped: $skipped_node: the reference servers, the TypeScript client, the time of a call"
[ -z "$skipped_python" ] || echo "skipped: $skipped_python: servers in Python, the Python client, servers that turn"
[ -z "$skipped_node" ] || [ -z "$skipped_python" ] || exit 0

if [ -z "${QTOOL:-}" ]; then
    metadata="$(cd "$root" && cargo metadata --format-version 1 --no-deps --locked)"
    QTOOL="$(sed 's/.*"target_directory":"\([^"]*\)".*/\1/' <<<"$metadata")/debug/qtool"
fi
[ -x "$QTOOL" ] || fail "no binary at $QTOOL: run \`cargo build\`, or say QTOOL=…"
QTOOL="$(cd "$(dirname "$QTOOL")" && pwd)/$(basename "$QTOOL")"

# --- Installing

work="$(cd "$(mktemp -d)" && pwd -P)"
pids=()
port=0
stop_all() {
    [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
    pids=()
}
cleanup() {
    stop_all
    rm -rf "$work"
}
trap cleanup EXIT

# installed NAME COMMAND ARGUMENT…: a folder in the cache, complete or not there; the command fills the folder that it is
# given as its last argument.
installed() {
    local folder="$cache/$1" fresh
    shift
    [ ! -d "$folder" ] || return 0
    mkdir -p "$cache"
    fresh="$(mktemp -d "$cache/.fresh-XXXXXX")"
    if ! "$@" "$fresh" >"$fresh.log" 2>&1; then
        cat "$fresh.log" >&2
        rm -rf "$fresh" "$fresh.log"
        fail "could not install $(basename "$folder")"
    fi
    rm -f "$fresh.log"
    # Somebody else may have been faster.
    if [ -d "$folder" ]; then rm -rf "$fresh"; else mv "$fresh" "$folder"; fi
}
install_modules() {
    cp "$here/package.json" "$here/package-lock.json" "$1"
    npm ci --prefix "$1" --no-audit --no-fund --ignore-scripts
}
install_python() {
    python3 -m venv "$1"
    "$1/bin/python" -m pip install --quiet -r "$here/requirements.txt" -c "$constraints"
}
content_of() { cat "$@" | cksum | tr -d ' '; }

modules="upstreams-modules-$(content_of "$here/package.json" "$here/package-lock.json")"
venv="upstreams-python-$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)-$(content_of "$here/requirements.txt" "$constraints")"
installs=()
if [ -z "$skipped_python" ]; then
    installed "$venv" install_python &
    installs+=($!)
fi
[ -n "$skipped_node" ] || installed "$modules" install_modules
for install in ${installs[@]+"${installs[@]}"}; do
    wait "$install"
done
# The projects say the names of the programs only, as people do.
[ -n "$skipped_python" ] || export PATH="$cache/$venv/bin:$PATH"
[ -n "$skipped_node" ] || export PATH="$cache/$modules/node_modules/.bin:$PATH"
# What the servers get, and what they must not get.
export QTOOL_TEST_GREETING=bonjour QTOOL_TEST_DAYS=5 QTOOL_TEST_ROOM=blue QTOOL_TEST_TOKEN="not for programs"

# --- The servers

# answers PORT PATH: whether HTTP answers with status 200 there; without curl, which not every machine has.
answers() {
    (
        exec 3<>"/dev/tcp/127.0.0.1/$1"
        printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$2" "$1" >&3
        read -r -t 5 line <&3
        [[ "$line" == HTTP/1.1\ 200* ]]
    ) 2>/dev/null
}
taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
free_port() {
    port=$((20000 + RANDOM % 12000))
    while taken "$port"; do port=$((port + 1)); done
}

failed=()
ready=()

# started NAME CHECK COMMAND ARGUMENT…: starts a server on a free port, and waits until `CHECK` holds for it; sets `port`, which
# stands for `PORT` in its arguments.
started() {
    local name="$1" check="$2" attempt pid
    shift 2
    for attempt in 1 2 3; do
        free_port
        PORT="$port" "${@//PORT/$port}" >"$work/$name.server" 2>&1 &
        pid=$!
        pids+=("$pid")
        for _ in {1..600}; do
            if "$check" "$port" /readyz; then return 0; fi
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        echo "the server of $name did not get ready (attempt $attempt):" >&2
        cat "$work/$name.server" >&2
    done
    fail "no server for $name"
}

# prepared NAME: makes the copy of a project ask the server over HTTP at `port`, locks it and accepts its tools.
prepared() {
    sed -i.bak -e "s#PORT#$port#" -e "s#FOLDER#$work/$1#" "$work/$1/qtool.yaml"
    {
        "$QTOOL" -C "$work/$1" lock &&
            "$QTOOL" -C "$work/$1" review --accept &&
            "$QTOOL" -C "$work/$1" check --locked
    } >"$work/$1.prepared" 2>&1 || {
        echo "FAILED the project $1 cannot be locked and accepted:"
        cat "$work/$1.prepared"
        failed+=("$1")
        return 1
    }
}

# --- The parts: they run at the same time, and are shown one after the other

parts=()
part() {
    local name="$1"
    shift
    ("$@") >"$work/$name.log" 2>"$work/$name.errors" &
    parts+=("$name $!")
    pids+=("$!")
}
in_python() { "$cache/$venv/bin/python" "$@"; }
# Modules are looked for beside the file that imports them.
in_node() {
    local script="$1"
    shift
    node "$work/scripts/$script" "$@"
}

# clients PROJECT URL: both clients against a project, over HTTP and over the pipes of a server of their own.
clients() {
    local against=("$here/$1/cases.json" "$2" "$QTOOL" -C "$work/$1" serve)
    [ -n "$skipped_node" ] || part "$1-typescript" in_node client.mjs "${against[@]}"
    [ -n "$skipped_python" ] || part "$1-python" in_python "$here/client.py" "${against[@]}"
}

if [ -z "$skipped_node" ]; then
    mkdir "$work/scripts"
    cp "$here"/*.mjs "$work/scripts"
    ln -s "$cache/$modules/node_modules" "$work/scripts/node_modules"
    cp -r "$here/overhead" "$work/overhead"
    # By itself: whatever runs beside it would be measured too.
    if prepared overhead; then
        echo "== overhead"
        in_node overhead.mjs "$work/overhead" "$QTOOL" || failed+=(overhead)
    fi
    cp -r "$here/node" "$work/node"
    ln -s "$cache/$modules/node_modules" "$work/node/node_modules"
    started everything taken mcp-server-everything streamableHttp
    if prepared node; then
        started node answers "$QTOOL" -C "$work/node" serve --listen 127.0.0.1:PORT
        ready+=("node http://127.0.0.1:$port/mcp")
    fi
fi
if [ -z "$skipped_python" ]; then
    cp -r "$here/python" "$work/python"
    started fast taken python "$work/python/fast.py" PORT
    if prepared python; then
        started python answers "$QTOOL" -C "$work/python" serve --listen 127.0.0.1:PORT
        ready+=("python http://127.0.0.1:$port/mcp")
    fi
    part poisoned in_python "$here/poisoned/main.py" "$QTOOL" "$work/poisoned"
fi
for one in ${ready[@]+"${ready[@]}"}; do
    read -r name url <<<"$one"
    clients "$name" "$url"
done
for one in ${parts[@]+"${parts[@]}"}; do
    read -r name pid <<<"$one"
    echo "== $name"
    wait "$pid" && is_well=1 || is_well=""
    cat "$work/$name.log"
    # What qtool says of refused calls is of use only where something else went wrong.
    [ -n "$is_well" ] || {
        failed+=("$name")
        tail -n 40 "$work/$name.errors"
    }
done

# Programs end with the server that started them, whatever stands between.
stop_all
left=""
for _ in {1..50}; do
    left="$(ps -eo pid=,args= | grep -F "$work" | grep -v 'grep -F' || true)"
    [ -n "$left" ] || break
    sleep 0.1
done
if [ -n "$left" ]; then
    echo "FAILED processes are left:"
    echo "$left"
    awk '{print $1}' <<<"$left" | xargs kill 2>/dev/null || true
    failed+=(processes)
fi
[ ${#failed[@]} -eq 0 ] || fail "failed: ${failed[*]}"
