SELECT id FROM t WHERE u = << u >> ORDER BY id
