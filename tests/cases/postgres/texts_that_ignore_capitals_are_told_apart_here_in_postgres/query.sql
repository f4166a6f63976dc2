SELECT c, count(*) AS n, max(x) AS x FROM t WHERE c <> << not >> AND (x IS NULL OR x <> << xml >>) GROUP BY c ORDER BY c
