SELECT CAST(day AS timestamp) AS day FROM orders
