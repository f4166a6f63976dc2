#!/usr/bin/env bash
# The packages of a release, made around a local executable: a wheel and npm packages are installed into empty folders,
# without a network, and what they install is run. The release workflow is checked against the schema of its format.
#
#   QTOOL                 the binary; without it that of the last `cargo build`
#   QTOOL_CLIENTS_CACHE   where uv and the checker of workflows are installed; without it ~/.cache/qtool-clients
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
cache="${QTOOL_CLIENTS_CACHE:-$HOME/.cache/qtool-clients}"
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 npm_config_loglevel=error
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false

fail() {
    echo "error: $*" >&2
    exit 1
}

if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "skipped: no Python 3.9 with venv here: the packages of a release"
    exit 0
fi
case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-gnu npm=qtool-linux-x64 ;;
    Linux-aarch64) target=aarch64-unknown-linux-gnu npm=qtool-linux-arm64 ;;
    Darwin-x86_64) target=x86_64-apple-darwin npm=qtool-darwin-x64 ;;
    Darwin-arm64) target=aarch64-apple-darwin npm=qtool-darwin-arm64 ;;
    *) echo "skipped: no release is for this machine: its packages" && exit 0 ;;
esac
if [ -z "${QTOOL:-}" ]; then
    metadata="$(cd "$root" && cargo metadata --format-version 1 --no-deps --locked)"
    QTOOL="$(sed 's/.*"target_directory":"\([^"]*\)".*/\1/' <<<"$metadata")/debug/qtool"
fi
[ -x "$QTOOL" ] || fail "no binary at $QTOOL: run \`cargo build\`, or say QTOOL=…"

work="$(mktemp -d)"
server=""
cleanup() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

# --- What tries them

venv="$cache/workflows-$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')-$(cksum <"$here/requirements.txt" | tr -d ' ')"
if [ ! -d "$venv" ]; then
    mkdir -p "$cache"
    fresh="$(mktemp -d "$cache/.fresh-XXXXXX")"
    if ! { python3 -m venv "$fresh" && "$fresh/bin/python" -m pip install --quiet -r "$here/requirements.txt"; } >"$fresh.log" 2>&1; then
        cat "$fresh.log" >&2
        rm -rf "$fresh" "$fresh.log"
        fail "could not install uv and the checker of workflows"
    fi
    rm -f "$fresh.log"
    # Somebody else may have been faster.
    if [ -d "$venv" ]; then rm -rf "$fresh"; else mv "$fresh" "$venv"; fi
fi
python3 "$here/check.py"
echo "ok: packages of all targets"

# What a debug build says of its lines is half of it.
strip -o "$work/binary" "$QTOOL" 2>/dev/null || cp "$QTOOL" "$work/binary"
version="$("$work/binary" --version | cut -d ' ' -f 2)"
# As it is: to make it small is what takes longest.
pack() { python3 "$root/release/packages.py" "$@" --out "$work/packed" --level 0; }

hello=(
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"packages","version":"1"}}}'
    '{"jsonrpc":"2.0","method":"notifications/initialized"}'
)
# tried NAME COMMAND…: a project from the beginning to a call, with nothing on the path but what was installed.
tried() {
    local folder="$work/$1-project"
    shift
    local alone=(env -i "PATH=$PATH_ALONE" "HOME=$work" "UV_CACHE_DIR=$work/uv" "$@")
    [ "$("${alone[@]}" --version)" = "qtool $version" ] || fail "\`$* --version\` is another"
    "${alone[@]}" new "$folder" >"$work/log" 2>&1 || { cat "$work/log" >&2 && fail "\`$* new\`"; }
    "${alone[@]}" check --project "$folder" >"$work/log" 2>&1 || { cat "$work/log" >&2 && fail "\`$* check\`"; }
    "${alone[@]}" list --project "$folder" | grep -q . || fail "\`$* list\` lists nothing"
    # The code of its end is handed on, and so is standard input.
    local code=0
    "${alone[@]}" check --project "$work/nowhere" >"$work/log" 2>&1 || code=$?
    [ "$code" = 2 ] || fail "\`$* check\` of no project ends with $code"
    printf '%s\n' "${hello[@]}" | "${alone[@]}" serve --project "$folder" >"$work/answers" 2>"$work/log" \
        || { cat "$work/log" >&2 && fail "\`$* serve\`"; }
    grep -q '"serverInfo"' "$work/answers" || fail "\`$* serve\` answers nothing"
}

# --- The wheel

wheel="$(pack wheel --binary "$work/binary" --target "$target")"
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-index "$wheel"
PATH_ALONE="$work/venv/bin" tried wheel qtool
"$work/venv/bin/python" -m pip uninstall --quiet --yes qtool
[ ! -e "$work/venv/bin/qtool" ] || fail "the executable stays when the wheel is uninstalled"
echo "ok: $(basename "$wheel"), installed by pip"
PATH_ALONE="$PATH" tried uv "$venv/bin/uvx" --offline --no-config --from "$wheel" qtool
echo "ok: $(basename "$wheel"), run by uvx"

# --- The npm packages

if ! command -v npm >/dev/null || ! node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' 2>/dev/null; then
    echo "skipped: no Node 18 with npm here: the npm packages"
else
    executable="$(pack npm --binary "$work/binary" --target "$target")"
    main="$(pack npm-main)"
    mkdir "$work/npm"
    (cd "$work/npm" && npm install --offline --cache "$work/npm-cache" "$executable" "$main" >"$work/log" 2>&1) \
        || { cat "$work/log" >&2 && fail "npm does not install the packages"; }
    bin="$work/npm/node_modules/.bin"
    PATH_ALONE="$bin:$(dirname "$(command -v node)")" tried npm qtool
    (cd "$work/npm" && npx --no-install qtool --version) | grep -qx "qtool $version" || fail "npx starts another"
    # What ends the starter ends the server.
    "$bin/qtool" serve --project "$work/npm-project" --listen 127.0.0.1:0 >"$work/log" 2>&1 &
    server=$!
    for _ in $(seq 100); do ! grep -q serving "$work/log" || break; sleep 0.1; done
    grep -q serving "$work/log" || { cat "$work/log" >&2 && fail "the server does not start"; }
    child="$(ps -o pid= --ppid "$server" 2>/dev/null | tr -d ' ' || true)"
    kill -TERM "$server"
    wait "$server" 2>/dev/null || true
    server=""
    [ -z "$child" ] || ! kill -0 "$child" 2>/dev/null || fail "the server outlives the starter"
    # Without the package for this machine it says what is missing.
    rm -r "$work/npm/node_modules/$npm"
    said="$("$bin/qtool" --version 2>&1 || true)"
    [[ "$said" == *"there is no qtool for"* ]] || fail "a package that is missing: $said"
    echo "ok: $(basename "$main") with $(basename "$executable"), installed by npm"
fi

# --- The workflow

"$venv/bin/python" -m check_jsonschema --builtin-schema vendor.github-workflows "$root/.github/workflows/release.yml" >"$work/log" \
    || { cat "$work/log" >&2 && fail "the release workflow does not fit its schema"; }
"$venv/bin/python" "$here/workflow.py" "$root/.github/workflows/release.yml"
echo "ok: the release workflow, as far as it can be read"
