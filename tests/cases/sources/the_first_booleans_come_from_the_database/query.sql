SELECT id, name, n, d, day, ok FROM t WHERE id <= << most >> ORDER BY ok DESC, id DESC LIMIT 4
