SELECT id FROM t WHERE region = << region >>
