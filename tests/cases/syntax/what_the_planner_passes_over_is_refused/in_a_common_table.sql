WITH dear AS (
  SELECT id FROM orders
  -- error: [invalid-query]
  PREWHERE price > 10
)
SELECT id FROM dear
