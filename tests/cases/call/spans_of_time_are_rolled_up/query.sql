SELECT span, id % 2 AS odd, count(*) AS n, grouping(span) AS all_spans
FROM rows
GROUP BY ROLLUP (span, id % 2)
ORDER BY span, odd, n
