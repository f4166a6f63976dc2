SELECT id, name, n, d, day, ok FROM t WHERE id <= << most >> ORDER BY n NULLS FIRST, id DESC LIMIT 4
