SELECT x, count(*) AS n, min(x) AS first FROM t GROUP BY x ORDER BY x
