SELECT id, name FROM t WHERE name = << name >>
