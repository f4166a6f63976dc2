SELECT id, p, q, r FROM t
