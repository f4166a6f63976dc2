WITH events AS (
  SELECT 1 AS id, [named_struct('sku', 'a', 'qty', 2), named_struct('sku', 'b', 'qty', 3)] AS items
  UNION ALL
  SELECT 2 AS id, [named_struct('sku', 'c', 'qty', 5)] AS items
)
SELECT n.sku
FROM events CROSS JOIN UNNEST(items) AS t(n)
WHERE n.qty > << least: bigint >>
ORDER BY n.sku
