SELECT id, x, l FROM t WHERE x = << x >> OR l = << l >> OR x > << above >> ORDER BY x, id LIMIT 9
