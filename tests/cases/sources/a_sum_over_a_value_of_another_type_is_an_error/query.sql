SELECT sum(n) AS total, max(d) AS most FROM t WHERE id <> << but >>
