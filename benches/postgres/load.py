"""Loads the data of the comparison into PostgreSQL: load.py DATA URL. Needs duckdb, and psql on the path."""
import subprocess
import sys

import duckdb

DATA, URL = sys.argv[1:]
TABLES = ("region", "nation", "supplier", "customer", "orders", "lineitem")
INDEXES = """
ALTER TABLE region ADD PRIMARY KEY (r_regionkey);
ALTER TABLE nation ADD PRIMARY KEY (n_nationkey);
ALTER TABLE supplier ADD PRIMARY KEY (s_suppkey);
ALTER TABLE customer ADD PRIMARY KEY (c_custkey);
ALTER TABLE orders ADD PRIMARY KEY (o_orderkey);
ALTER TABLE lineitem ADD PRIMARY KEY (l_orderkey, l_linenumber);
ALTER TABLE sales ADD PRIMARY KEY (id);
CREATE INDEX ON orders (o_orderdate);
CREATE INDEX ON lineitem (l_returnflag, l_shipdate);
CREATE INDEX ON orders (o_custkey, o_orderdate);
CREATE INDEX ON customer (c_nationkey);
CREATE INDEX ON supplier (s_nationkey);
CREATE INDEX ON sales (region, id);
ANALYZE;
"""
TYPES = {"VARCHAR": "text", "BIGINT": "bigint", "INTEGER": "integer", "DATE": "date", "DOUBLE": "numeric(15,2)"}


def psql(*args, **options):
    return subprocess.Popen(["psql", "-q", "-v", "ON_ERROR_STOP=1", *args, URL], stdin=subprocess.PIPE, **options)


def main():
    con = duckdb.connect()
    for table in (*TABLES, "sales"):
        rows = f"'{DATA}/sales.csv'" if table == "sales" else f"'{DATA}/tpch/{table}.parquet'"
        columns = con.execute(f"DESCRIBE SELECT * FROM {rows}").fetchall()
        types = ", ".join(f"{name} {TYPES.get(kind, kind.lower())} NOT NULL" for name, kind, *_ in columns)
        psql("-c", f"CREATE TABLE {table} ({types})").communicate()
        copy = psql("-c", f"COPY {table} FROM STDIN (FORMAT csv)")
        con.execute(f"COPY (SELECT * FROM {rows}) TO '/dev/fd/{copy.stdin.fileno()}' (FORMAT csv, HEADER false)")
        copy.stdin.close()
        if copy.wait():
            sys.exit(f"{table} was not loaded")
    indexes = psql()
    indexes.communicate(INDEXES.encode())
    if indexes.returncode:
        sys.exit("the indexes were not made")


if __name__ == "__main__":
    main()
