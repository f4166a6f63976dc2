-- error: [unknown-column]
SELECT count(*) AS orders_count, orders_count + 1 AS more FROM orders
