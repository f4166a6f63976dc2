SELECT count(*) AS rows, sum(n) AS total, min(d) AS least, max(x) AS most FROM t WHERE n < << below >>
