SELECT id, k, i FROM t WHERE i = << a >> OR i = << b >> ORDER BY k, i, id LIMIT 3
