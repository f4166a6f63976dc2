SELECT exact FROM t WHERE id = << id: int >>
