SELECT id FROM t WHERE d >= CAST(<< d: text >> AS double precision) ORDER BY id
