SELECT
  name,
  -- warning: [null-comparison]
  (SELECT count(*) FROM orders WHERE status = << status? >>) AS orders
FROM customers
