-- error: [unknown-function]
SELECT uper(status) AS status FROM orders
