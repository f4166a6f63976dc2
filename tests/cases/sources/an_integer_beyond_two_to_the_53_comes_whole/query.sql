SELECT id, name FROM t WHERE id = << id >>
