SELECT CAST(NULL AS text) AS nothing, NULLIF(1, 1) AS number FROM orders
