SELECT * FROM t WHERE a = << a >>
