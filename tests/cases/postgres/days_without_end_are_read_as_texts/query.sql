SELECT id, d, at, clock FROM t WHERE d >= << from >> AND at <> << not >> ORDER BY d DESC, id
