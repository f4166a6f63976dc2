SELECT
  name,
  (SELECT count(*) FROM orders WHERE status = << status? >>) AS orders
FROM customers
