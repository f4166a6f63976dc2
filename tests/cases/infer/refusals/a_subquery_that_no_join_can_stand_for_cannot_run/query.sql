SELECT
  o.id,
  -- error: [cannot-run]
  (SELECT max(b.price) FROM orders AS b WHERE b.id < o.id) AS before
FROM orders AS o
