SELECT id, n, m FROM t ORDER BY n, m DESC, id LIMIT 3
