-- error: [duplicate-column]
SELECT status, upper(status) AS status FROM orders
