WITH events AS (
  SELECT 1 AS id, [named_struct('sku', 'a', 'qty', 2), named_struct('sku', 'b', 'qty', 3)] AS items
  UNION ALL
  SELECT 2 AS id, [named_struct('sku', 'c', 'qty', 5)] AS items
)
SELECT id, items.sku, (SELECT count(*) FROM UNNEST(events.items) AS others WHERE others.qty >= items.qty) AS rank
FROM events, UNNEST(items) AS items
WHERE items.qty > << least >>
ORDER BY items.qty DESC
