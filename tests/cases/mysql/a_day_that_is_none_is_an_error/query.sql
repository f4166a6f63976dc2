SELECT id, d, at FROM t WHERE id = << id: int >>
