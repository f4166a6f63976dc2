SELECT id, name, n, d, day, ok FROM t WHERE id <= << most >> ORDER BY name, id LIMIT 4
