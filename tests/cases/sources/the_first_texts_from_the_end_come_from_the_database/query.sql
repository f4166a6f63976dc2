SELECT id, name, n, d, day, ok FROM t WHERE id <= << most >> ORDER BY name DESC NULLS LAST, id LIMIT 4
