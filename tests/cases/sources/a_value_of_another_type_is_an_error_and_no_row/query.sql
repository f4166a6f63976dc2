SELECT id, code, n, d FROM t WHERE id = << id >>
