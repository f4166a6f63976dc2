SELECT id, a FROM t WHERE id = << id: int >>
