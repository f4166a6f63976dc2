SELECT id, name, n, d, day, ok FROM t WHERE id <= << most >> ORDER BY d DESC NULLS LAST, id DESC LIMIT 4
