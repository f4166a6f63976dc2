SELECT id, x FROM t WHERE x = << x >> OR x IN << more: text[] >> ORDER BY id
