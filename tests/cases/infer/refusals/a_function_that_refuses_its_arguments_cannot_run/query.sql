SELECT
  customer_id,
  -- error: [cannot-run]
  approx_distinct(CAST(price AS DOUBLE)) AS prices
FROM orders
WHERE status = << status >>
GROUP BY customer_id
