#!/usr/bin/env bash
# Database servers for tests: `servers.sh start DIR` starts them below DIR and writes DIR/env, which says where they are;
# `servers.sh stop DIR` ends them. `start-postgres` and `start-mariadb` start one of them alone, `stop-…` kills it, and `run-…`
# runs it again. What is not on the machine is installed where that is allowed (as root, on Debian); where it cannot be had,
# that is said, and the tests that need it say so too.
set -euo pipefail

# The newest PostgreSQL of the machine.
postgres_bin() {
    local found
    found=$(ls -d /usr/lib/postgresql/*/bin /usr/local/pgsql/bin /opt/homebrew/opt/postgresql*/bin 2>/dev/null | sort -V | tail -1)
    if [ -z "$found" ] && command -v initdb >/dev/null; then
        found=$(dirname "$(command -v initdb)")
    fi
    [ -n "$found" ] && [ -x "$found/initdb" ] && echo "$found"
}

# A server refuses to run as root.
as_nobody() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups env -C / "$@"
    else
        "$@"
    fi
}

install_packages() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        return 1
    fi
    export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
    apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1 ||
        { apt-get update >/dev/null 2>&1 && apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1; }
}

# A certificate authority, and a certificate of it for a name.
certificates() {
    local dir=$1
    command -v openssl >/dev/null || install_packages openssl || return 1
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=tests" -keyout "$dir/ca.key" -out "$dir/ca.pem" 2>/dev/null
    for name in localhost elsewhere.example client; do
        openssl req -newkey rsa:2048 -nodes -subj "/CN=$name" -keyout "$dir/$name.key" -out "$dir/$name.csr" 2>/dev/null
        printf 'subjectAltName=DNS:%s\n' "$name" >"$dir/$name.ext"
        openssl x509 -req -days 2 -in "$dir/$name.csr" -CA "$dir/ca.pem" -CAkey "$dir/ca.key" -CAcreateserial \
            -extfile "$dir/$name.ext" -out "$dir/$name.pem" 2>/dev/null
    done
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' 2>/dev/null ||
        echo $((20000 + RANDOM % 20000))
}

# PostGIS of the version of a server; without it, tests of geometries are left out.
postgis() {
    local version
    version=$(basename "$(dirname "$1")")
    if [ ! -f "/usr/share/postgresql/$version/extension/postgis.control" ]; then
        install_packages "postgresql-$version-postgis-3" || echo "no PostGIS: tests of geometries are left out" >&2
    fi
}

start_postgres() {
    local dir=$1 bin port
    bin=$(postgres_bin) || { install_packages postgresql && bin=$(postgres_bin); } || {
        echo "no PostgreSQL: tests over it are left out" >&2
        return 0
    }
    postgis "$bin"
    mkdir -p "$dir/postgres"
    certificates "$dir/postgres" || echo "no openssl: tests of TLS over PostgreSQL are left out" >&2
    if [ "$(id -u)" = 0 ]; then chown -R 65534:65534 "$dir/postgres"; fi
    chmod 755 "$dir" && chmod -f 700 "$dir/postgres"/*.key || true
    # In the order of a language, where the server can: what is sorted and compared by bytes must say so.
    local locale=(--locale=C.UTF-8)
    # Not into a pipe that is closed early: whoever writes into it would be said to have failed.
    [[ $("$bin/initdb" --help) == *--icu-locale* ]] && locale+=(--locale-provider=icu --icu-locale=en-US)
    as_nobody "$bin/initdb" -D "$dir/postgres/data" -U postgres -A trust -E UTF8 "${locale[@]}" --no-sync >/dev/null
    port=$(free_port)
    {
        printf 'local all all trust\n'
        printf 'host all all 127.0.0.1/32 scram-sha-256\n'
    } | as_nobody tee "$dir/postgres/data/pg_hba.conf" >/dev/null
    {
        printf "listen_addresses = '127.0.0.1'\nport = %s\nunix_socket_directories = '%s'\n" "$port" "$dir/postgres"
        printf 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\nmax_connections = 60\n'
        if [ -f "$dir/postgres/localhost.pem" ]; then
            printf "ssl = on\nssl_cert_file = '%s'\nssl_key_file = '%s'\nssl_ca_file = '%s'\n" \
                "$dir/postgres/localhost.pem" "$dir/postgres/localhost.key" "$dir/postgres/ca.pem"
        fi
    } | as_nobody tee -a "$dir/postgres/data/postgresql.conf" >/dev/null
    run_postgres "$dir"
    as_nobody "$bin/psql" -q -h "$dir/postgres" -p "$port" -U postgres \
        -c "CREATE ROLE reader LOGIN PASSWORD 'only for tests'" >/dev/null
    {
        echo "export QTOOL_TEST_POSTGRES='postgresql://postgres@/postgres?host=$dir/postgres&port=$port'"
        echo "export QTOOL_TEST_POSTGRES_TCP='127.0.0.1:$port'"
        echo "export QTOOL_TEST_POSTGRES_DIR='$dir/postgres'"
    } >>"$dir/env"
}

# Runs a server that was made before, and waits until it answers.
run_postgres() {
    local dir=$1 bin
    bin=$(postgres_bin)
    as_nobody "$bin/pg_ctl" -D "$dir/postgres/data" -l "$dir/postgres/log" -w -t 60 start >/dev/null
}

stop_postgres() {
    local dir=$1 bin
    [ -f "$dir/postgres/data/postmaster.pid" ] || return 0
    bin=$(postgres_bin)
    as_nobody "$bin/pg_ctl" -D "$dir/postgres/data" -m immediate -w stop >/dev/null || true
}

# A pooler before the PostgreSQL of the same folder: two connections of it, which each transaction shares with others.
start_pgbouncer() {
    local dir=$1 port server
    export PATH=$PATH:/usr/sbin
    [ -d "$dir/postgres/data" ] || return 0
    command -v pgbouncer >/dev/null || install_packages pgbouncer && command -v pgbouncer >/dev/null || {
        echo "no PgBouncer: tests behind it are left out" >&2
        return 0
    }
    mkdir -p "$dir/pgbouncer"
    server=$(sed -n "s/^port = //p" "$dir/postgres/data/postgresql.conf" | tail -1)
    port=$(free_port)
    {
        printf '[databases]\n* = host=%s port=%s\n[pgbouncer]\n' "$dir/postgres" "$server"
        printf 'listen_addr = 127.0.0.1\nlisten_port = %s\nunix_socket_dir =\n' "$port"
        printf 'auth_type = scram-sha-256\nauth_file = %s\n' "$dir/pgbouncer/users"
        printf 'pool_mode = transaction\ndefault_pool_size = 2\nmax_client_conn = 400\n'
        printf 'logfile = %s\npidfile = %s\n' "$dir/pgbouncer/log" "$dir/pgbouncer/pid"
    } >"$dir/pgbouncer/pgbouncer.ini"
    printf '"%s" "only for tests"\n' postgres reader >"$dir/pgbouncer/users"
    if [ "$(id -u)" = 0 ]; then chown -R 65534:65534 "$dir/pgbouncer"; fi
    as_nobody pgbouncer -q -d "$dir/pgbouncer/pgbouncer.ini" >/dev/null 2>&1 || {
        echo "PgBouncer does not start: $dir/pgbouncer/log says why" >&2
        return 1
    }
    echo "export QTOOL_TEST_PGBOUNCER='postgresql://postgres:only%20for%20tests@127.0.0.1:$port/postgres'" >>"$dir/env"
}

stop_pgbouncer() {
    local dir=$1
    [ ! -f "$dir/pgbouncer/pid" ] || kill -KILL "$(cat "$dir/pgbouncer/pid")" 2>/dev/null || true
    rm -f "$dir/pgbouncer/pid"
}

start_mariadb() {
    local dir=$1 port
    export PATH=$PATH:/usr/sbin
    command -v mariadbd >/dev/null || install_packages mariadb-server && command -v mariadbd >/dev/null || {
        echo "no MariaDB: tests over it are left out" >&2
        return 0
    }
    mkdir -p "$dir/mariadb"
    certificates "$dir/mariadb" || echo "no openssl: tests of TLS over MariaDB are left out" >&2
    if [ "$(id -u)" = 0 ]; then chown -R 65534:65534 "$dir/mariadb"; fi
    chmod 755 "$dir" && chmod -f 700 "$dir/mariadb"/*.key || true
    as_nobody mariadb-install-db --no-defaults --datadir="$dir/mariadb/data" --auth-root-authentication-method=normal \
        --skip-test-db >/dev/null 2>&1
    port=$(free_port)
    {
        printf '[mariadbd]\ndatadir = %s\nsocket = %s\npid-file = %s\n' \
            "$dir/mariadb/data" "$dir/mariadb/mariadb.sock" "$dir/mariadb/mariadb.pid"
        printf 'bind-address = 127.0.0.1\nport = %s\nskip-name-resolve\nmax_connections = 80\n' "$port"
        # In the order and the equality of a language: what is compared by bytes must say so.
        printf 'character-set-server = utf8mb4\ncollation-server = utf8mb4_unicode_ci\n'
        printf 'innodb_flush_log_at_trx_commit = 0\ninnodb_flush_method = nosync\nperformance_schema = off\n'
        if [ -f "$dir/mariadb/localhost.pem" ]; then
            printf 'ssl_ca = %s\nssl_cert = %s\nssl_key = %s\n' \
                "$dir/mariadb/ca.pem" "$dir/mariadb/localhost.pem" "$dir/mariadb/localhost.key"
        fi
    } | as_nobody tee "$dir/mariadb/my.cnf" >/dev/null
    run_mariadb "$dir"
    mariadb --no-defaults -u root -S "$dir/mariadb/mariadb.sock" <<'SQL'
CREATE DATABASE shop;
CREATE USER reader@'%' IDENTIFIED BY 'only for tests';
GRANT SELECT, SHOW VIEW ON *.* TO reader@'%';
CREATE USER owner@'%' IDENTIFIED BY 'only for tests';
GRANT ALL ON *.* TO owner@'%' WITH GRANT OPTION;
SQL
    {
        echo "export QTOOL_TEST_MARIADB='mysql://root@localhost/shop?socket=$dir/mariadb/mariadb.sock'"
        echo "export QTOOL_TEST_MARIADB_TCP='127.0.0.1:$port'"
        echo "export QTOOL_TEST_MARIADB_DIR='$dir/mariadb'"
    } >>"$dir/env"
}

# Runs a server that was made before, and waits until it answers.
run_mariadb() {
    local dir=$1
    as_nobody mariadbd --defaults-file="$dir/mariadb/my.cnf" --log-error="$dir/mariadb/log" >/dev/null 2>&1 </dev/null &
    for _ in $(seq 1 300); do
        mariadb-admin --no-defaults -u root -S "$dir/mariadb/mariadb.sock" ping >/dev/null 2>&1 && return 0
        sleep 0.2
    done
    echo "MariaDB does not start: $dir/mariadb/log.err says why" >&2
    return 1
}

stop_mariadb() {
    local dir=$1 pid
    [ -f "$dir/mariadb/mariadb.pid" ] || return 0
    pid=$(cat "$dir/mariadb/mariadb.pid")
    kill -KILL "$pid" 2>/dev/null || true
    for _ in $(seq 1 100); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    rm -f "$dir/mariadb/mariadb.pid"
}

case "${1:-}" in
start)
    mkdir -p "$2"
    : >"$2/env"
    start_postgres "$2"
    start_pgbouncer "$2"
    start_mariadb "$2"
    ;;
start-postgres)
    mkdir -p "$2"
    start_postgres "$2"
    ;;
start-mariadb)
    mkdir -p "$2"
    start_mariadb "$2"
    ;;
run-postgres)
    run_postgres "$2"
    ;;
stop-postgres)
    stop_postgres "$2"
    ;;
run-mariadb)
    run_mariadb "$2"
    ;;
stop-mariadb)
    stop_mariadb "$2"
    ;;
stop)
    stop_pgbouncer "$2"
    stop_postgres "$2"
    stop_mariadb "$2"
    ;;
*)
    echo "usage: servers.sh start|stop|start-postgres|run-postgres|stop-postgres|start-mariadb|run-mariadb|stop-mariadb DIR" >&2
    exit 2
    ;;
esac
