SELECT CAST(id AS text) AS k FROM orders
UNION
SELECT status FROM orders
UNION
SELECT 'total'
