SELECT id, CAST(0.5 AS double) AS draw FROM orders WHERE quantity > 0.5
