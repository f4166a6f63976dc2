SELECT id, n FROM t WHERE n = << n >> OR n IN << list >> ORDER BY id
