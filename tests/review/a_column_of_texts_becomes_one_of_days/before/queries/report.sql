SELECT CAST(day AS text) AS day FROM orders
