SELECT x, count(*) AS n, sum(i) AS sum, min(d) AS first, max(x) AS most FROM t GROUP BY x ORDER BY x
