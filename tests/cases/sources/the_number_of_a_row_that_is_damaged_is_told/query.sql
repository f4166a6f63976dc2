SELECT name, n FROM t WHERE name = << name >>
