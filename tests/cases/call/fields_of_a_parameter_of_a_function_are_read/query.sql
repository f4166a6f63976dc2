WITH events AS (
  SELECT 1 AS id, [named_struct('sku', 'a', 'qty', 2), named_struct('sku', 'b', 'qty', 3)] AS items
  UNION ALL
  SELECT 2 AS id, [named_struct('sku', 'c', 'qty', 5)] AS items
)
SELECT id, list_transform(items, x -> x.qty * 2) AS doubled, list_filter(items, x -> x.qty > << least: bigint >>) AS many
FROM events
ORDER BY id
