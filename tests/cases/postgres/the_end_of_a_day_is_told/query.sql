SELECT id, at FROM t WHERE id IN << ids >> ORDER BY id
