WITH docs AS (
  SELECT 1 AS id, [named_struct('product', 'a', 'marks', [1, 5]), named_struct('product', 'b', 'marks', [2])] AS lines
  UNION ALL
  SELECT 2 AS id, [named_struct('product', 'c', 'marks', [7])] AS lines
)
SELECT d.id, l.product, (SELECT sum(m.x) FROM unnest(l.marks) AS m(x)) AS total
FROM docs AS d, unnest(d.lines) AS l
WHERE EXISTS (SELECT 1 FROM unnest(l.marks) AS m(x) WHERE m.x > << least: bigint >>)
ORDER BY d.id, l.product
