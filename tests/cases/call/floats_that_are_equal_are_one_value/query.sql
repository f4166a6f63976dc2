/*---
expose: [limit, table_format]
---*/
SELECT
  id,
  y IN << ys: double[] >> AS listed,
  y NOT IN (0.0, 1.5, 7, 8, 9) AS not_listed,
  r IN (-0.0, 1.5) AS single,
  y IN (id - 1, << zero: double >>) AS computed,
  CASE y WHEN 0.0 THEN 'zero' WHEN 1.5 THEN 'more' ELSE 'else' END AS words,
  rank() OVER (ORDER BY y) AS ranked,
  count(*) OVER (PARTITION BY y) AS peers,
  sum(id) OVER (ORDER BY r) AS running,
  row_number() OVER (ORDER BY y DESC NULLS LAST, id) AS place,
  (SELECT count(DISTINCT y) FROM f) AS different,
  (SELECT sum(CAST(d AS DOUBLE)) FROM (SELECT count(DISTINCT y) AS d, max(g) AS g FROM f GROUP BY g)) AS by_group,
  (SELECT string_agg(CAST(id AS TEXT), ',' ORDER BY y, id) FROM f) AS ordered,
  array_has(make_array(y, 7.0), 0.0) AS has,
  array_position(make_array(7.0, y), -0.0) AS position,
  make_array(y) = make_array(0.0) AS equal
FROM f
ORDER BY y NULLS LAST, id
