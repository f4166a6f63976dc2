-- warning: [unnamed-column]
SELECT count(*)
FROM orders
