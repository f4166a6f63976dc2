SELECT id, d FROM t WHERE d = << d >> ORDER BY id
