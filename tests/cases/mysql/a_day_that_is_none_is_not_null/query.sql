SELECT id, day, at FROM t WHERE day IS NULL OR at IS NULL OR id = << id >> ORDER BY id
