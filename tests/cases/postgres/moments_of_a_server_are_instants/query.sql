SELECT id, at, local FROM t WHERE at >= << since >> AND local < << until >> ORDER BY id
