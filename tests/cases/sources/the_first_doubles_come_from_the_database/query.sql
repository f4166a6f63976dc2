SELECT id, name, n, d, day, ok FROM t WHERE id <= << most >> ORDER BY x, id LIMIT 4
