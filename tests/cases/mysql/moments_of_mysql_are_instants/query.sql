SELECT id, at FROM t WHERE at <= << at >> ORDER BY at, id LIMIT 9
