SELECT id, e FROM t WHERE e = << e >> OR e IN << more: text[] >> ORDER BY id
