WITH orders AS (SELECT id, status FROM orders WHERE status = << status >>)
SELECT id FROM orders
