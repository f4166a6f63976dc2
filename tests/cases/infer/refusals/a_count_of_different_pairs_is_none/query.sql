-- error: [cannot-run]
SELECT count(DISTINCT status, note) AS n FROM orders
