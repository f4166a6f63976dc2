SELECT id, h, o FROM t WHERE id = << id: int >>
