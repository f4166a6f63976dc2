SELECT id, e, s FROM t WHERE e = << e >> OR s = << s >> ORDER BY e, id LIMIT 5
