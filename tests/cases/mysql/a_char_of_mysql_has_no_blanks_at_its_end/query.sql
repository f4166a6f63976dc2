SELECT id, c FROM t WHERE c = << c >> ORDER BY id
