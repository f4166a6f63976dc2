SELECT id, n, b FROM t WHERE b = << b >> AND n <= << n >> ORDER BY id
