SELECT k, avg(b) AS average, avg(DISTINCT b) AS of_different, avg(b) FILTER (WHERE id <> 6) AS of_some,
  mean(b + 0) AS computed, (SELECT avg(b) FROM t) AS of_all,
  (SELECT max(moving) FROM (SELECT avg(b) OVER (ORDER BY id ROWS 1 PRECEDING) AS moving FROM t WHERE id > 3)) AS moving
FROM t
GROUP BY k
ORDER BY k
