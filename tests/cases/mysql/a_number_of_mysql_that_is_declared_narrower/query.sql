SELECT id, u, n, i FROM t WHERE id = << id: int >>
