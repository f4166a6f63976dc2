SELECT sum(n) AS total FROM t WHERE id > << above >>
