SELECT id, name, n, d, day, ok FROM t WHERE id <= << most >> ORDER BY day NULLS FIRST, id LIMIT 4
